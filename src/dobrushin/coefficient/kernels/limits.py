"""Sizes that the kernels are made for; no numba here, so that asking costs nothing."""

WIDEST = 8000
"""Columns: the error bounds for normalised rows hold up to here."""

MOST_ROWS = 1 << 15
"""Rows: the code i·rows + j of a pair fits in 31 bits."""
