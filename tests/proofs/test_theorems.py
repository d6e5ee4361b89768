"""Every theorem of proofs/README.md in exact rational arithmetic, on small matrices made to tie."""

from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod

from hypothesis import given
from hypothesis import strategies as st

import dobrushin
from dobrushin.testing import brute
from dobrushin.testing.brute import Matrix, distance, kappa, lazy, pairs_of, self_dominant
from dobrushin.testing.strategies import stochastic_rationals

HALF = Fraction(1, 2)
weights = st.fractions(min_value=Fraction(1, 8), max_value=Fraction(7, 8), max_denominator=8)


def negative_part(x: Fraction) -> Fraction:
    return max(-x, Fraction(0))


def losses(A: Matrix, i: int, j: int) -> tuple[Fraction, Fraction]:
    """u⁻ and v⁻ of a pair."""
    return negative_part(A[i][i] - A[j][i]), negative_part(A[j][j] - A[i][j])


@st.composite
def real_matrices(draw: st.DrawFn, min_n: int = 2, max_n: int = 4) -> list[list[Fraction]]:
    """Small integers over 4, negative ones too."""
    n = draw(st.integers(min_n, max_n))
    entries = st.lists(st.integers(-3, 3).map(lambda x: Fraction(x, 4)), min_size=n, max_size=n)
    return draw(st.lists(entries, min_size=n, max_size=n))


def all_pairs(A: Matrix) -> list[tuple[int, int]]:
    return pairs_of(range(len(A)))


def causal(A: Matrix) -> list[list[Fraction]]:
    """The lower triangle, with the mass of the rest moved onto the diagonal."""
    return [[x if k < i else sum(row[i:], Fraction(0)) if k == i else Fraction(0) for k, x in enumerate(row)]
            for i, row in enumerate(A)]  # fmt: skip


@given(real_matrices(), weights)
def test_exact_defect(A: Matrix, alpha: Fraction) -> None:
    for i, j in all_pairs(A):
        lost = sum(min(alpha, (1 - alpha) * x) for x in losses(A, i, j))
        assert distance(lazy(A, alpha), i, j) == alpha + (1 - alpha) * distance(A, i, j) - lost


@given(real_matrices(), weights, st.data())
def test_inequality_condition_and_slack_over_any_set_of_pairs(A: Matrix, alpha: Fraction, data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(all_pairs(A)), min_size=1, unique=True))
    slack = brute.slack(A, chosen, alpha)
    top = kappa(A, chosen)
    brackets = [
        (1 - alpha) * (top - distance(A, i, j)) + sum(min(alpha, (1 - alpha) * x) for x in losses(A, i, j))
        for i, j in chosen
    ]
    assert slack == min(brackets) >= 0
    assert (slack == 0) == any(self_dominant(A, i, j) for i, j in brute.attaining(A, chosen))


@given(real_matrices(), weights, weights)
def test_weight_drops_out(A: Matrix, alpha: Fraction, beta: Fraction) -> None:
    pairs = all_pairs(A)
    assert (brute.slack(A, pairs, alpha) == 0) == (brute.slack(A, pairs, beta) == 0)


@given(real_matrices())
def test_the_paper(A: Matrix) -> None:
    verdict = dobrushin.check([[float(x) for x in row] for row in A], any_real=True)
    pairs = all_pairs(A)
    bound = HALF * (1 + kappa(A, pairs))
    assert kappa(lazy(A, HALF), pairs) <= bound
    assert verdict.tight == (kappa(lazy(A, HALF), pairs) == bound)


@given(st.data(), st.integers(2, 4))
def test_submultiplicativity_and_when_it_is_tight(data: st.DataObject, n: int) -> None:
    A, B = data.draw(stochastic_rationals(min_n=n, max_n=n)), data.draw(stochastic_rationals(min_n=n, max_n=n))
    pairs = all_pairs(A)
    AB, bound = brute.product(A, B), kappa(A, pairs) * kappa(B, pairs)
    assert kappa(AB, pairs) <= bound
    if bound > 0:
        assert (kappa(AB, pairs) == bound) == one_sign_vector(A, B)


def one_sign_vector(A: Matrix, B: Matrix) -> bool:
    """The condition of T5′, over all signs."""
    n = len(A)
    top = kappa(B, all_pairs(B))
    for i, j in brute.attaining(A, all_pairs(A)):
        gains = [k for k in range(n) if A[i][k] > A[j][k]]
        loses = [k for k in range(n) if A[i][k] < A[j][k]]
        for signs in product((1, -1), repeat=n):
            reach = [HALF * sum(s * (B[k][c] - B[m][c]) for c, s in enumerate(signs)) for k in gains for m in loses]
            if all(x == top for x in reach):
                return True
    return False


