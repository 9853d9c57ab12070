"""EvalAI imports the evaluation script as a package; its workers install recte from the wheel that is put here."""

from .main import evaluate as evaluate
