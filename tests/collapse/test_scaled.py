"""Below the floats: the scaled arithmetic against a hundred digits, against floats, and against the theorem."""

import math

import numpy as np
import pytest
from tests.collapse.conftest import Build, random_network, tokens

from dobrushin.collapse.bounds import cubic_constant, log10_after
from dobrushin.collapse.network import PURE, Network
from dobrushin.collapse.norms import diameter
from dobrushin.collapse.precise import precise_run
from dobrushin.collapse.scaled import scaled_run
from dobrushin.collapse.trace import run
from dobrushin.errors import InputError


@pytest.mark.parametrize("seed", range(4))
def test_against_a_hundred_digits(seed: int) -> None:
    network, X = random_network(seed, layers=5), tokens(seed, n=5)
    scaled, precise = scaled_run(network, X).tokens, precise_run(network, X, digits=100)
    for one, other in zip(scaled, precise, strict=True):
        if other.log10_diameter < -85:  # the last digits of the hundred
            break
        assert one.log10_diameter == pytest.approx(other.log10_diameter, abs=1e-9)
    assert precise[-1].log10_diameter < -16  # floats end before that


def test_more_digits_reach_further() -> None:
    network, X = random_network(0, layers=5), tokens(0, n=3)
    coarse, fine = (precise_run(network, X, digits=digits)[-1] for digits in (100, 400))
    scaled = scaled_run(network, X).tokens[-1]
    assert fine.log10_diameter == pytest.approx(scaled.log10_diameter, abs=1e-9)
    assert coarse.equal or abs(coarse.log10_diameter - fine.log10_diameter) < 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_against_floats_while_they_last(seed: int) -> None:
    network, X = random_network(seed, layers=3, scale=2.0), tokens(seed)
    for one, state in zip(scaled_run(network, X).tokens, run(network, X, PURE).states, strict=True):
        if diameter(state) > 1e-6:
            np.testing.assert_allclose(one.log10_diameter, math.log10(diameter(state)), atol=1e-7)
            np.testing.assert_allclose(one.centre + np.ldexp(one.deviations, one.exponent), state, atol=1e-9)


def test_one_token_and_equal_tokens_stay_equal() -> None:
    network = random_network(0)
    for X in (tokens(0, n=1), np.tile(tokens(0, n=1), (4, 1))):
        assert all(state.equal for state in scaled_run(network, X).tokens)
    assert scaled_run(network, tokens(0, n=1)).tokens[-1].log10_diameter == -math.inf


@pytest.mark.parametrize("seed", range(6))
def test_the_cubic_theorem_down_to_10_to_the_minus_thousands(seed: int) -> None:
    """ρ_L ≤ c^((3^L − 1)/2) ρ_0^(3^L): T7_doubly_exponential with the c of the weights."""
    network = random_network(seed, layers=8, scale=0.5)
    found = scaled_run(network, 0.1 * tokens(seed)).tokens
    c = math.log10(cubic_constant(network))
    start = found[0].log10_diameter
    for depth, state in enumerate(found):
        assert state.log10_diameter <= log10_after(c, start, depth) + 1e-9
    assert found[-1].log10_diameter < -1000


def test_what_attends_by_position_is_refused(tiny: Build) -> None:
    from dobrushin.collapse.extract import network_of

    network: Network = network_of(tiny("xlnet"))
    with pytest.raises(InputError, match="relative positions"):
        scaled_run(network, np.ones((3, 12)))
    with pytest.raises(InputError, match="relative positions"):
        precise_run(network, np.ones((3, 12)))
