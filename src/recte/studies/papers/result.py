"""A published figure next to ours: how far they are apart, and the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from statistics import fmean, stdev
from typing import Any, Literal, get_args

__all__ = [
    "CLAIMS",
    "VERDICTS",
    "ByChance",
    "FromRounded",
    "PaperFigure",
    "TableResult",
    "Value",
    "Verdict",
    "compare_figure",
    "decimals",
]
Verdict = Literal[
    "exact", "within rounding", "within chance", "differs", "holds", "does not hold", "no data", "not printed"
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

CLAIMS = "<>"  # what a published claim begins with
_EQUAL = 1e-9
_CHANCE = 3.0  # standard deviations that chance is given
_WHOLE = 1e-6  # what is printed without digits is meant so; sums of floating-point numbers hardly miss it


@dataclass(frozen=True)
class FromRounded:
    """A figure made from printed ones, and the least and most it can be, since these are rounded."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ByChance:
    """A figure that is random by nature: its mean over seeds, and its standard deviation from seed to seed.

    >>> ByChance.over_seeds([0.25, 0.75])
    ByChance(value=0.5, deviation=0.3535533905932738)
    """

    value: float
    deviation: float

    @classmethod
    def over_seeds(cls, values: Sequence[float]) -> ByChance:
        """From one run for each seed."""
        return cls(fmean(values), stdev(values))


Value = int | float | str | FromRounded | ByChance


@dataclass(frozen=True)
class PaperFigure:
    """One figure of a paper. `published` is as printed, `difference` ours less theirs where both are numbers.

    `exact`: ours, printed with as many digits, is the same. `within rounding`: less than one in the last printed digit
    apart, or as far as the rounding of the figures explains which it was made from; never said of counts. `within
    chance`: a random figure within three standard deviations of our mean over seeds; all it can be, and never said of
    others. `holds` and
    `does not hold`: what the paper claims in words. `no data`: not computed, or on other data than the paper's, for
    want of it. `not printed`: the paper has no figure for it. `why` says why a figure differs or a claim does not hold,
    or what is needed to compute it.
    """

    name: str
    published: str | None
    ours: int | float | str | None
    difference: float | None
    verdict: Verdict
    why: str = ""


@dataclass(frozen=True)
class TableResult:
    """A table or figure of a paper, reproduced.

    `printed` is False where the published figures are not in the paper's text but in what its authors released.
    `missing` is the file of the data folder without which nothing was computed.
    """

    paper: str
    name: str
    title: str
    printed: bool
    figures: tuple[PaperFigure, ...]
    notes: tuple[str, ...] = ()
    missing: str = ""

    @property
    def verdicts(self) -> Mapping[Verdict, int]:
        """How many figures have each verdict."""
        return {verdict: sum(figure.verdict == verdict for figure in self.figures) for verdict in VERDICTS}

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and text."""
        return {**asdict(self), "verdicts": dict(self.verdicts)}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> TableResult:
        """The result of which `to_dict` made `plain`; keys that are not fields are left out."""
        values = {field.name: plain[field.name] for field in fields(cls)}
        figures = tuple(PaperFigure(**figure) for figure in plain["figures"])
        return cls(**{**values, "figures": figures, "notes": tuple(plain["notes"])})


def decimals(printed: str) -> int:
    """How many digits stand behind the point.

    >>> decimals("0.500"), decimals("44")
    (3, 0)
    """
    return len(printed.partition(".")[2])


def compare_figure(
    name: str, published: str | None, ours: Value | None, why: str = "", *, claim: bool = False
) -> PaperFigure:
    """The figure with its verdict. A `published` that begins with < or > is a claim, too, which ours meets or not.

    >>> figures = ("0.691", 0.6907), ("-0.250", -0.2507), ("44", 45)
    >>> [compare_figure("r", printed, ours).verdict for printed, ours in figures]
    ['exact', 'within rounding', 'differs']
    >>> compare_figure("p", "< 0.10", 0.0946).verdict
    'holds'
    """
    if ours is None:
        return PaperFigure(name, published, None, None, "no data", why)
    plain = ours.value if isinstance(ours, FromRounded | ByChance) else ours
    if published is None:
        return PaperFigure(name, None, plain, None, "not printed")
    if claim or published[0] in CLAIMS:
        holds = _holds(published, ours)
        return PaperFigure(name, published, plain, None, "holds" if holds else "does not hold", "" if holds else why)
    difference = None if isinstance(plain, str) else plain - float(published)
    verdict = _verdict(published, ours)
    return PaperFigure(name, published, plain, difference, verdict, why if verdict == "differs" else "")


def _holds(claim: str, ours: Value) -> bool:
    if claim[0] in CLAIMS and isinstance(ours, int | float):
        bound = float(claim[1:])
        return ours < bound if claim[0] == "<" else ours > bound
    return _verdict(claim, ours) == "exact"


def _verdict(published: str, ours: Value) -> Verdict:
    if isinstance(ours, str):
        return "exact" if ours == published else "differs"
    if isinstance(ours, ByChance):
        return "within chance" if abs(ours.value - float(published)) <= _CHANCE * ours.deviation else "differs"
    value, low, high = (ours.value, ours.low, ours.high) if isinstance(ours, FromRounded) else (ours, ours, ours)
    printed, digits = float(published), decimals(published)
    if not digits:
        return "exact" if abs(value - printed) < _WHOLE else "differs"
    unit = 10.0**-digits
    if abs(value - printed) <= unit / 2 + _EQUAL:
        return "exact"
    explained = abs(value - printed) < unit or low - unit / 2 <= printed <= high + unit / 2
    return "within rounding" if explained else "differs"
