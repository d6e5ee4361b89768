"""Measure a model that the user names on inputs that the user names."""

from collections.abc import Callable
from typing import Any, Literal

from dobrushin.collapse.extract import layer_states, network_of
from dobrushin.collapse.results import Collapse, collect
from dobrushin.collapse.study import study
from dobrushin.errors import InputError
from dobrushin.sources.inputs import open_inputs
from dobrushin.sources.models import OpenedModel, open_model

Kind = Literal["text", "image"]

DEFAULT_INPUTS = {"text": "reviews", "image": "photographs"}
"""Packaged inputs by the kind of the model, for one that has none of its own."""


def measure(
    spec: str,
    *,
    inputs: str | None = None,
    column: str | None = None,
    limit: int = 8,
    max_tokens: int = 128,
    size: int | None = None,
    revision: str | None = None,
    offline: bool | None = None,
    paths: bool = True,
    progress: Callable[[str, int, int], None] | None = None,
) -> Collapse:
    """Run everything on the first ``limit`` inputs, one at a time.

    Args:
        spec: the model, as ``--model`` takes it.
        inputs: as :func:`dobrushin.sources.inputs.open_inputs` takes them; by default packaged ones of the right kind.
        column: of a table of texts.
        limit: at most so many inputs.
        max_tokens: texts are cut off after so many tokens.
        size: side of the square that pictures are resized to; by default what the model was made for.
        revision: of a hub model.
        offline: as :func:`dobrushin.sources.models.open_model` takes it.
        paths: whether to take outputs apart into paths.
        progress: called with the model, the inputs done and their number.

    Raises:
        InputError: a model or inputs that can not be used.
        GateError: the copied weights do not compute what the model does, or a theorem is violated.
        FetchError: packaged weights or data that can not be fetched.
    """
    opened, kind = _open(spec, max_tokens, revision, offline)
    network = network_of(getattr(opened.adapter, "model", None), name=opened.title)
    where = inputs or opened.default_inputs or DEFAULT_INPUTS[kind]
    side = None if kind == "text" else size or opened.image_size
    items = open_inputs(where, kind=kind, column=column, limit=limit, size=side)
    studies = []
    for index in range(len(items.items)):
        item = items.items[index]
        states, labels = layer_states(opened.adapter, item)
        found = study(network, states, pooling="mean" if kind == "text" else "first", paths=paths)
        studies.append((item.id, len(labels), found))
        if progress is not None:
            progress(spec, index + 1, len(items.items))
    return collect(
        studies,
        model={"title": opened.title, "spec": spec, "kind": kind, "provenance": dict(opened.provenance)},
        inputs={"title": items.title, "where": where, "fingerprint": items.fingerprint},
        configuration={"limit": limit, "max_tokens": max_tokens if kind == "text" else None, "size": side,
                       "paths": paths, "dtype": "float64"},
    )  # fmt: skip


def _open(spec: str, max_tokens: int, revision: str | None, offline: bool | None) -> tuple[OpenedModel, Kind]:
    opened = open_model(spec, revision=revision, offline=offline)
    if opened.kind == "table":
        raise InputError(f"{spec} takes rows of a table: its attention can not be taken apart here")
    if opened.kind == "text":
        adapter: Any = opened.adapter
        adapter.max_tokens = max_tokens
    return opened, opened.kind
