"""Buffers for the compiled kernels, one set for each thread, kept from one map to the next of the same size.

For m rows of width n: 8·m·n bytes of integers (half for the quantised rows, half for envelopes, 16-bit rows or all
distances, whichever the path needs) and m²/4 bytes of pair codes, up to 2·m² when nearly all pairs tie.
"""

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

_LANES = 16  # int32 numbers in 64 bytes
_CONFLICT = 2048  # rows a multiple of so many bytes apart compete for the same cache sets
_ALL_PAIRS = 256  # up to so many rows, room for every pair from the start


class Workspace(threading.local):
    """The calling thread's buffers."""

    def __init__(self) -> None:
        self._shape = (0, 0)
        self.fixed: npt.NDArray[np.int32] = np.empty((0, 0), np.int32)
        self.sums: npt.NDArray[np.int64] = np.empty(0, np.int64)
        self.scales: npt.NDArray[np.float64] = np.empty(0)
        self.codes: npt.NDArray[np.int32] = np.empty(0, np.int32)
        self.scores: npt.NDArray[np.uint32] = np.empty(0, np.uint32)
        self.out: npt.NDArray[np.int64] = np.zeros(8, np.int64)

    def buffers(self, rows: int, width: int) -> tuple[Any, ...]:
        """The arguments that every search takes last."""
        if self._shape != (rows, width):
            self._shape = (rows, width)
            total = 2 * rows + 12
            self.fixed = np.zeros((total, _stride(width, rows)), np.int32)
            self.sums = np.zeros(total, np.int64)
            self.scales = np.zeros(rows)
            pairs = rows * (rows - 1) // 2
            self.codes = np.empty(pairs if rows <= _ALL_PAIRS else rows * rows // 16, np.int32)
            self.scores = np.empty(max(64, rows * rows // 16), np.uint32)
            if len(self.codes) < len(self.scores):
                self.codes = np.empty(len(self.scores), np.int32)
        return self.fixed, self.sums, self.scales, self.codes, self.scores, self.out

    def lengthen(self, count: int) -> None:
        """Make room for so many pair codes."""
        self.codes = np.empty(count, np.int32)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        arrays = (self.fixed, self.sums, self.scales, self.codes, self.scores)
        return sum(array.nbytes for array in arrays)


def _stride(width: int, rows: int) -> int:
    """Row length of the integer buffer: whole vectors, no cache conflicts, and room for all pairs in half of it."""
    stride = -(-max(width, rows) // _LANES) * _LANES
    return stride + _LANES if stride * 4 % _CONFLICT == 0 else stride
