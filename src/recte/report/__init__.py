"""Scores made visible: tables, documents, explanations."""
