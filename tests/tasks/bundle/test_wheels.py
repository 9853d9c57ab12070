"""The wheels that a scoring program carries: which fit its image, and what is said where one is missing."""

from __future__ import annotations

import sys

import pytest

from recte.errors import InputError
from recte.tasks.bundle.wheels import find_wheels, fits, pack_installed


@pytest.mark.parametrize(
    ("tag", "python", "expected"),
    [
        ("py3-none-any", "3.12", True),
        ("cp312-abi3-manylinux_2_28_x86_64", "3.13", True),
        ("cp312-abi3-manylinux_2_28_x86_64", "3.11", False),
        ("cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64", "3.11", True),
        ("cp311-cp311-linux_x86_64", "3.12", False),
        ("cp312-cp312-macosx_11_0_arm64", "3.12", False),
        ("cp312-cp312-win_amd64", "3.12", False),
        ("py2.py3-none-any", "3.11", True),
    ],
)
def test_which_wheels_fit(tag, python, expected):
    assert fits(tag, python) is expected


def test_a_wheel_that_is_missing_says_how_to_fetch_it(tmp_path):
    with pytest.raises(
        InputError,
        match=r"recte: expected a wheel for Python 3\.99 .* pip wheel --wheel-dir wheels FOLDER, then --wheels wheels",
    ):
        find_wheels("3.99")
    with pytest.raises(InputError, match="expected a folder with wheels"):
        find_wheels("3.11", folder=tmp_path / "nowhere")
    (tmp_path / "recte-0.0.1-py3-none-any.whl").write_bytes(b"x")
    with pytest.raises(InputError, match=r"expected recte .*, got 0\.0\.1"):
        find_wheels("3.11", folder=tmp_path)


def test_packages_of_the_task_go_along():
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    ours = pack_installed("mdurl")
    assert ours.file.startswith("mdurl-")
    assert ours.content == pack_installed("mdurl").content
    with pytest.raises(InputError, match=r"^no-such-package: expected a wheel for .* pip download"):
        find_wheels(python, ["no_such.package"])
