"""The Dobrushin coefficient of attention: a machine-checked theorem, applied exactly to trained transformers.

>>> import numpy as np, dobrushin
>>> A = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]])
>>> verdict = dobrushin.check(A)
>>> verdict.tight, verdict.pair, round(verdict.kappa, 6)
(True, (0, 1), 0.6)
"""

from dobrushin.condition import Verdict, check
from dobrushin.distances import kappa, pair_distances
from dobrushin.errors import DobrushinError, FetchError, GateError, IncompleteError, InputError
from dobrushin.matrix import AttentionMatrix, attention_matrix, head_mean
from dobrushin.rollout import Bounds, bounds, lazy, rollout

__version__ = "0.1.0"

__all__ = [
    "AttentionMatrix",
    "Bounds",
    "DobrushinError",
    "FetchError",
    "GateError",
    "IncompleteError",
    "InputError",
    "Verdict",
    "attention_matrix",
    "bounds",
    "check",
    "head_mean",
    "kappa",
    "lazy",
    "pair_distances",
    "rollout",
]
