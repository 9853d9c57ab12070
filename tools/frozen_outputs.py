"""Records what commands print and write, and later says what has changed.

    python tools/frozen_outputs.py record FOLDER     # before a change
    python tools/frozen_outputs.py compare FOLDER    # after it: prints differences, and ends with 1 if there are any

Both calls run the recte of this interpreter. What they run is listed in frozen_commands.txt and frozen_programs.py.
Each entry runs in a fresh folder, which holds `sample/` (the bundled sample), `given/` (the small files below) and
`shared`, a link to the shared data (`RECTE_SHARED`, or `shared` next to the checkout). Without shared data, entries
that need them are skipped.

FOLDER gets a text file for each entry: its commands, exit codes, standard output, standard error, and the files it
wrote. What varies by nature (folders, the version, times) has a placeholder. Of an archive the members are recorded,
of a NumPy array its type, shape and hash, of other binary files the hash. Numbers and images may depend on the machine
and on libraries: record and compare on the same one.
"""

from __future__ import annotations

import argparse
import difflib
import glob
import gzip
import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from frozen_programs import PROGRAMS
from recte.cli.command_table import COMMANDS
from recte.metrics import metric_names

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("RECTE_SHARED", ROOT.parent / "shared")).resolve()
SECONDS = 170  # for one command
DIFFERENT_LINES = 12  # of one entry, that `compare` prints
LONG_LINE = 240  # characters; longer lines are cut into pieces, so that a difference in a page can be seen
COMMAND_LINES = Path(__file__).with_name("frozen_commands.txt")
LIBRARIES = "numpy scipy rich jinja2 vl-convert-python jieba opencc syntok pyyaml dask torch"

_BLOCK = "S He go home .\nA {edit}\n\nS I agree .\n\n"
_RIGHT = "1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0"
# Small files, by their names in `given/`.
GIVEN_FILES: dict[str, str] = {
    "source.txt": "He don't go to school.\nShe have two brother .\n\nI am agree with it , too .\nA cat sat on mat .\n",
    "reference0.txt": "He doesn't go to school.\nShe has two brothers .\n\nI agree with it .\nA cat sat on the mat .\n",
    "reference1.txt": "He does not go to school.\nShe has two brothers .\n\nI agree too .\nThe cat sat on a mat .\n",
    "system.txt": "He doesn't go to a school.\nShe has two brother .\n\nI agree with it .\nA cat sat on a mat .\n",
    "chinese-source.txt": "我今天很搞兴。\n他在学小读书。\n天汽很好。\n我们去公园玩。\n",
    "chinese-reference.txt": "我今天很高兴。\n他在学校读书。\n天气很好。\n我们去公园玩。\n",
    "chinese-system.txt": "我今天很高兴。\n他在学习读书。\n天汽很好。\n我们去公园完。\n",
    "scores.tsv": "system\tsentence\tscore\tmetric\n"
    + "".join(
        f"{name}\t{number}\t{(number * step) % 6}\t{metric}\n"
        for metric, steps in {"ann": (5, 3, 7), "bob": (2, 1, 4)}.items()
        for name, step in zip(("heron", "magpie", "wren"), steps, strict=True)
        for number in range(1, 41)
    ),
    "lenient.txt": "He goes home .\nI agree .\n",
    "lenient.m2": _BLOCK.format(edit="3 9|||X|||here|||REQUIRED|||-NONE-|||0"),
    "bad-field.m2": _BLOCK.format(edit="1 2|||SVA|||goes"),
    "bad-number.m2": _BLOCK.format(edit=_RIGHT.replace("1", "one", 1)),
    "bad-line.m2": _BLOCK.format(edit=_RIGHT).replace("S I", "I"),
    "no-source.m2": f"A {_RIGHT}\n",
    "overlap.m2": _BLOCK.format(edit=f"{_RIGHT}\nA 1 3|||X|||went back|||REQUIRED|||-NONE-|||0"),
    "latin1.m2": _BLOCK.format(edit=_RIGHT).replace("home", "café"),
    "bad-key.toml": 'titel = "A task"\n',
    "bad-gold.toml": 'title = "A task"\nimage = "python:3.11-slim"\n[[test_sets]]\nname = "en"\n'
    '[[phases]]\nname = "Test"\n[phases.data.en]\ngold = "none.m2"\n',
    "plugin/kept.py": """import dataclasses, recte
@dataclasses.dataclass(frozen=True, kw_only=True)
class Kept(recte.metrics.SentenceAccuracy):
    name = "kept"
    title = "Kept sentences"
""",
    "plugin/kept-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: kept\nVersion: 1.0\n",
    "plugin/kept-1.0.dist-info/entry_points.txt": "[recte.metrics]\nkept = kept:Kept\n",
}


