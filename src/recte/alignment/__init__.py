"""How a source and its correction are laid beside each other."""

from recte._exports import exported

HOMES = {
    "recte.alignment.edit_search": ("ProposedEdit",),
    "recte.alignment.printed_lattice": ("EditLattice", "edit_lattice"),
    "recte.alignment.projection": ("normalised", "segmented"),
    "recte.alignment.references": (
        "CharacterEdit",
        "annotators_of",
        "edits_from_characters",
        "edits_from_references",
        "references_from_edits",
        "with_references",
    ),
    "recte.alignment.verdicts": ("JudgedEdit",),
}
__getattr__, __dir__, __all__ = exported(__name__, HOMES)
