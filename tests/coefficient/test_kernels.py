"""The parts of the compiled kernels against what their docstrings prove."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dobrushin.coefficient.compiled import kernels
from dobrushin.coefficient.kernels import dense, envelope_tree, fixed_point, limbs, narrow, refine, ties
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


def quantised(values: np.ndarray, *, normalised: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    fixed, sums, scales, *_ = Workspace().buffers(*values.shape)
    assert fixed_point.quantise(values, normalised, fixed, sums, scales)
    return fixed, sums, scales


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
        fixed, sums, scales = quantised(values, normalised=normalised)
        true = exact_distances(values, normalised=normalised)
        coarse = np.empty(n * (n - 1) // 2, np.uint32)
        dense.distances(fixed, sums, n, coarse)
        assert all(abs(int(q) - d * 2**30) < n + 1 for q, d in zip(coarse, true, strict=True))
        fine = np.zeros(n, np.int64)
        refine.fine_sums(values, fine)
        pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
        for (i, j), d in zip(pairs, true, strict=True):
            assert narrow.narrow_bound(fixed, sums, i, j) >= sums[i] + sums[j] - 2 * fixed_point.overlap(fixed, i, j)
            if normalised:
                overlap = Fraction(float(refine.overlap_up_to(values, scales, i, j, np.inf)))
                shared = 1 - d / 2
                assert abs(overlap - shared) <= shared * (2 * n + 2) * Fraction(1, 2**53) + Fraction(1, 2**400)
            else:
                score = int(refine.plain_score(values, fine[i] + fine[j], i, j, -1))
                assert abs(score - d * 2**61) < n
                if refine.loses_no_bit(values, 61):
                    assert score == d * 2**61


@pytest.mark.parametrize("n", [2, 5, 16, 17, 33, 64])
def test_envelopes_bound_every_pair_of_their_blocks(n: int) -> None:
    values = np.ascontiguousarray(FAMILIES["half_precision"](np.random.default_rng(n), n))
    fixed, sums, _ = quantised(values, normalised=False)
    envelope_tree.pad_level(fixed, sums, n, 0)
    for level in range(1, envelope_tree.LEVELS):
        envelope_tree.build_level(fixed, sums, n, level)
        start = envelope_tree.level_start(n, level)
        for i in range(n):
            for j in range(i + 1, n):
                bound = envelope_tree.upper_bound(fixed, sums, start + (i >> level), start + (j >> level))
                assert bound >= sums[i] + sums[j] - 2 * fixed_point.overlap(fixed, i, j)


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
        fixed, sums, scales, *_ = Workspace().buffers(3, 3)
        assert not fixed_point.quantise(values, False, fixed, sums, scales), bad
    assert not fixed_point.quantise(np.ones((3, 3)), False, fixed, sums, scales)  # row sums of 3


def test_identical_rows_are_found() -> None:
    rows = np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0], [0.0, 3.0], [2.0, 1.0]])
    out = np.empty(5, np.int64)
    assert ties.first_alike(rows, out) == 3
    assert out.tolist() == [0, 1, 0, 3, 1]


@pytest.mark.parametrize(("rows", "width"), [(64, 64), (257, 257), (512, 512), (300, 512), (1370, 1370)])
def test_memory(rows: int, width: int) -> None:
    workspace = Workspace()
    workspace.buffers(rows, width)
    workspace.lengthen(rows * (rows - 1) // 2)  # as when all pairs tie
    margin = 16 * 1024 + 4 * 12 * (width + 32) + 2 * rows * 4 * 32  # padding, which counts for small maps alone
    assert workspace.nbytes - margin < 12 * width * width


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
    mean = np.empty((40, 40))
    bad = heads.copy()
    bad[2, 7, 9] = np.nan
    assert not kernels().head_mean.mean_of_heads(bad.view(np.uint32), 1e-3, mean)
    bad[2, 7, 9] = heads[2, 7, 9] + np.float32(0.01)
    assert not kernels().head_mean.mean_of_heads(bad.view(np.uint32), 1e-3, mean)
