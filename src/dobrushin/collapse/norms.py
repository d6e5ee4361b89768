"""The composite norm of the rank-collapse paper, the diameter of a set of tokens, and what they are taken of.

Dong, Cordonnier and Loukas (2021) measure with ‖X‖_{1,∞} = √(‖X‖₁ ‖X‖_∞), where ‖X‖₁ = max_j Σ_i |X_ij| and
‖X‖_∞ = max_i Σ_j |X_ij| are the norms induced by ℓ1 and ℓ∞ on column vectors.  It is submultiplicative, but no norm:
the triangle inequality fails (a column of ones and a row of ones, 64×64: 8 and 8, and their sum 65).

The diameter ρ(X) = max_{i,i'} ‖X_i − X_{i'}‖₁ is a seminorm that vanishes exactly when all tokens are equal; the
theorems of ``proofs/collapse.md`` are about it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dobrushin.errors import InputError

Floats = NDArray[np.float64]


def as_tokens(X: Any, *, name: str = "X") -> Floats:
    """An own float64 copy of n tokens of width d.

    Args:
        X: shape (n, d); a numpy array or a torch tensor of float16, bfloat16, float32 or float64 (also one that needs
            gradients: the copy has none).  Widening to float64 is exact.
        name: what errors call it.

    Raises:
        InputError: another shape or dtype, no token, or an entry that is not finite.
    """
    if hasattr(X, "detach"):
        dtype = str(X.dtype).removeprefix("torch.")
        if dtype not in ("float16", "bfloat16", "float32", "float64"):
            raise InputError(f"{name} is {dtype}, but float16, bfloat16, float32 or float64 is needed")
        X = X.detach().cpu().double().numpy()
    values = np.asarray(X)
    if values.dtype not in (np.float16, np.float32, np.float64):
        raise InputError(f"{name} is {values.dtype}, but float16, bfloat16, float32 or float64 is needed")
    if values.ndim != 2 or 0 in values.shape:
        raise InputError(f"{name} has shape {values.shape}, but (tokens, width) is needed, with at least one of each")
    copy = np.array(values, dtype=np.float64, order="C")
    if not np.isfinite(copy).all():
        row, column = (int(axis[0]) for axis in np.nonzero(~np.isfinite(copy)))
        raise InputError(f"{name} is {copy[row, column]} at token {row}, coordinate {column}: it has to be finite")
    return copy


def column_norm(X: Floats) -> float:
    """‖X‖₁, the largest column sum of absolute values."""
    return float(np.abs(X).sum(axis=0).max())


def row_norm(X: Floats) -> float:
    """‖X‖_∞, the largest row sum of absolute values."""
    return float(np.abs(X).sum(axis=1).max())


def composite_norm(X: Floats) -> float:
    """‖X‖_{1,∞} = √(‖X‖₁ ‖X‖_∞), the square root included.

    >>> composite_norm(np.ones((4, 9)))
    6.0
    """
    return float(np.sqrt(column_norm(X)) * np.sqrt(row_norm(X)))


def diameter(X: Floats) -> float:
    """ρ(X) = max over pairs of tokens of ‖X_i − X_{i'}‖₁; 0 for one token.

    >>> diameter(np.array([[0.0, 1.0], [2.0, 0.0], [0.0, 0.0]]))
    3.0
    """
    return max((float(np.abs(X[i + 1 :] - X[i]).sum(axis=1).max()) for i in range(len(X) - 1)), default=0.0)
