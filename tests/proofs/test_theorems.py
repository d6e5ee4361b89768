"""Every theorem of proofs/README.md in exact rational arithmetic, on small matrices made to tie.

Where the library computes what a theorem speaks of, the test takes it from the library and compares it with the
definition (``brute``).  Its input is floats, so the matrices of those tests are dyadic: no conversion rounds.
"""

import re
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dobrushin
from dobrushin.testing import brute
from dobrushin.testing.brute import Matrix, distance, kappa, lazy, pairs_of, self_dominant
from dobrushin.testing.strategies import stochastic_rationals

HALF = Fraction(1, 2)
PROSE = Path(__file__).parents[2] / "proofs" / "README.md"
dyadic_weights = st.integers(1, 7).map(lambda k: Fraction(k, 8))
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


@st.composite
def dyadic_maps(draw: st.DrawFn, min_n: int = 2, max_n: int = 4) -> list[list[Fraction]]:
    """Row-stochastic matrices of eighths; some rows are copies of others."""
    n = draw(st.integers(min_n, max_n))
    cuts = st.lists(st.integers(0, 8), min_size=n - 1, max_size=n - 1).map(sorted)
    rows = [[Fraction(b - a, 8) for a, b in zip([0, *row], [*row, 8], strict=True)]
            for row in draw(st.lists(cuts, min_size=n, max_size=n))]  # fmt: skip
    return [rows[draw(st.integers(0, n - 1))] if draw(st.booleans()) else row for row in rows]


def floats(A: Matrix) -> np.ndarray:
    """The matrix as float64; every entry is one."""
    values = np.array([[float(x) for x in row] for row in A])
    assert brute.to_rationals(values) == [list(row) for row in A]
    return values


def exact_kappa(A: Matrix, *, any_real: bool = False) -> Fraction:
    """κ(A) over all pairs, from the library, compared with the definition."""
    value = dobrushin.kappa(floats(A), exact=True, any_real=any_real)
    assert value == kappa(A, all_pairs(A))
    return value


def exact_distances(A: Matrix) -> np.ndarray:
    """All d(i,j), from the library, compared with the definition."""
    found = dobrushin.pair_distances(floats(A), exact=True, any_real=True)
    assert all(found[i, j] == found[j, i] == distance(A, i, j) for i, j in all_pairs(A))
    return found


def exact_lazy(A: Matrix, alpha: Fraction) -> list[list[Fraction]]:
    """αI + (1−α)A, from the library, compared with the definition."""
    found = brute.to_rationals(dobrushin.lazy(floats(A), alpha=alpha))
    assert found == lazy(A, alpha)
    return found


def causal(A: Matrix) -> list[list[Fraction]]:
    """The lower triangle, with the mass of the rest moved onto the diagonal."""
    return [[x if k < i else sum(row[i:], Fraction(0)) if k == i else Fraction(0) for k, x in enumerate(row)]
            for i, row in enumerate(A)]  # fmt: skip


@given(real_matrices())
def test_kappa_is_the_largest_distance(A: Matrix) -> None:
    found, distances = exact_kappa(A, any_real=True), [distance(A, i, j) for i, j in all_pairs(A)]
    assert found in distances
    assert all(d <= found for d in distances)


@given(real_matrices(), dyadic_weights)
def test_exact_defect(A: Matrix, alpha: Fraction) -> None:
    before, after = exact_distances(A), exact_distances(lazy(A, alpha))
    for i, j in all_pairs(A):
        lost = sum(min(alpha, (1 - alpha) * x) for x in losses(A, i, j))
        assert after[i, j] == alpha + (1 - alpha) * before[i, j] - lost


