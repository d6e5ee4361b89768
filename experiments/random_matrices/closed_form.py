"""The share tight for n = 2 and 3 in closed form, and the identity behind it, checked by computer algebra.

Run it: ``python experiments/random_matrices/closed_form.py`` prints each fact, and fails when one does not hold.
"""

from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, factorial

import sympy as sp

from dobrushin import check


def two_tokens() -> sp.Rational:
    """P(tight) for n = 2 by integration over the two free numbers.

    The map is [[1−a, a], [b, 1−b]] with a and b uniform; its only pair is self-dominant iff 1−a ≥ b and 1−b ≥ a.
    """
    a, b = sp.symbols("a b", nonnegative=True)
    return sp.integrate(sp.integrate(1, (b, 0, 1 - a)), (a, 0, 1))


def orderings_that_are_tight(n: int, larger: int) -> int:
    """How many orders of n columns put a larger one at i and a smaller one at j, when ``larger`` of them are larger.

    A column counts as larger when row i exceeds row j there.  Counted one by one, not by the formula.
    """
    columns = [1] * larger + [-1] * (n - larger)
    orders = permutations(range(n))
    return sum(columns[order[0]] > 0 and columns[order[1]] < 0 for order in orders)


def conditional_share(n: sp.Expr, larger: sp.Expr) -> sp.Expr:
    """P(tight | rows up to the order of their columns) = m(n−m)/(n(n−1))."""
    return larger * (n - larger) / (n * (n - 1))


def three_tokens() -> sp.Rational:
    """P(tight) for n = 3: m is 1 or 2, as two rows with equal sums are never larger in none or all columns."""
    values = {sp.nsimplify(conditional_share(sp.Integer(3), sp.Integer(m))) for m in (1, 2)}
    (value,) = values
    return value


def bounds(n: int) -> tuple[Fraction, Fraction]:
    """The smallest and the largest share that any continuous exchangeable family can have at n."""
    shares = [Fraction(m * (n - m), n * (n - 1)) for m in range(1, n)]
    return min(shares), max(shares)


def excess_over_a_quarter() -> sp.Expr:
    """With E m = n/2: P(tight) − ¼ in terms of v = Var m."""
    n, v = sp.symbols("n v", positive=True)
    second_moment = v + n**2 / 4
    return sp.simplify((n * n / 2 - second_moment) / (n * (n - 1)) - sp.Rational(1, 4))


def enumerated_share(n: int, total: int) -> tuple[int, int]:
    """(tight, all) over every generic n×n matrix of non-negative integers whose rows sum to ``total``.

    Generic: one pair attains κ, and its two rows differ in every column.  The verdicts are the library's.
    """
    rows = list(_compositions(total, n))
    tight = generic = 0
    for matrix in product(rows, repeat=n):
        distances = {(i, j): sum(abs(x - y) for x, y in zip(matrix[i], matrix[j], strict=True))
                     for i, j in combinations(range(n), 2)}  # fmt: skip
        largest = max(distances.values())
        attaining = [pair for pair, distance in distances.items() if distance == largest]
        if len(attaining) == 1 and all(x != y for x, y in zip(*(matrix[k] for k in attaining[0]), strict=True)):
            generic += 1
            tight += _tight([[float(x) for x in row] for row in matrix])
    return tight, generic


def enumerated_causal(n: int, total: int) -> tuple[int, int]:
    """(tight, all) over every lower triangular n×n matrix of non-negative integers whose rows sum to ``total``."""
    choices = [[(*row, *[0] * (n - 1 - i)) for row in _compositions(total, i + 1)] for i in range(n)]
    found = [_tight([[float(x) for x in row] for row in matrix]) for matrix in product(*choices)]
    return sum(found), len(found)


def _tight(rows: list[list[float]]) -> bool:
    import numpy as np

    return check(np.array(rows), any_real=True).tight


def _compositions(total: int, parts: int) -> list[tuple[int, ...]]:
    if parts == 1:
        return [(total,)]
    return [(first, *rest) for first in range(total + 1) for rest in _compositions(total - first, parts - 1)]


def main() -> None:
    """Check everything and print it."""
    assert two_tokens() == sp.Rational(1, 2) == conditional_share(sp.Integer(2), sp.Integer(1))
    print("n = 2: 1/2, by integration and by the identity")
    assert three_tokens() == sp.Rational(1, 3)
    print("n = 3: 1/3, the same for every continuous family whose columns can be permuted")
    for n in range(2, 8):
        for m in range(n + 1):
            assert orderings_that_are_tight(n, m) == m * (n - m) * factorial(n - 2)
    print("m(n−m)(n−2)! of the n! orders of the columns are tight: counted for n = 2 to 7")
    for n, total in ((2, 9), (3, 5)):
        tight, generic = enumerated_share(n, total)
        assert tight * n == generic > 0
        print(f"all {generic} generic integer matrices with n = {n} and rows that sum to {total}: {tight} tight")
    for n, total in ((2, 6), (3, 6), (4, 3)):
        tight, every = enumerated_causal(n, total)
        assert tight == every > 0
        print(f"all {every} causal integer matrices with n = {n} and rows that sum to {total} are tight")
    n, v = sp.symbols("n v", positive=True)
    assert sp.simplify(excess_over_a_quarter() - (n / 4 - v) / (n * (n - 1))) == 0
    binomial = sum(sp.Rational(comb(8, k), 2**8) * (k - 4) ** 2 for k in range(9))
    assert excess_over_a_quarter().subs({n: 8, v: binomial}) == 0
    print("P(tight) = 1/4 + (n/4 − Var m)/(n(n−1)): exactly 1/4 where m is binomial")


if __name__ == "__main__":
    main()
