"""Section 4 of Choshen and Abend (2017): UCCA annotations of learner texts and of their corrections."""

from __future__ import annotations

from functools import reduce
from operator import add
from statistics import fmean

from recte.studies.faithfulness.edge_distribution import distsim
from recte.studies.faithfulness.edge_f_score import dag_f_score
from recte.studies.faithfulness.graph import Labels, Passage
from recte.studies.faithfulness.leaf_alignment import Behaviour
from recte.studies.faithfulness.ucca_xml import read_ucca_xml
from recte.studies.faithfulness.unit_similarity import uccasim
from recte.studies.papers.data import PaperData
from recte.studies.papers.paper import Computed, PaperTable, grid

__all__ = ["FAITHFULNESS_TABLES"]

# Learner texts are numbered 100 above their corrections; `tree` is one annotator, `amittaic` the other.
TREE, OTHER = ("1197", "1198", "1200", "1202"), ("1197", "1198", "1200", "1203", "1205")
BOTH = ("1197", "1198", "1200")
TWICE_LEARNER = ("1297", "1298", "1300", "1301")


def learner(number: str) -> str:
    return str(int(number) + 100)


PAIRS = {
    "Same": [(f"{who}{learner(n)}", f"{who}{n}") for who, of in (("tree", TREE), ("amittaic", OTHER)) for n in of],
    "Different": [
        (f"{a}{learner(n)}", f"{b}{n}") for n in BOTH for a, b in (("amittaic", "tree"), ("tree", "amittaic"))
    ],
    "IAA": [(f"tree{n}", f"amittaic{n}") for n in (*BOTH, *TWICE_LEARNER)],
}


def passage(data: PaperData, name: str) -> Passage:
    path = data.path(f"ucca/{name}.xml.gz")
    return data.once(("passage", name), lambda: read_ucca_xml(path))


def section44(data: PaperData) -> Computed:
    agreed = reduce(
        add, (dag_f_score(passage(data, f"amittaic{n}"), passage(data, f"tree{n}")) for n in TWICE_LEARNER)
    ).labelled
    return {"DAG F-score": agreed.f, "precision": agreed.precision, "recall": agreed.recall}


def similarities(data: PaperData, behaviour: Behaviour = "official", labels: Labels = "weak") -> Computed:
    found: dict[str, float] = {}
    for group, pairs in PAIRS.items():
        results = [uccasim(passage(data, a), passage(data, b), behaviour=behaviour, labels=labels) for a, b in pairs]
        found |= {
            f"{group}, s→r": fmean(result.source_to_corrected for result in results),
            f"{group}, r→s": fmean(result.corrected_to_source for result in results),
            f"{group}, Avg": fmean(result.score for result in results),
        }
    return found


def distributional(data: PaperData) -> Computed:
    return {
        f"{group}, {name}": fmean(
            distsim(passage(data, a), passage(data, b), categories).similarity for a, b in PAIRS[group]
        )
        for group in ("Different", "Same")
        for name, categories in (("A+D", ("A", "D")), ("Scene", ("H",)))
    }


TABLE_2 = grid(
    ("Different", "Same", "IAA"), ("s→r", "r→s", "Avg"), "0.85 0.83 0.84", "0.92 0.91 0.92", "0.85 0.81 0.83"
)
NOT_REACHED = "neither the released code nor equation 9 gives the printed figures; why is not known"

FAITHFULNESS_TABLES = (
    PaperTable(
        name="section4.4",
        title="Section 4.4: agreement of the annotators on learner texts",
        published={"DAG F-score": "0.845", "precision": "0.834", "recall": "0.857"},
        compute=section44,
        needs=("ucca",),
    ),
    PaperTable(
        name="table2",
        title="Table 2: UCCASIM of a perfect corrector, as in the released code",
        published=TABLE_2,
        compute=similarities,
        why={"": NOT_REACHED},
        needs=("ucca",),
    ),
    PaperTable(
        name="table2-equation9",
        title="Table 2: UCCASIM by equation 9",
        published=TABLE_2,
        compute=lambda data: similarities(data, behaviour="paper", labels="strict"),
        why={"": NOT_REACHED},
        needs=("ucca",),
    ),
    PaperTable(
        name="table2-distsim",
        title="Table 2: DISTSIM",
        published=grid(("Different", "Same", "SAR15"), ("A+D", "Scene"), "0.96 0.93", "0.97 0.96", "0.95 0.96"),
        compute=distributional,
        why={"SAR15": "needs the English and French annotations of Sulem et al. (2015)"},
        notes=("As it was computed, a similarity. The formula printed in section 4.3 is a distance.",),
        needs=("ucca",),
    ),
)
