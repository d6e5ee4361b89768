"""Vision transformers of ``transformers``: prefix tokens, then one token for each patch, row by row."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dobrushin.capture.adapter import Receive
from dobrushin.capture.attention_registry import attention_weights, family_of
from dobrushin.capture.inputs import Image, Item, ModelInput
from dobrushin.errors import InputError

IMAGENET_MEAN = (0.485, 0.456, 0.406)
IMAGENET_STD = (0.229, 0.224, 0.225)


def _registers(config: Any) -> tuple[str, ...]:
    return tuple(f"[REG{number}]" for number in range(config.num_register_tokens))


PREFIX: dict[str, Callable[[Any], tuple[str, ...]]] = {
    "clip_vision_model": lambda config: ("[CLS]",),  # noqa: ARG005
    "deit": lambda config: ("[CLS]", "[DIST]"),  # noqa: ARG005
    "dinov2": lambda config: ("[CLS]",),  # noqa: ARG005
    "dinov2_with_registers": lambda config: ("[CLS]", *_registers(config)),
    "dinov3_vit": lambda config: ("[CLS]", *_registers(config)),
    "vit": lambda config: ("[CLS]",),  # noqa: ARG005
}
"""For each ``model_type``: the tokens before the patches, as its configuration fixes them."""

_FIXED_SIZE = ("clip_vision_model", "deit", "vit")
"""Families that interpolate their position embeddings only when the call asks for it."""


class VisionTransformer:
    """A ``transformers`` vision transformer with the normalisation of its training.

    Args:
        model: in eval mode, of one of the families of :data:`PREFIX`, with any attention implementation,
            which is restored.
        mean: per channel, subtracted from pixels in [0, 1]; e.g. :data:`IMAGENET_MEAN`.
        std: per channel, divided by afterwards; e.g. :data:`IMAGENET_STD`.
        name: what results call the model; default: the name it was loaded by.

    Raises:
        InputError: the model is of another family.
    """

    def __init__(self, model: Any, *, mean: Sequence[float], std: Sequence[float], name: str = "") -> None:
        config = family_of(model, PREFIX, "vision transformer")
        self.model = model
        self.name = name or config.name_or_path or type(model).__name__
        self.layers = config.num_hidden_layers
        self.prefix = PREFIX[config.model_type](config)
        self.patch = _pair(config.patch_size)
        self._mean = np.asarray(mean, dtype=np.float32)
        self._std = np.asarray(std, dtype=np.float32)

    def prepare(self, item: Item) -> ModelInput:
        """Count the patches of an image, whose height and width have to be multiples of the patch size."""
        if not isinstance(item, Image):
            raise InputError(f"{self.name} takes images, but {item.id} is no image")
        height, width = item.pixels.shape[:2]
        rows, columns = height // self.patch[0], width // self.patch[1]
        if rows * columns == 0 or (rows * self.patch[0], columns * self.patch[1]) != (height, width):
            raise InputError(
                f"image {item.id} is {height}×{width} pixels, which is no whole number of the "
                f"{self.patch[0]}×{self.patch[1]} patches of {self.name}: crop or resize it"
            )
        patches = tuple(f"patch {row},{column}" for row in range(rows) for column in range(columns))
        labels = self.prefix + patches
        content = np.arange(len(labels)) >= len(self.prefix)
        return ModelInput(item.id, labels, content, {"pixels": item.pixels}, (rows, columns))

    def run(self, batch: Sequence[ModelInput], receive: Receive) -> None:
        """Run a batch of images of one size."""
        import torch

        pixels = self.pixel_values([prepared.features["pixels"] for prepared in batch])
        tensor = torch.from_numpy(pixels).to(device=self.model.device, dtype=self.model.dtype)
        arguments = self._size_arguments(pixels.shape[2:])
        with torch.inference_mode(), attention_weights(self.model, receive):
            self.model(tensor, **arguments, output_attentions=False, output_hidden_states=False)

    def pixel_values(self, images: Sequence[NDArray[Any]]) -> NDArray[np.float32]:
        """Normalised float32 (batch, 3, height, width) of uint8 images (height, width, 3)."""
        scaled = np.stack(images).astype(np.float32) / np.float32(255)
        return np.ascontiguousarray(((scaled - self._mean) / self._std).transpose(0, 3, 1, 2))

    def _size_arguments(self, size: tuple[int, ...]) -> dict[str, bool]:
        config = self.model.config
        if config.model_type in _FIXED_SIZE and tuple(size) != _pair(config.image_size):
            return {"interpolate_pos_encoding": True}
        return {}


def _pair(size: Any) -> tuple[int, int]:
    """(height, width) of a configuration's size, which may be one number for a square."""
    if isinstance(size, int):
        return size, size
    height, width = size
    return int(height), int(width)
