"""Shared tasks on Codabench: a task file into a bundle, the platform's worker offline, the final ranking."""
