"""Systems into counts, from texts or from counts files: what `score`, `compare` and `metaeval` share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np

from recte.cli.arguments import GoldOptions
from recte.cli.cluster_counting import ClusterOptions, count_on_cluster, score_on_cluster
from recte.cli.metric_flags import MetricOptions, ScoreFileOptions
from recte.corpus.count_merging import merge
from recte.corpus.counts import Counts
from recte.corpus.packed_items import PackedItems
from recte.errors import InputError, OptionError
from recte.evaluation.counting import CountRequest, SystemCounts, count_files
from recte.evaluation.inputs import GoldFiles, system_names
from recte.evaluation.plausibility.plausibility_check import PlausibilityCheck
from recte.files import stem
from recte.formats.counts import is_counts_file, read_counts
from recte.messages import warn
from recte.metrics import metric_class
from recte.metrics.base import Metric, Score
from recte.metrics.metric_validation import check_counts
from recte.options import option
from recte.output.terminal import progress_bar
from recte.remote_files import parts_given_as
from recte.statistics.bootstrap import INTERVAL_METHODS, IntervalMethod
from recte.statistics.intervals import UNITS, Resampling, Unit
from recte.text.segmenters import segmenter_named

__all__ = ["SET_LABEL", "ResamplingOptions", "SystemSelection", "find_runs"]


@dataclass(frozen=True, kw_only=True)
class ResamplingOptions:
    """How intervals are made."""

    ci: IntervalMethod | None = option(
        None, "bootstrap interval (default percentile)", kind=str, choices=INTERVAL_METHODS
    )
    level: float = option(0.95, "how sure (default 0.95)", metavar="X")
    resamples: int = option(1000, "how many (default 1000)", metavar="N")
    seed: int = option(12345, "of everything drawn (default 12345)", metavar="N")
    unit: Unit = option("auto", "what is drawn (default auto: documents if there are ten or more)", choices=UNITS)

    @property
    def resampling(self) -> Resampling:
        return Resampling(self.ci or INTERVAL_METHODS[0], self.level, self.resamples, self.seed, self.unit)


@dataclass(frozen=True, kw_only=True)
class SystemSelection:
    """The gold, the systems and the metrics that a command line names, and where they are counted.

    `subset` are the names of the only sentences to read; `limits` are the values of `--fail-under`; `is_part` says that
    the gold is a part of a larger one; `runs` are the values of `--runs`; `each` are names of sets, which are put in
    place of {} in the names of files.
    """

    gold: GoldOptions
    metrics: MetricOptions
    score_files: ScoreFileOptions = ScoreFileOptions()
    cluster: ClusterOptions = ClusterOptions()
    names: tuple[str, ...] = ()
    strict: bool = False
    subset: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    is_part: bool = False
    runs: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    each: tuple[str, ...] = ()

    def make_metrics(self) -> list[Metric]:
        return self.metrics.make_metrics(self.score_files)

    def read_files(self) -> tuple[GoldFiles, list[str]]:
        """The gold and the system files."""
        if self.cluster.cluster is None:
            _refuse_parts(self.gold)
        names = self.metrics.names
        # Scores that others made need no references.
        needs_references = any(metric_class(name).needs_references for name in names) if names else True
        if not names and self.score_files.judges:
            needs_references = False
        lists = {"-m": names, "--names": self.names, "--fail-under": self.limits, "--runs": self.runs, "--by": self.by}
        # A task's figures are defined on its tokens, and every part of a corpus must be read in the same way.
        detects_raw_outputs = self.metrics.preset is None and self.cluster.cluster is None and not self.is_part
        gold, systems = self.gold.read_files(
            needs_references=needs_references,
            lists=lists,
            subset=self.subset,
            detects_raw_outputs=detects_raw_outputs,
            more_systems=[path for paths in find_runs(self.runs).values() for path in paths],
        )
        return gold, systems

    def name_systems(self) -> tuple[GoldFiles, dict[str, str]]:
        """The gold, and the systems' files by name; on a cluster a name is that of a folder or a glob."""
        gold, paths = self.read_files()
        if self.runs:
            return gold, self._name_runs(paths)
        if self.cluster.cluster is None or self.names:
            return gold, system_names(paths or ["-"], self.names)
        from recte.evaluation.cluster.corpus_parts import collection_name

        return gold, system_names(paths or ["-"], [collection_name(path) for path in paths])

    def _name_runs(self, paths: Sequence[str]) -> dict[str, str]:
        """Single systems by name, then every run by its system's name, its number and its file."""
        runs = find_runs(self.runs)
        single = paths[: len(paths) - sum(map(len, runs.values()))]
        systems = system_names(single, self.names)
        twice = next((name for name in runs if name in systems), None)
        if twice is not None:
            raise OptionError(f"--runs: expected another name than those of the systems, got {twice!r}")
        named = {_run_name(name, n, path): path for name, paths in runs.items() for n, path in enumerate(paths, 1)}
        return {**systems, **named}

    def _join_runs(self, counted: Sequence[SystemCounts]) -> list[SystemCounts]:
        """The counts with all runs of a system as one system, in the place of its first run."""
        system_of = {
            _run_name(name, n, path): name
            for name, paths in find_runs(self.runs).items()
            for n, path in enumerate(paths, 1)
        }
        joined: dict[tuple[Metric, str], SystemCounts] = {}
        for of_run in counted:
            name = system_of.get(of_run.counts.system, of_run.counts.system)
            counts, before = of_run.counts.with_fields(system=name), joined.get((of_run.metric, name))
            joined[of_run.metric, name] = (
                replace(of_run, counts=counts)
                if before is None
                else replace(before, more_runs=(*before.more_runs, counts))
            )
        return list(joined.values())

    def count(
        self,
        check: PlausibilityCheck,
        request: CountRequest,
        *,
        refuse: Callable[[Sequence[Metric], Sequence[str]], None] = lambda metrics, systems: None,
        first: int = 0,
    ) -> list[SystemCounts]:
        """Count every system by every metric.

        `check` looks at the texts; counts files have none. `refuse` gets the metrics and the systems' names before
        texts are counted: what can be refused then costs no time and no money.
        """
        if self.each:
            return self._count_sets(check, request, refuse)
        self._check_cluster(request)
        self._check_runs(request)
        files = self.gold.all_files
        counts_files = [path for path in files if is_counts_file(path)]
        if counts_files and len(counts_files) == len(files) and self.gold.source is None:
            return self._read_counts_files(request)
        if counts_files:
            raise InputError("expected counts files alone, without gold or texts, got both", counts_files[0])
        metrics = self.make_metrics()
        _check_request(metrics, request)
        gold, systems = self.name_systems()
        runs = find_runs(self.runs)
        refuse(metrics, [*list(systems)[: len(systems) - sum(map(len, runs.values()))], *runs])
        for name in (name for name, paths in runs.items() if len(paths) == 1):
            warn(f"--runs: {name} has one run, which says nothing of how much runs differ: its interval is too narrow")
        return self._join_runs(self.count_texts(gold, systems, metrics, check, request, first=first))

    def _count_sets(
        self,
        check: PlausibilityCheck,
        request: CountRequest,
        refuse: Callable[[Sequence[Metric], Sequence[str]], None],
    ) -> list[SystemCounts]:
        """Count several sets, one behind the other, as one corpus whose sentences have the set's name as a label."""
        if self.cluster.cluster is not None or any(map(is_counts_file, self.gold.all_files)):
            raise OptionError("--each: expected texts on one machine, got --cluster or counts files")
        files = self.gold.all_files if self.gold.source is None else (self.gold.source, *self.gold.all_files)
        bare = next((path for path in files if _HOLE not in path), None)
        if bare is not None:
            raise OptionError(f"--each: expected {_HOLE} in the name of every file, got {bare!r}")
        names = self.names or tuple(_set_less(path) for path in self.gold.all_files[self.gold.source is None :])
        grown: dict[tuple[Metric, str], list[SystemCounts]] = {}
        first = 0
        for name in self.each:
            runs = tuple(text.replace(_HOLE, name) for text in self.runs)
            of_set = replace(self, gold=_in_set(self.gold, name), names=names, runs=runs, each=())
            counted = of_set.count(check, request, refuse=refuse, first=first)
            for of_system in counted:
                labelled = _with_label(of_system, name)
                grown.setdefault((of_system.metric, of_system.counts.system), []).append(labelled)
            first += len(counted[0].counts)
        return [_merge_sets(sets) for sets in grown.values()]

    def count_texts(
        self,
        gold: GoldFiles,
        systems: Mapping[str, str],
        metrics: Sequence[Metric],
        check: PlausibilityCheck,
        request: CountRequest,
        *,
        first: int = 0,
    ) -> list[SystemCounts]:
        """Count these systems here or on the cluster; `first` is the place of the first sentence."""
        check.set_metrics(metrics)
        request = self._with_tokens(request)
        if self.cluster.cluster is None:
            with progress_bar("sentences", total=gold.sentence_count) as advance:
                return count_files(
                    gold,
                    systems,
                    metrics,
                    request,
                    first=first,
                    look=check.look,
                    refuse=check.refuse if self.strict else None,
                    progress=advance,
                )
        counted = count_on_cluster(self.cluster, gold, systems, metrics, check, request, first=first)
        if self.strict:
            check.refuse()
        return counted

    def score(
        self, check: PlausibilityCheck, request: CountRequest, resampling: Resampling | None
    ) -> list[tuple[Metric, Score]]:
        """Scores that a cluster gives without counts: nothing but scores and intervals of whole systems."""
        request = self._with_tokens(request)
        self._check_cluster(request)
        metrics = self.make_metrics()
        check.set_metrics(metrics)
        gold, systems = self.name_systems()
        scores = score_on_cluster(self.cluster, gold, systems, metrics, check, request, resampling)
        if self.strict:
            check.refuse()
        return scores

    def _with_tokens(self, request: CountRequest) -> CountRequest:
        """The request with the tokens of single metrics."""
        for metric, name in self.metrics.tokens.items():
            if self.gold.tokens is not None:
                raise OptionError(f"--{metric}-tokens: expected no --tokens with it, which holds for all metrics")
            segmenter_named(name)  # what it refuses, it refuses before any file is read
        return replace(request, tokens=self.metrics.tokens)

    def _check_runs(self, request: CountRequest) -> None:
        """Refuse what there is of one output alone, with systems that have several runs."""
        if not self.runs:
            return
        for flag, is_set in (
            ("--cluster", self.cluster.cluster is not None),
            ("--edits", request.edits),
            ("--by-type", request.types),
            ("counts files", any(map(is_counts_file, self.gold.all_files))),
        ):
            if is_set:
                raise OptionError(f"--runs: expected no {flag} with it, got both")

    def _check_cluster(self, request: CountRequest) -> None:
        """Refuse flags of a cluster that do not fit, before anything is read."""
        self.cluster.check()
        if self.cluster.cluster is None:
            return
        for flag, is_set, reason in (
            ("--edits", request.edits, "a cluster gives back counts alone"),
            ("--with-texts", request.texts, "a cluster gives back counts alone"),
            ("--clean", self.gold.clean, "it looks at whole files"),
            ("--scores", bool(self.score_files.judges), "a file of scores is no part of a corpus"),
        ):
            if is_set:
                raise OptionError(f"{flag}: expected one machine, since {reason}, got --cluster")

    def _read_counts_files(self, request: CountRequest) -> list[SystemCounts]:
        """Counts files; options that do not change what was counted may differ from those they were made with."""
        files = self.gold.all_files
        if self.metrics.tokens:
            raise OptionError(f"--{next(iter(self.metrics.tokens))}-tokens: expected texts, got counts files")
        if request.edits or request.texts or (request.types and any(read_counts(path).types is None for path in files)):
            raise OptionError(
                "counts files hold no edits and no texts, and error types only where they were counted with --by-type"
            )
        expected = {metric_class(name).name for name in self.metrics.names}
        seen: set[str] = set()
        counted = []
        for name, path in system_names(files, self.names).items():
            counts = read_counts(path)
            if expected and counts.metric not in expected:
                listed = ", ".join(sorted(expected))
                raise OptionError(f"{path}: expected counts of {listed}, got those of {counts.metric}")
            cls = metric_class(counts.metric)
            metric = cls.from_options({**counts.options, **self.metrics.options_of(cls)})
            try:
                check_counts(metric, counts)
            except InputError as error:
                raise InputError(str(error), path) from None
            seen.add(counts.metric)
            counted.append(SystemCounts(metric, counts.with_fields(system=name if self.names else counts.system)))
        if expected - seen:
            missing = ", ".join(sorted(expected - seen))
            raise OptionError(
                f"-m: expected metrics that were counted ({', '.join(sorted(seen))}), got {missing} too: leave it out"
            )
        return counted


