"""The commands of the main path: score, compare, report, explain, and those that prepare files; one module each."""
