"""Error types for any language, from Universal Dependencies."""
