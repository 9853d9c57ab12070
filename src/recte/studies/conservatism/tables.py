"""Tables of a conservatism study: how much is changed, and how many words in how many sentences."""

from __future__ import annotations

from collections.abc import Callable

from recte.output.tables import Table
from recte.studies.conservatism.change_profiles import ConservatismStudy, Profile

__all__ = ["conservatism_tables", "histogram_bins", "profile_label"]

# Header, figure, how many times it is printed, digits more than asked for (counts have none). Two tables, so that each
# fits a terminal of 80 columns.
_CHANGES: tuple[tuple[str, str, float, int], ...] = (
    ("changed %", "changed_sentence_rate", 100, 0),
    ("words", "word_change", 1, 0),
    ("order ρ", "rho", 1, 2),
    ("edits/100 words", "edits_per_100_words", 1, 0),
    ("length", "length_ratio", 1, 1),
)
_SENTENCES: tuple[tuple[str, str, float, int], ...] = (
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
    notes = [f"{study.sentence_count} sentences, words changed in each by the rule {study.rule}, the mean"]
    agreement = [
        f"over: changed, of the {study.untouched} sentences that no annotator edited",
        f"under: left alone, of the {study.agreed} that all did (an annotator: by what the others did)",
    ]
    bins = [histogram_bins(p.word_change_histogram) for p in study.profiles]
    counted = tuple(
        (profile_label(p), *(str(count) for count in of_profile.values()))
        for p, of_profile in zip(study.profiles, bins, strict=True)
    )
    return [
        _figures("Conservatism", study, _CHANGES, digits, notes),
        _figures("Sentences", study, _SENTENCES, digits, agreement if study.untouched or study.agreed else []),
        Table("Sentences by changed words", ("", *(label for label, *_ in _BINS)), counted),
    ]


def _figures(
    title: str,
    study: ConservatismStudy,
    columns: tuple[tuple[str, str, float, int], ...],
    digits: int,
    notes: list[str],
) -> Table:
    def row(label: str, figure: Callable[[str], float | None]) -> tuple[str, ...]:
        return (label, *(_cell(figure(name), factor, digits + more) for _, name, factor, more in columns))

    rows = [row(profile_label(p), lambda name, p=p: getattr(p, name)) for p in study.profiles]  # type: ignore[misc]
    ranges = study.annotator_range
    if sum(p.kind == "annotator" for p in study.profiles) > 1:
        rows.append(row("annotators, least", lambda name: ranges[name].low if name in ranges else None))
        rows.append(row("annotators, most", lambda name: ranges[name].high if name in ranges else None))
    return Table(title, ("", *(header for header, *_ in columns)), tuple(rows), tuple(notes))


def _cell(value: float | None, factor: float, digits: int) -> str:
    return "–" if value is None else f"{factor * value:.{max(digits, 0)}f}"
