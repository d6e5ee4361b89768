"""The counts behind the questions why, on a survey of a few made-up rows; and the gate on residual weights."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dobrushin.errors import GateError
from dobrushin.experiments.surveys import Surveyed

WHY = Path(__file__).parents[2] / "experiments" / "why"


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The folder's modules have plain names, as scripts do: forget them afterwards."""
    monkeypatch.syspath_prepend(str(WHY))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if str(WHY) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def row(number: int, tight: bool | None, sides: tuple[float, float] = (1.0, 1.0), **more: Any) -> dict[str, Any]:
    return {"input": number, "input_id": f"text {number}", "layer": 0, "head": "mean", "tokens": "content",
            "tight": tight, "kappa": 0.5, "slack": 0.0 if tight else 0.03, "first_label": "a", "second_label": "b",
            "first_content": True, "second_content": True, "first_advantage": sides[0],
            "second_advantage": sides[1], **more}  # fmt: skip


def surveyed(*rows: dict[str, Any]) -> Surveyed:
    return Surveyed(Path(), list(rows), [])


def test_sides_and_slack_of_maps_that_are_not_tight() -> None:
    failing = importlib.import_module("failing")
    found = surveyed(
        row(0, True), row(1, False, (-1.0, 1.0)), row(2, False, (1.0, -1.0)), row(3, False, (-1.0, -1.0)),
        row(4, False, (-1.0, 2.0), second_content=False, second_label="[SEP]"), row(5, None),
    )  # fmt: skip
    (line,) = failing.failing_rows("m", found)
    assert (line["maps"], line["loose"], line["first_only"], line["second_only"], line["both"]) == (5, 4, 2, 1, 1)
    assert (line["special_in_pair"], line["most_common_pair"], line["most_common_share"]) == (1, "a – b", 0.8)
    assert line["relative_slack_q100"] == pytest.approx(0.03 / 0.75)
    assert "| m | content | 5 | 4 | 2 | 1 | 1 | 1 |" in failing.failing_table([line])


def test_tightness_that_changes_with_the_residual_weight_violates_the_theorem() -> None:
    weights = importlib.import_module("weights")
    half, most = surveyed(row(0, True), row(1, False)), surveyed(row(0, True), row(1, False))
    rows = weights.weight_rows("m", {"1/2": half, "9/10": most})
    assert [(line["alpha"], line["tight"]) for line in rows if line["maps"]] == [("1/2", 1), ("9/10", 1)]
    with pytest.raises(GateError, match="m, input text 1, layer 0: tightness changes with the residual weight"):
        weights.weight_rows("m", {"1/2": half, "9/10": surveyed(row(0, True), row(1, True))})
    with pytest.raises(GateError, match="input text 1"):
        weights.weight_rows("m", {"1/2": half, "9/10": surveyed(row(0, True))})


def test_heads_against_their_mean() -> None:
    heads = importlib.import_module("heads")
    mean = surveyed(row(0, True), row(1, False))
    each = surveyed(*(row(number, tight, head=str(head)) for number in (0, 1)
                      for head, tight in enumerate((True, False, False))))  # fmt: skip
    (line,) = heads.head_rows("m", mean, each)
    assert (line["heads"], line["single"], line["single_tight"], line["means"], line["means_tight"]) == (3, 6, 2, 2, 1)
    assert (line["minority"], line["minority_mean_tight"]) == (2, 1)


def test_the_chain_by_depth() -> None:
    chain = importlib.import_module("chain")
    rows = [{"tokens": "content", "depth": depth, "kappa_rollout_low": 0.1 / depth, "kappa_rollout_high": 0.1 / depth,
             "product_of_factors": 0.5**depth, "product_of_layers": 0.5**depth}
            for depth in (1, 2) for _ in range(3)]  # fmt: skip
    first, second = chain.chain_rows("m", Surveyed(Path(), [], rows))
    assert (first["depth"], second["depth"], second["inputs"], second["products_equal"]) == (1, 2, 3, 3)
    assert "| m | content | 2 | 5.00e-02 | 2.50e-01 | 2.50e-01 | 5.0 |" in chain.chain_table([first, second])
