"""Untidiness: what files of outputs hold in addition to sentences, how to see it and how to undo it."""
