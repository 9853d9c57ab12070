"""Tables of a conservatism study: how much is changed, and how many words in how many sentences."""

from __future__ import annotations

from collections.abc import Callable

from errata.conservatism.study import ConservatismStudy, Profile
from errata.report.tables import Table

__all__ = ["conservatism_tables", "histogram_bins", "profile_label"]

# Header, figure, how many times it is printed, digits more than asked for.
_COLUMNS: tuple[tuple[str, str, float, int], ...] = (
    ("changed %", "changed_sentence_rate", 100, 0),
    ("words changed", "word_change", 1, 0),
    ("order ρ", "rho", 1, 2),
    ("edits/100 words", "edits_per_100_words", 1, 0),
    ("length", "length_ratio", 1, 1),
    ("split", "split", 1, -99),
    ("concatenated", "concatenated", 1, -99),
    ("over %", "over_correction", 100, 0),
    ("under %", "under_correction", 100, 0),
)
_BINS = (*((str(k), k, k) for k in range(6)), ("6–10", 6, 10), ("11–20", 11, 20), (">20", 21, None))


def profile_label(profile: Profile) -> str:
    """What tables and pictures call a system or an annotator."""
    return profile.name if profile.kind == "system" else f"annotator {profile.name}"


def histogram_bins(histogram: tuple[int, ...]) -> dict[str, int]:
    """Sentences by their number of changed words, many changes together.

    >>> histogram_bins((5, 2, 0, 1))["3"]
    1
    """
    return {label: sum(histogram[low : None if high is None else high + 1]) for label, low, high in _BINS}


def conservatism_tables(study: ConservatismStudy, digits: int = 2) -> list[Table]:
    """What each system and annotator does, the annotators' range below; and sentences by their changed words."""

    def row(label: str, figure: Callable[[str], float | None]) -> tuple[str, ...]:
        return (label, *(_cell(figure(name), factor, digits + more) for _, name, factor, more in _COLUMNS))

    rows = [row(profile_label(p), lambda name, p=p: getattr(p, name)) for p in study.profiles]  # type: ignore[misc]
    ranges = study.annotator_range
    if sum(p.kind == "annotator" for p in study.profiles) > 1:
        rows.append(row("annotators, least", lambda name: ranges[name].low if name in ranges else None))
        rows.append(row("annotators, most", lambda name: ranges[name].high if name in ranges else None))
    notes = [f"{study.sentence_count} sentences, words and changes by the rule {study.rule}"]
    if study.untouched or study.agreed:
        notes.append(
            f"over: changed, of the {study.untouched} sentences that no annotator edited; "
            f"under: left alone, of the {study.agreed} that all did (an annotator: by what the others did)"
        )
    bins = [histogram_bins(p.word_change_histogram) for p in study.profiles]
    counted = tuple(
        (profile_label(p), *(str(count) for count in of_profile.values()))
        for p, of_profile in zip(study.profiles, bins, strict=True)
    )
    return [
        Table("Conservatism", ("", *(header for header, *_ in _COLUMNS)), tuple(rows), tuple(notes)),
        Table("Sentences by changed words", ("", *(label for label, *_ in _BINS)), counted),
    ]


def _cell(value: float | None, factor: float, digits: int) -> str:
    return "–" if value is None else f"{factor * value:.{max(digits, 0)}f}"