def _refuse_parts(gold: GoldOptions) -> None:
    """Refuse folders and globs, which only a cluster reads, with what to add."""
    for path in (*gold.all_files, *gold.reference, gold.source, gold.labels):
        if path is not None and (form := parts_given_as(path)):
            advice = "recte score, compare and count read its files as parts of one corpus with --cluster local"
            raise InputError(f"expected a file, got a {form}; {advice}", path)


_HOLE = "{}"  # in the name of a file: the name of a set
SET_LABEL = "set"  # of the sentences of several sets


def _set_less(path: str) -> str:
    """The name of a system from the pattern of its files.

    >>> _set_less("out/base.{}.txt"), _set_less("{}/base.txt")
    ('base', 'base')
    """
    return stem(path).replace(_HOLE, "").strip(".-_") or "system"


def _in_set(gold: GoldOptions, name: str) -> GoldOptions:
    """The same options for the files of one set."""

    def name_of(path: str | None) -> str | None:
        return None if path is None else path.replace(_HOLE, name)

    return replace(
        gold,
        files=tuple(path.replace(_HOLE, name) for path in gold.files),
        input=tuple(path.replace(_HOLE, name) for path in gold.input),
        reference=tuple(path.replace(_HOLE, name) for path in gold.reference),
        source=name_of(gold.source),
        labels=name_of(gold.labels),
    )


