"""Every output that the page shows reads back to exactly what stands in the system's file, on real data."""

from __future__ import annotations

from pathlib import Path

import pytest

from browsing import needs_browser, opened
from recte import MaxMatch
from recte.evaluation.evaluation import evaluate
from recte.evaluation.inputs import GoldFiles, read_corpus_and_systems
from recte.output.page.writing import render_page
from recte.statistics.intervals import Resampling
from shared_data import shared

pytestmark = needs_browser

# Walks through all sentences as a reader would, by the key j, and reads every output: the text of its line without
# what is struck out and without what is said about it. Each line's edits are counted too.
READ_BACK = """
const done = arguments[arguments.length - 1], found = {}, systems = arguments[0];
function text(line) {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let read = "";
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest("del, .aside")) read += walker.currentNode.data;
  return read;
}
for (let s = 0; s < systems; s++) found[s] = [];
let edits = 0;
for (let i = 0; i < arguments[1]; i++) {
  for (const row of document.querySelectorAll("#sentence .row[data-systems]")) {
    const lines = row.querySelectorAll(".text.output");
    if (lines.length !== 1) return done(`sentence ${i + 1} has ${lines.length} lines`);
    edits += lines[0].querySelectorAll(".edit").length;
    if (lines[0].querySelector(".missed")) return done(`sentence ${i + 1} has missed edits in its line`);
    for (const s of JSON.parse(row.dataset.systems)) found[s].push(text(lines[0]));
  }
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
}
done([found, edits]);
"""


def lines_of(path):
    """The lines of a file; white space at their ends, which nobody sees, aside."""
    return [line.strip() for line in path.read_bytes().decode("utf-8").rstrip("\n").split("\n")]


def read_back(browser, tmp_path, gold, systems, fewest=100):
    corpus, read = read_corpus_and_systems(gold, systems)
    data = evaluate(corpus, read, [MaxMatch()], resampling=Resampling(resamples=10))
    path = tmp_path / "report.html"
    path.write_text(render_page(data, {}), encoding="utf-8")
    opened(browser, path.as_uri(), "#sentence-1")
    actual, edits = browser.execute_async_script(READ_BACK, len(read), len(corpus))
    assert edits >= fewest
    return {system.name: actual[str(number)] for number, system in enumerate(read)}


def test_conll14(browser, tmp_path):
    systems = {path.stem: path for path in sorted(shared("data", "conll14", "systems").glob("*.txt"))}
    actual = read_back(browser, tmp_path, GoldFiles(gold=shared("data", "conll14", "gold.m2")), systems)
    for name, path in systems.items():
        assert actual[name] == lines_of(path), name


def test_jfleg(browser, tmp_path):
    folder = shared("data", "jfleg")
    systems = {"ref2": folder / "test.ref2", "ref3": folder / "test.ref3", "source": folder / "test.src"}
    gold = GoldFiles(source=folder / "test.src", references=(folder / "test.ref0", folder / "test.ref1"))
    actual = read_back(browser, tmp_path, gold, systems)
    for name, path in systems.items():
        assert actual[name] == lines_of(path), name


def test_mucgec(browser, tmp_path):
    folder = shared("data", "chinese", "mucgec")
    actual = read_back(browser, tmp_path, GoldFiles(gold=folder / "dev.para"), {"system": folder / "system.para"})
    both = zip(lines_of(folder / "dev.para"), lines_of(folder / "system.para"), strict=True)
    scored = (line for gold_line, line in both if set(gold_line.split("\t")[2:]) != {"无法标注"})
    assert actual["system"] == [line.split("\t")[2] for line in scored]


RAW = {
    "He  go to\tschool .": "He  goes to\tschool .",  # white space of other kinds
    '"It doesn\'t work," he say.': '"It doesn\'t work," he said.',  # quotes that a tokeniser writes again
    "It (really) rain...": "It (really) rains...",
    "Empty it .": "",
}


CHINESE = {
    "我 用 iPhone 4 打电话": "我 在用 iPhone 4 打电话",
    "ＡＢ他去学校的。": "ＡＢ他去学校了。",  # full width, which normalising makes narrow
    "因为冰箱空": "因为冰箱是空的",
}


@pytest.mark.parametrize(
    ("tokens", "normalise", "lines"),
    [
        (None, (), RAW),
        ("treebank", (), RAW),
        ("13a", (), RAW),
        ("characters", (), CHINESE),
        ("characters", ("width",), CHINESE),
        ("jieba", (), CHINESE),
    ],
)
def test_raw_text(browser, tmp_path, tokens, normalise, lines):
    if tokens == "jieba":
        pytest.importorskip("jieba", reason="needs jieba: pip install 'recte[chinese]'")
    for name, texts in (("source", lines), ("reference", lines.values()), ("output", lines.values())):
        Path(tmp_path, name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    gold = GoldFiles(
        source=tmp_path / "source", references=(tmp_path / "reference",), tokens=tokens, normalise=normalise
    )
    actual = read_back(browser, tmp_path, gold, {"mine": tmp_path / "output"}, fewest=2)
    assert actual["mine"] == list(lines.values())


def test_what_is_copied_is_the_output(browser, tmp_path):
    for name, text in (("source", "He go to a school ."), ("reference", "He goes to school .")):
        Path(tmp_path, name).write_text(f"{text}\n", encoding="utf-8")
    gold = GoldFiles(source=tmp_path / "source", references=(tmp_path / "reference",))
    read_back(browser, tmp_path, gold, {"mine": tmp_path / "reference"}, fewest=2)
    copied = browser.execute_script(
        "getSelection().selectAllChildren(document.querySelector('.text.output')); return getSelection().toString()"
    )
    assert copied == "He goes to school ."
