"""What a scoring program is made of: modules that need nothing but Python, and are copied into it as they are."""