@given(st.data(), st.integers(2, 3), st.integers(1, 4))
def test_chain_for_the_rollout(data: st.DataObject, n: int, depth: int) -> None:
    layers = [data.draw(stochastic_rationals(min_n=n, max_n=n)) for _ in range(depth)]
    alphas = [data.draw(weights) for _ in range(depth)]
    factors = [lazy(A, alpha) for A, alpha in zip(layers, alphas, strict=True)]
    rollout = reduce(lambda R, B: brute.product(B, R), factors)
    pairs = all_pairs(rollout)
    by_factors = prod(kappa(B, pairs) for B in factors)
    by_layers = prod(alpha + (1 - alpha) * kappa(A, pairs) for A, alpha in zip(layers, alphas, strict=True))
    assert kappa(rollout, pairs) <= by_factors <= by_layers
    pure = reduce(lambda R, A: brute.product(A, R), layers)
    assert kappa(pure, pairs) <= prod(kappa(A, pairs) for A in layers)


@given(real_matrices(max_n=3), st.data())
def test_contraction_of_rows_with_equal_sums(A: Matrix, data: st.DataObject) -> None:
    n = len(A)
    p, q = (data.draw(st.lists(st.integers(-3, 3).map(Fraction), min_size=n, max_size=n)) for _ in range(2))
    p[0] += sum(q) - sum(p)
    moved = brute.product([p, q], A)
    assert distance(moved, 0, 1) <= distance([p, q], 0, 1) * kappa(A, all_pairs(A))


@given(stochastic_rationals(max_n=4))
def test_overlap(A: Matrix) -> None:
    overlaps = [sum(map(min, A[i], A[j])) for i, j in all_pairs(A)]
    assert kappa(A, all_pairs(A)) == 1 - min(overlaps)


@given(stochastic_rationals(max_n=4), weights)
def test_floor(A: Matrix, alpha: Fraction) -> None:
    B = lazy(A, alpha)
    for i, j in all_pairs(A):
        most, least = max(losses(A, i, j)), min(losses(A, i, j))
        assert distance(A, i, j) >= most
        floor = max(alpha, (1 - alpha) * most) - min(alpha, (1 - alpha) * least)
        assert distance(B, i, j) >= floor >= alpha - min(alpha, (1 - alpha) * least)
        assert distance(lazy(A, HALF), i, j) >= HALF * (1 - least)


@given(st.integers(0, 8), st.integers(0, 8), weights)
def test_floor_is_sharp(a: int, b: int, alpha: Fraction) -> None:
    most, least = Fraction(max(a, b), 8), Fraction(min(a, b), 8)
    # x = A_0 − A_1 is −most, least, most − least.
    A = [[Fraction(0), least, 1 - least], [most, Fraction(0), 1 - most], [Fraction(1, 3)] * 3]
    assert losses(A, 0, 1) == (most, least)
    assert distance(lazy(A, alpha), 0, 1) == max(alpha, (1 - alpha) * most) - min(alpha, (1 - alpha) * least)
    swap = [[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]]
    assert distance(lazy(swap, alpha), 0, 1) == abs(2 * alpha - 1)


@given(stochastic_rationals(max_n=4), weights)
def test_one_sided_dominance_gives_a_floor(A: Matrix, alpha: Fraction) -> None:
    for i, j in all_pairs(A):
        if A[i][i] >= A[j][i] or A[j][j] >= A[i][j]:
            assert distance(lazy(A, alpha), i, j) >= alpha


@given(stochastic_rationals(max_n=4), weights)
def test_causal_maps_have_a_floor(A: Matrix, alpha: Fraction) -> None:
    masked = causal(A)
    assert kappa(lazy(masked, alpha), all_pairs(A)) >= alpha
    assert all(min(losses(masked, i, j)) == 0 for i, j in all_pairs(A))


def draw_rollout(data: st.DataObject, n: int, depth: int, *, masked: bool = False) -> tuple[Matrix, Fraction]:
    """A rollout of random layers with random weights, and the product of the weights."""
    layers = [data.draw(stochastic_rationals(min_n=n, max_n=n)) for _ in range(depth)]
    alphas = [data.draw(weights) for _ in range(depth)]
    factors = [lazy(causal(A) if masked else A, a) for A, a in zip(layers, alphas, strict=True)]
    return reduce(lambda R, B: brute.product(B, R), factors), prod(alphas)


def minus_identity(R: Matrix, a: Fraction) -> list[list[Fraction]]:
    """R − aI."""
    return [[x - (a if i == k else 0) for k, x in enumerate(row)] for i, row in enumerate(R)]


@given(st.data(), st.integers(2, 3), st.integers(1, 4))
def test_rollout_is_lazy(data: st.DataObject, n: int, depth: int) -> None:
    R, a = draw_rollout(data, n, depth)
    rest = minus_identity(R, a)
    assert all(x >= 0 for row in rest for x in row)
    assert all(sum(row) == 1 - a for row in rest)


