"""Judges that are language models behind an HTTP endpoint: prompts, requests, answers."""
