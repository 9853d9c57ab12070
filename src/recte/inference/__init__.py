"""Intervals, paired tests and power, from counts alone."""
