"""The demonstration: a survey of trained models whose weights ship in packages, on real inputs, and its report."""

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from dobrushin import packaged
from dobrushin.errors import FetchError, InputError
from dobrushin.files import write_atomically
from dobrushin.packaged import PackagedModel
from dobrushin.report.run import Run, read_run
from dobrushin.report.write import write_report
from dobrushin.survey import run
from dobrushin.survey.manifest import read_manifest

TITLE = "Attention of trained transformers against the Dobrushin bound"

DEFAULT_MODELS = ("minilm", "dinov2")

PAPER = {
    "dinov2": "The paper (abstract; its inputs and weights are not known) says of DINOv2 in three sizes: tight for "
    "essentially every input at every layer with content tokens, 82–97% with special tokens included.",
    "minilm": "The paper (abstract) does not treat this model; of RoBERTa and DistilBERT it says: essentially every "
    "input-layer pair with content tokens, 82–97% with special tokens included.",
}

_PART = {"image": 12, "text": 100}
"""Inputs in one part of the survey: the bar moves after each, and batches of texts of one length are formed within."""

Announce = Callable[[str], None]
"""Told what is going on, a sentence at a time."""

Progress = Callable[[str, int, int], None]
"""Told the model's key, how many inputs are done, and how many there are."""


@dataclass(frozen=True)
class Demonstration:
    """What came out.

    Attributes:
        runs: one survey per model, summarised.
        notes: for each, sentences about how it was made.
        missing: the models that could not be fetched, and why.
        files: what was written.
    """

    runs: tuple[Run, ...]
    notes: tuple[tuple[str, ...], ...]
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
    """Survey the packaged models, and write a page and figures about them.

    Args:
        out: folder for ``report.html``, ``figures/``, and the survey of each model in a folder called like it, which
            takes the place of an earlier one.
        models: keys of :func:`dobrushin.packaged.models`.
        inputs: a folder of images (for the models that take images) or a text file with one sentence a line (for
            those that take text) instead of the packaged inputs.
        limit: at most so many inputs for each model.
        batch_size: at most so many inputs in one forward pass.
        announce: called with progress messages.
        progress: called after each part.

    Raises:
        InputError: unknown model, or inputs that can not be used.
        FetchError: no model at all could be fetched.
    """
    chosen = [packaged.model(key) for key in dict.fromkeys(models)]
    _refuse_unwritable(out)
    own = _kind_of(inputs, chosen) if inputs is not None else None
    runs: list[Run] = []
    notes: list[tuple[str, ...]] = []
    missing: list[str] = []
    for model in chosen:
        where = str(inputs.resolve()) if inputs is not None and model.kind == own else None
        try:
            found, said = _survey(model, out / model.key, where, limit, batch_size, announce, progress)
        except FetchError as error:
            missing.append(str(error))
            announce(f"{model.title} is left out: {error}")
            continue
        runs.append(found)
        notes.append(said)
    if not runs:
        raise FetchError("; ".join(missing))
    files = write_report(runs, out, title=TITLE, notes=notes)
    verdicts = [found.path / "verdicts.parquet" for found in runs]
    return Demonstration(tuple(runs), tuple(notes), tuple(missing), (*verdicts, *files))


def _refuse_unwritable(out: Path) -> None:
    """Find out before the work, not after it."""
    probe = out / ".writable"
    write_atomically(probe, "")
    probe.unlink()


def _kind_of(inputs: Path, chosen: Sequence[PackagedModel]) -> str:
    """What kind of model takes the user's inputs."""
    if inputs.exists() and not (inputs.is_dir() or inputs.is_file()):
        raise InputError(f"{inputs} is neither a folder of images nor an ordinary text file")
    kind = "image" if inputs.is_dir() else "text"
    if not any(model.kind == kind for model in chosen):
        raise InputError(
            f"{inputs} is a {'folder of images' if kind == 'image' else 'file'}, but no model takes {kind}s"
        )
    return kind


def _survey(
    model: PackagedModel,
    folder: Path,
    where: str | None,
    limit: int | None,
    batch_size: int,
    announce: Announce,
    progress: Progress,
) -> tuple[Run, tuple[str, ...]]:
    announce(f"{model.key}: loading {model.title} from {model.wheel.requirement}")
    notes = []
    if model.verify is not None:
        # The model was rebuilt from a graph: prove that it computes what the graph computes.
        announce(f"{model.key}: comparing the rebuilt model with the shipped graph")
        notes.append(model.verify(model.load()))
    _clear(folder)
    started = time.monotonic()
    run(
        out=folder,
        model=model.key,
        inputs=where or _inputs_of(model),
        limit=limit if where or (limit and limit < model.count) else model.count,
        batch_size=batch_size,
        part_size=_PART[model.kind],
        workers=1,
        on_event=lambda event: progress(model.key, event.inputs_done, event.inputs),
    )
    seconds = time.monotonic() - started
    found = read_run(folder)
    totals = [found.layers.groups[None, rule] for rule in found.layers.rules]
    verdicts = sum(group.share.maps for group in totals)
    if not verdicts:
        raise InputError(f"no input has two {model.kind} tokens to compare, so there is no verdict; give longer inputs")
    exact = sum(group.exact_stage for group in totals)
    notes.append(
        f"{verdicts} verdicts and the chain of bounds in {seconds:.0f} s (model and checks); "
        f"{exact} needed the exact comparison."
    )
    if model.key in PAPER:
        notes.append(PAPER[model.key])
    return found, tuple(notes)


def _inputs_of(model: PackagedModel) -> str:
    if model.where is None:
        raise InputError(f"{model.key} has no packaged inputs: name your own with --inputs")
    return model.where


def _clear(folder: Path) -> None:
    """Make room for a new survey where an earlier demonstration has left one; other folders are not touched."""
    if folder.exists():
        holds = folder.is_dir() and any(not entry.name.startswith(".") for entry in folder.iterdir())
        if not folder.is_dir() or (holds and read_manifest(folder) is None):
            raise InputError(f"{folder} is there and no survey: choose another folder with --out")
        shutil.rmtree(folder)
