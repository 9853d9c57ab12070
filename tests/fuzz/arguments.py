"""Random arguments of kernels that fit each other: texts, gold, references, tables, weights."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from recte import _kernels
from wrong_calls import array, text

Arguments = dict[str, Any]
I32, I64, U8 = np.int32, np.int64, np.uint8
WORDS = 9  # types


class Sizes:
    """What the arguments of one call have in common."""

    def __init__(self, draw: Random) -> None:
        self.draw = draw
        self.sources = self.texts(draw.randint(0, 4))
        self.hypotheses = self.texts(draw.randint(0, 5) if self.count else 0)
        self.source_of = array(*(draw.randrange(self.count) for _ in range(len(self.hypotheses[1]) - 1)))
        self.threads = draw.choice((1, 2, 5))

    @property
    def count(self) -> int:
        return len(self.sources[1]) - 1

    def length(self, place: int) -> int:
        return int(self.sources[1][place + 1] - self.sources[1][place])

    def sentence(self, most: int = 8) -> list[int]:
        return [self.draw.randrange(WORDS) for _ in range(self.draw.randint(0, most))]

    def texts(self, count: int, most: int = 8) -> tuple[Any, Any]:
        return text(*(self.sentence(most) for _ in range(count)))

    def offsets(self, count: int, most: int, least: int = 0) -> Any:
        return np.cumsum([0, *(self.draw.randint(least, most) for _ in range(count))]).astype(I64)

    def flags(self, count: int) -> Any:
        return array(*(self.draw.randint(0, 1) for _ in range(count)), dtype=U8)

    def spans_in(self, offsets: Any, place_of: Callable[[int], int] = lambda group: group) -> tuple[Any, Any]:
        """A start and an end within a source for each edit, edits grouped by offsets."""
        starts, ends = [], []
        for group in range(len(offsets) - 1):
            for _ in range(int(offsets[group + 1] - offsets[group])):
                length = self.length(place_of(group))
                starts.append(self.draw.randint(0, length))
                ends.append(self.draw.randint(starts[-1], min(length, starts[-1] + 3)))
        return array(*starts, dtype=I32), array(*ends, dtype=I32)

    def versions(self, places: list[int]) -> tuple[Any, ...]:
        """Edits in order and apart, of each place's source."""
        starts, ends, offsets = [], [], [0]
        for place in places:
            at = 0
            while at <= self.length(place) and self.draw.randint(0, 2):
                starts.append(self.draw.randint(at, self.length(place)))
                ends.append(self.draw.randint(starts[-1], self.length(place)))
                at = ends[-1] + 1
            offsets.append(len(starts))
        return array(*offsets), array(*starts, dtype=I32), array(*ends, dtype=I32), self.texts(len(starts), 3)

    def buffer(self, count: int) -> tuple[Any, Any, Any]:
        """Spans of a buffer of letters and blanks."""
        letters = bytes(self.draw.choice(b"ab -\xc3\xa9") for _ in range(self.draw.randint(0, 12)))
        begins = [self.draw.randint(0, len(letters)) for _ in range(count)]
        ends = [self.draw.randint(begin, len(letters)) for begin in begins]
        return np.frombuffer(letters, U8), array(*begins), array(*ends)

    def table(self, cells: int, dtype: Any, most: int = 9, shape: tuple[int, int] | None = None) -> Any:
        """Counts by sentence and column, -1 where there are none."""
        shape = shape or (self.draw.randint(0, 4), self.draw.randint(1, 3))
        rows = [[self.draw.randint(0, most) for _ in range(cells)] for _ in range(shape[0] * shape[1])]
        for row in rows:
            if self.draw.randint(0, 4) == 0:
                row[0] = -1
        return np.array(rows, dtype).reshape(*shape, cells)

    def weights(self, sentences: int) -> Any:
        rows = self.draw.randint(0, 3)
        return np.array([self.draw.randint(0, 3) for _ in range(rows * sentences)], I32).reshape(rows, sentences)


def pairs(s: Sizes) -> Arguments:
    return {"sources": s.sources, "hypotheses": s.hypotheses, "source_of": s.source_of}


