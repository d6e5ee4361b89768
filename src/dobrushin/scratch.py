"""Large arrays that are used again from one map to the next.

The system hands out memory page by page, which for a map of 257 tokens takes longer than all arithmetic on it.
Arrays taken here inside ``with reused():`` are good until the end of the block; everywhere else they are new.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from dobrushin.exact import Floats


class _Buffers(threading.local):
    """The calling thread's buffers, by purpose."""

    def __init__(self) -> None:
        self.in_use = False
        self.by_purpose: dict[str, Floats] = {}


_buffers = _Buffers()


@contextmanager
def reused() -> Iterator[None]:
    """Inside, :func:`empty` hands out this thread's buffers, each to one array at a time."""
    before, _buffers.in_use = _buffers.in_use, True
    try:
        yield
    finally:
        _buffers.in_use = before


def empty(shape: tuple[int, ...], purpose: str) -> Floats:
    """A float64 array of this shape, C-contiguous, with anything in it."""
    if not _buffers.in_use:
        return np.empty(shape)
    size = int(np.prod(shape))
    buffer = _buffers.by_purpose.get(purpose)
    if buffer is None or buffer.size < size:
        buffer = _buffers.by_purpose[purpose] = np.empty(size)
    return buffer[:size].reshape(shape)
