"""Where the command `recte` starts: Ctrl-C while its modules are imported ends it without a traceback.

A package of its own, since an import from `recte` would already import much of what can be interrupted.
"""

import sys

_INTERRUPTED = 130  # as a shell has it for SIGINT, and as `recte.cli.main` returns

try:
    from recte.cli import main
except KeyboardInterrupt:
    sys.exit(_INTERRUPTED)

__all__ = ["main"]
