"""Vision transformers of timm by name, from a local folder, or from the hub at a pinned revision.

Weights always come from a folder in the layout that timm publishes (``config.json`` and ``model.safetensors``).  A
hub id is first looked for among the files that are here already, so nothing is asked of the network twice.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dobrushin.capture.hooks import as_device, as_dtype, optional_module
from dobrushin.capture.timm_vision import TimmVisionTransformer
from dobrushin.errors import FetchError, InputError

MODULES = ("vision_transformer", "deit", "eva")
"""The files of timm whose architectures have the plain blocks that can be observed."""

CONFIG, WEIGHTS = "config.json", "model.safetensors"


def open_timm(
    name_or_folder: str | Path,
    *,
    device: str = "cpu",
    dtype: str | None = None,
    pretrained: bool = True,
    revision: str | None = None,
    offline: bool | None = None,
    name: str = "",
    **options: Any,
) -> TimmVisionTransformer:
    """Open a vision transformer of timm in eval mode; images of any whole number of patches are its inputs.

    Args:
        name_or_folder: a name of timm's list, with or without a tag (``vit_small_patch14_dinov2.lvd142m``); a hub
            id ``OWNER/NAME[@REVISION]``, also after ``hf-hub:``; or a folder with ``config.json`` and
            ``model.safetensors``, also after ``local-dir:``.
        device: a torch device, e.g. ``cpu`` or ``cuda:0``.
        dtype: float16, bfloat16, float32 or float64; default: as made.
        pretrained: False gives random weights, for tests of a name.
        revision: a commit, tag or branch of the hub; ignored by a folder.
        offline: True asks nothing of the network; by default files that are here are taken as they are, and only
            missing ones are asked for.
        name: what results call the model.
        options: passed on to ``timm.create_model``; ``dynamic_img_size`` is True unless given.

    Raises:
        InputError: no such name or folder; an architecture whose attention can not be observed; weights that do
            not fit, or are damaged.
        FetchError: the hub does not give the files.
        IncompleteError: timm is not installed.
    """
    timm = optional_module("timm", extra="timm", purpose="a timm model")
    given, place, model_dtype = str(name_or_folder), as_device(device), as_dtype(dtype)
    if pretrained:
        folder = timm_folder(given, revision=revision, offline=offline)
        architecture, source = _architecture(folder), f"local-dir:{folder}"
    else:
        architecture = source = given
    _check_architecture(timm, architecture)
    try:
        model = timm.create_model(source, pretrained=pretrained, **{"dynamic_img_size": True, **options})
    except Exception as error:
        # timm and torch raise many kinds of errors for a damaged file or an unknown option.
        reason = (" ".join(str(error).split()) or type(error).__name__)[:300]
        raise InputError(f"{given} can not be opened by timm ({reason})") from error
    _check_classifier(model, given)
    # Without pretrained weights the configuration still names those that there could be.
    title = name or ("" if pretrained else f"{given} with random weights")
    provenance = {"versions": {"timm": timm.__version__}, "architecture": architecture}
    if pretrained:
        provenance |= _origin(folder, model.pretrained_cfg)
    model = model.eval().to(device=place, dtype=model_dtype)
    return TimmVisionTransformer(model, name=title, provenance=provenance)


def timm_folder(name_or_folder: str, *, revision: str | None = None, offline: bool | None = None) -> Path:
    """The folder with the configuration and the weights of a pretrained model; for a hub id that of its snapshot.

    Raises:
        InputError, FetchError, IncompleteError: as for :func:`open_timm`.
    """
    local = name_or_folder.removeprefix("local-dir:")
    if Path(local).is_dir():
        return _complete(Path(local))
    if local != name_or_folder or local.startswith((".", "/", "~")) or local.count("/") > 1:
        raise InputError(f"{local} is no folder: name one with {CONFIG} and {WEIGHTS}, or a name of timm's list")
    identifier, _, pinned = name_or_folder.removeprefix("hf-hub:").partition("@")
    if "/" not in identifier:
        identifier = _hub_id(identifier)
    return _snapshot(identifier, revision or pinned or None, bool(offline))


def _hub_id(name: str) -> str:
    """Where the hub keeps the weights of a name of timm's list."""
    timm = optional_module("timm", extra="timm", purpose="a timm model")
    _check_architecture(timm, name)
    try:
        config = timm.models.get_pretrained_cfg(name)
    except RuntimeError as error:
        tags = timm.list_pretrained(f"{name.partition('.')[0]}.*")
        raise InputError(f"timm knows no weights {name}: choose one of {', '.join(tags)}") from error
    if config is None or not config.hf_hub_id:
        raise InputError(f"timm has no weights for {name}: name a folder, or pass pretrained=False")
    return str(config.hf_hub_id)