def main() -> int:
    """Do what the command line asks for; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("call", choices=("record", "compare"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", metavar="TEXT", default="", help="only the entries whose names have this text")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    if arguments.call == "compare" and not folder.is_dir():
        parser.error(f"{folder}: expected a folder that record has written")
    begin = time.monotonic()
    texts = run_entries(arguments.only)
    seconds = time.monotonic() - begin
    if arguments.call == "record":
        write_texts(folder, texts)
        print(f"{len(texts) - 1} entries recorded in {seconds:.0f} s")
        return 0
    different = print_differences(folder, texts, arguments.only)
    print(f"{len(texts) - 1} entries compared in {seconds:.0f} s: {different or 'none'} different")
    return 1 if different else 0


def run_entries(only: str) -> dict[str, str]:
    """Run the entries, two at a time; the text of each by its name, and that of `environment`."""
    entries = read_entries(COMMAND_LINES.read_text("utf-8")) | {name: [] for name in PROGRAMS}
    wanted = [name for name in entries if only in name]
    if not SHARED.is_dir():
        skipped = [name for name in wanted if needs_shared_data("\n".join(entries[name]))]
        print(f"no shared data: {len(skipped)} entries skipped: {' '.join(skipped)}")
        wanted = [name for name in wanted if name not in skipped]
    with tempfile.TemporaryDirectory(prefix="frozen-") as name:
        folder = Path(name).resolve()
        environment = environment_of_commands(folder)
        sample = run([sys.executable, "-m", "recte", "sample", "sample"], folder, environment)
        if sample.returncode:
            raise SystemExit(f"recte sample: {sample.stderr}")
        write_given_files(folder / "sample", folder / "given")
        with ThreadPoolExecutor(2) as pool:
            texts = pool.map(lambda name: run_entry(name, entries[name], folder, environment), wanted)
            return {"environment": describe_environment(), **dict(zip(wanted, texts, strict=True))}


def needs_shared_data(text: str) -> bool:
    """Whether an entry's commands, or its recorded text, name a file of the shared data."""
    return any(" shared/" in line for line in text.split("\n") if line.removeprefix("$ ").startswith(("recte", "cat")))


def read_entries(text: str) -> dict[str, list[str]]:
    """The commands of each entry; frozen_commands.txt explains its format."""
    words = {"$COMMAND": list(COMMANDS), "$METRIC": list(metric_names())}
    entries: dict[str, list[str]] = {}
    names: list[str] = []
    for line in text.splitlines():
        if match := re.fullmatch(r"(each )?(\$[A-Z]+) = (.*)", line):
            words[match[2]] = match[3].split() if match[1] else [match[3]]
        elif match := re.fullmatch(r"\[(.*)\]", line):
            each = re.search(r"\$[A-Z]+", match[1])
            chosen = words[each[0]] if each else [""]
            names = [match[1].replace(each[0], word) if each else match[1] for word in chosen]
            entries |= {name: [] for name in names}
        elif line and not line.startswith("#"):
            for name, word in zip(names, chosen, strict=True):
                replaced = {**words, each[0]: [word]} if each else words
                entries[name] += replace_words(line, replaced)
    return entries


def replace_words(line: str, words: dict[str, list[str]]) -> list[str]:
    """The line with words in the place of each `$NAME`; as many lines as there are words."""
    match = re.search(r"\$[A-Z]+", line)
    if not match:
        return [line]
    return [done for word in words[match[0]] for done in replace_words(line.replace(match[0], word), words)]


