"""What metrics share whose rows hold n-grams that match, and n-grams that there are, by their order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from recte.metrics.base import SummedMetric

__all__ = ["NgramMetric"]


class NgramMetric(SummedMetric):
    """A row has matches of each order, n-grams of each order, and two lengths. Subclasses have the option `orders`."""

    orders: int

    @property
    def cells(self) -> tuple[int, ...]:  # type: ignore[override]
        return (2 * self.orders + 2,)

    def valid_rows(self, rows: NDArray[Any]) -> NDArray[np.bool_]:
        """Of each order no more n-grams that match than there are."""
        fits = rows[:, : self.orders] <= rows[:, self.orders : 2 * self.orders]
        return super().valid_rows(rows) if fits.all() else super().valid_rows(rows) & fits.all(axis=1)

    @property
    def ngram_orders(self) -> int:
        return self.orders
