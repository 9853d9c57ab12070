"""Values and rows of numbers kept on disk, for several processes at once."""