def environment_of_commands(folder: Path) -> dict[str, str]:
    """The environment of commands: nothing of the user's caches, settings or terminal."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("RECTE_", "HF_", "XDG_"))}
    ours = {"HOME": folder / "home", "TMPDIR": folder / "temporary"}
    for path in ours.values():
        path.mkdir()
    fixed = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "LC_ALL": "C.UTF-8", "HF_HUB_OFFLINE": "1"}
    return {**kept, **{name: str(path) for name, path in ours.items()}, **fixed}


def describe_environment() -> str:
    """What outputs may depend on, besides recte: Python and libraries."""
    lines = [f"Python {sys.version.split()[0]} on {sys.platform}"]
    for name in LIBRARIES.split():
        try:
            lines.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            lines.append(f"{name} is not installed")
    return "\n".join(lines) + "\n"


def write_given_files(sample: Path, given: Path) -> None:
    """Write the small files that entries name `given/...`."""
    plugin = given / "plugin"
    (plugin / "kept-1.0.dist-info").mkdir(parents=True)
    for name, content in GIVEN_FILES.items():
        (given / name).write_bytes(content.encode("latin-1" if name.startswith("latin1") else "utf-8"))
    blocks = (sample / "gold.m2").read_text("utf-8").strip().split("\n\n")
    wren, heron = ((sample / "systems" / f"{name}.txt").read_text("utf-8").splitlines() for name in ("wren", "heron"))
    lists = {
        "swapped.txt": wren[::-1],
        "short.txt": wren[:3],
    }
    for number, part in enumerate((slice(20), slice(20, None))):
        (given / f"part-{number}").mkdir()
        lists[f"part-{number}/gold.m2"] = [f"{block}\n" for block in blocks[part]]
        lists[f"part-{number}/wren.txt"] = wren[part]
        lists[f"part-{number}/heron.txt"] = heron[part]
    for name, lines in lists.items():
        (given / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    for name, lines in {"wren": wren, "heron": heron, "broken": wren[:3]}.items():
        with zipfile.ZipFile(given / f"{name}.zip", "w") as archive:
            archive.writestr("en.txt", "".join(f"{line}\n" for line in lines))
            archive.write(sample / "chinese" / "systems" / "crane.txt", "zh.txt")


def run_entry(name: str, lines: list[str], folder: Path, environment: dict[str, str]) -> str:
    """Run an entry's commands in a folder of its own; its text. An entry without commands is a program."""
    place = folder / "entries" / name
    place.mkdir(parents=True)
    shutil.copytree(folder / "sample", place / "sample")
    shutil.copytree(folder / "given", place / "given")
    if SHARED.is_dir():
        (place / "shared").symlink_to(SHARED, target_is_directory=True)
    environment = {**environment, "XDG_CACHE_HOME": str(folder / "caches" / name)}
    before = {path: path.read_bytes() for path in files_in(place)}
    parts = []
    for line in lines or [f"python tools/frozen_programs.py {name}"]:
        given, _, command = line.rpartition(" | ")
        words = expanded_words(command, place)
        words = [sys.executable, "-m", *words] if lines else [sys.executable, str(ROOT / words[1]), words[2]]
        text = (place / given.removeprefix("cat ")).read_text("utf-8") if given else ""
        ran = run(words, place, environment, text)
        parts += [f"$ {line}", f"exit code {ran.returncode}", "--- stdout", ran.stdout, "--- stderr", ran.stderr]
    for path in files_in(place):
        content = path.read_bytes()
        if before.get(path) != content:
            parts += [f"--- file {path.relative_to(place).as_posix()}", content_text(path.name, content)]
    gone = sorted(path for path in before if not path.exists())
    parts += [f"--- file {path.relative_to(place).as_posix()} is gone" for path in gone]
    text = "\n".join(part.removesuffix("\n") for part in parts if part) + "\n"
    shutil.rmtree(place)
    return with_placeholders(text, place, folder)


