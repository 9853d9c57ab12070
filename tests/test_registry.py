"""Objects by name: the table, installed packages and what a program registers."""

from importlib.metadata import EntryPoint

import pytest

from recte.errors import OptionError
from recte.metrics import metric_class
from recte.registry import Registry


@pytest.fixture
def numbers(monkeypatch):
    points = [
        EntryPoint("tau", "math:tau", "numbers"),
        EntryPoint("turn", "math:tau", "numbers"),
        EntryPoint("pi", "cmath:e", "numbers"),
        EntryPoint("broken", "no_such_module:x", "numbers"),
    ]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: points if group == "numbers" else ())
    return Registry("number", {"pi": "math:pi", "e": "math:e"}, group="numbers")


def test_installed_packages_add_names_and_cannot_take_one(numbers):
    import math

    assert numbers.names() == ("pi", "e", "tau", "broken")
    assert numbers.aliases_of("turn") == ("tau",)
    assert (numbers.load("turn"), numbers.load("pi")) == (math.tau, math.pi)


def test_what_fails_in_another_package_is_one_line_with_its_name(numbers):
    with pytest.raises(OptionError, match="number broken of another package: cannot be loaded: ModuleNotFoundError"):
        numbers.load("broken")


def test_our_own_failures_are_not_hidden():
    with pytest.raises(ModuleNotFoundError):
        Registry("number", {"pi": "no_such_module:pi"}).load("pi")


def test_a_program_registers_names_that_are_free(numbers):
    numbers.register("zero", 0)
    assert "zero" in numbers
    assert (numbers.load("zero"), numbers.names()[-1]) == (0, "zero")
    with pytest.raises(OptionError, match="expected a new name, got 'tau', which is taken"):
        numbers.register("tau", 6)


def test_without_a_group_no_installed_package_is_looked_for(monkeypatch):
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: pytest.fail("looked for packages"))
    assert Registry("number", {"pi": "math:pi"}).names() == ("pi",)


def test_an_unknown_metric_says_how_a_file_of_your_own_is_named():
    with pytest.raises(OptionError, match="got 'overlap'; one in a file of your own is module:name"):
        metric_class("overlap")
