"""The parts of the compiled kernels against what their docstrings prove."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dobrushin.coefficient.compiled import kernels
from dobrushin.coefficient.kernels import (
    dense,
    envelope_tree,
    fixed_point,
    layout,
    limbs,
    limits,
    narrow,
    panel,
    refine,
    ties,
    tile,
    vectors,
)
from dobrushin.coefficient.kernels.jit import jit
from dobrushin.coefficient.workspace import Workspace
from dobrushin.matrix import attention_matrix, head_mean
from dobrushin.testing.families import FAMILIES
from dobrushin.testing.fuzz import flush_to_zero

PLAIN = [
    "dirichlet",
    "half_precision",
    "causal",
    "saturated",
    "hard",
    "uniform",
    "subnormal",
    "tiny_rows",
    "permutation",
]


class Quantised:
    """The parts of a block of memory, with quantised rows in it."""

    def __init__(self, values: np.ndarray, *, normalised: bool) -> None:
        parts = layout.parts.py_func(Workspace().enlarge(*values.shape), *values.shape)
        self.fixed, self.sums, self.scales, self.panel, self.tile, self.free, _, self.state, _ = parts
        self.suited = fixed_point.quantise(values, normalised, self.fixed, self.sums, self.scales, self.state)
        self.pairs = [(i, j) for i in range(len(values)) for j in range(i + 1, len(values))]

    def overlap(self, i: int, j: int) -> int:
        return int(fixed_point.overlap(self.fixed, i, j))

    def distance(self, i: int, j: int) -> int:
        return int(self.sums[i] + self.sums[j]) - 2 * self.overlap(i, j)


def exact_distances(values: np.ndarray, *, normalised: bool) -> list[Fraction]:
    A = [[Fraction(float(x)) for x in row] for row in values]
    if normalised:
        A = [[x / sum(row) for x in row] for row in A]
    n = len(A)
    return [sum(abs(x - y) for x, y in zip(A[i], A[j], strict=True)) for i in range(n) for j in range(i + 1, n)]  # type: ignore[misc]


@pytest.mark.parametrize("family", PLAIN)
@pytest.mark.parametrize("normalised", [False, True])
def test_bounds_of_the_filters(family: str, normalised: bool) -> None:
    rng = np.random.default_rng(1)
    for n in (2, 3, 9, 20):
        values = np.ascontiguousarray(FAMILIES[family](rng, n), dtype=np.float64)
        q = Quantised(values, normalised=normalised)
        assert q.suited
        true = exact_distances(values, normalised=normalised)
        coarse = np.empty(n * (n - 1) // 2 + 1, np.uint32)
        dense.distances(q.fixed, q.sums, n, n, q.panel, q.tile, coarse)
        assert coarse[1:].tolist() == [q.distance(i, j) for i, j in q.pairs]
        assert all(abs(int(c) - d * 2**30) < n + 1 for c, d in zip(coarse[1:], true, strict=True))
        fine = np.zeros(n, np.int64)
        refine.fine_sums(values, fine)
        for (i, j), d in zip(q.pairs, true, strict=True):
            assert narrow.narrow_bound(q.fixed, q.sums, i, j) >= q.distance(i, j)
            if normalised:
                overlap = Fraction(float(refine.overlap_up_to(values, q.scales, i, j, np.inf)))
                shared = 1 - d / 2
                assert abs(overlap - shared) <= shared * (2 * n + 2) * Fraction(1, 2**53) + Fraction(1, 2**400)
            else:
                score = int(refine.plain_score(values, fine[i] + fine[j], i, j, -1))
                assert abs(score - d * 2**61) < n
                assert score == refine.plain_distance(values, i, j)
                if refine.loses_no_bit(values, 61):
                    assert score == d * 2**61


@pytest.mark.parametrize("n", [2, 5, 16, 17, 33, 64])
def test_envelopes_bound_every_pair_of_their_blocks(n: int) -> None:
    values = np.ascontiguousarray(FAMILIES["half_precision"](np.random.default_rng(n), n))
    q = Quantised(values, normalised=False)
    fixed, sums = q.fixed, q.sums
    envelope_tree.pad_level(fixed, sums, n, 0)
    for level in range(1, envelope_tree.LEVELS):
        envelope_tree.build_level(fixed, sums, n, level)
        start = envelope_tree.level_start(n, level)
        for i in range(n):
            for j in range(i + 1, n):
                bound = envelope_tree.upper_bound(fixed, sums, start + (i >> level), start + (j >> level))
                assert bound >= q.distance(i, j)


@given(st.lists(st.floats(0, allow_nan=False, allow_infinity=False), min_size=2, max_size=40))
def test_limbs_add_exactly(numbers: list[float]) -> None:
    pair = np.array([numbers, numbers[::-1]]) + 0.0  # no −0.0
    out = np.empty(limbs.LIMBS, np.int64)
    kernels().pair.plain_distance(pair, 0, 1, out)
    total = sum(int(limb) << (32 * at) for at, limb in enumerate(out))
    true = sum(abs(Fraction(x) - Fraction(y)) for x, y in zip(*pair.tolist(), strict=True))
    assert total * Fraction(1, 2**1074) == true


def test_rows_that_are_not_for_integers_are_refused() -> None:
    for bad in (-1.0, -0.0, -5e-324, 2.0, np.inf, np.nan):
        values = np.full((3, 3), 1 / 3)
        values[1, 2] = bad
        assert not Quantised(values, normalised=False).suited, bad
    wide = np.full((40, 40), 1 / 64)
    for column in range(40):  # in whole vectors and behind them
        refused = wide.copy()
        refused[39, column] = -1e-9
        assert not Quantised(refused, normalised=False).suited, column
    assert Quantised(wide, normalised=False).suited
    assert not Quantised(np.ones((3, 3)), normalised=False).suited  # row sums of 3


def test_identical_rows_are_found() -> None:
    rows = np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0], [0.0, 3.0], [2.0, 1.0]])
    out = np.empty(5, np.int64)
    assert ties.first_alike(rows, out) == 3
    assert out.tolist() == [0, 1, 0, 3, 1]


@pytest.mark.parametrize(("rows", "width"), [(64, 64), (257, 257), (512, 512), (300, 512), (1370, 1370)])
def test_memory(rows: int, width: int) -> None:
    block = Workspace().enlarge(rows, width, rows * (rows - 1) // 2)  # as when all pairs tie
    margin = 16 * 1024 + 4 * 60 * (width + 32) + 2 * rows * 4 * 32  # spare rows, which count for small maps alone
    assert block.nbytes - margin < 12 * width * width


def test_compiled_head_mean_is_the_numpy_mean() -> None:
    rng = np.random.default_rng(0)
    logits = 6 * rng.normal(size=(5, 40, 40)).astype(np.float32)
    heads = np.exp(logits - logits.max(axis=2, keepdims=True))
    heads /= heads.sum(axis=2, keepdims=True)
    heads[0, 3, heads[0, 3] < 1e-8] = 1.4e-45
    assert (heads[0, 3] == np.float32(1.4e-45)).any()
    expected = np.zeros((40, 40))
    for head in heads:
        expected += attention_matrix(head).values
    expected /= 5
    assert (head_mean(heads).values == expected).all()
    with flush_to_zero():
        flushed = head_mean(heads).values
    assert (flushed == expected).all()
    mean, scratch = np.empty((40, 40)), np.empty(3)
    bad = heads.copy()
    bad[2, 7, 9] = np.nan
    assert not kernels().head_mean.mean_of_heads(bad.view(np.uint32), 1e-3, scratch, mean)
    bad[2, 7, 9] = heads[2, 7, 9] + np.float32(0.01)
    assert not kernels().head_mean.mean_of_heads(bad.view(np.uint32), 1e-3, scratch, mean)


def test_the_list_is_where_the_kernels_put_it() -> None:
    for rows, width in ((2, 2), (7, 20), (300, 300)):
        workspace = Workspace()
        *_, codes = layout.parts.py_func(workspace.enlarge(rows, width), rows, width)
        listed = workspace.listed(rows, width, 5)
        assert listed.ctypes.data == codes.ctypes.data
        assert len(codes) >= limits.shortest_list(rows)
        assert workspace.block.ctypes.data % 64 == 0


@pytest.mark.parametrize("n", [3, 16, 17, 40])
def test_tiles_and_panels(n: int) -> None:
    """Against the sums that they stand for, also where whole vectors reach beyond the map."""
    q = Quantised(np.ascontiguousarray(FAMILIES["half_precision"](np.random.default_rng(n), n)), normalised=False)
    strip = np.empty(4, np.int32)
    for right in range(0, n, vectors.LANES):
        panel.fill_panel(q.fixed, right, n, q.panel)
        for left in range(0, n, tile.HEIGHT):
            tile_of(q.panel, q.fixed, left, n, q.tile)
            sums = q.tile.reshape(tile.HEIGHT, vectors.LANES)
            for i in range(left, min(left + tile.HEIGHT, n)):
                for j in range(right, min(right + vectors.LANES, n)):
                    assert sums[i - left, j - right] == q.overlap(i, j)
    for i in range(n - 2):
        strips_of(q.fixed, i, i + 1, -(-n // vectors.LANES), strip)
        assert strip[:2].tolist() == [q.overlap(i, i + 1), q.overlap(i, i + 2)]
        assert strip[2:3].tolist() == [q.overlap(i + 1, i + 1)]


@jit()
def tile_of(panel, rows, first, length, out):  # type: ignore[no-untyped-def]
    tile.minima(panel, rows, first, length, out)


@jit()
def strips_of(rows, left, right, count, out):  # type: ignore[no-untyped-def]
    tile.square_strip(rows, left, right, 0, count, out)
