"""How a source and its correction are laid next to each other."""

from recte._exports import define_exports

EXPORTS = {
    "recte.edits.printed_lattice": ("EditLattice", "edit_lattice"),
    "recte.edits.projection": ("normalised", "segmented"),
    "recte.edits.references": (
        "CharacterEdit",
        "annotators_of",
        "edits_from_characters",
        "edits_from_references",
        "references_from_edits",
        "with_references",
    ),
    "recte.edits.verdicts": ("JudgedEdit",),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
