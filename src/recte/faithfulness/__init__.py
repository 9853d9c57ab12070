"""Is the meaning kept? UCCA graphs of source and correction compared, and scorers of meaning that need no parser."""
