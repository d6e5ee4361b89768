"""Pure attention with hundreds of digits, the slow way: to check :mod:`dobrushin.collapse.scaled` against.

Weights are floats, hence exact; tokens are fixed-point integers with ``digits`` digits after the point, and softmax is
mpmath's exponential at that precision.  Every operation rounds by less than one unit of the last digit.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dobrushin.collapse.network import Attention, Network
from dobrushin.collapse.norms import Floats, as_tokens
from dobrushin.collapse.scaled import ScaledTokens
from dobrushin.errors import InputError

Integers = NDArray[Any]
_WEIGHT_BITS = 120  # weights below 2^-67 in size would be rounded, and are refused


def precise_run(network: Network, X: Any, *, digits: int = 100) -> list[ScaledTokens]:
    """The tokens of pure attention before and after each layer.

    Args:
        network: the weights; MLPs and LayerNorms are not used.
        X: tokens (n, d), floats; few, as this takes about a second for each layer and token of width 384.
        digits: after the point, and guard digits besides.

    Returns:
        The tokens with the token mean as centre; deviations rounded to float64 only here.

    Raises:
        InputError: relative positions.
    """
    if any(layer.attention.relative is not None for layer in network.layers):
        raise InputError(f"{network.name} has relative positions, which are not computed with many digits")
    bits = math.ceil(digits * math.log2(10)) + 32
    state = _fixed(as_tokens(X), bits)
    found = [_as_scaled(state, bits)]
    for layer in network.layers:
        state = _layer(layer.attention, state, bits)
        found.append(_as_scaled(state, bits))
    return found


def _layer(attention: Attention, X: Integers, bits: int) -> Integers:
    result = np.zeros_like(X)
    for head in range(attention.heads):
        query = _times(X, attention.query[head]) + _fixed(attention.query_bias[head], bits)
        key = _times(X, attention.key[head]) + _fixed(attention.key_bias[head], bits)
        logits = _shifted(query.dot(key.T), bits) * int(math.ldexp(attention.scale, 60)) >> 60
        P = _softmax(logits, bits)
        value = _times(X, attention.value[head]) + _fixed(attention.value_bias[head], bits)
        result = result + _times(_shifted(P.dot(value), bits), attention.output[head])
    return np.asarray(result + _fixed(attention.output_bias, bits))


def _softmax(logits: Integers, bits: int) -> Integers:
    import mpmath  # type: ignore[import-untyped]

    with mpmath.workprec(bits + 32):
        rows = []
        for row in logits:
            largest = max(row)
            weights = [mpmath.exp(mpmath.ldexp(mpmath.mpf(int(entry - largest)), -bits)) for entry in row]
            total = mpmath.fsum(weights)
            rows.append([int(mpmath.floor(mpmath.ldexp(weight / total, bits))) for weight in weights])
    P = np.array(rows, dtype=object)
    # Each row sums to 1 exactly, or the missing units of the last digit would be multiplied by the tokens' size.
    for row in P:
        row[int(np.argmax(row))] += (1 << bits) - int(row.sum())
    return P


def _fixed(values: Floats, bits: int) -> Integers:
    """Floats as integers times 2^−bits: exact when no bit lies lower."""
    mantissa, exponent = np.frexp(values)
    whole = np.ldexp(mantissa, 53).astype(np.int64).astype(object)
    shift = exponent.astype(np.int64) - 53 + bits
    return np.asarray(np.vectorize(_shift, otypes=[object])(whole, shift))


def _shift(number: int, by: int) -> int:
    return int(number) << int(by) if by >= 0 else int(number) >> -int(by)


def _times(X: Integers, weight: Floats) -> Integers:
    """X @ weight, rounded down once."""
    return _shifted(X.dot(_fixed(weight, _WEIGHT_BITS)), _WEIGHT_BITS)


def _shifted(X: Integers, bits: int) -> Integers:
    return np.asarray(np.vectorize(lambda number: number >> bits, otypes=[object])(X))


def _as_scaled(X: Integers, bits: int) -> ScaledTokens:
    n = len(X)
    total = X.sum(axis=0)
    deviations = X * n - total  # times n
    largest = max(abs(int(entry)) for entry in deviations.flat)
    centre = np.array([float(int(entry)) / n * 2.0**-bits if abs(entry) < 1 << 1000 else math.nan for entry in total])
    if largest == 0:
        return ScaledTokens(centre, np.zeros(X.shape), 0)
    shift = largest.bit_length()
    R = np.array([[_ratio(int(entry), shift) for entry in row] for row in deviations])
    return ScaledTokens(centre, R / n, shift - bits)


def _ratio(number: int, bits: int) -> float:
    """The quotient number / 2^bits, rounded once."""
    return number / (1 << bits)
