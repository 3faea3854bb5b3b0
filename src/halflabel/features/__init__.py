"""Features of nodes: how they were encoded and scaled, rows on disk, and other views of the same nodes."""
