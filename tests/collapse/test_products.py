"""κ of products in exact integers, against fractions, and the scaled form against them."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.collapse.conftest import random_network, tokens

from dobrushin.collapse.network import PURE
from dobrushin.collapse.products import chain, float_chain, scaled_chain
from dobrushin.collapse.scaled import scaled_run
from dobrushin.collapse.trace import run
from dobrushin.errors import InputError
from dobrushin.rollout import bounds


def _maps(seed: int, layers: int, n: int) -> list[np.ndarray]:
    return list(np.random.default_rng(seed).dirichlet(np.ones(n), size=(layers, n)))


@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(2, 5))
def test_the_chain_is_ordered(seed: int, layers: int, n: int) -> None:
    maps = _maps(seed, layers, n)
    for weights in ([0.0] * layers, [0.5] * layers, [0.25 + 0.5 * (layer % 2) for layer in range(layers)]):
        found = chain(maps, weights=weights)
        for depth in range(layers):
            assert 0 <= found.floors[depth] <= found.measured[depth] <= found.products[depth] <= 1
        assert found.measured[0] == found.kappas[0]
        floats = float_chain(maps, weights=weights)
        for exact, rounded in ((found.measured, floats.measured), (found.floors, floats.floors)):
            assert max(abs(float(x) - y) for x, y in zip(exact, rounded, strict=True)) <= floats.error + n * 2.0**-58


def test_dyadic_maps_are_taken_as_they_are() -> None:
    A = np.array([[0.75, 0.25], [0.5, 0.5]])
    found = chain([A, A], weights=[0.5, 0.5])
    other = bounds([A, A], exact=True)
    assert found.measured[-1] == other.kappa_rollout_exact == Fraction(25, 64)
    assert found.products[-1] == other.product_of_factors
    pure = chain([A, A], weights=[0, 0])
    assert pure.measured == (Fraction(1, 4), Fraction(1, 16))


def test_the_floor_is_that_of_the_swap() -> None:
    swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert chain([swap], weights=[0.5]).floors == (0,)
    assert chain([np.eye(2)], weights=[0.5]).floors == (Fraction(1, 2),)


@pytest.mark.parametrize("seed", range(3))
def test_far_below_the_floats_as_exactly(seed: int) -> None:
    network, X = random_network(seed, layers=3), tokens(seed)
    exact = chain([layer.P.mean(axis=0) for layer in run(network, X, PURE).layers], weights=[0] * 3)
    scaled = scaled_chain(scaled_run(network, X))
    for depth in range(3):
        if exact.kappas[depth] > Fraction(1, 10**7):  # the float maps' own rounding is 1e-16
            assert scaled.kappas[depth] == pytest.approx(math.log10(exact.kappas[depth]), abs=1e-6)
            assert scaled.measured[depth] == pytest.approx(math.log10(exact.measured[depth]), abs=1e-5)
    for measured, product in zip(scaled.measured, scaled.products, strict=True):
        assert measured <= product + 1e-9


@pytest.mark.parametrize(
    ("maps", "words"),
    [
        ([], "no maps"),
        ([np.ones((1, 1))], "two tokens"),
        ([np.ones((2, 3)) / 3], "square"),
        ([np.ones((2, 2))], "sum to 1"),
        ([np.array([[1.5, -0.5], [0.5, 0.5]])], "negative"),
    ],
)
def test_what_is_no_stochastic_map_is_refused(maps: list[np.ndarray], words: str) -> None:
    with pytest.raises(InputError, match=words):
        chain(maps, weights=[0.0] * len(maps))


def test_weights_are_checked() -> None:
    for weights in ([], [0.5, 0.5], [1.5]):
        with pytest.raises(InputError, match="residual weights"):
            chain([np.eye(2)], weights=weights)
