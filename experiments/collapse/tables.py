"""The results as Markdown."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dobrushin.collapse.compounded import compounded
from dobrushin.collapse.explanation import EXPLAINED, NEAR, explanations
from dobrushin.collapse.rates import Slope
from dobrushin.collapse.results import Collapse
from dobrushin.collapse.summary import HEADER, curve, variant_rows, variants_of
from dobrushin.experiments import markdown_table

Row = dict[str, Any]


def sums_table(found: Mapping[str, Collapse]) -> str:
    """Agreement with the model, numbers of paths and errors of path sums."""
    rows = []
    for collapse in found.values():
        networks = dict.fromkeys(row["network"] for row in collapse.tables["sums"])
        for network in networks:
            own = [row for row in collapse.tables["sums"] if row["network"] == network]
            rows.append((collapse.title, network, collapse.manifest["inputs"]["count"],
                         f"{collapse.manifest['agreement']:.1e}", f"{int(own[0]['paths']):.3g}",
                         f"{max(row['error'] for row in own):.1e}"))  # fmt: skip
    header = ("model", "network", "inputs", "copy − model", "paths", "largest error of the path sum")
    return markdown_table(header, rows)


def variants_table(collapse: Collapse) -> str:
    """Residuals and rates of one model."""
    return markdown_table(HEADER, variant_rows(collapse))


def centres_table(found: Mapping[str, Collapse]) -> str:
    """The definitions in use, for the full model and for the public code's SAN."""
    rows = []
    for collapse in found.values():
        for variant in ("skip", "all", "paper's san"):
            cells = [_last(collapse, variant, column) for column in ("relative", "median", "mean", "without_root")]
            rows.append((collapse.title, variant, *cells))
    header = ("model", "variant", "argmin of ‖·‖_{1,∞} (ours, the paper)", "medians", "token mean (public code)",
              "token mean, no square root")  # fmt: skip
    return markdown_table(header, rows)


def bounds_table(collapse: Collapse) -> str:
    """Medians over inputs by layer; log₁₀."""
    rows = []
    layers = [row for row in collapse.tables["layers"] if row["next_diameter"] is not None]
    for layer in sorted({row["layer"] for row in layers}):
        own = [row for row in layers if row["layer"] == layer]
        met = sum(bool(row["assumption"]) for row in own)
        keys = ("diameter", "next_diameter", "kappa", "logits", "weights", "next_residual", "paper", "single_head")
        rows.append((layer, *(_median(row[key] for row in own) for key in keys), f"{met}/{len(own)}"))
    header = ("layer", "ρ before", "ρ after", "Σκ(P_h)ρ(XW_h)", "tanh(osc/4)", "weights only", "‖res‖ after",
              "the paper's", "one head / its bound", "osc ≤ 1.256")  # fmt: skip
    return markdown_table(header, rows)


def guarantee_table(found: Mapping[str, Collapse], constants: Mapping[str, float]) -> str:
    """From where on T7 guarantees collapse, and where it is seen."""
    rows = []
    for key, collapse in found.items():
        if key not in constants:
            continue
        threshold = -math.log10(constants[key]) / 2
        starts = defaultdict(list)
        for row in collapse.tables["layers"]:
            starts[row["input"]].append(row["diameter"])
        first = [next((str(i) for i, x in enumerate(d) if x < threshold), "never") for d in starts.values()]
        rows.append((collapse.title, f"{constants[key]:.3g}", f"{10**threshold:.3g}",
                     f"{10 ** float(np.median([d[0] for d in starts.values()])):.3g}",
                     ", ".join(f"{value} ({first.count(value)})" for value in dict.fromkeys(first))))  # fmt: skip
    header = ("model", "c", "collapse guaranteed for ρ below", "ρ of the embeddings (median)",
              "first layer below (inputs)")  # fmt: skip
    return markdown_table(header, rows)


def compounded_table(found: Mapping[str, Collapse]) -> str:
    """The bounds on one layer compounded from the embeddings on, against what was measured; log₁₀."""
    rows = [
        (collapse.title, entry.name, _slope(entry.measured), _slope(entry.bound), "yes" if entry.guarantees else "no")
        for collapse in found.values()
        for entry in compounded(collapse)
    ]
    header = ("model", "what is bounded, by what", "measured", "bound", "collapse guaranteed")
    return markdown_table(header, rows)


def explanation_table(found: Mapping[str, Collapse]) -> str:
    """Which of Π κ and the floor explains the collapse, or that there is none; log₁₀ at the last layer."""
    rows = []
    for collapse in found.values():
        for entry in explanations(collapse):
            floor = "–" if entry.floor is None else _slope(entry.floor)
            rows.append((collapse.title, entry.product, *map(_slope, (entry.residual, entry.kappa, entry.bound)), floor,
                         entry.answer))  # fmt: skip
    header = ("model", "product", "relative residual", "κ of the product", "Π κ", "floor (T6)", "explained by")
    return markdown_table(header, rows)


