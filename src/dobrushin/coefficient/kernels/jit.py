"""The one place that imports numba; whoever imports this module pays for that, and nobody else does.

Every kernel is compiled at its first import on a machine, for that processor, and then read from numba's cache
(next to the source, or in ``NUMBA_CACHE_DIR``).  All release the GIL, none allocates in proportion to the map, and
none uses fast-math except where a docstring says why that is harmless.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numba  # type: ignore[import-untyped]

Function = TypeVar("Function", bound=Callable[..., Any])

VALUES = numba.types.Array(numba.float64, 2, "C", readonly=True)
"""Rows of a map; writable arrays convert to it, so there is one compiled version for both."""


def jit(signature: Any = None, **options: Any) -> Callable[[Function], Function]:
    """Compile a function with numba; with a signature, at once and for those types alone."""
    arguments = [] if signature is None else [signature]
    decorator: Callable[[Function], Function] = numba.njit(
        *arguments, cache=True, nogil=True, error_model="numpy", **options
    )
    return decorator
