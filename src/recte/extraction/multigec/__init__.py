"""The edits of MultiGEC-2025, whose program gives English rules to twelve languages."""
