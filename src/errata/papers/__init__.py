"""Five papers, every table: the published figures, and how errata computes each of them."""
