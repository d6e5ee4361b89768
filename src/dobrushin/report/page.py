"""One HTML page with tables, figures and pictures that opens without a network."""

import re
from collections.abc import Sequence
from importlib import resources
from typing import Any

from dobrushin import __version__
from dobrushin.collapse.columns import COLUMNS as COLLAPSE_COLUMNS
from dobrushin.collapse.columns import TABLES as COLLAPSE_TABLES
from dobrushin.report import words
from dobrushin.report.collapse import figures as collapse_figures
from dobrushin.report.collapse import legend as collapse_legend
from dobrushin.report.collapse import tables as collapse_tables
from dobrushin.report.collapse.run import CollapseRun
from dobrushin.report.drawing import DARK, LIGHT, svg_element
from dobrushin.report.examples import loosest_maps
from dobrushin.report.figures import (
    Panel,
    chain_panels,
    comparison_panel,
    head_panels,
    layer_panels,
    pair_panels,
)
from dobrushin.report.legend import LABEL_MEANINGS, WORDS
from dobrushin.report.pictures import Pictures, pair_pictures
from dobrushin.report.run import Run
from dobrushin.survey.schema import CHAIN_COLUMNS, COLUMNS

TITLE = "Attention against the Dobrushin bound"

COLLAPSE_TITLE = "Rank collapse of attention"
"""The heading of a page that is about nothing else."""

_CONTENT = {"image": "patch", "text": "word piece", "table": "feature"}
"""What a content token is, by the kind of input."""

_LOOSEST = 10


def html_page(
    runs: Sequence[Run],
    *,
    collapses: Sequence[CollapseRun] = (),
    title: str | None = None,
    examples: int = 3,
    notes: Sequence[Sequence[str]] = (),
) -> str:
    """The page as text.

    Args:
        runs: the surveys that it is about.
        collapses: the measurements of rank collapse that it is about.
        title: the page's heading; by default it says what the page is about.
        examples: at most so many pictures for each run and each of tight and not tight, for image models.
        notes: for each run, sentences to print with it.
    """
    names, collapse_names = run_names(runs), run_names(collapses)
    anchors = file_slugs(runs, collapses)
    parts = [
        _part(run, name, slug, examples, notes[index] if notes else ())
        for index, (run, name, slug) in enumerate(zip(runs, names, anchors, strict=False))
    ]
    collapse_parts = [
        _collapse_part(run, name, slug)
        for run, name, slug in zip(collapses, collapse_names, anchors[len(runs) :], strict=True)
    ]
    page: str = _template().render(
        title=title or default_title(runs),
        version=__version__,
        parts=parts,
        collapses=collapse_parts,
        comparison=_panel(comparison_panel(runs, names), "comparison") if len(runs) > 1 else None,
        words=WORDS,
        labels=LABEL_MEANINGS,
        columns=(("verdicts.parquet", COLUMNS), ("chain.parquet", CHAIN_COLUMNS)),
        collapse_words=collapse_legend.WORDS,
        variants=collapse_legend.VARIANTS,
        collapse_columns=[(name, COLLAPSE_TABLES[name], meanings) for name, meanings in COLLAPSE_COLUMNS.items()],
        light=LIGHT,
        dark=DARK,
    )
    return page


def default_title(runs: Sequence[Run]) -> str:
    """The heading of a page about these surveys, or about rank collapse alone."""
    return TITLE if runs else COLLAPSE_TITLE


def file_slugs(runs: Sequence[Run], collapses: Sequence[CollapseRun]) -> list[str]:
    """The anchors of the runs, surveys first, which also begin the names of their figures' files."""
    return slugs([*run_names(runs), *map(_collapse_anchor, run_names(collapses))])


def _collapse_anchor(name: str) -> str:
    return f"collapse {name}"


def run_names(runs: Sequence[Run | CollapseRun]) -> list[str]:
    """What captions call the runs: the model's title, and the folder where several share it."""
    titles = [words.printable(run.title) for run in runs]
    return [
        title if titles.count(title) == 1 else f"{title} ({words.printable(run.path.name)})"
        for title, run in zip(titles, runs, strict=True)
    ]


def slugs(names: Sequence[str]) -> list[str]:
    """A short id for each name, for anchors and files; all different.

    >>> slugs(["DINOv2 ViT-S/14", "β", "β"])
    ['dinov2-vit-s-14', 'run', 'run-2']
    """
    found: list[str] = []
    for name in names:
        base = "-".join(re.findall(r"[a-z0-9]+", name.lower()))[:40].strip("-") or "run"
        slug, number = base, 2
        while slug in found:
            slug, number = f"{base}-{number}", number + 1
        found.append(slug)
    return found


def _part(run: Run, name: str, slug: str, examples: int, notes: Sequence[str]) -> dict[str, Any]:
    pictures = pair_pictures(run, count=examples)
    figures = {
        key: [_panel(panel, f"{slug}-{key}-{number}") for number, panel in enumerate(panels)]
        for key, panels in (
            ("layers", layer_panels(run)),
            ("heads", head_panels(run)),
            ("chain", chain_panels(run)),
            ("pairs", pair_panels(run)),
        )
    }
    return {
        "run": run,
        "name": name,
        "slug": slug,
        "notes": notes,
        "figures": figures,
        "content": _CONTENT.get(run.kind, "content token"),
        "pictures": _groups(pictures),
        "pictures_missing": pictures.missing,
        "loosest": loosest_maps(run.survey, run.heads, count=_LOOSEST),
        "made": list(words.flattened(run.manifest)),
    }


def _collapse_part(run: CollapseRun, name: str, slug: str) -> dict[str, Any]:
    groups = {
        "residual": (collapse_figures.residual_panels, collapse_tables.residual_tables),
        "bounds": (collapse_figures.bound_panels, collapse_tables.bound_tables),
        "paths": (collapse_figures.path_panels, collapse_tables.path_tables),
        "products": (collapse_figures.chain_panels, collapse_tables.product_tables),
    }
    return {
        "run": run,
        "name": name,
        "slug": slug,
        "figures": {
            key: [_panel(panel, f"{slug}-{key}-{number}") for number, panel in enumerate(panels_of(run.found))]
            for key, (panels_of, _) in groups.items()
        },
        "tables": {key: tables_of(run) for key, (_, tables_of) in groups.items()},
        "bridge": collapse_tables.bridge_tables(run),
        "made": list(words.flattened(run.made)),
    }


def _groups(pictures: Pictures) -> list[tuple[str, Any]]:
    named = (("Not tight, largest slack first", pictures.loose), ("Tight", pictures.tight))
    return [(title, group) for title, group in named if group]


def _panel(panel: Panel, name: str) -> dict[str, str]:
    return {"svg": svg_element(panel.figure(), name=name), "alt": words.printable(panel.alt)}


def _template() -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    folder = resources.files(__package__) / "templates"
    environment = Environment(
        loader=FunctionLoader(lambda name: (folder / name).read_text(encoding="utf-8")),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    filters = (words.percent, words.number, words.printable, words.interval, words.quartiles, words.counted)
    environment.filters.update({function.__name__: function for function in filters})
    return environment.get_template("page.html")
