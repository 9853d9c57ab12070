"""What an installation weighs. `python -m benchmarks.install` measures `make demo` on a fresh clone, with a network."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import Figure, show

ROOT = Path(__file__).parents[1]


def sizes() -> Iterator[Figure]:
    """The packages that are installed here, as far as a user needs them."""
    for what, extras, most in (("base install", (), 300), ("install with the report", ("report",), 350)):
        size = size_of("recte", extras)
        yield Figure(f"{what} (with NumPy, SciPy, rich)", f"{size:.0f} MB", f"under {most} MB", size < most)


def size_of(package: str, extras: tuple[str, ...] = ()) -> float:
    """The size in MB of a package and of all that it requires, with the requirements of some of its extras."""
    wanted, seen = [package], set()
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        for requirement in importlib.metadata.requires(name) or ():
            asked = re.search(r"extra\s*==\s*['\"]([^'\"]+)", requirement)
            if asked is None or (name == package and asked[1] in extras):
                wanted.append(re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0])
    files: set[Path] = set()
    for name in seen:
        try:
            files.update(Path(str(file.locate())) for file in importlib.metadata.files(name) or ())
        except importlib.metadata.PackageNotFoundError:  # required on other systems or Pythons only
            continue
    import recte

    files.update(Path(recte.__file__).parent.rglob("*"))
    return sum(path.stat().st_size for path in files if path.is_file()) / 1e6


def fresh_clone() -> Iterator[Figure]:
    """Clone this repository's last commit, download what `make demo` does, run it, and weigh both."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    requirements = [
        "pip",
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["report"],
    ]
    with tempfile.TemporaryDirectory() as folder:
        downloads, clone = Path(folder, "downloads"), Path(folder, "clone")
        pip = [sys.executable, "-m", "pip"]
        subprocess.run([*pip, "download", "--quiet", "--dest", downloads, *requirements], check=True)
        down = weight(downloads)
        yield Figure("make demo: download", f"{down:.0f} MB", "under 150 MB", down < 150)
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        start = time.perf_counter()
        subprocess.run(["make", "demo", f"PYTHON={sys.executable}"], cwd=clone, check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - start
        here = weight(clone / ".venv") + weight(clone / "build")
        wanted = "under 350 MB"
        yield Figure("make demo: environment and build", f"{here:.0f} MB in {seconds:.0f} s", wanted, here < 350)


def weight(folder: Path) -> float:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()) / 1e6


if __name__ == "__main__":
    show(list(fresh_clone()))
