"""Attention matrices, validated: what comes in is finite, square, non-negative and row-stochastic, or refused."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from dobrushin import scratch
from dobrushin.coefficient import compiled
from dobrushin.errors import InputError
from dobrushin.exact import Floats, order_keys, widen

Precision = Literal["float16", "bfloat16", "float32", "float64"]
"""The floating-point format in which the rows were computed."""

_DTYPES: dict[str, Precision] = {"float16": "float16", "float32": "float32", "float64": "float64"}

# Unit roundoff of the stored format, of the format that the softmax sums in (16-bit softmax accumulates in
# float32), and half the spacing of its subnormals.
_ROUNDING: dict[Precision, tuple[float, float, float]] = {
    "float16": (2.0**-11, 2.0**-24, 2.0**-25),
    "bfloat16": (2.0**-8, 2.0**-24, 2.0**-134),
    "float32": (2.0**-24, 2.0**-24, 2.0**-150),
    "float64": (2.0**-53, 2.0**-53, 0.0),
}


@dataclass(frozen=True, eq=False)
class AttentionMatrix:
    """One attention map A: A_ij is how much token i attends to token j.

    Attributes:
        values: float64, shape (n, n), read-only; exactly the numbers that were given.
        precision: the format in which the rows were computed, which sets how far a row sum may be from 1.
        name: what messages and results call this map.

    Made by :func:`attention_matrix` and :func:`head_mean`, which also check signs and row sums.

    Raises:
        InputError: the values are not a finite, square float64 array.
    """

    values: Floats
    precision: Precision
    name: str

    def __post_init__(self) -> None:
        values = self.values
        if not isinstance(values, np.ndarray) or values.dtype != np.float64 or values.ndim != 2:
            raise InputError(f"{self.name} is no float64 array of two dimensions; make it with attention_matrix")
        if values.shape[0] != values.shape[1]:
            raise InputError(
                f"{self.name} has shape {values.shape}, which is not square: self-attention maps are (n, n)"
            )
        _refuse_non_finite(self)

    @property
    def n(self) -> int:
        """Number of tokens."""
        return int(self.values.shape[0])


def attention_matrix(
    values: Any,
    *,
    name: str = "the map",
    precision: Precision | None = None,
    any_real: bool = False,
) -> AttentionMatrix:
    """Validate one (n, n) attention map.

    Args:
        values: array or torch tensor of float16, bfloat16, float32 or float64, shape (n, n).
        name: what messages and results call this map.
        precision: the format in which the rows were computed, when it is coarser than the one they are stored in
            (a float64 mean of float32 heads has float32 row sums).
        any_real: allow negative entries and any row sums: T1–T4 hold for every real matrix.

    Returns:
        The map, its numbers unchanged.

    Raises:
        InputError: not floats, not square, not finite, negative, or a row sum off by more than rounding.
    """
    array, source = as_float_array(values, name=name)
    if array.ndim != 2:
        raise InputError(f"{name} has shape {array.shape}; one map is (n, n): {_which_axis(array.ndim)}")
    if array.shape == (0, 0):
        raise InputError(f"{name} is empty (shape (0, 0)); a map needs at least two tokens to have a pair of rows")
    wide = widen(array) if array.dtype != np.float64 else np.array(array, dtype=np.float64, order="C")
    matrix = AttentionMatrix(wide, check_precision(precision) or source, name)
    if not any_real:
        refuse_negative(matrix)
        _refuse_row_sums(matrix)
    wide.flags.writeable = False
    return matrix


def head_mean(
    heads: Any,
    *,
    name: str = "the layer",
    precision: Precision | None = None,
    any_real: bool = False,
) -> AttentionMatrix:
    """The mean over the heads of one layer, in ordinary float64 arithmetic, heads added in order.

    Every head is validated as :func:`attention_matrix` does, so a bad head can not hide in the mean.

    Args:
        heads: array or torch tensor of floats, shape (heads, n, n).
        name: what messages and results call this layer.
        precision: as in :func:`attention_matrix`.
        any_real: as in :func:`attention_matrix`.

    Returns:
        The mean as a map.  It is itself rounded to float64: verdicts are about this matrix.

    Raises:
        InputError: not three-dimensional, no heads, or a head that is no attention map.
    """
    array, source = as_float_array(heads, name=name)
    if array.ndim != 3 or array.shape[0] == 0:
        raise InputError(f"{name} has shape {array.shape}; the heads of one layer are (heads, n, n)")
    precision = check_precision(precision) or source
    if not any_real and (fast := _compiled_mean(array, precision)) is not None:
        return _of_checked(fast, precision, name)
    total = np.zeros(array.shape[1:])
    options: dict[str, Any] = {"precision": precision, "any_real": any_real}
    with np.errstate(over="ignore"):  # the map refuses an overflow, and says where
        for index, head in enumerate(array):
            total += attention_matrix(head, name=f"{name}, head {index}", **options).values
    total /= len(array)
    total.flags.writeable = False
    return AttentionMatrix(total, precision, name)


def _compiled_mean(heads: npt.NDArray[np.floating], precision: Precision) -> Floats | None:
    """The same mean, bit for bit, from one compiled pass; None when a head is refused, or needs a closer look."""
    n = heads.shape[-1]
    summing = 4 * (n + 1) * 2.0**-53  # any order of summation in float64 gives a row sum within this
    tolerance = row_sum_tolerance(precision, n) - summing
    if heads.dtype != np.float32 or heads.shape[1] != n or tolerance <= summing or not compiled.available():
        return None
    mean = scratch.empty((n, n), "mean of heads")
    bits = np.ascontiguousarray(heads).view(np.uint32)
    if not compiled.kernels().head_mean.mean_of_heads(bits, tolerance, np.empty(3), mean):
        return None
    mean.flags.writeable = False
    return mean


def _of_checked(values: Floats, precision: Precision, name: str) -> AttentionMatrix:
    """A map whose shape and entries have been checked already."""
    matrix = object.__new__(AttentionMatrix)
    for field, value in (("values", values), ("precision", precision), ("name", name)):
        object.__setattr__(matrix, field, value)
    return matrix


def as_float_array(values: Any, *, name: str) -> tuple[npt.NDArray[np.floating], Precision]:
    """The numbers as a numpy array and the format they came in; bfloat16 becomes float32, which holds it exactly.

    Torch tensors are recognised by their methods, so that the core does not import torch.

    Raises:
        InputError: the values are not floats of one of the four formats.
    """
    if hasattr(values, "detach") and hasattr(values, "cpu"):
        return _from_tensor(values, name=name)
    if isinstance(values, np.ma.MaskedArray):
        raise InputError(f"{name} is a masked array, and a mask would be ignored; fill it or cut it first")
    try:
        array = np.asarray(values)
    except Exception:
        raise InputError(f"{name} is no array: its rows have different lengths, or it holds something else") from None
    if array.dtype.name == "bfloat16":  # ml_dtypes registers it with numpy
        return array.astype(np.float32), "bfloat16"
    if array.dtype.name not in _DTYPES:
        raise InputError(
            f"{name} holds {array.dtype.name} numbers; attention is one of {', '.join(get_args(Precision))}"
        )
    return array, _DTYPES[array.dtype.name]


def _from_tensor(tensor: Any, *, name: str) -> tuple[npt.NDArray[np.floating], Precision]:
    kind = str(tensor.dtype).removeprefix("torch.")
    if kind not in get_args(Precision):
        raise InputError(f"{name} holds {kind} numbers; attention is one of {', '.join(get_args(Precision))}")
    try:
        plain = tensor.detach().cpu().resolve_neg()
        numbers = (plain.float() if kind == "bfloat16" else plain).numpy()
    except Exception:
        raise InputError(f"{name} is no ordinary dense tensor with data; convert it first") from None
    return numbers, kind  # type: ignore[return-value]  # checked above


def check_precision(precision: Precision | None) -> Precision | None:
    """Return the precision, or raise :class:`InputError` listing the choices."""
    if precision is not None and precision not in get_args(Precision):
        raise InputError(f"unknown precision {precision!r}; choose one of {', '.join(get_args(Precision))}")
    return precision


def row_sum_tolerance(precision: Precision, n: int) -> float:
    """How far from 1 the sum of n softmax entries may be from rounding alone.

    A computed entry is p(1+δ) with |δ| at most two roundings of the stored format and (n+8) of the format that
    the denominator is summed in, in any order, plus half a subnormal step.  More than that is not rounding.
    """
    stored, summed, step = _ROUNDING[precision]
    return 2 * stored + (n + 8) * summed + n * step


def _refuse_non_finite(matrix: AttentionMatrix) -> None:
    bad = ~np.isfinite(matrix.values)
    if bad.any():
        row, column = (int(x) for x in np.argwhere(bad)[0])
        raise InputError(
            f"{matrix.name} has {matrix.values[row, column]} in row {row}, column {column} "
            f"({int(bad.any(axis=1).sum())} rows have such entries): a fully masked row, or an overflow? leave it out"
        )


def refuse_negative(matrix: AttentionMatrix) -> None:
    """Raise :class:`InputError` when an entry is below zero."""
    bad = order_keys(matrix.values) < 0
    if bad.any():
        row, column = (int(x) for x in np.argwhere(bad)[0])
        raise InputError(
            f"{matrix.name} has the negative entry {matrix.values[row, column]:.6g} in row {row}, column {column}: "
            "attention weights are not negative (logits before the softmax?); any_real (--any-real) allows it"
        )


def _refuse_row_sums(matrix: AttentionMatrix) -> None:
    with np.errstate(over="ignore"):
        sums = matrix.values.sum(axis=1)
    off = np.abs(sums - 1)
    tolerance = row_sum_tolerance(matrix.precision, matrix.n)
    if (off <= tolerance).all():
        return
    row = int(np.argmax(off))
    advice = "any_real (--any-real) lifts this check"
    if matrix.precision == "float64" and off[row] <= row_sum_tolerance("float32", matrix.n):
        advice = "if the rows were computed in float32, say so with precision='float32' (--precision float32)"
    elif not matrix.values[row].any():
        advice = "a fully masked row? leave that token out"
    raise InputError(
        f"row {row} of {matrix.name} sums to {sums[row]:.9g}, and {matrix.precision} rounding explains at most "
        f"{tolerance:.2g} away from 1 ({int((off > tolerance).sum())} rows are off); nothing is renormalised silently: "
        f"{advice}"
    )


def _which_axis(ndim: int) -> str:
    if ndim == 3:
        return "average the heads with head_mean, or pass one layer or head at a time"
    if ndim == 4:
        return "take one layer, then head_mean or one head"
    return "pass a two-dimensional array"
