"""Names next to points stay inside the plot, and apart where they fit."""

from __future__ import annotations

from math import dist

from hypothesis import given
from hypothesis import strategies as st

from recte.output.charts.theme import place_labels

POINT = st.tuples(st.floats(5, 245), st.floats(5, 245))


@given(st.lists(POINT, max_size=15))
def test_a_name_stays_near_its_point_and_inside(points):
    names = [f"SYS{n}" for n in range(len(points))]
    for name, point, label in zip(names, points, place_labels(names, points, 250, 250), strict=True):
        assert abs(label.x - point[0]) <= 7 * len(name)
        assert abs(label.y - point[1]) <= 15
        assert -5 <= label.x <= 255
        assert -5 <= label.y <= 255


def test_two_points_side_by_side_have_names_apart():
    left, right = place_labels(["LEFT", "RIGHT"], [(100, 100), (110, 100)], 250, 250)
    assert abs(left.x - right.x) > 25 or abs(left.y - right.y) >= 10


def test_a_name_is_nearer_to_its_own_point_than_to_another():
    points = [(100.0, 100.0), (106.0, 104.0), (90.0, 92.0)]
    for point, label in zip(points, place_labels(["UFC", "UMC", "SJTU"], points, 250, 250), strict=True):
        assert min(points, key=lambda other: dist(other, label)) == point