def _with_label(of_system: SystemCounts, name: str) -> SystemCounts:
    def add_labels(counts: Counts) -> Counts:
        return counts.with_fields(labels={SET_LABEL: np.full(len(counts), name), **counts.labels})

    return replace(
        of_system, counts=add_labels(of_system.counts), more_runs=tuple(map(add_labels, of_system.more_runs))
    )


def _merge_sets(sets: Sequence[SystemCounts]) -> SystemCounts:
    """One system's counts of several sets as those of one corpus."""
    judged = [of_set.judged for of_set in sets if of_set.judged is not None]
    texts = [of_set.texts for of_set in sets if of_set.texts is not None]
    runs = zip(*(of_set.more_runs for of_set in sets), strict=True)
    return replace(
        sets[0],
        counts=merge([of_set.counts for of_set in sets]),
        judged=PackedItems(chain.from_iterable(judged)) if judged else None,
        texts=PackedItems(chain.from_iterable(texts)) if texts else None,
        more_runs=tuple(merge(of_run) for of_run in runs),
    )


def find_runs(texts: Sequence[str]) -> dict[str, list[str]]:
    """The files of each system's runs, in order of their names; raises an `OptionError` where a pattern finds none.

    >>> find_runs([])
    {}
    """
    runs: dict[str, list[str]] = {}
    for text in texts:
        from glob import glob

        name, equals, pattern = text.partition("=")
        if not (name and equals and pattern):
            raise OptionError(f"--runs: expected NAME=FILES such as 'base=out/base.seed*.txt', got {text!r}")
        paths = [pattern] if Path(pattern).exists() else sorted(glob(pattern))
        if not paths:
            raise OptionError(f"--runs: expected files that fit {pattern!r}, got none")
        runs[name] = [*runs.get(name, []), *paths]
    return runs


def _run_name(system: str, number: int, path: str) -> str:
    return f"{system}, run {number} ({Path(path).name})"


def _check_request(metrics: Sequence[Metric], request: CountRequest) -> None:
    for flag, refused in (
        ("--by-type", request.types and not any(metric.counts_types for metric in metrics)),
        ("--edits", request.edits and not any(metric.judges_edits for metric in metrics)),
    ):
        if refused:
            raise OptionError(
                f"{flag}: none of the metrics {', '.join(m.name for m in metrics)} has it; m2 and errant do"
            )
