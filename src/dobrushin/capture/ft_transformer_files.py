"""A trained FT-Transformer as a folder: configuration, weights, preprocessing, and nothing that could run code.

``config.json`` is written last and holds the SHA-256 of the other two files, so a folder that was written in part
or put together from two trainings is refused.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dobrushin.capture.ft_transformer import TableTransformer
from dobrushin.capture.hooks import as_device, as_dtype, optional_module
from dobrushin.capture.table_preprocessing import TablePreprocessing
from dobrushin.errors import InputError
from dobrushin.files import write_atomically

CONFIG, WEIGHTS, PREPROCESSING = "config.json", "model.safetensors", "preprocessing.json"

_FORMAT = "dobrushin FT-Transformer 1"


def build_ft_transformer(preprocessing: TablePreprocessing, arguments: Mapping[str, Any]) -> Any:
    """A new ``FTTransformer`` for the columns of the preprocessing, with random weights.

    Args:
        preprocessing: fixes the number of numerical columns and the cardinalities.
        arguments: the other arguments of ``rtdl_revisiting_models.FTTransformer``, at least ``d_out`` and those
            of ``FTTransformer.get_default_kwargs``.

    Raises:
        InputError: the library refuses the arguments.
        IncompleteError: rtdl_revisiting_models is not installed.
    """
    library = optional_module("rtdl_revisiting_models", extra="tabular", purpose="FT-Transformer")
    try:
        return library.FTTransformer(
            n_cont_features=len(preprocessing.numerical), cat_cardinalities=preprocessing.cardinalities, **arguments
        )
    except (TypeError, ValueError, KeyError, RuntimeError, ArithmeticError, AssertionError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"no FT-Transformer can be built from the arguments {dict(arguments)} ({reason})") from error


def save_ft_transformer(
    folder: str | Path, model: Any, preprocessing: TablePreprocessing, config: Mapping[str, Any]
) -> None:
    """Save a trained model; :func:`open_ft_transformer` opens it.

    Args:
        folder: made when it does not exist; older files of the same names are replaced.
        model: the ``FTTransformer``.
        preprocessing: what the model was trained with.
        config: JSON-able; ``config["arguments"]`` is what :func:`build_ft_transformer` takes, ``config["name"]``
            (optional) what results call the model, and anything else, e.g. the data and the training, is kept.

    Raises:
        InputError: ``arguments`` build another model than this one; a value is no JSON; the folder can not be
            written to.
    """
    from safetensors.torch import save

    weights = {key: value.detach().cpu().contiguous() for key, value in model.state_dict().items()}
    rebuilt = build_ft_transformer(preprocessing, config.get("arguments", {}))
    _load_strictly(rebuilt, weights, "config['arguments'] does not describe the model")
    contents = {WEIGHTS: save(weights), PREPROCESSING: preprocessing.to_json().encode()}
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in contents.items()}
    try:
        text = json.dumps({"format": _FORMAT, **config, "sha256": digests}, indent=1, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"the configuration of the model can not be written as JSON: {error}") from error
    target = Path(folder)
    for name, data in contents.items():
        write_atomically(target / name, data)
    write_atomically(target / CONFIG, text + "\n")


def open_ft_transformer(
    folder: str | Path, *, device: str = "cpu", dtype: str | None = None, name: str = ""
) -> TableTransformer:
    """Open a saved model in eval mode; rows of a table are its inputs.

    Args:
        folder: what :func:`save_ft_transformer` wrote.
        device: a torch device, e.g. ``cpu`` or ``cuda:0``.
        dtype: float16, bfloat16, float32 or float64; default: as saved.
        name: what results call the model; default: the configuration's, else the folder's name.

    Raises:
        InputError: a file is missing or damaged, or belongs to another training.
        IncompleteError: rtdl_revisiting_models is not installed.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load

    source = Path(folder)
    config = read_ft_transformer_config(source)
    data = {part: _checked(source / part, config) for part in (WEIGHTS, PREPROCESSING)}
    try:
        text, weights = data[PREPROCESSING].decode(), load(data[WEIGHTS])
    except (UnicodeDecodeError, SafetensorError) as error:
        raise InputError(f"{source} holds a file that can not be read ({error}): save the model anew") from error
    preprocessing = TablePreprocessing.from_json(text, source=str(source / PREPROCESSING))
    model = build_ft_transformer(preprocessing, config["arguments"])
    _load_strictly(model, weights, f"{source / WEIGHTS} does not fit {CONFIG}")
    model = model.eval().to(device=as_device(device), dtype=as_dtype(dtype))
    title = name or str(config.get("name") or source.resolve().name)
    provenance = {"folder": str(source.resolve()), "weights_sha256": config["sha256"]}
    return TableTransformer(model, preprocessing, name=title, provenance=provenance)


def read_ft_transformer_config(folder: str | Path) -> dict[str, Any]:
    """The configuration of a saved model: ``arguments``, ``sha256`` by file, and what the training added.

    Raises:
        InputError: the folder holds no such configuration.
    """
    path = Path(folder) / CONFIG
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"{path} can not be read: {error.strerror}; name a folder with a saved FT-Transformer"
        ) from error
    except ValueError as error:
        raise InputError(f"{path} is no JSON ({error}): save the model anew") from error
    if not isinstance(config, dict) or config.get("format") != _FORMAT:
        raise InputError(f"{path} is no configuration of a saved FT-Transformer: its format is not {_FORMAT!r}")
    for key in ("arguments", "sha256"):
        if not isinstance(config.get(key), dict):
            raise InputError(f"{path} has no {key}: save the model anew")
    return config


def _checked(path: Path, config: Mapping[str, Any]) -> bytes:
    """A file's bytes, which have to be those that the configuration was saved with."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} can not be read: {error.strerror}; save the model anew") from error
    if hashlib.sha256(data).hexdigest() != config["sha256"].get(path.name):
        raise InputError(f"{path} is not the file that {CONFIG} was saved with: save the model anew")
    return data


def _load_strictly(model: Any, weights: Mapping[str, Any], complaint: str) -> None:
    try:
        model.load_state_dict(weights, strict=True)
    except RuntimeError as error:
        reason = " ".join(str(error).split()).removeprefix("Error(s) in loading state_dict for FTTransformer: ")
        raise InputError(f"{complaint} ({reason[:300]})") from error
