"""Shared tasks on Codabench: a task file into a bundle, the platform's worker offline, the final ranking.

A scoring program is two modules without dependencies (`program/`), wheels, and `task.json` in the hidden reference
data. The first process checks the files of a participant before anything is unpacked or imported, so that a bad
submission costs nothing and gets one clear line. The second scores with limits of time and memory; its streams are
closed and it answers by a file, so that no reference text can reach a log. The figures come from `standings`, which
the final ranking shares: the digits of `recte score`.
"""
