"""What goes into a model, and what the rest of the project needs to know about it.

An item is a :class:`Text`, an :class:`Image` or a :class:`Row` of a table.  An adapter prepares it once into a
:class:`ModelInput`, which names each token and says which tokens are content: image patches, words and features,
but no cls, register, distillation, separator or padding token.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dobrushin.errors import InputError
from dobrushin.matrix import Precision


@dataclass(frozen=True)
class Text:
    """A piece of text: ``id`` names it in results, ``text`` is what the tokenizer gets."""

    id: str
    text: str


@dataclass(frozen=True, eq=False)
class Image:
    """A picture: ``pixels`` is uint8 of shape (height, width, 3), red, green, blue."""

    id: str
    pixels: NDArray[np.uint8]

    def __post_init__(self) -> None:
        if self.pixels.dtype != np.uint8 or self.pixels.ndim != 3 or self.pixels.shape[2] != 3:
            raise InputError(
                f"image {self.id}: pixels are {self.pixels.dtype} of shape {self.pixels.shape}, "
                "but uint8 of shape (height, width, 3) is needed"
            )


@dataclass(frozen=True, eq=False)
class Row:
    """A row of a table: ``values`` holds a number or a category (text) for each column."""

    id: str
    values: Mapping[str, float | str]


Item = Text | Image | Row


@dataclass(frozen=True, eq=False)
class ModelInput:
    """One prepared input of n tokens.

    Attributes:
        id: names the input in results and errors.
        labels: the n tokens as text: the token strings, or ``"patch r,c"`` for images.
        content: bool of shape (n,), True for content tokens.
        features: the model's arguments without the batch dimension, as the adapter that prepared it expects.
        grid: (rows, columns) of the patches, for images.
    """

    id: str
    labels: tuple[str, ...]
    content: NDArray[np.bool_]
    features: Mapping[str, NDArray[np.generic]] = field(repr=False)
    grid: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.content.dtype != np.bool_ or self.content.shape != (len(self.labels),):
            raise InputError(
                f"input {self.id} has {len(self.labels)} token labels, but its content mask is "
                f"{self.content.dtype} of shape {self.content.shape}"
            )
        if odd := [label for label in self.labels if not isinstance(label, str)]:
            raise InputError(f"input {self.id} has the token label {odd[0]!r}, which is no text: write str(label)")

    @property
    def n(self) -> int:
        """The number of tokens."""
        return len(self.labels)


@dataclass(frozen=True, eq=False)
class LayerAttention:
    """The attention of one input in one layer.

    Attributes:
        layer: counted by calls from 0 (a module shared by several layers counts several times).
        values: (heads, n, n), the weights the model used, padding trimmed; an own copy, safe to keep.
        dtype: the precision that the model computed in; for bfloat16, ``values`` hold the same numbers as float32.
        input: the prepared input, with its token labels and content mask.
        index: the position of the input among those given.
        counterfactual: token positions whose rows the model never uses, so that its output does not depend on them;
            they are what the layer would compute.
    """

    layer: int
    values: NDArray[np.floating]
    dtype: Precision
    input: ModelInput
    index: int
    counterfactual: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class SkippedLayer:
    """A layer of one input that has no square map of self-attention weights, and why.

    Attributes:
        layer: counted as in :class:`LayerAttention`.
        reason: a sentence without a full stop, e.g. ``linear attention: there are no weights``.
        input: the prepared input.
        index: the position of the input among those given.
    """

    layer: int
    reason: str
    input: ModelInput
    index: int
