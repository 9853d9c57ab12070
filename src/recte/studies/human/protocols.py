"""Published settings by name: systems, human scores and judgments; and the files that have them.

What can be chosen where people's word is read: names alone, so that a command line loads nothing else for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from recte.errors import InputError, check_choice
from recte.files import read_lines
from recte.studies.human.judgment_files import read_judgments
from recte.studies.human.judgments import Judgments
from recte.studies.human.rankings_xml import read_rankings_xml

__all__ = [
    "AVERAGES",
    "METHODS",
    "PROTOCOLS",
    "RATER_SCALES",
    "Protocol",
    "ProtocolFiles",
    "protocol_named",
    "read_nameless_scores",
    "read_protocol_files",
]

METHODS = ("expected-wins", "trueskill", "expected-trueskill")  # how judgments become scores of systems
RATER_SCALES = ("none", "z", "rank")  # how raters are brought to one scale
AVERAGES = ("item", "system", "none")  # over what correlations with ratings are averaged


@dataclass(frozen=True)
class Protocol:
    """A study's setting. `judgments` and `scores` (by method) are names of files; the files of scores name no systems
    and follow the order of `systems`. `judgments_of_subset` are the files that tell which sentences were judged; where
    there are none, sentences have the numbers of the corpus. `first_sentence` is the number of the first one,
    `resample` what intervals draw, `window` how many neighbours correlations are inside of.

    >>> protocol_named("seeda-edit").set_named("base")[:2]
    ('BART', 'BERT-fuse')
    """

    name: str
    systems: tuple[str, ...]
    sets: Mapping[str, tuple[str, ...]]
    judgments: str
    judgments_of_subset: tuple[str, ...]
    scores: Mapping[str, str]
    methods: tuple[str, ...] = ("trueskill",)
    window: int | None = 4
    first_sentence: int = 1
    resample: str = ""

    def set_named(self, name: str) -> tuple[str, ...]:
        """The systems of a set."""
        check_choice("system_set", name, self.sets)
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

# Chollampatt and Ng (2018), on the rankings of Grundkiewicz et al. (2015). INPUT is the source.
_CONLL_2014 = ("AMU", "CAMB", "CUUI", "IITB", "INPUT", "IPN", "NTHU", "PKU", "POST", "RAC", "SJTU", "UFC", "UMC")
PROTOCOLS["reassessment-2018"] = Protocol(
    "reassessment-2018",
    _CONLL_2014,
    {"all": _CONLL_2014, "without-IPN": tuple(system for system in _CONLL_2014 if system != "IPN")},
    judgments="rankings.xml",
    judgments_of_subset=(),
    scores={},
    methods=("expected-wins", "expected-trueskill"),
    window=None,
    first_sentence=0,
    resample="pairs",
)


def protocol_named(name: str) -> Protocol:
    """A published setting.

    >>> len(protocol_named("seeda-sentence").systems)
    15
    """
    check_choice("protocol", name, PROTOCOLS)
    return PROTOCOLS[name]


class ProtocolFiles(NamedTuple):
    """Judgments, the numbers (from 1) of the judged sentences in the corpus, and published human scores by method,
    where there are files of them.
    """

    judgments: Judgments
    ids: tuple[int, ...]
    scores: Mapping[str, Mapping[str, float]]


def read_protocol_files(
    folder: str | Path,
    judgments: str,
    *,
    of_subset: Sequence[str],
    scores: Mapping[str, str],
    systems: Sequence[str],
    expand: bool = True,
    seed: int = 0,
    first_sentence: int = 1,
) -> ProtocolFiles:
    """Read a study's judgments and scores from wherever they lie under `folder`.

    `judgments` is the name of the rankings file. The judged sentences are those of all files `of_subset` that are
    there, in ascending order; their numbers count from `first_sentence`. `scores` names the files of human
    scores by method, with or without an ending; they hold one number per line, in the order of `systems`. `expand` and
    `seed` are those of `read_judgments`.
    """
    path = _find_file(folder, judgments)
    if path is None:
        raise InputError(f"expected a file {judgments} in the folder or below it, got none", str(folder))
    files = [file for name in of_subset if (file := _find_file(folder, name)) is not None]
    sentences = {ranking.sentence for file in files for ranking in read_rankings_xml(file)}
    ids = sorted(number for number in sentences if isinstance(number, int))
    if len(ids) < len(sentences):
        raise InputError("expected sentences by their numbers, got other names", str(path))
    judged = read_judgments(path, expand=expand, seed=seed, first_sentence=first_sentence)
    unknown = [system for system in judged.systems if system not in systems]
    if unknown:
        raise InputError(f"expected the systems {', '.join(systems)}, got {unknown[0]!r}", str(path))
    published = {
        method: read_nameless_scores(file, systems)
        for method, name in scores.items()
        if (file := _find_file(folder, name)) is not None
    }
    return ProtocolFiles(judged, tuple(ids), published)


def read_nameless_scores(path: str | Path, systems: Sequence[str]) -> dict[str, float]:
    """Scores of systems from a file that holds one number per line and no names; `systems` gives their order.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "TS_edit").write_text("0.5\\n-0.25")
    ...     read_nameless_scores(f"{folder}/TS_edit", ["heron", "wren"])
    {'heron': 0.5, 'wren': -0.25}
    """
    values = []
    for line, text in enumerate(read_lines(path), 1):
        try:
            values.append(float(text))
        except ValueError:
            raise InputError(f"expected a number as score, got {text[:40]!r}", str(path), line) from None
    if len(values) != len(systems):
        raise InputError(f"expected {len(systems)} scores, one for each system, got {len(values)}", str(path))
    return dict(zip(systems, values, strict=True))


def _find_file(folder: str | Path, name: str) -> Path | None:
    """The first file of that name, with or without one more ending."""
    if not Path(folder).is_dir():
        raise InputError("expected a folder with the study's files, got none", str(folder))
    matching = [path for path in sorted(Path(folder).rglob(f"{name}*")) if path.is_file()]
    return next((path for path in matching if name in (path.name, path.stem)), None)
