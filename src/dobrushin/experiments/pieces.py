"""Finished pieces of a long run, one JSON file each, so that a run that was stopped goes on where it was."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dobrushin.errors import InputError
from dobrushin.files import write_atomically


class Pieces:
    """The pieces of one configuration in one folder.

    Args:
        folder: made when the first piece is kept.
        config: what the pieces depend on; as JSON.

    Raises:
        InputError: the folder holds pieces of another configuration, which is shown.
    """

    def __init__(self, folder: Path, config: dict[str, Any]) -> None:
        self._folder = folder
        self._config = config
        known = folder / "config.json"
        if known.exists():
            _refuse_other(folder, _loaded(known), config)

    def get(self, name: str, compute: Callable[[], Any]) -> Any:
        """The piece called ``name``: what was kept, or what ``compute`` returns now (JSON-able), which is kept."""
        path = self._folder / "pieces" / _file_name(name)
        if path.exists():
            return _loaded(path)
        value = compute()
        if not (self._folder / "config.json").exists():
            write_atomically(self._folder / "config.json", json.dumps(self._config, indent=1))
        write_atomically(path, json.dumps(value))
        return value


def _file_name(name: str) -> str:
    """Readable, and different for different names."""
    readable = re.sub(r"[^A-Za-z0-9.=-]+", "_", name)
    return f"{readable[:80]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}.json"


def _loaded(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is damaged ({error}): remove it, and it is computed again") from error


def _refuse_other(folder: Path, before: dict[str, Any], now: dict[str, Any]) -> None:
    now = json.loads(json.dumps(now))
    changed = [key for key in sorted({*before, *now}) if before.get(key) != now.get(key)]
    if changed:
        key = changed[0]
        raise InputError(
            f"{folder} holds pieces of another configuration ({key} was {before.get(key)}, is {now.get(key)}): "
            "remove it or name another --work"
        )
