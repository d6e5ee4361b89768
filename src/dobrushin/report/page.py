"""One HTML page with tables and figures that opens without a network."""

from collections.abc import Sequence
from importlib import resources

from dobrushin import __version__
from dobrushin.report.figure import layer_figure, svg
from dobrushin.report.findings import Findings
from dobrushin.report.table import COLUMNS, layer_cells

# Grey of equal contrast with white and with the page's dark ground: one figure serves both.
_INK = "#7d7d7d"


def html_page(found: Sequence[Findings], *, title: str) -> str:
    """The page as text.

    Args:
        found: one part for each model.
        title: the page's heading.
    """
    from jinja2 import Environment

    template = resources.files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(template).render(
        title=title,
        version=__version__,
        columns=COLUMNS,
        parts=[
            {
                "found": part,
                "rows": [layer_cells(layer) for layer in part.layers],
                "total": layer_cells(part.total),
                "figure": svg(layer_figure([part], ink=_INK)),
            }
            for part in found
        ],
    )
