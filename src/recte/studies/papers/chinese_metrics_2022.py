"""Lin et al. (2022): metrics for Chinese that need no word segmenter, and how far a segmenter moves the others."""

from __future__ import annotations

from itertools import combinations

from recte.corpus.corpus import DO_NOTHING, Annotation, Corpus, Sentence, System
from recte.edits.projection import segmented
from recte.errors import OptionError
from recte.formats.m2 import read_m2
from recte.metrics.base import Metric
from recte.metrics.bleu import CharBleu
from recte.metrics.char_meaning import CharMeaning
from recte.metrics.maxmatch import MaxMatch
from recte.metrics.sentence_accuracy import SentenceAccuracy
from recte.studies.papers.data import PaperData
from recte.studies.papers.paper import Computed, Paper, PaperTable, f_from_printed, grid
from recte.studies.segmentation.study import PERFECT, SegmentationSpread, segmentation_spread
from recte.text.segmenters import Characters, segmenter_named

__all__ = ["PAPER"]

PKUNLP = "但是 这 种 想法 太 短浅 , 而且 有 很 大 的 错误 。"
LTP = "但是 这种 想法 太 短浅 , 而且 有 很 大 的 错误 。"
COLUMNS = ("P", "R", "F0.5", "Acc", "BLEU", "MP′")
TABLE_3 = {
    "CNN (word)": "34.69 10.03 23.26 0.0715 0.8385 0.0360",
    "CNN (word, simplified) with HSK": "39.96 10.38 25.45 0.0820 0.8486 0.0385",
    "LSTM (word)": "31.48 11.61 23.45 0.0805 0.8381 0.0315",
    "LSTM (word, simplified) with HSK": "38.68 12.24 27.01 0.0935 0.8502 0.0354",
    "Transformer (word)": "34.04 11.47 24.42 0.0850 0.8391 0.0341",
    "Transformer (char)": "36.73 12.72 26.66 0.0880 0.8415 0.0342",
    "Transformer (word) with HSK": "39.51 13.20 28.25 0.0960 0.8469 0.0340",
    "Transformer (char) with HSK": "39.65 13.79 28.84 0.1095 0.8497 0.0355",
    "Transformer (word, simplified) with HSK": "41.18 13.17 28.90 0.0970 0.8494 0.0356",
    "Transformer (char, simplified) with HSK": "42.04 12.73 28.79 0.0935 0.8484 0.0366",
}
PRINTED_3 = grid(tuple(TABLE_3), COLUMNS, *TABLE_3.values())
# The outputs behind Table 3 were not released; these are of other systems, for the same sentences.
OUTPUTS = ("convs2s", "ensemble")


def gold(data: PaperData) -> Corpus:
    """NLPCC-2018 in the organisers' words; one of its edits reaches past its sentence."""
    path = data.path("chinese/nlpcc18/gold.m2")
    return data.once("nlpcc18", lambda: read_m2(path, lenient=True))


def outputs(data: PaperData) -> list[System]:
    sentences = len(gold(data))
    return [data.system(f"chinese/nlpcc18/{name}.pkunlp.txt", sentences, name) for name in OUTPUTS]


def table1(data: PaperData) -> Computed:
    """A correct sentence, cut otherwise than the gold: what its words cost it."""
    answer = Corpus((Sentence(PKUNLP, annotations=(Annotation("0"),)),))
    metric = MaxMatch(max_unchanged_words=0)
    in_words = metric.prepare(answer).judged_edits([LTP])[0]["0"]
    characters = metric.prepare(segmented(answer, Characters())).judged_edits([LTP])[0]["0"]
    return {
        "wrong edits, LTP's words": len(in_words),
        "what counts as one": ", ".join(edit.corrections[0] for edit in in_words),
        "wrong edits, characters": len(characters),
    }


def table2(data: PaperData) -> Computed:
    answers = [len(distinct(sentence)) for sentence in gold(data)]
    return {
        "test, NLPCC": len(answers),
        "answers, as released": sum(answers),
        "most answers to a sentence, as released": max(answers),
    }


