"""Messages of a run: who listens gets them, and the command line writes them to standard error."""

from __future__ import annotations

import pytest

from recte.messages import Message, is_quiet, message_listener, note, report, standard_error, warn


def test_a_listener_gets_every_message():
    messages: list[Message] = []
    with message_listener(messages.append):
        warn("odd", subject="line 3")
        note("left out")
        report("drew a.svg")
    assert messages == [("odd", "warning", "line 3"), ("left out", "note", ""), ("drew a.svg", "report", "")]


def test_without_a_listener_a_warning_is_one_of_python():
    note("lost")
    report("lost")
    with pytest.warns(RuntimeWarning, match="^odd$") as caught:
        warn("odd")
    assert [warning.filename for warning in caught] == [__file__]


def test_of_messages_about_a_subject_the_last_comes_at_the_end(capsys):
    def fail() -> None:
        note("1 request", subject="cost")
        warn("odd\x1b[31m")
        note("2 requests", subject="cost")
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"), standard_error():
        fail()
    assert capsys.readouterr() == ("", "recte: warning: odd\\x1b[31m\nrecte: note: 2 requests\n")


def test_quiet_hides_warnings_and_notes_alone(capsys):
    with standard_error(quiet=True):
        assert is_quiet()
        warn("odd")
        note("left out")
        note("2 requests", subject="cost")
        report("drew a.svg")
    assert not is_quiet()
    assert capsys.readouterr() == ("", "recte: drew a.svg\n")
