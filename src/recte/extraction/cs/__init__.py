"""Czech edits and their types, by the rules of the published Czech program."""
