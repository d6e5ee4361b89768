"""Files inside a compiled Qt resource file (``.rcc``): the format ``qres``, versions 1 to 3.

All numbers are big-endian.  The header gives the offsets of a tree of nodes (14 bytes each, 22 with a modification
time from version 2 on), of the data, and of the names (UTF-16).
"""

import struct
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from dobrushin.errors import InputError

_COMPRESSED, _DIRECTORY, _ZSTD = 1, 2, 4


@lru_cache(maxsize=8)
def resource_file(path: Path) -> "ResourceFile":
    """The parsed file; the last few are kept."""
    return ResourceFile(path)


class ResourceFile:
    """A resource file: the names of its files, and their content.

    Raises:
        InputError: the file can not be read, or is no Qt resource file of a known version.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._bytes = path.read_bytes()
            if self._bytes[:4] != b"qres":
                raise ValueError("it does not begin with qres")
            version, self._tree, self._data, self._names = struct.unpack_from(">4I", self._bytes, 4)
            if not 1 <= version <= 3:
                raise ValueError(f"version {version} is not known")
            self._node_size = 14 if version == 1 else 22
            self._entries = dict(self._walk(0, ""))
        except OSError as error:
            raise InputError(f"{path} can not be read: {error.strerror or error}") from error
        except (ValueError, struct.error) as error:
            raise InputError(f"{path} is no Qt resource file that can be read: {error}") from error

    @property
    def names(self) -> list[str]:
        """The paths of all files inside, without a leading slash, in the order of the tree."""
        return list(self._entries)

    def read(self, name: str) -> bytes:
        """The content of a file; :class:`InputError` when there is none of that name, or it is damaged."""
        if name not in self._entries:
            raise InputError(f"{self._path} holds no file {name}")
        offset, flags = self._entries[name]
        try:
            (length,) = struct.unpack_from(">I", self._bytes, self._data + offset)
            start = self._data + offset + 4
            content = self._bytes[start : start + length]
            if len(content) < length:
                raise ValueError("it is cut off")
            if flags & _ZSTD:
                raise ValueError("it is compressed with zstd")
            # Qt puts the length before the zlib stream.
            return zlib.decompress(content[4:]) if flags & _COMPRESSED else content
        except (ValueError, struct.error, zlib.error) as error:
            raise InputError(f"{self._path}, file {name}: {error}") from error

    def _walk(self, index: int, prefix: str) -> Iterator[tuple[str, tuple[int, int]]]:
        """(path, (offset of the data, flags)) of every file below a node; the root is node 0 and has no name."""
        at = self._tree + index * self._node_size
        name_at, flags = struct.unpack_from(">IH", self._bytes, at)
        path = f"{prefix}/{self._name(name_at)}".lstrip("/") if index else ""
        if not flags & _DIRECTORY:
            yield path, (struct.unpack_from(">I", self._bytes, at + 10)[0], flags)
            return
        count, first = struct.unpack_from(">II", self._bytes, at + 6)
        if first <= index:
            raise ValueError("its tree has a cycle")
        for child in range(first, first + count):
            yield from self._walk(child, path)

    def _name(self, offset: int) -> str:
        at = self._names + offset
        (length,) = struct.unpack_from(">H", self._bytes, at)
        return self._bytes[at + 6 : at + 6 + 2 * length].decode("utf-16-be")
