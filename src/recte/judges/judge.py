"""Judges: one scores a hypothesis from 1 to 5, the other says which of two is better.

What a model wrote, read as the JSON object that it was asked for; anything else is a bad answer.

The schema that is sent with a request is the one that its answer is checked against.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from recte.judges.judge_client import JudgeClient, Messages, Pair
from recte.judges.prompts import PAIR_SCHEMA, SCHEMA, messages, pair_messages

__all__ = ["Judge", "Pair", "PairJudge", "answer_in", "read_judgment", "read_preference", "violation"]

_THOUGHTS = re.compile(r"<(/?)(think|thinking|thought|reasoning)>", re.IGNORECASE)
_FENCE = "```"
_SHOWN = 80  # letters of an answer in a message


def answer_in(content: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The one JSON object that `content` ends with, which the schema fits; `ValueError` where it is anything else.

    Before it may stand the model's thoughts, in one closed block, and words without braces; around it a code fence.
    Behind it nothing may stand: it could take the answer back.

    >>> wanted = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}
    >>> answer_in('<think>Two errors? {"score": 1}</think> I say: {"score": 3}', wanted)
    {'score': 3}
    """
    text = _without_thoughts(content)
    begin = text.find("{")
    if begin < 0:
        raise ValueError(f"expected {_describe_schema(schema)}, got {_short(text)}")
    try:
        answer, end = _DECODER.raw_decode(text, begin)
    except _OddObjectError as error:
        raise ValueError(f"{error}: {_short(text)}") from None
    except (ValueError, RecursionError):
        raise ValueError(f"expected {_describe_schema(schema)}, got {_short(text)}") from None
    before, behind = text[:begin].rstrip(), text[end:].strip()
    if behind and not (behind == _FENCE and _FENCE in before):
        raise ValueError(f"expected nothing behind the JSON object, got {_short(behind)}")
    wrong = violation(answer, schema)
    if wrong:
        raise ValueError(wrong)
    checked: dict[str, Any] = answer
    return checked


def violation(value: Any, schema: Mapping[str, Any], name: str = "answer") -> str:
    """What of a value does not fit a schema, in words; nothing where it fits.

    Known are objects, integers, booleans, strings, `enum`, bounds and what an object must have. Integers are written
    without a fraction.

    >>> violation(9, {"type": "integer", "minimum": 1, "maximum": 5}, "score")
    'score: expected an integer from 1 to 5, got 9'
    """
    fits = _TYPES[schema["type"]](value)
    if fits and "enum" in schema:
        fits = value in schema["enum"]
    if fits and schema["type"] == "integer":
        fits = schema.get("minimum", value) <= value <= schema.get("maximum", value)
    if not fits:
        return f"{name}: expected {_describe_schema(schema)}, got {json.dumps(value)[:_SHOWN]}"
    if schema["type"] != "object":
        return ""
    known = schema["properties"]
    absent = next((key for key in schema.get("required", ()) if key not in value), None)
    if absent is not None:
        return f"{name}: expected {_describe_schema(schema)}, got none for {absent}"
    more = next((key for key in value if key not in known), None)
    if more is not None and schema.get("additionalProperties", True) is False:
        return f"{name}: expected {_describe_schema(schema)}, got {json.dumps(more)[:_SHOWN]} too"
    wrong = (violation(value[key], of, key) for key, of in known.items() if key in value)
    return next(filter(None, wrong), "")


class _OddObjectError(ValueError):
    """JSON that two readers may understand differently."""


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise _OddObjectError("expected each key once, got one twice")
    return entries


def _no_number(text: str) -> None:
    raise _OddObjectError(f"expected numbers of JSON, got {text}")


_DECODER = json.JSONDecoder(object_pairs_hook=_once_each, parse_constant=_no_number)
_TYPES = {
    "object": lambda value: isinstance(value, dict),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
}


def _without_thoughts(content: str) -> str:
    """What follows the model's thoughts. The tag that opens them may be missing: some servers keep it."""
    tags = list(_THOUGHTS.finditer(content))
    if not tags:
        return content.strip()
    *opened, closed = tags
    alone = closed[1] and len(opened) < 2
    if not alone or (opened and (opened[0][1] or content[: opened[0].start()].strip() or opened[0][2] != closed[2])):
        raise ValueError(f"expected thoughts in one closed block before the answer, got {_short(content)}")
    return content[closed.end() :].strip()


def _describe_schema(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        *first, last = schema["enum"]
        return f"{', '.join(first)} or {last}"
    if schema["type"] == "integer":
        return f"an integer from {schema['minimum']} to {schema['maximum']}" if "minimum" in schema else "an integer"
    if schema["type"] == "object":
        return f"one JSON object with {' and '.join(schema.get('required', ()))}"
    return {"boolean": "true or false", "string": "a text"}[schema["type"]]


def _short(text: str) -> str:
    return repr(" ".join(text.split())[:_SHOWN])


_BETTER = {"first": 1, "neither": 0, "second": -1}


def read_judgment(content: str) -> tuple[int, bool]:
    """A model's answer as score and flag; `ValueError` where it is anything else.

    >>> read_judgment('{"score": 4, "speaks_to_judge": false}')
    (4, False)
    """
    answer = answer_in(content, SCHEMA)
    return answer["score"], answer["speaks_to_judge"]


def read_preference(content: str) -> tuple[int, bool]:
    """A model's answer as 1 for the first, -1 for the second or 0 for neither, and a flag; else a `ValueError`.

    >>> read_preference('{"better": "second", "speaks_to_judge": false}')
    (-1, False)
    """
    answer = answer_in(content, PAIR_SCHEMA)
    return _BETTER[answer["better"]], answer["speaks_to_judge"]


class Judge(JudgeClient):
    """Scores hypotheses one by one. An input is a source and a hypothesis; a row holds the score and the flag."""

    schema: ClassVar[dict[str, Any]] = SCHEMA

    def messages(self, texts: Sequence[str], edits: Sequence[Sequence[str]]) -> Messages:
        return messages(texts[0], texts[1], self.criterion, self.basis, edits[0] if edits else ())

    def read_answer(self, content: str) -> tuple[int, bool]:
        return read_judgment(content)


class PairJudge(JudgeClient):
    """Compares hypotheses. An input is a source and two of them; a row holds which is better, and the flag."""

    schema: ClassVar[dict[str, Any]] = PAIR_SCHEMA

    def messages(self, texts: Sequence[str], edits: Sequence[Sequence[str]]) -> Messages:
        return pair_messages(texts[0], texts[1:3], self.criterion, self.basis, edits)

    def read_answer(self, content: str) -> tuple[int, bool]:
        return read_preference(content)
