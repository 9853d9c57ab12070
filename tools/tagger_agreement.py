"""How far the built-in annotator, or another one, agrees with annotations of spaCy: tokens, edits and scores.

    python tools/tagger_agreement.py ../shared [jfleg] [conll14] [jfleg-even] [jfleg-odd] [--annotator NAME]

A table of spaCy's annotations is needed for each text. Each of the four references of JFLEG's development set is scored
as a system against the other three, and against each of them. Its lines with even numbers, from 0, are for choosing
models (`jfleg-even`); the others (`jfleg-odd`) and CoNLL-2014, eight systems against two references, are for the last
measurement alone. In all, `spelling` is a system that corrects misspelt words alone: sentences of the other texts that
differ from their source in nothing else. `--show COLUMN` lists its most frequent differences.
"""

from __future__ import annotations

import argparse
import gzip
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from recte.annotation import annotator_named
from recte.annotation.annotated import Annotated
from recte.annotation.given import parse_token_table
from recte.corpus.corpus import Corpus
from recte.extraction.en.types import EnglishTypes, is_word
from recte.extraction.extractor import Extractor
from recte.metrics.errant import Errant

COLUMNS = ("tag", "pos", "lemma", "dependency")


class Comparison(NamedTuple):
    """A system's text, and the references it is scored against."""

    name: str
    system: list[str]
    references: list[list[str]]


def read_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def correct_spelling(source: list[str], texts: list[list[str]], references: list[list[str]]) -> Comparison:
    """The system that corrects misspelt words alone, made of sentences of the texts."""
    chosen = []
    for original, *others in zip(source, *texts, strict=True):
        words = original.split()
        corrected = (
            text
            for text in others
            if len(text.split()) == len(words)
            and all(a == b or (a.isalpha() and not is_word(a)) for a, b in zip(words, text.split(), strict=True))
            and text.split() != words
        )
        chosen.append(next(corrected, original))
    return Comparison("spelling", chosen, references)


def read_jfleg(shared: Path, first: int = 0, step: int = 1) -> tuple[Path, list[str], list[Comparison]]:
    """JFLEG's development set, or every second line: annotations, sources, and its references as systems."""
    folder = shared / "data" / "jfleg"
    texts = [read_lines(folder / f"dev.ref{number}")[first::step] for number in range(4)]
    comparisons = []
    for number, system in enumerate(texts):
        others = [other for other in range(4) if other != number]
        comparisons.append(Comparison(f"{number}/rest", system, [texts[other] for other in others]))
        comparisons += [Comparison(f"{number}/{other}", system, [texts[other]]) for other in others]
    source = read_lines(folder / "dev.src")[first::step]
    comparisons.append(correct_spelling(source, texts, texts))
    return shared / "golden" / "errant" / "jfleg" / "dev.tokens.tsv.gz", source, comparisons


def read_conll14(shared: Path) -> tuple[Path, list[str], list[Comparison]]:
    """CoNLL-2014: annotations, sources, and eight systems."""
    folder = shared / "data" / "conll14"
    references = [read_lines(folder / "references" / f"ref{number}.txt") for number in (0, 1)]
    names = ("AMU", "CUUI", "IITB", "INPUT", "IPN", "POST", "SJTU", "UMC")
    comparisons = [Comparison(name, read_lines(folder / "systems" / f"{name}.txt"), references) for name in names]
    comparisons += [Comparison(f"ref{number}", references[number], [references[1 - number]]) for number in (0, 1)]
    source = read_lines(folder / "source.txt")
    comparisons.append(correct_spelling(source, [*references, *(item.system for item in comparisons)], references))
    return shared / "golden" / "errant" / "conll14-tokens.tsv.gz", source, comparisons


CORPORA: dict[str, Callable[[Path], tuple[Path, list[str], list[Comparison]]]] = {
    "jfleg": read_jfleg,
    "conll14": read_conll14,
    "jfleg-even": partial(read_jfleg, first=0, step=2),
    "jfleg-odd": partial(read_jfleg, first=1, step=2),
}


