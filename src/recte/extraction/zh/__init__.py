"""Chinese edits and their types, by ChERRANT's rules."""
