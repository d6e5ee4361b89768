"""One Lean and one compiled development for all tests of this folder, and a file of maps."""

from pathlib import Path

import numpy as np
import pytest

from dobrushin.certificate.development import compiled_development, find_project
from dobrushin.lean.build import Build
from dobrushin.lean.toolchain import Lean, find

TIGHT = [[0.75, 0.125, 0.125, 0.0], [0.125, 0.75, 0.0, 0.125], [0.25, 0.25, 0.25, 0.25], [0.0, 0.25, 0.25, 0.5]]
NOT_TIGHT = [[0.125, 0.75, 0.125, 0.0], [0.75, 0.125, 0.0, 0.125], [0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25]]


@pytest.fixture(scope="session")
def lean() -> Lean:
    return find("wheel")


@pytest.fixture(scope="session")
def development(lean: Lean) -> Build:
    return compiled_development(find_project(), lean, lambda _: None)


@pytest.fixture
def maps(tmp_path: Path) -> Path:
    """A file with a tight map and one that is not."""
    path = tmp_path / "maps.npz"
    np.savez(path, tight=np.array(TIGHT), loose=np.array(NOT_TIGHT, dtype=np.float32))
    return path
