"""The bounds on one layer of pure attention, compounded from the embeddings to the last layer.

ρ_{l+1} ≤ c_l ρ_l³ in every layer gives b_{l+1} = c_l b_l³ from b_0 = ρ_0 with b_l ≥ ρ_l: the doubly exponential bound
of Lean's theorem ``T7_doubly_exponential``, with each layer's own constant instead of the largest.  The paper's bound
on ‖res‖ compounds likewise, where its assumption holds.
A bound that rises says nothing: then only the maps that the network really computed, by Π κ, tell of its collapse.
"""

import math
from collections import defaultdict
from dataclasses import dataclass

from dobrushin.collapse.rates import Slope, mean_of
from dobrushin.collapse.results import Collapse
from dobrushin.collapse.study import Row


@dataclass(frozen=True)
class Compounded:
    """A size and its bound after the last layer, each over the size at the embeddings; log₁₀, mean and standard error.

    Attributes:
        name: what is bounded, and by what.
        measured: the size itself.
        bound: the compounded bound on it.
    """

    name: str
    measured: Slope
    bound: Slope

    @property
    def guarantees(self) -> bool:
        """Whether the bound falls at all, on the mean of the inputs."""
        return self.bound.value < 0


_BOUNDS = (
    ("ρ, by norms of the weights (T7)", "diameter", "cubic"),
    ("‖res‖, by the paper's theorem", "residual", "paper"),
)


def compounded(found: Collapse) -> list[Compounded]:
    """Both bounds; none for networks on which they do not apply, or whose tokens are equal."""
    by_input: dict[int, list[Row]] = defaultdict(list)
    for row in found.tables["layers"]:
        by_input[row["input"]].append(row)
    results = []
    for name, size, bound in _BOUNDS:
        falls = [fall for rows in by_input.values() if (fall := _falls(rows, size, bound)) is not None]
        if falls:
            measured, bounds = zip(*falls, strict=True)
            results.append(Compounded(name, mean_of(measured), mean_of(bounds)))
    return results


def _falls(rows: list[Row], size: str, bound: str) -> tuple[float, float] | None:
    """What was measured and its bound at the end, over the size at the start; None when some layer has no size."""
    rows = sorted(rows, key=lambda row: row["layer"])
    if any(row[size] is None or not math.isfinite(row[size]) for row in rows):
        return None
    start, after = rows[0][size], rows[-1][f"next_{size}"]
    compound = start
    for row in rows:
        compound = (row[bound] - 3 * row[size]) + 3 * compound
    return (after - start, compound - start) if math.isfinite(after) else None
