"""Rank collapse as tables for the terminal."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from dobrushin.report.collapse import tables
from dobrushin.report.collapse.run import CollapseRun
from dobrushin.report.words import printable


def collapse_tables(run: CollapseRun) -> Iterator[RenderableType]:
    """The headline; variants with fitted rates; bounds by layer; path sums; which bound explains what; findings."""
    yield Text(f"{printable(run.headline())}.", style="bold")
    yield Text(f"{printable(run.description())}.")
    titles = {
        "Variants": tables.residual_tables(run)[:1],
        "Bounds on pure attention, log10": tables.bound_tables(run),
        "Sums over paths": tables.path_tables(run)[:1],
        "What explains it, log10": tables.product_tables(run)[:1],
    }
    for title, found in titles.items():
        for table in found:
            yield _table(title, table)
    yield Text("\n".join(run.findings))


def _table(title: str, table: tables.Table) -> Table:
    shown = Table(title=f"\n{title}", title_justify="left", title_style="bold")
    for place, column in enumerate(table.header):
        shown.add_column(escape(column), justify="left" if table.is_text(place) else "right", no_wrap=True)
    for row in table.rows:
        shown.add_row(*map(escape, row))
    return shown
