"""Pruning whole blocks of pairs by lower envelopes, with early abandoning.

The envelope m_I of a block I of consecutive rows is their columnwise minimum, and R_I their largest row sum.  For rows
i ∈ I and j ∈ J, Σ_k min(q_ik, q_jk) ≥ Σ_k min(m_Ik, m_Jk), hence

    D_q(i, j) ≤ R_I + R_J − 2·Σ_k min(m_Ik, m_Jk),

and the right side only falls as k runs on: as soon as it is no larger than the floor, the block of pairs is done with.
Level 0 are the rows themselves, a block of level L+1 joins two of level L, and a pair of blocks splits into the four
pairs of their halves (three, when it is a block with itself).  The walk is depth first: nothing is stored but a stack.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
import numpy as np

from dobrushin.coefficient.kernels.fixed_point import overlap
from dobrushin.coefficient.kernels.jit import jit
from dobrushin.coefficient.kernels.objective import COUNT, FLOOR, offer
from dobrushin.coefficient.kernels.tile import square_strip
from dobrushin.coefficient.kernels.vectors import LANES

LEVELS = 4
"""The walk starts from all pairs of blocks of this level; levels below it have envelopes."""

_STRIP = 8  # vectors of columns between two looks at whether a block is done with
_NO_ROW = -(1 << 40)  # in place of a row sum: rules out every pair


@jit()
def level_start(rows, level):
    """First row of a level within the buffer that holds all levels, each with an even number of blocks."""
    start = 0
    count = rows
    for _ in range(level):
        start += count + (count & 1)
        count = (count + 1) // 2
    return start


@jit()
def pad_level(fixed, sums, rows, level):
    """Give a level with an odd number of blocks one more, which no pair survives."""
    count = (rows + (1 << level) - 1) >> level
    if count & 1:
        at = level_start(rows, level) + count
        for k in range(fixed.shape[1]):
            fixed[at, k] = fixed[at - 1, k]
        sums[at] = _NO_ROW


@jit()
def build_level(fixed, sums, rows, level):
    """Write the envelopes of one level, from the level below it, which is padded."""
    below = level_start(rows, level - 1)
    start = level_start(rows, level)
    for block in range((rows + (1 << level) - 1) >> level):
        a, b = below + 2 * block, below + 2 * block + 1
        for k in range(fixed.shape[1]):
            fixed[start + block, k] = min(fixed[a, k], fixed[b, k])
        sums[start + block] = max(sums[a], sums[b])
    pad_level(fixed, sums, rows, level)


@jit()
def upper_bound(fixed, sums, a, b):
    """The bound above for two rows of the buffer."""
    return sums[a] + sums[b] - 2 * overlap(fixed, a, b)


@jit()
def _overlaps(fixed, width, a, b, t00, t01, t10, t11, strip, out):
    """Σ min of rows a, a+1 with b, b+1; False as soon as every one is known to be at least half its threshold."""
    s00 = s01 = s10 = s11 = np.int64(0)
    vectors = (width + LANES - 1) // LANES
    for first in range(0, vectors, _STRIP):
        square_strip(fixed, a, b, first * LANES, min(_STRIP, vectors - first), strip)
        s00 += strip[0]
        s01 += strip[1]
        s10 += strip[2]
        s11 += strip[3]
        if 2 * s00 >= t00 and 2 * s01 >= t01 and 2 * s10 >= t10 and 2 * s11 >= t11:
            return False
    out[0], out[1], out[2], out[3] = s00, s01, s10, s11
    return True


@jit(allocates=True)
def search(fixed, sums, rows, width, strip, own, cap, error, state, codes, scores):
    """Offer every pair whose distance may exceed the floor; False when the list overflows.

    ``fixed`` and ``sums`` hold all levels; ``strip`` is scratch for four int32.
    """
    stack = np.empty((8 * LEVELS, 3), np.int64)
    found = np.empty(4, np.int64)
    top_blocks = (rows + (1 << LEVELS) - 1) >> LEVELS
    for first in range(top_blocks):
        for second in range(first, top_blocks):
            stack[0, 0], stack[0, 1], stack[0, 2] = LEVELS, first, second
            depth = 1
            while depth > 0:
                depth -= 1
                level, left, right = stack[depth, 0], stack[depth, 1], stack[depth, 2]
                start = level_start(rows, level - 1)
                a, b = start + 2 * left, start + 2 * right
                floor = state[FLOOR]
                t00, t01 = sums[a] + sums[b] - floor, sums[a] + sums[b + 1] - floor
                t10, t11 = sums[a + 1] + sums[b] - floor, sums[a + 1] + sums[b + 1] - floor
                if left == right:
                    t10 = _NO_ROW
                    if level == 1:
                        t00 = t11 = _NO_ROW
                if not _overlaps(fixed, width, a, b, t00, t01, t10, t11, strip, found):
                    continue
                for child in range(4):
                    threshold = t00 if child == 0 else t01 if child == 1 else t10 if child == 2 else t11
                    if 2 * found[child] >= threshold:
                        continue
                    i, j = 2 * left + child // 2, 2 * right + child % 2
                    if level > 1:
                        stack[depth, 0], stack[depth, 1], stack[depth, 2] = level - 1, i, j
                        depth += 1
                        continue
                    distance = sums[i] + sums[j] - 2 * found[child]
                    if distance > state[FLOOR] and not offer(
                        fixed, own, rows, i, j, distance, cap, error, state, codes, scores
                    ):
                        return False
    return state[COUNT] >= 0
