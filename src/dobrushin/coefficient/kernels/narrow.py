"""Sixteen bits first: twice as many columns at a time, when the pruning tree has nothing to prune.

With p_ik = q_ik >> 14, 0 ≤ q_ik − 2**14·p_ik < 2**14, so 2**14·Σ_k min(p_ik, p_jk) ≤ Σ_k min(q_ik, q_jk) and

    D_q(i, j) ≤ R_i + R_j − 2·2**14·Σ_k min(p_ik, p_jk).

Sums and entries are kept modulo 2**16.  That is safe: a wrapped sum (or the entry 2**16 of a one-hot row) can only be
too small, the bound too large, and the pair is then looked at in 32 bits in vain.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
import numpy as np

from dobrushin.coefficient.kernels.fixed_point import overlap
from dobrushin.coefficient.kernels.jit import jit
from dobrushin.coefficient.kernels.objective import FLOOR, offer

_SHIFT = 14


@jit()
def narrow(fixed, rows, out):
    """Write p to ``out`` (uint16, at least three rows more than the map)."""
    for i in range(rows):
        for k in range(fixed.shape[1]):
            out[i, k] = np.uint16(fixed[i, k] >> _SHIFT)


@jit()
def narrow_bound(fixed, sums, i, j):
    """The bound above for one pair, from the 32-bit rows."""
    total = np.uint16(0)
    for k in range(fixed.shape[1]):
        total = np.uint16(total + np.uint16(min(fixed[i, k], fixed[j, k]) >> _SHIFT))
    return sums[i] + sums[j] - (np.int64(total) << (_SHIFT + 1))


@jit()
def search(small, fixed, sums, rows, own, cap, error, state, codes, scores):
    """Offer every pair whose distance may exceed the floor; False when the list overflows."""
    width = small.shape[1]
    for i in range(0, rows - 1, 2):
        for j in range(i + 1, rows, 4):
            s0 = s1 = s2 = s3 = t0 = t1 = t2 = t3 = np.uint16(0)
            for k in range(width):
                x, y = small[i, k], small[i + 1, k]
                a, b, c, d = small[j, k], small[j + 1, k], small[j + 2, k], small[j + 3, k]
                s0 = np.uint16(s0 + min(x, a))
                s1 = np.uint16(s1 + min(x, b))
                s2 = np.uint16(s2 + min(x, c))
                s3 = np.uint16(s3 + min(x, d))
                t0 = np.uint16(t0 + min(y, a))
                t1 = np.uint16(t1 + min(y, b))
                t2 = np.uint16(t2 + min(y, c))
                t3 = np.uint16(t3 + min(y, d))
            count = min(4, rows - j)
            for row, overlaps in ((i, (s0, s1, s2, s3)), (i + 1, (t0, t1, t2, t3))):
                for c in range(count):
                    other = j + c
                    if other <= row:
                        continue
                    both = sums[row] + sums[other]
                    if both - (np.int64(overlaps[c]) << (_SHIFT + 1)) <= state[FLOOR]:
                        continue
                    distance = both - 2 * overlap(fixed, row, other)
                    if distance > state[FLOOR] and not offer(
                        fixed, own, rows, row, other, distance, cap, error, state, codes, scores
                    ):
                        return False
    return True
