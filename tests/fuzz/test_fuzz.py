"""A short run of the fuzzers, and what they once found."""

from __future__ import annotations

import inspect
import pkgutil
import re
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recte.formats
from fuzz import kernels, readers

READERS = readers.readers()
FINDINGS = sorted((Path(__file__).parent / "findings").iterdir())
FEW = settings(max_examples=12)


@pytest.mark.parametrize("name", READERS)
def test_readers_read_or_refuse(name, tmp_path_factory):
    folder = tmp_path_factory.mktemp("fuzz")

    @FEW
    @given(st.randoms(use_true_random=False))
    def attempt(draw):
        readers.attempt(READERS[name], readers.mutated(draw, READERS[name].bases), folder)

    attempt()


@pytest.mark.parametrize("name", READERS)
def test_readers_read_what_is_right(name, tmp_path):
    assert any(readers.attempt(READERS[name], base, tmp_path) for base in READERS[name].bases)


@pytest.mark.parametrize(
    "wrong", [b"9" * 5000, b'"' + b"x" * 200_000, b"\x1b[31m\xc2\x9b"], ids=["digits", "cell", "escape"]
)
@pytest.mark.parametrize("name", READERS)
def test_numbers_and_cells_without_end(name, wrong, tmp_path):
    """In the place of each of the first numbers of a right file: read, or refused in one line."""
    for base in READERS[name].bases:
        for place in islice(re.finditer(rb"[0-9]+", base), 8):
            readers.attempt(READERS[name], base[: place.start()] + wrong + base[place.end() :], tmp_path)


@pytest.mark.parametrize("name", kernels.RIGHT)
def test_kernels_answer_or_refuse(name):
    @FEW
    @given(st.randoms(use_true_random=False))
    def attempt(draw):
        kernels.attempt(draw, name)

    attempt()


@pytest.mark.parametrize("path", FINDINGS, ids=lambda path: path.name)
def test_what_was_found_once(path, tmp_path):
    """Files named by their reader and what was wrong."""
    readers.attempt(READERS[path.name.partition(".")[0]], path.read_bytes(), tmp_path)


def test_no_reader_is_left_out():
    """Each function of `recte.formats` that reads a file is called by a fuzzer."""
    source = inspect.getsource(readers)
    for module in pkgutil.iter_modules(recte.formats.__path__):
        home = import_module(f"recte.formats.{module.name}")
        public = [name for name in getattr(home, "__all__", ()) if name.startswith(("read_", "iterate_"))]
        missing = [name for name in public if name not in source and name not in ("read_once", "read_together")]
        assert not missing, f"add readers of {home.__name__} to `readers` in tests/fuzz/readers.py: {missing}"


@pytest.mark.parametrize(("name", "seed"), [("count_mixed", 624)])
def test_a_case_that_was_answered_by_chance(name, seed):
    """Equal choices were ordered by where they lay in memory."""
    for _ in range(20):
        assert kernels.attempt(Random(f"{name} {seed}"), name)


@pytest.mark.parametrize(("name", "seed"), [("sum_choices", 2003173)])
def test_a_case_that_only_a_sanitizer_sees(name, seed):
    """Counts beyond 16 bits were made such where all weights are 0; nothing came of it but undefined behaviour."""
    kernels.attempt(Random(f"{name} {seed}"), name)
