"""Which languages there are. A package adds one by an entry point of the group `recte.languages`:

[project.entry-points."recte.languages"]
de = "my_package.german:German"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from recte.errors import OptionError, describe_choices, did_you_mean
from recte.extraction.language import Language
from recte.registry import Registry

__all__ = ["LANGUAGES", "language_with"]

LANGUAGES = Registry[type[Language]](
    "language",
    {
        "cs": "recte.extraction.cs.types:Czech",
        "de": "recte.extraction.de.types:German",
        "el": "recte.extraction.el.types:Greek",
        "en": "recte.extraction.en.types:English",
        "es": "recte.extraction.es.types:Spanish",
        "fr": "recte.extraction.fr.types:French",
        "multigec": "recte.extraction.multigec.types:MultiGec",
        "ru": "recte.extraction.ru.types:Russian",
        "universal": "recte.extraction.universal.types:Universal",
        "zh": "recte.extraction.zh.extractor:Chinese",
    },
    group="recte.languages",
)


def language_with(name: str, options: Mapping[str, Any]) -> Language:
    """A language by its code, with these options; those that it does not have are refused.

    >>> language_with("en", {"ties": "first", "merging": "split"})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    recte.errors.OptionError: ties: expected an option of the language en (alignment, merging, edits, ...
    """
    if name not in LANGUAGES:
        hint = did_you_mean(name, LANGUAGES.names()) or "; universal types are for any other language"
        raise OptionError(f"language: {describe_choices(LANGUAGES.names(), name)}{hint}")
    cls = LANGUAGES.load(name)
    if not (isinstance(cls, type) and issubclass(cls, Language)):
        entry = LANGUAGES.find(name)
        origin = f" of {entry.package}" if entry else ""
        raise OptionError(f"language {name}{origin}: expected a class derived from Language, got {cls!r}")
    known = [f.name for f in fields(cls)]
    for option, value in options.items():
        if option not in known:
            listed = ", ".join(known) or "none"
            near = did_you_mean(option, known)
            raise OptionError(f"{option}: expected an option of the language {name} ({listed}), got {value!r}{near}")
    return cls(**options)
