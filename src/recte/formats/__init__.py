"""Files in and out, one module a format."""

from recte._exports import define_exports

EXPORTS = {
    "recte.studies.coverage.answer_files": ("read_answers",),
    "recte.formats.counts": ("read_counts", "write_counts"),
    "recte.formats.hoo_edits": ("read_hoo_edits",),
    "recte.formats.imeasure_xml": ("read_imeasure_xml", "write_imeasure_xml"),
    "recte.studies.human.judgment_files": ("read_ids", "read_judgments", "write_judgments"),
    "recte.formats.labels": ("read_labels",),
    "recte.formats.m2": ("iterate_m2", "read_m2", "read_m2_system", "write_m2"),
    "recte.formats.metric_scores": ("ScoreFile", "read_metric_scores", "write_metric_scores"),
    "recte.formats.para": ("read_para",),
    "recte.formats.parallel": ("read_parallel", "read_system"),
    "recte.studies.faithfulness.passage_files": ("pair_passages", "read_mrp", "read_passages"),
    "recte.studies.human.rating_files": ("read_ratings", "write_ratings"),
    "recte.studies.faithfulness.ucca_xml": ("read_ucca_xml",),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
