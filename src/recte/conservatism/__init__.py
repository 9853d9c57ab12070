"""How much a system changes, beside how much people change (Choshen and Abend, section 2)."""
