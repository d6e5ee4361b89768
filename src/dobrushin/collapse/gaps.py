"""Three gaps in the published argument, each as a concrete witness; the tests confirm or refute them.

They are about the proof as it is restated in public notes (the paper's appendix could not be read); what replaces the
steps is proved in ``proofs/collapse.md``.
"""

import math
from dataclasses import dataclass

import numpy as np

from dobrushin.collapse.network import softmax
from dobrushin.collapse.norms import Floats, column_norm, composite_norm, row_norm


@dataclass(frozen=True)
class Witness:
    """``left`` is claimed to be at most ``right``; the gap is confirmed when it is not."""

    claim: str
    left: float
    right: float

    @property
    def refuted(self) -> bool:
        """Whether the claim is false here."""
        return self.left > self.right


def entrywise_bound_times_signs() -> Witness:
    """Gap (i): P ≤ (I + 2D)P̃ entrywise does not give PR ≤ (I + 2D)P̃R for an R with negative entries.

    n = 2, X = (1, −1), W_QK = 0.3: with x = 0 the residual is X itself, E = 0.3 X Xᵀ, and P̃ = ½.
    """
    R = np.array([[1.0], [-1.0]])
    E = 0.3 * R @ R.T
    P, uniform = softmax(E), np.full((2, 2), 0.5)
    D = np.diag(np.ptp(E, axis=1))
    return Witness("(PR)_1 ≤ ((I + 2D)P̃R)_1", float((P @ R)[0, 0]), float(((np.eye(2) + 2 * D) @ uniform @ R)[0, 0]))


def repaired_entrywise_bound(E: Floats, q: Floats, R: Floats) -> float:
    """The repair of gap (i): the largest excess of |(P − 1qᵀ)R| over 2D 1qᵀ|R|, at most 0 when rows oscillate ≤ 1.256.

    Args:
        E: what is added to the logits, (n, n).
        q: softmax of the logits that all rows share, (n,).
        R: the residual, (n, d).
    """
    P = softmax(np.log(q) + E)
    D = np.ptp(E, axis=1)[:, None]
    return float((np.abs((P - q) @ R) - 2 * D * (q @ np.abs(R))).max())


def composite_norm_is_no_norm(d: int = 64) -> Witness:
    """Gap (ii): ‖A + B‖_{1,∞} ≤ ‖A‖_{1,∞} + ‖B‖_{1,∞} fails, so a sum over heads is not H times the largest head."""
    column, row = np.zeros((d, d)), np.zeros((d, d))
    column[:, 0], row[0] = 1, 1
    total = composite_norm(column) + composite_norm(row)
    return Witness("‖A + B‖ ≤ ‖A‖ + ‖B‖ (composite)", composite_norm(column + row), total)


def repaired_sum(terms: list[Floats]) -> Witness:
    """The repair of gap (ii): ‖ΣA_h‖_{1,∞} ≤ √(Σ‖A_h‖₁ · Σ‖A_h‖_∞) ≤ H √(max‖A_h‖₁ · max‖A_h‖_∞)."""
    columns, rows = sum(column_norm(term) for term in terms), sum(row_norm(term) for term in terms)
    return Witness("‖ΣA_h‖ ≤ √(Σ‖A_h‖₁ Σ‖A_h‖_∞)", composite_norm(np.sum(terms, axis=0)), math.sqrt(columns * rows))


def without_the_assumption(n: int = 50, oscillation: float = 2.0) -> Witness:
    """Gap (iii): beyond an oscillation of 1.256, P ≤ (I + 2D)P̃ fails: one logit of n uniform ones raised by 2."""
    E = np.zeros(n)
    E[0] = oscillation
    return Witness("P_11 ≤ (1 + 2D)P̃_11", float(softmax(E)[0]), (1 + 2 * oscillation) / n)


def refined_root() -> float:
    """The positive root of e^x = 1 + 2x, by mpmath with 30 digits."""
    import mpmath  # type: ignore[import-untyped]

    with mpmath.workdps(30):
        return float(mpmath.findroot(lambda x: mpmath.exp(x) - 1 - 2 * x, 1.25))
