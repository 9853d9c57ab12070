"""Test sets by name, kept in a folder of the user's, and the official settings of shared tasks."""

from recte._exports import define_exports

EXPORTS = {
    "recte.tasks.catalogue": ("TestSet", "test_sets"),
    "recte.tasks.store": ("get_test_set", "test_set_files"),
}
__getattr__, __dir__, __all__ = define_exports(__name__, EXPORTS)
