"""How fast, how large: measured as ratios to a peer or to the slow twin, in one run on one machine."""
