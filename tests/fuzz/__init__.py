"""Random input for every reader and every kernel.

`make fuzz` draws cases for minutes, `FUZZ_SECONDS=3600 make fuzz` for an hour, `SANITIZE=1 make fuzz` under the
sanitizers. A case is a name and a seed: `python -m fuzz --only m2 --seed 17` draws one again. What was found once is
kept in `findings/` and tried with the suite.
"""
