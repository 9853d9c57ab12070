"""The parser of the command line: wrong usage is one line, and some options are declared late."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from recte.visible_text import visible

__all__ = ["BAD_INPUT", "Parser"]

BAD_INPUT = 2


class Parser(argparse.ArgumentParser):
    """Wrong usage is bad input: one line, exit code 2.

    `declare` is called with the arguments just before they are parsed: options that cost time to declare are declared
    only where these arguments need them.
    """

    declare: Callable[[Sequence[str]], None] | None = None

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"recte: {visible(message.replace(chr(10), ' '))} ({self.prog} --help says more)\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self.declare is not None:
            self.declare(args)
            self.declare = None
        return super().parse_known_args(args, namespace)
