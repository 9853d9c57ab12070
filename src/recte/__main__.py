"""`python -m recte`."""

import sys

from recte.cli import main

sys.exit(main())
