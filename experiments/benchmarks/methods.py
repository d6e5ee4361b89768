"""What the exact solve is compared with: the ways in which one computes all L1 distances of rows today."""

from collections.abc import Callable

import numpy as np
import torch
from maps import Map
from scipy.spatial.distance import pdist
from sklearn.metrics import pairwise_distances

from dobrushin.coefficient import Rows, solve

Method = Callable[[], object]


def rows_of(values: Map) -> Rows:
    """All rows, as stored."""
    return Rows(np.ascontiguousarray(values), np.arange(len(values)), False, list(range(len(values))))


def numpy_blocks(values: Map) -> float:
    """|a−b| summed over blocks of 16 rows."""
    best = 0.0
    for start in range(0, len(values), 16):
        best = max(best, float(np.abs(values[start : start + 16, None, :] - values[None]).sum(axis=2).max()))
    return best


def methods(values: Map) -> dict[str, Method]:
    """By name; ``solve`` is ours: exact, with all ties."""
    rows = rows_of(values)
    single, double = torch.from_numpy(values.astype(np.float32)), torch.from_numpy(np.array(values))
    return {
        "solve": lambda: solve(rows),
        "cdist32": lambda: torch.cdist(single, single, p=1).max(),
        "cdist64": lambda: torch.cdist(double, double, p=1).max(),
        "pdist": lambda: pdist(values, "cityblock").max(),
        "sklearn": lambda: pairwise_distances(values, metric="l1").max(),
        "numpy": lambda: numpy_blocks(values),
    }
