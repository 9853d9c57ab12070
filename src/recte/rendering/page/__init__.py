"""The report: one self-contained HTML page, its data laid out once and rendered where it is seen."""
