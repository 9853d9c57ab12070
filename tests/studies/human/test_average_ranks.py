"""Average ranks and the binomial tails of soft pairwise accuracy, against SciPy's."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.stats import binom, rankdata

from recte.statistics.correlation import average_ranks
from recte.studies.human.judgments import Judgments, Preference
from recte.studies.metaeval.soft_accuracy import human_p_values


@given(arrays(np.float64, array_shapes(max_dims=3), elements=st.sampled_from([0.0, -1.5, 2.0, 7.25])))
def test_ranks_are_scipys(values):
    assert np.array_equal(average_ranks(values), rankdata(values, axis=-1))


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 5))
def test_half_counted_binomial_tails_are_scipys(won, lost, tied):
    outcomes = [1] * won + [-1] * lost + [0] * max(tied, int(won + lost == 0))
    judged = Judgments.from_preferences(Preference(n, "j", "a", "b", o, n) for n, o in enumerate(outcomes))
    wanted = binom.sf(won, won + lost, 0.5) + binom.pmf(won, won + lost, 0.5) / 2
    assert abs(human_p_values(judged)[0] - wanted) < 1e-12
