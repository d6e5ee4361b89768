"""The one place that imports numba; whoever imports this module pays for that, and nobody else does.

Kernels are compiled when they are first asked for on a machine, for its processor, which takes about half a minute,
and later read from a cache: ``$NUMBA_CACHE_DIR`` if that is set, and otherwise where the wheels are, which
``$DOBRUSHIN_CACHE`` moves.  The cache's directory is named by a digest of the kernels' sources, since numba itself
would not notice that a function called by a cached one has changed.

All kernels release the GIL, none allocates in proportion to the map, and none uses fast-math except where a docstring
says why that is harmless.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

from dobrushin.wheels import cache_directory

Function = TypeVar("Function", bound=Callable[..., Any])

_config: Any = numba.config
_njit: Any = numba.njit

VALUES = numba.types.Array(numba.float64, 2, "C", readonly=True)
"""Rows of a map; writable arrays convert to it, so there is one compiled version for both."""


def _cache_directory() -> str:
    sources = sorted(Path(__file__).parent.glob("*.py"))
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    base = Path(_config.CACHE_DIR or cache_directory())
    return str(base / f"kernels-{digest}")


_CACHE_DIRECTORY = _cache_directory()


def compiled_before() -> bool:
    """Whether this machine has kernels of these sources in its cache."""
    return next(Path(_CACHE_DIRECTORY).glob("**/*.nbc"), None) is not None


def jit(signature: Any = None, *, allocates: bool = False, **options: Any) -> Callable[[Function], Function]:
    """Compile a function with numba; with a signature, at once and for those types alone.

    Unless it ``allocates`` arrays, it does not count references to them either: each view that it makes would cost
    two atomic operations, which is most of the time of a small map.  (A function that counts must not be handed arrays
    by one that does not: only ``layout.parts`` returns any.)
    """
    arguments = [] if signature is None else [signature]
    options = {"nogil": True, "error_model": "numpy", "_nrt": allocates, **options}

    def decorate(function: Function) -> Function:
        before, _config.CACHE_DIR = _config.CACHE_DIR, _CACHE_DIRECTORY
        try:
            compiled: Function = _njit(*arguments, cache=True, **options)(function)
        except RuntimeError as error:
            if "cannot cache function" not in str(error):
                raise
            compiled = _njit(*arguments, **options)(function)  # no directory can be written to
        finally:
            _config.CACHE_DIR = before
        return compiled

    return decorate
