"""How text becomes tokens, and tokens become numbers."""
