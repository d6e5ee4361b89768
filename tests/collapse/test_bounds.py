"""The bounds of one layer hold, are ordered, and the published argument's gaps are what they are said to be."""

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.collapse.conftest import random_network, tokens

from dobrushin.collapse import gaps
from dobrushin.collapse.bounds import LARGEST_OSCILLATION, layer_bounds
from dobrushin.collapse.bridge import distance_interval, head_bridge, softmax_distance_bound
from dobrushin.collapse.logarithm import log10_sum, log10_tanh
from dobrushin.collapse.network import softmax
from dobrushin.collapse.norms import composite_norm
from dobrushin.collapse.residual import residual
from dobrushin.collapse.scaled import scaled_run
from dobrushin.collapse.trace import run
from dobrushin.collapse.variants import VARIANTS
from dobrushin.errors import GateError, InputError

LOGITS = st.integers(2, 6).flatmap(
    lambda n: st.tuples(*[arrays(np.float64, n, elements=st.floats(-40, 40, allow_subnormal=False))] * 2)
)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 3), st.integers(2, 5), st.sampled_from([0.03, 0.3, 1.0, 3.0]))
def test_every_bound_holds_in_order(seed: int, heads: int, n: int, scale: float) -> None:
    found = layer_bounds(scaled_run(random_network(seed, heads=heads), scale * tokens(seed, n=n)))
    for row in found:
        measured = row.next_diameter - 1e-9
        assert measured <= row.kappa <= row.logits + 1e-9 <= row.weights + 2e-9
        assert row.weights <= row.cubic + 1e-9
        if row.assumption:
            assert row.single_head <= 1e-9
            assert row.next_residual <= row.paper + 1e-9


def test_one_token_has_bounds_of_zero() -> None:
    for row in layer_bounds(scaled_run(random_network(0), tokens(0, n=1))):
        assert row.next_diameter == row.kappa == row.cubic == -math.inf


@settings(max_examples=150)
@given(LOGITS)
def test_the_bridge_in_intervals(pair: tuple[np.ndarray, np.ndarray]) -> None:
    a, b = pair
    distance, bound, surely = distance_interval(a, b)
    assert surely or distance.low <= bound.high  # never refuted; undecided only where both agree to 40 digits
    assert bound.low - 1e-12 <= softmax_distance_bound(a, b) <= bound.high + 1e-12
    assert distance.low - 1e-12 <= np.abs(softmax(a) - softmax(b)).sum() / 2 <= distance.high + 1e-12


@pytest.mark.parametrize("oscillation", [0.01, 1.0, 5.0, 30.0])
def test_the_bridge_is_sharp_for_two_tokens(oscillation: float) -> None:
    """A = (w/4, −w/4) against its negative: TV = tanh(w/4)."""
    a = np.array([oscillation / 4, -oscillation / 4])
    distance, bound, _ = distance_interval(a, -a)
    assert distance.low == pytest.approx(bound.low, rel=1e-15)


def test_a_smaller_constant_is_refuted() -> None:
    """tanh(osc/4.01) is no bound: the check can fail."""
    a = np.array([0.5, -0.5])
    distance, _, _ = distance_interval(a, -a)
    assert distance.low > math.tanh(2 / 4.01)


@given(st.integers(0, 10_000), st.integers(2, 8), st.sampled_from([0.1, 1.0, 20.0]))
def test_a_head_is_confirmed(seed: int, n: int, scale: float) -> None:
    logits = scale * np.random.default_rng(seed).standard_normal((n, n))
    found = head_bridge(logits)
    assert found.certain
    assert 0 <= found.kappa <= found.bound + 1e-12


def test_a_map_that_breaks_the_bridge_turns_the_gate_red(monkeypatch: pytest.MonkeyPatch) -> None:
    from dobrushin.collapse import bridge

    monkeypatch.setattr(bridge, "softmax", lambda logits: softmax(3 * logits))
    with pytest.raises(GateError, match="tanh"):
        head_bridge(np.array([[1.0, 0.0], [0.0, 1.0]]))


def test_what_has_no_pair_is_refused() -> None:
    with pytest.raises(InputError, match="no pair"):
        head_bridge(np.ones((1, 1)))
    with pytest.raises(InputError, match="equal length"):
        distance_interval(np.ones(2), np.ones(3))


