"""Is this a submission that can be scored? One clear line if it is not.

The scoring program asks before it scores, participants ask before they send: in the starting kit,
`python3 submission_check.py submission.zip` reads `expected.json` next to it. Needs nothing but Python.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

__all__ = ["METADATA", "NOT_SENT", "BadSubmissionError", "ExpectedFile", "find_files", "one_line", "unpack"]

# What macOS and Windows leave next to a participant's files.
NOT_SENT = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")
METADATA = ("metadata", "metadata.yaml")  # at the root, these make a submission a program that the platform runs
_BLOCK = 1 << 20
_MOST_ENTRIES = 10_000
_OTHER_ENCODINGS = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))


class BadSubmissionError(Exception):
    """What is wrong with a submission, in one line for the participant."""


@dataclass(frozen=True)
class ExpectedFile:
    """A file that a submission must have: how many lines (None: not lines of text), how large it and a line may be.

    One that is `optional` may be missing, if another is there.
    """

    file: str
    lines: int | None
    largest_file: int
    longest_line: int
    optional: bool = False


def one_line(text: str, longest: int = 300) -> str:
    """Plain ASCII in one line: the platform's live log breaks on anything else."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)
    shown = shown.encode("ascii", "backslashreplace").decode()
    return shown if len(shown) <= longest else shown[: longest - 3] + "..."


def megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size} bytes"


def unpack(archive: Path, folder: Path, largest: int, expected: tuple[ExpectedFile, ...] | None = None) -> list[str]:
    """Unpack as the platform does (no name leads out of the folder), but never more than `largest` bytes.

    With `expected`, those files alone have their content, none more than it may have; others are there, but empty.
    Gives the names that would have led out of the folder.
    """
    left = largest
    limits = None if expected is None else {file.file: file.largest_file for file in expected}
    strange = []
    try:
        with zipfile.ZipFile(archive) as opened:
            entries = opened.infolist()
            if len(entries) > _MOST_ENTRIES:
                raise BadSubmissionError(
                    f"{archive.name}: expected at most {_MOST_ENTRIES} files in the zip, got {len(entries)}"
                )
            for entry in entries:
                parts = entry.filename.split("/")
                if ".." in parts or entry.filename.startswith("/"):
                    strange.append(entry.filename)
                target = folder.joinpath(*(part for part in parts if part not in ("", ".", "..")))
                if entry.is_dir():
                    target.mkdir(parents=True, exist_ok=True)
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                name = target.relative_to(folder).as_posix()
                limit = largest if limits is None else limits.get(name, limits.get(name.partition("/")[2], 0))
                if not limit:
                    target.touch()
                    continue
                if limits is not None and entry.file_size > limit:
                    raise BadSubmissionError(
                        f"{name}: expected at most {megabytes(limit)}, got {megabytes(entry.file_size)}"
                    )
                with opened.open(entry) as packed, target.open("wb") as unpacked:
                    while block := packed.read(_BLOCK):
                        left -= len(block)
                        if left < 0:
                            raise BadSubmissionError(
                                f"{archive.name}: expected at most {megabytes(largest)} when unpacked, got more"
                            )
                        unpacked.write(block)
    except BadSubmissionError:
        raise
    except Exception as error:  # a zip can be broken, encrypted or odd in more ways than Python has exceptions for
        what = (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
        raise BadSubmissionError(f"{archive.name}: expected a zip file that can be unpacked, got: {what}") from None
    return strange


def find_files(
    folder: Path, expected: list[ExpectedFile], *, by_worker: bool = False
) -> tuple[dict[str, Path], list[str]]:
    """Where each expected file is, and what is worth saying though nothing is wrong.

    `by_worker` where the platform's worker laid the folder out: it puts a file `metadata` of its own next to the
    others.
    """
    sent = _list_sent(folder)
    for name in METADATA:
        if sent.pop(name, None) is not None and not by_worker:
            raise BadSubmissionError(
                f"{name}: expected no file of this name, since the platform takes the submission for a program then"
            )
    notes = []
    names = [file.file for file in expected]
    inner = {Path(name).parts[0] for name in sent}
    if not set(names) & set(sent) and len(inner) == 1 and all("/" in name for name in sent):
        prefix = inner.pop() + "/"
        sent = {name[len(prefix) :]: path for name, path in sent.items()}
        notes.append(f"note: all files are in the folder {prefix} of the zip; they were taken from there")
    files = {}
    for file in expected:
        if file.file not in sent:
            if file.optional and set(names) & set(sent):
                notes.append(f"note: {file.file}: not sent; its sources, unchanged, count for it")
                continue
            others = ", ".join(sorted(sent)[:5]) or "no file at all"
            raise BadSubmissionError(f"{file.file}: expected this file in the submission, got {others}")
        _check_file(sent[file.file], file)
        files[file.file] = sent[file.file]
    surplus = sorted(set(sent) - set(names))
    if surplus:
        more = f" and {len(surplus) - 5} more" if len(surplus) > 5 else ""
        notes.append(f"note: not needed, and not looked at: {', '.join(surplus[:5])}{more}")
    return files, notes


def _list_sent(folder: Path) -> dict[str, Path]:
    """The participant's files by their names; no link is followed."""
    path_of = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in NOT_SENT and not Path(place, name).is_symlink()]
        for name in names:
            path = Path(place, name)
            if name in NOT_SENT or name.startswith("._") or path.is_symlink() or not path.is_file():
                continue
            path_of[path.relative_to(folder).as_posix()] = path
    return path_of