@given(st.data(), st.integers(2, 3), st.integers(1, 3))
def test_rollout_equality_condition(data: st.DataObject, n: int, depth: int) -> None:
    R, a = draw_rollout(data, n, depth)
    rest, pairs = minus_identity(R, a), all_pairs(R)
    bound = a + kappa(rest, pairs)
    assert kappa(R, pairs) <= bound
    assert (kappa(R, pairs) == bound) == any(self_dominant(rest, i, j) for i, j in brute.attaining(rest, pairs))


@given(st.data(), st.integers(2, 3), st.integers(1, 4))
def test_causal_rollouts_have_a_floor(data: st.DataObject, n: int, depth: int) -> None:
    R, a = draw_rollout(data, n, depth, masked=True)
    assert all(distance(R, i, j) >= a for i, j in all_pairs(R))


@given(st.fractions(0, 3, max_denominator=5), st.lists(st.fractions(0, 1, max_denominator=5), min_size=1, max_size=3),
       st.fractions(0, 3, max_denominator=5))  # fmt: skip
def test_cubic_recursion(c: Fraction, shares: list[Fraction], start: Fraction) -> None:
    value = start
    for share in shares:
        value = share * c * value**3
    power = 3 ** len(shares)
    assert value <= c ** ((power - 1) // 2) * start**power


@given(stochastic_rationals(max_n=4), st.fractions(0, 1, max_denominator=6))
def test_close_from_one_side_is_close(A: Matrix, epsilon: Fraction) -> None:
    # Every p with (1 − ε)q ≤ p is (1 − ε)q plus ε times some distribution.
    q, other = A[0], A[1]
    p = [(1 - epsilon) * x + epsilon * y for x, y in zip(q, other, strict=True)]
    assert distance([p, q], 0, 1) <= epsilon


@given(st.data(), st.integers(2, 5), st.integers(0, 8), weights)
def test_certificate_on_natural_numbers(data: st.DataObject, n: int, exponent: int, alpha: Fraction) -> None:
    row = st.lists(st.integers(0, 4), min_size=n, max_size=n)
    M = data.draw(st.lists(row, min_size=n, max_size=n))
    distances = {(i, j): sum(abs(a - b) for a, b in zip(M[i], M[j], strict=True)) for i, j in pairs_of(range(n))}
    certified = any(
        distances[i, j] == max(distances.values()) and M[i][i] >= M[j][i] and M[j][j] >= M[i][j] for i, j in distances
    )
    A = [[x * 2.0**-exponent for x in row] for row in M]
    verdict = dobrushin.check(A, alpha=alpha, any_real=True)
    assert verdict.tight == certified
    assert verdict.kappa_exact == HALF * max(distances.values()) / 2**exponent


@given(stochastic_rationals(max_n=2), stochastic_rationals(max_n=2))
def test_two_tokens_always_attain_the_product_bound(A: Matrix, B: Matrix) -> None:
    assert distance(brute.product(A, B), 0, 1) == distance(A, 0, 1) * distance(B, 0, 1)


@given(stochastic_rationals(max_n=2))
def test_two_tokens_make_the_variants_true(A: Matrix) -> None:
    tight = brute.slack(A, [(0, 1)], HALF) == 0
    assert tight == (A[0][0] >= A[1][0]) == (A[1][1] >= A[0][1]) == self_dominant(A, 0, 1)


def test_worked_example() -> None:
    A = [[1.0, 0.0], [0.5, 0.5]]
    assert dobrushin.kappa(A, exact=True) == HALF
    assert dobrushin.lazy(A).tolist() == [[1.0, 0.0], [0.25, 0.75]]
    assert dobrushin.kappa(dobrushin.lazy(A), exact=True) == Fraction(3, 4)


def test_false_variants() -> None:
    """The table of smallest witnesses, as it stands in the prose."""

    def facts(text: str) -> tuple[list[list[Fraction]], bool, list[tuple[int, int]]]:
        A = [[Fraction(x) for x in row.split()] for row in text.split(";")]
        pairs = all_pairs(A)
        return A, brute.slack(A, pairs, HALF) == 0, brute.attaining(A, pairs)

    A, tight, top = facts("0 1; 0 1")
    assert tight
    assert not any(A[i][i] > A[j][i] and A[j][j] > A[i][j] for i, j in top)
    A, tight, top = facts("0 0 1; 0 1 0; 1 0 0")
    assert tight
    assert not all(self_dominant(A, i, j) for i, j in top)
    A, tight, top = facts("0 0 1; 0 0 1; 1 0 0")
    assert not tight
    assert any(A[i][i] >= A[j][i] or A[j][j] >= A[i][j] for i, j in top)
    A, tight, top = facts("0 0 1; 0 0 1; 0 1 0")
    assert not tight
    assert any(self_dominant(A, i, j) for i, j in all_pairs(A))
    A = [[Fraction(1)]]
    assert distance(A, 0, 0) == distance(lazy(A, HALF), 0, 0) == 0 < HALF
    A = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(0)]]
    assert kappa(brute.product(A, A), [(0, 1)]) > kappa(A, [(0, 1)]) ** 2
