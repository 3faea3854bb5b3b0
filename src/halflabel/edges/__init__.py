"""Everything computed along edges: the graph as sparse matrices, and sums, walks and distances over it."""
