"""What the first page of each command's help shows beside its options: how it is called, and examples to try.

Examples use the bundled sample: `recte sample sample` writes it.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["HELP_TEXTS", "HelpText"]


class HelpText(NamedTuple):
    """How a command is called, what one would type, and which options stand on the first page.

    `forms` are what may stand behind its name; `examples` are command lines and what they do; `common` are the flags
    that the first page explains, in this order: all of the command's own where none are named.
    """

    forms: tuple[str, ...]
    examples: tuple[tuple[str, str], tuple[str, str]]
    common: tuple[str, ...] = ()


_GOLD = ("GOLD SYSTEM...", "-s SOURCE -r REF... -i SYSTEM...")
_SYSTEMS = "sample/gold.m2 sample/systems/*.txt"

HELP_TEXTS = {
    "": HelpText(
        ("COMMAND ...",),
        (
            ("recte sample sample", "something to try things on"),
            (f"recte score {_SYSTEMS}", "score three systems"),
        ),
    ),
    "score": HelpText(
        _GOLD,
        (
            ("recte score sample/gold.m2 sample/systems/wren.txt", "MaxMatch of one system, with its interval"),
            (f"recte score {_SYSTEMS} -m m2 gleu --one-table -f latex", "a table for a paper"),
        ),
        (
            *("-m", "-s", "-r", "-i", "--one-table", "--sort", "--baseline", "-f", "-w", "-b", "-sl"),
            *("--by-type", "--by", "--no-ci", "--fail-under", "--list"),
        ),
    ),
    "compare": HelpText(
        _GOLD,
        (
            (f"recte compare {_SYSTEMS}", "every pair of systems, by randomisation"),
            (f"recte compare {_SYSTEMS} -m gleu --baseline do-nothing --test bootstrap", "each against one"),
        ),
        (
            *("-m", "-s", "-r", "-i", "--names", "--baseline", "--test", "--trials", "--alpha", "--holm", "--power"),
            *("--pairs", "-f", "-w", "-q"),
        ),
    ),
    "report": HelpText(
        _GOLD,
        (
            (f"recte report {_SYSTEMS} -o report.html", "scores, tests and sentences on one page"),
            (f"recte report {_SYSTEMS} -m m2 gleu --figures charts --formats pdf", "and its charts as files"),
        ),
        (
            *("-m", "-s", "-r", "-i", "--names", "--to", "--title", "--human", "--leaderboard", "--tracks"),
            *("--attribute", "--figures", "-q"),
        ),
    ),
    "figures": HelpText(
        _GOLD,
        (
            (f"recte figures {_SYSTEMS} --to charts", "every chart as SVG"),
            (f"recte figures {_SYSTEMS} --formats pdf --chart-width 240pt --font-size 8 --no-title", "for a column"),
        ),
        (
            *("-m", "-s", "-r", "-i", "--names", "--human", "--to", "--formats", "--chart-width", "--font-size"),
            *("--no-title", "-q"),
        ),
    ),
    "explain": HelpText(
        ("GOLD SYSTEM -n N", "-s SOURCE -r REF... -i SYSTEM -n N"),
        (
            ("recte explain sample/gold.m2 sample/systems/wren.txt -n 7", "why sentence 7 scored as it did"),
            (
                "recte explain sample/gold.m2 sample/systems/wren.txt -n 7 -m gleu --attribute",
                "and what each edit is worth",
            ),
        ),
        ("-n", "-m", "-s", "-r", "-i", "-f", "--attribute", "--edit-orders", "--seed", "-q"),
    ),
    "faithfulness": HelpText(
        ("SOURCE CORRECTED", "--pairs TSV", "SOURCE SYSTEM... --scorer MODULE:FUNCTION"),
        (
            ("recte faithfulness sample/ucca/source sample/ucca/corrected", "do corrections keep the meaning?"),
            ("recte faithfulness sample/ucca/source sample/ucca/second-annotator --agreement", "do annotators agree?"),
        ),
    ),
    "difficulty": HelpText(
        ("GOLD SYSTEM...",),
        (
            (f"recte difficulty {_SYSTEMS}", "the most difficult error types first"),
            (f"recte difficulty {_SYSTEMS} --to difficulty.tsv", "and a file for recte score -m goto --difficulty"),
        ),
        ("--to", "--reference-annotator", "--names", "-s", "-r", "-i", "-f", "-w"),
    ),
    "segmentation": HelpText(
        _GOLD,
        (
            (
                "recte segmentation sample/chinese/gold.m2 sample/chinese/systems/*.txt",
                "given words, jieba, characters",
            ),
            (
                "recte segmentation sample/chinese/gold.m2 sample/chinese/systems/*.txt --segmenters given characters",
                "two of them",
            ),
        ),
        ("--segmenters", "-m", "-s", "-r", "-i", "--names", "-f"),
    ),
    "references": HelpText(
        ("extend ANSWERS",),
        (
            ("recte references extend sample/answers.jsonl", "how many answers several people gave"),
            ("recte references extend sample/answers.jsonl --to more.para --audit rest.jsonl", "write them"),
        ),
    ),
    "count": HelpText(
        ("GOLD SYSTEM -o COUNTS", "--merge COUNTS... -o COUNTS"),
        (
            ("recte count sample/gold.m2 sample/systems/wren.txt -o wren.counts", "save what a metric saw"),
            ("recte count --merge wren.counts -o whole.counts", "put parts together; recte score whole.counts"),
        ),
        ("-o", "--merge", "--first", "--by-type", "-m", "-s", "-r", "-i", "--names", "-q"),
    ),
    "conservatism": HelpText(
        ("GOLD SYSTEM...", "-s SOURCE [-r REF...] -i SYSTEM..."),
        (
            (f"recte conservatism {_SYSTEMS}", "how much each changes, beside the annotators"),
            (f"recte conservatism {_SYSTEMS} --charts charts", "and as pictures"),
        ),
    ),
    "cut": HelpText(
        ("SOURCE CORRECTED",),
        (
            ("recte cut sample/essay/source.txt sample/essay/corrected.txt", "one pair of sentences per line"),
            (
                "recte cut sample/essay/source.txt sample/essay/corrected.txt -o source.lines corrected.lines",
                "as two files, for recte extract",
            ),
        ),
    ),
    "coverage": HelpText(
        ("ANSWERS",),
        (
            ("recte coverage sample/answers.jsonl --no-f-score", "how many corrections there are"),
            (
                "recte coverage sample/answers.jsonl --references 1 2 5 --accuracy 0.5 --no-f-score",
                "what few of them see",
            ),
        ),
        (
            *("--where", "--match", "--references", "--wanted", "--accuracy", "--share", "--f-score", "--resamples"),
            *("--sentences", "-f", "-w", "--charts"),
        ),
    ),
    "ceilings": HelpText(
        ("GOLD... [-i SYSTEM...]",),
        (
            ("recte ceilings sample/gold.m2", "what people score against people"),
            ("recte ceilings sample/gold.m2 -i sample/systems/*.txt", "and systems beside them"),
        ),
    ),
    "closest": HelpText(
        ("GOLD SYSTEM... --closest FILE...",),
        (
            (
                "recte closest sample/gold.m2 sample/systems/wren.txt --closest sample/systems/heron.txt",
                "heron's lines as corrections of wren's",
            ),
            (
                "recte closest sample/gold.m2 sample/systems/wren.txt --closest sample/systems/heron.txt -m gleu",
                "by another metric",
            ),
        ),
        ("--closest", "-m", "-s", "-r", "-i", "--names", "--resamples", "--level", "--seed", "-f", "-w", "-q"),
    ),
    "extract": HelpText(
        ("SOURCE CORRECTED...", "GOLD.m2 --edits gold", "GOLD.para --language zh"),
        (
            ("recte extract sample/gold.m2 --edits gold --to typed.m2", "give gold edits ERRANT's types"),
            ("recte extract sample/chinese/gold.para --language zh", "Chinese edits, as ChERRANT finds them"),
        ),
        (
            *("--to", "--edits", "--retype", "--annotator", "--annotations", "--language", "--merging"),
            *("--behaviour", "--granularity", "--words"),
        ),
    ),
    "convert": HelpText(
        ("GOLD --to-FORMAT FILE", "-s SOURCE -r REF... --to-m2 FILE"),
        (
            ("recte convert sample/gold.m2 --to-source src.txt --to-references r0.txt r1.txt", "edits into texts"),
            ("recte convert -s src.txt -r r0.txt r1.txt --to-m2 again.m2", "and back"),
        ),
        ("-s", "-r", "--to-m2", "--to-xml", "--to-source", "--to-references", "--reference-rule", "--reference-edits"),
    ),
    "judge": HelpText(
        ("GOLD SYSTEM... --judge MODEL -o JUDGMENTS",),
        (
            (f"recte judge {_SYSTEMS} --judge my-model --dry-run", "how many requests and tokens it would take"),
            (
                f"recte judge {_SYSTEMS} --judge my-model --sentences 20 --criterion fluency --dry-run",
                "on twenty sentences; then recte rank JUDGMENTS",
            ),
        ),
        (
            *("--judge", "--endpoint", "--criterion", "--basis", "--sentences", "--dry-run", "--budget"),
            *("-o", "-s", "-i", "--names", "-q"),
        ),
    ),
    "rank": HelpText(
        ("JUDGMENTS",),
        (
            ("recte rank sample/judgments.tsv", "systems with their ranges of ranks and clusters"),
            ("recte rank sample/judgments.tsv --method trueskill --judges", "by TrueSkill, and who judged"),
        ),
        (
            *("--method", "--without", "--document", "--resample", "--resamples", "--seed", "-f", "--judges"),
            *("--head-to-head", "--output", "--charts"),
        ),
    ),
    "metaeval": HelpText(
        ("HUMAN GOLD SYSTEM... -m METRIC...", "HUMAN --scores FILE..."),
        (
            (f"recte metaeval sample/judgments.tsv {_SYSTEMS} -m m2 gleu", "who agrees with people?"),
            (f"recte metaeval sample/ratings.tsv {_SYSTEMS} -m m2 --only system", "with ratings"),
        ),
        (
            *("-m", "--scores", "--method", "--ids", "--only", "--windows", "--clusters"),
            *("-f", "--charts"),
        ),
    ),
    "reproduce": HelpText(
        ("[PAPER [TABLE]]",),
        (
            ("recte reproduce --list", "which papers, and which of their tables"),
            ("recte reproduce maxmatch-2012", "one paper; --data FOLDER has its corpora"),
        ),
    ),
    "data": HelpText(
        ("list", "get NAME [--from PATH]", "path NAME"),
        (
            ("recte data list", "test sets and presets, and which sets are here"),
            ("recte data get --help", "how to get one"),
        ),
    ),
    "sample": HelpText(
        ("FOLDER",),
        (
            ("recte sample sample", "gold, three systems, human judgments"),
            ("recte sample sample --force", "once more, over what is there"),
        ),
    ),
    "bundle": HelpText(
        (
            "init GOLD...",
            "init -s SOURCE -r REF...",
            "codabench TASK.toml",
            "check ZIP [SUBMISSION.zip]",
            "leaderboard SUBMISSION.zip...",
        ),
        (
            ("recte bundle init sample/gold.m2 -o task", "a task file, with its pages"),
            ("recte bundle init --help", "what one of them takes"),
        ),
    ),
    "completion": HelpText(
        ("bash|zsh|fish",),
        (
            ("recte completion bash", "put it into ~/.local/share/bash-completion/completions/recte"),
            ("recte completion fish", "put it into ~/.config/fish/completions/recte.fish"),
        ),
    ),
}
