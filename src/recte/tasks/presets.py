"""What shared tasks and test sets report officially, by name: metrics with their options."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PRESETS", "Preset"]


@dataclass(frozen=True)
class Preset:
    """The official setting of a task: what stands for it on the command line, and what is known of its numbers.

    `tokens` are those that its texts must come in, as words for a message; "" where it makes its own. `cut_by` is the
    segmenter (`--tokens`) that makes them from raw text, if there is one. `annotator` is what found the task's edits.

    >>> PRESETS["conll14"].words
    ('-m', 'm2', '--behaviour', 'official', '--beta', '0.5')
    """

    task: str
    words: tuple[str, ...]
    known: str
    tokens: str
    cut_by: str | None = None
    annotator: str = ""

    def annotator_warning(self, name: str) -> str:
        """What is said where the built-in tagger finds the edits; "" where it does not matter."""
        return (
            f"{name}'s were found with {self.annotator}, so these figures are not the task's" if self.annotator else ""
        )

    def token_warning(self, name: str) -> str:
        """What is said where texts are in other tokens; "" where it does not matter."""
        if not self.tokens:
            return ""
        how = f" (--tokens {self.cut_by})" if self.cut_by else ""
        return f"{name} is defined on {self.tokens}{how}, so these figures are not the task's"


def _preset(task: str, words: str, known: str, tokens: str, cut_by: str | None = None, annotator: str = "") -> Preset:
    return Preset(task, tuple(words.split()), known, tokens, cut_by, annotator)


PRESETS = {
    "conll14": _preset(
        "CoNLL-2014",
        "-m m2 --behaviour official --beta 0.5",
        "every published number to the digit (AMU 35.01, CAMB 37.33)",
        "the organisers' tokens",
    ),
    "jfleg": _preset(
        "JFLEG",
        "-m gleu --draws official",
        "to the digit: the source scores 40.54 on test, 38.21 on dev",
        "the tokens of its files",
    ),
    "bea-2019": _preset(
        "BEA-2019",
        "-m errant --behaviour official --matching correction --beta 0.5",
        "to the digit on the published M2; the test set's references are hidden",
        "spaCy 1.9's tokens",
        annotator="spaCy 1.9 and its English model (--annotator given:FILE with its tags)",
    ),
    "nlpcc18": _preset(
        "NLPCC-2018",
        "-m m2 --behaviour official --beta 0.5",
        "to the digit on the organisers' words",
        "the organisers' words (pkunlp)",
    ),
    "mucgec": _preset(
        "MuCGEC, CCL-2022 track 3, CCL-2023 track 1",
        "-m cherrant --behaviour official --granularity characters --beta 0.5",
        "to the digit (the released example on dev: 36.22)",
        "",
    ),
    "multigec-2025": _preset(
        "MultiGEC-2025",
        "-m gleu errant --draws official --language multigec",
        "GLEU and ERRANT to the digit, except Icelandic, which a web service tagged; not Scribendi",
        "syntok's tokens of whole essays",
        "syntok",
    ),
    "unlp-2023": _preset(
        "UNLP-2023",
        "-m errant --behaviour official --matching correction --beta 0.5",
        "the comparison to the digit; edits were found with spaCy 2 and its English model",
        "Stanza's tokens",
        annotator="spaCy 2 and its English model (--annotator spacy:en_core_web_sm and spaCy 2, or given:FILE)",
    ),
    "qalb": _preset(
        "QALB-2014 and 2015",
        "-m m2 --behaviour official --beta 1.0",
        "exact match; the tasks also report it without punctuation and with letters made alike",
        "the tokens of its files",
    ),
    "maxmatch-2012": _preset(
        "Dahlmeier and Ng (2012)",
        "-m m2 --behaviour paper --beta 1.0 --max-unchanged-words 2",
        "its worked example and Theorem 1; the teams' outputs of Table 1 are not public",
        "Penn Treebank tokens",
    ),
    "imeasure-2015": _preset(
        "Felice and Briscoe (2015)",
        "-m imeasure --mix --behaviour paper --beta 0.5",
        "its examples, and Table 11 from its counts; which 711 sentences it scored is not known",
        "the organisers' tokens",
    ),
    "reassessment-2018": _preset(
        "Chollampatt and Ng (2018)",
        "-m gleu imeasure m2 --sentence-annotator last",
        "Tables 2 and 3 with recte metaeval --protocol reassessment-2018",
        "the organisers' tokens",
    ),
    "chinese-metrics-2022": _preset(
        "Lin et al. (2022)",
        "-m m2 sentence-accuracy char-bleu char-meaning --m2-beta 0.5",
        "the metrics of Table 3; its outputs and its extended answers were not released",
        "a segmenter's words, for F0.5",
    ),
}
