"""Russian edits and their types, by the rules of RuERRANT."""
