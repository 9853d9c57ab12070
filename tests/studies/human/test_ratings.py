"""Ratings, how raters are brought to one scale, and how far they agree."""

from __future__ import annotations

import numpy as np
import pytest

from recte.errors import InputError, OptionError
from recte.statistics.agreement import ICC_KINDS, LEVELS, icc, krippendorff_alpha, weighted_kappa
from recte.studies.human.ratings import Rating, Ratings, rater_agreement
from shared_data import golden_json

CASES = range(30)


@pytest.fixture(scope="module")
def cases():
    return golden_json("metaeval/ratings.json")["cases"]


def close(value, expected):
    return value is None if expected is None else value == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("number", CASES)
def test_agreement_is_that_of_the_published_packages(cases, number):
    case = cases[number]
    table = np.array([[np.nan if v is None else v for v in row] for row in case["ratings"]])
    wanted = case["results"]
    for level in LEVELS:
        assert close(krippendorff_alpha(table, level), wanted["alpha"][level])
    for weights, kappa in wanted.get("kappa", {}).items():
        assert close(weighted_kappa(table[0], table[1], weights=weights), kappa)
    for kind in ICC_KINDS if "icc" in wanted else ():
        assert close(icc(table, kind), wanted["icc"][kind])


def test_alpha_by_hand():
    # Two raters, units (1, 1), (2, 2), (1, 2): coincidences o11 = 2, o22 = 2, o12 = o21 = 1; n = 6, n1 = n2 = 3.
    table = np.array([[1.0, 2.0, 1.0, 5.0], [1.0, 2.0, 2.0, np.nan]])
    assert krippendorff_alpha(table, "nominal") == pytest.approx(1 - 5 * 2 / 18)
    assert krippendorff_alpha(np.ones((2, 3))) is None


def test_a_scale_keeps_the_gap_of_unused_values():
    first, second = np.array([1.0, 1.0, 5.0, 4.0]), np.array([1.0, 4.0, 5.0, 4.0])
    narrow = weighted_kappa(first, second, weights="linear")
    whole = weighted_kappa(first, second, weights="linear", scale=range(1, 6))
    # Costs by chance, over 4: of places 4 + 4 + 1 + 1 + 2 + 2, of values 12 + 8 + 3 + 1 + 4 + 2.
    assert narrow == pytest.approx(1 - 1 / (14 / 4))
    assert whole == pytest.approx(1 - 3 / (30 / 4))
    with pytest.raises(InputError, match="every rating to be one of its values, got 5"):
        weighted_kappa(first, second, scale=[1, 2, 3, 4])


def test_raters_are_brought_to_one_scale():
    rated = [Rating(0, "ann", "x", 1.0), Rating(1, "ann", "x", 3.0), Rating(0, "bob", "x", 70.0)]
    rated += [Rating(1, "bob", "x", 70.0), Rating(3, "cid", "y", 9.0)]
    ratings = Ratings.of(rated, length=5)
    assert ratings.normalised("z").rating.tolist() == [-1.0, 1.0, 0.0, 0.0, 0.0]
    assert ratings.normalised("rank").rating.tolist() == [0.25, 0.75, 0.5, 0.5, 0.5]
    assert ratings.table().shape == (2, 5)
    assert ratings.table()[0, :2].tolist() == [35.5, 36.5]
    assert np.isnan(ratings.table()[1, :3]).all()
    assert ratings.without(["y"]).systems == ("x",)
    with pytest.raises(OptionError, match="rater_scale: expected one of none, z, rank, got 'iqr'"):
        ratings.normalised("iqr")


def test_agreement_of_a_set_of_ratings():
    rated = [Rating(s, r, "x", float(v)) for r, row in (("a", (1, 2, 3)), ("b", (1, 3, 3))) for s, v in enumerate(row)]
    actual = rater_agreement(Ratings.of([*rated, Rating(5, "a", "y", 2.0)]))
    assert (actual.raters, actual.ratings, actual.units, actual.rated_twice) == (2, 7, 4, 3)
    assert actual.kappa == pytest.approx(weighted_kappa(np.array([1.0, 2, 3]), np.array([1.0, 3, 3])))
    assert actual.icc == pytest.approx(icc(np.array([[1.0, 2, 3], [1.0, 3, 3]])))
