"""Sizes that the kernels are made for; no numba here, so that asking costs nothing."""

WIDEST = 8000
"""Columns: the error bounds for normalised rows hold up to here."""

MOST_ROWS = 1 << 15
"""Rows: the code i·rows + j of a pair fits in 31 bits."""

SPARE_ROWS = 40
"""Rows of the integer buffer beyond twice those of the map: whole tiles and panels are read past its last row."""

STATE = 8
"""Numbers in the state of a pass."""

_VECTOR = 16  # int32 numbers in 64 bytes, and the most lanes that a vector has
_TILE = 64  # length of the sums of a tile
_CONFLICT = 2048  # rows a multiple of so many bytes apart compete for the same cache sets
_ALL_PAIRS = 256  # up to so many rows, room for every pair from the start


def stride_of(rows: int, width: int) -> int:
    """Row length of the integer buffer: whole vectors, no cache conflicts, and room for all pairs in half of it."""
    stride = (max(width, rows) + _VECTOR - 1) // _VECTOR * _VECTOR
    return stride + _VECTOR if stride * 4 % _CONFLICT == 0 else stride


def list_start(stride: int, rows: int) -> int:
    """Where the list of pairs starts in a block of memory (int64), behind all other parts; see ``layout``."""
    total = 2 * rows + SPARE_ROWS
    scores = max(64, rows * rows // 16) // 2
    return (total + _VECTOR) * stride // 2 + _TILE + total + rows + STATE + scores


def shortest_list(rows: int) -> int:
    """How many pairs the list has room for at least."""
    return max(64, rows * (rows - 1) // 2) if rows <= _ALL_PAIRS else rows * rows // 16
