"""Which path a map takes: small maps are done densely; larger ones are sampled first."""

# mypy: allow-untyped-defs, allow-untyped-calls
import numpy as np

from dobrushin.coefficient.kernels import dense, envelope_tree, narrow
from dobrushin.coefficient.kernels.jit import jit
from dobrushin.coefficient.kernels.objective import BEST, CAPACITY, COUNT, FLOOR, SECOND, compact
from dobrushin.coefficient.kernels.tile import row_strip
from dobrushin.coefficient.kernels.vectors import LANES

AUTO, DENSE, TREE, NARROW = 0, 1, 2, 3

SMALL = 112
"""Up to so many rows, the dense path wins whatever the map."""

_SAMPLES = 64
# Measured at 128, 257 and 512 tokens, on maps of trained models and on softmax of random logits: with up to 0.4 of the
# pairs of four-row blocks surviving, the tree takes less time than the pass in 16 bits; up to 0.85, less than 32 bits.
# The pass in 16 bits beats that in 32 while it has to look again at fewer than 5% of the pairs.
_TREE_PAYS = 0.45
_TREE_BEATS_DENSE = 0.85
_NARROW_PAYS = 0.05
_SAMPLED_LEVEL = 2


@jit()
def seed_floor(fixed, sums, rows, width, strip, error, state):
    """Raise the floor by three hops, each to the row farthest from the last.

    Within one hop the pairs are distinct, so its second largest distance is at most the second largest of all.
    """
    row = 0
    for _ in range(3):
        best = second = np.int64(-1)
        farthest = row
        for j in range(0, rows, 4):
            row_strip(fixed, row, j, 0, (width + LANES - 1) // LANES, strip)
            for c in range(min(4, rows - j)):
                distance = sums[row] + sums[j + c] - 2 * np.int64(strip[c])
                if j + c == row:
                    continue
                if distance > best:
                    second, best, farthest = best, distance, j + c
                elif distance > second:
                    second = distance
        state[FLOOR] = max(state[FLOOR], second - 2 * error)
        row = farthest


@jit()
def choose(fixed, sums, rows, state):
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
    if small <= _NARROW_PAYS * _SAMPLES:
        return NARROW
    return TREE if tree <= _TREE_BEATS_DENSE * _SAMPLES else DENSE


@jit()
def pruned_search(path, fixed, sums, rows, width, panel, tile, free, own, cap, error, state, codes, scores):
    """Fill the list by the tree or in 16 bits; False when the list overflows, as with massive ties."""
    state[BEST] = state[SECOND] = -(1 << 40)
    state[COUNT] = 0
    done = False
    if path == TREE:
        for level in range(_SAMPLED_LEVEL + 1, envelope_tree.LEVELS):
            envelope_tree.build_level(fixed, sums, rows, level)
        done = envelope_tree.search(fixed, sums, rows, width, tile, own, cap, error, state, codes, scores)
    elif path == NARROW:
        entries = (rows + LANES) * fixed.shape[1]
        small = free[: entries // 2].view(np.uint16).reshape((rows + LANES, fixed.shape[1]))
        limits = free[entries // 2 : entries // 2 + rows + LANES]
        narrow.narrow(fixed, sums, rows, small, limits)
        done = narrow.search(
            small, fixed, sums, rows, width, panel, tile, limits, own, cap, error, state, codes, scores
        )
    if done:
        compact(state, codes, scores)
    return done


@jit()
def all_distances(fixed, sums, rows, width, panel, tile, free, state):
    """D_q of all pairs, in lexicographic order, from the second place of ``free`` on; notes the two largest."""
    dense.distances(fixed, sums, rows, width, panel, tile, free.view(np.uint32))
    state[BEST], state[SECOND] = dense.two_largest(free[1 : rows * (rows - 1) // 2 + 1].view(np.uint32))


assert CAPACITY < 8  # the state has eight slots
