"""Charts that fit a column of a paper: their size and fonts are read back from the files."""

from __future__ import annotations

import re
import struct

import pytest

from recte.cli import main
from recte.errors import OptionError
from recte.output.charts.writing import PaperSize, fit

CHARTS = ("gold.m2", "systems/heron.txt", "systems/magpie.txt", "systems/wren.txt", "-m", "m2", "--to", "out", "-q")


def drawn(sample, *arguments: str) -> dict[str, bytes]:
    assert main(["figures", *CHARTS, *arguments]) == 0
    return {path.name: path.read_bytes() for path in (sample / "out").iterdir()}


def box(pdf: bytes) -> tuple[float, float]:
    actual = re.search(rb"/MediaBox ?\[ ?0 0 ([\d.]+) ([\d.]+) ?\]", pdf)
    return float(actual[1]), float(actual[2])


def letters(svg: bytes) -> float:
    """The size of an axis' labels on paper."""
    text = svg.decode()
    width, drawn_width = re.search(r'width="([\d.]+)pt" height="[\d.]+pt" viewBox="0 0 ([\d.]+)', text).groups()
    return 12 * float(width) / float(drawn_width)


def test_charts_fit_a_column(sample):
    files = drawn(sample, "--chart-width", "240pt", "--font-size", "8", "--no-title", "--formats", "pdf", "svg", "png")
    names = {name.partition(".")[0] for name in files}
    assert {"scores-m2", "significance-m2", "precision-recall-m2", "error-types", "conservatism"} <= names
    for name in names:
        width, height = box(files[f"{name}.pdf"])
        assert width == pytest.approx(240, abs=0.01)
        assert height < 450
        svg = files[f"{name}.svg"]
        assert b'width="240pt"' in svg
        assert letters(svg) == pytest.approx(8, rel=0.03)
        pixels = struct.unpack(">II", files[f"{name}.png"][16:24])
        assert pixels[0] == pytest.approx(240 / 72 * 300, abs=2)
        assert b"MaxMatch" not in svg  # which is in titles alone


def test_fonts_are_embedded(sample):
    for pdf in drawn(sample, "--formats", "pdf", "--chart-width", "8.5cm").values():
        assert box(pdf)[0] == pytest.approx(8.5 / 2.54 * 72, abs=0.01)
        fonts = re.findall(rb"/Type ?/FontDescriptor.*?>>", pdf, re.DOTALL)
        assert fonts
        assert all(re.search(rb"/FontFile[23]?\b", font) for font in fonts)
        assert b"/Type3" not in pdf
        assert not re.search(rb"/BaseFont ?/(?![A-Z]{6}\+)", pdf)  # none is left to the reader's machine


def test_titles_stay_within_the_width_unless_they_are_left_out(sample):
    files = drawn(sample, "--chart-width", "3in")
    assert all(b'width="216pt"' in svg for svg in files.values())
    assert b"who beats whom" in files["significance-m2.svg"]
    bare = drawn(sample, "--no-title")
    assert b"who beats whom" not in bare["significance-m2.svg"]
    assert b"pt" not in re.search(rb"<svg[^>]*>", bare["significance-m2.svg"])[0]  # the size is as it comes


def test_a_font_size_alone_scales_the_whole(sample):
    ours = {name: box(pdf) for name, pdf in drawn(sample, "--formats", "pdf").items()}
    half = {name: box(pdf) for name, pdf in drawn(sample, "--formats", "pdf", "--font-size", "6").items()}
    for name, (width, height) in ours.items():
        assert half[name] == pytest.approx((width / 2, height / 2), abs=0.5)


def test_letters_shrink_where_a_plot_is_small(sample, capsys):
    files = drawn(sample, "--chart-width", "60pt", "--font-size", "10")
    assert all(b'width="60pt"' in svg for svg in files.values())
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(files)
    assert all(re.fullmatch(r"recte: \S+: letters of \d\.\d pt, smaller than asked, so that it fits", x) for x in lines)


def test_plots_side_by_side_go_below_each_other():
    panel = {"width": 200, "height": 100, "encoding": {"y": {"type": "quantitative"}}}
    chart = {"hconcat": [panel, panel], "title": {"text": "a long title " * 9, "subtitle": ["b"]}}

    def measure(spec):
        widths = [item["width"] for item in spec.get("hconcat", spec.get("vconcat"))]
        return 40 + (sum(widths) if "hconcat" in spec else max(widths))

    sized = fit(chart, PaperSize(width=200, font_size=12), measure)
    assert "hconcat" not in sized.specification
    assert [item["width"] for item in sized.specification["vconcat"]] == [160, 160]
    assert [item["height"] for item in sized.specification["vconcat"]] == [80, 80]
    assert len(sized.specification["title"]["text"]) > 3
    assert (sized.scale, sized.font_size) == (1.0, 12.0)
    assert chart["hconcat"][0]["width"] == 200  # the chart itself is as it was


@pytest.mark.parametrize("width", ["wide", "-3pt", "10 ft", "0pt", "1e9"])
def test_a_width_that_is_none(width, sample, capsys):
    assert main(["figures", *CHARTS, f"--chart-width={width}"]) == 2
    assert "chart-width: expected" in capsys.readouterr().err
    with pytest.raises(OptionError, match="font-size: expected 1 to 100 points, got 0"):
        PaperSize(font_size=0)
