"""Figures by layer of a model's maps."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch

from dobrushin.capture import Item, LayerMaps, ModelInput, Text
from dobrushin.experiments.measure import as_rows, by_layer, verdicts_of

SWAP = [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
IDENTITY = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


class TwoLayers:
    """The identity, then a map that is never tight; the last row of the second layer is counterfactual."""

    name, layers = "two layers", 2

    def prepare(self, item: Item) -> ModelInput:
        return ModelInput(item.id, ("[CLS]", "a", "b"), np.array([False, True, True]), {"x": np.zeros(1)})

    def run(self, batch: Sequence[ModelInput], receive: Any) -> None:
        for maps, counterfactual in ((IDENTITY, ()), (SWAP, (2,))):
            receive(LayerMaps(torch.tensor([[maps, maps]] * len(batch)), counterfactual))


def test_figures_by_layer() -> None:
    found = verdicts_of(TwoLayers(), [Text("1", "x"), Text("2", "y")], tokens=("all",))
    first, second = by_layer(found)
    assert (first.layer, first.tokens, first.n, first.maps, first.tight, first.share) == (0, "all", 3, 2, 2, 1.0)
    assert (first.pair, first.pair_share) == ("[CLS] – a", 1.0)
    assert (first.slack, first.largest_slack, first.counterfactual) == (0.0, 0.0, False)
    assert (second.tight, second.one_side + second.both_sides, second.counterfactual) == (0, 2, True)
    assert second.slack == second.largest_slack > 0
    assert [row["seed"] for row in as_rows(found, seed=3)] == [3, 3]


def test_rows_that_no_content_token_uses_are_not_counterfactual() -> None:
    class ClassRowOnly(TwoLayers):
        def run(self, batch: Sequence[ModelInput], receive: Any) -> None:
            for _ in range(2):
                receive(LayerMaps(torch.tensor([[IDENTITY]] * len(batch)), (0,)))

    found = verdicts_of(ClassRowOnly(), [Text("1", "x")])
    assert {(one.tokens, one.counterfactual) for one in found} == {("content", False), ("all", True)}


@pytest.mark.parametrize("tokens", [("content",), ("content", "all")])
def test_a_single_content_token_has_no_pair(tokens: tuple[Any, ...]) -> None:
    class OneWord(TwoLayers):
        def prepare(self, item: Item) -> ModelInput:
            return ModelInput(item.id, ("[CLS]", "a", "b"), np.array([False, True, False]), {"x": np.zeros(1)})

    found = verdicts_of(OneWord(), [Text("1", "x")], tokens=tokens)
    assert {one.tokens for one in found} == set(tokens) - {"content"}
