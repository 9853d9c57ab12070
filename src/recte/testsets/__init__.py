"""Test sets by name, kept in a folder of the user's, and the official settings of shared tasks."""

from recte._exports import exported

HOMES = {
    "recte.testsets.catalogue": ("TestSet", "test_sets"),
    "recte.testsets.store": ("get_test_set", "test_set_files"),
}
__getattr__, __dir__, __all__ = exported(__name__, HOMES)
