"""The output is the sum over paths: by length, path by path, as products of matrices, and sampled."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.collapse.conftest import random_network, tokens

from dobrushin.collapse.deletion import changes, neighbour_change, pooled, shortened
from dobrushin.collapse.network import FULL, PURE, Switches
from dobrushin.collapse.paths import (
    SKIP,
    all_paths,
    by_length,
    follow,
    length_shares,
    number_of_paths,
    path_matrices,
    sample,
    without,
)
from dobrushin.collapse.trace import Trace, run
from dobrushin.errors import InputError

SKIPS = Switches(skip=True, mlp=False, mlp_skip=False)


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    network = random_network(
        draw(st.integers(0, 10_000)),
        layers=draw(st.integers(1, 4)),
        heads=draw(st.integers(1, 3)),
        pre_norm=draw(st.booleans()),
        scale=draw(st.sampled_from([0.1, 1.0, 3.0])),
    )
    X = tokens(draw(st.integers(0, 10_000)), n=draw(st.integers(1, 5)))
    flags = {name: draw(st.booleans()) for name in ("skip", "mlp", "mlp_skip")}
    norm = draw(st.sampled_from(["on", "off", "fixed"]))
    scales = run(network, X, FULL).scales if norm == "fixed" else None
    return run(network, X, Switches(**flags, norm=norm), scales=scales)


def _close(one: np.ndarray, other: np.ndarray) -> bool:
    """Up to rounding: exact terms may be larger than their sum."""
    return bool(np.abs(one - other).max() <= 1e-9 * max(1.0, np.abs(other).max()))


@settings(max_examples=60)
@given(traces())
def test_lengths_sum_to_the_output(trace: Trace) -> None:
    parts = by_length(trace)
    assert _close(parts.total, trace.states[-1])
    if not trace.switches.skip:
        assert not parts.lengths[:-1].any()


@settings(max_examples=25)
@given(traces(), st.randoms())
def test_tokens_in_another_order_have_their_paths_in_that_order(trace: Trace, random: object) -> None:
    """Attention does not know positions, so every part of the sum is permuted as the tokens are."""
    order = np.random.default_rng(random.randrange(2**32)).permutation(len(trace.states[0]))  # type: ignore[attr-defined]
    scales = None
    if trace.switches.norm == "fixed":
        scales = [tuple(None if one is None else one[order] for one in layer) for layer in trace.scales]
    moved = by_length(run(trace.network, trace.states[0][order], trace.switches, scales=scales))  # type: ignore[arg-type]
    parts = by_length(trace)
    assert _close(moved.lengths, parts.lengths[:, order])
    assert _close(moved.biases, parts.biases[order])


@settings(max_examples=25)
@given(traces())
def test_paths_sum_to_their_length(trace: Trace) -> None:
    parts = by_length(trace)
    sums, counts = np.zeros_like(parts.lengths), np.zeros(len(parts.lengths), dtype=int)
    for path in all_paths(trace):
        length = sum(step != SKIP for step in path)
        sums[length] += follow(trace, path)
        counts[length] += 1
    assert _close(sums, parts.lengths)
    assert counts.tolist() == [number_of_paths(trace, k) for k in range(len(counts))]
    assert counts.sum() == number_of_paths(trace)


@pytest.mark.parametrize("switches", [PURE, SKIPS])
def test_a_path_is_a_product_of_matrices(switches: Switches) -> None:
    trace = run(random_network(3), tokens(3), switches)
    total = np.zeros_like(trace.states[0])
    for path in all_paths(trace):
        P, W = path_matrices(trace, path)
        np.testing.assert_allclose(P.sum(axis=1), 1)  # row-stochastic
        np.testing.assert_allclose(P @ trace.states[0] @ W, follow(trace, path), atol=1e-10)
        total += P @ trace.states[0] @ W
    np.testing.assert_allclose(total + by_length(trace).biases, trace.states[-1], atol=1e-10)


def test_biases_of_pure_attention_are_one_row() -> None:
    """1bᵀ, as the paper's theorem says; with LayerNorm they are not."""
    biases = by_length(run(random_network(4), tokens(4), PURE)).biases
    np.testing.assert_allclose(biases, np.tile(biases[0], (4, 1)), atol=1e-12)
    normed = Switches(skip=True, mlp=False, mlp_skip=False, norm="on")
    assert np.ptp(by_length(run(random_network(4), tokens(4), normed)).biases, axis=0).max() > 1e-3


