"""Rollout and its chain of bounds, against rational products."""

from fractions import Fraction
from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dobrushin import InputError, attention_matrix, bounds, check, lazy, rollout
from dobrushin.testing import brute
from dobrushin.testing.strategies import residual_weights, stochastic_floats


@st.composite
def layer_stacks(draw: st.DrawFn) -> list[np.ndarray]:
    n = draw(st.integers(2, 4))
    return draw(st.lists(stochastic_floats(min_n=n, max_n=n, dtypes=(np.float64,)), min_size=1, max_size=4))


def exact_rollout(layers: list[list[list[Fraction]]], alpha: Fraction) -> list[list[Fraction]]:
    return reduce(lambda product, factor: brute.product(factor, product), [brute.lazy(A, alpha) for A in layers])


@given(layer_stacks(), residual_weights())
def test_chain_of_bounds(layers: list[np.ndarray], alpha: Fraction) -> None:
    chain = bounds(layers, alpha=alpha, exact=True)
    n = len(layers[0])
    normalised = [brute.restricted(brute.to_rationals(A), range(n), renormalise=True) for A in layers]
    pairs = brute.pairs_of(range(n))
    exact = brute.kappa(exact_rollout(normalised, alpha), pairs)
    low, high = chain.kappa_rollout
    assert chain.kappa_rollout_exact == exact
    assert Fraction(low) <= exact <= Fraction(high)
    assert high - low < 1e-12
    factors = [brute.kappa(brute.lazy(A, alpha), pairs) for A in normalised]
    assert chain.product_of_factors == reduce(lambda x, y: x * y, factors)
    assert exact <= chain.product_of_factors <= chain.product_of_layers


@given(layer_stacks(), residual_weights())
def test_rollout_is_close_to_the_exact_product(layers: list[np.ndarray], alpha: Fraction) -> None:
    exact = exact_rollout([brute.to_rationals(A) for A in layers], alpha)
    assert np.allclose(rollout(layers, alpha=alpha), np.array(exact, dtype=float), rtol=1e-14, atol=0)


@given(stochastic_floats(dtypes=(np.float32,)), residual_weights())
def test_lazy_factor(values: np.ndarray, alpha: Fraction) -> None:
    exact = brute.lazy(brute.to_rationals(values), alpha)
    for row, exact_row in zip(lazy(values, alpha=alpha), exact, strict=True):
        for x, y in zip(row, exact_row, strict=True):
            assert abs(Fraction(float(x)) - y) <= y / 2**51


def test_layers_are_multiplied_in_depth_order() -> None:
    first = np.array([[0.0, 1.0], [0.0, 1.0]])
    second = np.array([[1.0, 0.0], [1.0, 0.0]])
    assert np.array_equal(rollout([first, second]), lazy(second) @ lazy(first))
    assert not np.array_equal(rollout([first, second]), rollout([second, first]))


def test_tight_layers_do_not_make_the_rollout_tight() -> None:
    """Every layer attains its bound, and κ of the product is still smaller than the product of the bounds."""
    rng = np.random.default_rng(3)
    layers = []
    while len(layers) < 4:
        A = rng.dirichlet(np.ones(6), size=6)
        if check(A, restrict="renormalised").tight:
            layers.append(A)
    chain = bounds(layers)
    assert chain.product_of_factors == chain.product_of_layers
    assert Fraction(chain.kappa_rollout[1]) < chain.product_of_factors


def test_content_tokens_are_renormalised() -> None:
    rng = np.random.default_rng(4)
    layers = rng.dirichlet(np.ones(5), size=(3, 5))
    chain = bounds(layers, keep=[1, 2, 4])
    assert chain.n == 3
    assert {verdict.restrict for verdict in chain.verdicts} == {"renormalised"}


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ([], "no layers"),
        (np.eye(3), r"takes \(layers, n, n\)"),
        (np.ones((1, 2, 3, 3)), "average the heads first"),
        ([np.eye(2), np.eye(3)], "different numbers of tokens"),
        ([np.eye(2), np.ones((2, 2))], "row 0 of layer 1"),
    ],
)
def test_bad_layers(layers: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        rollout(layers)
    with pytest.raises(InputError, match=message):
        bounds(layers)


def test_bounds_need_non_negative_maps() -> None:
    values = np.array([[1.5, -0.5], [0.0, 1.0]])
    with pytest.raises(InputError, match="negative entry"):
        bounds([attention_matrix(values, any_real=True)])
    with pytest.raises(InputError, match="one map per layer"):
        rollout(attention_matrix(np.eye(2)))
    with pytest.raises(InputError, match="one map per layer"):
        rollout(3)
