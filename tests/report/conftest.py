"""Surveys written for these tests: one by hand, so that every number is known, and one of a real model."""

from pathlib import Path

import pytest

from dobrushin.survey import run
from dobrushin.testing.known_survey import MANIFEST, chain_rows, pictures_survey, verdict_rows
from dobrushin.testing.survey_folders import write_tables


@pytest.fixture
def known(tmp_path: Path) -> Path:
    """The survey of :func:`verdict_rows`, to be spoilt as a test likes."""
    return write_tables(tmp_path / "known", verdict_rows(), chain_rows(), MANIFEST)


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three reactions through RXNMapper's ALBERT, by the survey itself."""
    return _survey(tmp_path_factory.mktemp("surveys") / "rxnmapper")


@pytest.fixture(scope="session")
def real_heads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, every head on its own."""
    return _survey(tmp_path_factory.mktemp("surveys") / "heads", heads="each")


def _survey(folder: Path, **options: str) -> Path:
    run(out=folder, model="rxnmapper", inputs="reactions", limit=3, workers=1, **options)
    return folder


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """The survey of :func:`pictures_survey`."""
    return pictures_survey(tmp_path)
