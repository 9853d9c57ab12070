"""From files to corpora and systems: where the gold is, how its texts are cut, which outputs belong to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice, tee
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from recte.corpus.corpus import CLEANED, Corpus, Edit, Sentence, System, annotator_order, apply_edits
from recte.corpus.proposed_edits import ColumnAnnotations, ColumnEdits, apply_annotator, edits_of
from recte.corpus.sentence_columns import ColumnSentences
from recte.corpus.sentence_names import SentenceNames
from recte.corpus.text_columns import TextColumn
from recte.errors import InputError, LengthError, OptionError
from recte.evaluation.raw_systems import OutputKind, RawSystems
from recte.files import STANDARD_INPUT, can_be_read_again, display_name, name_without_compression, read_lines, stem
from recte.formats.file_formats import (
    FileFormat,
    Output,
    OutputColumns,
    Survey,
    gold_format,
    output_format,
    reference_format,
)
from recte.formats.output_tables import USUAL_COLUMNS, TableColumns, read_output_table
from recte.formats.parallel import side_by_side
from recte.formats.tables import column_chunks
from recte.messages import note, warn
from recte.text.raw_outputs import AUTO_RULE, SourceWriting
from recte.text.segmenters import GIVEN, MARKED_CHARACTERS, segmenter_named

__all__ = [
    "GoldFiles",
    "corpus_given",
    "outputs_in",
    "read_corpus_and_systems",
    "read_gold",
    "read_outputs_for",
    "system_given",
    "system_names",
    "system_of_outputs",
]


def number_ranges(numbers: Sequence[int]) -> str:
    """Numbers in ascending order as text, those in a row as a range.

    >>> number_ranges([1, 2, 3, 7, 9, 10])
    '1-3, 7, 9-10'
    """
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1] = [ranges[-1][0], number]
        else:
            ranges.append([number])
    return ", ".join("-".join(map(str, ends)) for ends in ranges) or "none"


def _is_unclustered(sentence: Sentence) -> bool:
    from recte.edits.error_clusters import can_be_clustered

    return not can_be_clustered(sentence)


# What sentences can be left out by name.
SENTENCE_KINDS: Mapping[str, Callable[[Sentence], bool]] = {"unclustered": _is_unclustered}

Reader = TypeVar("Reader", bound=Callable[..., Any])


@dataclass(frozen=True)
class GoldFiles:
    """Where sources and gold are: a gold file, or sources with rewritten references; and labels for them.

    `tokens` says how texts are cut: None is as given, or characters where a format has no words. `reading` is one of
    those that the gold's format has; None is the usual one. `annotators` are those of the whole, where this is a part.
    `subset` names some sentences, by number, id or text: a file with as many lines holds just these, in that order,
    and of others just these are taken, unless all files are whole. `outputs` says whether systems' texts are in the
    gold's tokens, `output_tokens` what cuts those that are not, and `writing` how the sources are written, where a part
    does not show it: see `RawSystems`. `clean` takes off what is no
    part of the outputs, before anything else. `columns` are those of systems' files that are tables. `leave_out` names
    sentences that are not scored: kinds of `SENTENCE_KINDS`, or numbers from 1.
    """

    gold: str | Path | None = None
    source: str | Path | None = None
    references: tuple[str | Path, ...] = ()
    labels: str | Path | None = None
    lenient: bool = False
    tokens: str | None = None
    normalise: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    reading: str | None = None
    subset: tuple[str, ...] = ()
    leave_out: tuple[str, ...] = ()
    outputs: OutputKind = "tokens"
    output_tokens: str = AUTO_RULE
    writing: SourceWriting | None = None
    clean: bool = False
    columns: TableColumns = USUAL_COLUMNS

    def corpus(self, sentences: Iterable[Sentence], first: int = 0, unscored: Sequence[int] = ()) -> Corpus:
        """Sentences as a corpus, normalised and in the tokens wanted."""
        of_corpus = sentences if isinstance(sentences, ColumnSentences) else tuple(sentences)
        corpus = Corpus(
            of_corpus,
            first=first,
            everyone=self.annotators,
            reading=self.reading_used,
            edits_made=self.edits_made,
            unscored=tuple(unscored),
        )
        if self.normalise:
            from recte.edits.projection import normalised
            from recte.text.normalisation import Normalisation

            corpus = normalised(corpus, Normalisation(self.normalise))
        if not self.has_words and self.tokens == GIVEN:
            raise OptionError(
                f"tokens: expected characters or a segmenter, since {self.format_title} has no words, got given"
            )
        segmenter = segmenter_named(self.tokens or (GIVEN if self.has_words else MARKED_CHARACTERS))
        if segmenter is None:
            return corpus
        from recte.edits.projection import segmented

        return segmented(corpus, segmenter)

    @property
    def _format(self) -> FileFormat:
        """The format of the gold, in the reading wanted."""
        detected = reference_format(self.references) if self.gold is None else gold_format(self.gold)
        return detected.read_as(self.reading)

    @property
    def reading_used(self) -> str:
        """How the gold is read, where its format can be read in several ways."""
        return self._format.reading

    @property
    def edits_made(self) -> str:
        """How the gold's edits were made, where its file says so."""
        read = None if self.gold is None else self._format.edits_made
        return "" if read is None or self.gold is None else read(self.gold)

    @property
    def dropped(self) -> str:
        """What the reading leaves out of the gold."""
        return self._format.drops

    @property
    def has_words(self) -> bool:
        """Whether the files say where words begin and end."""
        return self.gold is None or gold_format(self.gold).has_words

    @property
    def format_title(self) -> str:
        """What the format of the gold is called."""
        return "plain text" if self.gold is None else gold_format(self.gold).title

    def paths(self) -> list[str | Path]:
        return [path for path in (self.gold, self.source, *self.references, self.labels) if path is not None]

    @property
    def name(self) -> str:
        return display_name(self.gold if self.gold is not None else self.source or "")

    def sentences(self) -> Iterator[Sentence]:
        """Every sentence, with its labels where there are some."""
        if self.gold is not None:
            sentences = _read(self._format.read_gold)(self.gold, self.lenient)
        elif self.source is not None:
            sentences = _read(self._format.read_references)(self.source, self.references)
        else:
            raise OptionError("gold: expected a gold file, or a source with references, got neither")
        if self.leave_out:
            sentences = self._mark(sentences)
        if self.labels is None:
            return sentences
        from recte.formats.labels import iterate_labels, with_labels

        labels = [(display_name(self.labels), iterate_labels(self.labels))]
        rows = side_by_side(sentences, self.name, labels, header_lines=1)
        return (with_labels(s, values[0]) for s, values in rows)

    def _mark(self, sentences: Iterator[Sentence]) -> Iterator[Sentence]:
        """The sentences, those to leave out marked as not scored."""
        numbers = {int(name) for name in self.leave_out if name.isdecimal()}
        names = [name for name in self.leave_out if not name.isdecimal()]
        for name in names:
            if name not in SENTENCE_KINDS:
                raise OptionError(
                    f"--leave-out: expected {', '.join(SENTENCE_KINDS)}, or numbers of sentences from 1, got {name!r}"
                )
        kinds = [SENTENCE_KINDS[name] for name in names]
        number, left_out = 0, []
        for number, sentence in enumerate(sentences, 1):
            leaves = number in numbers or any(is_of_kind(sentence) for is_of_kind in kinds)
            if leaves:
                left_out.append(number)
            yield replace(sentence, scored=False) if leaves else sentence
        beyond = [named for named in numbers if not 1 <= named <= number]
        if beyond:
            raise OptionError(f"--leave-out: expected sentences from 1 to {number}, got {beyond[0]}")
        note(
            f"{self.name}: {len(left_out)} of {number} sentences are left out: {number_ranges(left_out)}",
            subject=f"leave out {self.name}",
        )

    def chunks(
        self, systems: Mapping[str, str | Path], size: int, first: int = 0
    ) -> Iterator[tuple[Corpus, dict[str, System]]]:
        """Parts of the corpus with the systems' outputs for them.

        `systems` are files by name, `size` is how many sentences a part has, `first` the place of the first one.
        """
        raw = self.raw_systems
        with self._naming_lines(systems.values()):
            for files, sentences, outputs, unscored in self._parts(systems, size):
                yield files.corpus(sentences, first, unscored), raw.tokenise(sentences, outputs)
                first += len(sentences)
                del sentences, outputs  # before the next part is read

    @contextmanager
    def _naming_lines(self, systems: Iterable[str | Path]) -> Iterator[None]:
        """Say in an error about a file's length which lines are missing or too many."""
        try:
            yield
        except LengthError as error:
            texts = [path for path in (*systems, *self.references) if display_name(path) == error.file]
            sources = self.gold if self.gold is not None else self.source
            if not texts or sources is None or not all(map(can_be_read_again, (sources, texts[0]))):
                raise
            from recte.text.line_alignment import MOST_ALIGNED, describe_length

            outputs = outputs_in(texts[0], iter(()), self.columns, self.lenient)
            lines = [output.text for output in islice(outputs, MOST_ALIGNED + 1)]
            if self.gold is None:
                originals = list(islice(read_lines(sources), MOST_ALIGNED + 1))
            else:
                originals = [" ".join(s.tokens) for s in islice(self.sentences(), MOST_ALIGNED + 1)]
            if not (where := describe_length(originals, lines)):
                raise
            message = f"{error.message}: {where}; recte clean brings them in order"
            raise LengthError(message, error.file, error.line, error.public_message) from None

    @property
    def raw_systems(self) -> RawSystems:
        """What puts raw outputs on the gold's tokens."""
        cut_later = not self.has_words or (self.outputs == "auto" and self.tokens not in (None, GIVEN))
        return RawSystems("tokens" if cut_later else self.outputs, self.output_tokens, self.writing)

    def _parts(
        self, systems: Mapping[str, str | Path], size: int
    ) -> Iterator[tuple[GoldFiles, Sequence[Sentence], dict[str, System], Sequence[int]]]:
        """Parts of the sentences with the systems' outputs, the files with all annotators of the whole, and the numbers
        of sentences left out.
        """
        files, columns = self, self._columns(size)
        readers = [output_format(path).output_columns for path in systems.values()]
        special = self.subset or self.clean or self.leave_out or self.columns != USUAL_COLUMNS
        if columns is None or None in readers or special:
            unscored: list[int] = []
            rows = self.rows_with(systems.values(), unscored)
            while chunk := list(islice(rows, size)):
                outputs = {name: self._system(name, [row[s] for _, row in chunk]) for s, name in enumerate(systems)}
                if files is self and len(chunk) == size:  # there may be more
                    files = self.of_whole()
                yield files, [sentence for sentence, _ in chunk], outputs, tuple(unscored)
                unscored.clear()
            return
        lines = [
            _read(reader)(path, size, self.lenient) for reader, path in zip(readers, systems.values(), strict=True)
        ]
        for sentences, taken in column_chunks(columns, self.name, lines, self.labels):
            if files is self and len(sentences) == size:
                files = self.of_whole()
            outputs = {
                name: System(name, items)
                if isinstance(items, TextColumn)
                else _system_with_edits(name, file, sentences, items)
                for name, file, items in zip(systems, lines, taken, strict=True)
            }
            yield files, sentences, outputs, ()
            del sentences, outputs, taken

    def _columns(self, size: int) -> Iterator[ColumnSentences] | None:
        """The sentences as columns, where a compiled reader knows the format."""
        if self.gold is not None:
            gold = self._format.gold_columns
            return None if gold is None else gold(self.gold, size, self.lenient)
        if self.source is None:
            return None
        parallel = self._format.reference_columns
        return None if parallel is None else parallel(self.source, self.references, size)

    def _file_to_survey(self) -> tuple[str | Path, Callable[[str | Path], Survey] | None]:
        """The file that says how many sentences there are, and what can tell it much faster than by reading them."""
        if self.gold is not None:
            return self.gold, gold_format(self.gold).survey
        return self.source or STANDARD_INPUT, reference_format(self.references).survey

    def survey(self) -> Survey:
        """What the whole holds, if nothing is wrong in it; sentences are read where it cannot be told faster."""
        path, look = self._file_to_survey()
        if look is not None and not self.leave_out:
            overview = look(path)
            return overview._replace(documents=overview.documents or self.labels is not None)
        count, names, documents = 0, set[str](), self.labels is not None
        for sentence in self.sentences():
            if sentence.scored:
                count += 1
                names.update(annotation.annotator for annotation in sentence.annotations)
                documents = documents or bool(sentence.document)
        return Survey(count, tuple(sorted(names, key=annotator_order)), documents)

    def sentence_count(self) -> int | None:
        """How many sentences there are, where that can be told in next to no time."""
        path, look = self._file_to_survey()
        plain = name_without_compression(str(path)) == str(path) and can_be_read_again(path)
        return look(path).sentences if look is not None and plain and not self.leave_out else None

    def of_whole(self) -> GoldFiles:
        """The same files, and all who annotated them, where it can be known before they are read.

        What a missing annotator means to a metric can depend on whether there is one at all.
        """
        path, look = self._file_to_survey()
        if self.annotators or look is None or not can_be_read_again(path):
            return self
        try:
            return replace(self, annotators=look(path).annotators)
        except InputError:  # who reads will say what is wrong, and where
            return self

    def rows_with(
        self, systems: Iterable[str | Path], unscored: list[int] | None = None
    ) -> Iterator[tuple[Sentence, tuple[Output, ...]]]:
        """Each sentence that is scored with the systems' outputs for it; the files must have the same length.

        `unscored` receives the numbers (from 1) of the others.
        """
        sentences, columns = self.sentences(), []
        for path in systems:
            by_id = self.columns != USUAL_COLUMNS or _has_ids(path)
            sentences, same = tee(sentences) if by_id else (sentences, iter(()))
            columns.append((display_name(path), outputs_in(path, same, self.columns, self.lenient, self.reading)))
        if self.clean:
            listed = list(sentences)
            sentences = iter(listed)
            columns = [(name, _clean_outputs(name, listed, outputs)) for name, outputs in columns]
        if self.subset:
            sentences, columns = self._cut(list(sentences), [(name, list(outputs)) for name, outputs in columns])
        scored = 0
        for number, (sentence, outputs) in enumerate(side_by_side(sentences, self.name, columns), 1):
            if not sentence.scored and unscored is not None:
                unscored.append(number)
            if sentence.scored:
                scored += 1
                named = zip(columns, outputs, strict=True)
                yield sentence, tuple(_place(name, sentence, output) for (name, _), output in named)
        if not scored:
            raise InputError("expected at least one sentence that can be scored, got none", self.name)

    def _system(self, name: str, outputs: Sequence[Output]) -> System:
        """Outputs as a system that says whether they were cleaned."""
        system = system_of_outputs(name, outputs)
        return replace(system, changed=(CLEANED,)) if self.clean and system.edits is None else system

    def _cut(
        self, sentences: list[Sentence], outputs: Sequence[tuple[str, list[Output]]]
    ) -> tuple[Iterator[Sentence], list[tuple[str, Iterator[Output]]]]:
        """Sentences and outputs of the subset alone, unless all of them are of the whole."""
        count, whole = len(self.subset), max(len(sentences), *(len(items) for _, items in outputs))
        if len(sentences) == whole and all(len(items) == whole for _, items in outputs):
            return iter(sentences), [(name, iter(items)) for name, items in outputs]
        lengths = [(self.name, len(sentences)), *((name, len(items)) for name, items in outputs)]
        for name, length in lengths:
            if length not in (count, whole):
                raise InputError(f"expected {whole} lines, or {count}, one for each id, got {length}", name)
        # A gold of the subset says nothing of the whole: then numbers alone can.
        known = SentenceNames.of(sentences) if len(sentences) == whole else SentenceNames.of_length(whole)
        places = known.places(self.subset, what="ids")
        of_subset = sentences if len(sentences) == count else [sentences[place] for place in places]
        return iter(of_subset), [
            (name, iter(items if len(items) == count else [items[place] for place in places]))
            for name, items in outputs
        ]


