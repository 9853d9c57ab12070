"""Pairs of texts into typed edits: align, merge, type."""
