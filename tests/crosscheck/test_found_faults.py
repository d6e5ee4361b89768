"""Faults that the search has found, kept so that they stay mended."""

import numpy as np

import dobrushin


def test_float_distances_of_rows_whose_sum_cancels() -> None:
    """They were all zero, silently, while the exact ones were right."""
    A = np.array([[1.0, 0.0], [1.0, -1 + 2.0**-21]])
    distances = dobrushin.pair_distances(A, any_real=True, restrict="renormalised")
    exact = dobrushin.pair_distances(A, any_real=True, restrict="renormalised", exact=True)
    assert exact[0, 1] == 2**21 - 1
    assert distances[0, 1] == float(exact[0, 1])