def _clean_outputs(name: str, sentences: Sequence[Sentence], outputs: Iterator[Output]) -> Iterator[Output]:
    """Outputs without what is no part of them, one for each sentence; those with edits as they are."""
    listed = list(outputs)
    if any(output.edits is not None or output.made_from is not None for output in listed):
        return iter(listed)
    return map(Output, _clean_texts(name, Corpus(tuple(sentences)).source_texts, [output.text for output in listed]))


def _clean_texts(name: str, sources: Sequence[str], outputs: Sequence[str]) -> Sequence[str]:
    """Outputs without what is no part of them; a note says what that was, and a warning what was guessed."""
    from recte.evaluation.cleaning import clean

    cleaned = clean(sources, outputs)
    note(f"{name}: cleaned: {cleaned.summary or 'nothing was to be changed'}", f"clean {name}")
    for doubt in cleaned.doubts:
        warn(f"{name}: {doubt}", f"clean {name} {doubt}")
    return cleaned.outputs


def _has_ids(path: str | Path) -> bool:
    return output_format(path).read_outputs_for is not None


def outputs_in(
    path: str | Path,
    sentences: Iterator[Sentence],
    columns: TableColumns = USUAL_COLUMNS,
    lenient: bool = False,
    reading: str | None = None,
) -> Iterator[Output]:
    """Outputs in the order of the sentences, which are looked at only where outputs are found by their ids."""
    if columns != USUAL_COLUMNS:
        return read_output_table(path, sentences, columns)
    chosen = output_format(path)
    if chosen.readings:
        chosen = chosen.read_as(reading)
    if chosen.read_outputs_for is not None:
        return chosen.read_outputs_for(path, sentences)
    return _read(chosen.read_outputs)(path, lenient)


