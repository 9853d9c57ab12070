"""Refuses metaphors, archaic words and empty names in code, comments, messages and docs.

    python tools/plain_words.py            compare with the recorded numbers; a file may not have more than its own
    python tools/plain_words.py --list     print each place
    python tools/plain_words.py --record   record today's numbers, if there are not more than before in all

Many places are older than this check. `plain_words.json` has their number for each file, and it may only fall.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORD = Path(__file__).with_suffix(".json")
FOLDERS = "src", "tests", "benchmarks", "integrations", "tools", "cpp", "docs"
SUFFIXES = {".py", ".pyi", ".cpp", ".hpp", ".md"}
WORDS = (
    *("door", "doors", "seam", "seams", "house", "houses", "room", "rooms", "guest", "guests", "whence", "anew"),
    *("lest", "beside", "pleas", "plea", "plead", "pleads", "hangs? on", "ha(?:s|ve) a say", "(?:told|kept) apart"),
    *("again and again", "kindly", "guarded", "remembered", "weighing", "objects_kept", "kept_values", "kept_rows"),
    *("seen_edits", "gold_sides", "extracted_sides", "recorded_passes", "passed_by", "looks_at_edits", "watched_by"),
    *("heard_by", "homes"),
)
PATTERN = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(WORDS)})(?![A-Za-z])", re.IGNORECASE)
EMPTY_NAMES = {"given", "one", "own", "found"}  # refused as names of variables alone


def read_prose(path: Path) -> str:
    """The text of a file in which words are looked for: of tests without strings, often sentences to be scored."""
    text = path.read_text("utf-8")
    if path.suffix != ".py" or path.is_relative_to(ROOT / "src"):
        return text
    lines = text.splitlines(keepends=True)
    begins_line = True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING and not begins_line:
            for number in range(token.start[0], token.end[0] + 1):
                begin = token.start[1] if number == token.start[0] else 0
                end = token.end[1] if number == token.end[0] else len(lines[number - 1])
                line = lines[number - 1]
                lines[number - 1] = line[:begin] + re.sub(r"\S", "#", line[begin:end]) + line[end:]
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            begins_line = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    return "".join(lines)


def find_places(path: Path) -> Iterator[tuple[int, str]]:
    """Line and word of each refused word, and of each variable with an empty name."""
    for number, line in enumerate(read_prose(path).splitlines(), 1):
        yield from ((number, match.group()) for match in PATTERN.finditer(line))
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in EMPTY_NAMES:
                yield node.lineno, f"a variable named {node.id}"
            elif isinstance(node, ast.arg) and node.arg in EMPTY_NAMES:
                yield node.lineno, f"an argument named {node.arg}"


def checked_files() -> list[Path]:
    """Every file that is checked."""
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    return sorted({*files, *ROOT.glob("*.md")} - {Path(__file__).resolve()})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    places = {path.relative_to(ROOT).as_posix(): list(find_places(path)) for path in checked_files()}
    counts = {name: len(listed) for name, listed in places.items() if listed}
    recorded: dict[str, int] = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    if options.list:
        for name, listed in places.items():
            for line, word in sorted(listed):
                print(f"{name}:{line}: {word}")
    more = [name for name, count in counts.items() if count > recorded.get(name, 0)]
    if options.record:
        if recorded and sum(counts.values()) > sum(recorded.values()):
            print(
                f"plain words: {sum(counts.values())} places, {sum(recorded.values())} are recorded: nothing is written"
            )
            return 1
        RECORD.write_text(json.dumps(counts, indent=0) + "\n")
        more = []
    for name in more:
        words = ", ".join(f"{word} (line {line})" for line, word in sorted(places[name]))
        print(f"{name}: {counts[name]} places where {recorded.get(name, 0)} are recorded: {words}")
    if more:
        print(
            "Write what it is, in the words of the field. After a move of files: python tools/plain_words.py --record"
        )
    else:
        print(
            f"plain words: {sum(counts.values())} places left in {len(counts)} files, {sum(recorded.values())} recorded"
        )
    return 1 if more else 0


if __name__ == "__main__":
    sys.exit(main())
