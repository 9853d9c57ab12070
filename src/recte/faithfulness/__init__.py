"""Is the meaning kept? UCCA graphs of source and correction compared, and scorers of meaning that need no parser."""

from recte._exports import exported

HOMES = {
    "recte.faithfulness.edge_distribution": ("DistSim", "distsim"),
    "recte.faithfulness.edge_f_score": ("DagFScore", "dag_f_score"),
    "recte.faithfulness.graph": ("Passage",),
    "recte.faithfulness.passage_faithfulness": ("score_agreement", "score_faithfulness"),
    "recte.faithfulness.text_faithfulness": ("score_text_faithfulness",),
    "recte.faithfulness.unit_similarity": ("UccaSim", "uccasim"),
}
__getattr__, __dir__, __all__ = exported(__name__, HOMES)
