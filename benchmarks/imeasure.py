"""The I-measure: one call for a shared task, mixed references, long and unrelated sentences, kernel and twin."""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import RECTE, SHARED, Figure, best_of, run

CONLL = SHARED / "data" / "conll14"
RELEASED_CPU_SECONDS = (
    2930  # of the released scorer for the 13 systems, unmixed, on the machine the facts were observed on
)


def systems() -> list[str]:
    return sorted(map(str, (CONLL / "systems").glob("*.txt")))


def unmixed() -> Iterator[Figure]:
    done = run([*RECTE, "score", str(CONLL / "gold.m2"), *systems(), "-m", "imeasure"], repeats=3)
    yield Figure(
        "I-measure: 13 systems unmixed, one recte score call, start-up included",
        f"{done.wall:.2f} s wall, {done.cpu:.2f} s CPU; "
        f"the released scorer needs {RELEASED_CPU_SECONDS / done.cpu:.0f} times the CPU",
        "under 1.5 s wall",
        done.wall < 1.5,
    )


def slowest_mixture() -> Iterator[Figure]:
    """In this process: the sentence of two annotators with most mixtures that are all looked at."""
    from recte import IMeasure, read_m2, read_system

    metric, corpus = IMeasure(mix=True), read_m2(CONLL / "gold.m2")
    counts = metric.prepare(corpus).search.combinations
    place = max((i for i in range(len(corpus)) if counts[i] <= metric.max_combinations), key=counts.__getitem__)
    scorer = metric.prepare(corpus[place : place + 1])
    outputs = [read_system(path).outputs[place] for path in systems()]
    worst = max(best_of(1, lambda output=output: scorer.count([output])) for output in outputs)
    yield Figure(
        f"I-measure: a sentence with {counts[place]:,} mixtures of two annotators, worst of 13 outputs",
        f"{worst:.2f} s",
        "under 1 s",
        worst < 1,
    )


def mixed() -> Iterator[Figure]:
    gold = str(CONLL / "gold-with-alternatives.m2")
    os.environ["RECTE_THREADS"] = "1"
    item = run([*RECTE, "score", gold, str(CONLL / "systems" / "AMU.txt"), "-m", "imeasure", "--mix", "-q"])
    del os.environ["RECTE_THREADS"]
    yield Figure(
        "I-measure: one system, mixed, five annotators, one core", f"{item.wall:.1f} s", "under 10 s", item.wall < 10
    )
    done = run([*RECTE, "score", gold, *systems(), "-m", "imeasure", "--mix", "-q"])
    yield Figure(
        "I-measure: 13 systems, mixed, five annotators, two cores", f"{done.wall:.1f} s", "under 30 s", done.wall < 30
    )


def many_annotators(sentences: int = 200, annotators: int = 1000) -> Iterator[Figure]:
    """Every annotator replaces two words by others, so that nearly all references differ."""
    from recte import read_system

    with tempfile.TemporaryDirectory() as folder:
        gold, output = Path(folder, "gold.m2"), Path(folder, "output.txt")
        draw = random.Random(1)
        outputs = read_system(CONLL / "systems" / "AMU.txt").outputs[:sentences]
        pool = " ".join(outputs).split()
        with gold.open("w", encoding="utf-8") as stream:
            for text in outputs:
                words = text.split()
                stream.write(f"S {text}\n")
                for annotator in range(annotators):
                    for place in sorted(draw.sample(range(len(words)), min(2, len(words)))):
                        edit = f"{place} {place + 1}|||R|||{draw.choice(pool)}|||REQUIRED|||-NONE-|||{annotator}"
                        stream.write(f"A {edit}\n")
                stream.write("\n")
        output.write_text("".join(f"{text}\n" for text in outputs), encoding="utf-8")
        os.environ["RECTE_THREADS"] = "1"
        done = run([*RECTE, "score", str(gold), str(output), "-m", "imeasure", "-q"])
        del os.environ["RECTE_THREADS"]
    yield Figure(
        f"I-measure: {sentences} sentences with {annotators:,} annotators each, one thread, start-up included",
        f"{done.cpu:.1f} s CPU, {done.peak_mb:.0f} MB: "
        f"{done.cpu / sentences / annotators * 1e6:.0f} µs for each sentence and annotator",
        "under 5 s CPU and 300 MB",
        done.cpu < 5 and done.peak_mb < 300,
    )


def long_sentences() -> Iterator[Figure]:
    """In this process: what one alignment takes."""
    from recte import Corpus, IMeasure, Sentence, read_m2, read_system

    corpus = read_m2(CONLL / "gold-with-alternatives.m2")
    place = max(range(len(corpus)), key=lambda i: len(corpus[i].tokens))
    sentence = corpus[place]
    outputs = [read_system(path).outputs[place] for path in systems()]
    references = tuple(sentence.corrected(a.annotator) for a in sentence.annotations)
    scorer = IMeasure().prepare(Corpus((Sentence(sentence.text, references=references),)))
    worst = max(best_of(3, lambda output=output: scorer.count([output])) for output in outputs)
    yield Figure(
        f"I-measure: a {len(sentence.tokens)}-token sentence against {len(references)} references, worst of 13 outputs",
        f"{1000 * worst:.1f} ms",
        "under 50 ms",
        worst < 0.05,
    )
    for types in (5, 50, 100_000):
        texts = [" ".join(f"w{(i * i * (t + 3) + 7 * i + t * 13) % types}" for i in range(240)) for t in range(3)]
        unrelated = IMeasure().prepare(Corpus.from_references([texts[0]], [[texts[2]]]))
        seconds = best_of(3, lambda scorer=unrelated, text=texts[1]: scorer.count([text]))
        yield Figure(
            f"I-measure: unrelated texts of 240 tokens, {types} word types",
            f"{seconds:.3f} s",
            "under 0.5 s",
            seconds < 0.5,
        )


def kernel() -> Iterator[Figure]:
    from recte import Corpus, IMeasure, Sentence

    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from oracles.imeasure import row

    with (SHARED / "golden/imeasure/random-triples.jsonl").open() as stream:
        triples = [json.loads(line) for line in stream]
    scorer = IMeasure().prepare(Corpus(tuple(Sentence(t["src"], references=(t["ref"],)) for t in triples)))
    os.environ["RECTE_THREADS"] = "1"
    fast = best_of(3, lambda: scorer.count([t["hyp"] for t in triples]))
    del os.environ["RECTE_THREADS"]
    slow = best_of(1, lambda: [row(t["src"].split(), t["hyp"].split(), t["ref"].split()) for t in triples[:100]])
    per_triple = slow / 100 / (fast / len(triples))
    yield Figure(
        "I-measure: one thread beside its twin, random triples",
        f"{per_triple:.0f} times faster ({fast / len(triples) * 1e6:.1f} µs a triple)",
        "100 times at least",
        per_triple >= 100,
    )


if __name__ == "__main__":
    from benchmarks.__main__ import main

    main(["imeasure"])
