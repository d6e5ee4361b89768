"""Real photographs: those inside the scikit-image and scikit-learn packages, several crops of each."""

from importlib.util import find_spec
from itertools import islice, product
from pathlib import Path
from typing import Any

from dobrushin.capture.images import open_picture, square
from dobrushin.capture.inputs import Image
from dobrushin.errors import IncompleteError, InputError

PHOTOGRAPHS = {
    "astronaut": ("skimage", "data/astronaut.png"),
    "chelsea": ("skimage", "data/chelsea.png"),
    "china": ("sklearn", "datasets/images/china.jpg"),
    "coffee": ("skimage", "data/coffee.png"),
    "flower": ("sklearn", "datasets/images/flower.jpg"),
    "hubble_deep_field": ("skimage", "data/hubble_deep_field.jpg"),
    "motorcycle": ("skimage", "data/motorcycle_left.png"),
    "retina": ("skimage", "data/retina.jpg"),
    "rocket": ("skimage", "data/rocket.jpg"),
}
"""Every colour photograph of the two packages, once: (package, path within it).

Left out are drawings and test patterns, greyscale pictures and textures, stained tissue, and the right half
of the motorcycle's stereo pair, which is all but the same picture as the left one.
"""

_DISTRIBUTIONS = {"skimage": "scikit-image", "sklearn": "scikit-learn"}

CROPS = (
    (1.0, 0.5, 0.5),
    (0.75, 0.0, 0.0),
    (0.75, 0.0, 1.0),
    (0.75, 1.0, 0.0),
    (0.75, 1.0, 1.0),
    (0.75, 0.5, 0.5),
    (0.6, 0.25, 0.25),
    (0.6, 0.75, 0.75),
)
"""Square crops: side as a share of the shorter side, and how far down and right it lies (0 to 1)."""

AVAILABLE = len(PHOTOGRAPHS) * len(CROPS)


def photographs(count: int = AVAILABLE, *, size: int = 224) -> list[Image]:
    """The first ``count`` crops, each resized to ``size``×``size`` pixels.

    First comes one crop of every photograph, then the next one of every photograph, and so on.

    Raises:
        InputError: more crops are asked for than there are, or none.
        IncompleteError: one of the two packages is not installed.
    """
    if not 1 <= count <= AVAILABLE:
        raise InputError(f"{count} photographs were asked for, but there are 1 to {AVAILABLE} crops")
    pictures = {name: open_picture(_path(*where)) for name, where in PHOTOGRAPHS.items()}
    wanted = islice(product(range(len(CROPS)), pictures), count)
    return [
        Image(f"{name} crop {crop}", square(pictures[name], size, _box(pictures[name], *CROPS[crop])))
        for crop, name in wanted
    ]


def _box(picture: Any, share: float, down: float, right: float) -> tuple[int, int, int, int]:
    side = int(min(picture.size) * share)
    left, top = int((picture.width - side) * right), int((picture.height - side) * down)
    return left, top, left + side, top + side


def _path(package: str, relative: str) -> Path:
    """A file of an installed package, found without importing it."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise IncompleteError(
            f"the photographs inside {_DISTRIBUTIONS[package]} are not here: "
            "install dobrushin[demo], or name a folder of images"
        )
    return Path(spec.submodule_search_locations[0]) / relative
