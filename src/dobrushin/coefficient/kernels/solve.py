"""The compiled searches, each a function of the rows alone: κ, the next distance below it, and the smallest shortfall.

All work in a caller's buffers (see :mod:`dobrushin.coefficient.workspace`) and write what they found to ``out``.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
import numba
import numpy as np

from dobrushin.coefficient.kernels import plan, refine, select, shortfall
from dobrushin.coefficient.kernels.fixed_point import UNIT_BITS, overlap, quantise
from dobrushin.coefficient.kernels.jit import VALUES, jit
from dobrushin.coefficient.kernels.objective import (
    CAPACITY,
    COUNT,
    FLOOR,
    NOT_LAZY,
    SECOND,
    lazy_score,
)

DONE, UNSUITED, LIST_TOO_SHORT = 0, 1, 2
"""Whether a search succeeded, is not for these rows, or needs ``out[LISTED]`` entries in ``codes``."""

STATUS, PATH, LISTED, MARKED, FIRST, NEXT = 0, 1, 2, 3, 4, 5
"""Slots of ``out``: the above; the path taken; the number of listed pairs; how many attain the maximum (marked by
``~code``; -1: undecided among the marked); code of the first of them; code of a pair at the next distance, or -1."""

_BUFFERS = (
    numba.int32[:, ::1],  # fixed: quantised rows and what follows them
    numba.int64[::1],  # sums
    numba.float64[::1],  # scales
    numba.int32[::1],  # codes
    numba.uint32[::1],  # scores
    numba.int64[::1],  # out
)
_OWN = numba.types.Array(numba.int64, 1, "C", readonly=True)


@jit()
def _decide(values, normalised, fixed, sums, scales, codes, count, out):
    """Mark the largest of the list, and find the next.  The spare part of the buffer is free once the list is made."""
    fine = plan.spare(fixed, values.shape[0]).view(np.int64)[:count]
    count = refine.refine(values, normalised, fixed, scales, sums, codes, count, fine)
    out[LISTED] = count
    marked = select.mark_largest(values, normalised, codes, fine, count)
    out[MARKED] = marked
    out[FIRST] = out[NEXT] = -1
    for at in range(count):
        if codes[at] < 0:
            out[FIRST] = ~codes[at]
            codes[0], codes[at] = codes[at], codes[0]
            fine[0], fine[at] = fine[at], fine[0]
            break
    if marked != 1 or count < 2:
        return
    # The list holds every pair that may come second, and its order no longer matters.
    if select.mark_largest(values, normalised, codes[1:], fine[1:], count - 1) > 0:
        for at in range(1, count):
            if codes[at] < 0:
                out[NEXT] = ~codes[at]
                return


@jit(numba.void(VALUES, numba.boolean, _OWN, numba.int64, *_BUFFERS))
def largest(values, normalised, own, path, fixed, sums, scales, codes, scores, out):
    """Find κ: the pairs that attain it, and one at the next distance when a single pair does."""
    rows, width = values.shape
    error = np.int64(width + 1)
    state = np.empty(8, np.int64)
    state[FLOOR] = -1
    state[CAPACITY] = scores.size
    out[STATUS] = UNSUITED
    if not quantise(values, normalised, fixed, sums, scales):
        return
    if path == plan.AUTO and rows <= plan.SMALL:
        path = plan.DENSE
    if path != plan.DENSE:
        plan.seed_floor(fixed, sums, rows, error, state)
        chosen = plan.choose(fixed, sums, rows, False, state)
        path = chosen if path == plan.AUTO else path
    if path != plan.DENSE and plan.pruned_search(path, fixed, sums, rows, own, NOT_LAZY, error, state, codes, scores):
        count = state[COUNT]
        codes[:count].sort()
    else:
        path = plan.DENSE
        distances = plan.all_distances(fixed, sums, rows, state)
        count = plan.above(distances, rows, state[SECOND] - 2 * error, codes)
    out[PATH] = path
    out[LISTED] = count
    if count > codes.size:
        out[STATUS] = LIST_TOO_SHORT
        return
    out[STATUS] = DONE
    _decide(values, normalised, fixed, sums, scales, codes, count, out)


@jit(
    numba.void(
        numba.types.Array(numba.float64, 3, "C", readonly=True), numba.boolean, _OWN, *_BUFFERS, numba.int64[:, ::1]
    )
)
def largest_of_each(values, normalised, own, fixed, sums, scales, codes, scores, out, found):
    """:func:`largest` for each map of a batch, in the same buffers; row b of ``found`` is the ``out`` of map b."""
    for b in range(values.shape[0]):
        largest(values[b], normalised, own, plan.AUTO, fixed, sums, scales, codes, scores, out)
        found[b, :] = out


@jit(numba.void(VALUES, numba.boolean, numba.int32[::1], *_BUFFERS))
def next_largest(values, normalised, excluded, fixed, sums, scales, codes, scores, out):  # noqa: ARG001
    """Find the largest distance among the pairs that are not excluded (codes in ascending order)."""
    rows, width = values.shape
    error = np.int64(width + 1)
    state = np.empty(8, np.int64)
    out[STATUS] = UNSUITED
    if not quantise(values, normalised, fixed, sums, scales):
        return
    distances = plan.all_distances(fixed, sums, rows, state)
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
    out[PATH] = plan.DENSE
    out[LISTED] = count
    if count > codes.size:
        out[STATUS] = LIST_TOO_SHORT
        return
    out[STATUS] = DONE
    _decide(values, normalised, fixed, sums, scales, codes, count, out)


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


@jit(numba.void(VALUES, numba.boolean, _OWN, numba.int64, numba.int64, numba.int32[::1], *_BUFFERS))
def smallest_shortfall(values, normalised, own, path, fine_cap, known, fixed, sums, scales, codes, scores, out):
    """List the pairs whose shortfall (T4) may be the smallest; some pairs that are worth a first look are ``known``.

    ``fine_cap`` is ⌊2**61·α/(1−α)⌋, at most 2**62: no deficit is larger.  Each of the two deficits is off by less than
    2 units of 2**-30: two floors, the relative error of normalised rows, and the floor of the cap.  So the error of a
    score is below w + 1 + 8.
    """
    rows, width = values.shape
    cap = fine_cap >> (61 - UNIT_BITS)
    error = np.int64(width + 9)
    state = np.empty(8, np.int64)
    state[CAPACITY] = scores.size
    out[STATUS] = UNSUITED
    if not quantise(values, normalised, fixed, sums, scales):
        return
    state[FLOOR] = -1
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
            path = plan.choose(fixed, sums, rows, True, state)
    elif path != plan.DENSE:
        state[FLOOR] = floor
        plan.choose(fixed, sums, rows, True, state)
    if path != plan.DENSE and plan.pruned_search(path, fixed, sums, rows, own, cap, error, state, codes, scores):
        count = state[COUNT]
        codes[:count].sort()
    else:
        path = plan.DENSE
        distances = plan.all_distances(fixed, sums, rows, state)
        count = _above_lazily(distances, fixed, own, rows, cap, error, floor, codes)
    out[PATH] = path
    out[LISTED] = count
    if count > codes.size:
        out[STATUS] = LIST_TOO_SHORT
        return
    out[STATUS] = DONE
    scratch = plan.spare(fixed, rows).view(np.int64)[:count]
    if count > 1 and normalised:
        ratio = fine_cap * 2.0**-61
        lower = scratch.view(np.float64)
        out[LISTED] = shortfall.refine_normalised(values, own, scales, ratio, codes, count, lower)
    elif count > 1:
        out[LISTED] = shortfall.refine_plain(values, own, sums, fine_cap, codes, count, scratch)