def _read(reader: Reader | None) -> Reader:
    assert reader is not None, "a format is chosen among those that can be read"
    return reader


def _place(name: str, sentence: Sentence, output: Output) -> Output:
    """The output for its sentence, if it was made for that one."""
    if output.source is not None and "".join(output.source) != "".join(sentence.tokens):
        got = f"got one for {' '.join(output.source)[:60]!r}"
        raise InputError(
            f"expected an output for sentence {sentence.id}, {' '.join(sentence.tokens)[:60]!r}, {got}",
            name,
            public_message=f"expected an output for sentence {sentence.id} of the task, {got}",
        )
    if output.edits is not None and output.source is not None and output.source != sentence.tokens:
        return _project(name, sentence, output, output.source)
    return output.on(sentence, name)


def _project(name: str, sentence: Sentence, output: Output, source: Sequence[str]) -> Output:
    """The output with its edits on the tokens of the gold, where its file cuts the same sentence otherwise."""
    note(f"{name}: some sentences are in other tokens than the gold's: edits are projected", subject=f"tokens {name}")

    from recte.edits.projection import edits_on_tokens

    def project(edits: Sequence[Edit]) -> tuple[Edit, ...]:
        return edits_on_tokens(source, edits, sentence.tokens)

    edits = project(output.edits or ())
    annotations = tuple(replace(annotation, edits=project(annotation.edits)) for annotation in output.annotations)
    text = apply_edits(sentence.tokens, edits)
    if "".join(text.split()) != "".join(output.text.split()):
        raise InputError(
            f"sentence {sentence.id}: expected edits in the gold's tokens, got some that share one of them; write the "
            "file in the gold's tokens",
            name,
        )
    return Output(text, edits, sentence.tokens, annotations)


