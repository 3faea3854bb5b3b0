"""Pictures: figures inside the report's page, and one of the prior on its own."""
