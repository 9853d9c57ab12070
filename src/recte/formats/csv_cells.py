"""One line of a table into its cells, quoted ones too."""

from __future__ import annotations

import csv

from recte.errors import InputError

__all__ = ["csv_cells"]


def csv_cells(text: str, name: str, line: int, delimiter: str = ",") -> list[str]:
    """The cells of a line of the file `name`.

    >>> csv_cells('a,"b,c"', "x.csv", 1)
    ['a', 'b,c']
    """
    if '"' not in text:
        return text.split(delimiter)
    try:
        return next(csv.reader([text], delimiter=delimiter))
    except csv.Error as error:
        raise InputError(
            f"expected cells parted by {delimiter!r}, got a line that cannot be: {error}", name, line
        ) from None