def compare_tokens(golden: dict[tuple[str, ...], Annotated], annotator: str, shown: str | None) -> None:
    """Print how many tokens agree, of all and of those that are no English words."""
    annotated = annotator_named(annotator)(list(golden))
    right = {"all words": Counter[str](), "unknown": Counter[str]()}
    differences = Counter[tuple[str, ...]]()
    for expected, actual in zip(golden.values(), annotated, strict=True):
        for place, word in enumerate(expected.text):
            unknown = word.isalpha() and not is_word(word)
            for column in COLUMNS:
                values = [getattr(item, column)[place] for item in (expected, actual)]
                for name in ("all words", *(["unknown"] if unknown else [])):
                    right[name][column] += values[0] == values[1]
                if column == shown and values[0] != values[1]:
                    differences[tuple(values)] += 1
            for name in ("all words", *(["unknown"] if unknown else [])):
                right[name]["tokens"] += 1
    for name, counts in right.items():
        shares = "  ".join(f"{column} {100 * counts[column] / counts['tokens']:.2f}" for column in COLUMNS)
        print(f"{name:10} {counts['tokens']:6} tokens  {shares}")
    for values, count in differences.most_common(40):
        print(f"{count:6}  {values[0]} -> {values[1]}")


def compare_edits(comparison: Comparison, source: Sequence[str], annotators: Sequence[Any]) -> tuple[float, float]:
    """F1 of the edits that both annotations lead to, without and with types."""
    pairs = [(tuple(a.split()), tuple(b.split())) for a, b in zip(source, comparison.system, strict=True) if b.split()]
    edits = [Extractor(annotator, EnglishTypes()).edits(pairs) for annotator in annotators]
    spans, typed = ([Counter[Any](), Counter[Any]()] for _ in range(2))
    for extracted, (span, with_type) in zip(edits, zip(spans, typed, strict=True), strict=True):
        for number, sentence in enumerate(extracted):
            for edit in sentence:
                span[number, edit.start, edit.end, edit.corrections] += 1
                with_type[number, edit.start, edit.end, edit.corrections, edit.type] += 1
    return agreement(*spans), agreement(*typed)


def agreement(first: Counter[Any], second: Counter[Any]) -> float:
    """F1 of two collections of edits."""
    both = first.total() + second.total()
    return 2 * (first & second).total() / both if both else 1.0


def scores(comparison: Comparison, source: list[str], annotator: str) -> Iterator[float]:
    """F0.5 of spans with corrections, with types as well, and of detected spans."""
    for matching in ("correction", "correction-and-type", "span"):
        metric = Errant(annotator=annotator, matching=matching)
        scorer = metric.prepare(Corpus.from_references(source, comparison.references))
        yield scorer.score(comparison.system).score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared")
    parser.add_argument("corpora", nargs="*", default=["jfleg", "conll14"])
    parser.add_argument("--annotator", default="builtin")
    parser.add_argument("--show", choices=COLUMNS)
    arguments = parser.parse_args()
    shared, shown = arguments.shared, arguments.show
    for name in arguments.corpora:
        path, source, comparisons = CORPORA[name](Path(shared))
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
            tagged = list(parse_token_table((line.rstrip("\n") for line in lines), path.name))
        read = [source, *(text for item in comparisons for text in (item.system, *item.references))]
        texts = {tuple(line.split()) for text in read for line in text}
        print(name)
        compare_tokens({item.text: item for item in tagged if item.text in texts}, arguments.annotator, shown)
        names = (f"given:{path}", arguments.annotator)
        annotators = [annotator_named(annotator) for annotator in names]
        for comparison in comparisons:
            spans, typed = compare_edits(comparison, source, annotators)
            both = [list(scores(comparison, source, annotator)) for annotator in names]
            shifts = "  ".join(f"{b:.4f} {b - a:+.4f}" for a, b in zip(*both, strict=True))
            print(f"{comparison.name:8} spans {100 * spans:6.2f}  typed {100 * typed:6.2f}  F0.5 {shifts}")


if __name__ == "__main__":
    main()