def test_a_wrong_path_sum_is_caught() -> None:
    trace = run(random_network(5), tokens(5), SKIPS)
    parts = by_length(trace)
    for wrong in (parts.lengths.sum(axis=0), without(parts, [1]), without(parts, [0])):
        assert not _close(wrong, trace.states[-1])
    other = run(random_network(6), tokens(5), SKIPS)
    assert not _close(by_length(other).total, trace.states[-1])


def test_numbers_of_paths() -> None:
    pure, skips = (run(random_network(0, layers=4, heads=3), tokens(0), s) for s in (PURE, SKIPS))
    assert number_of_paths(pure) == number_of_paths(pure, 4) == 3**4
    assert number_of_paths(skips) == 4**4
    assert [number_of_paths(skips, k) for k in range(5)] == [comb(4, k) * 3**k for k in range(5)]
    np.testing.assert_allclose(length_shares(4, 3), [comb(4, k) * 3**k / 4**4 for k in range(5)])


def test_sampling_is_unbiased_and_says_its_error() -> None:
    trace = run(random_network(7, layers=4, heads=3), tokens(7), SKIPS)
    exact = by_length(trace).lengths[2]
    scores = []
    for seed in range(60):
        found = sample(trace, length=2, samples=40, seed=seed)
        scores.append((found.value - exact) / found.standard_error)
    scores = np.array(scores)
    assert np.abs(scores.mean(axis=0)).max() < 5 / np.sqrt(60)
    assert 0.75 < scores.std() < 1.35
    # One path, drawn again and again, has no error.
    short = sample(trace, length=0, samples=5, seed=0)
    np.testing.assert_allclose(short.value, by_length(trace).lengths[0])
    assert not short.standard_error.any()


@pytest.mark.parametrize(
    ("path", "words"),
    [((0, 0), "2 steps"), ((0, SKIP, 0), "skips layer 1"), ((0, 2, 0), "head 2 of layer 1"), ((0, 0, -2), "head -2")],
)
def test_wrong_paths_are_refused(path: tuple[int, ...], words: str) -> None:
    with pytest.raises(InputError, match=words):
        follow(run(random_network(0), tokens(0), PURE), path)


def test_what_can_not_be_sampled_or_multiplied_is_refused() -> None:
    pure = run(random_network(0), tokens(0), PURE)
    with pytest.raises(InputError, match="no paths of length 1"):
        sample(pure, length=1, samples=5, seed=0)
    with pytest.raises(InputError, match="at least 2"):
        sample(pure, length=3, samples=1, seed=0)
    with pytest.raises(InputError, match="attention alone"):
        path_matrices(run(random_network(0), tokens(0), FULL), (0, 0, 0))


def test_deleting_nothing_changes_nothing_and_deleting_something_does() -> None:
    parts = by_length(run(random_network(8), tokens(8), SKIPS))
    found = {(change.kept, change.length): change for change in changes(parts)}
    for nothing in (("up to", 3), ("from", 0)):
        assert found[nothing].relative < 1e-12
        assert found[nothing].cosine == pytest.approx(1)
    assert found["from", 1].relative > 0.01
    np.testing.assert_allclose(shortened(parts, "only", 2), parts.lengths[2] + parts.biases)


def test_neighbours() -> None:
    whole = [pooled(np.array([vector]), "mean") for vector in ([1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.1, 0.9])]
    same = neighbour_change(whole, whole)
    assert (same.neighbours, same.similarity) == (0, 0)
    assert same.correlation == pytest.approx(1)
    swapped = neighbour_change(whole, [whole[0], whole[2], whole[1], whole[3]])
    assert swapped.neighbours == 1
