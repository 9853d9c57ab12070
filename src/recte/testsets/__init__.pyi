from recte.testsets.catalogue import TestSet as TestSet
from recte.testsets.catalogue import test_sets as test_sets
from recte.testsets.store import get_test_set as get_test_set
from recte.testsets.store import test_set_files as test_set_files