def distinct(sentence: Sentence) -> set[str]:
    """The answers to a sentence, however they are cut; a sentence that nobody annotated is its own."""
    answers = {"".join(sentence.corrected(a.annotator).split()) for a in sentence.annotations}
    return answers or {"".join(sentence.tokens)}


def table3_on_other_outputs(data: PaperData) -> Computed:
    in_words, in_characters = gold(data), segmented(gold(data), Characters())
    metrics: dict[str, tuple[Metric, Corpus, float]] = {
        "F0.5": (MaxMatch(), in_words, 100.0),
        "Acc": (SentenceAccuracy(), in_characters, 1.0),
        "BLEU": (CharBleu(), in_characters, 1.0),
        "MP′": (CharMeaning(), in_characters, 1.0),
    }
    systems = [*outputs(data), System(DO_NOTHING, tuple(" ".join(s.tokens) for s in in_words))]

    def compute() -> Computed:
        scorers = {name: (metric.prepare(corpus), scale) for name, (metric, corpus, scale) in metrics.items()}
        return {
            f"{system.name}, {name}": scale * scorer.score(system).score
            for system in systems
            for name, (scorer, scale) in scorers.items()
        }

    return data.once("table3", compute, "Chinese metrics of 3 outputs on NLPCC-2018")


def table4(data: PaperData) -> Computed:
    """Pearson's r and its p between columns of Table 3."""
    from scipy.stats import pearsonr

    columns = {c: [float(PRINTED_3[f"{system}, {c}"]) for system in TABLE_3] for c in COLUMNS[2:]}
    values: dict[str, float] = {}
    for first, second in combinations(columns, 2):
        outcome = pearsonr(columns[first], columns[second])
        values |= {
            f"{second} and {first}, r": float(outcome.statistic),
            f"{second} and {first}, p": float(outcome.pvalue),
        }
    return values


def best_system(data: PaperData) -> Computed:
    def best(column: str) -> str:
        return max(TABLE_3, key=lambda system: float(PRINTED_3[f"{system}, {column}"]))

    return {"best by F0.5": best("F0.5"), "best by Acc": best("Acc")}


def whole_accuracies(data: PaperData) -> Computed:
    """Acc is a share of 2,000 sentences, so that 2,000 times it is whole."""
    shares = [2000 * float(PRINTED_3[f"{system}, Acc"]) for system in TABLE_3]
    return {"accuracies that are whole numbers of 2,000": sum(abs(share - round(share)) < 1e-6 for share in shares)}


def spread(data: PaperData) -> SegmentationSpread:
    corpus, systems = gold(data), outputs(data)
    segmenters = [None, *(segmenter_named(name) for name in available("jieba")), Characters()]
    return data.once(
        "spread",
        lambda: segmentation_spread(corpus, systems, MaxMatch(), segmenters),
        f"M² with {len(segmenters)} segmentations of NLPCC-2018",
    )


def available(name: str) -> list[str]:
    """The segmenter, where its library is installed."""
    try:
        segmenter_named(name)
    except OptionError:
        return []
    return [name]


def segmentation(data: PaperData) -> Computed:
    study = spread(data)
    shown = (*OUTPUTS, PERFECT, DO_NOTHING)
    values: dict[str, float] = {}
    for of_segmenter in study.segmenters:
        cut = {"given": "the organisers' words"}.get(of_segmenter.segmenter, of_segmenter.segmenter)
        if of_segmenter.gold_as_given is not None:
            values |= {
                f"outputs in {cut}: {system}": 100 * of_segmenter.gold_as_given[system].score for system in shown
            }
        values |= {
            f"everything in {cut}: {system}": 100 * of_segmenter.all_cut_anew[system].score for system in OUTPUTS
        }
    return values | {f"characters, gold projected: {system}": 100 * study.projected[system].score for system in shown}


NO_ANSWERS = "needs the paper's extended test set, which was not released"
NO_OUTPUTS = "needs the outputs of the paper's ten systems and its extended answers, which were not released"

