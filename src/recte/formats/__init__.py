"""Files in and out, one module a format."""

from recte._exports import exported

HOMES = {
    "recte.formats.answers": ("read_answers",),
    "recte.formats.counts": ("read_counts", "write_counts"),
    "recte.formats.imeasure_xml": ("read_imeasure_xml", "write_imeasure_xml"),
    "recte.formats.judgments": ("read_ids", "read_judgments", "write_judgments"),
    "recte.formats.labels": ("read_labels",),
    "recte.formats.m2": ("iterate_m2", "read_m2", "read_m2_system", "write_m2"),
    "recte.formats.metric_scores": ("ScoreFile", "read_metric_scores", "write_metric_scores"),
    "recte.formats.mrp": ("read_mrp",),
    "recte.formats.para": ("read_para",),
    "recte.formats.parallel": ("read_parallel", "read_system"),
    "recte.formats.passages": ("pair_passages", "read_passages"),
    "recte.formats.ratings": ("read_ratings", "write_ratings"),
    "recte.formats.ucca_xml": ("read_ucca_xml",),
}
__getattr__, __dir__, __all__ = exported(__name__, HOMES)