def _system_with_edits(name: str, file: OutputColumns, gold: ColumnSentences, edited: ColumnSentences) -> System:
    """A system from its own edits, if they were made for the sentences of the gold."""
    texts, sources = list(gold.texts), list(edited.texts)
    annotator = file.annotator or "0"
    if texts != sources:
        outputs = []
        for sentence, s in zip(gold, edited, strict=True):
            edits_of_sentence = edits_of(s.annotations, annotator)
            text = apply_edits(s.tokens, edits_of_sentence)
            outputs.append(_place(file.name, sentence, Output(text, edits_of_sentence, s.tokens, s.annotations)))
        if any(s.tokens != sentence.tokens for s, sentence in zip(edited, gold, strict=True)):
            return system_of_outputs(name, outputs)
    annotations = ColumnAnnotations(edited)
    several = bool((np.diff(edited.columns.annotation_offsets) > 1).any())
    edits = ColumnEdits(annotations, annotator)
    return System(name, apply_annotator(edited.columns, annotator), edits, annotations if several else None)


def system_of_outputs(name: str, outputs: Sequence[Output]) -> System:
    """Outputs as a system, with its edits where all of them have some."""
    texts = tuple(o.text for o in outputs)
    if any(o.edits is None for o in outputs):
        return System(name, texts)
    several = any(len(o.annotations) > 1 or any(a.not_annotatable for a in o.annotations) for o in outputs)
    annotations = tuple(o.annotations for o in outputs) if several else None
    return System(name, texts, tuple(o.edits or () for o in outputs), annotations)