PAPER = Paper(
    "chinese-metrics-2022",
    "Lin et al. (2022), A New Evaluation Method: Evaluation Data and Metrics for Chinese Grammar Error Correction",
    (
        PaperTable(
            name="table1",
            title="Table 1: one sentence, cut by two tools",
            published={"wrong edits, LTP's words": "1", "what counts as one": "这种"},
            compute=table1,
            notes=(
                "The cuts are as printed: pkunlp is no longer to be had, and LTP downloads its models.",
                "Projected to characters, the gold needs no segmenter, and nothing is wrong.",
            ),
        ),
        PaperTable(
            name="table2",
            title="Table 2 and section 4: datasets",
            published={
                "train, NLPCC": "1215690",
                "train, HSK": "156870",
                "dev": "5000",
                "test, NLPCC": "2000",
                "answers, extended": "2885",
                "most answers to a sentence, extended": "10",
            },
            compute=table2,
            why={
                "train": "needs the training data: Lang-8 as released by NLPCC-2018, and the HSK corpus of Beijing "
                "Language and Culture University",
                "dev": "needs the training data of NLPCC-2018, and which of it was taken",
                "answers, extended": NO_ANSWERS,
                "most answers to a sentence, extended": NO_ANSWERS,
            },
            needs=("chinese",),
        ),
        PaperTable(
            name="table3",
            title="Table 3: ten systems",
            published=PRINTED_3,
            compute=lambda data: f_from_printed(PRINTED_3),
            why={"": NO_OUTPUTS},
            notes=("F0.5 is from the printed P and R.",),
        ),
        PaperTable(
            name="table3-other",
            title="Table 3's metrics on other outputs",
            compute=table3_on_other_outputs,
            notes=(
                "Released outputs for the same 2,000 sentences and the organisers' answers; on them Acc, BLEU and MP′ "
                "lie in Table 3's range or near it. F0.5 is in the organisers' words.",
                "The system that does nothing has a higher BLEU than convs2s: look at its row.",
                "The paper calls a smaller MP′ less modification; it is an amount of change nearer to the answers'. "
                "The min in the denominator of equation 3 is a slip.",
            ),
            needs=("chinese",),
        ),
        PaperTable(
            name="section3.1",
            title="Section 3.1: accuracies are shares of 2,000 sentences",
            compute=whole_accuracies,
        ),
        PaperTable(
            name="table4",
            title="Table 4: correlations between metrics",
            published={
                "Acc and F0.5, r": "0.8895",
                "Acc and F0.5, p": "0.0006",
                "BLEU and F0.5, r": "0.8321",
                "BLEU and F0.5, p": "0.0028",
                "MP′ and F0.5, r": "0.2733",
                "MP′ and F0.5, p": "0.4449",
                "BLEU and Acc, r": "0.7348",
                "BLEU and Acc, p": "0.0155",
                "MP′ and Acc, r": "0.0467",
                "MP′ and Acc, p": "0.8981",
                "MP′ and BLEU, r": "0.5741",
                "MP′ and BLEU, p": "0.0826",
            },
            compute=table4,
            notes=("From Table 3 as printed. The row that the paper calls MP_c is its column MP′.",),
        ),
        PaperTable(
            name="section5.2",
            title="Section 5.2: the best system",
            published={
                "best by F0.5": "Transformer (word, simplified) with HSK",
                "best by Acc": "Transformer (word, simplified) with HSK",
            },
            compute=best_system,
            why={
                "best by Acc": "the paper is inconsistent: by its own Table 3 another system has the best accuracy, "
                "and no row has the pretrained model it speaks of"
            },
            in_words=True,
        ),
        PaperTable(
            name="segmentation",
            title="Section 1: how far F0.5 depends on the segmenter, on NLPCC-2018",
            compute=segmentation,
            notes=(
                "The paper says so and shows no figures. jieba (extra chinese) is left out where it is not installed.",
            ),
            needs=("chinese",),
        ),
    ),
)
