"""The bundled sample: 40 learner-like sentences, two annotators, three invented systems, two judges, three raters; six
sentences with the answers of many people; a dozen Chinese ones with two systems in `chinese/`; three passages with UCCA
annotations in `ucca/`; an essay and its correction in `essay/`; a system's outputs as a language
model might give them in `raw/`. All of it is made up.

A scorer to plug into `recte faithfulness`, as an example: it counts words, and knows nothing of meaning.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

__all__ = ["kept_words", "sample_files"]


def kept_words(source: str, corrected: str) -> float:
    """The share of the source's distinct words that the correction has.

    >>> kept_words("He go home", "He goes home")
    0.6666666666666666
    """
    words = set(source.split())
    return len(words & set(corrected.split())) / len(words) if words else 1.0


def sample_files() -> dict[str, bytes]:
    """The sample's files by their names.

    >>> sorted(name for name in sample_files() if name.startswith("systems/"))
    ['systems/heron.txt', 'systems/magpie.txt', 'systems/wren.txt']
    """
    root = Path(str(files(__name__)))
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
