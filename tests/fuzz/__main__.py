"""Draws cases until time is up: `python -m fuzz --seconds 120`. Ends with 1 at the first finding."""

from __future__ import annotations

import argparse
import faulthandler
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random

from fuzz import kernels, readers

# What was being tried when the process died; several may run at once.
CURRENT = Path(__file__).parents[2] / "build" / f"fuzz-case-{os.getpid()}"
LONGEST = 60  # seconds of one case, after which it counts as hanging


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, help="this case of the reader or kernel that --only names, and no other")
    parser.add_argument("--first", type=int, default=0, help="the seed to begin with")
    parser.add_argument("--only", help="one reader or kernel")
    parser.add_argument("--kind", choices=("readers", "kernels"), help="readers or kernels alone")
    options = parser.parse_args()
    known = readers.readers()
    names = [*(known if options.kind != "kernels" else ()), *(kernels.RIGHT if options.kind != "readers" else ())]
    if options.only:
        names = [options.only]
    made: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    end = time.monotonic() + options.seconds
    case = ""
    CURRENT.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, CURRENT.open("w") as current:
        seed = options.first if options.seed is None else options.seed
        while time.monotonic() < end:
            for name in names:
                case = f"python -m fuzz --only {name} --seed {seed}"
                faulthandler.dump_traceback_later(LONGEST, exit=True)
                current.seek(0)
                current.write(f"{case}\n")
                current.flush()
                draw = Random(f"{name} {seed}")
                try:
                    if name in known:
                        content = readers.mutated(draw, known[name].bases)
                        taken = readers.attempt(known[name], content, Path(folder))
                    else:
                        taken = kernels.attempt(draw, name)
                except Exception:
                    traceback.print_exc()
                    print(f"finding: {case}", file=sys.stderr)
                    if name in known:
                        print(repr(content[:2000]), file=sys.stderr)
                    return 1
                made[name] += 1
                accepted[name] += taken
            seed += 1
            if options.seed is not None:
                break
    faulthandler.cancel_dump_traceback_later()
    CURRENT.unlink()
    for kind, group in (("reader", set(known)), ("kernel", set(kernels.RIGHT))):
        count, taken = (sum(n for name, n in counter.items() if name in group) for counter in (made, accepted))
        if count:
            print(f"{count} {kind} cases of {len(group & set(made))} {kind}s, {taken} accepted, no finding")
    print(f"next seed: {seed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
