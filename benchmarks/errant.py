"""ERRANT: aligning compared with the published tool and with the twin, extraction and comparison start-up included."""

from __future__ import annotations

import gzip
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.filtering import LOOP
from benchmarks.measuring import RECTE, SHARED, Figure, best_of, run

CONLL = SHARED / "data" / "conll14"
GOLDEN = SHARED / "golden" / "errant"
PUBLISHED_EXTRACTION = (
    9.5  # CPU seconds of the published tool for AMU at best, on the machine the facts were observed on
)


def one_call() -> Iterator[Figure]:
    """Whole commands: texts into M2, M2 into scores."""
    source, system = CONLL / "source.txt", CONLL / "systems" / "AMU.txt"
    with tempfile.TemporaryDirectory() as folder:
        bare = run([sys.executable, "-c", "import numpy"], repeats=5).cpu  # what any such command costs, on this day
        done = run([*RECTE, "extract", str(source), str(system), "--to", str(Path(folder, "amu.m2"))], repeats=5)
        yield Figure(
            "extract one CoNLL-14 system from text, built-in annotations, start-up included",
            f"{done.cpu:.2f} s CPU ({bare:.2f} s for Python and NumPy alone); the published tool needs "
            f"{PUBLISHED_EXTRACTION / done.cpu:.0f} times that",
            "under 0.3 s CPU",
            done.cpu < 0.3,
        )
        systems = []
        for path in sorted((CONLL / "systems").glob("*.txt")):
            systems.append(str(Path(folder, f"{path.stem}.m2")))
            run([*RECTE, "extract", str(source), str(path), "--to", systems[-1]])
        gold = Path(folder, "references.m2")
        gold.write_bytes(gzip.decompress((GOLDEN / "conll14" / "references.m2.gz").read_bytes()))
        done = run([*RECTE, "score", str(gold), *systems, "-m", "errant", "--no-ci", "-q"], repeats=5)
        yield Figure(
            f"compare {len(systems)} systems, M2 on both sides, start-up included",
            f"{done.cpu:.2f} s CPU",
            "under 0.5 s CPU",
            done.cpu < 0.5,
        )


def alignment() -> Iterator[Figure]:
    """One pair of annotated sentences, without the reading of them. Loads the twin into this process."""
    from recte import _kernels
    from recte.extraction import alignment as ours

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from annotated_cases import GivenTokens
    from oracles import errant as twin

    supplied = GivenTokens(GOLDEN / "conll14-tokens.tsv.gz")
    texts = [
        [tuple(line.split()) for line in path.read_text().splitlines()]
        for path in (CONLL / "source.txt", CONLL / "systems" / "AMU.txt")
    ]
    changed = [(a, b) for a, b in zip(*texts, strict=True) if a != b]
    pairs = [tuple(supplied(pair)) for pair in changed]
    calls: list[tuple[Any, ...]] = []
    kernel = _kernels.extract_edits

    def noted(*arguments: Any) -> Any:
        calls.append(arguments)
        return kernel(*arguments)

    _kernels.extract_edits = noted
    try:
        ours.align(pairs)
    finally:
        _kernels.extract_edits = kernel
    arguments = (*calls[0][:-1], 1)  # one thread
    mine = best_of(20, lambda: kernel(*arguments)) / len(pairs)
    few = pairs[:60]
    tokens = [[[twin.Token(*t) for t in zip(s.text, s.pos, s.lemma, s.tag, strict=True)] for s in pair] for pair in few]
    slow = best_of(3, lambda: [twin.align(a, b) for a, b in tokens]) / len(few)
    yield Figure(
        "align a pair, beside the literal twin",
        f"{slow / mine:.0f} times faster ({mine * 1e6:.1f} µs and {slow * 1e3:.2f} ms a pair)",
        "at least 500 times",
        slow / mine >= 500,
    )
    published = _published(pairs)
    if published is not None:
        yield Figure(
            "align a pair, beside the published tool",
            f"{published / mine:.0f} times faster ({mine * 1e6:.1f} µs and {published * 1e3:.2f} ms a pair)",
            "at least 500 times",
            published / mine >= 500,
        )


