"""Weights from files: safetensors first, a pickle only when it holds nothing but tensors, loaded strictly."""

import json
import pickle
import re
import struct
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from logging import CRITICAL
from pathlib import Path
from typing import Any

from dobrushin.errors import InputError

SAFE, SAFE_INDEX = "model.safetensors", "model.safetensors.index.json"
PICKLE, PICKLE_INDEX = "pytorch_model.bin", "pytorch_model.bin.index.json"
LAYOUTS = (SAFE, SAFE_INDEX, PICKLE, PICKLE_INDEX)
"""The names that weights are looked for under, in this order: one file, or the index of several."""

_MAY_BE_MISSING = re.compile(r"^(vision_model\.)?pooler\.")
"""A pooler reads the last layer's output: no attention depends on it, and many checkpoints leave it out."""

_MAY_BE_SURPLUS = re.compile(
    # heads on top of the encoder, by the names of the library's own classes
    r"^(cls|lm_head|embed_out|score|classifier|pre_classifier|cls_classifier|distillation_classifier|qa_outputs"
    r"|predictions|sop_classifier|vocab_transform|vocab_layer_norm|vocab_projector|generator_predictions"
    r"|generator_lm_head|discriminator_predictions|pooler)\."
    # the other half of CLIP
    r"|^text_model\.|^(text_projection|visual_projection)\.weight$|^logit_scale$"
    # constants that older releases stored beside the weights
    r"|(^|\.)position_ids$|\.attn\.(masked_)?bias$|\.rotary_emb\.inv_freq$"
)


def weight_files(folder: Path) -> list[Path]:
    """The files that hold the weights of a folder in the ``transformers`` layout.

    Raises:
        InputError: there are none, or an index is damaged, or names a file that is missing or outside the folder.
    """
    for layout in LAYOUTS:
        path = folder / layout
        if path.is_file():
            return _shards(path) if layout.endswith(".json") else [path]
    raise InputError(f"{folder} holds no weights: one of {', '.join(LAYOUTS)} is needed")


def _shards(index: Path) -> list[Path]:
    content = read_json(index)
    names = content.get("weight_map")
    if not isinstance(names, dict) or not names:
        raise InputError(f"{index} has no weight_map: it is no index of weights")
    files = []
    for name in sorted({str(name) for name in names.values()}):
        path = index.parent / name
        if Path(name).name != name:
            raise InputError(f"{index} names {name}, which is not a file beside it: it was not opened")
        if not path.is_file():
            raise InputError(f"{index} names {name}, which is missing: complete the folder")
        files.append(path)
    return files


def read_weights(folder: Path) -> dict[str, Any]:
    """All tensors of a folder by name, on the CPU.

    Raises:
        InputError: as :func:`weight_files`; a file is damaged; a pickle holds more than tensors.
    """
    state: dict[str, Any] = {}
    for path in weight_files(folder):
        part = _safe(path) if path.suffix == ".safetensors" else _pickled(path)
        if twice := state.keys() & part.keys():
            raise InputError(f"{path} holds {min(twice)}, which another file of the folder holds too")
        state |= part
    return state


def _safe(path: Path) -> dict[str, Any]:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(path)
    except (SafetensorError, OSError) as error:
        raise InputError(f"{path} is no intact safetensors file ({_one_line(error)}): fetch it again") from error


def _pickled(path: Path) -> dict[str, Any]:
    """A pickle can run code when it is read, unless only tensors are let through."""
    import torch

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about old pickle protocols
            content = torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, struct.error, LookupError, RuntimeError, EOFError, OSError, ValueError, TypeError,
            AttributeError, AssertionError) as error:  # fmt: skip
        raise InputError(
            f"{path} is damaged or holds more than tensors, and a pickle that does can run code: it was not loaded; "
            "convert it to safetensors"
        ) from error
    if not isinstance(content, dict) or not all(isinstance(value, torch.Tensor) for value in content.values()):
        raise InputError(f"{path} is no state dict of tensors: convert it to safetensors")
    return content


def into_model(
    architecture: Any, config: Any, state: Mapping[str, Any], *, dtype: Any, name: str
) -> tuple[Any, list[str]]:
    """The model of that ``transformers`` class with exactly these weights, in eval mode, and the keys it leaves out.

    Raises:
        InputError: no model can be built from the configuration; a weight is of integers, whose scale is unknown; or it
            is missing, has no place, or has another shape; heads and poolers on top of the encoder excepted, which do
            not reach its attention.
    """
    try:
        with _quiet():
            model, report = architecture.from_pretrained(
                None,
                config=config,
                state_dict=dict(state),
                dtype=dtype,
                output_loading_info=True,
                # Reported below; without it the library raises several lines.
                ignore_mismatched_sizes=True,
            )
    except (ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, RuntimeError, TypeError,
            ValueError) as error:  # fmt: skip
        raise InputError(
            f"no {architecture.__name__} can be built from the configuration of {name} "
            f"({type(error).__name__}: {_one_line(error)[:300]}): correct its config.json, or fetch it again"
        ) from error
    used = tuple(key for key, _ in model.named_parameters())
    if integers := sorted(key for key, value in state.items() if key.endswith(used) and not value.is_floating_point()):
        kind = str(state[integers[0]].dtype).removeprefix("torch.")
        raise InputError(
            f"the weights of {name} hold {integers[0]} as {kind}: numbers that were quantised can not be used without "
            "their scale; take the weights before quantisation"
        )
    missing = [key for key in report["missing_keys"] if not _MAY_BE_MISSING.search(key)]
    surplus = [key for key in report["unexpected_keys"] if not _MAY_BE_SURPLUS.search(key)]
    shapes = [entry if isinstance(entry, str) else entry[0] for entry in report["mismatched_keys"]]
    problems = {"missing": missing, "unexpected": surplus, "of another shape": shapes}
    found = "; ".join(f"{what}: {', '.join(sorted(keys)[:3])}" for what, keys in problems.items() if keys)
    if found or report.get("error_msgs"):
        raise InputError(
            f"the weights of {name} do not fit {architecture.__name__} ({found or 'they can not be copied'}): fetch or "
            "save it again, with the config.json that belongs to them"
        )
    return model.eval(), sorted(report["unexpected_keys"])


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file; :class:`~dobrushin.errors.InputError` when it is missing or none."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} can not be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON ({_one_line(error)}): fetch it again") from error
    if not isinstance(content, dict):
        raise InputError(f"{path} holds no JSON object: fetch it again")
    return content


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the library's report and bars: what matters of them is said by :func:`into_model`."""
    from transformers.utils import logging

    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity(CRITICAL)
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]
