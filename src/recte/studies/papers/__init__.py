"""Five papers, every table: the published figures, and how recte computes each of them.

A table is data: published figures by name, as text, so that their digits are known; a function that gives ours under
the same names; reasons where they differ. The two are compared by name, so no published figure can be left out in
silence: what is not computed has the verdict `no data`. What several tables need is computed once, in `PaperData`.
"""

from recte._exports import define_exports

EXPORTS = {
    "recte.studies.papers.command": ("reproduce",),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
