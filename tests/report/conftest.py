"""Folders written for these tests: surveys by hand, so that every number is known, of a real model; rank collapse."""

import shutil
from pathlib import Path

import pytest
from tests.collapse.conftest import random_network, tokens

from dobrushin.collapse.network import FULL
from dobrushin.collapse.results import collect, write
from dobrushin.collapse.study import study
from dobrushin.collapse.trace import run as run_network
from dobrushin.survey import run
from dobrushin.testing.known_survey import HOSTILE, MANIFEST, chain_rows, pictures_survey, verdict_rows
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


@pytest.fixture(scope="session")
def collapsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rank collapse of a network of random matrices with a hostile name, on three inputs; not to be changed."""
    network = random_network(0, layers=4)
    studies = []
    for seed in range(3):
        states = run_network(network, tokens(seed), FULL).states
        studies.append((f"text {seed}", len(states[0]), study(network, states, pooling="mean")))
    model = {"title": f"a network {HOSTILE}", "spec": "random", "kind": "text", "provenance": {"weights": {"a": "0f"}}}
    found = collect(studies, model=model, inputs={"title": "draws", "where": "none"}, configuration={"limit": 3})
    folder = tmp_path_factory.mktemp("collapse") / "network"
    write(folder, found)
    return folder


@pytest.fixture
def collapse_copy(collapsed: Path, tmp_path: Path) -> Path:
    """The same, to be spoilt as a test likes."""
    return Path(shutil.copytree(collapsed, tmp_path / "network"))
