"""A model in a folder of the ``transformers`` layout: configuration, weights, and a tokenizer or a normalisation.

Nothing is fetched, no code of the folder is run, and nothing is guessed that a file has to say.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from dobrushin.capture import Adapter, Decoder, TextEncoder, VisionTransformer
from dobrushin.capture.decoder import FAMILIES as DECODERS
from dobrushin.capture.text import FAMILIES as ENCODERS
from dobrushin.capture.vision import PREFIX
from dobrushin.errors import InputError
from dobrushin.sources.weights import into_model, read_json, read_weights, weight_files
from dobrushin.wheels import sha256_of

_TOKENIZER_FILES = ("tokenizer.json", "vocab.txt", "vocab.json", "tokenizer.model", "spiece.model",
                    "sentencepiece.bpe.model")  # fmt: skip
_TOKENIZER_SETTINGS = ("added_tokens.json", "merges.txt", "special_tokens_map.json", "tokenizer_config.json")
_RESCALE = 1 / 255
_CLIP = "clip"
"""The ``model_type`` of both towers together; only the vision tower is taken."""


@dataclass(frozen=True)
class Folder:
    """A folder whose configuration was read and whose family is known.

    Attributes:
        path: the folder.
        config: what ``config.json`` holds.
        kind: ``text`` or ``image``, what the model takes.
        files: where the weights are.
    """

    path: Path
    config: dict[str, Any]
    kind: Literal["text", "image"]
    files: Sequence[Path]

    def provenance(self) -> dict[str, Any]:
        """The family, the licence that the folder's card states, and the SHA-256 of what the results depend on."""
        return {
            "family": self.config["model_type"],
            "licence": _licence(self.path),
            "config_sha256": sha256_of(self.path / "config.json"),
            "weights_sha256": {path.name: sha256_of(path) for path in self.files},
            "tokenizer_sha256": {
                name: sha256_of(self.path / name)
                for name in (*_TOKENIZER_FILES, *_TOKENIZER_SETTINGS)
                if self.kind == "text" and (self.path / name).is_file()
            },
        }


def inspect(path: Path) -> Folder:
    """Read the configuration of a folder and find its weights, without loading them.

    Raises:
        InputError: there is no configuration, or no weights; the family is unknown; the folder asks for code of
            its own, or holds only an addition to another model.
    """
    if not path.is_dir():
        raise InputError(f"{path} is {'not a folder' if path.exists() else 'missing'}: name a folder with config.json")
    if not (path / "config.json").is_file():
        adapter = (path / "adapter_config.json").is_file()
        what = (
            "only changes to another model (adapter_config.json): merge them first"
            if adapter
            else ("no config.json: name a folder as save_pretrained of transformers writes it")
        )
        raise InputError(f"{path} holds {what}")
    for name in ("config.json", "tokenizer_config.json", "preprocessor_config.json"):
        if (path / name).is_file() and "auto_map" in read_json(path / name):
            raise InputError(f"{path / name} asks for code of its own (auto_map), which is never run: remove the entry "
                             "if the classes of transformers are meant")  # fmt: skip
    config = read_json(path / "config.json")
    return Folder(path, config, _kind(path, config.get("model_type")), weight_files(path))


def open_folder(
    folder: Folder, *, name: str, device: str, dtype: str, max_tokens: int | None
) -> tuple[Adapter, dict[str, Any]]:
    """Load the model of a folder strictly; return its adapter and what is to be said about the loading.

    Args:
        folder: what :func:`inspect` returned.
        name: what results call the model.
        device: as torch names it, e.g. ``cpu`` or ``cuda:0``.
        dtype: ``float16``, ``bfloat16``, ``float32`` or ``float64``, which the weights are cast to.
        max_tokens: texts are cut off after so many tokens.

    Raises:
        InputError: a file is missing, damaged or says too little, or the weights do not fit the architecture.
    """
    import torch

    state = read_weights(folder.path)
    stored = sorted({str(value.dtype).removeprefix("torch.") for value in state.values() if value.is_floating_point()})
    architecture, config = _architecture(folder)
    model, left_out = into_model(architecture, config, state, dtype=getattr(torch, dtype), name=name)
    model.to(device)
    said = {"dtype_stored": stored, "left_out": left_out, "versions": _versions()}
    if folder.kind == "image":
        mean, std = _normalisation(folder.path)
        return VisionTransformer(model, mean=mean, std=std, name=name), said | {"mean": mean, "std": std}
    tokenizer = _tokenizer(folder.path)
    if model.config.model_type in DECODERS:
        return Decoder(model, tokenizer, name=name, max_tokens=max_tokens), said
    return TextEncoder(model, tokenizer, name=name, max_tokens=max_tokens), said


