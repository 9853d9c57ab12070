"""What can be chosen where people's word is read: names alone, so that a command line loads nothing else for them."""

from __future__ import annotations

__all__ = ["AVERAGES", "METHODS", "RATER_SCALES"]

METHODS = ("expected-wins", "trueskill", "expected-trueskill")  # how judgments become scores of systems
RATER_SCALES = ("none", "z", "rank")  # how raters are brought to one scale
AVERAGES = ("item", "system", "none")  # over what correlations with ratings are averaged
