"""Human judgments into rankings: expected wins, TrueSkill, rank ranges and clusters, agreement of judges."""
