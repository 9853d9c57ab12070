"""How much a score depends on the word segmenter."""
