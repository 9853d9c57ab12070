"""`python -m errata`."""

import sys

from errata.cli import main

sys.exit(main())
