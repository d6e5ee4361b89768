"""The compiled searches, each a function of the rows alone: κ, the next distance below it, and the smallest shortfall.

All work in a caller's block of memory (see ``layout``), and return six numbers.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
import numba
import numpy as np

from dobrushin.coefficient.kernels import dense, plan, refine, select, shortfall
from dobrushin.coefficient.kernels.fixed_point import UNIT_BITS, overlap, quantise
from dobrushin.coefficient.kernels.jit import VALUES, jit
from dobrushin.coefficient.kernels.layout import fits, parts
from dobrushin.coefficient.kernels.limits import MOST_ROWS, WIDEST
from dobrushin.coefficient.kernels.objective import (
    CAPACITY,
    COUNT,
    FLOOR,
    NOT_LAZY,
    SECOND,
    lazy_score,
)

DONE, UNSUITED, SHORT = 0, 1, 2
"""Whether a search succeeded, is not for these rows, or needs more memory: room for LISTED pairs."""

STATUS, PATH, LISTED, MARKED, FIRST, NEXT = 0, 1, 2, 3, 4, 5
"""What a search returns: the above; the path taken; the number of listed pairs; how many attain the maximum (marked by
``~code``; -1: undecided among the marked); code of the first of them; code of a pair at the next distance, or -1."""

_OWN = numba.types.Array(numba.int64, 1, "C", readonly=True)
_FOUND = numba.types.UniTuple(numba.int64, 6)
_WORK = numba.int64[::1]


@jit()
def _without(status, listed):
    return status, plan.DENSE, listed, 0, -1, -1


@jit(allocates=True)
def _sort(codes, count):
    codes[:count].sort()


@jit()
def _decide(values, normalised, fixed, sums, scales, free, codes, count, path):
    """Mark the largest of the list, and find the next.  ``free`` is scratch."""
    fine = free.view(np.int64)[:count]
    count = refine.refine(values, normalised, fixed, scales, sums, codes, count, fine)
    marked = select.mark_largest(values, normalised, codes, fine, count)
    first = following = -1
    for at in range(count):
        if codes[at] < 0:
            first = ~codes[at]
            codes[0], codes[at] = codes[at], codes[0]
            fine[0], fine[at] = fine[at], fine[0]
            break
    # The list holds every pair that may come second, and its order no longer matters.
    if marked == 1 and count > 1 and select.mark_largest(values, normalised, codes[1:], fine[1:], count - 1) > 0:
        for at in range(1, count):
            if codes[at] < 0:
                following = ~codes[at]
                break
    return DONE, path, count, marked, first, following


@jit(_FOUND(VALUES, numba.boolean, numba.int64, _WORK))
def largest(values, normalised, path, work):
    """Find κ: the pairs that attain it, and one at the next distance when a single pair does."""
    rows, width = values.shape
    if rows > MOST_ROWS or width > WIDEST:
        return _without(UNSUITED, 0)
    if not fits(work, rows, width):
        return _without(SHORT, 0)
    fixed, sums, scales, panel, tile, free, scores, state, codes = parts(work, rows, width)
    error = np.int64(width + 1)
    if not quantise(values, normalised, fixed, sums, scales, state):
        return _without(UNSUITED, 0)
    state[FLOOR] = -1
    state[CAPACITY] = scores.size
    if path == plan.AUTO and rows <= plan.SMALL:
        path = plan.DENSE
    done = False
    if path != plan.DENSE:
        plan.seed_floor(fixed, sums, rows, width, tile, error, state)
        chosen = plan.choose(fixed, sums, rows, state)
        path = chosen if path == plan.AUTO else path
        done = path != plan.DENSE and plan.pruned_search(
            path, fixed, sums, rows, width, panel, tile, free, sums, NOT_LAZY, error, state, codes, scores
        )
    if done:
        count = state[COUNT]
        _sort(codes, count)
    else:
        path = plan.DENSE
        plan.all_distances(fixed, sums, rows, width, panel, tile, free, state)
        distances = free[1 : rows * (rows - 1) // 2 + 1].view(np.uint32)
        count = dense.above(distances, rows, state[SECOND] - 2 * error, codes)
        if count > codes.size:
            return _without(SHORT, count)
    return _decide(values, normalised, fixed, sums, scales, free, codes, count, path)


@jit(numba.void(numba.types.Array(numba.float64, 3, "C", readonly=True), numba.boolean, _WORK, numba.int64[:, ::1]))
def largest_of_each(values, normalised, work, found):
    """:func:`largest` for each map of a batch, in the same memory; row b of ``found`` is what it returns for map b."""
    for b in range(values.shape[0]):
        result = largest(values[b], normalised, plan.AUTO, work)
        for at in range(6):
            found[b, at] = result[at]


@jit(_FOUND(VALUES, numba.boolean, numba.int32[::1], _WORK))
def next_largest(values, normalised, excluded, work):
    """Find the largest distance among the pairs that are not excluded (codes in ascending order)."""
    rows, width = values.shape
    if rows > MOST_ROWS or width > WIDEST:
        return _without(UNSUITED, 0)
    if not fits(work, rows, width):
        return _without(SHORT, 0)
    fixed, sums, scales, panel, tile, free, _, state, codes = parts(work, rows, width)
    error = np.int64(width + 1)
    if not quantise(values, normalised, fixed, sums, scales, state):
        return _without(UNSUITED, 0)
    plan.all_distances(fixed, sums, rows, width, panel, tile, free, state)
    distances = free[1 : rows * (rows - 1) // 2 + 1].view(np.uint32)
    best = np.int64(-1)
    for drop in range(2):  # first find the best of the others, then list those near it
        skipped = at = count = 0
        for i in range(rows - 1):
            for j in range(i + 1, rows):
                code = i * rows + j
                if skipped < excluded.size and excluded[skipped] == code:
                    skipped += 1
                elif drop == 0:
                    best = max(best, np.int64(distances[at]))
                elif np.int64(distances[at]) > best - 2 * error:
                    if count < codes.size:
                        codes[count] = code
                    count += 1
                at += 1
    if count > codes.size:
        return _without(SHORT, count)
    return _decide(values, normalised, fixed, sums, scales, free, codes, count, plan.DENSE)


@jit()
def _above_lazily(distances, fixed, own, rows, cap, error, floor, codes):
    """List the pairs whose score is above the best one less twice the error; two looks at the distances."""
    count = 0
    for drop in range(2):
        at = 0
        for i in range(rows - 1):
            for j in range(i + 1, rows):
                distance = np.int64(distances[at])
                at += 1
                if distance <= floor:
                    continue
                score = lazy_score(fixed, own, i, j, distance, cap)
                if drop == 0:
                    floor = max(floor, score - 2 * error)
                elif score > floor:
                    if count < codes.size:
                        codes[count] = i * rows + j
                    count += 1
    return count


@jit(_FOUND(VALUES, numba.boolean, _OWN, numba.int64, numba.int64, numba.int32[::1], _WORK))
def smallest_shortfall(values, normalised, own, path, fine_cap, known, work):
    """List the pairs whose shortfall (T4) may be the smallest; some pairs that are worth a first look are ``known``.

    ``fine_cap`` is ⌊2**61·α/(1−α)⌋, at most 2**62: no deficit is larger.  Each of the two deficits is off by less than
    2 units of 2**-30: two floors, the relative error of normalised rows, and the floor of the cap.  So the error of a
    score is below w + 1 + 8.
    """
    rows, width = values.shape
    if rows > MOST_ROWS or width > WIDEST:
        return _without(UNSUITED, 0)
    if not fits(work, rows, width):
        return _without(SHORT, 0)
    fixed, sums, scales, panel, tile, free, scores, state, codes = parts(work, rows, width)
    cap = fine_cap >> (61 - UNIT_BITS)
    error = np.int64(width + 9)
    if not quantise(values, normalised, fixed, sums, scales, state):
        return _without(UNSUITED, 0)
    state[FLOOR] = -1
    state[CAPACITY] = scores.size
    best = -(np.int64(1) << 40)
    for at in range(known.size):
        i, j = known[at] // rows, known[at] % rows
        distance = sums[i] + sums[j] - 2 * overlap(fixed, i, j)
        best = max(best, lazy_score(fixed, own, i, j, distance, cap))
    floor = best - 2 * error
    if path == plan.AUTO:
        path = plan.DENSE
        if rows > plan.SMALL and floor > 0:
            state[FLOOR] = floor
            path = plan.choose(fixed, sums, rows, state)
    elif path != plan.DENSE:
        state[FLOOR] = floor
        plan.choose(fixed, sums, rows, state)
    if path != plan.DENSE and plan.pruned_search(
        path, fixed, sums, rows, width, panel, tile, free, own, cap, error, state, codes, scores
    ):
        count = state[COUNT]
        _sort(codes, count)
    else:
        path = plan.DENSE
        plan.all_distances(fixed, sums, rows, width, panel, tile, free, state)
        distances = free[1 : rows * (rows - 1) // 2 + 1].view(np.uint32)
        count = _above_lazily(distances, fixed, own, rows, cap, error, floor, codes)
        if count > codes.size:
            return _without(SHORT, count)
    scratch = free.view(np.int64)[:count]
    if count > 1 and normalised:
        ratio = fine_cap * 2.0**-61
        lower = scratch.view(np.float64)
        count = shortfall.refine_normalised(values, own, scales, ratio, codes, count, lower)
    elif count > 1:
        count = shortfall.refine_plain(values, own, sums, fine_cap, codes, count, scratch)
    return DONE, path, count, 0, -1, -1
