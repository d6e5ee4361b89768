"""Intervals: textbook values, the two extremes of clustering, and how often they cover the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dobrushin.report.intervals import clustered_share, wilson
from dobrushin.report.words import interval


def test_textbook_value() -> None:
    """Newcombe (1998), table I: 81 of 263 is 0.2553–0.3662, and 0 of 20 is 0–0.1611."""
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0, 0.1611), abs=5e-5)


def test_one_map_from_each_input_is_wilson() -> None:
    tight = np.arange(40) % 4 > 0
    share = clustered_share(np.arange(40), tight)
    assert (share.effective, share.low, share.high) == (40, *wilson(0.75, 40))


def test_copies_of_one_map_count_once() -> None:
    """Twelve layers that always agree are no more than one: the interval is that of the inputs, nearly."""
    tight = np.arange(40) % 4 > 0
    copied = clustered_share(np.repeat(np.arange(40), 12), np.repeat(tight, 12))
    assert copied.effective == pytest.approx(39)


def test_all_tight_takes_the_inputs_as_one_map_each() -> None:
    share = clustered_share(np.repeat(np.arange(10), 12), np.ones(120, dtype=bool))
    assert (share.tight, share.maps, share.effective) == (120, 120, 10)
    assert (share.low, share.high) == wilson(1.0, 10)
    assert clustered_share(np.array([], dtype=int), np.array([], dtype=bool)).value is None


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=60))
def test_the_share_is_in_its_interval(maps: list[tuple[int, bool]]) -> None:
    inputs, tight = (np.array(column) for column in zip(*maps, strict=True))
    share = clustered_share(inputs, tight)
    assert share.value is not None
    assert 0 <= share.low <= share.value <= share.high <= 1
    assert 0 < share.effective <= share.maps
    low, high = (float(end.rstrip("%")) / 100 for end in interval(share).split("–"))
    assert low <= share.low + 1e-12
    assert high >= share.high - 1e-12


def test_coverage_with_clusters() -> None:
    """Inputs of different propensity: the interval covers the mean in about 95%, plain Wilson does not."""
    rng = np.random.default_rng(0)
    inputs = np.repeat(np.arange(60), 12)
    covered = naive = 0
    for _ in range(400):
        tight = rng.random(720) < np.repeat(rng.beta(2, 1, 60), 12)
        share = clustered_share(inputs, tight)
        covered += share.low <= 2 / 3 <= share.high
        low, high = wilson(float(tight.mean()), 720)
        naive += low <= 2 / 3 <= high
    assert 0.92 <= covered / 400 <= 0.98
    assert naive / 400 < 0.8
