"""Published settings by name: which systems, which human scores, which judgments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from recte.errors import OptionError

__all__ = ["PROTOCOLS", "Protocol", "protocol_named"]


@dataclass(frozen=True)
class Protocol:
    """A study's setting. `judgments` and `scores` (by method) are names of files; the files of scores name no systems
    and follow the order of `systems`. `judgments_of_subset` are the files that tell which sentences were judged.

    >>> protocol_named("seeda-edit").set_named("base")[:2]
    ('BART', 'BERT-fuse')
    """

    name: str
    systems: tuple[str, ...]
    sets: Mapping[str, tuple[str, ...]]
    judgments: str
    judgments_of_subset: tuple[str, ...]
    scores: Mapping[str, str]
    method: str = "trueskill"
    window: int = 4

    def set_named(self, name: str) -> tuple[str, ...]:
        """The systems of a set."""
        if name not in self.sets:
            raise OptionError(f"system_set: expected one of {', '.join(self.sets)}, got {name!r}")
        return self.sets[name]


# Kobayashi, Mita and Komachi (2024). INPUT is the source; REF-F and GPT-3.5 rewrite for fluency.
_SEEDA = (
    "BART,BERT-fuse,GECToR-BERT,GECToR-ens,GPT-3.5,INPUT,LM-Critic,PIE,REF-F,REF-M,Riken-Tohoku,T5,TemplateGEC,TransGEC,"
    "UEDIN-MS"
)
_SYSTEMS = tuple(_SEEDA.split(","))
_SETS = {
    "base": tuple(s for s in _SYSTEMS if s not in ("INPUT", "REF-F", "GPT-3.5")),
    "+INPUT": tuple(s for s in _SYSTEMS if s not in ("REF-F", "GPT-3.5")),
    "+fluency": tuple(s for s in _SYSTEMS if s != "INPUT"),
    "all": _SYSTEMS,
}
_FILES = ("judgments_edit.xml", "judgments_sent.xml")

PROTOCOLS = {
    name: Protocol(
        name,
        _SYSTEMS,
        _SETS,
        judgments=f"judgments_{kind}.xml",
        judgments_of_subset=_FILES,
        scores={"trueskill": f"TS_{kind}", "expected-wins": f"EW_{kind}"},
    )
    for name, kind in (("seeda-edit", "edit"), ("seeda-sentence", "sent"))
}


def protocol_named(name: str) -> Protocol:
    """A published setting.

    >>> len(protocol_named("seeda-sentence").systems)
    15
    """
    if name not in PROTOCOLS:
        raise OptionError(f"protocol: expected one of {', '.join(PROTOCOLS)}, got {name!r}")
    return PROTOCOLS[name]