def _snapshot(identifier: str, revision: str | None, offline: bool) -> Path:
    """The hub's files of one revision, from this machine's cache when they are there."""
    hub = optional_module("huggingface_hub", extra="timm", purpose="a model of the hub")
    errors = optional_module("huggingface_hub.errors", extra="timm", purpose="a model of the hub")
    for local_only in (True,) if offline else (True, False):
        try:
            folder = hub.snapshot_download(
                identifier, revision=revision, allow_patterns=[CONFIG, WEIGHTS], local_files_only=local_only
            )
            if not local_only or all((Path(folder) / name).is_file() for name in (CONFIG, WEIGHTS)):
                return _complete(Path(folder))
        except errors.LocalEntryNotFoundError as error:
            missing = error
        except errors.HFValidationError as error:
            raise InputError(f"{identifier} is no hub id: {' '.join(str(error).split())}") from error
        except errors.RepositoryNotFoundError as error:
            raise InputError(f"the hub has no public model {identifier}") from error
        except errors.RevisionNotFoundError as error:
            raise InputError(f"the model {identifier} has no revision {revision}") from error
        except (OSError, RuntimeError) as error:
            missing = error
    reason = "offline was asked for" if offline else (" ".join(str(missing).split()) or type(missing).__name__)[:200]
    raise FetchError(f"the files of {identifier} are not on this machine and can not be fetched ({reason})")


def _complete(folder: Path) -> Path:
    for name in (CONFIG, WEIGHTS):
        if not (folder / name).is_file():
            raise InputError(
                f"{folder} has no {name}: a folder in the layout of timm's hub models is needed, "
                "as save_for_hf(model, folder, safe_serialization=True) writes it"
            )
    return folder


def _architecture(folder: Path) -> str:
    """The architecture that the configuration of a folder names."""
    path = folder / CONFIG
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
        return str(config["architecture"])
    except (OSError, ValueError) as error:
        raise InputError(f"{path} can not be read as JSON ({error})") from error
    except (KeyError, TypeError) as error:
        raise InputError(
            f"{path} names no architecture: it is no model of timm; try the folder without timm:"
        ) from error


def _origin(folder: Path, config: Mapping[str, Any]) -> dict[str, Any]:
    """Where weights are from: their digest, the licence, and the commit when the folder is a snapshot of the hub."""
    with (folder / WEIGHTS).open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    origin: dict[str, Any] = {"weights_sha256": {WEIGHTS: digest}, "licence": config.get("license")}
    if folder.parent.name == "snapshots":
        repository = folder.parent.parent.name.removeprefix("models--").replace("--", "/")
        return {**origin, "repository": repository, "revision": folder.name}
    return {**origin, "folder": str(folder.resolve())}


def _check_architecture(timm: Any, name: str) -> None:
    """Refuse before anything is built or fetched."""
    if not timm.models.is_model(name):
        raise InputError(f"timm {timm.__version__} knows no architecture {name}: timm.list_models('vit*') lists them")
    if not timm.models.is_model_in_modules(name, MODULES):
        module = timm.models.model_entrypoint(name).__module__.removeprefix("timm.models.")
        raise InputError(
            f"{name} is of timm's {module}, whose blocks are not known to take one softmax over all tokens (windowed "
            f"and linear attention has no such map): choose a model of {', '.join(MODULES)}"
        )


def _check_classifier(model: Any, given: str) -> None:
    """Refuse: timm loads without strictness when these differ, and would leave missing layers at random values."""
    declared = model.pretrained_cfg.get("num_classes")
    if declared is not None and declared != model.num_classes:
        raise InputError(
            f"{given} has {model.num_classes} classes, but its weights {declared}: leave the classifier as it was saved"
        )
