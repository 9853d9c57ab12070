"""How many corrections a sentence has, and what too few references do to scores."""