def gold(s: Sizes) -> Arguments:
    annotations = s.offsets(s.count, 3)
    total = int(annotations[-1])
    place = np.repeat(np.arange(s.count), np.diff(annotations))
    edits = s.offsets(total, 3)
    starts, ends = s.spans_in(edits, lambda group: int(place[group]))
    corrections = s.offsets(len(starts), 2, 1)
    words = s.texts(int(corrections[-1]), 2)
    return {
        "annotation_offsets": annotations,
        "annotator_columns": array(*(s.draw.randint(0, 2) for _ in range(total)), dtype=I32),
        "edit_offsets": edits,
        "starts": starts,
        "ends": ends,
        "optional": s.flags(len(starts)),
        "correction_offsets": corrections,
        "token_offsets": words[1],
        "tokens": words[0],
    }


def search(s: Sizes) -> Arguments:
    supplied, rows = [0], []
    for h, place in enumerate(s.source_of):
        lengths = s.length(int(place)), int(s.hypotheses[1][h + 1] - s.hypotheses[1][h])
        for _ in range(s.draw.randint(0, 2)):
            rows += [n for length in lengths for n in sorted(s.draw.randint(0, length) for _ in range(2))]
        supplied.append(len(rows) // 4)
    letters = s.texts(WORDS, 3)
    return {
        **pairs(s),
        "gold": _kernels.Gold(**gold(s)),
        "options": _kernels.SearchOptions(
            behaviour=s.draw.randint(0, 2),
            extraction=s.draw.randint(0, 2),
            max_unchanged_words=s.draw.randint(0, 4),
            initial_insertions=s.draw.randint(0, 1),
            max_lattice=s.draw.choice((1, 20, 1000)),
            max_stored_arcs=s.draw.choice((0, 5, 1000)),
        ),
        "folded": s.draw.choice(((letters[0].astype(U8), letters[1]), (array(dtype=U8), array()))),
        "given": (array(*rows, dtype=I32), array(*supplied)),
    }


def counted(s: Sizes) -> Arguments:
    """No annotators may be more than annotations, so that some of these are refused."""
    return search(s) | {"annotators": 3, "threads": s.threads}


def options(s: Sizes) -> Any:
    match, mismatch, gap = s.draw.choice(((0, 3, 2), (1, 5, 3), (0, 5, 3)))
    return _kernels.IMeasureOptions(
        match,
        mismatch,
        gap,
        s.draw.choice((0.0, 1.0, 2.0)),
        s.draw.choice((0.0, 0.5, 2.0)),
        s.draw.randint(0, 1),
        s.draw.randint(0, 5),
        s.draw.choice((1, 100, 10_000)),
        s.draw.choice((1, 10, 1000)),
        s.draw.randint(1, 4),
    )


def references(s: Sizes) -> Arguments:
    offsets = s.offsets(s.count, 3)
    return {"reference_offsets": offsets, "references": s.texts(int(offsets[-1]))}


def mixed(s: Sizes) -> Arguments:
    errors = s.offsets(s.count, 3)
    choices = s.offsets(int(errors[-1]), 3, 1)
    edits = s.offsets(int(choices[-1]), 2)
    place = np.repeat(np.repeat(np.arange(s.count), np.diff(errors)), np.diff(choices))
    starts, ends = s.spans_in(edits, lambda group: int(place[group]))
    chosen = np.cumsum([0, *(errors[p + 1] - errors[p] for p in s.source_of)]).astype(I64)
    return {
        **pairs(s),
        "error_offsets": errors,
        "option_offsets": choices,
        "edit_offsets": edits,
        "starts": starts,
        "ends": ends,
        "corrections": s.texts(len(starts), 2),
        "chosen_offsets": chosen,
        "options": options(s),
        "threads": s.threads,
    }


def triple(s: Sizes, most: int = 5) -> Arguments:
    return {name: array(*s.sentence(most), dtype=I32) for name in ("source", "hypothesis", "reference")}


def ngrams(s: Sizes) -> Arguments:
    most = int(np.max(np.diff(found["reference_offsets"]), initial=1)) if (found := references(s)) else 1
    return {**pairs(s), **found, "orders": s.draw.randint(1, 6), "columns": most, "threads": s.threads}


def chosen(s: Sizes, dtype: Any = I32) -> Arguments:
    counts = s.table(3, dtype)
    counts[..., 1:] = np.where(counts[..., :1] < 0, counts[..., 1:], counts[..., 1:] + counts[..., :1])
    return {"counts": counts, "beta": s.draw.choice((0.5, 1.0, 2.0))}


def summed(s: Sizes, dtype: Any = I32) -> Arguments:
    found = chosen(s, dtype)
    return {**found, "weights": s.weights(len(found["counts"])), "threads": s.threads}


def scored(s: Sizes) -> Arguments:
    bins = s.draw.randint(0, 3)
    limits = tuple((a, 0.5, 1.5) for a in (1.0, 2.0, 10.0))
    rows = s.table(3 + 4 * bins, I32) if bins else s.table(5, np.float64)
    scoring = _kernels.ChunkScoring(
        by_length=bool(s.draw.randint(0, 1)),
        limits=limits,
        beta=0.5,
        second=bool(s.draw.randint(0, 1)),
        factors=(0.45, 0.35, 0.15, 0.05),
        sentence_level=bool(s.draw.randint(0, 1)),
    )
    return {"rows": rows, "bins": bins, "scoring": scoring}


def annotated(s: Sizes, words: Any) -> tuple[Any, ...]:
    size = len(words[0])
    lemmas, tags = (array(*(s.draw.randrange(most) for _ in range(size)), dtype=I32) for most in (WORDS, 17))
    return words, lemmas, tags, s.flags(size)


def extraction_options(s: Sizes) -> Arguments:
    return {"costs": s.draw.randint(0, 1), "merging": s.draw.randint(0, 4), "version": s.draw.randint(0, 3)}


def word_table(s: Sizes) -> Arguments:
    lower = array(*(s.draw.randrange(WORDS) for _ in range(WORDS)), dtype=I32)
    tables = {"letters": s.texts(WORDS, 6), "joined": s.texts(WORDS, 6)}
    return {"lower": lower, **tables, "capitalised": s.flags(WORDS), "punctuation": s.flags(WORDS)}


def chinese_tokens(s: Sizes) -> Arguments:
    return {
        "texts": array(*(s.draw.randrange(WORDS) for _ in range(WORDS)), dtype=I32),
        "tags": array(*(s.draw.randrange(4) for _ in range(WORDS)), dtype=I32),
        "letters": s.texts(WORDS, 3),
        "readings": s.texts(WORDS, 4),
        "meanings": array(*(s.draw.randint(-1, 3) for _ in range(3 * WORDS)), dtype=I32),
        "chinese": s.flags(WORDS),
        "marks": s.flags(WORDS),
    }


def labeller(s: Sizes) -> Arguments:
    labels = s.draw.randint(1, 4)
    features = sorted({s.draw.randint(1, 40) for _ in range(s.draw.randint(0, 6))})
    per_feature = [s.draw.randint(0, labels) for _ in features]
    cells = [(s.draw.randint(0, 1), s.draw.randint(-2, 2), -1, 0, -1, 0) for _ in range(s.draw.randint(0, 3))]
    return {
        "templates": np.array(cells, I32).reshape(-1),
        "labels": labels,
        "margin": s.draw.choice((1, 50)),
        "features": array(*features, dtype=np.uint32),
        "weights_per_feature": array(*per_feature, dtype=U8),
        "weight_labels": array(*(s.draw.randrange(labels) for _ in range(sum(per_feature))), dtype=U8),
        "weights": array(*(s.draw.randint(-(2**15), 2**15 - 1) for _ in range(sum(per_feature))), dtype=np.int16),
        "transitions": array(*(s.draw.randint(-9, 9) for _ in range(labels**2)), dtype=I32),
    }


def gold_columns(s: Sizes) -> Arguments:
    found = gold(s)
    found["annotators"] = found.pop("annotator_columns")
    found["words"] = found.pop("tokens"), found.pop("token_offsets")
    del found["optional"]
    return {**found, "corrections": s.buffer(len(found["words"][1]) - 1)}


def edit_lines(s: Sizes) -> Arguments:
    columns = gold_columns(s)
    del columns["words"], columns["correction_offsets"]
    edits, texts = len(columns["starts"]), len(columns["annotation_offsets"]) - 1
    spans = {"texts": s.buffer(texts), "types": s.buffer(edits), "corrections": s.buffer(edits)}
    return {**columns, **spans, "endings": s.buffer(3), "without_edits": s.draw.choice(("", "A -1 -1|||noop|||-NONE-"))}


def of_gold(s: Sizes) -> tuple[Arguments, int]:
    columns = gold_columns(s)
    return {"sources": s.sources, "gold": _kernels.GoldColumns(**columns), "columns": 3}, len(columns["starts"])


def optional(s: Sizes) -> Arguments:
    found, edits = of_gold(s)
    return {**found, "required": s.flags(edits)}


def annotator_texts(s: Sizes) -> Arguments:
    found, edits = of_gold(s)
    return {**found, **references(s), "skipped": s.flags(edits), "missing_is_source": bool(s.draw.randint(0, 1))}


def unmixed(s: Sizes) -> Arguments:
    found, edits = of_gold(s)
    return {**found, **references(s), "lines": array(*range(edits)), "words": s.texts(edits, 2)}


def vocabulary_of_words() -> _kernels.Interner:
    vocabulary = _kernels.Interner()
    vocabulary.encode_words([[f"w{i}" for i in range(WORDS)]], True)
    return vocabulary


def fingerprints(s: Sizes) -> Arguments:
    found, edits = of_gold(s)
    offsets = s.offsets(s.count, 2)
    return {
        "vocabulary": vocabulary_of_words(),
        "tokens": s.sources,
        "gold": found["gold"],
        "annotators": ["0", "1", "é"],
        "types": s.buffer(edits),
        "required": s.flags(edits),
        "reference_offsets": offsets,
        "references": s.buffer(int(offsets[-1])),
        "first": s.draw.randint(0, 10**6),
    }


def version_pairs(s: Sizes) -> Arguments:
    places = [s.draw.randrange(s.count) for _ in range(s.draw.randint(0, 4))] if s.count else []
    found = {"sources": s.sources, "source_of": array(*places), "threads": s.threads}
    return {**found, "hypotheses": s.versions(places)}


def chunk_pairs(s: Sizes) -> Arguments:
    offsets = s.offsets(s.count, 3)
    theirs = s.versions([int(p) for p in np.repeat(np.arange(s.count), np.diff(offsets))])
    independent = bool(s.draw.randint(0, 1))
    return {**version_pairs(s), "reference_offsets": offsets, "references": theirs, "independent": independent}


def trueskill(s: Sizes) -> Arguments:
    systems = s.draw.randint(2, 4)
    found = s.table(3, I64, 5, (s.draw.randint(1, 2), systems * (systems - 1) // 2))
    return {
        "tables": np.maximum(found, 0),
        "systems": systems,
        "sigma": 0.5,
        "beta": s.draw.choice((0.1, 0.5)),
        "draw_margin": s.draw.choice((0.0, 0.25)),
        "matches": s.draw.randint(0, 50),
        "steps": s.draw.randint(0, 5),
        "seed": s.draw.randint(0, 2**32),
        "runs": s.draw.choice((1, len(found))),
        "threads": s.threads,
    }


def unseenest(s: Sizes) -> Arguments:
    programs = s.draw.randint(0, 3)
    offsets, grid_offsets = s.offsets(programs, 6, 1), s.offsets(programs, 9, 1)
    return {
        "fingerprints": array(*(s.draw.randint(0, 4) for _ in range(int(offsets[-1])))),
        "offsets": offsets,
        "grids": np.array([s.draw.choice((1e-3, 0.1, 0.5, 1.0)) for _ in range(int(grid_offsets[-1]))]),
        "grid_offsets": grid_offsets,
        "most_variants": s.draw.choice((1.0, 100.0, 6.5e7)),
        "threads": s.threads,
    }


def same_length(s: Sizes) -> Arguments:
    return {"sources": s.sources, "other": s.texts(s.count), "third": s.texts(s.count), "threads": s.threads}


def renamed(found: Arguments, *names: str) -> Arguments:
    return {**dict(zip(names, (found["sources"], found["other"], found["third"]), strict=False))} | {
        "threads": found["threads"]
    }


def without(found: Arguments, *names: str) -> Arguments:
    return {name: value for name, value in found.items() if name not in names}


def either(s: Sizes) -> Any:
    return s.draw.choice((I32, np.float64))
