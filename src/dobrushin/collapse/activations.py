"""Activation functions a(z), and their gates a(z)/z: with gates held fixed an MLP is linear for each token."""

import math
from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from dobrushin.collapse.norms import Floats
from dobrushin.errors import InputError

Activation = Literal["gelu", "gelu_new", "gelu_pytorch_tanh", "relu", "silu", "quick_gelu"]

_erf = np.vectorize(math.erf, otypes=[np.float64])


def _normal_cdf(z: Floats) -> Floats:
    try:
        from scipy.special import ndtr  # type: ignore[import-untyped]
    except ImportError:  # slow, and the same numbers
        return np.asarray((1 + _erf(z / math.sqrt(2))) / 2)
    return np.asarray(ndtr(z))


def _tanh_gate(z: Floats) -> Floats:
    return np.asarray((1 + np.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3))) / 2)


def _logistic(z: Floats) -> Floats:
    return np.asarray((1 + np.tanh(z / 2)) / 2)


_GATES: dict[str, Callable[[Floats], Floats]] = {
    "gelu": _normal_cdf,
    "gelu_new": _tanh_gate,
    "gelu_pytorch_tanh": _tanh_gate,
    "relu": lambda z: (z > 0).astype(np.float64),
    "silu": _logistic,
    "quick_gelu": lambda z: _logistic(1.702 * z),
}


def activation_named(name: str) -> Activation:
    """The activation that a configuration of ``transformers`` calls ``name``; InputError lists the choices."""
    if name not in _GATES:
        raise InputError(f"the activation {name} is not known here; known are {', '.join(get_args(Activation))}")
    return name  # type: ignore[return-value]


def gate(activation: Activation, z: Floats) -> Floats:
    """The factor g with a(z) = g·z, of the shape of z."""
    return _GATES[activation](z)
