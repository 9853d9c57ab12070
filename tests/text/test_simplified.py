"""Traditional to simplified, compared with OpenCC itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recte.text.normalisation import SIMPLIFIED_NAME, _table, simplify

PIECES = sorted(_table().forms) + [chr(code) for code in sorted(_table().variants)]


@given(st.lists(st.sampled_from(PIECES) | st.sampled_from("我的乾隆想像a，。😀"), max_size=8).map("".join))
def test_as_opencc_does(text):
    opencc = pytest.importorskip("opencc")
    assert simplify(text) == opencc.OpenCC("t2s").convert(text)


def test_the_table_says_where_it_is_from():
    from recte.extras import version_of

    if version_of("opencc") == "1.4.2":
        assert SIMPLIFIED_NAME == "opencc-1.4.2"
    assert simplify("") == ""
    assert simplify("後來乾隆喝乾了酒") == "后来乾隆喝干了酒"
