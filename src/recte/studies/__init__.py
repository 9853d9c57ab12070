"""Studies: each folder holds its numbers, its commands, its tables, its charts and its files."""
