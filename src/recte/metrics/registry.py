"""Which metrics there are: our own, those of installed packages, and those that a program registers.

A package offers a metric by an entry point of the group `recte.metrics`, whose name is the metric's name:

    [project.entry-points."recte.metrics"]
    word-overlap = "my_package.word_overlap:WordOverlap"

A second entry point of the same class is an alias. Nothing is imported before it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from recte.argument_types import check_arguments
from recte.errors import OptionError, describe_choices, did_you_mean
from recte.extras import load_named

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from recte.metrics.base import Metric

__all__ = [
    "GROUP",
    "MetricEntry",
    "aliases_of",
    "check_name",
    "load_metrics",
    "metric_class",
    "metric_names",
    "register",
]

MetricOrClass = TypeVar("MetricOrClass", bound="Metric | type[Metric]")

GROUP = "recte.metrics"


@dataclass(frozen=True, slots=True)
class MetricEntry:
    """A metric by its names, the first of which is its own, and the place of its class; `package` says whose it is."""

    names: tuple[str, ...]
    module: str
    attribute: str
    package: str = "recte"

    def load(self) -> type[Metric]:
        """The class; whatever is wrong with a stranger's module is one line for its user."""
        where = f"metric {self.names[0]} of {self.package}"
        try:
            value: Any = import_module(self.module)
            for part in self.attribute.split("."):
                value = getattr(value, part)
        except (Exception, SystemExit) as error:
            if self.package == "recte":
                raise
            raise OptionError(f"{where}: cannot be loaded: {type(error).__name__}: {_one_line(error)}") from error
        cls: type[Metric] = _class_of(value)
        name = getattr(cls, "name", None)
        if name not in self.names:
            raise OptionError(f"{where}: expected a class whose name is {' or '.join(self.names)}, got {name!r}")
        check_name(cls.name)
        return cls


BUILT_IN = (
    MetricEntry(("m2", "maxmatch"), "recte.metrics.maxmatch", "MaxMatch"),
    MetricEntry(("hoo",), "recte.metrics.hoo", "Hoo"),
    MetricEntry(("m2-et",), "recte.metrics.estonian_maxmatch", "EstonianMaxMatch"),
    MetricEntry(("errant",), "recte.metrics.errant", "Errant"),
    MetricEntry(("cherrant",), "recte.metrics.cherrant", "Cherrant"),
    MetricEntry(("imeasure", "i"), "recte.metrics.imeasure", "IMeasure"),
    MetricEntry(("gleu",), "recte.metrics.gleu", "Gleu"),
    MetricEntry(("green",), "recte.metrics.green", "Green"),
    MetricEntry(("cleme",), "recte.metrics.cleme", "Cleme"),
    MetricEntry(("cleme2",), "recte.metrics.cleme", "Cleme2"),
    MetricEntry(("goto",), "recte.metrics.goto", "Goto"),
    MetricEntry(("sentence-accuracy", "accuracy"), "recte.metrics.sentence_accuracy", "SentenceAccuracy"),
    MetricEntry(("bleu",), "recte.metrics.bleu", "Bleu"),
    MetricEntry(("char-bleu",), "recte.metrics.bleu", "CharBleu"),
    MetricEntry(("csc",), "recte.metrics.csc", "Csc"),
    MetricEntry(("char-meaning",), "recte.metrics.char_meaning", "CharMeaning"),
    MetricEntry(("some",), "recte.metrics.some", "Some"),
    MetricEntry(("llm-judge",), "recte.metrics.llm_judge", "LlmJudge"),
    MetricEntry(("impara",), "recte.metrics.impara", "Impara"),
    MetricEntry(("scribendi",), "recte.metrics.scribendi", "Scribendi"),
    MetricEntry(("perplexity", "ppl"), "recte.metrics.perplexity", "Perplexity"),
    MetricEntry(("bertscore",), "recte.metrics.bertscore", "BertScore"),
    MetricEntry(("pt-m2",), "recte.metrics.pt_m2", "PtM2"),
    MetricEntry(("pt-errant",), "recte.metrics.pt_errant", "PtErrant"),
)
_BUILT_IN_NAMES = {name: entry for entry in BUILT_IN for name in entry.names}
_registered: dict[str, type[Metric]] = {}


def _iterate_installed() -> Iterable[EntryPoint]:
    """The entry points of installed packages; to look for them takes longer than to load a metric of our own."""
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