PAIRS = 101_024  # 77 corrections of each source


def write_pairs(folder: Path, pairs: int = PAIRS) -> tuple[str, str]:
    """Distinct pairs: each source of CoNLL-2014 with random choices among the edits of all its systems."""
    import recte

    draw = random.Random(1)
    sources = (CONLL / "source.txt").read_text().splitlines()
    texts = [path.read_text().splitlines() for path in sorted((CONLL / "systems").glob("*.txt"))]
    corpus = recte.extract(sources, list(zip(*texts, strict=True)))
    chosen: dict[tuple[str, str], None] = {}
    while len(chosen) < pairs:
        for source, sentence in zip(sources, corpus, strict=True):
            words, end = source.split(), len(source.split()) + 1
            pool = sorted({e for a in sentence.annotations for e in a.edits}, key=lambda e: (-e.start, -e.end))
            for edit in pool:
                if edit.end < end and draw.random() < 0.4:
                    words[edit.start : edit.end] = edit.corrections[0].split()
                    end = edit.start
            chosen[source, " ".join(words)] = None
    files = str(folder / "source.txt"), str(folder / "corrected.txt")
    for file, lines in zip(files, zip(*list(chosen)[:pairs], strict=True), strict=True):
        Path(file).write_text("".join(f"{line}\n" for line in lines))
    return files


def write_distinct_sources(folder: Path, pairs: int = PAIRS) -> tuple[str, str]:
    """Sentences of CoNLL-2014, JFLEG and the English Web Treebank, with random mistakes: no source comes twice."""
    draw = random.Random(1)
    data = SHARED / "data"
    texts = (CONLL / "source.txt").read_text().splitlines()
    for path in sorted((data / "jfleg").glob("*.[sr][re]*")):
        texts += path.read_text().splitlines()
    for path in sorted((data / "ud-english-ewt").glob("*.tsv.gz")):
        for block in gzip.decompress(path.read_bytes()).decode().split("\n\n"):
            texts.append(" ".join(line.split("\t")[0].replace(" ", "") for line in block.splitlines()))
    # An M2 line holds no bars.
    sentences = [text.split() for text in dict.fromkeys(texts) if len(text.split()) > 3 and "|" not in text]
    words = [word for sentence in sentences for word in sentence]
    corrected_of: dict[str, str] = {}
    while len(corrected_of) < pairs:
        draw.shuffle(sentences)
        for sentence in sentences:
            source, corrected = " ".join(_with_mistakes(sentence, words, draw)), " ".join(sentence)
            if source != corrected:
                corrected_of.setdefault(source, corrected)
    files = str(folder / "source.txt"), str(folder / "corrected.txt")
    for file, lines in zip(files, zip(*list(corrected_of.items())[:pairs], strict=True), strict=True):
        Path(file).write_text("".join(f"{line}\n" for line in lines))
    return files


def _with_mistakes(sentence: Sequence[str], words: Sequence[str], draw: random.Random) -> list[str]:
    """The sentence with one to three words replaced, inserted, deleted, changed or moved."""
    made = list(sentence)
    for _ in range(draw.choice((1, 1, 1, 2, 2, 3))):
        place = draw.randrange(len(made))
        word = made[place]
        letter = draw.randrange(max(len(word) - 1, 1))
        changes = {
            "replace": [draw.choice(words)],
            "insert": [draw.choice(words), word],
            "delete": [],
            "inflect": [word + draw.choice(("s", "ed", "ing", "ly"))],
            "misspell": [word[:letter] + word[letter : letter + 2][::-1] + word[letter + 2 :]],
            "move": [*made[place + 1 : place + 2], word],
        }
        change = draw.choice(list(changes))
        if len(made) > 2 or change != "delete":
            made[place : place + (2 if change == "move" else 1)] = changes[change]
    return made


