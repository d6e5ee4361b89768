"""The survey that tests compare with."""

from pathlib import Path

import pytest

from dobrushin.survey import run
from dobrushin.testing.surveys import LONGER, OPTIONS


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Uninterrupted, run in this process."""
    folder = tmp_path_factory.mktemp("survey") / "whole"
    run(out=folder, workers=1, **OPTIONS)
    return folder


@pytest.fixture(scope="session")
def longer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with more parts."""
    folder = tmp_path_factory.mktemp("survey") / "longer"
    run(out=folder, workers=1, **LONGER)
    return folder
