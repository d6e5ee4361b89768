"""Fashion-MNIST (Xiao, Rasul & Vollgraf 2017) of Debian's dataset-fashion-mnist: 28×28 grey pictures of ten classes."""

import gzip
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dobrushin.errors import InputError
from dobrushin.packaged.debian import DebianData, data_folder

DATA = DebianData("dataset-fashion-mnist", "usr/share/datasets/fashion-mnist", "run this experiment on a Debian system")

CLASSES = ("T-shirt", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot")


@dataclass(frozen=True, eq=False)
class Pictures:
    """``pixels`` is uint8 of shape (N, 28, 28), ``labels`` int64 of shape (N,), indices of :data:`CLASSES`."""

    pixels: NDArray[np.uint8]
    labels: NDArray[np.int64]


def fashion_mnist(part: Literal["train", "test"]) -> Pictures:
    """The 60,000 training or the 10,000 test pictures.

    Raises:
        FetchError: the package is neither installed nor can it be fetched.
        InputError: a file is damaged.
    """
    prefix = {"train": "train", "test": "t10k"}[part]
    folder = data_folder(DATA)
    pixels = read_idx(folder / f"{prefix}-images-idx3-ubyte.gz")
    labels = read_idx(folder / f"{prefix}-labels-idx1-ubyte.gz")
    if pixels.ndim != 3 or labels.shape != (len(pixels),):
        raise InputError(f"{folder} holds {pixels.shape} pictures and {labels.shape} labels, which do not go together")
    return Pictures(pixels, labels.astype(np.int64))


def read_idx(path: Path) -> NDArray[np.uint8]:
    """An array of unsigned bytes in the gzipped idx format: 0, 0, type 8, number of axes, lengths, data."""
    try:
        with gzip.open(path) as stream:
            content = stream.read()
        zero, kind, axes = struct.unpack_from(">HBB", content)
        shape = struct.unpack_from(f">{axes}I", content, 4)
        if (zero, kind) != (0, 8):
            raise ValueError(f"type {kind}, but unsigned bytes (8) are needed")
        return np.frombuffer(content, np.uint8, offset=4 + 4 * axes).reshape(shape)
    except (OSError, EOFError, ValueError, struct.error) as error:
        raise InputError(f"{path} can not be read as idx data: {error}") from error
