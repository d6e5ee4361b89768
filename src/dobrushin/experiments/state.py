"""The state of a training run on disk, so that a run that was stopped goes on with the same numbers."""

import io
from pathlib import Path
from typing import Any

import numpy as np

from dobrushin.errors import InputError
from dobrushin.files import write_atomically


def save_state(path: Path, state: dict[str, Any]) -> None:
    """Write tensors and plain values, whole or not at all."""
    import torch

    buffer = io.BytesIO()
    torch.save(state, buffer)
    write_atomically(path, buffer.getvalue())


def load_state(path: Path) -> dict[str, Any] | None:
    """The saved state, or None when there is none; nothing in the file is run.

    Raises:
        InputError: the file is damaged.
    """
    import torch

    if not path.exists():
        return None
    try:
        state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        # torch raises errors of many kinds for damaged files.
        raise InputError(f"{path} is damaged: remove it, and the training starts again") from error
    return state


def seeded(*numbers: int) -> np.random.Generator:
    """A generator for one step of one run: what was drawn before does not matter, so resuming changes nothing."""
    return np.random.default_rng(list(numbers))


def snapshot_steps(total: int, count: int) -> list[int]:
    """Steps at which a model is kept: 0, then doubling up to ``total``, at most ``count`` of them.

    >>> snapshot_steps(800, 5)
    [0, 100, 200, 400, 800]
    """
    later = [total >> power for power in range(count - 1)]
    return sorted({0, total, *(step for step in later if step > 0)})
