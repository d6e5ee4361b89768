"""A run as tables for the terminal, as wide as the terminal allows."""

from collections.abc import Iterator, Sequence
from math import log10

from rich.console import RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from dobrushin.report.chain import Link
from dobrushin.report.layers import Group, Spread
from dobrushin.report.run import Run
from dobrushin.report.verdicts import RULES, Rule
from dobrushin.report.words import counted, interval, number, percent, printable, quartiles

WIDE, NARROW = 100, 60
"""From so many columns on, everything is shown; below the second, only shares and κ."""

_BLOCKS = " ▏▎▍▌▋▊▉█"
_SPARKS = "▁▂▃▄▅▆▇█"
_TOKENS = 6
_CELLS = 8
_INCOMPLETE = "Incomplete: this is what the survey has so far."
_LONE = "One file without its manifest: whether it is all is not known."
_SMALLEST = 1e-300
_BAR, _BOX = "of all", "0 · κ · 1"


def run_tables(run: Run, width: int) -> Iterator[RenderableType]:
    """The headline, then tables: by layer for each token rule, pairs, chain, labels.

    Args:
        run: what to show.
        width: columns of the terminal.
    """
    yield Text(f"{printable(run.headline())}.", style="bold")
    yield Text(_description(run))
    if not run.complete:
        yield Text(_INCOMPLETE if run.manifest else _LONE, style="bold yellow")
    for rule in run.layers.rules:
        yield _layers(run, rule, width)
    yield from _pairs(run, width)
    for rule in dict.fromkeys(link.rule for link in run.chain):
        yield _chain([link for link in run.chain if link.rule == rule], rule, width)
    yield Text(_labels(run))


def layer_overview(run: Run, notes: Sequence[str]) -> Table:
    """Both token rules in one table: one line per layer and one for all, κ and slack for content tokens."""
    title = (
        f"{printable(run.title)}\n{run.inputs} {printable(run.inputs_title)}; residual weight {run.alpha}; "
        f"content tokens {run.restrict}"
    )
    table = Table(title=title, caption="\n".join(notes), caption_justify="left", title_justify="left")
    columns = ("layer", "inputs", "tight, content", "tight, all", "median κ", "median slack", "largest slack")
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    for layer in (*run.layers.numbers, None):
        if layer is None:
            table.add_section()
        table.add_row(*_overview(run, layer), style="bold" if layer is None else None)
    return table


def _overview(run: Run, layer: int | None) -> list[str]:
    content, every = (run.layers.groups.get((layer, rule)) for rule in RULES)
    shares = []
    for group in (content, every):
        skipped = f" ({group.skipped} skipped)" if group and group.skipped else ""
        shares.append(percent(group.share.value if group else None) + skipped)
    kappa, slack = (content.kappa, content.slack) if content else (None, None)
    maps = max(group.share.maps + group.skipped for group in (content, every) if group)
    numbers = (kappa.median if kappa else None, slack.median if slack else None, slack.high if slack else None)
    return ["all" if layer is None else str(layer), str(maps), *shares, *map(number, numbers)]


def _description(run: Run) -> str:
    heads = "heads averaged" if run.heads == ("mean",) else f"{counted(len(run.heads), 'head')}, each on its own"
    other = f" ({counted(len(run.other_heads), 'single head')} not shown)" if run.other_heads else ""
    return (
        f"{counted(run.inputs, 'input')} ({printable(run.inputs_title)}); {heads}{other}; residual weight {run.alpha}; "
        f"content tokens {run.restrict}"
    )


def bar(share: float | None, cells: int) -> str:
    """A bar of at most so many cells; full only for 1, empty only for 0.

    >>> bar(0.5, 4), bar(1.0, 2), bar(0.999, 2), bar(0.001, 2)
    ('██  ', '██', '█▉', '▏ ')
    """
    if share is None:
        return " " * cells
    eighths = round(share * cells * 8)
    if 0 < share < 1:
        eighths = min(max(eighths, 1), cells * 8 - 1)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_BLOCKS[rest] if rest else "")).ljust(cells)


def box(spread: Spread | None, cells: int) -> str:
    """Quartiles on the line from 0 to 1: the box between the outer two, the median marked.

    >>> box(Spread(0, 0.2, 0.5, 0.7, 1), 10)
    '··───┼─···'
    """
    if spread is None:
        return " " * cells
    places = [min(max(int(value * cells), 0), cells - 1)
              for value in (spread.quarter, spread.median, spread.three_quarters)]  # fmt: skip
    line = ["─" if places[0] <= cell < max(places[2], places[0] + 1) else "·" for cell in range(cells)]
    line[places[1]] = "┼"
    return "".join(line)


