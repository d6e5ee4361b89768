"""The tables about rank collapse, as headers and rows of text for the page."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dobrushin.collapse.compounded import compounded
from dobrushin.collapse.rates import Slope
from dobrushin.collapse.results import Collapse
from dobrushin.collapse.summary import HEADER, curve, logarithm, plain, variant_rows, variants_of
from dobrushin.report.collapse.run import CollapseRun

Cells = tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """One table; the first cell of each row heads it.

    Attributes:
        key: a short id.
        caption: what it shows.
        header: one cell for each column.
        rows: as many cells each.
        folded: the summary under which it is folded away; empty when it is open.
        words: the columns that hold words and not numbers, from 0.
    """

    key: str
    caption: str
    header: Cells
    rows: Sequence[Cells]
    folded: str = ""
    words: tuple[int, ...] = (0,)

    def is_text(self, column: int) -> bool:
        """Whether a column holds words."""
        return column in self.words


def residual_tables(run: CollapseRun) -> list[Table]:
    """Rates with their error bars, and the residual by depth, plain and as logarithms."""
    found, variants = run.found, variants_of(run.found)
    curves = {variant: curve(found, variant) for variant in variants}
    depths = range(run.layers + 1)
    return [
        Table("rates", "After the last layer, mean ± standard deviation over inputs, and the fitted rates ± standard "
              "error. ≤ marks float64 rounding, – a rate that can not be fitted.", HEADER, variant_rows(found)),
        Table("depth", "Relative residual by depth, mean ± standard deviation over inputs.", ("layers", *variants),
              [(str(d), *(plain(curves[variant], d) for variant in variants)) for d in depths],
              folded="The relative residual in numbers"),
        Table("depth-log", "log₁₀ of the relative residual by depth, mean ± standard deviation over inputs; ≤ marks "
              "float64 rounding.", ("layers", *variants),
              [(str(d), *("≤ " * curves[v].floored[d] + logarithm(curves[v], d) for v in variants)) for d in depths],
              folded="Its logarithm in numbers"),
        Table("centres", "The relative residual after the last layer by the definitions in use, mean ± standard "
              "deviation over inputs. The paper's is the first; its public code takes the token mean.",
              ("variant", "argmin of ‖·‖_{1,∞}", "medians", "token mean", "token mean, no square root"),
              [(variant, *(plain(curve(found, variant, column=column), -1) for column in _CENTRES))
               for variant in variants], folded="By other definitions of the residual"),
    ]  # fmt: skip


_CENTRES = ("relative", "median", "mean", "without_root")


def bound_tables(run: CollapseRun) -> list[Table]:
    """The bounds by layer; none where they do not apply."""
    layers = [row for row in run.found.tables["layers"] if row["next_diameter"] is not None]
    rows = []
    for layer in sorted({row["layer"] for row in layers}):
        own = [row for row in layers if row["layer"] == layer]
        met = sum(bool(row["assumption"]) for row in own)
        rows.append((str(layer), *(_median(row[key] for row in own) for key in _BOUNDS), f"{met} of {len(own)}"))
    if not rows:
        return []
    header = ("layer", "ρ before", "ρ after", "Σ κ(P_h) ρ(XW_h)", "tanh(osc/4)", "weights", "‖res‖ after",
              "the paper's", "one head / its bound", "osc ≤ 1.256")  # fmt: skip
    caption = ("Pure attention: log₁₀, medians over inputs. The three columns after “ρ after” bound it, “the paper's” "
               "bounds “‖res‖ after”; its lemma assumes osc ≤ 1.256, in so many inputs met.")  # fmt: skip
    ends = [(entry.name, _slope(entry.measured), _slope(entry.bound), "yes" if entry.guarantees else "no, it rises")
            for entry in compounded(run.found)]  # fmt: skip
    whole = ("Pure attention from the embeddings to the last layer: log₁₀ of end over start, mean ± standard error "
             "over inputs, and the bound on one layer compounded, layer by layer. Π κ of the maps, which are known "
             "only when the model has run, is below.")  # fmt: skip
    return [
        Table("bounds", caption, header, rows),
        Table("compounded", whole, ("what is bounded, by what", "measured", "bound", "collapse guaranteed"), ends,
              words=(0, 3)),
    ]  # fmt: skip


_BOUNDS = ("diameter", "next_diameter", "kappa", "logits", "weights", "next_residual", "paper", "single_head")


def path_tables(run: CollapseRun) -> list[Table]:
    """The error of the sum over all paths, and deletions; none when paths were not taken apart."""
    found = run.found
    if not found.tables["sums"]:
        return []
    sums = []
    for network in dict.fromkeys(row["network"] for row in found.tables["sums"]):
        own = [row for row in found.tables["sums"] if row["network"] == network]
        sums.append((network, f"{int(own[0]['paths']):,}", f"{max(row['error'] for row in own):.1e}"))
    tables = [
        Table("sums", "The sum over all paths and biases against the network's own output, attention held fixed: the "
              "largest difference over the largest entry, over all inputs.",
              ("network", "paths", "largest error"), sums),
    ]  # fmt: skip
    if deleted := _deletions(found):
        header = ("k", "paths", "size / output", "up to k: change", "cosine", "other neighbour", "from k: change",
                  "cosine", "other neighbour")  # fmt: skip
        caption = ("The whole model with paths deleted, means over inputs: only paths of length up to k, or from k on, "
                   "are kept. “Other neighbour”: share of inputs whose nearest other input changes.")  # fmt: skip
        tables.append(Table("deletions", caption, header, deleted, folded="Deleting long or short paths in numbers"))
    return tables


def _deletions(found: Collapse) -> list[Cells]:
    paths = [row for row in found.tables["paths"] if row["network"] == "all"]
    neighbours = {(row["kept"], row["length"]): row for row in found.tables["neighbours"]}
    rows = []
    for length in sorted({row["length"] for row in paths}):
        plans = {kept: [row for row in paths if row["length"] == length and row["kept"] == kept]
                 for kept in ("only", "up to", "from")}  # fmt: skip
        cells = [f"{int(plans['only'][0]['paths']):,}", _mean(row["size"] for row in plans["only"])]
        for kept in ("up to", "from"):
            cells += [_mean(row["relative"] for row in plans[kept]), _mean(row["cosine"] for row in plans[kept])]
            near = neighbours.get((kept, length))
            cells.append("–" if near is None else f"{near['neighbours']:.2f}")
        rows.append((str(length), *cells))
    return rows


def product_tables(run: CollapseRun) -> list[Table]:
    """Which bound explains what is seen; products by depth; none for inputs of one token."""
    rows = run.found.tables["chains"]
    if not rows:
        return []
    answers = [
        (entry.product, *(_slope(value) for value in (entry.residual, entry.kappa, entry.bound, entry.floor)),
         entry.answer)
        for entry in run.explanations
    ]  # fmt: skip
    by_depth = [
        (product, str(depth), *(_median(row[key] for row in own) for key in ("kappa", "measured", "bound", "floor")),
         "yes" if all(row["exact"] for row in own) else "no")
        for product in dict.fromkeys(row["product"] for row in rows)
        for depth in sorted({row["depth"] for row in rows})
        if (own := [row for row in rows if row["product"] == product and row["depth"] == depth])
    ]  # fmt: skip
    return [
        Table("explained", "log₁₀ after the last layer (of the relative residual, over that of the embeddings), mean ± "
              "standard error over inputs, and which of Π κ and the floor explains it.",
              ("product", "relative residual", "κ of the product", "Π κ", "floor", "explained by"), answers,
              words=(0, 5)),
        Table("products", "log₁₀ by number of layers multiplied, medians over inputs.",
              ("product", "layers", "κ of the last factor", "κ of the product", "Π κ", "floor", "exact"), by_depth,
              folded="The products in numbers"),
    ]  # fmt: skip


def bridge_tables(run: CollapseRun) -> list[Table]:
    """κ of the heads of the whole model against the bridge, by layer; none for inputs of one token."""
    layers = [row for row in run.found.tables["layers"] if row["heads"]]
    rows = []
    for layer in sorted({row["layer"] for row in layers}):
        own = [row for row in layers if row["layer"] == layer]
        maps, certain = (sum(row[key] for row in own) for key in ("heads", "bridge_certain"))
        means = (_mean(row[key] for row in own if row[key] is not None)
                 for key in ("kappa_mean", "bridge_mean", "bridge_ratio"))  # fmt: skip
        rows.append((str(layer), f"{certain} of {maps}", *means))
    if not rows:
        return []
    header = ("layer", "confirmed in intervals", "κ(P)", "max tanh(osc/4)", "quotient")
    caption = "Single heads of the whole model: means over heads and inputs, and at how many maps the bound is certain."
    return [Table("bridge", caption, header, rows)]


def _slope(value: Slope | None) -> str:
    if value is None:
        return "–"
    return f"{value.value:,.2f}" if math.isnan(value.error) else f"{value.value:,.2f} ± {value.error:,.2f}"


def _median(values: Iterable[float | None]) -> str:
    known = [value for value in values if value is not None]
    if not known:
        return "–"
    middle = float(np.median(known))
    return f"{middle:.2f}" if math.isfinite(middle) else "−∞"


def _mean(values: Iterable[float]) -> str:
    known = list(values)
    return f"{np.mean(known):.3g}" if known else "–"
