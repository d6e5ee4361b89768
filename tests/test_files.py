"""Files appear whole or not at all."""

from pathlib import Path

import pytest

from dobrushin import InputError
from dobrushin.files import write_atomically


def test_replaces_the_old_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "report.html"
    write_atomically(path, "old")
    write_atomically(path, b"new")
    assert path.read_text() == "new"
    assert list(path.parent.iterdir()) == [path]


def test_failure_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.html"
    write_atomically(path, "old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(InputError, match="choose another folder"):
        write_atomically(tmp_path / "out" / "report.html", "x")