def read_gold(path: str | Path) -> Corpus:
    """The sentences of a gold file that can be scored, in any format."""
    files = GoldFiles(gold=path)
    return replace(files.corpus(s for s in files.sentences() if s.scored), name=stem(path))


def read_outputs_for(corpus: Corpus, path: str | Path) -> System:
    """A system's outputs in any format; where the file holds sources, they must be those of the corpus."""
    texts = list(outputs_in(path, iter(corpus), reading=corpus.reading or None))
    outputs = [_place(str(path), sentence, output) for sentence, output in zip(corpus, texts, strict=False)]
    return system_of_outputs(stem(path), outputs + texts[len(corpus) :])


def corpus_given(gold: Corpus | str | Path | Sequence[str], references: Sequence[Sequence[str]] | None) -> Corpus:
    """A corpus as it is, from a gold file, or of plain sources with their references."""
    if references is not None and isinstance(gold, (str, Path, Corpus)):
        raise InputError("references go with plain sources: expected a list of sentences first")
    if isinstance(gold, (str, Path)):
        return read_gold(gold)
    return gold if isinstance(gold, Corpus) else Corpus.from_references(gold, references or ())


def system_given(
    corpus: Corpus, hypotheses: System | str | Path | Iterable[str], name: str = "system", *, clean: bool = False
) -> System:
    """A system as it is, from a file, or of texts, which are called by `name`; with `clean`, its outputs cleaned."""
    read = isinstance(hypotheses, (str, Path))
    system = read_outputs_for(corpus, hypotheses) if read else System.of(hypotheses, name)  # type: ignore[arg-type]
    if not clean or system.edits is not None:
        return system
    outputs = _clean_texts(system.name, corpus.source_texts, system.outputs)
    return replace(system, outputs=outputs, changed=(*system.changed, CLEANED))


