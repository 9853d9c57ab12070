"""French edits and their types, by the rules of the published program."""
