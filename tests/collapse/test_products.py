"""κ of products in exact integers, against fractions, and the scaled form against them."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.collapse.conftest import random_network, tokens

from dobrushin.collapse.network import PURE
from dobrushin.collapse.products import chain, scaled_chain
from dobrushin.collapse.scaled import scaled_run
from dobrushin.collapse.trace import run
from dobrushin.errors import InputError
from dobrushin.rollout import bounds


def _maps(seed: int, layers: int, n: int) -> list[np.ndarray]:
    return list(np.random.default_rng(seed).dirichlet(np.ones(n), size=(layers, n)))


@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(2, 5))
def test_the_chain_is_ordered(seed: int, layers: int, n: int) -> None:
    for skip in (False, True):
        found = chain(_maps(seed, layers, n), skip=skip)
        for depth in range(layers):
            assert 0 <= found.floors[depth] <= found.measured[depth] <= found.products[depth] <= 1
        assert found.measured[0] == found.kappas[0]


def test_dyadic_maps_are_taken_as_they_are() -> None:
    A = np.array([[0.75, 0.25], [0.5, 0.5]])
    found = chain([A, A], skip=True)
    other = bounds([A, A], exact=True)
    assert found.measured[-1] == other.kappa_rollout_exact == Fraction(25, 64)
    assert found.products[-1] == other.product_of_factors
    pure = chain([A, A], skip=False)
    assert pure.measured == (Fraction(1, 4), Fraction(1, 16))


def test_the_floor_is_that_of_the_swap() -> None:
    swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert chain([swap], skip=True).floors == (0,)
    assert chain([np.eye(2)], skip=True).floors == (Fraction(1, 2),)


@pytest.mark.parametrize("seed", range(3))
def test_far_below_the_floats_as_exactly(seed: int) -> None:
    network, X = random_network(seed, layers=3), tokens(seed)
    exact = chain([layer.P.mean(axis=0) for layer in run(network, X, PURE).layers], skip=False)
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
        chain(maps, skip=False)