def read_corpus_and_systems(gold: GoldFiles, systems: Mapping[str, str | Path]) -> tuple[Corpus, list[System]]:
    """A gold and systems by name, whole, with equal lengths."""
    unscored: list[int] = []
    with gold._naming_lines(systems.values()):
        rows = list(gold.rows_with(systems.values(), unscored))
    sentences = [sentence for sentence, _ in rows]
    outputs = {name: gold._system(name, [o[s] for _, o in rows]) for s, name in enumerate(systems)}
    outputs = gold.raw_systems.tokenise(sentences, outputs)
    return gold.corpus(sentences, unscored=unscored), list(outputs.values())


def system_names(paths: Sequence[str], names: Sequence[str] = ()) -> dict[str, str]:
    """Files by system name: the given names, or the files' stems, or where stems repeat as much of the paths as tells
    them apart.

    >>> system_names(["x/a/out.txt", "x/b/out.txt", "c.txt"])
    {'a/out.txt': 'x/a/out.txt', 'b/out.txt': 'x/b/out.txt', 'c': 'c.txt'}
    """
    if names and len(names) != len(paths):
        raise OptionError(f"names: expected {len(paths)}, one for each system, got {len(names)}")
    chosen = list(names) or [stem(path) for path in paths]
    for parts in range(1, max((len(Path(path).parts) for path in paths), default=0) + 1):
        if names or len(set(chosen)) == len(chosen):
            break
        tails = ["/".join(Path(path).parts[-parts:]) for path in paths]
        chosen = [tail if chosen.count(name) > 1 else name for name, tail in zip(chosen, tails, strict=True)]
    repeated = next((name for name in chosen if chosen.count(name) > 1), None)
    if repeated is not None:
        raise OptionError(f"systems: expected different names, got {repeated!r} twice")
    return dict(zip(chosen, paths, strict=True))