@given(st.data(), st.integers(2, 4), st.integers(0, 4), st.integers(0, 4))
def test_without_half(data: st.DataObject, n: int, s: int, t: int) -> None:
    """T1 to T3 for sI + tA over ℤ."""
    A = data.draw(st.lists(st.lists(st.integers(-3, 3), min_size=n, max_size=n), min_size=n, max_size=n))
    B = [[t * x + (s if i == k else 0) for k, x in enumerate(row)] for i, row in enumerate(A)]
    pairs = data.draw(st.lists(st.sampled_from(all_pairs(A)), min_size=1, unique=True))

    def l1(M: list[list[int]], i: int, j: int) -> int:
        return sum(abs(x - y) for x, y in zip(M[i], M[j], strict=True))

    for i, j in pairs:
        lost = sum(min(s, t * max(-x, 0)) for x in (A[i][i] - A[j][i], A[j][j] - A[i][j]))
        assert l1(B, i, j) + 2 * lost == 2 * s + t * l1(A, i, j)
    top, top_after = max(l1(A, *pair) for pair in pairs), max(l1(B, *pair) for pair in pairs)
    assert top_after <= 2 * s + t * top
    if s > 0 and t > 0:
        dominant = any(l1(A, i, j) == top and A[i][i] >= A[j][i] and A[j][j] >= A[i][j] for i, j in pairs)
        assert (top_after == 2 * s + t * top) == dominant


@given(real_matrices(), weights)
def test_layerwise_inequality(A: Matrix, alpha: Fraction) -> None:
    verdict, pairs = dobrushin.check(floats(A), alpha=alpha, any_real=True), all_pairs(A)
    assert verdict.kappa_exact == kappa(A, pairs)
    assert verdict.lazy_kappa_exact == kappa(lazy(A, alpha), pairs)
    assert verdict.lazy_kappa_exact <= alpha + (1 - alpha) * verdict.kappa_exact


@given(real_matrices(), weights)
def test_slack(A: Matrix, alpha: Fraction) -> None:
    verdict, pairs = dobrushin.check(floats(A), alpha=alpha, any_real=True), all_pairs(A)
    top = kappa(A, pairs)
    brackets = [
        (1 - alpha) * (top - distance(A, i, j)) + sum(min(alpha, (1 - alpha) * x) for x in losses(A, i, j))
        for i, j in pairs
    ]
    assert verdict.slack_exact == min(brackets) == brute.slack(A, pairs, alpha)


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
    verdict = dobrushin.check(floats(A), any_real=True)
    pairs = all_pairs(A)
    bound = HALF * (1 + kappa(A, pairs))
    assert kappa(lazy(A, HALF), pairs) <= bound
    assert verdict.tight == (kappa(lazy(A, HALF), pairs) == bound)


@given(st.data(), st.integers(2, 4))
def test_submultiplicativity_and_when_it_is_tight(data: st.DataObject, n: int) -> None:
    A, B = data.draw(dyadic_maps(min_n=n, max_n=n)), data.draw(dyadic_maps(min_n=n, max_n=n))
    found, bound = exact_kappa(brute.product(A, B)), exact_kappa(A) * exact_kappa(B)
    assert found <= bound
    if bound > 0:
        assert (found == bound) == one_sign_vector(A, B)


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


@given(st.data(), st.integers(2, 3), st.integers(1, 4))
def test_pure_attention(data: st.DataObject, n: int, depth: int) -> None:
    layers = [data.draw(dyadic_maps(min_n=n, max_n=n)) for _ in range(depth)]
    pure = reduce(lambda R, A: brute.product(A, R), layers)
    assert exact_kappa(pure) <= prod(exact_kappa(A) for A in layers)


@given(real_matrices(max_n=3), st.data())
def test_contraction_of_rows_with_equal_sums(A: Matrix, data: st.DataObject) -> None:
    n = len(A)
    row = st.lists(st.integers(-3, 3).map(Fraction), min_size=n, max_size=n)
    P = data.draw(st.lists(row, min_size=n, max_size=n))
    for p in P:
        p[0] += sum(P[-1]) - sum(p)
    before, moved, largest = exact_distances(P), exact_distances(brute.product(P, A)), kappa(A, all_pairs(A))
    assert all(moved[i, j] <= before[i, j] * largest for i, j in all_pairs(A))


@given(dyadic_maps())
def test_overlap(A: Matrix) -> None:
    assert exact_kappa(A) == 1 - min(sum(map(min, A[i], A[j])) for i, j in all_pairs(A))


