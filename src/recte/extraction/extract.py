"""`recte.extract`: a corpus of corrected texts into one of typed edits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recte.annotation import Annotator
from recte.corpus.corpus import Corpus
from recte.errors import InputError
from recte.extraction.alignment import Costs, Merging
from recte.extraction.extractor import Extractor
from recte.extraction.gold_edits import GoldEdits
from recte.extraction.language import ExtractBehaviour, RuleLanguage
from recte.extraction.languages import language_with
from recte.options import options_that_differ

__all__ = ["choose_annotator", "extract", "extractor_of"]


def extract(
    sources: Corpus | Sequence[str],
    corrected: Sequence[Sequence[str]] = (),
    *,
    annotator: str | Annotator = "builtin",
    language: str = "en",
    alignment: Costs = "linguistic",
    merging: Merging = "rules",
    edits: GoldEdits = "auto",
    minimise: bool = True,
    retype: bool = True,
    behaviour: ExtractBehaviour = "careful",
    **options: Any,
) -> Corpus:
    """The typed edits that turn sources into corrected texts, as ERRANT finds them.

    Several lists of corrected texts are several annotators; a corpus brings its references, or its annotators' edits.
    `annotator` tags the texts, by name or as an object; `language` says how edits are found and which types there are.
    `alignment` has linguistic or plain Levenshtein costs; `merging` puts words together to edits by the published
    rules, not at all (split), all that touch (merge), or all of one kind (equal). Edits of a corpus are extracted
    (`auto`) or keep their own spans (`gold`), which are `minimise`d and `retype`d unless told otherwise. `official`
    leaves out empty sources, and an annotator whose text differs from the source in white space alone, as the published
    tool does. Chinese (`zh`) has none of these, but `options` of its own: granularity, words, lists, simplify and ties.
    An option that the language does not have is refused.

    >>> corpus = extract(["He go to school ."], [["He goes to school ."]])
    >>> [(edit.start, edit.end, edit.corrections, edit.type) for edit in corpus[0].annotations[0].edits]
    [(1, 2, ('goes',), 'R:VERB:SVA')]
    """
    if isinstance(sources, Corpus):
        if corrected:
            raise InputError("corrected: expected texts with plain sources alone, got them with a corpus")
        corpus = sources
    else:
        corpus = Corpus.from_references(sources, corrected)
    common = {
        "alignment": alignment,
        "merging": merging,
        "edits": edits,
        "minimise": minimise,
        "retype": retype,
        "behaviour": behaviour,
    }
    chosen = language_with(language, {**options_that_differ(RuleLanguage, common), **options})
    return chosen.make_extraction(choose_annotator(annotator))(corpus)


def choose_annotator(annotator: str | Annotator) -> str | Annotator | None:
    """The annotator, or None for the default, which each language may replace by one of its own."""
    return None if annotator == "builtin" else annotator


def extractor_of(
    annotator: str | Annotator,
    language: str,
    alignment: Costs = "linguistic",
    merging: Merging = "rules",
    *,
    rules: str = "",
    word_list: str = "",
) -> Extractor:
    """An extractor by the names that the options of metrics have; an empty one is the language's default."""
    options = options_that_differ(RuleLanguage, {"alignment": alignment, "merging": merging})
    of_language = {"rules": rules, "word_list": word_list}
    options |= {name: value for name, value in of_language.items() if value}
    return language_with(language, options).make_extractor(choose_annotator(annotator))
