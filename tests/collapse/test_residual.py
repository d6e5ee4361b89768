"""Norms and the residual: identities, invariances, certified minimum, and the centres in use."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dobrushin.collapse.norms import as_tokens, composite_norm, diameter
from dobrushin.collapse.residual import residual
from dobrushin.errors import InputError

SIZES = st.tuples(st.integers(1, 6), st.integers(1, 5))
ENTRIES = st.integers(-64, 64).map(lambda x: x / 8)
MATRICES = SIZES.flatmap(lambda shape: arrays(np.float64, shape, elements=ENTRIES))


@given(MATRICES)
def test_the_bound_is_below_and_the_norm_is_what_the_centre_gives(X: np.ndarray) -> None:
    found = residual(X, iterations=60)
    assert found.norm == pytest.approx(composite_norm(X - found.centre), abs=1e-12)
    assert found.lower <= found.norm * (1 + 1e-12)
    for centre in ("median", "mean"):
        assert found.lower <= residual(X, centre=centre).norm + 1e-9
        assert found.norm <= residual(X, centre=centre).norm + 1e-9
    assert found.relative <= 1 + 1e-9


@given(st.integers(1, 6), arrays(np.float64, 4, elements=ENTRIES))
def test_equal_tokens_have_no_residual(n: int, x: np.ndarray) -> None:
    for centre in ("composite", "median", "mean"):
        found = residual(np.outer(np.ones(n), x), centre=centre)
        assert (found.norm, found.lower, found.relative, found.gap) == (0, 0, 0, 0)


@given(st.integers(2, 6), st.floats(-4, 4), st.floats(-4, 4), arrays(np.float64, 4, elements=ENTRIES))
def test_a_matrix_of_rank_one(n: int, a: float, b: float, v: np.ndarray) -> None:
    """Rows av and bv: for two tokens the minimum is |a − b| √(max|v| Σ|v|/2), at their mean."""
    exact = abs(a - b) * np.sqrt(np.abs(v).max() * np.abs(v).sum() / 2)
    found = residual(np.outer([a, b], v))
    assert found.norm == pytest.approx(exact, rel=1e-9, abs=1e-12)
    assert found.lower <= exact * (1 + 1e-9) + 1e-12
    many = residual(np.outer(np.linspace(a, b, n), v), iterations=100)
    assert many.norm >= exact * (1 - 1e-9) - 1e-12
    assert many.norm <= np.sqrt(n) * exact + 1e-9


def test_one_token_is_exactly_its_own_centre() -> None:
    assert residual(np.array([[0.1, -3.7, 1e30]])).norm == 0
    assert diameter(np.array([[0.1, 2.0]])) == 0


@given(MATRICES, arrays(np.float64, 5, elements=ENTRIES), st.sampled_from([0.25, 2.0, -8.0]), st.randoms())
def test_invariances(X: np.ndarray, y: np.ndarray, factor: float, random: object) -> None:
    order = np.random.default_rng(random.randrange(2**32)).permutation(len(X))  # type: ignore[attr-defined]
    for centre in ("median", "mean"):
        norm = residual(X, centre=centre).norm
        assert residual(X + y[: X.shape[1]], centre=centre).norm == pytest.approx(norm, abs=1e-9)
        assert residual(factor * X, centre=centre).norm == pytest.approx(abs(factor) * norm, abs=1e-9)
        assert residual(X[order], centre=centre).norm == pytest.approx(norm, abs=1e-9)
    whole, moved = residual(X, iterations=100), residual(factor * X[order] + y[: X.shape[1]], iterations=100)
    # Both certificates are about one number.
    assert moved.lower <= abs(factor) * whole.norm + 1e-9
    assert abs(factor) * whole.lower <= moved.norm + 1e-9
    assert diameter(factor * X[order] + y[: X.shape[1]]) == pytest.approx(abs(factor) * diameter(X))


@given(MATRICES)
def test_diameter_and_row_norm(X: np.ndarray) -> None:
    """ρ/2 ≤ ‖X − 1xᵀ‖_∞ for every x, and ‖X − 1X_1‖_∞ ≤ ρ."""
    rho = diameter(X)
    assert np.abs(X - X[0]).sum(axis=1).max() <= rho + 1e-12
    assert rho / 2 <= np.abs(X - residual(X, iterations=20).centre).sum(axis=1).max() + 1e-12


def test_the_minimum_against_linear_programming() -> None:
    """min f·g by a fine search over s of the linear programs min f + s g."""
    linprog = pytest.importorskip("scipy.optimize").linprog
    for seed in range(4):
        X = np.random.default_rng(seed).standard_t(2, (5, 3))
        n, d = X.shape
        # Variables: x (d), u_ij ≥ |X_ij − x_j| (n d), F, G.
        size = d + n * d + 2
        rows, right = [], []
        for i in range(n):
            for j in range(d):
                for sign in (1, -1):
                    row = np.zeros(size)
                    row[j], row[d + i * d + j] = -sign, -1
                    rows.append(row)
                    right.append(-sign * X[i, j])
        for j in range(d):
            row = np.zeros(size)
            row[[d + i * d + j for i in range(n)]], row[-2] = 1, -1
            rows.append(row)
            right.append(0)
        for i in range(n):
            row = np.zeros(size)
            row[d + i * d : d + (i + 1) * d], row[-1] = 1, -1
            rows.append(row)
            right.append(0)
        best = np.inf
        for s in np.geomspace(0.2, 5, 60):
            cost = np.zeros(size)
            cost[-2:] = 1, s
            solved = linprog(cost, A_ub=np.array(rows), b_ub=np.array(right), bounds=[(None, None)] * size)
            best = min(best, solved.fun / (2 * np.sqrt(s)))
        found = residual(X, tolerance=1e-4, iterations=3000)
        assert found.lower <= best * (1 + 1e-9)
        assert found.norm >= best * (1 - 2e-3)  # the grid of s is not infinitely fine
        assert found.norm <= best * 1.02


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_every_precision_is_widened_exactly(dtype: str) -> None:
    import torch

    X = torch.randn(6, 4, generator=torch.Generator().manual_seed(0)).to(getattr(torch, dtype)).requires_grad_()
    wide = as_tokens(X)
    assert wide.dtype == np.float64
    assert residual(X).norm == residual(X.detach().double().numpy()).norm
    assert X.grad is None
    wide += 1  # an own copy
    assert not np.allclose(as_tokens(X), wide)


@pytest.mark.parametrize(
    ("X", "words"),
    [
        (np.array([[1, 2]]), "int64"),
        (np.ones(3), "shape"),
        (np.ones((0, 3)), "at least one"),
        (np.array([[1.0, np.nan]]), "token 0, coordinate 1"),
    ],
)
def test_what_is_no_matrix_of_tokens_is_refused(X: np.ndarray, words: str) -> None:
    with pytest.raises(InputError, match=words):
        residual(X)


def test_an_unknown_centre_lists_the_choices() -> None:
    with pytest.raises(InputError, match="composite, median, mean"):
        residual(np.ones((2, 2)), centre="middle")  # type: ignore[arg-type]


def test_the_other_centres_are_not_the_minimum() -> None:
    """Heavy-tailed tokens: the mean and the medians are measurably worse than the argmin that the paper takes."""
    X = np.random.default_rng(0).standard_t(1.5, (32, 16))
    best = residual(X, iterations=1000)
    assert best.gap < 0.02
    assert residual(X, centre="mean").norm > best.norm * 1.02
    assert residual(X, centre="median").norm > best.norm * 1.02