@cache
def _entries() -> Mapping[str, MetricEntry]:
    """Every name of every metric, built in or installed. Our own names cannot be taken by a package."""
    by_name = dict(_BUILT_IN_NAMES)
    names_of: dict[tuple[str, str, str], list[str]] = {}
    for point in sorted(_iterate_installed(), key=lambda point: (point.value, point.name)):
        package = "another package" if point.dist is None else point.dist.name
        names_of.setdefault((package, point.module, point.attr), []).append(point.name)
    for (package, module, attribute), names in sorted(names_of.items()):
        free = tuple(name for name in names if name not in by_name)
        by_name.update({name: MetricEntry(free, module, attribute, package) for name in free})
    return by_name


def check_name(name: str) -> None:
    """Refuse a name that cannot stand on the command line and at the beginning of a signature."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", name):
        raise OptionError(f"metric: expected a name of letters, digits, - _ and ., got {name!r}")


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())


def metric_names() -> tuple[str, ...]:
    """One name for each metric, our own first; nothing is imported.

    >>> metric_names()[:2]
    ('m2', 'hoo')
    """
    entries = dict.fromkeys(_entries().values())
    return tuple(dict.fromkeys([*(entry.names[0] for entry in entries), *_registered]))


def aliases_of(name: str) -> tuple[str, ...]:
    """The other names of a metric.

    >>> aliases_of("m2")
    ('maxmatch',)
    """
    entry = _entries().get(name)
    return () if entry is None else tuple(other for other in entry.names if other != name)


@check_arguments
def metric_class(name: str) -> type[Metric]:
    """The class of a metric by its name or alias, or by `module:name` where a plain file has it.

    >>> metric_class("maxmatch").name
    'm2'
    """
    if ":" in name:
        return _load_class(name)
    if name in _registered:
        return _registered[name]
    entry = _BUILT_IN_NAMES.get(name) or _entries().get(name)
    if entry is None:
        raise OptionError(f"metric: {describe_choices(metric_names(), name)}{_near(name)}")
    return entry.load()


def _load_class(name: str) -> type[Metric]:
    """The metric that `module:name` stands for: its class, or a metric itself. It is registered on the way."""
    from recte.metrics.base import Metric

    value = load_named(name, "metric", "metric")
    cls: type[Metric] = _class_of(value)
    if not issubclass(cls, Metric):
        got = f"a class {cls.__name__}" if cls is value else f"a {cls.__name__}"
        decorate = "decorate a function by @recte.sentence_metric('its-name')"
        raise OptionError(f"metric: expected a subclass of recte.Metric from {name}, got {got}; {decorate}")
    register(cls)
    if "loaded_as" not in vars(cls):
        cls.loaded_as = name
    return cls


def _near(name: str) -> str:
    """What was meant, among all names and aliases; else how to name a metric that is none of these."""
    known = [*metric_names(), *(alias for metric_name in metric_names() for alias in aliases_of(metric_name))]
    return did_you_mean(name, known) or "; one in a file of your own is module:name"


def load_metrics() -> tuple[dict[str, type[Metric]], list[str]]:
    """Every metric that can be loaded, by its own name, and one line for each that cannot.

    >>> load_metrics()[0]["gleu"].title
    'GLEU'
    """
    loaded: dict[str, type[Metric]] = {}
    failures = []
    for name in metric_names():
        try:
            cls = metric_class(name)
            loaded.setdefault(cls.name, cls)
        except OptionError as error:
            failures.append(str(error))
    return loaded, failures


@check_arguments
def register(metric: MetricOrClass) -> MetricOrClass:
    """Make a metric known to this process by its name, as an entry point does for an installed one; a decorator.

    It takes a class, or a metric that `sentence_metric` made. The class of an entry point is known already.

    >>> from recte.metrics.gleu import Gleu
    >>> class MyGleu(Gleu):
    ...     name = "my-gleu"
    >>> register(MyGleu) is metric_class("my-gleu")
    True
    >>> del _registered["my-gleu"]
    """
    cls: type[Metric] = _class_of(metric)
    name = getattr(cls, "name", None)
    if not isinstance(name, str):
        raise OptionError(f"metric: expected a class with a name, got {cls.__name__} without one")
    check_name(name)
    entry = _entries().get(name)
    if entry is None:
        _registered[name] = cls
    elif entry.package == "recte" or (entry.module, entry.attribute) != (cls.__module__, cls.__qualname__):
        raise OptionError(f"metric: expected a new name, got {name!r}, which is taken")
    return metric


def _class_of(value: Any) -> Any:
    """A class as it is, and the class of anything else."""
    return value if isinstance(value, type) else type(value)
