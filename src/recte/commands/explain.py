"""`recte explain GOLD SYSTEM --sentence N`: one sentence as the metric saw it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from recte.cli.arguments import GoldOptions, quiet_option, strict_option
from recte.cli.command import Command
from recte.cli.counted_systems import SystemSelection
from recte.cli.input_warnings import find_expected_tokens, print_findings
from recte.cli.metric_flags import MetricOptions, ScoreFileOptions
from recte.errors import OptionError
from recte.evaluation.inputs import read_corpus_and_systems, system_names
from recte.evaluation.plausibility.finding import as_plain
from recte.evaluation.plausibility.plausibility_check import findings, refuse
from recte.metrics.attribution import attribute
from recte.metrics.explanation import explain
from recte.options import REQUIRED, option, part
from recte.output.document import plain_json
from recte.output.explanation import print_explanations


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
    corpus, outputs = read_corpus_and_systems(gold, system_names(systems))
    odd = findings(corpus, outputs, metrics, expected=find_expected_tokens(options.metrics.preset))
    if options.strict:
        refuse(odd)
    print_findings(odd)
    scorer = metrics[0].prepare_with(corpus, {system.name: system for system in outputs})
    explanations = []
    for output in outputs:
        explanation = explain(scorer, output, options.sentence)
        if options.attribute:
            worth = attribute(scorer, output, options.sentence, orders=options.edit_orders, seed=options.seed)
            explanation = replace(explanation, attribution=worth)
        explanations.append(explanation)
    metrics[0].all_counted()
    if options.format == "json":
        shown = [
            {key: value for key, value in asdict(explanation).items() if key != "attribution" or value is not None}
            for explanation in explanations
        ]
        shown_as = shown[0] if len(shown) == 1 else {"explanations": shown}
        print(plain_json({**shown_as, "warnings": as_plain(odd)}))
    else:
        print_explanations(explanations)


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
    common=("-n", "-m", "-s", "-r", "-i", "-f", "--attribute", "--edit-orders", "--seed", "-q"),
)