def image_size(path: Path) -> int | None:
    """The side in pixels of the square images that the folder's preprocessing makes; None when they are no squares."""
    content = read_json(path / "preprocessor_config.json")
    cropped = content.get("do_center_crop", "crop_size" in content)
    size = content.get("crop_size" if cropped else "size")
    if isinstance(size, dict):
        height, width = size.get("height"), size.get("width")
        size = size.get("shortest_edge") if height is None else height if height == width else None
    return size if isinstance(size, int) else None


def _kind(path: Path, family: Any) -> Literal["text", "image"]:
    if not isinstance(family, str | None):
        raise InputError(f"{path / 'config.json'} has the model_type {family!r}, which is no name: fetch it again")
    if family in PREFIX or family == _CLIP:
        return "image"
    if family in ENCODERS or family in DECODERS:
        return "text"
    known = ", ".join(sorted({*PREFIX, _CLIP, *ENCODERS, *DECODERS}))
    what = f"a {family} model, which was never tested here" if family else "a model of no stated family (model_type)"
    raise InputError(f"{path} holds {what}; choose one of {known}")


def _architecture(folder: Folder) -> tuple[Any, Any]:
    """The library's bare class for the configuration, and the configuration."""
    from huggingface_hub.errors import StrictDataclassError
    from transformers import CONFIG_MAPPING, MODEL_MAPPING, AutoConfig, CLIPVisionModel

    family = folder.config["model_type"]
    if family not in CONFIG_MAPPING:
        raise InputError(f"{folder.path} holds a {family} model, which transformers {version('transformers')} does not "
                         "have: install a release that has it")  # fmt: skip
    try:
        config = AutoConfig.from_pretrained(folder.path, local_files_only=True, trust_remote_code=False)
    except (StrictDataclassError, ValueError, TypeError, KeyError, AttributeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{folder.path / 'config.json'} is no configuration for transformers: {reason}") from error
    if family == _CLIP:
        return CLIPVisionModel, config.vision_config
    return MODEL_MAPPING[type(config)], config


def _tokenizer(path: Path) -> Any:
    from transformers import AutoTokenizer

    if not any((path / name).is_file() for name in _TOKENIZER_FILES):
        raise InputError(f"{path} holds no tokenizer: one of {', '.join(_TOKENIZER_FILES)} is needed")
    try:
        return AutoTokenizer.from_pretrained(str(path), local_files_only=True, trust_remote_code=False)
    except (ValueError, OSError, ImportError, KeyError, TypeError, AttributeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"the tokenizer of {path} can not be loaded ({reason}): add its tokenizer.json") from error


def _normalisation(path: Path) -> tuple[list[float], list[float]]:
    """Mean and standard deviation per channel, of pixels in [0, 1], as ``preprocessor_config.json`` says."""
    file = path / "preprocessor_config.json"
    if not file.is_file():
        raise InputError(f"{file} is missing: without it the normalisation of the images would be a guess")
    content = read_json(file)
    scale = content.get("rescale_factor", _RESCALE)
    if content.get("do_rescale", True) is not True or not isinstance(scale, float) or abs(scale - _RESCALE) > 1e-9:
        raise InputError(f"{file} does not scale pixels by 1/255 (do_rescale, rescale_factor), which is needed here")
    if content.get("do_normalize", True) is False:
        return [0.0] * 3, [1.0] * 3
    mean, std = content.get("image_mean"), content.get("image_std")
    for key, value in (("image_mean", mean), ("image_std", std)):
        if not (isinstance(value, list) and len(value) == 3 and all(isinstance(x, int | float) for x in value)):
            raise InputError(f"{file} states no {key} of three numbers, and the normalisation is never guessed")
        if not all(math.isfinite(x) and (x > 0 or key == "image_mean") for x in value):
            raise InputError(f"{file} has the {key} {value}: means have to be finite, standard deviations positive")
    assert isinstance(mean, list), "checked above"
    assert isinstance(std, list), "checked above"
    return mean, std


def _licence(path: Path) -> str | None:
    """The licence that the front matter of the model card states; None when there is none."""
    card = path / "README.md"
    if not card.is_file():
        return None
    front = re.match(r"---\n(.*?)\n---", card.read_text(encoding="utf-8", errors="replace"), re.DOTALL)
    stated = re.search(r"^license:\s*(\S+)\s*$", front[1], re.MULTILINE) if front else None
    return stated[1] if stated else None


def _versions() -> dict[str, str]:
    return {package: version(package) for package in ("torch", "transformers", "tokenizers", "safetensors")}
