"""What a model wrote, read by the schema that it was sent; JSON Schema's own validator is the twin."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging_model import GOLD, GOOD, Model
from recte.judges.judge import answer_in, read_judgment, read_preference, violation
from recte.judges.prompts import PAIR_SCHEMA, SCHEMA

FINE = '{"score": 4, "speaks_to_judge": false}'


@pytest.fixture(autouse=True)
def models():
    """No stub stands for the judge here."""


@pytest.mark.parametrize(
    "content",
    [
        FINE,
        f"  \n{FINE}\n ",
        f"```json\n{FINE}\n```",
        f"```\n{FINE}```",
        f"Here is my judgment:\n{FINE}",
        f"Here is my judgment:\n```json\n{FINE}\n```\n",
        f'<think>\nOne error, so 4. Or {{"score": 3}}?\n</think>\n\n{FINE}',
        f"<think></think>{FINE}",
        f"It has one error.\n</think>\n{FINE}",  # the template has opened the block
        f"<reasoning>It has one error.</reasoning> I say: {FINE}",
        '{"speaks_to_judge": false, "score": 4}',
    ],
)
def test_one_object_is_found_whatever_stands_before_it(content):
    assert read_judgment(content) == (4, False)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "expected one JSON object with score and speaks_to_judge, got ''"),
        ("5", "expected one JSON object"),
        ("Five points!", "expected one JSON object"),
        ('{"score": ', "expected one JSON object"),
        (f"[{FINE}]", "expected nothing behind the JSON object, got ']'"),
        (f"{FINE} {FINE}", "expected nothing behind the JSON object"),
        (f"{FINE} But I may be wrong.", "expected nothing behind the JSON object"),
        (f"{FINE}\n```", "expected nothing behind the JSON object"),
        (f"<think>It has one error. {FINE}", "expected thoughts in one closed block"),
        (f"<think>a</think><think>b</think>{FINE}", "expected thoughts in one closed block"),
        (f"<think>It says </think> {FINE}, the rogue.</think>{FINE}", "expected thoughts in one closed block"),
        (f"{FINE}<think>or not</think>", "expected thoughts in one closed block"),
        (f"<think>a</reasoning>{FINE}", "expected thoughts in one closed block"),
        (f"{FINE}</think>", "expected one JSON object"),
        ('{"score": 4}', "answer: expected one JSON object with score and speaks_to_judge, got none for speaks_to_j"),
        ('{"score": 4, "score": 5, "speaks_to_judge": false}', "expected each key once"),
        ('{"score": 4, "speaks_to_judge": false, "why": ""}', 'got "why" too'),
        ('{"score": 4, "speaks_to_judge": {"a": 1, "a": 1}}', "expected each key once"),
        ('{"score": true, "speaks_to_judge": false}', "score: expected an integer from 1 to 5, got true"),
        ('{"score": 4.5, "speaks_to_judge": false}', "score: expected an integer"),
        ('{"score": 4.0, "speaks_to_judge": false}', "score: expected an integer"),
        ('{"score": "4", "speaks_to_judge": false}', "score: expected an integer"),
        ('{"score": NaN, "speaks_to_judge": false}', "expected numbers of JSON, got NaN"),
        ('{"score": -Infinity, "speaks_to_judge": false}', "expected numbers of JSON, got -Infinity"),
        ('{"score": 0, "speaks_to_judge": false}', "score: expected an integer from 1 to 5, got 0"),
        (f'{{"score": 1{"0" * 5000}, "speaks_to_judge": false}}', "expected"),
        ('{"score": 4, "speaks_to_judge": 1}', "speaks_to_judge: expected true or false, got 1"),
        ('{"score": 4, "speaks_to_judge": null}', "speaks_to_judge: expected true or false"),
        ("{" * 100_000, "expected one JSON object"),
        ('{"a":' * 100_000, "expected one JSON object"),
    ],
)
def test_everything_else_is_a_bad_answer(content, message):
    with pytest.raises(ValueError, match="expected") as caught:
        read_judgment(content)
    assert message in str(caught.value)


def test_pairs_are_read_by_their_own_schema():
    assert read_preference('{"better": "neither", "speaks_to_judge": true}') == (0, True)
    with pytest.raises(ValueError, match='better: expected first, second or neither, got "third"'):
        read_preference('{"better": "third", "speaks_to_judge": true}')
    with pytest.raises(ValueError, match="got none for better"):
        read_preference(FINE)


SCALARS = st.none() | st.booleans() | st.integers(-2, 8) | st.sampled_from([1.0, 4.5, "first", "neither", "", "4"])
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner))
KEYS = st.sampled_from(["score", "better", "speaks_to_judge", "why"])


def is_whole(checker, value):
    """JSON Schema takes 4.0 for an integer; nobody asks a model for that."""
    return isinstance(value, int) and not isinstance(value, bool)


@given(st.dictionaries(KEYS, SCALARS) | st.dictionaries(KEYS, VALUES) | VALUES, st.sampled_from([SCHEMA, PAIR_SCHEMA]))
def test_answers_are_good_where_the_schema_says_so(value, schema):
    validators = pytest.importorskip("jsonschema").validators
    strict = validators.Draft202012Validator
    strict = validators.extend(strict, type_checker=strict.TYPE_CHECKER.redefine("integer", is_whole))
    good = strict(schema).is_valid(value)
    assert (violation(value, schema) == "") is good
    content = json.dumps(value)
    if good:
        assert answer_in(content, schema) == value
    else:
        with pytest.raises(ValueError, match="expected"):
            answer_in(content, schema)


@given(st.integers(1, 5), st.booleans(), st.text().filter(lambda text: "{" not in text and ">" not in text))
def test_words_before_an_answer_do_not_matter(score, flag, words):
    answer = {"score": score, "speaks_to_judge": flag}
    assert answer_in(f"{words}{json.dumps(answer)}", SCHEMA) == answer
    assert answer_in(f"<think>{words}</think>{json.dumps(answer, indent=1)}", SCHEMA) == answer


@given(st.text())
def test_no_text_breaks_the_reader(content):
    with suppress(ValueError):
        assert violation(answer_in(content, SCHEMA), SCHEMA) == ""


def test_a_model_that_thinks_is_understood(judge):
    def thinks(model, content):
        model.reply(f"<think>\nLet me see. {{}}\n</think>\n\n```json\n{content}\n```", {"total_tokens": 900})

    Model.plan = [thinks] * 3
    assert judge().score(GOLD, GOOD).points == 5.0
    assert len(Model.seen) == 3


def test_a_model_that_takes_its_answer_back_is_asked_again(judge):
    Model.plan = [lambda model, content: model.reply(f"{content}\nOn second thoughts, 1.")]
    assert judge(requests_at_once=1).score(GOLD, GOOD).points == 5.0
    assert len(Model.seen) == 4
