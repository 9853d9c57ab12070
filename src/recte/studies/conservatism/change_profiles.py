"""The conservatism profile of systems and annotators, and where systems lie in the range of annotators.

Over-correction is the share changed of the sentences that no annotator edited; under-correction the share left alone of
those that all of them edited. An annotator is judged by what the others agree on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import System
from recte.corpus.text_columns import find_changed_sentences
from recte.edits.references import edits_from_references
from recte.errors import InputError
from recte.studies.conservatism.changes import (
    Changes,
    RuleName,
    SentenceCounter,
    change_rule,
    changes,
    count_sentences,
)

__all__ = [
    "AT_ONCE",
    "ConservatismPart",
    "ConservatismStudy",
    "Profile",
    "Range",
    "conservatism_of",
    "conservatism_of_parts",
]

AT_ONCE = 10_000  # sentences whose texts are in memory
Kind = Literal["system", "annotator"]


class ConservatismPart(NamedTuple):
    """Some sources with the outputs of all systems and the texts of all annotators for them."""

    sources: Sequence[str]
    systems: Sequence[System]
    annotators: Sequence[System]


@dataclass(frozen=True, kw_only=True)
class Profile:
    """How much one system or annotator changed.

    `word_change_histogram[k]` sentences have k changed words; `rho_values` are the sentences' ρ below 1, in order;
    `rho_undefined` sentences have fewer than two aligned words. Shares that have nothing to be a share of are None.
    """

    name: str
    kind: Kind
    changed_sentences: int
    changed_sentence_rate: float
    word_change: float
    word_change_histogram: tuple[int, ...]
    rho: float
    rho_values: tuple[float, ...]
    rho_undefined: int
    split: int
    concatenated: int
    edits_per_100_words: float
    length_ratio: float
    over_correction: float | None
    under_correction: float | None


@dataclass(frozen=True)
class Range:
    """The least and the most that annotators have of a figure."""

    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class ConservatismStudy:
    """Profiles of all systems and annotators; `untouched` sentences no annotator edited, `agreed` all of them did.

    >>> study = conservatism_of(
    ...     ["He go home .", "Good ."],
    ...     [System("shy", ("He go home .", "Good ."))],
    ...     [System("0", ("He goes home .", "Good .")), System("1", ("He went home .", "Good ."))],
    ... )
    >>> study.profiles[0].under_correction, study.profiles[1].word_change, study.annotator_range["word_change"]
    (1.0, 0.5, Range(low=0.5, high=0.5))
    """

    rule: RuleName
    sentence_count: int
    untouched: int
    agreed: int
    profiles: tuple[Profile, ...]

    @property
    def annotator_range(self) -> dict[str, Range]:
        """Each figure's range over the annotators, where there are any."""
        annotators = [p for p in self.profiles if p.kind == "annotator"]
        ranges = {}
        for field in fields(Profile):
            values = [getattr(p, field.name) for p in annotators]
            numbers = [float(v) for v in values if isinstance(v, (int, float))]
            if numbers:
                ranges[field.name] = Range(min(numbers), max(numbers))
        return ranges

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and text."""
        ranges = {name: asdict(limits) for name, limits in self.annotator_range.items()}
        return {**asdict(self), "annotator_range": ranges}


def conservatism_of(
    sources: Sequence[str],
    systems: Sequence[System],
    annotators: Sequence[System] = (),
    *,
    rule: RuleName = "default",
    sentence_counter: SentenceCounter = count_sentences,
) -> ConservatismStudy:
    """How much each system and each annotator changes, by one of the rules `default`, `paper` and `official`.

    >>> conservatism_of(["He go ."], [System("mine", ("He goes .",))]).profiles[0].word_change
    1.0
    """
    change_rule(rule)  # refuse an unknown name before the work
    for system in (*systems, *annotators):
        if len(system.outputs) != len(sources):
            got = f"got {len(system.outputs)}"
            raise InputError(f"{system.name}: expected {len(sources)} sentences, one a source, {got}")
    slices = [slice(begin, begin + AT_ONCE) for begin in range(0, len(sources), AT_ONCE)]
    parts = (
        ConservatismPart(
            sources[rows],
            [system[rows] for system in systems],
            [annotator[rows] for annotator in annotators],
        )
        for rows in slices
    )
    return conservatism_of_parts(parts, rule=rule, sentence_counter=sentence_counter)


def conservatism_of_parts(
    parts: Iterable[ConservatismPart],
    *,
    rule: RuleName = "default",
    sentence_counter: SentenceCounter = count_sentences,
) -> ConservatismStudy:
    """The same of a corpus that comes part by part: of each sentence some numbers are kept, and no text."""
    change_rule(rule)
    counted: dict[tuple[Kind, str], list[_CountedPart]] = {}
    sentences = words = 0
    for part in parts:
        plain = [" ".join(source.split()) for source in part.sources]
        sentences += len(plain)
        words += sum(len(source.split()) for source in plain)
        kinds: list[tuple[Kind, System]] = [
            *(("system", system) for system in part.systems),
            *(("annotator", annotator) for annotator in part.annotators),
        ]
        if len({(kind, system.name) for kind, system in kinds}) < len(kinds):
            raise InputError(
                "conservatism: expected different names of the systems and of the annotators, got one twice"
            )
        for kind, system in kinds:
            of_part = _count_part(system, plain, rule, sentence_counter)
            counted.setdefault((kind, system.name), []).append(of_part)
    if not sentences:
        raise InputError("conservatism: expected at least one source sentence, got none")
    changed = {key: np.concatenate([part.changed for part in listed]) for key, listed in counted.items()}
    edited = {name: mask for (kind, name), mask in changed.items() if kind == "annotator"}
    profiles = []
    for (kind, name), listed in counted.items():
        judges = [mask for annotator, mask in edited.items() if kind == "system" or annotator != name]
        agreement = _agreement(judges, sentences)
        profiles.append(_profile(kind, name, listed, changed[kind, name], words, *agreement))
    untouched, agreed = _agreement(list(edited.values()), sentences)
    return ConservatismStudy(
        rule=rule,
        sentence_count=sentences,
        untouched=int(untouched.sum()),
        agreed=int(agreed.sum()),
        profiles=tuple(profiles),
    )


def _agreement(judges: Sequence[NDArray[np.bool_]], size: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which sentences nobody edited, and which everybody did; none where nobody judges."""
    if not judges:
        return np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)
    return ~np.any(judges, axis=0), np.all(judges, axis=0)


