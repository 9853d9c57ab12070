"""recte correlate: metrics against each other over systems."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats

from recte.cli import main
from recte.errors import OptionError
from recte.statistics.correlation import correlation_p
from recte.studies.metaeval.correlate_command import correlate_metrics
from recte.studies.metaeval.scores import MetricScores
from recte.studies.papers.imeasure_2015 import PRINTED_10, PRINTED_11, TABLE_11


def metric(name, values):
    return MetricScores.of(name, {f"s{number}": value for number, value in enumerate(values)})


@pytest.mark.parametrize("systems", [3, 5, 8, 13])
def test_figures_are_scipys(systems):
    generator = np.random.default_rng(systems)
    a, b = generator.normal(size=(2, systems))
    (pair,) = correlate_metrics([metric("a", a), metric("b", b)])
    r, rho, tau = stats.pearsonr(a, b), stats.spearmanr(a, b), stats.kendalltau(a, b)
    assert (pair.pearson, pair.spearman, pair.kendall) == pytest.approx((r.statistic, rho.statistic, tau.statistic))
    assert pair.pearson_p == pytest.approx(r.pvalue)
    if systems > 7:
        assert pair.spearman_p == pytest.approx(rho.pvalue)
    else:
        exact = stats.permutation_test(
            (a,), lambda x: stats.spearmanr(x, b).statistic, permutation_type="pairings", n_resamples=10**6
        )
        assert pair.spearman_p == pytest.approx(exact.pvalue)


def test_a_constant_metric_has_no_correlation():
    (pair,) = correlate_metrics([metric("a", [1, 1, 1]), metric("b", [1, 2, 3])])
    assert (pair.pearson, pair.pearson_p, pair.spearman, pair.spearman_p, pair.kendall) == (None,) * 5
    assert correlation_p(0.5, 2) is None
    assert correlation_p(-1.0, 5) == 0


def test_the_correlations_of_the_i_measures_paper_from_its_columns(tmp_path, capsys):
    """Section 3: ρ = .9835 with p < .01, ρ = -.5330, r = -.5942."""
    path = tmp_path / "scores.tsv"
    columns = {"m2": (PRINTED_10, "mixed, F0.5"), "tokens": (PRINTED_11, "F0.5"), "i": (PRINTED_11, "I")}
    rows = [
        f"{metric}\t{system}\t{table[f'{system}, {column}']}\n"
        for metric, (table, column) in columns.items()
        for system in TABLE_11
    ]
    path.write_text("metric\tsystem\tscore\n" + "".join(rows))
    assert main(["correlate", "--scores", str(path), "-f", "json"]) == 0
    pairs = {(p["first"], p["second"]): p for p in json.loads(capsys.readouterr().out)["correlations"]}
    assert round(pairs["m2", "tokens"]["spearman"], 4) == 0.9835
    assert pairs["m2", "tokens"]["spearman_p"] < 0.01
    assert round(pairs["m2", "i"]["spearman"], 4) == -0.5330
    assert round(pairs["tokens", "i"]["pearson"], 4) == -0.5942


def test_what_is_refused(sample, capsys):
    with pytest.raises(OptionError, match="expected two metrics or more to compare, got 1"):
        correlate_metrics([metric("a", [1, 2, 3])])
    with pytest.raises(OptionError, match="--without: expected one of the systems s0, s1, s2, got 'x'"):
        correlate_metrics([metric("a", [1, 2, 3]), metric("b", [1, 2, 3])], ["x"])
    assert main(["correlate", "gold.m2", "systems/wren.txt", "-m", "m2", "gleu"]) == 2
    assert "m2, gleu: expected at least 3 systems that both score, got 1" in capsys.readouterr().err
    assert main(["correlate"]) == 2
    assert "expected GOLD and systems to score, or --scores, got neither" in capsys.readouterr().err
