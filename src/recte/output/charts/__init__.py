"""Pictures, each drawn once: interactive in the report, and as SVG, PNG or PDF for a paper."""
