"""`recte.extract`: a corpus of corrected texts into one of typed edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from recte.annotation import Annotator, annotator_named
from recte.corpus import Annotation, Corpus, Sentence
from recte.errors import InputError, OptionError
from recte.extraction.alignment import Costs, Merging
from recte.extraction.extractor import Extractor
from recte.extraction.gold_edits import GOLD_EDITS, GoldEdits, retyped
from recte.extraction.languages import CHINESE, types_of

__all__ = ["EXTRACT_BEHAVIOURS", "ExtractBehaviour", "extract", "extracted_sentences", "extractor_of"]

ExtractBehaviour = Literal["careful", "official"]
EXTRACT_BEHAVIOURS: tuple[ExtractBehaviour, ...] = ("careful", "official")


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
) -> Corpus:
    """The typed edits that turn sources into corrected texts, as ERRANT finds them.

    Several lists of corrected texts are several annotators; a corpus brings its references, or its annotators' edits.
    `annotator` tags the texts, by name or as an object; `language` says which types there are. `alignment` has
    linguistic or plain Levenshtein costs; `merging` puts words together to edits by the published rules, not at all
    (split), all that touch (merge), or all of one kind (equal). Edits of a corpus are found anew (`auto`) or keep
    their own spans (`gold`), which are `minimise`d and `retype`d unless told otherwise. `official` leaves out empty
    sources, and an annotator whose text differs from the source in white space alone, as the published tool does.
    Chinese (`zh`) is extracted by characters without lists; `recte.extraction.chinese.extract_chinese` has its options.

    >>> corpus = extract(["He go to school ."], [["He goes to school ."]])
    >>> [(edit.start, edit.end, edit.corrections, edit.type) for edit in corpus[0].annotations[0].edits]
    [(1, 2, ('goes',), 'R:VERB:SVA')]
    """
    if isinstance(sources, Corpus):
        if corrected:
            raise InputError("corrected: expected texts with plain sources alone, got them beside a corpus")
        corpus = sources
    else:
        corpus = Corpus.from_references(sources, corrected)
    for name, value, choices in (("edits", edits, GOLD_EDITS), ("behaviour", behaviour, EXTRACT_BEHAVIOURS)):
        if value not in choices:
            raise OptionError(f"{name}: expected one of {', '.join(choices)}, got {value!r}")
    if language == CHINESE:
        from recte.extraction.chinese import extract_chinese  # most runs never need what it loads

        return extract_chinese(corpus)
    extractor = extractor_of(annotator, language, alignment, merging)
    sentences = corpus.sentences
    if behaviour == "official":
        sentences = tuple(s for s in sentences if s.tokens or s.annotations)
    marked = [s for s in sentences if s.annotations]
    from_edits = iter(retyped(marked, extractor, edits=edits, minimise=minimise, types=retype))
    from_texts = iter(extracted_sentences([s for s in sentences if not s.annotations], extractor, behaviour=behaviour))
    return replace(corpus, sentences=tuple(next(from_edits if s.annotations else from_texts) for s in sentences))


def extractor_of(
    annotator: str | Annotator, language: str, alignment: Costs = "linguistic", merging: Merging = "rules"
) -> Extractor:
    """An extractor by the names that options have."""
    tagger = annotator_named(annotator) if isinstance(annotator, str) else annotator
    return Extractor(tagger, types_of(language), alignment, merging)


def _annotated(sentence: Sentence, text: str, annotations: tuple[Annotation, ...]) -> Sentence:
    """The sentence with annotations in place of references; `replace` would take three times as long."""
    s = sentence
    return Sentence(text, s.tokens, annotations, (), s.errors, s.id, s.document, s.labels, s.scored)


def extracted_sentences(
    sentences: Sequence[Sentence], extractor: Extractor, *, behaviour: ExtractBehaviour = "careful"
) -> list[Sentence]:
    """Sentences with references as sentences with edits, one annotator for each reference."""
    pairs = [(s.tokens, tuple(text.split())) for s in sentences for text in s.references]
    edits = iter(extractor.edits(pairs))
    found = []
    for sentence in sentences:
        made = [(Annotation(str(r), next(edits)), text) for r, text in enumerate(sentence.references)]
        source = " ".join(sentence.tokens)
        kept = tuple(
            annotation
            for annotation, text in made
            if behaviour != "official" or annotation.edits or text.strip() == source
        )
        found.append(_annotated(sentence, source, kept))
    return found