@given(dyadic_maps(), dyadic_weights)
def test_floor(A: Matrix, alpha: Fraction) -> None:
    B = exact_lazy(A, alpha)
    for i, j in all_pairs(A):
        most, least = max(losses(A, i, j)), min(losses(A, i, j))
        assert distance(A, i, j) >= most
        floor = max(alpha, (1 - alpha) * most) - min(alpha, (1 - alpha) * least)
        assert distance(B, i, j) >= floor >= alpha - min(alpha, (1 - alpha) * least)
        assert distance(exact_lazy(A, HALF), i, j) >= HALF * (1 - least)


@given(st.integers(0, 8), st.integers(0, 8), dyadic_weights)
def test_floor_is_sharp(eighths_x: int, eighths_y: int, alpha: Fraction) -> None:
    """For x < y, x = y and x > y."""
    x, y = Fraction(eighths_x, 8), Fraction(eighths_y, 8)
    # The rows of the prose: their difference is −x, y, x − y.
    A = [[Fraction(0), y, 1 - y], [x, Fraction(0), 1 - x], [HALF, Fraction(1, 4), Fraction(1, 4)]]
    assert losses(A, 0, 1) == (x, y)
    three = (alpha, (1 - alpha) * x, (1 - alpha) * y)
    assert distance(exact_lazy(A, alpha), 0, 1) == max(three) - min(three)


@given(dyadic_weights)
def test_swap(alpha: Fraction) -> None:
    swap = [[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]]
    assert distance(exact_lazy(swap, alpha), 0, 1) == abs(2 * alpha - 1)


@given(dyadic_maps(), dyadic_weights)
def test_one_sided_dominance_gives_a_floor(A: Matrix, alpha: Fraction) -> None:
    B = exact_lazy(A, alpha)
    for i, j in all_pairs(A):
        if A[i][i] >= A[j][i] or A[j][j] >= A[i][j]:
            assert distance(B, i, j) >= alpha


@given(dyadic_maps(), dyadic_weights)
def test_causal_maps_have_a_floor(A: Matrix, alpha: Fraction) -> None:
    masked = causal(A)
    assert kappa(exact_lazy(masked, alpha), all_pairs(A)) >= alpha
    assert all(min(losses(masked, i, j)) == 0 for i, j in all_pairs(A))


def draw_rollout(data: st.DataObject, n: int, depth: int, *, masked: bool = False) -> tuple[Matrix, Fraction]:
    """A rollout of random layers, and the product of the weights: one for all from the library, or one for each."""
    if same := data.draw(st.booleans()):
        layers = [data.draw(dyadic_maps(min_n=n, max_n=n)) for _ in range(depth)]
        alphas = [data.draw(dyadic_weights)] * depth
    else:
        layers = [data.draw(stochastic_rationals(min_n=n, max_n=n)) for _ in range(depth)]
        alphas = [data.draw(weights) for _ in range(depth)]
    layers = [causal(A) for A in layers] if masked else layers
    R = reduce(lambda R, B: brute.product(B, R), map(lazy, layers, alphas))
    if same:  # eighths all over, so that float64 is exact
        found = dobrushin.rollout([floats(A) for A in layers], alpha=alphas[0])
        assert brute.to_rationals(found) == R
    return R, prod(alphas)


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
    found = dobrushin.kappa(A, exact=True, any_real=True)
    assert found == verdict.kappa_exact == HALF * max(distances.values()) / 2**exponent


@given(dyadic_maps(max_n=2), dyadic_maps(max_n=2))
def test_two_tokens_always_attain_the_product_bound(A: Matrix, B: Matrix) -> None:
    assert exact_kappa(brute.product(A, B)) == exact_kappa(A) * exact_kappa(B)


def exactly_tight(A: Matrix) -> bool:
    """The library's verdict for α = ½, compared with the definition."""
    tight = dobrushin.check(floats(A), any_real=True).tight
    assert tight == (brute.slack(A, all_pairs(A), HALF) == 0)
    return tight


@given(dyadic_maps(max_n=2))
def test_two_tokens_make_the_variants_true(A: Matrix) -> None:
    tight = exactly_tight(A)
    assert tight == (A[0][0] >= A[1][0]) == (A[1][1] >= A[0][1]) == self_dominant(A, 0, 1)


