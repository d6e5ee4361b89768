"""Which of two bounds explains that tokens collapse, or that they do not: the product of the layers' κ, or its floor.

Only an upper bound can explain a collapse: Π κ(A_l), from T5.  Only a lower bound can explain that there is none: the
floor of the rollout from T6.  Both are about κ of the product of head-averaged maps, which stands between them; values,
MLPs and LayerNorm are in the residual and not in κ.  So what is compared, in decades, is how far the relative residual,
κ of the product and its two bounds fall.
"""

import math
from dataclasses import dataclass

from dobrushin.collapse.rates import Slope, mean_of
from dobrushin.collapse.results import Collapse
from dobrushin.collapse.study import Row

COLLAPSE = -2.0
"""A relative residual that falls by more decades than this is called a collapse."""

EXPLAINED = 0.9
"""Π κ explains a collapse when it falls by at least this share of the decades that the residual falls by."""

NEAR = math.log10(2)
"""Two numbers within a factor of 2 are called near."""


@dataclass(frozen=True)
class Explanation:
    """One product of maps at the last layer; log₁₀, mean and standard error over inputs.

    Attributes:
        product: as in the table ``chains``.
        variant: the network whose maps these are.
        residual: of the relative residual after the last layer over that of the embeddings.
        kappa: of κ of the product.
        bound: of Π κ of the factors.
        floor: of T6's floor; None for pure attention, which has none.
    """

    product: str
    variant: str
    residual: Slope
    kappa: Slope
    bound: Slope
    floor: Slope | None

    @property
    def collapsed(self) -> bool:
        """Whether the tokens of the network became equal but for a hundredth, or less."""
        return self.residual.value < COLLAPSE

    @property
    def share(self) -> float:
        """The decades by which Π κ falls over those by which the residual falls; infinite when that does not fall."""
        return self.bound.value / self.residual.value if self.residual.value < 0 else math.inf

    @property
    def above_floor(self) -> float:
        """Decades from the floor up to κ of the product; infinite without a floor."""
        return self.kappa.value - self.floor.value if self.floor is not None else math.inf

    @property
    def below_bound(self) -> float:
        """Decades from κ of the product up to Π κ."""
        return self.bound.value - self.kappa.value

    @property
    def answer(self) -> str:
        """Which of the two it is, in a few words."""
        if self.collapsed:
            return "Π κ" if self.share >= EXPLAINED else f"Π κ in part, {self.share:.0%} of the decades"
        if self.floor is None:
            return "neither"
        if self.above_floor <= NEAR:
            return "the floor" if self.below_bound > NEAR else "the floor, which Π κ meets"
        return "not the floor (Π κ is nearer)" if self.below_bound < self.above_floor else "not the floor alone"

    def sentence(self) -> str:
        """The conclusion with its numbers."""
        start = f"{self.product}: the relative residual {moved(self.residual)}"
        if self.collapsed:
            return f"{start} and Π κ {moved(self.bound)}; what explains the collapse: {self.answer}."
        start = f"{start}, which is no collapse; κ of the product {moved(self.kappa)}"
        if self.floor is None:
            return f"{start} and has no floor; what explains that tokens stay apart: {self.answer} of the two."
        return (
            f"{start}: it is {times(self.above_floor)} its floor, and Π κ is {times(self.below_bound)} it; "
            f"what explains that κ stays up: {self.answer}."
        )


def explanations(found: Collapse) -> list[Explanation]:
    """One for each product whose network was measured, on inputs of at least two tokens."""
    rows = found.tables["chains"]
    last = max((row["depth"] for row in rows), default=0)
    answers = []
    for product in dict.fromkeys(row["product"] for row in rows):
        variant = product.rpartition(", ")[2]
        own = {row["input"]: row for row in rows if row["product"] == product and row["depth"] == last}
        falls = _falls(found, variant, last)
        both = [(falls[key], row) for key, row in own.items() if key in falls and _finite(row)]
        if not both:
            continue
        floors = [row["floor"] for _, row in both]
        answers.append(
            Explanation(
                product,
                variant,
                mean_of([fall for fall, _ in both]),
                mean_of([row["measured"] for _, row in both]),
                mean_of([row["bound"] for _, row in both]),
                None if None in floors else mean_of(floors),
            )
        )
    return answers


def moved(change: Slope) -> str:
    """A change of log₁₀ in words.

    >>> moved(Slope(-1.234, 0.05, 3)), moved(Slope(0.5, math.nan, 1))
    ('falls by 1.23 ± 0.05 decades', 'rises by 0.50 decades')
    """
    error = "" if math.isnan(change.error) else f" ± {change.error:.2f}"
    return f"{'falls' if change.value < 0 else 'rises'} by {abs(change.value):.2f}{error} decades"


def times(decades: float) -> str:
    """A factor, given by its log₁₀, in words.

    >>> times(0.0), times(1.0), times(12.0)
    ('1.0 times', '10 times', '10^12 times')
    """
    if decades >= 3:
        return f"10^{decades:.0f} times"
    factor = 10**decades
    return f"{factor:.1f} times" if factor < 9.95 else f"{factor:.0f} times"


def _falls(found: Collapse, variant: str, last: int) -> dict[int, float]:
    """By input: log₁₀ of the relative residual at the end over that at the start, where both are more than rounding."""
    ends: dict[tuple[int, int], Row] = {
        (row["input"], row["depth"]): row for row in found.tables["collapse"] if row["variant"] == variant
    }
    falls = {}
    for (key, depth), row in ends.items():
        first = ends.get((key, 0))
        if depth == last and first is not None and not row["floored"]:
            fall = row["relative"] - first["relative"]
            if math.isfinite(fall):
                falls[key] = fall
    return falls


def _finite(row: Row) -> bool:
    return all(row[key] is None or math.isfinite(row[key]) for key in ("measured", "bound", "floor"))
