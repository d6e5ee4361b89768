"""The demonstration: the exact check on trained models whose weights ship in packages, on real inputs."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dobrushin import packaged
from dobrushin.capture import Adapter, Item, images_from_folder, sentences_from_file
from dobrushin.errors import FetchError, InputError
from dobrushin.files import write_atomically
from dobrushin.packaged import PackagedModel
from dobrushin.report import Findings, findings, html_page
from dobrushin.report.figure import layer_figure, png
from dobrushin.survey import Record, survey

TITLE = "Attention of trained transformers against the Dobrushin bound"

DEFAULT_MODELS = ("minilm", "dinov2")

PAPER = {
    "dinov2": "The paper (abstract; its inputs and weights are not known) says of DINOv2 in three sizes: tight for "
    "essentially every input at every layer with content tokens, 82–97% with special tokens included.",
    "minilm": "The paper (abstract) does not treat this model; of RoBERTa and DistilBERT it says: essentially every "
    "input-layer pair with content tokens, 82–97% with special tokens included.",
}

Announce = Callable[[str], None]
"""Told what is going on, a sentence at a time."""

Progress = Callable[[str, int, int], None]
"""Told the model's key, how many inputs are done, and how many there are."""


@dataclass(frozen=True)
class Demonstration:
    """What came out: one part per model, the models that could not be fetched and why, and the files written."""

    found: tuple[Findings, ...]
    missing: tuple[str, ...]
    files: tuple[Path, ...]


def demonstrate(
    out: Path,
    *,
    models: Sequence[str] = DEFAULT_MODELS,
    inputs: Path | None = None,
    limit: int | None = None,
    batch_size: int = 8,
    announce: Announce,
    progress: Progress,
) -> Demonstration:
    """Check every layer of the packaged models and write verdicts, a figure and a page.

    Args:
        out: folder for ``report.html``, ``figure.png`` and one ``verdicts-MODEL.jsonl`` per model.
        models: keys of :func:`dobrushin.packaged.models`.
        inputs: a folder of images (for the models that take images) or a text file with one sentence a line (for
            those that take text) instead of the packaged inputs.
        limit: at most so many inputs for each model.
        batch_size: at most so many inputs in one forward pass.
        announce: called with progress messages.
        progress: called after each batch.

    Raises:
        InputError: unknown model, or inputs that can not be used.
        FetchError: no model at all could be fetched.
    """
    chosen = [packaged.model(key) for key in dict.fromkeys(models)]
    _refuse_unwritable(out)
    own = _own_inputs(inputs, chosen)
    found: list[Findings] = []
    files: list[Path] = []
    missing: list[str] = []
    for model in chosen:
        try:
            part, records = _check_model(model, own.get(model.kind), limit, batch_size, announce, progress)
        except FetchError as error:
            missing.append(str(error))
            announce(f"{model.title} is left out: {error}")
            continue
        found.append(part)
        files.append(out / f"verdicts-{model.key}.jsonl")
        write_atomically(files[-1], "".join(json.dumps(record.to_json()) + "\n" for record in records))
    if not found:
        raise FetchError("; ".join(missing))
    files += _write_report(out, found)
    return Demonstration(tuple(found), tuple(missing), tuple(files))


def _refuse_unwritable(out: Path) -> None:
    """Find out before the work, not after it."""
    probe = out / ".writable"
    write_atomically(probe, "")
    probe.unlink()


def _own_inputs(inputs: Path | None, chosen: Sequence[PackagedModel]) -> dict[str, Sequence[Item]]:
    """The user's inputs by the kind of model that takes them."""
    if inputs is None:
        return {}
    if inputs.exists() and not (inputs.is_dir() or inputs.is_file()):
        raise InputError(f"{inputs} is neither a folder of images nor an ordinary text file")
    kind = "image" if inputs.is_dir() else "text"
    if not any(model.kind == kind for model in chosen):
        raise InputError(
            f"{inputs} is a {'folder of images' if kind == 'image' else 'file'}, but no model takes {kind}s"
        )
    return {kind: images_from_folder(inputs) if kind == "image" else sentences_from_file(inputs)}


def _check_model(
    model: PackagedModel,
    own: Sequence[Item] | None,
    limit: int | None,
    batch_size: int,
    announce: Announce,
    progress: Progress,
) -> tuple[Findings, list[Record]]:
    announce(f"{model.key}: loading {model.title} from {model.wheel.requirement}")
    adapter = model.load()
    count = model.count if limit is None else limit
    items = model.items(min(count, model.count)) if own is None else own[:limit]
    notes = _verify(model, adapter, announce)
    started = time.monotonic()
    records = survey(adapter, items, batch_size=batch_size, progress=lambda done: progress(model.key, done, len(items)))
    seconds = time.monotonic() - started
    verdicts = [record.verdict for record in records if record.verdict is not None]
    if not verdicts:
        raise InputError(f"no input has two {model.kind} tokens to compare, so there is no verdict; give longer inputs")
    exact = sum(verdict.stage == "exact" for verdict in verdicts)
    notes.append(
        f"{len(verdicts)} verdicts in {seconds:.0f} s (model and checks); {exact} needed the exact comparison."
    )
    if model.key in PAPER:
        notes.append(PAPER[model.key])
    what = f"{model.kind}s of the user's" if own is not None else model.inputs
    return findings(model.title, what, records, notes=notes), records


def _verify(model: PackagedModel, adapter: Adapter, announce: Announce) -> list[str]:
    """For a model rebuilt from a graph, prove that the rebuilt model computes what the graph computes."""
    if model.verify is None:
        return []
    announce(f"{model.key}: comparing the rebuilt model with the shipped graph")
    return [model.verify(adapter)]


def _write_report(out: Path, found: Sequence[Findings]) -> list[Path]:
    page, figure = out / "report.html", out / "figure.png"
    write_atomically(page, html_page(found, title=TITLE))
    write_atomically(figure, png(layer_figure(found)))
    return [page, figure]
