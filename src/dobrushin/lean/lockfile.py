"""Lock files: JSON that people read in a diff, sealed with a digest so that an edit by hand is noticed."""

import hashlib
import json
from pathlib import Path
from typing import Any

from dobrushin.lean.refusal import RefusedError

_SEAL = "sealed"


def render(content: dict[str, Any]) -> str:
    """The text of a lock file: the content and its seal."""
    return json.dumps({**content, _SEAL: _seal(content)}, indent=1, ensure_ascii=False) + "\n"


def read(path: Path, gate: str) -> dict[str, Any]:
    """The content of a lock file.

    Raises:
        RefusedError: there is none (``lock-missing``), or it is not what was sealed (``lock-tampered``).
    """
    shown = f"proofs/{path.name}"
    if not path.is_file():
        raise RefusedError(gate, "lock-missing", shown, "there is no lock; make prove-lock writes it")
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        seal = content.pop(_SEAL)
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise RefusedError(gate, "lock-tampered", shown, "it is no sealed JSON; run make prove-lock") from error
    if seal != _seal(content):
        raise RefusedError(
            gate, "lock-tampered", shown, "it was edited by hand; only make prove-lock, which shows the diff, writes it"
        )
    return dict(content)


def _seal(content: dict[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
