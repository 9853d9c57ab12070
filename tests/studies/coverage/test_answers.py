"""Many answers a sentence, from JSON lines and from tables, and what is refused."""

from __future__ import annotations

import pytest

from recte.errors import InputError
from recte.studies.coverage.answer_files import read_answers
from recte.studies.coverage.kinds import AnsweredSentence
from shared_data import shared

LINE = (
    '{"source": "He go", "corrections": ["He goes", "He went", "He goes"], "rejected": ["x"], "id": 7, "short": true}'
)
TABLE = """source\tcorrection\trejected\tlevel
He go\tHe goes\tno\tB1
So what\tSo what ?\tno\tB2
He go\tHe went\t\tB1
He go\tx\tyes\tB1
"""


def written(tmp_path, text):
    path = tmp_path / "answers"
    path.write_text(text)
    return path


def test_json_lines(tmp_path):
    (sentence,) = read_answers(written(tmp_path, LINE + "\n\n"))
    assert sentence == AnsweredSentence(
        "He go", ("He goes", "He went", "He goes"), ("x",), id="7", labels={"short": "true"}
    )
    assert sentence.counts() == {"He goes": 2, "He went": 1}


def test_table_groups_answers_of_one_source(tmp_path):
    first, second = read_answers(written(tmp_path, TABLE))
    assert first == AnsweredSentence("He go", ("He goes", "He went"), ("x",), id="1", labels={"level": "B1"})
    assert second.answers == ("So what ?",)


def test_table_groups_by_id_where_there_is_one(tmp_path):
    text = "id\tsource\tcorrection\na\tHe go\tHe goes\nb\tHe go\tHe went\na\tHe go\tHe is\n"
    assert [(s.id, s.answers) for s in read_answers(written(tmp_path, text))] == [
        ("a", ("He goes", "He is")),
        ("b", ("He went",)),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "answers:1: expected JSON lines, or a table with the columns 'source' and 'correction', got nothing"),
        ("one\n", "answers:1: expected JSON lines, or a table with the column 'source'"),
        (
            f"{LINE}\n{LINE}",
            "answers: expected an id of its own for each sentence, got '7' more than once",
        ),
        ("source\tanswer\n", "answers:1: .*column 'correction'"),
        ("source\tcorrection\n", "answers:1: expected at least one sentence with answers"),
        (LINE + "\n{", "answers:2: expected a JSON object a line"),
        ('{"corrections": []}', "answers:1: expected a text as 'source', got nothing"),
        ('{"source": "a", "corrections": "b"}', "answers:1: expected a list of texts as 'corrections', got 'b'"),
        ("source\tcorrection\trejected\na\tb\tmaybe\n", "answers:2: rejected: expected yes or no, got 'maybe'"),
        ("source\tcorrection\na\n", "answers:2: expected 2 columns as in the header, got 1"),
        ("id\tsource\tcorrection\n1\ta\tb\n1\tc\td\n", "answers:3: expected the source of '1' to stay, got 'c'"),
    ],
)
def test_refusals_say_where(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read_answers(written(tmp_path, text))


def test_crowd_answers():
    sentences = read_answers(shared("data", "crowd", "gec_corrections.jsonl"))
    assert len(sentences) == 52
    assert sum(s.labels["in_published_48"] == "true" for s in sentences) == 48
    assert len(sentences[1].answers) == 71