def compared_with_a_loop() -> Iterator[Figure]:
    """Pairs into typed edits, compared with reading, splitting and RapidFuzz: with the built-in tagger, the whole
    command; with annotations at hand, alignment, merging and types in this process.
    """
    kinds = (("distinct pairs", write_pairs), ("pairs with distinct sources", write_distinct_sources))
    with tempfile.TemporaryDirectory() as folder:
        for kind, write in kinds:
            files = write(Path(folder))
            loop = run([sys.executable, "-c", LOOP, *files], repeats=3)
            done = run([*RECTE, "extract", *files, "--to", str(Path(folder, "out.m2")), "-q"], repeats=3)
            yield Figure(
                f"extract {PAIRS:,} {kind}, built-in annotations",
                f"{done.cpu / loop.cpu:.1f} times the CPU time of reading, splitting and RapidFuzz's opcodes "
                f"({1e6 * done.cpu / PAIRS:.0f} and {1e6 * loop.cpu / PAIRS:.1f} µs a pair), "
                f"peak {done.peak_mb:.0f} MB",
                "at most 5 times, under 300 MB",
                done.cpu <= 5 * loop.cpu and done.peak_mb < 300,
            )
        for kind, write in kinds:
            loop_seconds, seconds = _with_annotations(*write(Path(folder)))
            yield Figure(
                f"align, merge and type {PAIRS:,} {kind} that have annotations",
                f"{seconds / loop_seconds:.1f} times the CPU time of the same loop "
                f"({1e6 * seconds / PAIRS:.1f} and {1e6 * loop_seconds / PAIRS:.1f} µs a pair)",
                "at most 2.5 times",
                seconds <= 2.5 * loop_seconds,
            )


def _with_annotations(source: str, corrected: str) -> tuple[float, float]:
    """CPU seconds of the loop and of the extraction, without annotating, in turn and the best of each."""
    from recte.annotation.annotated_columns import AnnotatedColumns
    from recte.annotation.builtin.annotator import ALL_TOKENS, BuiltInAnnotator
    from recte.corpus.vocabulary import EncodedText
    from recte.extraction.en.types import EnglishTypes
    from recte.extraction.extractor import EncodedPairs, Extractor

    texts = [tuple(line.split()) for line in Path(source).read_text().splitlines()]
    outputs = Path(corrected).read_text().splitlines()
    parts = [slice(first, first + 10_000) for first in range(0, len(texts), 10_000)]
    pairs = [EncodedPairs.of_texts(texts[part], range(len(texts[part])), outputs[part]) for part in parts]
    annotated: list[AnnotatedColumns] = []

    class Tagged:
        """The built-in annotations, made at the first call for a part and kept."""

        name = "kept"
        calls = 0

        def __call__(self, sentences: Sequence[Sequence[str]], /) -> Any:
            raise NotImplementedError

        def annotate_columns(self, words: Sequence[str], text: EncodedText) -> AnnotatedColumns:
            if self.calls == len(annotated):
                annotated.append(BuiltInAnnotator().annotate_columns(words, text).with_dependencies(ALL_TOKENS))
            self.calls += 1
            return annotated[self.calls - 1]

    def extract() -> None:
        extractor = Extractor(Tagged(), EnglishTypes())
        for part in pairs:
            extractor.edit_table(part)

    def loop() -> None:
        exec(compile(LOOP, "loop", "exec"), {})

    extract()
    arguments, sys.argv = sys.argv, ["loop", source, corrected]
    try:
        seconds = [best_of(1, work, time.process_time) for _ in range(5) for work in (loop, extract)]
    finally:
        sys.argv = arguments
    return min(seconds[::2]), min(seconds[1::2])


def _published(pairs: Sequence[tuple[Any, ...]]) -> float | None:
    """Seconds a pair of the package errant, from the same annotations; None where it is not installed."""
    try:
        from errant.alignment import Alignment
        from spacy.tokens import Doc
        from spacy.vocab import Vocab
    except ImportError:
        return None
    vocabulary = Vocab()
    documents = []
    for pair in pairs:
        made = [
            Doc(vocabulary, words=list(s.text), pos=list(s.pos), tags=list(s.tag), lemmas=list(s.lemma)) for s in pair
        ]
        documents.append(made)
    return best_of(3, lambda: [Alignment(a, b) for a, b in documents]) / len(documents)


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["errant"])
