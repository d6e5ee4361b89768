"""Pictures from files: opened as they are meant to be seen, and fitted to a square that a model can take."""

import io
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from dobrushin.capture.inputs import Image
from dobrushin.errors import IncompleteError, InputError

SUFFIXES = (".bmp", ".gif", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp")
"""File names that count as images; other files of a folder are left alone."""


def images_from_folder(folder: str | Path, *, size: int = 224) -> "ImageFolder":
    """All images below a folder, in the order of their paths.

    Each is read when it is asked for, cut to its central square and resized to ``size``×``size`` pixels.

    Raises:
        InputError: the folder does not exist, is a file, or holds no image; later, on reading, a file is no
            readable image.
    """
    root = Path(folder)
    if not root.is_dir():
        raise InputError(f"{root} is {'not a folder' if root.exists() else 'missing'}: name a folder of images")
    paths = sorted(path for path in root.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
    if not paths:
        raise InputError(f"{root} holds no image: files ending in {', '.join(SUFFIXES)} are looked for")
    return ImageFolder(root, paths, size)


class ImageFolder(Sequence[Image]):
    """The images of a folder, read one at a time; the id of an image is its path within the folder."""

    def __init__(self, root: Path, paths: Sequence[Path], size: int) -> None:
        self._root = root
        self._paths = paths
        self._size = size

    def __len__(self) -> int:
        return len(self._paths)

    @overload
    def __getitem__(self, index: int) -> Image: ...
    @overload
    def __getitem__(self, index: slice) -> "ImageFolder": ...
    def __getitem__(self, index: int | slice) -> "Image | ImageFolder":
        if isinstance(index, slice):
            return ImageFolder(self._root, self._paths[index], self._size)
        path = self._paths[index]
        picture = open_picture(path)
        return Image(path.relative_to(self._root).as_posix(), square(picture, self._size))


def open_picture(path: Path, content: bytes | None = None) -> Any:
    """A file as an RGB Pillow image, turned upright as its EXIF orientation says; transparency is dropped.

    ``content`` is what is read instead of the file, for pictures inside other files; ``path`` then only names it.

    Raises:
        InputError: the file is missing, damaged, too large for Pillow, of more than 8 bits a channel, or no
            image.
    """
    try:
        from PIL import Image as Pillow
        from PIL import ImageOps, UnidentifiedImageError
    except ModuleNotFoundError as error:
        raise IncompleteError("pillow is not installed, which reads images: install dobrushin[models]") from error
    try:
        source = path if content is None else io.BytesIO(content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of large pictures, and of metadata that are not used
            with Pillow.open(source) as picture:
                if picture.mode.startswith(("I", "F")):
                    # Pillow would clip these to white instead of scaling them.
                    raise ValueError(f"its pixels have more than 8 bits, mode {picture.mode}")
                return ImageOps.exif_transpose(picture).convert("RGB")
    except (OSError, ValueError, SyntaxError, Pillow.DecompressionBombError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, UnidentifiedImageError):  # its own words tell where the bytes are in memory
            reason = "its format is not known"
        raise InputError(f"{path} can not be read as an image ({reason}): repair, convert or remove it") from error


def square(picture: Any, size: int, box: tuple[int, int, int, int] | None = None) -> NDArray[np.uint8]:
    """The largest centred square, or the square ``box`` (left, top, right, bottom), resized (bicubic).

    Returns:
        uint8 of shape (size, size, 3).
    """
    from PIL import Image as Pillow

    if box is None:
        side = min(picture.size)
        left, top = (picture.width - side) // 2, (picture.height - side) // 2
        box = (left, top, left + side, top + side)
    resized = picture.resize((size, size), Pillow.Resampling.BICUBIC, box=box)
    return np.asarray(resized, dtype=np.uint8)
