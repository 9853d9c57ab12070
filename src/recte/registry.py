"""Objects by name, each imported when it is asked for: metrics, formats, annotators, papers.

A table gives the place of each, as `module:attribute`. Installed packages add to it by entry points of a group, and a
running program by `register`. To list the names imports nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from recte.errors import OptionError, describe_choices, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import EntryPoint

__all__ = ["Entry", "Registry", "import_object"]

T = TypeVar("T")


def import_object(place: str) -> Any:
    """The object at `module:attribute`; the attribute may have dots.

    >>> import_object("math:pi")
    3.141592653589793
    """
    module, _, attribute = place.partition(":")
    value: Any = import_module(module)
    for part in attribute.split("."):
        value = getattr(value, part)
    return value


class Entry(NamedTuple):
    """An object that may not be imported yet: its names, the first of which is its own, its place, and its package."""

    names: tuple[str, ...]
    place: str
    package: str = "recte"


class Registry(Generic[T]):
    """Objects of one kind by name.

    `places` maps names to `module:attribute`; a second name of the same place is an alias. `group` is the group of the
    entry points by which installed packages add their own. They cannot take a name of the table.

    >>> numbers = Registry[float]("number", {"pi": "math:pi", "archimedes": "math:pi", "e": "math:e"})
    >>> numbers.names(), numbers.aliases_of("pi"), numbers.load("archimedes")
    (('pi', 'e'), ('archimedes',), 3.141592653589793)
    >>> numbers.load("archimede")
    Traceback (most recent call last):
    recte.errors.OptionError: number: expected one of pi, e, got 'archimede'; did you mean archimedes?
    """

    def __init__(self, kind: str, places: Mapping[str, str], *, group: str = "") -> None:
        self.kind, self.group = kind, group
        names_at: dict[str, list[str]] = {}
        for name, place in places.items():
            names_at.setdefault(place, []).append(name)
        self._built_in = {name: Entry(tuple(names_at[place]), place) for name, place in places.items()}
        self._registered: dict[str, T] = {}
        self._loaded: dict[str, T] = {}

    def _find_entry_points(self) -> Iterable[EntryPoint]:
        """The entry points of installed packages; to find them takes longer than most imports of our own."""
        if not self.group:
            return ()
        from importlib.metadata import entry_points

        return entry_points(group=self.group)

    @cached_property
    def _entries(self) -> Mapping[str, Entry]:
        """Every name of every object that is in the table or installed."""
        names_at: dict[tuple[str, str], list[str]] = {}
        for point in self._find_entry_points():
            package = "another package" if point.dist is None else point.dist.name
            names_at.setdefault((package, f"{point.module}:{point.attr}"), []).append(point.name)
        by_name = dict(self._built_in)
        for (package, place), names in sorted(names_at.items()):
            entry = Entry(tuple(name for name in sorted(names) if name not in by_name), place, package)
            by_name.update(dict.fromkeys(entry.names, entry))
        return by_name

    def names(self) -> tuple[str, ...]:
        """One name for each object, those of the table first."""
        return tuple(dict.fromkeys([*(entry.names[0] for entry in self._entries.values()), *self._registered]))

    def aliases_of(self, name: str) -> tuple[str, ...]:
        """The other names of an object."""
        entry = self.find(name)
        return () if entry is None else tuple(other for other in entry.names if other != name)

    def find(self, name: str) -> Entry | None:
        """Where the object of this name is; None where the name is unknown or a program registered it."""
        return self._built_in.get(name) or self._entries.get(name)

    def load(self, name: str) -> T:
        """The object of this name; an OptionError where the name is unknown or another package's module fails."""
        for known_values in (self._registered, self._loaded):
            if name in known_values:
                return known_values[name]
        entry = self.find(name)
        if entry is None:
            known = [other for entry in self._entries.values() for other in entry.names]
            hint = did_you_mean(name, [*known, *self._registered])
            raise OptionError(f"{self.kind}: {describe_choices(self.names(), name)}{hint}")
        try:
            value: T = import_object(entry.place)
        except (Exception, SystemExit) as error:
            if entry.package == "recte":
                raise
            reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise OptionError(f"{self.kind} {entry.names[0]} of {entry.package}: cannot be loaded: {reason}") from error
        self._loaded[name] = value
        return value

    def values(self) -> Iterator[T]:
        """All objects in the order of their names, each imported when its turn comes."""
        return map(self.load, self.names())

    def __contains__(self, name: object) -> bool:
        return name in self._registered or (isinstance(name, str) and self.find(name) is not None)

    def register(self, name: str, value: T) -> None:
        """Give the object of this process that name; an OptionError where the name is taken by a table or a package."""
        if self.find(name) is not None:
            raise OptionError(f"{self.kind}: expected a new name, got {name!r}, which is taken")
        self._registered[name] = value
