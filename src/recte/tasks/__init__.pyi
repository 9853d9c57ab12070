from recte.tasks.catalogue import TestSet as TestSet
from recte.tasks.catalogue import test_sets as test_sets
from recte.tasks.store import get_test_set as get_test_set
from recte.tasks.store import test_set_files as test_set_files
