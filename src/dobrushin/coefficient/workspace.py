"""Memory for the compiled kernels: one block for each thread, kept from one map to the next.

``kernels.layout`` says what is in it.
"""

import threading

import numpy as np
import numpy.typing as npt

from dobrushin.coefficient.kernels.limits import list_start, shortest_list, stride_of

_CACHE_LINE = 64


class Workspace(threading.local):
    """The calling thread's block."""

    def __init__(self) -> None:
        self.block: npt.NDArray[np.int64] = np.empty(0, np.int64)

    def enlarge(self, rows: int, width: int, listed: int = 0) -> npt.NDArray[np.int64]:
        """Make the block long enough for rows of this shape and so many listed pairs, and return it."""
        needed = list_start(stride_of(rows, width), rows) + (max(listed, shortest_list(rows)) + 1) // 2
        if needed > len(self.block):
            longer = np.empty(needed + _CACHE_LINE // 8, np.int64)
            start = -longer.ctypes.data % _CACHE_LINE // 8  # no vector straddles two cache lines
            self.block = longer[start : start + needed]
        return self.block

    def listed(self, rows: int, width: int, count: int) -> npt.NDArray[np.int32]:
        """A view of the first so many pairs of the list that the last search for such rows left."""
        codes: npt.NDArray[np.int32] = self.block[list_start(stride_of(rows, width), rows) :].view(np.int32)
        return codes[:count]
