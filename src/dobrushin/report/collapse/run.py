"""One folder of ``dobrushin collapse`` as a report tells it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from dobrushin.collapse.explanation import Explanation, explanations
from dobrushin.collapse.results import Collapse, load
from dobrushin.collapse.summary import curve, findings, local_orders, plain, variants_of
from dobrushin.errors import InputError
from dobrushin.report.words import counted


@dataclass(frozen=True, eq=False)
class CollapseRun:
    """What was measured on one model, and where it was read.

    Attributes:
        path: the folder.
        found: its tables and its manifest.
    """

    path: Path
    found: Collapse

    @property
    def title(self) -> str:
        """What captions call the model."""
        return self.found.title

    @property
    def inputs(self) -> int:
        """How many inputs were measured."""
        return int(self.found.manifest["inputs"]["count"])

    @property
    def layers(self) -> int:
        """Layers of the model."""
        return int(max(row["depth"] for row in self.found.tables["collapse"]))

    @property
    def made(self) -> Mapping[str, Any]:
        """The manifest without what the page prints in tables of its own."""
        return {key: value for key, value in self.found.manifest.items() if key not in ("tables", "columns")}

    @cached_property
    def explanations(self) -> list[Explanation]:
        """Which of the two bounds explains what is seen, for each product of maps."""
        return explanations(self.found)

    @cached_property
    def findings(self) -> list[str]:
        """What was found, in sentences."""
        return findings(self.found)

    def headline(self) -> str:
        """The result in one sentence."""
        ends = [f"{self.end(variant)} {words}" for variant, words in _HEADLINE.items() if self.has(variant)]
        return (
            f"{self.title}: after {counted(self.layers, 'layer')} the relative residual is {_listed(ends)}"
            f" (mean of {counted(self.inputs, 'input')})"
        )

    def has(self, variant: str) -> bool:
        """Whether a variant was measured."""
        return variant in variants_of(self.found)

    def end(self, variant: str) -> str:
        """The relative residual of a variant after the last layer, as text."""
        over = curve(self.found, variant)
        return ("≤ " if over.floored[-1] else "") + plain(over, -1).partition(" ±")[0]

    def tiles(self) -> list[tuple[str, str, str]]:
        """What stands out: a name, its value and what it means, for the top of a section."""
        found = [
            (f"Relative residual, {variant}", self.end(variant), f"{words}, last layer")
            for variant, words in _HEADLINE.items()
            if self.has(variant)
        ]
        if (order := local_orders(self.found, "pure")) is not None:
            error = "" if math.isnan(order.error) else f" ± {order.error:.1g}"
            found.append(("Local order, pure", f"{order.value:.3f}", f"{error} standard error; 3 is cubic".strip()))
        if sums := [row["error"] for row in self.found.tables["sums"]]:
            found.append(("Error of the path sum", f"{max(sums):.0e}", "of the largest entry, at most"))
        return found

    def description(self) -> str:
        """What it was measured on."""
        tokens = sorted({row["n"] for row in self.found.tables["collapse"]})
        span = counted(tokens[0], "token") if len(tokens) == 1 else f"{tokens[0]} to {counted(tokens[-1], 'token')}"
        title = self.found.manifest["inputs"].get("title", "inputs")
        return f"{counted(self.inputs, 'input')} ({title}) of {span}; weights as stored, arithmetic in float64"


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


_HEADLINE = {"pure": "for attention alone", "skip": "with its skips", "all": "for the whole model"}


def read_collapse(path: Path) -> CollapseRun:
    """Open a folder that ``dobrushin collapse`` wrote.

    Raises:
        InputError: as :func:`dobrushin.collapse.results.load`; or it has no rows.
    """
    found = load(path)
    if not found.tables["collapse"]:
        raise InputError(f"{path} holds results without a single row: name inputs that the model can take")
    return CollapseRun(path, found)
