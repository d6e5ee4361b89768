"""Folders in the transformers layout, with tiny models of random weights; and a machine without a network."""

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from dobrushin.testing import tiny_models

Save = Callable[..., Path]
PREPROCESSING = {
    "do_normalize": True, "do_rescale": True, "rescale_factor": 1 / 255, "image_mean": [0.5, 0.25, 0.125],
    "image_std": [0.5, 0.5, 0.25], "do_center_crop": True, "crop_size": {"height": 32, "width": 32},
    "size": {"shortest_edge": 40},
}  # fmt: skip


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """``save(family, head="Model", **settings)``: a saved model with its tokenizer or its preprocessing."""

    def save(family: str, *, head: str = "Model", name: str = "", **settings: Any) -> Path:
        folder = tmp_path / (name or f"tiny-{family}")
        tiny_models.model(family, head=head, **settings).save_pretrained(folder)
        if family in tiny_models.VISION:
            (folder / "preprocessor_config.json").write_text(json.dumps(PREPROCESSING))
        else:
            tiny_models.tokenizer(begins=family in tiny_models.DECODERS).save_pretrained(folder)
        return folder

    return save


@pytest.fixture
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any attempt to reach another machine fails the test, also when its error is swallowed."""

    def refuse(*_: Any, **__: Any) -> None:
        pytest.fail("a network call was made")

    for name in ("getaddrinfo", "create_connection"):
        monkeypatch.setattr(socket, name, refuse)
    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)


def edit_json(path: Path, **changes: Any) -> None:
    """Change entries of a JSON file; None removes one."""
    content = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({key: value for key, value in content.items() if value is not None}))


@pytest.fixture
def edit() -> Callable[..., None]:
    """:func:`edit_json`."""
    return edit_json
