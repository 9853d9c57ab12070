"""How a source and its correction are laid beside each other."""