def test_worked_example() -> None:
    A = [[1.0, 0.0], [0.5, 0.5]]
    assert dobrushin.kappa(A, exact=True) == HALF
    assert dobrushin.lazy(A).tolist() == [[1.0, 0.0], [0.25, 0.75]]
    assert dobrushin.kappa(dobrushin.lazy(A), exact=True) == Fraction(3, 4)


def test_some_are_tight_and_some_are_not() -> None:
    zero, one = Fraction(0), Fraction(1)
    assert exactly_tight([[one, zero], [zero, one]])
    assert not exactly_tight([[zero, one], [one, zero]])


def parsed(text: str) -> Fraction:
    """A number of the prose: 0, 1 or a half."""
    return {"0": Fraction(0), "1": Fraction(1), r"\tfrac12": HALF, "½": HALF}[text]


def matrix_of(text: str) -> list[list[Fraction]]:
    return [[parsed(x) for x in row.split()] for row in text.split(";")]


def variants() -> dict[str, tuple[list[list[Fraction]], list[Fraction]]]:
    """The table of smallest witnesses, read out of the prose: variant → matrix, and κ(A), κ(B), bound."""
    rows = re.findall(
        r"^\| ([^|]+) \| `\[([^]`]+)\]` \|((?: \$`[^`]+`\$ \|){3}) [^|]+ \|$", PROSE.read_text("utf-8"), re.M
    )
    numbers = re.compile(r"\$`([^`]+)`\$")
    return {name: (matrix_of(matrix), [parsed(x) for x in numbers.findall(cells)]) for name, matrix, cells in rows}


def test_false_variants() -> None:
    table = variants()
    strict, every, one_sided, any_pair, equal_indices = table
    assert [name.split()[0] for name in table] == ["strictly", "*every*", "one-sided", "*any*", "$`i"]
    for A, numbers in table.values():
        pairs = all_pairs(A) or [(0, 0)]
        assert all(sum(row) == 1 and min(row) >= 0 for row in A)
        assert numbers == [kappa(A, pairs), kappa(lazy(A, HALF), pairs), HALF * (1 + kappa(A, pairs))]

    def facts(name: str) -> tuple[Matrix, bool, list[tuple[int, int]]]:
        A, (_, lazy_kappa, bound) = table[name]
        assert exactly_tight(A) == (lazy_kappa == bound)
        return A, exactly_tight(A), brute.attaining(A, all_pairs(A))

    A, tight, top = facts(strict)
    assert tight
    assert not any(A[i][i] > A[j][i] and A[j][j] > A[i][j] for i, j in top)
    A, tight, top = facts(every)
    assert tight
    assert not all(self_dominant(A, i, j) for i, j in top)
    A, tight, top = facts(one_sided)
    assert not tight
    assert any(A[i][i] >= A[j][i] or A[j][j] >= A[i][j] for i, j in top)
    A, tight, top = facts(any_pair)
    assert not tight
    assert any(self_dominant(A, i, j) for i, j in all_pairs(A))
    A, (largest, lazy_kappa, bound) = table[equal_indices]
    assert self_dominant(A, 0, 0)
    assert largest == distance(A, 0, 0)
    assert lazy_kappa < bound
    with pytest.raises(dobrushin.InputError):  # there is no pair of different tokens
        dobrushin.check(floats(A))


def test_one_sided_dominance_fails_for_two_tokens_without_row_sums() -> None:
    A = matrix_of("0 1; 0 0")
    assert "`[0 1; 0 0]` has $`u = 0`$ and $`v = -1`$, and is not tight" in " ".join(PROSE.read_text("utf-8").split())
    assert (A[0][0] - A[1][0], A[1][1] - A[0][1]) == (0, -1)
    assert not exactly_tight(A)


def test_products_without_equal_row_sums() -> None:
    """The witness of the prose, which is Lean's."""
    assert "$`A`$ = `[1 0; 0 0]` and $`B`$ = `[½ ½; ½ ½]`" in PROSE.read_text("utf-8")
    A, B = matrix_of("1 0; 0 0"), matrix_of("½ ½; ½ ½")
    kappas = [exact_kappa(M, any_real=True) for M in (brute.product(A, B), A, B)]
    assert kappas == [HALF, HALF, 0]
