"""German edits and their types, by the rules of Boyd (2018)."""