def test_gap_one_is_confirmed_and_repaired() -> None:
    witness = gaps.entrywise_bound_times_signs()
    assert witness.refuted
    assert witness.left == pytest.approx(0.2913, abs=1e-4)
    assert witness.right == 0


@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(1, 4))
def test_the_repair_of_gap_one(seed: int, n: int, d: int) -> None:
    draw = np.random.default_rng(seed)
    E = draw.standard_normal((n, n))
    E *= LARGEST_OSCILLATION / np.ptp(E, axis=1).max()
    q = draw.dirichlet(np.ones(n)) + 1e-9
    assert gaps.repaired_entrywise_bound(E, q / q.sum(), draw.standard_normal((n, d))) <= 1e-12


@given(st.integers(0, 10_000), st.integers(1, 7), st.floats(0, 1), st.sampled_from([0.1, 1.0, 10.0]))
def test_the_lemma_of_the_paper(seed: int, n: int, share: float, scale: float) -> None:
    """(I − D)P̃ ≤ P ≤ (I + 2D)P̃ for P = softmax(A), P̃ = softmax(A − E), rows of E oscillating by at most 1.256."""
    draw = np.random.default_rng(seed)
    A, E = scale * draw.standard_normal((n, n)), draw.standard_normal((n, n))
    E *= share * LARGEST_OSCILLATION / max(np.ptp(E, axis=1).max(), 1e-9)
    P, other, D = softmax(A), softmax(A - E), np.ptp(E, axis=1)[:, None]
    assert ((1 - D) * other <= P + 1e-12).all()
    assert ((1 + 2 * D) * other + 1e-12 >= P).all()


def test_skips_can_keep_the_residual() -> None:
    """The paper's existence claim: with values of zero and a skip every layer keeps its tokens."""
    network, X = random_network(0), tokens(0)
    mute = [replace(layer, attention=replace(layer.attention, value=0 * layer.attention.value))
            for layer in network.layers]  # fmt: skip
    last = run(replace(network, layers=tuple(mute)), X, VARIANTS["skip"]).states[-1]
    assert residual(last).norm == pytest.approx(residual(X).norm, rel=0.05)  # the minimum is found to some percent
    np.testing.assert_allclose(last - last[0], X - X[0], atol=1e-12)


def test_the_repair_needs_the_assumption() -> None:
    q = np.array([1e-3, 1 - 1e-3])
    E = np.array([[8.0, 0.0], [0.0, 0.0]])
    assert gaps.repaired_entrywise_bound(E, q, np.array([[1.0], [0.0]])) > 0


def test_gap_two_is_confirmed_and_repaired() -> None:
    witness = gaps.composite_norm_is_no_norm(64)
    assert witness.refuted
    assert (round(witness.left), round(witness.right)) == (65, 16)
    # It is submultiplicative all the same, which the proof uses.
    draw = np.random.default_rng(0)
    for _ in range(100):
        A, B = draw.standard_normal((4, 3)), draw.standard_normal((3, 5))
        assert composite_norm(A @ B) <= composite_norm(A) * composite_norm(B) + 1e-12


@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(1, 6))
def test_the_repair_of_gap_two(seed: int, heads: int, d: int) -> None:
    draw = np.random.default_rng(seed)
    terms = [draw.standard_normal((d, d)) * draw.integers(0, 2, (d, 1)) for _ in range(heads)]
    witness = gaps.repaired_sum(terms)
    assert witness.left <= witness.right + 1e-12


def test_gap_three_is_confirmed() -> None:
    assert gaps.without_the_assumption().refuted
    assert not gaps.without_the_assumption(oscillation=1.2).refuted
    assert gaps.refined_root() == LARGEST_OSCILLATION
    with mpmath.workdps(30):
        x = mpmath.mpf(LARGEST_OSCILLATION)
        assert abs(mpmath.exp(x) - 1 - 2 * x) < 1e-15


def test_logarithms() -> None:
    assert log10_sum([]) == log10_sum([-math.inf]) == -math.inf
    assert log10_sum([1.0, 1.0]) == pytest.approx(math.log10(20))
    for value in (1e-12, 1e-6, 0.3, 5.0):
        assert log10_tanh(value) == pytest.approx(math.log10(math.tanh(value)), abs=1e-12)
    assert log10_tanh(1.0, -10_000) == pytest.approx(-10_000 * math.log10(2))
    assert log10_tanh(0.0) == -math.inf
