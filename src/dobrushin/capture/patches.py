"""Pictures as the tokens of a vision transformer: prefix tokens, then one token for each patch, row by row."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dobrushin.capture.inputs import Image, Item, ModelInput
from dobrushin.errors import InputError


def patch_tokens(item: Item, *, model: str, prefix: Sequence[str], patch: tuple[int, int]) -> ModelInput:
    """Count the patches of a picture, whose height and width have to be multiples of the patch size.

    Args:
        item: the picture.
        model: its name, for errors.
        prefix: labels of the tokens before the patches; these are no content.
        patch: (height, width) of a patch in pixels.

    Raises:
        InputError: the item is no picture, or its sides are no multiples.
    """
    if not isinstance(item, Image):
        raise InputError(f"{model} takes images, but {item.id} is no image")
    height, width = item.pixels.shape[:2]
    rows, columns = height // patch[0], width // patch[1]
    if rows * columns == 0 or (rows * patch[0], columns * patch[1]) != (height, width):
        raise InputError(
            f"image {item.id} is {height}×{width} pixels, which is no whole number of the "
            f"{patch[0]}×{patch[1]} patches of {model}: crop or resize it"
        )
    patches = (f"patch {row},{column}" for row in range(rows) for column in range(columns))
    labels = (*prefix, *patches)
    content = np.arange(len(labels)) >= len(prefix)
    return ModelInput(item.id, labels, content, {"pixels": item.pixels}, (rows, columns))


def normalised(images: Sequence[NDArray[Any]], mean: Sequence[float], std: Sequence[float]) -> NDArray[np.float32]:
    """float32 (batch, 3, height, width) of uint8 images (height, width, 3), scaled to [0, 1] and then normalised."""
    scaled = np.stack(images).astype(np.float32) / np.float32(255)
    centred = (scaled - np.asarray(mean, dtype=np.float32)) / np.asarray(std, dtype=np.float32)
    return np.ascontiguousarray(centred.transpose(0, 3, 1, 2))
