"""Fashion-MNIST for training (random crops, as tensors) and for the check (items of uint8 pixels)."""

import hashlib
from typing import Literal

import numpy as np
import torch
from torch.nn import functional

from dobrushin.capture import Image
from dobrushin.packaged.fashion_mnist import CLASSES, fashion_mnist

MEAN, STD = 0.286, 0.353  # of the training pictures' pixels in [0, 1]
CHANNELS = 3  # equal ones, as the adapter takes colour pictures


def load(part: Literal["train", "test"], count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The first ``count`` pictures, float32 in [0, 1] of shape (count, 1, 28, 28), and their labels, int64 (count,)."""
    pictures = fashion_mnist(part)
    pixels = torch.from_numpy(pictures.pixels[:count].astype(np.float32) / 255)
    return pixels[:, None], torch.from_numpy(pictures.labels[:count])


def fingerprint() -> dict[str, str]:
    """SHA-256 of all pixels and labels of each part."""
    found = {}
    for part in ("train", "test"):
        pictures = fashion_mnist(part)
        found[part] = hashlib.sha256(pictures.pixels.tobytes() + pictures.labels.tobytes()).hexdigest()
    return found


def normalised(pictures: torch.Tensor) -> torch.Tensor:
    """Shifted, scaled and given three channels, as the model expects them."""
    return ((pictures - MEAN) / STD).expand(-1, CHANNELS, -1, -1)


def random_crops(
    pictures: torch.Tensor, size: int, area: tuple[float, float], rng: np.random.Generator, *, jitter: float
) -> torch.Tensor:
    """One normalised crop of each picture, (count, 3, size, size).

    Args:
        pictures: (count, 1, height, width), in [0, 1].
        size: side of a crop in pixels.
        area: smallest and largest share of the picture; sides are 3:4 to 4:3, and half of the crops are mirrored.
        rng: everything random is drawn from it.
        jitter: contrast and brightness change by at most this share.
    """
    count = len(pictures)
    share = rng.uniform(*area, count)
    ratio = np.exp(rng.uniform(np.log(3 / 4), np.log(4 / 3), count))
    width, height = np.minimum(np.sqrt(share * ratio), 1), np.minimum(np.sqrt(share / ratio), 1)
    across, down = rng.uniform(-1, 1, count) * (1 - width), rng.uniform(-1, 1, count) * (1 - height)
    mirrored = rng.choice([-1.0, 1.0], count)
    zero = np.zeros(count)
    theta = np.array([[width * mirrored, zero, across], [zero, height, down]]).transpose(2, 0, 1)
    grid = functional.affine_grid(torch.from_numpy(theta.astype(np.float32)), [count, 1, size, size], False)
    crops = functional.grid_sample(pictures, grid, align_corners=False, padding_mode="border")
    contrast = torch.from_numpy(rng.uniform(1 - jitter, 1 + jitter, (count, 1, 1, 1)).astype(np.float32))
    brightness = torch.from_numpy(rng.uniform(-jitter, jitter, (count, 1, 1, 1)).astype(np.float32))
    return normalised((crops * contrast + brightness).clamp(0, 1))


def items(count: int) -> list[Image]:
    """The first test pictures as the check takes them."""
    pictures = fashion_mnist("test")
    pairs = zip(pictures.pixels[:count], pictures.labels[:count].tolist(), strict=True)
    return [
        Image(f"test {number} {CLASSES[label]}", np.repeat(grey[:, :, None], CHANNELS, axis=2))
        for number, (grey, label) in enumerate(pairs)
    ]
