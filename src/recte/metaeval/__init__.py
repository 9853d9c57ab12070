"""Metrics against humans: correlations over systems, agreement over sentences, and tests of their differences."""
