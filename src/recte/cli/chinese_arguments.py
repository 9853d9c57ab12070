"""The flags of `recte extract` that Chinese alone has; what does the work is loaded when it is asked for."""

from __future__ import annotations

import argparse

from recte.extraction.chinese_choices import GRANULARITIES, TIES

__all__ = ["add_chinese_arguments", "given_chinese_flags"]


def add_chinese_arguments(parser: argparse.ArgumentParser) -> None:
    """Options that Chinese alone has; None where they were not given."""
    group = parser.add_argument_group("Chinese (--language zh)")
    group.add_argument("--granularity", choices=GRANULARITIES, help="align characters or words (default characters)")
    group.add_argument(
        "--words",
        metavar="NAME",
        help="who cuts words: given (spaces; tags from --annotations), jieba (with tags), pkuseg, thulac or "
        "module:function (default given)",
    )
    group.add_argument(
        "--lists", metavar="FOLDER", help="cilin.txt, confusion_dict.txt and char_meta.txt (default none)"
    )
    group.add_argument(
        "--simplify",
        action=argparse.BooleanOptionalAction,
        help="put corrected texts into simplified characters (default yes)",
    )
    group.add_argument("--ties", choices=TIES, help="of equally cheap alignments all, or the first (default all)")


def given_chinese_flags(arguments: argparse.Namespace) -> list[str]:
    names = ("granularity", "words", "lists", "simplify", "ties")
    return [f"--{name}" for name in names if getattr(arguments, name) is not None]
