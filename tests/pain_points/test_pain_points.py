"""Items of the table that no other test holds."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dobrushin import InputError, check, head_mean, kappa, rollout

ROOT = Path(__file__).parents[2]


def pinned_transformers(name: str) -> str:
    """The release of transformers that a file of requirements pins."""
    lines = (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in lines if line.startswith("transformers==")]
    return line.split()[0].partition("==")[2]


def test_3_the_oldest_and_the_newest_transformers_are_tested() -> None:
    """Item 3: extraction broke between releases. Both ends of what is promised are tested, and the README says so."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    (promised,) = [entry.partition(">=")[2] for entry in extras["models"] if entry.startswith("transformers")]
    oldest, newest = pinned_transformers("oldest.txt"), pinned_transformers("lock.txt")
    assert promised == oldest
    assert pinned_transformers("timm.txt") == newest
    assert [int(part) for part in oldest.split(".")] < [int(part) for part in newest.split(".")]
    gates = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert {"make test", "make test-versions"} <= set(gates)
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert (
        f"transformers {newest} (`make test`) and with {oldest}, the oldest supported (`make test-versions`)" in readme
    )


@settings(max_examples=40)
@given(st.integers(1, 12), st.integers(1, 9), st.floats(0.01, 8.0), st.integers(0, 10**6))
def test_7_every_row_of_a_rollout_sums_to_one(depth: int, n: int, scale: float, seed: int) -> None:
    """Item 7: a division without keepdim left row sums off by up to 0.27."""
    logits = np.random.default_rng(seed).normal(scale=scale, size=(depth, n, n))
    maps = np.exp(logits - logits.max(-1, keepdims=True))
    maps /= maps.sum(-1, keepdims=True)
    assert np.abs(rollout(maps).sum(axis=1) - 1).max() <= 1e-12


@pytest.mark.parametrize(
    ("row", "message"), [(np.nan, r"row 1"), (0.0, r"row 1"), (-0.5, r"row 1"), (np.inf, r"row 1")]
)
def test_18_rows_that_are_no_distribution_are_named(row: float, message: str) -> None:
    """Item 18: fully masked rows come as NaN, or as zeros."""
    heads = np.full((2, 3, 3), 1 / 3)
    heads[1, 1] = row
    with pytest.raises(InputError, match=message) as caught:
        head_mean(heads, name="layer 4")
    assert "layer 4, head 1" in str(caught.value)


def test_20_identical_rows_have_distance_exactly_zero() -> None:
    """Item 20: cdist with p = 2 gave 8.6e-5 on the diagonal."""
    row = np.random.default_rng(0).dirichlet(np.ones(300)).astype(np.float32)
    assert kappa(np.tile(row, (300, 1))) == 0.0


def test_25_maximum_fusion_is_refused() -> None:
    """Item 25: heads fused by their maximum have row sums of 5 to 7."""
    heads = np.random.default_rng(0).dirichlet(np.full(6, 0.1), size=(8, 6))
    with pytest.raises(InputError, match="sum"):
        check(heads.max(axis=0))


def test_31_the_profile_of_continuous_integration_is_the_same_every_time() -> None:
    """Item 31: deadlines made tests fail by chance."""
    profile = settings.get_profile("ci")
    assert profile.deadline is None
    assert profile.derandomize
    assert profile.print_blob
