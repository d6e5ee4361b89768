"""Variants by depth, and the order of convergence: 3 for attention alone, 1 with skips or relative positions."""

import math

import numpy as np
import pytest
from tests.collapse.conftest import Build, call, random_network, tokens

from dobrushin.collapse.extract import network_of, recorded_states
from dobrushin.collapse.network import FULL
from dobrushin.collapse.rates import depth_order, local_order, mean_of, ols
from dobrushin.collapse.trace import run
from dobrushin.collapse.variants import VARIANTS, by_depth
from dobrushin.errors import InputError


@pytest.mark.parametrize(
    ("variant", "order"), [("pure", 3), ("mlp", 3), ("norm", 3), ("paper's san", 3), ("skip", 1), ("all", 1)]
)
@pytest.mark.parametrize("pre_norm", [False, True])
def test_local_orders(variant: str, order: int, pre_norm: bool) -> None:
    network = random_network(0, pre_norm=pre_norm)
    found = local_order(network, tokens(0), 1, VARIANTS[variant])
    assert found.value == pytest.approx(order, abs=0.05)


def test_relative_positions_keep_the_order_at_one(tiny: Build) -> None:
    """Tokens that are all but equal still attend by position, so each layer contracts by a factor only."""
    model = tiny("xlnet")
    with recorded_states(model) as states:
        call(model, "xlnet")
    network = network_of(model)
    assert local_order(network, states[0], 0, VARIANTS["pure"]).value == pytest.approx(1, abs=0.05)
    assert all(math.isfinite(row.relative) for row in by_depth(network, states[0], "pure"))


def test_by_depth() -> None:
    network, X = random_network(1, layers=4), tokens(1)
    for variant in VARIANTS:
        rows = by_depth(network, X, variant)
        assert [row.depth for row in rows] == list(range(5))
        for row in rows:
            assert row.lower <= row.relative + 1e-9
            assert row.relative <= min(row.median, row.mean) + 1e-9
            assert row.without_root == 2 * row.mean
    assert by_depth(network, X, "pure")[-1].relative < -16
    assert by_depth(network, X, "skip")[-1].relative > -3


def test_the_variants_start_alike_and_the_last_is_the_model() -> None:
    network, X = random_network(2), tokens(2)
    rows = {variant: by_depth(network, X, variant) for variant in VARIANTS}
    assert len({round(found[0].mean, 9) for found in rows.values()}) == 1
    state = run(network, X, FULL).states[-1]
    size = np.sqrt(np.abs(state - state.mean(0)).sum(0).max() * np.abs(state - state.mean(0)).sum(1).max())
    whole = np.sqrt(np.abs(state).sum(0).max() * np.abs(state).sum(1).max())
    assert rows["all"][-1].mean == pytest.approx(math.log10(size / whole))


def test_one_token_is_collapsed_from_the_start() -> None:
    for variant in VARIANTS:
        assert all(row.relative == -math.inf for row in by_depth(random_network(0), tokens(0, n=1), variant))


def test_fits() -> None:
    assert ols([(0, 0), (1, 3), (2, 6.3), (3, 9)]).error > 0
    assert math.isnan(ols([(0, 0), (1, 3)]).error)
    pairs = [[(x, 3 * x + noise) for x in range(4)] for noise in (-0.1, 0.0, 0.1)]
    fitted = depth_order(pairs)
    assert fitted.value == pytest.approx(3)
    assert fitted.count == 3
    assert mean_of([1.0, 3.0]).error == pytest.approx(1)
    with pytest.raises(InputError, match="two points"):
        ols([(1.0, 2.0), (1.0, 3.0)])
    with pytest.raises(InputError, match="no slopes"):
        mean_of([])


def test_what_has_no_rate_is_refused() -> None:
    network = random_network(0)
    with pytest.raises(InputError, match="equal"):
        local_order(network, np.ones((3, 5)), 0, VARIANTS["pure"])
    with pytest.raises(InputError, match="layer 7"):
        local_order(network, tokens(0), 7, VARIANTS["pure"])
    with pytest.raises(InputError, match="pure, skip, mlp"):
        by_depth(network, tokens(0), "attention")
