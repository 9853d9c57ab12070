"""Greek edits and their types, by the rules of Korre et al. (2021)."""
