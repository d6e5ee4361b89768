"""The facts behind the random matrices: the share by permuting columns, and that causal maps are always tight."""

from itertools import combinations, permutations
from math import factorial

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dobrushin import check


@given(st.integers(2, 4).flatmap(lambda n: arrays(np.int64, (n, n), elements=st.integers(0, 50))))
def test_so_many_orders_of_the_columns_are_tight(weights: np.ndarray) -> None:
    """m(n−m)(n−2)! when one pair attains κ, its rows differ everywhere, and all rows have the same sum."""
    n = len(weights)
    weights[:, -1] += weights.sum(axis=1).max() - weights.sum(axis=1)
    assume(weights.sum() > 0)
    distances = {pair: int(np.abs(weights[pair[0]] - weights[pair[1]]).sum()) for pair in combinations(range(n), 2)}
    attaining = [pair for pair, distance in distances.items() if distance == max(distances.values())]
    i, j = attaining[0]
    assume(len(attaining) == 1 and (weights[i] != weights[j]).all())
    larger = int((weights[i] > weights[j]).sum())
    tight = sum(check(weights[:, order].astype(float), any_real=True).tight for order in permutations(range(n)))
    assert tight == larger * (n - larger) * factorial(n - 2)


@given(st.integers(2, 7).flatmap(lambda n: arrays(np.int64, (n, n), elements=st.integers(0, 9))))
def test_causal_maps_are_always_tight(weights: np.ndarray) -> None:
    """Rows with the same sum and nothing above the diagonal: some pair (0, j) attains κ or another is self-dominant."""
    causal = np.tril(weights)
    causal[:, 0] += 1
    causal = causal * (np.lcm.reduce(causal.sum(axis=1)) // causal.sum(axis=1))[:, None]
    assume(causal.max() < 2**52)
    assert check(causal.astype(float), any_real=True).tight


def test_a_map_with_one_entry_above_the_diagonal_need_not_be_tight() -> None:
    assert not check(np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.5, 0.25, 0.25]])).tight
