"""Reads a LaTeX table back as a program would: compiled where a compiler is at hand, and parsed in any case."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

COMPILERS = ("pdflatex", "tectonic", "xelatex", "lualatex")
_SPECIAL = re.compile(r"(?<!\\)[%#_^]")  # signs that plain text must not hold
_WORDS = {
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"$^{\dagger}$": "†",
    r"$^{\ddagger}$": "‡",
    "$^2$": "²",
    "$<$": "<",
    "$>$": ">",
    "$|$": "|",
    "$-$": "−",
    r"$\pm$": "±",
    "$'$": "′",
    r"\allowbreak{}": "",
    "--": "–",
    **{f"\\{sign}": sign for sign in "&%$#_{}"},
}


def read_latex(text: str) -> tuple[list[tuple[str, int]], list[list[str]], str]:
    """The groups above the headers with their spans, headers and rows as plain text, and the notes below."""
    lines = text.split("\n")
    assert lines[0].startswith("% ")
    begin = next(line for line in lines if line.startswith(r"\begin{tabular}"))
    width = len(re.fullmatch(r"\\begin\{tabular\}\{([lr]+)\}", begin)[1])
    inside = lines[lines.index(begin) + 1 : lines.index(r"\end{tabular}")]
    assert inside[0] == r"\toprule"
    assert inside[-1] == r"\bottomrule"
    assert inside.count(r"\midrule") == 1
    rows = [line.removesuffix(r" \\") for line in inside if line.endswith(r" \\")]
    others = [line for line in inside if not line.endswith(r" \\")]
    assert all(re.fullmatch(r"\\(toprule|midrule|bottomrule)|(\\cmidrule\(lr\)\{\d+-\d+\})+", o) for o in others)
    groups, table = [], []
    for row in rows:
        cells = re.split(r"(?<!\\) ?& ?", row)
        if r"\multicolumn" in row:
            for cell in cells:
                spanning = re.fullmatch(r"\\multicolumn\{(\d+)\}\{c\}\{(.*)\}", cell)
                groups.append((plain(spanning[2]), int(spanning[1])) if spanning else ("", 1))
            assert sum(span for _, span in groups) == width
        else:
            assert len(cells) == width, row
            table.append([plain(cell) for cell in cells])
    after = "\n".join(lines[lines.index(r"\end{tabular}") + 1 :])
    notes = re.search(r"\\raggedright\n(.*)\n\\end\{minipage\}", after, re.DOTALL)
    return groups, table, "\n".join(map(plain, notes[1].split("\\par\n"))) if notes else ""


def plain(cell: str) -> str:
    """What a reader of the paper sees; bold is told by asterisks."""
    cell = re.sub(r"^\{\}", "", cell)
    cell = re.sub(r"F\$_\{([\d.]+)\}\$", r"F\1", cell)
    cell = re.sub(r"\\textbf\{(.*?)\}(?=\\rlap|$)", r"*\1*", cell)
    cell = re.sub(r"\\rlap\{(.*)\}", r"\1", cell)
    left, seen = cell, ""
    while left:
        word = next((word for word in _WORDS if left.startswith(word)), None)
        if word is None:
            assert not _SPECIAL.match(left), f"{left[0]!r} stands bare in {cell!r}"
            assert left[0] not in "\\{}$&", f"{left!r} is no plain text"
            word, seen = left[0], seen + left[0]
        else:
            seen += _WORDS[word]
        left = left[len(word) :]
    return seen


def compiler() -> str | None:
    return next(filter(None, map(shutil.which, COMPILERS)), None)


def compile_latex(table: str, folder: Path, document: str = "{article}") -> None:
    """A document with this table, made into a PDF; a failure shows the log."""
    text = "\n".join(
        [
            rf"\documentclass{document}",
            r"\usepackage[utf8]{inputenc}\usepackage{booktabs}\usepackage{graphicx}",
            r"\begin{document}",
            table if r"\begin{table}" in table else "\n".join([r"\begin{table}\centering", table, r"\end{table}"]),
            r"\end{document}",
        ]
    )
    (folder / "table.tex").write_text(text)
    program = compiler()
    assert program is not None
    flags = [] if "tectonic" in program else ["-interaction=nonstopmode", "-halt-on-error"]
    done = subprocess.run([program, *flags, "table.tex"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (folder / "table.pdf").read_bytes().startswith(b"%PDF")
