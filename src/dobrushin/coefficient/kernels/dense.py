"""All distances D_q: the path for small maps, and for those where nothing can be pruned.

They come as one flat array (uint32, in which no distance overflows), pairs in lexicographic order.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
import numpy as np

from dobrushin.coefficient.kernels.jit import jit
from dobrushin.coefficient.kernels.panel import fill_panel
from dobrushin.coefficient.kernels.tile import HEIGHT, minima, write_distances
from dobrushin.coefficient.kernels.vectors import LANES

_BLOCK = 64  # distances that are looked at together


@jit()
def distances(fixed, sums, rows, width, panel, tile, out):
    """Write D_q(i, j) for all i < j to ``out``, from its second place on: the first is scratch.

    A whole panel is written by whole vectors.  Where they reach to the left of the diagonal, they end up among
    distances of earlier rows, which are written later: the rows come in descending order.
    """
    for right in range(0, rows, LANES):
        fill_panel(fixed, right, width, panel)
        stop = min(right + LANES, rows)
        for left in range((stop - 2) // HEIGHT * HEIGHT, -1, -HEIGHT):
            minima(panel, fixed, left, width, tile)
            for h in range(min(HEIGHT, stop - 1 - left) - 1, -1, -1):
                row = left + h
                start = row * (2 * rows - row - 1) // 2 - row
                if stop == right + LANES:
                    write_distances(tile, h, sums, row, right, out, start + right)
                else:
                    for j in range(max(right, row + 1), stop):
                        out[start + j] = np.uint32(sums[row] + sums[j] - 2 * np.int64(tile[h * LANES + j - right]))


@jit()
def largest(some):
    """The largest of some distances."""
    most = np.uint32(0)
    for at in range(some.size):
        most = max(most, some[at])
    return most


@jit()
def two_largest(every):
    """The largest and the second largest of all distances (0 if there is none), equal when they tie."""
    best = largest(every)
    second = np.uint32(0)
    found = np.uint32(0)
    for at in range(every.size):
        value = every[at]
        found += np.uint32(value == best)
        second = max(second, np.uint32(0) if value == best else value)
    return np.int64(best), np.int64(best if found > 1 else second)


@jit()
def above(every, rows, floor, codes):
    """List the pairs whose distance exceeds the floor, in lexicographic order; at most ``codes.size`` of them.

    Returns:
        How many there are, listed or not.
    """
    count = row = 0
    end = rows - 1  # of the row's distances
    for start in range(0, every.size, _BLOCK):
        block = every[start : start + _BLOCK]
        if np.int64(largest(block)) <= floor:
            continue
        for at in range(block.size):
            if np.int64(block[at]) > floor:
                while start + at >= end:
                    row += 1
                    end += rows - 1 - row
                if count < codes.size:
                    codes[count] = row * rows + rows - (end - start - at)
                count += 1
    return count
