"""A report as files: the page, and every figure as PNG and SVG."""

from collections.abc import Sequence
from pathlib import Path

from dobrushin.files import write_atomically
from dobrushin.report.collapse import figures as collapse_figures
from dobrushin.report.collapse.run import CollapseRun
from dobrushin.report.drawing import png, svg_file
from dobrushin.report.figures import comparison_panel, files_of
from dobrushin.report.page import file_slugs, html_page, run_names
from dobrushin.report.run import Run


def write_report(
    runs: Sequence[Run],
    out: Path,
    *,
    collapses: Sequence[CollapseRun] = (),
    title: str | None = None,
    examples: int = 3,
    notes: Sequence[Sequence[str]] = (),
) -> list[Path]:
    """Write ``report.html`` and ``figures/RUN-WHAT.png`` and ``.svg`` into a folder; return the files.

    Args:
        runs: the surveys that the report is about.
        out: the folder; it is made when it is missing, and older files of the same names are replaced.
        collapses: the measurements of rank collapse that it is about.
        title: the page's heading; by default it says what the page is about.
        examples: at most so many pictures for each run and each of tight and not tight.
        notes: for each run, sentences to print with it.

    Raises:
        InputError: a file can not be written.
    """
    page = out / "report.html"
    text = html_page(runs, collapses=collapses, title=title, examples=examples, notes=notes)
    write_atomically(page, text)
    files = [page]
    anchors = file_slugs(runs, collapses)
    figures = [(f"{slug}-{what}", figure) for run, slug in zip(runs, anchors, strict=False)
               for what, figure in files_of(run)]  # fmt: skip
    figures += [(f"{slug}-{what}", figure) for run, slug in zip(collapses, anchors[len(runs) :], strict=True)
                for what, figure in collapse_figures.files_of(run)]  # fmt: skip
    if len(runs) > 1:
        figures.append(("comparison", comparison_panel(runs, run_names(runs)).figure()))
    for name, figure in figures:
        for suffix, content in ((".png", png(figure)), (".svg", svg_file(figure))):
            files.append(out / "figures" / f"{name}{suffix}")
            write_atomically(files[-1], content)
    return files
