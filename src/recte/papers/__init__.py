"""Five papers, every table: the published figures, and how recte computes each of them."""
