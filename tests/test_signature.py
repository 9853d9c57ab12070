"""Signatures: what is put together can be taken apart, and nothing forges a part."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import recte
from recte.signature import Signature, format_value


@given(st.dictionaries(st.from_regex(r"[a-z_]+", fullmatch=True), st.text() | st.floats() | st.booleans(), max_size=4))
def test_a_signature_is_read_as_it_was_written(values):
    signature = Signature.of("m2", **{key: value for key, value in values.items() if key not in ("cls", "self")})
    assert Signature.parse(str(signature)) == signature
    assert str(signature).isprintable()


def test_parts_come_before_the_version_and_intervals_after_it():
    signature = Signature.of("m2", "paper", beta=0.5, mix=None, threads=True)
    assert str(signature) == f"m2|paper|beta:0.5|threads:yes|version:{recte.__version__}"
    changed = Signature.parse(f"{signature}|ci:percentile").add("setting", by="x").with_interval(seed=3)
    assert (
        str(changed) == f"m2|paper|beta:0.5|threads:yes|setting|by:x|version:{recte.__version__}|ci:percentile|seed:3"
    )
    assert str(Signature.parse("a line without a version")) == "a line without a version"


def test_a_value_forges_no_part():
    assert format_value("a|version:9\n%") == "a%7Cversion:9%0A%25"
