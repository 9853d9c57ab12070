"""`recte explain GOLD SYSTEM --sentence N`: one sentence as the metric saw it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from recte.cli.arguments import GoldOptions, quiet_option, strict_option
from recte.cli.command import Command
from recte.cli.counted_systems import SystemSelection
from recte.cli.input_warnings import find_expected_tokens, print_findings
from recte.cli.metric_flags import MetricOptions, ScoreFileOptions
from recte.corpus.corpus import Corpus, System
from recte.corpus.counts import Counts
from recte.corpus.sentence import Sentence
from recte.errors import InputError, OptionError
from recte.evaluation.counting import count_files
from recte.evaluation.inputs import GoldFiles, system_names
from recte.evaluation.plausibility.finding import as_plain
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.files import check_targets, encode_lines, write_together
from recte.metrics.base import Metric
from recte.metrics.explanation import Explanation
from recte.options import REQUIRED, option, part
from recte.output.explanation import print_explanations
from recte.text.printable_text import visible

_MOST_WORDS = 100  # of a sentence whose lattice is shown: a larger one cannot be read


@dataclass(frozen=True, kw_only=True)
class ExplainOptions:
    gold: GoldOptions = part(GoldOptions)
    score_files: ScoreFileOptions = part(ScoreFileOptions)
    sentence: int = option(
        REQUIRED, "its number, from 1, as lines in a file", kind=int, flags=("-n", "--sentence"), metavar="N"
    )
    format: str = option("text", "how to print", flags=("-f", "--format"), choices=("text", "json"))
    attribute: bool = option(False, "what each edit is worth: without it, alone, and by Shapley's values")
    edit_orders: int = option(1000, "orders drawn beyond 12 edits (default 1000)", metavar="N")
    seed: int = option(12345, "of what is drawn (default 12345)", metavar="N")
    lattice: bool = option(
        False, "with M²: the Levenshtein matrix, the edit lattice and the chosen path, for the chosen annotator"
    )
    lattice_to: str | None = option(None, "draw this lattice as SVG", kind=str, metavar="FILE")
    quiet: bool = quiet_option("no warnings")
    strict: bool = strict_option()
    metrics: MetricOptions = part(MetricOptions)


def run(options: ExplainOptions) -> None:
    selection = SystemSelection(gold=options.gold, metrics=options.metrics, score_files=options.score_files)
    gold, systems = selection.read_files()
    metrics = selection.make_metrics()
    if len(metrics) != 1:
        raise OptionError(f"explain: expected one metric, got {len(metrics)}")
    if not systems:
        raise OptionError("explain: expected at least one system, got none")
    shows_lattice = options.lattice or options.lattice_to is not None
    if shows_lattice and "max_unchanged_words" not in metrics[0].options():
        raise OptionError(f"--lattice: expected -m m2, whose edits come from a lattice, got {metrics[0].name}")
    if options.lattice_to is not None:
        check_targets([options.lattice_to], gold.paths() + list(systems))
    if options.lattice_to is not None and len(systems) > 1:
        raise OptionError(f"--lattice-to: expected one system, got {len(systems)}")
    check = PlausibilityCheck(expected=find_expected_tokens(options.metrics.preset))
    read = _read_part(options, gold, system_names(systems), metrics[0], check)
    odd = check.findings()
    print_findings(odd)
    scorer = metrics[0].prepare_with(read.corpus, read.systems)
    number = options.sentence - read.corpus.first
    explanations = []
    for name, output in read.systems.items():
        counts = read.counts.get(name)
        of_part = scorer.explain(output, number) if counts is None else scorer.explain_part(output, number, counts)
        explanation = replace(of_part, number=options.sentence)
        if options.attribute:
            from recte.metrics.attribution import attribute

            worth = attribute(scorer, output, number, orders=options.edit_orders, seed=options.seed)
            explanation = replace(explanation, attribution=worth)
        explanations.append(explanation)
    metrics[0].all_counted()
    if options.format == "json":
        from recte.output.document import plain_json

        shown = [
            {key: value for key, value in asdict(explanation).items() if key != "attribution" or value is not None}
            for explanation in explanations
        ]
        shown_as = shown[0] if len(shown) == 1 else {"explanations": shown}
        print(plain_json({**shown_as, "warnings": as_plain(odd)}))
    else:
        print_explanations(explanations)
    for explanation in explanations if shows_lattice else ():
        sentence = scorer.corpus[number - 1]
        _show_lattice(options, metrics[0], sentence, explanation)


@dataclass(frozen=True)
class _Part:
    """The part of the corpus that has the sentence, and, where a choice depends on all sentences, counts of all."""

    corpus: Corpus
    systems: Mapping[str, System]
    counts: Mapping[str, Counts]


def _read_part(
    options: ExplainOptions, gold: GoldFiles, systems: Mapping[str, str], metric: Metric, check: PlausibilityCheck
) -> _Part:
    """Read the files in parts, and keep the one that has the sentence."""
    check.set_metrics([metric])
    shown: list[tuple[Corpus, Mapping[str, System]]] = []
    size = 0

    def look(corpus: Corpus, outputs: Mapping[str, System]) -> None:
        nonlocal size
        check.look(corpus, outputs)
        size = corpus.first + len(corpus)
        if corpus.first < options.sentence <= size:
            shown.append((corpus, outputs))

    counted = count_files(
        gold,
        systems,
        [metric] if metric.chooses_together else [],
        look=look,
        refuse=check.refuse if options.strict else None,
    )
    if not shown:
        raise InputError(f"sentence: expected 1 to {size}, got {options.sentence}")
    corpus, outputs = shown[0]
    return _Part(corpus, outputs, {of_system.counts.system: of_system.counts for of_system in counted})


def _show_lattice(options: ExplainOptions, metric: Metric, sentence: Sentence, explanation: Explanation) -> None:
    """Print and draw the lattice of a system's sentence with the edits of the annotator that was chosen."""
    from recte.edits.printed_lattice import edit_lattice
    from recte.output.lattice import lattice_lines, lattice_svg

    source, hypothesis = explanation.source.split(), explanation.hypothesis.split()
    if len(source) > _MOST_WORDS or len(hypothesis) > _MOST_WORDS:
        longest = max(len(source), len(hypothesis))
        raise InputError(f"--lattice: expected texts of up to {_MOST_WORDS} words, got {longest}")
    chosen = explanation.chosen.removeprefix("annotator ")
    gold = next((a.edits for a in sentence.annotations if a.annotator == chosen), ())
    lattice = edit_lattice(
        explanation.source,
        explanation.hypothesis,
        gold,
        max_unchanged_words=metric.options()["max_unchanged_words"],
    )
    if options.lattice and options.format == "text":
        print()
        for line in lattice_lines(lattice, source, hypothesis):
            print(visible(line))
    if options.lattice_to is not None:
        title = f"Sentence {explanation.number}, {explanation.system}, {explanation.chosen}"
        write_together({options.lattice_to: encode_lines(options.lattice_to, [lattice_svg(lattice, title)])})


COMMAND = Command(
    run=run,
    options=ExplainOptions,
    forms=("GOLD SYSTEM... -n N", "-s SOURCE -r REF... -i SYSTEM... -n N"),
    examples=(
        ("recte explain sample/gold.m2 sample/systems/wren.txt -n 7", "why sentence 7 scored as it did"),
        (
            "recte explain sample/gold.m2 sample/systems/wren.txt -n 7 -m gleu --attribute",
            "and what each edit is worth",
        ),
    ),
    common=("-n", "-m", "-s", "-r", "-i", "-f", "--attribute", "--edit-orders", "--seed", "--lattice", "-q"),
)
