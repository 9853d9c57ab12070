"""English error types, by ERRANT's rules."""
