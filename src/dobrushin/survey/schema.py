"""The columns of a survey's Parquet parts: one row for each input, layer, head rule and token rule."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped]


@dataclass(frozen=True)
class Column:
    """One column: its Arrow type by name, whether it can be null, its unit, and what it means in a sentence."""

    name: str
    type: str
    null: bool
    unit: str
    meaning: str


COLUMNS = (
    Column("input", "int64", False, "–", "position of the input among those surveyed, from 0"),
    Column("input_id", "string", False, "–", "name of the input: the file, line or row it came from"),
    Column("layer", "int32", False, "–", "layer, from 0, in the order of the forward pass"),
    Column("head", "string", False, "–", "head rule: mean (over heads, in float64) or the number of one head, from 0"),
    Column("tokens", "string", False, "–", "token rule: content or all"),
    Column("restrict", "string", False, "–", "how the map is read: renormalised, submatrix, pairs; none for all"),
    Column("alpha", "string", False, "–", "residual weight, as p/q"),
    Column("n", "int32", False, "tokens", "number of tokens that the pairs range over"),
    Column("n_tokens", "int32", False, "tokens", "number of tokens of the whole input, special ones included"),
    Column("grid_rows", "int32", True, "patches", "rows of the patch grid, for images"),
    Column("grid_columns", "int32", True, "patches", "columns of the patch grid, for images"),
    Column("tight", "bool", True, "–", "whether κ(αI + (1−α)A) = α + (1−α)κ(A); null when skipped"),
    Column("kappa", "float64", True, "1 (total variation)", "κ(A), the nearest float"),
    Column("kappa_exact", "string", True, "1", "κ(A) as p/q"),
    Column("slack", "float64", True, "1", "α + (1−α)κ(A) − κ(αI + (1−α)A), the nearest float"),
    Column("slack_exact", "string", True, "1", "the slack as p/q"),
    Column("margin", "float64", True, "1", "κ minus the largest distance below it; null when all pairs attain"),
    Column("n_attaining", "int64", True, "pairs", "number of pairs at distance κ"),
    Column("first", "int32", True, "token", "i of the reported pair, as an index of the whole input"),
    Column("second", "int32", True, "token", "j of the reported pair"),
    Column("first_label", "string", True, "–", "token i as text: the token string, patch row,column, or the feature"),
    Column("second_label", "string", True, "–", "token j as text"),
    Column("first_content", "bool", True, "–", "whether i is a content token"),
    Column("second_content", "bool", True, "–", "whether j is a content token"),
    Column("first_advantage", "float64", True, "1", "A_ii − A_ji, the nearest float with the exact sign"),
    Column("second_advantage", "float64", True, "1", "A_jj − A_ij, likewise"),
    Column("counterfactual", "bool", False, "–", "whether rows that the model never uses took part"),
    Column("stage", "string", True, "–", "what decided: float (rigorous filter left one pair) or exact (integers)"),
    Column("label", "string", False, "–", "PROVED (certificate checked by Lean), EXACT, FLOAT or SKIPPED"),
    Column("reason", "string", True, "–", "why a map was skipped"),
)  # fmt: skip
"""The order of the columns in every part and in merged files."""


CHAIN_COLUMNS = (
    Column("input", "int64", False, "–", "position of the input, as above"),
    Column("input_id", "string", False, "–", "name of the input, as above"),
    Column("tokens", "string", False, "–", "token rule; content is renormalised"),
    Column("depth", "int32", False, "layers", "number of layers multiplied, from 1: R = B_depth ⋯ B_1"),
    Column("n", "int32", False, "tokens", "number of tokens"),
    Column("kappa_rollout_low", "float64", False, "1", "lower end of an interval that contains κ(R)"),
    Column("kappa_rollout_high", "float64", False, "1", "upper end of that interval"),
    Column("product_of_factors", "float64", False, "1", "Π κ(B_l), the nearest float"),
    Column("product_of_layers", "float64", False, "1", "Π (α + (1−α)κ(A_l)), the nearest float"),
    Column("counterfactual", "bool", False, "–", "whether rows that the model never uses took part"),
    Column("label", "string", False, "–", "FLOAT: κ(R) is known by an interval that contains it, not as a number"),
)
"""The chain κ(R) ≤ Π κ(B_l) ≤ Π (α + (1−α)κ(A_l)) by depth, in a table of its own; rows divided by their sums."""


def arrow_schema(columns: tuple[Column, ...] = COLUMNS) -> "pyarrow.Schema":
    """The Arrow schema of a table with these columns."""
    import pyarrow

    types = {"bool": pyarrow.bool_(), "string": pyarrow.string(), "float64": pyarrow.float64(),
             "int32": pyarrow.int32(), "int64": pyarrow.int64()}  # fmt: skip
    return pyarrow.schema([pyarrow.field(column.name, types[column.type], nullable=column.null) for column in columns])


def markdown_table(columns: tuple[Column, ...]) -> str:
    """The columns as the README explains them."""
    lines = ["| column | type | unit | meaning |", "|---|---|---|---|"]
    for column in columns:
        kind = f"{column.type}, may be null" if column.null else column.type
        lines.append(f"| `{column.name}` | {kind} | {column.unit} | {column.meaning} |")
    return "".join(f"{line}\n" for line in lines)
