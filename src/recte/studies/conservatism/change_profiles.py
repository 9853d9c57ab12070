"""The conservatism profile of systems and annotators, and where systems lie in the range of annotators.

Over-correction is the share changed of the sentences that no annotator edited; under-correction the share left alone of
those that all of them edited. An annotator is judged by what the others agree on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from recte.corpus.corpus import System
from recte.edits.references import edits_from_references
from recte.errors import InputError
from recte.studies.conservatism.changes import RuleName, SentenceCounter, change_rule, changes, count_sentences
from recte.text.changed_texts import changed_sentences

__all__ = ["ConservatismStudy", "Profile", "Range", "conservatism_of"]


@dataclass(frozen=True, kw_only=True)
class Profile:
    """How much one system or annotator changed.

    `word_change_histogram[k]` sentences have k changed words; `rho_values` are the sentences' ρ below 1, in order;
    `rho_undefined` sentences have fewer than two aligned words. Shares that have nothing to be a share of are None.
    """

    name: str
    kind: Literal["system", "annotator"]
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
    plain = [" ".join(source.split()) for source in sources]
    if not plain:
        raise InputError("conservatism: expected at least one source sentence, got none")
    changed: dict[tuple[str, str], NDArray[np.bool_]] = {}
    kinds: list[tuple[Literal["system", "annotator"], System]] = [
        *(("system", system) for system in systems),
        *(("annotator", annotator) for annotator in annotators),
    ]
    for kind, system in kinds:
        if len(system.outputs) != len(plain):
            raise InputError(f"{system.name}: expected {len(plain)} sentences, one a source, got {len(system.outputs)}")
        changed[kind, system.name] = changed_sentences(plain, system.outputs)
    if len(changed) < len(kinds):
        raise InputError("conservatism: expected different names of the systems and of the annotators, got one twice")
    edited = {a.name: changed["annotator", a.name] for a in annotators}
    profiles = []
    for kind, system in kinds:
        judges = [mask for name, mask in edited.items() if kind == "system" or name != system.name]
        untouched, agreed = _agreement(judges, len(plain))
        profiles.append(
            _profile(kind, system, plain, changed[kind, system.name], untouched, agreed, rule, sentence_counter)
        )
    untouched, agreed = _agreement(list(edited.values()), len(plain))
    return ConservatismStudy(
        rule=rule,
        sentence_count=len(plain),
        untouched=int(untouched.sum()),
        agreed=int(agreed.sum()),
        profiles=tuple(profiles),
    )


def _agreement(judges: Sequence[NDArray[np.bool_]], size: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which sentences nobody edited, and which everybody did; none where nobody judges."""
    if not judges:
        return np.zeros(size, dtype=np.bool_), np.zeros(size, dtype=np.bool_)
    return ~np.any(judges, axis=0), np.all(judges, axis=0)


def _profile(
    kind: Literal["system", "annotator"],
    system: System,
    sources: Sequence[str],
    changed: NDArray[np.bool_],
    untouched: NDArray[np.bool_],
    agreed: NDArray[np.bool_],
    rule: RuleName,
    sentence_counter: SentenceCounter,
) -> Profile:
    did = changes(sources, [" ".join(o.split()) for o in system.outputs], change_rule(rule), sentence_counter)
    touched = np.flatnonzero(changed).tolist()
    edits = edits_from_references([sources[s] for s in touched], [system.outputs[s] for s in touched], rule="word-diff")
    source_words = sum(len(source.split()) for source in sources)
    defined = did.rho[~np.isnan(did.rho)]
    return Profile(
        name=system.name,
        kind=kind,
        changed_sentences=len(touched),
        changed_sentence_rate=len(touched) / len(sources),
        word_change=float(did.word_changes.mean()),
        word_change_histogram=tuple(np.bincount(did.word_changes).tolist()),
        rho=float(defined.mean()) if defined.size else 1.0,
        rho_values=tuple(np.sort(defined[defined < 1]).tolist()),
        rho_undefined=int(np.isnan(did.rho).sum()),
        split=int((did.sentences_added > 0).sum()),
        concatenated=int((did.sentences_added < 0).sum()),
        edits_per_100_words=100 * sum(map(len, edits)) / max(source_words, 1),
        length_ratio=sum(len(output.split()) for output in system.outputs) / max(source_words, 1),
        over_correction=float(changed[untouched].mean()) if untouched.any() else None,
        under_correction=float((~changed[agreed]).mean()) if agreed.any() else None,
    )
