"""The figures of a run and of several: single panels for the page, panels side by side for files."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from dobrushin.report import panels
from dobrushin.report.drawing import drawing
from dobrushin.report.run import Run
from dobrushin.report.words import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 3.7, 2.8  # inches of one panel


@dataclass(frozen=True)
class Panel:
    """One panel: what draws it, what it shows in words for those who do not see it, and its size in inches."""

    draw: Callable[[Any], None]
    alt: str
    width: float = _WIDTH
    height: float = _HEIGHT

    def figure(self) -> "Figure":
        """The panel as a figure of its own."""
        return side_by_side([self])


def layer_panels(run: Run) -> list[Panel]:
    """Share tight, κ and slack by layer."""
    return [
        Panel(partial(panels.share_panel, layers=run.layers), f"{run.title}: share tight by layer; {_words(run)}"),
        Panel(partial(panels.kappa_panel, layers=run.layers), f"{run.title}: median and quartiles of κ by layer"),
        Panel(partial(panels.slack_panel, layers=run.layers), f"{run.title}: slack of maps not tight, by layer"),
    ]


def head_panels(run: Run) -> list[Panel]:
    """Share tight of each head, when the survey took the heads one by one."""
    return [
        Panel(
            partial(panels.head_panel, run=run, rule=rule), f"{run.title}, {rule} tokens: share tight by layer and head"
        )
        for rule in run.head_shares
    ]


def chain_panels(run: Run) -> list[Panel]:
    """The chain of bounds by depth, one panel for each token rule."""
    rules = dict.fromkeys(link.rule for link in run.chain)
    found = []
    for rule in rules:
        last = [link for link in run.chain if link.rule == rule][-1]
        alt = (
            f"{run.title}, {rule} tokens: at depth {last.depth} the median of κ(R) is {last.rollout_high.median:.3g}, "
            f"of the product of κ(B) {last.factors.median:.3g}, of the product of bounds {last.layers.median:.3g}"
        )
        found.append(Panel(partial(panels.chain_panel, links=run.chain, rule=rule), alt))
    return found


def pair_panels(run: Run) -> list[Panel]:
    """Where the tokens of the reported pairs lie: on the grid for images, in the sequence otherwise."""
    if run.pairs.patches:
        return [
            Panel(partial(panels.patch_panel, pairs=run.pairs, rule=rule),
                  f"{run.title}, {rule} tokens: how often each patch is in the reported pair")
            for rule in run.pairs.patches
        ]  # fmt: skip
    if run.kind == "table":
        return []
    return [
        Panel(partial(panels.position_panel, pairs=run.pairs, rule=rule),
              f"{run.title}, {rule} tokens: positions in the input of the tokens of reported pairs")
        for rule in run.pairs.positions
    ]  # fmt: skip


def comparison_panel(runs: Sequence[Run], names: Sequence[str]) -> Panel:
    """All runs on one pair of axes."""
    alt = "Share tight of each run: " + "; ".join(
        f"{name} {_words(run)}" for name, run in zip(names, runs, strict=True)
    )
    draw = partial(panels.comparison_panel, runs=runs, names=names)
    return Panel(draw, alt, width=4.6, height=1.0 + 0.62 * len(runs))


def side_by_side(parts: Sequence[Panel]) -> "Figure":
    """Panels in one row."""
    from matplotlib.figure import Figure

    with drawing():
        width, height = sum(part.width for part in parts), max(part.height for part in parts)
        figure = Figure(figsize=(width, height), layout="constrained")
        for axes, part in zip(figure.subplots(1, len(parts), squeeze=False)[0], parts, strict=True):
            part.draw(axes)
            axes.patch.set_alpha(0)
    return figure


def files_of(run: Run) -> Iterator[tuple[str, "Figure"]]:
    """The figures of a run that are written as files, with their names."""
    yield "layers", side_by_side(layer_panels(run))
    if heads := head_panels(run):
        yield "heads", side_by_side(heads)
    if chain := chain_panels(run):
        yield "chain", side_by_side(chain)
    if pairs := pair_panels(run):
        yield "pairs", side_by_side(pairs)


def _words(run: Run) -> str:
    shares = [(rule, run.layers.groups[None, rule].share) for rule in run.layers.rules]
    return ", ".join(f"{percent(share.value)} with {rule} tokens" for rule, share in shares)
