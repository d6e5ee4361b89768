"""Attaining pairs drawn on the pictures that they come from, reopened where the survey found them."""

import base64
import io
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dobrushin.capture.inputs import Image
from dobrushin.errors import DobrushinError
from dobrushin.report.run import Run
from dobrushin.report.verdicts import Rule, numbers, texts

_COLUMNS = ("input", "layer", "head", "tokens", "tight", "slack", "kappa", "first", "second", "n_tokens", "grid_rows",
            "grid_columns", "first_label", "second_label", "first_advantage", "second_advantage")  # fmt: skip

_SIDE = 224
"""Pictures are scaled down to at most so many pixels."""


@dataclass(frozen=True)
class DrawnToken:
    """One token of a pair on a picture.

    Attributes:
        label: the token as text.
        box: left, top, width and height of its patch in pixels of the picture; None for a special token.
        fails: whether the other token attends to it more than it attends to itself.
    """

    label: str
    box: tuple[float, float, float, float] | None
    fails: bool


@dataclass(frozen=True)
class PairPicture:
    """A picture with the reported pair of one map."""

    input_id: str
    layer: int
    head: str
    rule: Rule
    tight: bool
    kappa: float
    slack: float
    width: int
    height: int
    data: str
    tokens: tuple[DrawnToken, DrawnToken]


@dataclass(frozen=True)
class Pictures:
    """Examples that are not tight and that are, and the reason when there are none."""

    loose: tuple[PairPicture, ...] = ()
    tight: tuple[PairPicture, ...] = ()
    missing: str = ""


def pair_pictures(run: Run, *, count: int) -> Pictures:
    """At most ``count`` pictures of maps that are not tight (largest slack first) and as many of tight ones.

    Every example is of another input as long as there are enough; content tokens are preferred.  The reason is given
    when the inputs can not be reopened, or are not those that were surveyed.
    """
    if run.kind != "image" or count < 1:
        return Pictures()
    try:
        items = _reopened(run)
    except (DobrushinError, OSError) as error:
        return Pictures(missing=str(error))
    table = run.survey.read_verdicts(_COLUMNS)
    columns = {name: table.column(name) for name in _COLUMNS}
    arrays = {name: numbers(columns[name]) for name in ("input", "layer", "slack")}
    head, rule = texts(columns["head"]), texts(columns["tokens"])
    decided = numbers(columns["tight"].is_valid()) & numbers(columns["grid_rows"].is_valid())
    decided &= np.any([head.equals(name) for name in run.heads], axis=0)
    tight = numbers(columns["tight"].fill_null(False))
    content = rule.equals("content")

    def draw(rows: NDArray[np.bool_], order: NDArray[np.float64]) -> tuple[PairPicture, ...]:
        chosen = _spread_over_inputs(np.flatnonzero(rows), order, arrays["input"], count)
        return tuple(_picture(table.slice(row, 1).to_pylist()[0], items) for row in chosen)

    preferred = decided & content if (decided & content).any() else decided
    loose = decided & ~tight
    # A fixed scramble of the layers, so that the examples come from different depths.
    scrambled = (arrays["layer"] * 7 + arrays["input"] * 5) % (len(run.layers.numbers) or 1)
    return Pictures(draw(loose, -arrays["slack"]), draw(preferred & tight, scrambled.astype(float)))


def _reopened(run: Run) -> Any:
    """The inputs of the survey; an error says why they are not at hand."""
    from dobrushin.errors import InputError
    from dobrushin.sources.inputs import open_inputs

    inputs, configuration = run.manifest.get("inputs") or {}, run.manifest.get("configuration") or {}
    if not inputs.get("where"):
        raise InputError("the survey does not say where its pictures came from")
    options = {name: configuration[name] for name in ("limit", "seed") if configuration.get(name) is not None}
    if inputs.get("size") is not None:
        options["size"] = inputs["size"]
    opened = open_inputs(inputs["where"], kind="image", **options)
    if opened.fingerprint != inputs.get("fingerprint"):
        raise InputError(f"the pictures at {inputs['where']} are not the ones that were surveyed")
    return opened.items


def _spread_over_inputs(
    rows: NDArray[np.int64], order: NDArray[np.float64], inputs: NDArray[np.int64], count: int
) -> list[int]:
    """The first rows in the order, one from each input, then more of the same inputs."""
    ordered = rows[np.argsort(order[rows], kind="stable")]
    _, positions = np.unique(inputs[ordered], return_index=True)
    fresh = np.sort(positions)
    again = np.setdiff1d(np.arange(min(len(ordered), len(fresh) + count)), fresh)
    chosen: list[int] = ordered[np.concatenate([fresh, again])[:count].astype(int)].tolist()
    return chosen


def _picture(row: dict[str, Any], items: Any) -> PairPicture:
    image: Image = items[row["input"]]
    data, width, height = _encoded(image.pixels)
    return PairPicture(
        input_id=image.id,
        layer=row["layer"],
        head=row["head"],
        rule=row["tokens"],
        tight=row["tight"],
        kappa=row["kappa"],
        slack=row["slack"],
        width=width,
        height=height,
        data=data,
        tokens=(_token(row, "first", width, height), _token(row, "second", width, height)),
    )


def _token(row: dict[str, Any], side: str, width: int, height: int) -> DrawnToken:
    """The patches are the last tokens of the input, row by row; what comes before them is special."""
    rows, columns = row["grid_rows"], row["grid_columns"]
    patch = row[side] - (row["n_tokens"] - rows * columns)
    box = None
    if patch >= 0:
        across, down = width / columns, height / rows
        box = (patch % columns * across, patch // columns * down, across, down)
    label = row[f"{side}_label"] or str(row[side])
    return DrawnToken(label, box, (row[f"{side}_advantage"] or 0) < 0)


def _encoded(pixels: NDArray[np.uint8]) -> tuple[str, int, int]:
    """A small JPEG as a data URI, with its width and height."""
    from PIL import Image as Pillow

    picture = Pillow.fromarray(pixels)
    picture.thumbnail((_SIDE, _SIDE))
    buffer = io.BytesIO()
    picture.save(buffer, format="JPEG", quality=82, optimize=True)
    return "data:image/jpeg;base64," + base64.b64encode(buffer.getvalue()).decode(), picture.width, picture.height
