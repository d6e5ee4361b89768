"""``manifest.json``: what was run on what, with what; and whether another run may go on in the same folder."""

import json
import platform
import subprocess
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from dobrushin import __version__
from dobrushin.errors import InputError
from dobrushin.files import write_atomically

FORMAT = "dobrushin survey 1"
NAME = "manifest.json"

_IDENTITY = ("format", "model", "inputs", "configuration", "units", "versions")
"""What the results depend on.  Shards of one survey agree in it."""

_PACKAGES = ("numpy", "torch", "transformers", "tokenizers", "timm", "numba", "pyarrow", "rtdl_revisiting_models")


def new_manifest(
    *, model: Mapping[str, Any], inputs: Mapping[str, Any], configuration: Mapping[str, Any], shard: str, units: int
) -> dict[str, Any]:
    """The manifest of a survey that starts now.

    Args:
        model: title, spec, kind and provenance.
        inputs: title, where, count and fingerprint.
        configuration: the options.
        shard: as ``i/N``.
        units: of all shards together.

    Raises:
        InputError: what a model of the user's own says of itself is no JSON.
    """
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "status": "incomplete",
        "model": dict(model),
        "inputs": dict(inputs),
        "configuration": dict(configuration),
        "shard": shard,
        "units": units,
        "versions": versions(),
        "git": git_revision(),
    }
    try:
        return dict(json.loads(json.dumps(manifest, allow_nan=False)))
    except (TypeError, ValueError) as error:
        raise InputError(
            f"the provenance of the model {model['spec']} can not be written to {NAME} ({error}): keep texts and "
            "finite numbers in it"
        ) from error


def versions() -> dict[str, str]:
    """Versions of this software, of Python and of the libraries that results can depend on; and the machine's kind."""
    found = {"dobrushin": __version__, "python": platform.python_version(), "machine": platform.machine()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def git_revision() -> str | None:
    """The commit of the checkout that this software runs from, with ``+changes`` when files differ; None otherwise."""
    here = Path(__file__).resolve().parent
    try:
        commit = _git(here, "rev-parse", "HEAD").strip()
        tracked = _git(here, "ls-files", "--error-unmatch", __file__).strip()
        changed = _git(here, "status", "--porcelain", "--untracked-files=no", "--", str(here.parent))
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return commit + ("+changes" if changed.strip() else "") if tracked else None


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write it whole or not at all."""
    write_atomically(folder / NAME, json.dumps(manifest, indent=1, ensure_ascii=False, sort_keys=True) + "\n")


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of a folder; None when it has none.

    Raises:
        InputError: it can not be read, or is of another format.
    """
    path = folder / NAME
    if not path.exists():
        return None
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} can not be read ({error}): choose another folder") from error
    found = manifest.get("format") if isinstance(manifest, dict) else None
    if found != FORMAT:
        raise InputError(f"{path} has the format {found!r}, but this version writes {FORMAT!r}: choose another folder")
    return dict(manifest)


def refuse_other(folder: Path, before: Mapping[str, Any], now: Mapping[str, Any], *, shards: bool = True) -> None:
    """Refuse to mix two surveys, and show in what they differ.

    Args:
        folder: of the first, for the message.
        before: the manifest that is there.
        now: the manifest of what is asked for.
        shards: whether the shards have to be the same too.

    Raises:
        InputError: they differ.
    """
    keys = (*_IDENTITY, "shard") if shards else _IDENTITY
    found = [line for key in keys for line in differences(key, before.get(key), now.get(key))]
    if found:
        shown = "; ".join(found[:6]) + (f"; and {len(found) - 6} more" if len(found) > 6 else "")
        raise InputError(
            f"{folder} holds another survey ({shown}): ask for the same again to go on, or choose another folder"
        )


def differences(name: str, before: Any, now: Any) -> Iterator[str]:
    """The leaves in which two JSON values differ, as ``name: before → now``.

    >>> list(differences("a", {"b": 1, "c": 2}, {"b": 1, "c": 3}))
    ['a.c: 2 → 3']
    """
    if isinstance(before, dict) and isinstance(now, dict):
        for key in sorted({*before, *now}):
            yield from differences(f"{name}.{key}", before.get(key), now.get(key))
    elif before != now:
        yield f"{name}: {_shown(before)} → {_shown(now)}"


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:39] + "…"