def _check_file(path: Path, expected: ExpectedFile) -> None:
    size = path.stat().st_size
    if size > expected.largest_file:
        raise BadSubmissionError(
            f"{expected.file}: expected at most {megabytes(expected.largest_file)}, got {megabytes(size)}"
        )
    lines, ended = 0, True
    with path.open("rb") as stream:
        start = stream.read(2)
        stream.seek(0)
        other = next((name for mark, name in _OTHER_ENCODINGS if start == mark), None)
        if other is not None:
            raise BadSubmissionError(f"{expected.file}: expected UTF-8, got {other}")
        # A line is read no further than its limit: one of 100 MB is never in memory.
        while line := stream.readline(expected.longest_line + 2):
            lines += 1
            ended = line.endswith(b"\n")
            place = f"{expected.file}:{lines}"
            if len(line.rstrip(b"\r\n")) > expected.longest_line:
                raise BadSubmissionError(
                    f"{place}: expected lines of at most {megabytes(expected.longest_line)}, got a longer one"
                )
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                byte = line[error.start]
                raise BadSubmissionError(
                    f"{place}: expected UTF-8, got byte 0x{byte:02x} at byte {error.start + 1} of the line"
                ) from None
            if b"\0" in line:
                raise BadSubmissionError(f"{place}: expected text, got a zero byte at byte {line.index(0) + 1}")
    if expected.lines is not None and lines != expected.lines:
        hint = "" if ended or lines > expected.lines else " (the last one has no end)"
        raise BadSubmissionError(
            f"{expected.file}: expected {expected.lines} lines, one for each sentence, got {lines}{hint}"
        )


def main() -> int:
    """Check the zip or the folder that the command line names."""
    if len(sys.argv) != 2:
        print("usage: python3 submission_check.py submission.zip")
        return 2
    rules = json.loads(Path(__file__).with_name("expected.json").read_text("utf-8"))
    expected = [ExpectedFile(**values) for values in rules["files"]]
    sent = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        try:
            if not sent.is_dir():
                unpack(sent, Path(folder), rules["unpacked"])
            _, notes = find_files(sent if sent.is_dir() else Path(folder), expected)
        except BadSubmissionError as error:
            print(one_line(str(error)))
            return 1
    for note in notes:
        print(one_line(note))
    print("this submission can be scored")
    return 0


if __name__ == "__main__":
    sys.exit(main())
