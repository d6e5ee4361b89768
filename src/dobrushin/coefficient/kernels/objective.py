"""What a pass over pairs looks for, and the short list of pairs that may be it.

A pass keeps the pairs whose *score* exceeds a floor that rises while better pairs appear.

* Searching for κ the score is D_q, and the floor is the *second* largest score so far minus twice the error, so that
  the list holds both the pairs that may attain κ and, when one pair does, those that may come next.
* Searching for the slack (T4) the score is G_q = D_q − 2·min(a, u⁻) − 2·min(a, v⁻) with a = α/(1−α) and
  u = A_ii − A_ji, v = A_jj − A_ij in the integers' units: the largest G gives the smallest shortfall.  The floor is
  the largest score so far minus twice the error.  As G ≤ D, a bound that rules out D > floor rules the pair out.

If E bounds the error of every score, a pair with score ≤ s − 2E has a true score below that of the pair with score s.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
import numpy as np

from dobrushin.coefficient.kernels.jit import jit

FLOOR, BEST, SECOND, COUNT, CAPACITY = 0, 1, 2, 3, 4
"""Slots of a pass's state, an int64 array."""

NOT_LAZY = np.int64(-1)
"""In place of a, when the score is D_q alone."""


@jit()
def lazy_score(fixed, own, i, j, distance, cap):
    """G_q(i, j), from D_q(i, j)."""
    u = np.int64(fixed[j, own[i]]) - np.int64(fixed[i, own[i]])
    v = np.int64(fixed[i, own[j]]) - np.int64(fixed[j, own[j]])
    return distance - 2 * min(cap, max(u, 0)) - 2 * min(cap, max(v, 0))


@jit()
def offer(fixed, own, rows, i, j, distance, cap, error, state, codes, scores):
    """Take a pair with D_q above the floor into the list, unless its score is not; raise the floor.

    Returns:
        False when the list is full even without the entries that the risen floor rules out.
    """
    score = distance
    if cap >= 0:
        score = lazy_score(fixed, own, i, j, distance, cap)
        if score <= state[FLOOR]:
            return True
    if score > state[BEST]:
        state[SECOND] = state[BEST]
        state[BEST] = score
    elif score > state[SECOND]:
        state[SECOND] = score
    leader = state[BEST] if cap >= 0 else state[SECOND]
    state[FLOOR] = max(state[FLOOR], leader - 2 * error)
    if state[COUNT] == state[CAPACITY]:
        compact(state, codes, scores)
        if 4 * state[COUNT] > 3 * state[CAPACITY]:
            return False
    codes[state[COUNT]] = i * rows + j
    scores[state[COUNT]] = np.uint32(max(score, 0))
    state[COUNT] += 1
    return True


@jit()
def compact(state, codes, scores):
    """Drop the listed pairs that the floor has come to rule out."""
    kept = 0
    for at in range(state[COUNT]):
        if np.int64(scores[at]) > state[FLOOR]:
            codes[kept] = codes[at]
            scores[kept] = scores[at]
            kept += 1
    state[COUNT] = kept
