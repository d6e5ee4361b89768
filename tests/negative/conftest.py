"""One Lean, one compiled bootstrap and one pair of locks for all the tiny projects."""

import sys
from pathlib import Path

import pytest

from dobrushin.lean.build import Build, build
from dobrushin.lean.toolchain import Lean, find

sys.path.insert(0, str(Path(__file__).parent))
from tiny_projects import assemble, lock_texts

collect_ignore_glob = ["base/*", "cases/*"]  # the tiny projects hold Python files that are no tests


@pytest.fixture(scope="session")
def lean() -> Lean:
    return find("wheel")


@pytest.fixture(scope="session")
def base_locks(lean: Lean, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The locks of the unmodified base project, written by the code behind ``make prove-lock``."""
    return lock_texts(assemble(None, tmp_path_factory.mktemp("base"), {}), lean)


@pytest.fixture(scope="session")
def compiled_bootstrap(lean: Lean, tmp_path_factory: pytest.TempPathFactory) -> Build:
    project = assemble(None, tmp_path_factory.mktemp("shared"), {})
    return build(project, lean, tmp_path_factory.mktemp("compiled"))
