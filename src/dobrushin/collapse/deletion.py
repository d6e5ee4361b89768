"""What deleting paths of some lengths does to a network's output."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dobrushin.collapse.norms import Floats
from dobrushin.collapse.paths import ByLength, without

Kept = Literal["only", "up to", "from"]

PLANS: tuple[Kept, ...] = ("only", "up to", "from")
"""Keep only paths of length k, those of length at most k, or those of length at least k; biases always stay."""


@dataclass(frozen=True)
class Change:
    """The output with some paths deleted, against the whole one.

    Attributes:
        kept: which lengths were kept, with ``length``.
        length: k.
        relative: ‖change‖_F/‖output‖_F.
        cosine: mean over tokens of the cosine between new and whole output.
    """

    kept: Kept
    length: int
    relative: float
    cosine: float


def lengths_kept(kept: Kept, length: int, depth: int) -> list[int]:
    """The lengths that a plan keeps.

    >>> lengths_kept("from", 4, 6)
    [4, 5, 6]
    """
    rules = {"only": lambda k: k == length, "up to": lambda k: k <= length, "from": lambda k: k >= length}
    return [k for k in range(depth + 1) if rules[kept](k)]


def shortened(parts: ByLength, kept: Kept, length: int) -> Floats:
    """The output (n, d) with only some lengths kept."""
    depth = len(parts.lengths) - 1
    stay = set(lengths_kept(kept, length, depth))
    return without(parts, [k for k in range(depth + 1) if k not in stay])


def changes(parts: ByLength) -> list[Change]:
    """Every plan at every length, for one input."""
    whole = parts.total
    found = []
    for kept in PLANS:
        for length in range(len(parts.lengths)):
            new = shortened(parts, kept, length)
            relative = float(np.linalg.norm(new - whole) / np.linalg.norm(whole))
            found.append(Change(kept, length, relative, float(np.mean(_cosines(new, whole)))))
    return found


def pooled(X: Floats, pooling: Literal["mean", "first"]) -> Floats:
    """One vector of length 1 for an input: the mean of its tokens, or its first token; (d,)."""
    vector = X.mean(axis=0) if pooling == "mean" else X[0]
    size = np.linalg.norm(vector)
    return np.asarray(vector / size if size else vector)


@dataclass(frozen=True)
class NeighbourChange:
    """How similarities between inputs move.

    Attributes:
        neighbours: share of inputs whose nearest other input is another one than with all paths.
        similarity: mean absolute change of the cosine between two different inputs.
        correlation: Pearson correlation of these cosines before and after, NaN for fewer than 3 inputs.
    """

    neighbours: float
    similarity: float
    correlation: float


def neighbour_change(whole: Sequence[Floats], new: Sequence[Floats]) -> NeighbourChange:
    """Compare pooled vectors of several inputs, at least two, with all paths and with some deleted."""
    before, after = np.array(whole) @ np.array(whole).T, np.array(new) @ np.array(new).T
    np.fill_diagonal(before, -2)
    np.fill_diagonal(after, -2)
    moved = float(np.mean(before.argmax(axis=1) != after.argmax(axis=1)))
    upper = np.triu_indices(len(before), 1)
    one, other = before[upper], after[upper]
    constant = len(one) < 3 or one.std() == 0 or other.std() == 0
    correlation = float("nan") if constant else float(np.corrcoef(one, other)[0, 1])
    return NeighbourChange(moved, float(np.abs(one - other).mean()), correlation)


def _cosines(one: Floats, other: Floats) -> Floats:
    sizes = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    return np.asarray((one * other).sum(axis=1) / np.where(sizes == 0, 1, sizes))
