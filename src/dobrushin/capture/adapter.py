"""The interface that each model family fills: prepare items, and run a batch layer by layer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dobrushin.capture.inputs import Item, ModelInput


@dataclass(frozen=True, eq=False)
class LayerMaps:
    """One layer's weights with what has to be said about them.

    Attributes:
        weights: a tensor (batch, heads, n, n).
        counterfactual: token positions whose rows the model computes nothing from.
    """

    weights: Any
    counterfactual: tuple[int, ...] = ()


@dataclass(frozen=True)
class NoMap:
    """Why a layer has no square map of self-attention weights, e.g. that its attention is linear."""

    reason: str


Receive = Callable[[Any], None]
"""Called once per layer, in order, with a tensor (batch, heads, n, n), a :class:`LayerMaps` or a :class:`NoMap`."""


class Adapter(Protocol):
    """A model of one family, ready to be observed.

    Attributes:
        name: what results call the model.
        layers: how many attention maps one forward pass must yield.
    """

    name: str
    layers: int

    def prepare(self, item: Item) -> ModelInput:
        """Turn an item into a model's input; :class:`~dobrushin.errors.InputError` names the item."""

    def run(self, batch: Sequence[ModelInput], receive: Receive) -> None:
        """Run the model forward, without gradients; shorter inputs are padded on the right to the longest."""