def run(
    command: list[str], folder: Path, environment: dict[str, str], given: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; one that takes too long ends with exit code 124."""
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            input=given,
            capture_output=True,
            encoding="utf-8",
            errors="backslashreplace",
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", f"stopped after {SECONDS} s")


def expanded_words(words: str, place: Path) -> list[str]:
    """The words of a command as a shell gives them: `{a,b}` and `*` expanded, but for quoted words."""
    expanded: list[str] = []
    for word in re.findall(r"'[^']*'|\S+", words):
        if word.startswith("'"):
            expanded += shlex.split(word)
            continue
        for item in expand_braces(word):
            actual = sorted(glob.glob(item, root_dir=place)) if "*" in item else []
            expanded += actual or [item]
    return expanded


def expand_braces(word: str) -> list[str]:
    """`a{b,c}d` as `abd` and `acd`."""
    matched = re.fullmatch(r"(.*?)\{([^{}]*)\}(.*)", word)
    if not matched:
        return [word]
    return [f"{matched[1]}{item}{rest}" for item in matched[2].split(",") for rest in expand_braces(matched[3])]


def files_in(place: Path) -> list[Path]:
    """The files of a folder, without those of the shared data."""
    return sorted(Path(root, name) for root, _, names in os.walk(place) for name in names if "__pycache__" not in root)


def content_text(name: str, content: bytes) -> str:
    """What is recorded of a file: its text, the members of an archive, or a hash."""
    if content.startswith(b"PK"):
        return archive_text(content)
    if content.startswith(b"\x1f\x8b"):
        return content_text(name.removesuffix(".gz"), gzip.decompress(content))
    if content.startswith(b"\x93NUMPY"):
        return array_text(np.load(io.BytesIO(content), allow_pickle=False))
    if content.startswith(b"%PDF"):  # the same chart gives other bytes in each run; its SVG is compared
        return "a PDF: not compared"
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    return text if "\0" not in text else f"sha256 {hashlib.sha256(content).hexdigest()} of {len(content)} bytes"


def array_text(array: np.ndarray) -> str:
    """A text in an array as it stands; of numbers the type, the shape and a hash."""
    if array.dtype.kind in "US":
        return f"{array.dtype.kind} {array.tolist()}"
    if array.dtype == np.uint8 and array.tobytes().startswith(b"{"):
        return array.tobytes().decode("utf-8", "replace")
    return f"{array.dtype} {array.shape} sha256 {hashlib.sha256(array.tobytes()).hexdigest()}"


def archive_text(content: bytes) -> str:
    """The members of an archive. Of programs and wheels, which hold source code of recte, only the names."""
    parts = []
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            if name.endswith((".whl", ".py")):
                parts.append(f"--- member {name}: not compared")
            else:
                parts += [f"--- member {name}", content_text(name, archive.read(name))]
    return "\n".join(parts)


def with_placeholders(text: str, place: Path, folder: Path) -> str:
    """The text without what varies by nature, and long lines in pieces."""
    for path, placeholder in (
        (place, "<folder>"),
        (folder, "<temporary>"),
        (SHARED, "<shared>"),
        (Path(sys.prefix), "<python>"),
        (ROOT, "<checkout>"),
    ):
        text = text.replace(str(path), placeholder)
    text = re.sub(rf"(?<![\d.]){re.escape(version('recte'))}(?![\d.]*\d)", "<version>", text)
    text = re.sub(r"\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?", "<time>", text)
    text = re.sub(r" at 0x[0-9a-f]+", " at <address>", text)
    text = text.replace("\r", "\\r")
    return "\n".join(piece for line in text.split("\n") for piece in pieces_of(line))


def pieces_of(line: str) -> list[str]:
    """A line, cut into pieces where it is long."""
    return [line[at : at + LONG_LINE] for at in range(0, len(line), LONG_LINE)] or [""]


def write_texts(folder: Path, texts: dict[str, str]) -> None:
    """Write each entry's text into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.txt").write_bytes(text.encode())


def print_differences(folder: Path, texts: dict[str, str], only: str) -> int:
    """Print how the texts differ from those in the folder; how many do."""
    different = 0
    recorded = {path.stem: path.read_bytes().decode() for path in sorted(folder.glob("*.txt"))}
    for name in sorted({*recorded, *texts}):
        if name not in texts and (only not in name or (not SHARED.is_dir() and needs_shared_data(recorded[name]))):
            continue  # left out by --only, or skipped
        if name not in texts or name not in recorded:
            print(f"=== {name}: {'was not recorded' if name in texts else 'is no entry any more'}")
        elif recorded[name] != texts[name]:
            print(f"=== {name}")
            sides = recorded[name].split("\n"), texts[name].split("\n")
            shown = list(difflib.unified_diff(*sides, "recorded", "now", lineterm="", n=1))
            print(*shown[: DIFFERENT_LINES + 2], sep="\n")
            if len(shown) > DIFFERENT_LINES + 2:
                print(f"... {len(shown) - DIFFERENT_LINES - 2} more lines")
            if name == "environment":
                print("Python or a library is another one: other differences may come from that")
        else:
            continue
        different += 1
    return different


if __name__ == "__main__":
    sys.exit(main())
