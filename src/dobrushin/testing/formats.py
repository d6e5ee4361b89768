"""The four floating-point formats of attention maps: rounding to them, and their neighbours, in numpy alone."""

from typing import Any

import numpy as np
import numpy.typing as npt

from dobrushin.matrix import Precision

Floats = npt.NDArray[np.float64]

_NUMPY: dict[Precision, type[np.floating[Any]]] = {
    "float16": np.float16,
    "float32": np.float32,
    "float64": np.float64,
}


def rounded(values: npt.ArrayLike, precision: Precision) -> Floats:
    """The nearest numbers of the format (ties to even), held in float64, which holds them exactly."""
    if precision == "bfloat16":
        bits = np.asarray(values, dtype=np.float32).view(np.uint32).astype(np.int64)
        even = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
        return even.astype(np.uint32).view(np.float32).astype(np.float64)
    return np.asarray(values, dtype=np.float64).astype(_NUMPY[precision]).astype(np.float64)


def neighbour(value: float, precision: Precision, *, up: bool) -> float:
    """The next number of the format above or below a non-negative one; zero has nothing below it."""
    if value == 0 and not up:
        return 0.0
    if precision == "bfloat16":
        bits = int(np.float32(value).view(np.uint32)) + (0x10000 if up else -0x10000)
        return float(np.uint32(bits).view(np.float32))
    kind = _NUMPY[precision]
    return float(np.nextafter(kind(value), kind(np.inf if up else 0)))


def stored(values: Floats, precision: Precision) -> tuple[Any, Precision | None]:
    """The array as a caller would hold it, and the ``precision`` that has to be named beside it.

    bfloat16 is a torch tensor where torch is installed; otherwise float32 numbers with precision="bfloat16".
    """
    if precision != "bfloat16":
        return values.astype(_NUMPY[precision]), None
    try:
        import torch
    except ImportError:
        return values.astype(np.float32), "bfloat16"
    return torch.from_numpy(values.astype(np.float32)).to(torch.bfloat16), None
