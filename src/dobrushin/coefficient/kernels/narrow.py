"""Sixteen bits first: twice as many columns at a time, when the pruning tree has nothing to prune.

With p_ik = q_ik >> 14, 0 ≤ q_ik − 2**14·p_ik < 2**14, so 2**14·Σ_k min(p_ik, p_jk) ≤ Σ_k min(q_ik, q_jk) and

    D_q(i, j) ≤ R_i + R_j − 2**15·Σ_k min(p_ik, p_jk).

Sums and entries are kept modulo 2**16.  That is safe: a wrapped sum (or the entry 2**16 of a one-hot row) can only be
too small, the bound too large, and the pair is then looked at in 32 bits in vain.

In units of 2**15, with T_i = ⌊R_i/2**15⌋ + 1 and the floor rounded down, the bound is below the floor if the sum is at
least T_i + T_j less the floor: that comparison is made for whole tiles.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
import numpy as np

from dobrushin.coefficient.kernels.fixed_point import overlap
from dobrushin.coefficient.kernels.jit import jit
from dobrushin.coefficient.kernels.objective import FLOOR, offer
from dobrushin.coefficient.kernels.panel import fill_panel
from dobrushin.coefficient.kernels.tile import HEIGHT, any_below, narrow_minima
from dobrushin.coefficient.kernels.vectors import LANES

_SHIFT = 14
_NO_ROW = -(1 << 24)  # in place of T beyond the last row: no sum is below it


@jit()
def narrow(fixed, sums, rows, small, limits):
    """Write p to ``small`` (uint16) and T to ``limits`` (int32), which has room for a tile and a panel more."""
    for i in range(rows):
        for k in range(fixed.shape[1]):
            small[i, k] = np.uint16(fixed[i, k] >> _SHIFT)
        limits[i] = np.int32((sums[i] >> (_SHIFT + 1)) + 1)
    for i in range(rows, limits.size):
        limits[i] = _NO_ROW


@jit()
def narrow_bound(fixed, sums, i, j):
    """The bound above for one pair, from the 32-bit rows."""
    total = np.uint16(0)
    for k in range(fixed.shape[1]):
        total = np.uint16(total + np.uint16(min(fixed[i, k], fixed[j, k]) >> _SHIFT))
    return sums[i] + sums[j] - (np.int64(total) << (_SHIFT + 1))


@jit()
def search(small, fixed, sums, rows, width, panel, tile, limits, own, cap, error, state, codes, scores):
    """Offer every pair whose distance may exceed the floor; False when the list overflows."""
    pairs = small.reshape(-1).view(np.int32).reshape((small.shape[0], small.shape[1] // 2))
    length = (width + 1) // 2
    for right in range(0, rows, LANES):
        fill_panel(pairs, right, length, panel)
        stop = min(right + LANES, rows)
        for left in range(0, stop - 1, HEIGHT):
            narrow_minima(panel, pairs, left, length, tile)
            if not any_below(tile, limits, left, right, np.int32(state[FLOOR] >> (_SHIFT + 1))):
                continue
            for row in range(left, min(left + HEIGHT, stop - 1)):
                for other in range(max(right, row + 1), stop):
                    both = sums[row] + sums[other]
                    total = np.int64(tile[(row - left) * LANES + other - right])
                    if both - (total << (_SHIFT + 1)) <= state[FLOOR]:
                        continue
                    distance = both - 2 * overlap(fixed, row, other)
                    if distance > state[FLOOR] and not offer(
                        fixed, own, rows, row, other, distance, cap, error, state, codes, scores
                    ):
                        return False
    return True
