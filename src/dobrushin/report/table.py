"""The table by layer, for the terminal."""

from rich.table import Table

from dobrushin.report.findings import Findings, number, percent
from dobrushin.survey import LayerSummary, TokenRule

COLUMNS = (
    "layer",
    "inputs",
    "tight, content",
    "tight, all",
    "median κ",
    "median slack",
    "largest slack",
    "median κ, all",
    "median slack, all",
    "largest slack, all",
)
"""Column titles; κ and slack without further words are those of the content tokens."""

_IN_TERMINAL = 7
"""How many of the columns the terminal shows."""


def layer_table(found: Findings) -> Table:
    """One line per layer and one for all layers: inputs, shares tight, κ and slack for content tokens."""
    title = (
        f"{found.model}\n{found.inputs} {found.what}; residual weight {found.alpha}; content tokens {found.restrict}"
    )
    table = Table(title=title, caption="\n".join(found.notes), caption_justify="left", title_justify="left")
    for column in COLUMNS[:_IN_TERMINAL]:
        table.add_column(column, justify="right", no_wrap=True)
    for summary in found.layers:
        table.add_row(*layer_cells(summary)[:_IN_TERMINAL])
    table.add_section()
    table.add_row(*layer_cells(found.total)[:_IN_TERMINAL], style="bold")
    return table


def layer_cells(summary: LayerSummary) -> tuple[str, ...]:
    """The texts of one line, in the order of :data:`COLUMNS`."""
    shares = [_share(summary, rule) for rule in ("content", "all")]
    numbers: list[str] = []
    for rule in ("content", "all"):
        part = summary.rules.get(rule)
        values = (part.median_kappa, part.median_slack, part.largest_slack) if part else (None, None, None)
        numbers += [number(value) for value in values]
    layer = "all" if summary.layer is None else str(summary.layer)
    maps = max((part.maps + part.skipped for part in summary.rules.values()), default=0)
    return (layer, str(maps), *shares, *numbers)


def _share(summary: LayerSummary, rule: TokenRule) -> str:
    part = summary.rules.get(rule)
    if part is None:
        return "–"
    return percent(part.share) + (f" ({part.skipped} skipped)" if part.skipped else "")
