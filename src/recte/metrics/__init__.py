"""The metrics, one file each, and the recipe they share."""

from __future__ import annotations

from recte.metrics.registry import load_metrics, metric_class, metric_names, register

__all__ = ["load_metrics", "metric_class", "metric_names", "register"]
