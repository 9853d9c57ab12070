"""Sentences as columns: text in one buffer, words and edits as arrays, the form that kernels take."""
