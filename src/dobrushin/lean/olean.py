"""Read a compiled Lean module (``.olean``): the declarations as the kernel accepted them.

What a file *prints* can be dressed up with notation and macros; what its ``.olean`` holds are the kernel's own
terms.  The format (Lean 4.35, version 2): a header of 96 bytes with the address that the pointers are relative
to and the root object, then objects in dependency order.  An object is 8 bytes of header (the last two: number
of pointers, tag) and its fields; an odd pointer is a small number or a constant constructor.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

from dobrushin.errors import IncompleteError

_HEADER = struct.Struct("<5sBB33s40sQQ")
_ARRAY, _STRING, _BIG = 246, 249, 250
_FIRST_OBJECT = 8


@dataclass(frozen=True)
class Ctor:
    """A constructor object: its tag and its pointers; ``at`` locates its scalar fields."""

    tag: int
    fields: tuple[int, ...]
    at: int


class Olean:
    """The objects of one file, decoded on demand; a pointer is an ``int``."""

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes()
        self._names: dict[int, tuple[str | int, ...]] = {}
        if len(self._data) < _HEADER.size or not self._data.startswith(b"olean\x02"):
            raise IncompleteError(f"{path.name} is not a compiled module of the format that Lean 4.35 writes")
        header = _HEADER.unpack_from(self._data)
        self._base, self.root = int(header[-2]), int(header[-1])

    def _at(self, pointer: int) -> int:
        offset = pointer - self._base
        if pointer & 1 or not _HEADER.size - _FIRST_OBJECT <= offset < len(self._data):
            raise IncompleteError("a compiled module points outside itself; build it again")
        return offset

    def tag(self, pointer: int) -> int:
        """The constructor's number, also of a constant constructor."""
        return pointer >> 1 if pointer & 1 else self._data[self._at(pointer) + 7]

    def ctor(self, pointer: int) -> Ctor:
        """A constructor object."""
        if pointer & 1:
            return Ctor(pointer >> 1, (), -1)
        at = self._at(pointer)
        count, tag = self._data[at + 6], self._data[at + 7]
        return Ctor(tag, struct.unpack_from(f"<{count}Q", self._data, at + _FIRST_OBJECT), at)

    def scalar(self, ctor: Ctor, index: int) -> int:
        """Byte ``index`` of the scalar fields."""
        return self._data[ctor.at + _FIRST_OBJECT + 8 * len(ctor.fields) + index]

    def array(self, pointer: int) -> tuple[int, ...]:
        """The elements of an ``Array``."""
        at = self._at(pointer)
        if self._data[at + 7] != _ARRAY:
            raise IncompleteError("a compiled module does not hold an array where one is due")
        (count,) = struct.unpack_from("<Q", self._data, at + 8)
        return struct.unpack_from(f"<{count}Q", self._data, at + 24)

    def list(self, pointer: int) -> list[int]:
        """The elements of a ``List``."""
        elements = []
        while not pointer & 1:
            head, pointer = self.ctor(pointer).fields
            elements.append(head)
        return elements

    def string(self, pointer: int) -> str:
        """A ``String``."""
        at = self._at(pointer)
        (size,) = struct.unpack_from("<Q", self._data, at + 8)
        return self._data[at + 32 : at + 32 + size - 1].decode("utf-8")

    def nat(self, pointer: int) -> int:
        """A ``Nat`` of any size."""
        if pointer & 1:
            return pointer >> 1
        at = self._at(pointer)
        if self._data[at + 7] != _BIG:
            raise IncompleteError("a compiled module does not hold a number where one is due")
        _, limbs, digits = struct.unpack_from("<iiQ", self._data, at + 8)
        start = self._at(digits)
        return int.from_bytes(self._data[start : start + 8 * abs(limbs)], "little")

    def name(self, pointer: int) -> tuple[str | int, ...]:
        """A ``Name`` as its components."""
        if pointer & 1:
            return ()
        known = self._names.get(pointer)
        if known is None:
            ctor = self.ctor(pointer)
            parent, last = ctor.fields
            part = self.string(last) if ctor.tag == 1 else self.nat(last)
            known = self._names[pointer] = (*self.name(parent), part)
        return known
