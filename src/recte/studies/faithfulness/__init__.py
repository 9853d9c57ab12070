"""Is the meaning kept? UCCA graphs of source and correction compared, and scorers of meaning that need no parser."""

from recte._exports import define_exports

EXPORTS = {
    "recte.studies.faithfulness.edge_distribution": ("DistSim", "distsim"),
    "recte.studies.faithfulness.edge_f_score": ("DagFScore", "dag_f_score"),
    "recte.studies.faithfulness.graph": ("Passage",),
    "recte.studies.faithfulness.passage_faithfulness": ("score_agreement", "score_faithfulness"),
    "recte.studies.faithfulness.text_faithfulness": ("score_text_faithfulness",),
    "recte.studies.faithfulness.unit_similarity": ("UccaSim", "uccasim"),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
