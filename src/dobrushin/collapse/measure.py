"""Measure a model that the user names on inputs that the user names."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dobrushin import packaged
from dobrushin.capture.adapter import Adapter
from dobrushin.collapse.extract import layer_states, network_of
from dobrushin.collapse.results import Collapse, collect
from dobrushin.collapse.study import study
from dobrushin.sources.inputs import open_inputs

DEFAULT_INPUTS = {"text": "reviews", "image": "photographs"}
"""Packaged inputs by the kind of the model."""

SIZE = 224
"""Side of pictures in pixels; the rest of the project takes the same."""


@dataclass(frozen=True)
class _Opened:
    adapter: Adapter
    title: str
    kind: Literal["text", "image"]
    provenance: Mapping[str, Any]


def measure(
    spec: str,
    *,
    inputs: str | None = None,
    column: str | None = None,
    limit: int = 8,
    max_tokens: int = 128,
    size: int | None = None,
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
        size: side of the square that pictures are resized to.
        paths: whether to take outputs apart into paths.
        progress: called with the model, the inputs done and their number.

    Raises:
        InputError: a model or inputs that can not be used.
        GateError: the copied weights do not compute what the model does, or a theorem is violated.
        FetchError: packaged weights or data that can not be fetched.
    """
    opened = _open(spec, max_tokens)
    network = network_of(getattr(opened.adapter, "model", None), name=opened.title)
    where = inputs or DEFAULT_INPUTS[opened.kind]
    side = None if opened.kind == "text" else size or SIZE
    items = open_inputs(where, kind=opened.kind, column=column, limit=limit, size=side)
    studies = []
    for index in range(len(items.items)):
        item = items.items[index]
        states, labels = layer_states(opened.adapter, item)
        found = study(network, states, pooling="mean" if opened.kind == "text" else "first", paths=paths)
        studies.append((item.id, len(labels), found))
        if progress is not None:
            progress(spec, index + 1, len(items.items))
    return collect(
        studies,
        model={"title": opened.title, "spec": spec, "kind": opened.kind, "provenance": dict(opened.provenance)},
        inputs={"title": items.title, "where": where, "fingerprint": items.fingerprint},
        configuration={"limit": limit, "max_tokens": max_tokens if opened.kind == "text" else None, "size": side,
                       "paths": paths, "dtype": "float64"},
    )  # fmt: skip


def _open(spec: str, max_tokens: int) -> _Opened:
    entry = packaged.model(spec)
    adapter: Any = entry.load()
    if entry.kind == "text":
        adapter.max_tokens = max_tokens
    provenance = {"wheel": entry.wheel.requirement, "sha256": entry.wheel.sha256, "licence": entry.licence}
    return _Opened(adapter, entry.title, entry.kind, provenance)
