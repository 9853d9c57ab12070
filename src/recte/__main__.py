"""`python -m recte`."""

import sys

from recte_start import main

sys.exit(main())
