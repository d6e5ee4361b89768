"""Fashion-MNIST for training (random crops, as tensors) and for surveys (items of uint8 pixels)."""

import numpy as np
import torch
from torch.nn import functional

from dobrushin.capture import Image
from dobrushin.packaged.fashion_mnist import CLASSES, fashion_mnist

MEAN, STD = 0.286, 0.353  # of the training pictures, in [0, 1]


def load(part: str, count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The first ``count`` pictures, float32 in [0, 1] of shape (count, 1, 28, 28), and their labels."""
    pictures = fashion_mnist(part)
    pixels = torch.from_numpy(pictures.pixels[:count].astype(np.float32) / 255)
    return pixels[:, None], torch.from_numpy(pictures.labels[:count])


def normalised(pictures: torch.Tensor) -> torch.Tensor:
    """Three equal channels, shifted and scaled as the model expects."""
    return ((pictures - MEAN) / STD).expand(-1, 3, -1, -1)


def whole(pictures: torch.Tensor, size: int) -> torch.Tensor:
    """Uncropped pictures at another size, rounded to 8 bits as the survey's are."""
    resized = functional.interpolate(pictures, size=(size, size), mode="bilinear", align_corners=False)
    return (resized * 255).round().clamp(0, 255) / 255


def random_crops(
    pictures: torch.Tensor, size: int, scale: tuple[float, float], rng: np.random.Generator, *, jitter: float = 0.0
) -> torch.Tensor:
    """One crop of each picture: its area a share in ``scale``, its sides 3:4 to 4:3, mirrored half of the time.

    ``jitter`` changes contrast and brightness by at most that share.
    """
    count = len(pictures)
    area = rng.uniform(*scale, count)
    ratio = np.exp(rng.uniform(np.log(3 / 4), np.log(4 / 3), count))
    width = np.minimum(np.sqrt(area * ratio), 1)
    height = np.minimum(np.sqrt(area / ratio), 1)
    across = rng.uniform(-1, 1, count) * (1 - width)
    down = rng.uniform(-1, 1, count) * (1 - height)
    mirrored = rng.choice([-1.0, 1.0], count)
    zero = np.zeros(count)
    theta = np.array([[width * mirrored, zero, across], [zero, height, down]]).transpose(2, 0, 1)
    grid = functional.affine_grid(torch.from_numpy(theta.astype(np.float32)), (count, 1, size, size), False)
    crops = functional.grid_sample(pictures, grid, align_corners=False, padding_mode="border")
    if jitter:
        gain = torch.from_numpy(rng.uniform(1 - jitter, 1 + jitter, (count, 1, 1, 1)).astype(np.float32))
        shift = torch.from_numpy(rng.uniform(-jitter, jitter, (count, 1, 1, 1)).astype(np.float32))
        crops = (crops * gain + shift).clamp(0, 1)
    return crops


def items(count: int, size: int) -> list[Image]:
    """The first test pictures as a survey takes them."""
    pictures, labels = load("test", count)
    pixels = (whole(pictures, size) * 255).round().to(torch.uint8)[:, 0].numpy()
    return [
        Image(f"test {number} {CLASSES[label]}", np.repeat(grey[:, :, None], 3, axis=2))
        for number, (grey, label) in enumerate(zip(pixels, labels.tolist(), strict=True))
    ]