def spark(values: list[float]) -> str:
    """One block for each value, from the smallest to the largest.

    >>> spark([1.0, 0.5, 0.0])
    '█▅▁'
    """
    low, high = min(values), max(values)
    scale = (len(_SPARKS) - 1) / (high - low) if high > low else 0.0
    return "".join(_SPARKS[int((value - low) * scale + 0.5)] for value in values)


def _layers(run: Run, rule: Rule, width: int) -> Table:
    table = _table(f"By layer, {rule} tokens")
    columns = _columns(width, any(group.skipped for group in run.layers.groups.values()))
    for column in columns:
        table.add_column(column, justify="left" if column in (_BAR, _BOX) else "right", no_wrap=True)
    for layer in (*run.layers.numbers, None):
        group = run.layers.groups.get((layer, rule))
        if group is None:
            continue
        if layer is None:
            table.add_section()
        cells = _cells(group)
        table.add_row(*(cells[column] for column in columns), style="bold" if layer is None else None)
    return table


def _columns(width: int, skipped: bool) -> list[str]:
    """What fits."""
    if width < NARROW:
        return ["layer", "maps", *(["skipped", "share", "κ"] if skipped else ["share", "κ", "max slack"])]
    columns = [
        "layer",
        "maps",
        *(["skipped"] if skipped else []),
        *(["tight"] if width >= WIDE or not skipped else []),
        "share",
        _BAR,
        "95%",
        "κ",
    ]
    return [*columns, *([_BOX, "quartiles"] if width >= WIDE else []), "max slack"]


def _cells(group: Group) -> dict[str, str]:
    share, kappa = group.share, group.kappa
    return {
        "layer": "all" if group.layer is None else str(group.layer),
        "maps": str(share.maps),
        "skipped": str(group.skipped),
        "tight": str(share.tight),
        "share": percent(share.value),
        _BAR: bar(share.value, _CELLS),
        "95%": interval(share),
        "κ": number(kappa.median if kappa else None),
        _BOX: box(kappa, _CELLS),
        "quartiles": quartiles(kappa),
        "max slack": number(group.slack.high if group.slack else None),
    }


def _pairs(run: Run, width: int) -> Iterator[Table]:
    loose = [kind for kind in run.pairs.kinds if kind.loose]
    if not loose:
        return
    table = _table("Pairs of the maps that are not tight, and where dominance fails")
    table.add_column("tokens", no_wrap=True)
    table.add_column("kind of pair", overflow="fold")
    for column in ("not tight", "first", "second", "both"):
        table.add_column(column, justify="right", no_wrap=True)
    for kind in loose:
        table.add_row(kind.rule, kind.name, *map(str, (kind.loose, kind.earlier, kind.later, kind.both)))
    yield table
    tokens = _table("Tokens where dominance fails most often")
    tokens.add_column("token", overflow="fold", max_width=max(16, width - 44))
    for column in ("fails", "in pairs not tight", "in all pairs")[: 3 if width >= NARROW else 2]:
        tokens.add_column(column, justify="right", no_wrap=width >= NARROW)
    for entry in run.pairs.tokens[:_TOKENS]:
        numbers = [str(entry.fails), str(entry.loose), str(entry.maps)][: 3 if width >= NARROW else 2]
        tokens.add_row(escape(printable(entry.label)), *numbers)
    yield tokens


def _chain(links: list[Link], rule: Rule, width: int) -> Table:
    table = _table(f"Chain by depth, {rule} tokens")
    table.caption = "Medians: κ(R) ≤ Π κ(B) ≤ Π (α + (1−α)κ(A))"
    table.add_column("depth", justify="right")
    for column in ("κ(R)", "Π κ(B)", "bound"):
        table.add_column(column, justify="right", no_wrap=True)
    marks = spark([log10(max(link.rollout_high.median, _SMALLEST)) for link in links])
    if width >= NARROW:
        table.add_column("log κ(R)")
    for link, mark in zip(links, marks, strict=True):
        values = (link.rollout_high.median, link.factors.median, link.layers.median)
        table.add_row(str(link.depth), *map(number, values), *([mark] if width >= NARROW else []))
    return table


def _labels(run: Run) -> str:
    counts = ", ".join(f"{label} {count:,}" for label, count in run.labels.items() if count)
    reasons = "".join(f"\nskipped {count:,}: {printable(reason)}" for reason, count in run.reasons.items())
    counterfactual = (
        f"\n{run.counterfactual:,} rows include rows that the model never uses" if run.counterfactual else ""
    )
    chain = f"; {run.chain_rows:,} rows of the chain are FLOAT in κ(R)" if run.chain else ""
    return f"Labels: {counts}{chain}{reasons}{counterfactual}"


def _table(title: str) -> Table:
    return Table(title=f"\n{title}", title_justify="left", title_style="bold", caption_justify="left")
