"""The figures about rank collapse: panels with their texts for the page, rows of panels for files."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from dobrushin.collapse.results import Collapse
from dobrushin.collapse.summary import curve, plain, variants_of
from dobrushin.report.collapse import panels
from dobrushin.report.collapse.run import CollapseRun
from dobrushin.report.drawing import drawing
from dobrushin.report.figures import Panel, side_by_side

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def residual_panels(found: Collapse) -> list[Panel]:
    """The relative residual by depth, and its logarithm."""
    ends = {variant: curve(found, variant) for variant in variants_of(found)}
    words = ", ".join(f"{variant} {'at most ' if over.floored[-1] else ''}{plain(over, -1)}"
                      for variant, over in ends.items())  # fmt: skip
    logs = ", ".join(f"{variant} {'rounding' if over.floored[-1] else f'{over.log_mean[-1]:.4g}'}"
                     for variant, over in ends.items())  # fmt: skip
    return [
        Panel(partial(panels.residual_panel, found=found),
              f"{found.title}: relative residual by depth; after the last layer {words}"),
        Panel(partial(panels.decades_panel, found=found),
              f"{found.title}: logarithm to base 10 of the relative residual by depth; after the last layer {logs}"),
    ]  # fmt: skip


def bound_panels(found: Collapse) -> list[Panel]:
    """How far above what was measured the bounds on pure attention are."""
    if all(row["next_diameter"] is None for row in found.tables["layers"]):
        return []
    alt = f"{found.title}, pure attention: by layer, how many decades four bounds are above what was measured"
    return [Panel(partial(panels.margins_panel, found=found), alt)]


def chain_panels(found: Collapse) -> list[Panel]:
    """One for each product of head-averaged maps."""
    products = dict.fromkeys(row["product"] for row in found.tables["chains"])
    return [
        Panel(partial(panels.chain_panel, found=found, product=product),
              f"{found.title}, {product}: by depth, logarithms of the relative residual, of κ of the product of maps, "
              "of the product of their κ and of the floor")
        for product in products
    ]  # fmt: skip


def path_panels(found: Collapse) -> list[Panel]:
    """Sizes by length, and what deleting paths does; none when paths were not taken apart."""
    if not found.tables["paths"]:
        return []
    return [
        Panel(partial(panels.sizes_panel, found=found),
              f"{found.title}: size of the sum of the paths of each length over the size of the output"),
        Panel(partial(panels.deletions_panel, found=found),
              f"{found.title}: cosine between the model's output and the output of paths up to, or from, a length"),
    ]  # fmt: skip


def files_of(run: CollapseRun) -> Iterator[tuple[str, "Figure"]]:
    """The figures that are written as files, with their names."""
    groups = {"residual": residual_panels, "bounds": bound_panels, "paths": path_panels, "products": chain_panels}
    for name, panels_of in groups.items():
        if found := panels_of(run.found):
            yield name, side_by_side(found)


def collapse_figure(found: Collapse) -> "Figure":
    """Everything on one figure of two rows, for ``figure.png`` beside the tables."""
    from matplotlib.figure import Figure

    parts = [*residual_panels(found), *bound_panels(found), *path_panels(found), *_outer(chain_panels(found))]
    columns = 3 if len(parts) > 4 else max(2, len(parts))
    rows = -(-len(parts) // columns)
    with drawing():
        figure = Figure(figsize=(3.7 * columns, 3 * rows), layout="constrained")
        axes = list(figure.subplots(rows, columns, squeeze=False).flat)
        for place, part in zip(axes, parts, strict=False):
            part.draw(place)
            place.patch.set_alpha(0)
        for place in axes[len(parts) :]:
            place.set_axis_off()
        figure.suptitle(f"{found.title}, {found.manifest['inputs']['count']} inputs", fontsize=10)
    return figure


def _outer(chains: list[Panel]) -> list[Panel]:
    """The first (pure attention, where the theorems apply) and the last (the whole model, its own weights)."""
    return [chains[0], chains[-1]] if len(chains) > 2 else chains