def conclusion(found: Mapping[str, Collapse]) -> str:
    """The measured answer in sentences, counted over the networks."""
    entries = [entry for collapse in found.values() for entry in explanations(collapse)]
    fell = [entry for entry in entries if entry.collapsed]
    stayed = [entry for entry in entries if not entry.collapsed]
    bounds = [entry for collapse in found.values() for entry in compounded(collapse)]
    explained = sum(entry.share >= EXPLAINED for entry in fell)
    guaranteed = sum(entry.guarantees for entry in bounds)
    at_floor = sum(entry.above_floor <= NEAR for entry in stayed)
    floored = [entry for entry in stayed if entry.floor is not None]  # pure attention has none
    nearer = sum(entry.above_floor > max(NEAR, entry.below_bound) for entry in floored)
    return (
        f"Of {len(fell)} products of maps whose network collapses (by over two decades), Π κ explains {explained}: "
        f"it falls by at least {EXPLAINED:.0%} of the decades. The bounds from norms of the weights, compounded from "
        f"the embeddings on, guarantee collapse in {guaranteed} of {len(bounds)} cases. Of {len(stayed)} products "
        f"whose network does not collapse, κ is within a factor of two of its floor in {at_floor}; in {nearer} of the "
        "others Π κ is nearer than the floor: there it is the layers' own κ that keeps κ of the product up.\n"
    )


def chains_table(collapse: Collapse) -> str:
    """κ of products by depth, medians; log₁₀."""
    rows = []
    chains = collapse.tables["chains"]
    for product in dict.fromkeys(row["product"] for row in chains):
        for depth in sorted({row["depth"] for row in chains}):
            own = [row for row in chains if row["product"] == product and row["depth"] == depth]
            cells = (_median(row[key] for row in own) for key in ("measured", "bound", "floor"))
            rows.append((product, depth, *cells, _median(_relative(collapse, product, depth))))
    header = ("product", "layers", "κ of the product", "Π κ", "floor (T6)", "relative residual of the network")
    return markdown_table(header, rows)


def bridge_table(found: Mapping[str, Collapse]) -> str:
    """κ(P) of single heads of the full model against the bridge."""
    rows = []
    for collapse in found.values():
        layers = [row for row in collapse.tables["layers"] if row["heads"]]
        maps, certain = (sum(row[key] for row in layers) for key in ("heads", "bridge_certain"))
        means = [float(np.mean([row[key] for row in layers])) for key in ("kappa_mean", "bridge_mean", "bridge_ratio")]
        rows.append((collapse.title, maps, certain, *(f"{mean:.3f}" for mean in means)))
    header = ("model", "maps", "confirmed in intervals", "mean κ(P)", "mean of max tanh(osc/4)", "mean quotient")
    return markdown_table(header, rows)


def deletions_table(collapse: Collapse) -> str:
    """Paths of the full model by length: size, deletion, similarity of inputs; means over inputs."""
    rows = []
    paths = [row for row in collapse.tables["paths"] if row["network"] == "all"]
    neighbours = {(row["kept"], row["length"]): row for row in collapse.tables["neighbours"]}
    for length in sorted({row["length"] for row in paths}):
        own = [row for row in paths if row["length"] == length]
        by_plan = {kept: [row for row in own if row["kept"] == kept] for kept in ("only", "up to", "from")}
        cells = [f"{int(own[0]['paths']):.3g}", _mean(row["size"] for row in by_plan["only"])]
        for kept in ("up to", "from"):
            cells += [_mean(row["relative"] for row in by_plan[kept]), _mean(row["cosine"] for row in by_plan[kept])]
            near = neighbours.get((kept, length))
            cells.append("–" if near is None else f"{near['neighbours']:.2f}")
        rows.append((length, *cells))
    header = ("k", "paths", "size / output", "≤ k: change", "cosine", "other nearest input", "≥ k: change", "cosine",
              "other nearest input")  # fmt: skip
    return markdown_table(header, rows)


def plain_table(rows: Sequence[Row]) -> str:
    """Rows of a check as they are."""
    return markdown_table(tuple(rows[0]), [tuple(_cell(value) for value in row.values()) for row in rows])


def _slope(slope: Slope) -> str:
    return f"{slope.value:,.2f}" if math.isnan(slope.error) else f"{slope.value:,.2f} ± {slope.error:,.2f}"


def _relative(collapse: Collapse, product: str, depth: int) -> list[float]:
    variant = product.rpartition(", ")[2]
    rows = collapse.tables["collapse"]
    return [row["relative"] for row in rows if row["variant"] == variant and row["depth"] == depth]


def _last(collapse: Collapse, variant: str, column: str) -> str:
    if variant not in variants_of(collapse):
        return "–"
    found = curve(collapse, variant, column=column)
    return f"{found.mean[-1]:.3g} ± {found.deviation[-1]:.1g}"


def _median(values: Any) -> str:
    known = [value for value in values if value is not None]
    return f"{np.median(known):.2f}" if known else "–"


def _mean(values: Any) -> str:
    return f"{np.mean(list(values)):.3g}"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return "–" if value is None else str(value)