class _CountedPart(NamedTuple):
    """What is kept of one system's or annotator's sentences."""

    changed: NDArray[np.bool_]
    changes: Changes
    edits: int
    words: int


def _count_part(
    system: System, sources: Sequence[str], rule: RuleName, sentence_counter: SentenceCounter
) -> _CountedPart:
    outputs = list(system.outputs)
    changed = find_changed_sentences(sources, outputs)
    did = changes(sources, [" ".join(o.split()) for o in outputs], change_rule(rule), sentence_counter)
    touched = np.flatnonzero(changed).tolist()
    edits = edits_from_references([sources[s] for s in touched], [outputs[s] for s in touched], rule="word-diff")
    return _CountedPart(changed, did, sum(map(len, edits)), sum(len(output.split()) for output in outputs))


def _profile(
    kind: Kind,
    name: str,
    parts: Sequence[_CountedPart],
    changed: NDArray[np.bool_],
    source_words: int,
    untouched: NDArray[np.bool_],
    agreed: NDArray[np.bool_],
) -> Profile:
    word_changes = np.concatenate([part.changes.word_changes for part in parts])
    rho = np.concatenate([part.changes.rho for part in parts])
    sentences_added = np.concatenate([part.changes.sentences_added for part in parts])
    defined = rho[~np.isnan(rho)]
    return Profile(
        name=name,
        kind=kind,
        changed_sentences=int(changed.sum()),
        changed_sentence_rate=int(changed.sum()) / len(changed),
        word_change=float(word_changes.mean()),
        word_change_histogram=tuple(np.bincount(word_changes).tolist()),
        rho=float(defined.mean()) if defined.size else 1.0,
        rho_values=tuple(np.sort(defined[defined < 1]).tolist()),
        rho_undefined=int(np.isnan(rho).sum()),
        split=int((sentences_added > 0).sum()),
        concatenated=int((sentences_added < 0).sum()),
        edits_per_100_words=100 * sum(part.edits for part in parts) / max(source_words, 1),
        length_ratio=sum(part.words for part in parts) / max(source_words, 1),
        over_correction=float(changed[untouched].mean()) if untouched.any() else None,
        under_correction=float((~changed[agreed]).mean()) if agreed.any() else None,
    )
