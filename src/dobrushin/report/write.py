"""A report as files: the page, and every figure as PNG and SVG."""

from collections.abc import Sequence
from pathlib import Path

from dobrushin.files import write_atomically
from dobrushin.report.drawing import png, svg_file
from dobrushin.report.figures import comparison_panel, files_of
from dobrushin.report.page import TITLE, html_page, run_names, slugs
from dobrushin.report.run import Run


def write_report(
    runs: Sequence[Run], out: Path, *, title: str = TITLE, examples: int = 3, notes: Sequence[Sequence[str]] = ()
) -> list[Path]:
    """Write ``report.html`` and ``figures/RUN-WHAT.png`` and ``.svg`` into a folder; return the files.

    Args:
        runs: what the report is about.
        out: the folder; it is made when it is missing, and older files of the same names are replaced.
        title: the page's heading.
        examples: at most so many pictures for each run and each of tight and not tight.
        notes: for each run, sentences to print with it.

    Raises:
        InputError: a file can not be written.
    """
    page = out / "report.html"
    write_atomically(page, html_page(runs, title=title, examples=examples, notes=notes))
    files = [page]
    names = run_names(runs)
    figures = [(f"{slug}-{what}", figure) for run, slug in zip(runs, slugs(names), strict=True)
               for what, figure in files_of(run)]  # fmt: skip
    if len(runs) > 1:
        figures.append(("comparison", comparison_panel(runs, names).figure()))
    for name, figure in figures:
        for suffix, content in ((".png", png(figure)), (".svg", svg_file(figure))):
            files.append(out / "figures" / f"{name}{suffix}")
            write_atomically(files[-1], content)
    return files
