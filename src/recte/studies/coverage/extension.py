"""Growing a reference set from many answers, as Lin et al. (2022, section 4) grew the NLPCC-2018 test set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from recte.corpus.corpus import Corpus
from recte.errors import InputError, OptionError
from recte.studies.coverage.kinds import AnsweredSentence

__all__ = ["ExtendedReferences", "extend_references", "place_answers"]


@dataclass(frozen=True)
class ExtendedReferences:
    """A sentence's references, old ones first, and the answers that someone should look at."""

    id: str
    source: str
    references: tuple[str, ...]
    accepted: tuple[str, ...]  # those of the references that are new
    to_audit: tuple[str, ...]


def extend_references(
    answers: Iterable[AnsweredSentence], references: Sequence[Sequence[str]] | None = None, *, more_than: int = 2
) -> list[ExtendedReferences]:
    """Answers given `more_than` so many times become references, all others go to an audit list.

    Answers are the same if their letters are, white space aside; the first spelling stands. The paper accepts what
    occurs "more than twice" and audits what occurs once; what occurs twice it does not say: it is audited.

    >>> answered = AnsweredSentence("He go .", ("He goes .", "He goes .", "He goes.", "He went ."), id="1")
    >>> extend_references([answered], [["He has gone ."]])[0].references
    ('He has gone .', 'He goes .')
    """
    if more_than < 1:
        raise OptionError(f"more_than: expected at least 1, got {more_than}")
    answered = list(answers)
    known: Sequence[Sequence[str]] = [()] * len(answered) if references is None else references
    if len(known) != len(answered):
        raise InputError(f"expected references for {len(answered)} sentences, got them for {len(known)}")
    return [_extend(sentence, old, more_than) for sentence, old in zip(answered, known, strict=True)]


def place_answers(answers: Iterable[AnsweredSentence], gold: Corpus, name: str = "gold") -> list[AnsweredSentence]:
    """The answers to each sentence of the gold, none where it has none; `name` is what a message calls the gold.

    A sentence is found by its letters, white space aside. Raises `InputError` for answers to a sentence that the gold
    does not have, or has answers to twice.

    >>> gold = Corpus.from_references(["He go .", "I am ."], [["He goes .", "I am ."]])
    >>> [len(placed.answers) for placed in place_answers([AnsweredSentence("I am.", ("I was .",))], gold)]
    [0, 1]
    """
    by_letters: dict[str, AnsweredSentence] = {}
    for sentence in answers:
        if by_letters.setdefault("".join(sentence.source.split()), sentence) is not sentence:
            raise InputError(f"expected answers to {sentence.source[:40]!r} once, got them twice")
    placed = [
        AnsweredSentence(sentence.text, answered.answers if answered else (), id=sentence.id or str(number))
        for number, sentence in enumerate(gold, 1)
        for answered in [by_letters.get("".join(sentence.text.split()))]
    ]
    letters = {"".join(sentence.source.split()) for sentence in placed}
    missing = [sentence.source for key, sentence in by_letters.items() if key not in letters]
    if missing:
        raise InputError(
            f"{name}: lacks {len(missing)} of the {len(by_letters)} sentences that have answers, first "
            f"{missing[0][:40]!r}; answers and gold must be of the same texts"
        )
    return placed


def _extend(sentence: AnsweredSentence, old: Sequence[str], more_than: int) -> ExtendedReferences:
    spelling: dict[str, str] = {}
    times: dict[str, int] = {}
    for answer in sentence.answers:
        letters = "".join(answer.split())
        spelling.setdefault(letters, answer)
        times[letters] = times.get(letters, 0) + 1
    known = {"".join(text.split()) for text in old}
    accepted = tuple(spelling[key] for key, n in times.items() if n > more_than and key not in known)
    to_audit = tuple(spelling[key] for key, n in times.items() if n <= more_than and key not in known)
    return ExtendedReferences(sentence.id, sentence.source, (*old, *accepted), accepted, to_audit)
