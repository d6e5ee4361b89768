"""Which path a map takes: small maps are done densely; larger ones are sampled first."""

# mypy: allow-untyped-defs, allow-untyped-calls
import numpy as np

from dobrushin.coefficient.kernels import dense, envelope_tree, narrow
from dobrushin.coefficient.kernels.fixed_point import overlap
from dobrushin.coefficient.kernels.jit import jit
from dobrushin.coefficient.kernels.objective import BEST, CAPACITY, COUNT, FLOOR, SECOND, compact

AUTO, DENSE, TREE, NARROW = 0, 1, 2, 3

SMALL = 112
"""Up to so many rows, the dense path wins whatever the map."""

_SAMPLES = 64
# Measured at 257 tokens: with 16% of the sampled pairs of four-row blocks surviving, the tree takes as long as the
# dense pass and longer than 16 bits; with 3% it takes less than half of either.
_TREE_PAYS = 0.12
_TREE_BEATS_DENSE = 0.2
_NARROW_PAYS = 0.15  # of the sampled pairs of rows survive
_SAMPLED_LEVEL = 2


@jit()
def seed_floor(fixed, sums, rows, error, state):
    """Raise the floor by three hops, each to the row farthest from the last.

    Within one hop the pairs are distinct, so its second largest distance is at most the second largest of all.
    """
    row = 0
    for _ in range(3):
        best = second = np.int64(-1)
        farthest = row
        for j in range(rows):
            if j != row:
                distance = sums[row] + sums[j] - 2 * overlap(fixed, row, j)
                if distance > best:
                    second, best, farthest = best, distance, j
                elif distance > second:
                    second = distance
        state[FLOOR] = max(state[FLOOR], second - 2 * error)
        row = farthest


@jit()
def choose(fixed, sums, rows, lazy, state):
    """Sample the pairs that would survive the floor, and choose a path; envelopes are built up to the sampled level."""
    envelope_tree.pad_level(fixed, sums, rows, 0)
    for level in range(1, _SAMPLED_LEVEL + 1):
        envelope_tree.build_level(fixed, sums, rows, level)
    start = envelope_tree.level_start(rows, _SAMPLED_LEVEL)
    blocks = (rows + (1 << _SAMPLED_LEVEL) - 1) >> _SAMPLED_LEVEL
    draw = np.uint64(88172645463325252)
    tree = small = 0
    for _ in range(_SAMPLES):
        draw ^= draw << np.uint64(13)  # xorshift (Marsaglia 2003): the same sample every time
        draw ^= draw >> np.uint64(7)
        draw ^= draw << np.uint64(17)
        a, b = np.int64((draw >> np.uint64(8)) & np.uint64(0xFFFFFF)), np.int64(draw >> np.uint64(40))
        if envelope_tree.upper_bound(fixed, sums, start + a % blocks, start + b % blocks) > state[FLOOR]:
            tree += 1
        i, j = a % rows, b % rows
        if i != j and narrow.narrow_bound(fixed, sums, i, j) > state[FLOOR]:
            small += 1
    if tree <= _TREE_PAYS * _SAMPLES:
        return TREE
    if small <= _NARROW_PAYS * _SAMPLES and not lazy:
        return NARROW
    return TREE if tree <= _TREE_BEATS_DENSE * _SAMPLES else DENSE


@jit()
def pruned_search(path, fixed, sums, rows, own, cap, error, state, codes, scores):
    """Fill the list by the tree or in 16 bits; False when the list overflows, as with massive ties."""
    state[BEST] = state[SECOND] = -(1 << 40)
    state[COUNT] = 0
    done = False
    if path == TREE:
        for level in range(_SAMPLED_LEVEL + 1, envelope_tree.LEVELS):
            envelope_tree.build_level(fixed, sums, rows, level)
        done = envelope_tree.search(fixed, sums, rows, own, cap, error, state, codes, scores)
    elif path == NARROW:
        small = spare(fixed, rows).view(np.uint16)[: (rows + 4) * fixed.shape[1]]
        small = small.reshape((rows + 4, fixed.shape[1]))
        narrow.narrow(fixed, rows, small)
        done = narrow.search(small, fixed, sums, rows, own, cap, error, state, codes, scores)
    if done:
        compact(state, codes, scores)
    return done


@jit()
def spare(fixed, rows):
    """The part of the buffer beyond the rows (and the four that the dense path reads), flat: envelopes, or scratch."""
    return fixed[rows + 4 :].reshape(-1)


@jit()
def all_distances(fixed, sums, rows, state):
    """D_q of all pairs, lexicographic, in the spare part of the buffer; notes the two largest."""
    out = spare(fixed, rows).view(np.uint32)[: rows * (rows - 1) // 2]
    state[BEST], state[SECOND] = dense.distances(fixed, sums, rows, out)
    return out


@jit()
def above(distances, rows, floor, codes):
    """List the pairs whose distance exceeds the floor, in lexicographic order; at most ``codes.size`` of them.

    Returns:
        How many there are, listed or not.
    """
    count = 0
    at = 0
    for i in range(rows - 1):
        length = rows - 1 - i
        some = np.int64(0)
        for c in range(length):
            some = max(some, np.int64(distances[at + c]))
        if some > floor:
            for c in range(length):
                if np.int64(distances[at + c]) > floor:
                    if count < codes.size:
                        codes[count] = i * rows + i + 1 + c
                    count += 1
        at += length
    return count


assert CAPACITY < 8  # the state has eight slots
