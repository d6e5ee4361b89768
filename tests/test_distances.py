"""κ and the pairwise distances on their own."""

from fractions import Fraction

import numpy as np
from hypothesis import given

from dobrushin import check, kappa, pair_distances
from dobrushin.testing import brute
from dobrushin.testing.strategies import real_floats, stochastic_floats


@given(stochastic_floats())
def test_pair_distances(values: np.ndarray) -> None:
    A = brute.to_rationals(values)
    approximate, exact = pair_distances(values), pair_distances(values, exact=True)
    relative = 1.01 * (len(A) + 8) * 2.0**-53
    for i in range(len(A)):
        for j in range(len(A)):
            d = brute.distance(A, i, j)
            assert exact[i, j] == d
            assert abs(Fraction(float(approximate[i, j])) - d) <= Fraction(relative) * d + Fraction(1, 2**1000)
            assert d > 0 or approximate[i, j] == 0


@given(real_floats())
def test_kappa_is_the_verdicts(values: np.ndarray) -> None:
    exact = kappa(values, exact=True, any_real=True)
    assert exact == check(values, any_real=True).kappa_exact
    assert kappa(values, any_real=True) == check(values, any_real=True).kappa


def test_identical_rows_have_distance_exactly_zero() -> None:
    rng = np.random.default_rng(0)
    row = rng.dirichlet(np.ones(300)).astype(np.float32)
    assert kappa(np.tile(row, (300, 1))) == 0.0


def test_content_tokens() -> None:
    values = np.array([[0.5, 0.25, 0.25], [0.0, 0.5, 0.5], [0.2, 0.8, 0.0]])
    assert kappa(values, keep=[1, 2], exact=True) == Fraction(1, 2)
    assert pair_distances(values, keep=[1, 2]).shape == (2, 2)
