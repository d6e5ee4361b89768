"""How far κ of the whole rollout is from the products that bound it, by depth."""

from collections.abc import Sequence
from statistics import median
from typing import Any

from dobrushin.experiments import markdown_table
from dobrushin.experiments.surveys import Surveyed

Row = dict[str, Any]


def chain_rows(model: str, surveyed: Surveyed) -> list[Row]:
    """Medians over inputs at each depth, for both token rules."""
    rows = []
    for tokens in ("content", "all"):
        for depth in sorted({row["depth"] for row in surveyed.chain}):
            own = [row for row in surveyed.chain if (row["tokens"], row["depth"]) == (tokens, depth)]
            if own:
                rows.append({"model": model, "tokens": tokens, "depth": depth, "inputs": len(own), **_medians(own)})
    return rows


def _medians(rows: Sequence[Row]) -> Row:
    return {
        "kappa_rollout": median((row["kappa_rollout_low"] + row["kappa_rollout_high"]) / 2 for row in rows),
        "product_of_factors": median(row["product_of_factors"] for row in rows),
        "product_of_layers": median(row["product_of_layers"] for row in rows),
        "products_equal": sum(row["product_of_factors"] == row["product_of_layers"] for row in rows),
    }


def chain_table(rows: Sequence[Row]) -> str:
    """The whole model: one line for each model and token rule."""
    lines = []
    for model, tokens in dict.fromkeys((row["model"], row["tokens"]) for row in rows):
        last = max((r for r in rows if (r["model"], r["tokens"]) == (model, tokens)), key=lambda row: row["depth"])
        ratio = last["product_of_factors"] / last["kappa_rollout"] if last["kappa_rollout"] else float("inf")
        lines.append((model, tokens, last["depth"], f"{last['kappa_rollout']:.2e}", f"{last['product_of_factors']:.2e}",
                      f"{last['product_of_layers']:.2e}", f"{ratio:.1f}"))  # fmt: skip
    header = ("model", "tokens", "layers", "κ(R)", "Π κ(B_l)", "Π ½(1+κ(A_l))", "Π κ(B_l) / κ(R)")
    return markdown_table(header, lines)
