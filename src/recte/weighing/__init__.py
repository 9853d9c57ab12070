"""What others say of edits: how much each is worth, and whether one that no reference has is right after all."""
