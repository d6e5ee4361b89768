"""Pictures in files, or inside resource files, read one at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import overload

from dobrushin.capture.images import SUFFIXES, open_picture, square
from dobrushin.capture.inputs import Image
from dobrushin.errors import InputError

DEFAULT_SIZE = 224
"""Side in pixels: what most vision transformers were trained on, and a multiple of 14 and of 16."""


@dataclass(frozen=True)
class PictureSource:
    """Where a picture is: ``path``, and within it ``resource`` when that is a Qt resource file."""

    id: str
    path: Path
    resource: str | None = None

    def read(self) -> bytes:
        """The encoded picture."""
        if self.resource is not None:
            from dobrushin.packaged.qres import resource_file

            return resource_file(self.path).read(self.resource)
        try:
            return self.path.read_bytes()
        except OSError as error:
            raise InputError(f"{self.path} can not be read: {error.strerror or error}") from error

    @property
    def name(self) -> Path:
        """What messages call it."""
        return self.path if self.resource is None else self.path / Path(self.resource).name


class PictureFiles(Sequence[Image]):
    """Pictures that are decoded, cut to their central square and resized when they are asked for.

    It holds paths only, so it is small to send to another process.
    """

    def __init__(self, sources: Sequence[PictureSource], *, size: int) -> None:
        self.sources = tuple(sources)
        self.size = size

    def __len__(self) -> int:
        return len(self.sources)

    @overload
    def __getitem__(self, index: int) -> Image: ...
    @overload
    def __getitem__(self, index: slice) -> "PictureFiles": ...
    def __getitem__(self, index: int | slice) -> "Image | PictureFiles":
        if isinstance(index, slice):
            return PictureFiles(self.sources[index], size=self.size)
        source = self.sources[index]
        return Image(source.id, square(open_picture(source.name, source.read()), self.size))

    def at(self, positions: Sequence[int]) -> "PictureFiles":
        """The pictures at these positions."""
        return PictureFiles([self.sources[position] for position in positions], size=self.size)


def pictures_in_folder(path: Path, *, size: int = DEFAULT_SIZE) -> PictureFiles:
    """All images below a folder in the order of their paths, or the one image that ``path`` is.

    Raises:
        InputError: there is no image; later, on reading, a file is no readable image.
    """
    if path.is_file():
        return PictureFiles([PictureSource(path.name, path)], size=size)
    found = sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
    if not found:
        raise InputError(f"{path} holds no image: files ending in {', '.join(SUFFIXES)} are looked for")
    return PictureFiles([PictureSource(file.relative_to(path).as_posix(), file) for file in found], size=size)


def pictures_of_gcompris(size: int = DEFAULT_SIZE) -> PictureFiles:
    """The photographs of Debian's gcompris-qt-data; :class:`~dobrushin.errors.FetchError` when they can not be had."""
    from dobrushin.packaged.gcompris import photograph_files

    return PictureFiles([PictureSource(*entry) for entry in photograph_files()], size=size)
