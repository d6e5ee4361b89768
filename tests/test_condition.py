"""The verdict against the definitions in rational arithmetic, on matrices made to tie and to almost tie."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dobrushin import InputError, Verdict, attention_matrix, check
from dobrushin.condition import check_layer
from dobrushin.matrix import head_mean
from dobrushin.testing import brute
from dobrushin.testing.strategies import (
    real_floats,
    residual_weights,
    stochastic_floats,
    token_subsets,
    weight_matrices,
)
from dobrushin.tokens import Restriction


def assert_verdict_is_true(verdict: Verdict, A: brute.Matrix, tokens: list[int], names: list[int]) -> None:
    """Compare every field with its definition; ``tokens`` index A, ``names`` are the same tokens in the verdict."""
    pairs = brute.pairs_of(tokens)
    name = dict(zip(tokens, names, strict=True))
    attaining = brute.attaining(A, pairs)
    distances = {brute.distance(A, i, j) for i, j in pairs}
    largest = max(distances)
    slack = brute.slack(A, pairs, verdict.alpha)
    dominant = [pair for pair in attaining if brute.self_dominant(A, *pair)]
    assert verdict.tight == (slack == 0) == bool(dominant)
    assert verdict.kappa_exact == largest
    assert verdict.slack_exact == slack
    assert verdict.lazy_kappa_exact == brute.kappa(brute.lazy(A, verdict.alpha), pairs)
    assert verdict.n_attaining == len(attaining)
    assert verdict.attaining == tuple((name[i], name[j]) for i, j in attaining[:16])
    i, j = dominant[0] if dominant else attaining[0]
    assert verdict.pair == (name[i], name[j])
    assert verdict.advantages == (A[i][i] - A[j][i], A[j][j] - A[i][j])
    distances.remove(largest)
    assert verdict.margin_exact == (largest - max(distances) if distances else None)


@given(stochastic_floats(), residual_weights())
def test_whole_map(values: np.ndarray, alpha: Fraction) -> None:
    A = brute.to_rationals(values)
    tokens = list(range(len(A)))
    assert_verdict_is_true(check(values, alpha=alpha), A, tokens, tokens)


@given(st.data(), residual_weights(), st.sampled_from(["renormalised", "submatrix", "pairs"]))
def test_content_tokens(data: st.DataObject, alpha: Fraction, restrict: str) -> None:
    values = data.draw(stochastic_floats(min_n=3))
    keep = data.draw(token_subsets(len(values)))
    A = brute.to_rationals(values)
    if restrict == "renormalised" and any(sum(A[i][k] for k in keep) == 0 for i in keep):
        with pytest.raises(InputError, match="no mass on the kept tokens"):
            check(values, keep=keep)
        return
    verdict = check(values, alpha=alpha, keep=keep, restrict=restrict)  # type: ignore[arg-type]
    if restrict == "pairs":
        assert_verdict_is_true(verdict, A, keep, keep)
    else:
        A = brute.restricted(A, keep, renormalise=restrict == "renormalised")
        assert_verdict_is_true(verdict, A, list(range(len(keep))), keep)


@given(real_floats(), residual_weights())
def test_any_real_matrix(values: np.ndarray, alpha: Fraction) -> None:
    A = brute.to_rationals(values)
    tokens = list(range(len(A)))
    assert_verdict_is_true(check(values, alpha=alpha, any_real=True), A, tokens, tokens)


@given(weight_matrices(), residual_weights())
def test_exact_division(weights: np.ndarray, alpha: Fraction) -> None:
    """Renormalising integer weights gives exactly the rational stochastic matrix, ties and all."""
    A = [[Fraction(int(x), int(row.sum())) for x in row] for row in weights]
    tokens = list(range(len(A)))
    verdict = check(weights.astype(np.float64), alpha=alpha, restrict="renormalised", any_real=True)
    assert_verdict_is_true(verdict, A, tokens, tokens)


@given(real_floats(), residual_weights())
def test_renormalised_real_matrix(values: np.ndarray, alpha: Fraction) -> None:
    A = brute.to_rationals(values)
    tokens = list(range(len(A)))
    if any(sum(row) <= 0 for row in A):
        with pytest.raises(InputError, match="no mass"):
            check(values, restrict="renormalised", any_real=True)
        return
    verdict = check(values, alpha=alpha, restrict="renormalised", any_real=True)
    assert_verdict_is_true(verdict, brute.restricted(A, tokens, renormalise=True), tokens, tokens)


@given(st.data())
def test_relabelling_tokens_changes_nothing(data: st.DataObject) -> None:
    values = data.draw(stochastic_floats())
    order = np.array(data.draw(st.permutations(range(len(values)))))
    before, after = check(values), check(values[np.ix_(order, order)])
    assert (before.tight, before.kappa_exact, before.slack_exact) == (after.tight, after.kappa_exact, after.slack_exact)
    assert (before.n_attaining, before.margin_exact) == (after.n_attaining, after.margin_exact)


@given(stochastic_floats(), residual_weights(), residual_weights())
def test_tightness_does_not_depend_on_the_residual_weight(values: np.ndarray, a: Fraction, b: Fraction) -> None:
    assert check(values, alpha=a).tight == check(values, alpha=b).tight


def test_single_float_ulp_decides() -> None:
    """Two pairs at the same distance but for one ulp; only the one that is not self-dominant attains κ."""
    tied = np.array([[0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [0.0, 0.0, 1.0]])
    assert check(tied).n_attaining == 3
    assert check(tied).tight
    moved = tied.copy()
    moved[2, 2] = np.nextafter(1.0, 0.0)  # now only pair (0, 1) is at distance ½, and it is not self-dominant
    verdict = check(moved)
    assert not verdict.tight
    assert verdict.pair == (0, 1)
    assert verdict.margin_exact == Fraction(1, 2**54)


FIDELITY = [
    # name, matrix, κ(A), κ(½(I+A)), tight: the vectors that the Lean statements are instantiated with as well
    ("swap", [[0, 1], [1, 0]], 1, 0, False),
    ("three-cycle", [[0, 1, 0], [0, 0, 1], [1, 0, 0]], 1, Fraction(1, 2), False),
    ("identity", np.eye(4).tolist(), 1, 1, True),
    ("rank one", [[0.25, 0.75], [0.25, 0.75]], 0, Fraction(1, 2), True),
    ("uniform", [[0.25] * 4] * 4, 0, Fraction(1, 2), True),
    ("causal", [[1, 0, 0], [0.5, 0.5, 0], [0.25, 0.25, 0.5]], Fraction(3, 4), Fraction(7, 8), True),
]


@pytest.mark.parametrize(("matrix", "kappa", "lazy_kappa", "tight"), [row[1:] for row in FIDELITY],
                         ids=[row[0] for row in FIDELITY])  # fmt: skip
def test_fidelity_vectors(matrix: list[list[float]], kappa: Fraction, lazy_kappa: Fraction, tight: bool) -> None:
    verdict = check(np.array(matrix, dtype=float))
    assert verdict.kappa_exact == kappa
    assert verdict.lazy_kappa_exact == lazy_kappa
    assert verdict.tight is tight


def test_saturated_map_with_kappa_above_one() -> None:
    """Block-diagonal softmax: κ is 1 but for the rounding of row sums, and is reported as it is."""
    rng = np.random.default_rng(0)
    values = np.zeros((8, 8), dtype=np.float32)
    for block in (slice(0, 4), slice(4, 8)):
        weights = rng.random((4, 4)).astype(np.float32)
        values[block, block] = weights / weights.sum(axis=1, keepdims=True)
    verdict = check(values)
    pairs = brute.pairs_of(range(8))
    assert verdict.kappa_exact == brute.kappa(brute.to_rationals(values), pairs)
    assert verdict.kappa_exact > 1


def test_all_pairs_attain_in_the_identity() -> None:
    verdict = check(np.eye(40, dtype=np.float32))
    assert verdict.n_attaining == 40 * 39 // 2
    assert verdict.attaining[:2] == ((0, 1), (0, 2))
    assert len(verdict.attaining) == 16
    assert verdict.margin_exact is None
    assert verdict.margin is None
    assert verdict.stage == "exact"


def test_one_pair_left_is_decided_by_floats() -> None:
    assert check(np.array([[0.9, 0.1, 0.0], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]])).stage == "float"


def near_rank_one(rng: np.random.Generator, n: int) -> np.ndarray:
    """All rows equal but for a few units in the last place: distances far below the rounding of a division."""
    return np.tile(rng.dirichlet(np.ones(n)), (n, 1)) * (1 + rng.integers(-3, 4, size=(n, n)) * 2.0**-52)


def wide_float32(rng: np.random.Generator, n: int) -> np.ndarray:
    """Entries over nine binades: numerators and row sums whose products just fill 64 bits."""
    values = np.exp2(rng.uniform(-9, 0, size=(n, n)))
    return (values / values.sum(axis=1, keepdims=True)).astype(np.float32)


def rolled(rng: np.random.Generator, n: int) -> np.ndarray:
    """Every row a rotation of one row: distances tie exactly."""
    return np.array([np.roll(wide_float32(rng, n)[0], shift) for shift in range(n)])


def cancelling(rng: np.random.Generator, n: int) -> np.ndarray:
    """Positive row sums that are tiny against the entries."""
    values = rng.integers(0, 4, size=(n, n)) * 2.0 ** rng.integers(-1074, 3, size=(n, n))
    values[:, 0], values[:, 1] = 2.0, -2.0
    values[:, 2] += 2.0 ** -float(rng.integers(20, 1074))
    return values


@pytest.mark.parametrize("family", [near_rank_one, wide_float32, rolled, cancelling])
@pytest.mark.parametrize("restrict", ["none", "renormalised"])
def test_families_that_a_wrong_error_bound_would_fail(family: Callable[..., np.ndarray], restrict: str) -> None:
    rng = np.random.default_rng(11)
    checked = 0
    for n in [6] * 20 + [3, 9, 17]:
        values = family(rng, n)
        A, tokens = brute.to_rationals(values), list(range(n))
        if restrict == "renormalised":
            if any(sum(row) <= 0 for row in A):
                continue
            A = brute.restricted(A, tokens, renormalise=True)
        verdict = check(values, alpha="1/3", restrict=restrict, any_real=True)  # type: ignore[arg-type]
        assert_verdict_is_true(verdict, A, tokens, tokens)
        checked += 1
    assert checked >= 8


def test_subnormal_numbers_decide_a_row_sum() -> None:
    """Cancellation leaves a row sum of 2**-1021, where the subnormal entries count."""
    values = np.zeros((48, 48))
    values[:, 0], values[:, 1], values[:, 2] = 2, -2, 2.0**-1021
    values[0, 3:43] = 5e-324
    values[1, 2] = 2.0**-1021 + 15 * 2.0**-1073
    verdict = check(values, restrict="renormalised", any_real=True)
    assert (verdict.tight, verdict.pair) == (False, (0, 2))
    tiny = np.array([[1, -1, 5e-324], [1, 0, 0], [0, 1, 0]])
    A = brute.restricted(brute.to_rationals(tiny), range(3), renormalise=True)
    assert_verdict_is_true(check(tiny, restrict="renormalised", any_real=True), A, [0, 1, 2], [0, 1, 2])


def test_verdicts_under_flush_to_zero() -> None:
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(3)
    maps = []
    for _ in range(20):
        values = np.eye(5) + rng.integers(0, 3, size=(5, 5)) * 5e-324
        values[rng.integers(0, 5)] = 0.2
        maps.append(values)
    before = [check(values) for values in maps]
    assert torch.set_flush_denormal(True)
    try:
        assert [check(values) for values in maps] == before
    finally:
        torch.set_flush_denormal(False)
    for values, verdict in zip(maps, before, strict=True):
        assert_verdict_is_true(verdict, brute.to_rationals(values), list(range(5)), list(range(5)))


def test_larger_random_map_with_slack() -> None:
    """The float filters for κ and for the slack, where they have something to filter."""
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(12):
        values = rng.dirichlet(np.ones(24), size=24).astype(np.float32)
        verdict = check(values)
        tokens = list(range(24))
        assert_verdict_is_true(verdict, brute.to_rationals(values), tokens, tokens)
        seen.add(verdict.tight)
    assert seen == {True, False}


def test_json_line_has_the_agreed_fields() -> None:
    verdict = check(np.array([[0.75, 0.25], [0.5, 0.5]]), alpha="1/3", name="mine")
    assert verdict.to_json() == {
        "map": "mine",
        "n": 2,
        "alpha": "1/3",
        "restrict": "none",
        "tight": True,
        "kappa": 0.25,
        "kappa_exact": "1/4",
        "slack": 0.0,
        "slack_exact": "0/1",
        "n_attaining": 1,
        "pair": [0, 1],
        "margin": None,
        "stage": "float",
    }


@pytest.mark.parametrize(
    "alpha",
    [
        0,
        1,
        -0.5,
        1.5,
        "x",
        "1/0",
        "1e-5000",
        "1e-999999999",
        "1" * 2000,
        "0x1",
        float("nan"),
        None,
        Fraction(1, 10**5000),
    ],
)
def test_residual_weight_outside_the_open_interval(alpha: object) -> None:
    with pytest.raises(InputError, match="residual weight"):
        check(np.eye(2), alpha=alpha)  # type: ignore[arg-type]


def test_residual_weight_of_every_kind() -> None:
    for alpha in (0.25, np.float32(0.25), np.float64(0.25), "1/4", "0.25", "2.5e-1", Fraction(1, 4)):
        assert check(np.eye(2), alpha=alpha).alpha == Fraction(1, 4)
    assert check(np.eye(2), alpha=Fraction(1, 10**40)).lazy_kappa_exact == 1


def test_options_of_a_validated_map_are_not_ignored() -> None:
    matrix = attention_matrix(np.array([[2.0, -1.0], [0.0, 1.0]]), any_real=True, name="mine")
    assert check(matrix).map == "mine"
    assert check(matrix, name="yours").map == "yours"
    for options in ({"any_real": True}, {"precision": "float32"}):
        with pytest.raises(InputError, match="mine is validated already"):
            check(matrix, **options)  # type: ignore[arg-type]


def test_distance_beyond_the_largest_float() -> None:
    verdict = check(np.array([[1.7e308, -1.7e308], [-1.7e308, 1.7e308]]), any_real=True)
    assert verdict.kappa == float("inf")
    assert verdict.to_json()["kappa"] is None
    assert verdict.kappa_exact == 2 * Fraction(1.7e308)


def layer_of(seed: int, *, inputs: int, heads: int, n: int) -> np.ndarray:
    logits = np.random.default_rng(seed).normal(size=(inputs, heads, n, n)).astype(np.float32)
    weights = np.exp(logits)
    return weights / weights.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("restrict", ["renormalised", "submatrix", "pairs"])
def test_a_layer_gives_the_verdicts_of_its_maps(threads: int, restrict: Restriction) -> None:
    """Memory is used again from input to input and must not leak from one verdict into another."""
    layer = layer_of(0, inputs=5, heads=3, n=9)
    names = [f"picture {index}" for index in range(5)]
    keeps = [(None, range(1, 9), [0, 3, 5], np.arange(9) > 2)] * 4 + [(None,)]
    found = check_layer(layer, keeps=keeps, restrict=restrict, names=names, alpha="1/3", threads=threads)
    for heads, chosen, name, verdicts in zip(layer, keeps, names, found, strict=True):
        mean = head_mean(heads, name=name)
        assert verdicts == tuple(
            check(mean, keep=keep, restrict=None if keep is None else restrict, alpha="1/3") for keep in chosen
        )


def test_means_of_a_layer_can_be_kept() -> None:
    layer = [layer_of(1, inputs=1, heads=2, n=n)[0] for n in (4, 7, 5)]  # inputs of different lengths
    means = {}
    check_layer(layer, keeps=[(None, [0, 1])] * 3, observer=means.__setitem__)
    assert all((means[at].values == head_mean(heads).values).all() for at, heads in enumerate(layer))


def test_a_bad_head_of_a_layer_is_named() -> None:
    layer = layer_of(2, inputs=3, heads=2, n=4)
    layer[1, 1, 2, 3] = np.nan
    with pytest.raises(InputError, match=r"input 1, head 1 has nan in row 2, column 3"):
        check_layer(layer, keeps=[(None,)] * 3)
    with pytest.raises(InputError, match=r"3 inputs of a layer came with 2 choices of tokens"):
        check_layer(layer, keeps=[(None,)] * 2)
    with pytest.raises(InputError, match=r"3 inputs of a layer came with 1 names"):
        check_layer(layer, keeps=[(None,)] * 3, names=["one"])
