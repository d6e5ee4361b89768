"""Folders that were changed, that hold something else, and models of the user's own that fail or change."""

import errno
import fcntl
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dobrushin.errors import InputError
from dobrushin.survey import merge, run
from dobrushin.survey.unit import worker_session
from dobrushin.testing.surveys import merged_bytes

UNIFORM = """
import numpy as np
from dobrushin.capture import attention_maps, tokens

@attention_maps(layers=1, prepare=lambda item: tokens(item, item.text.split()))
def mine(batch):
    n = batch[0].n
    yield np.full((len(batch), 2, n, n), 1 / n)
"""

OWN = """
from dobrushin.capture import tokens

class Own:
    name, layers = "own", {layers}
    provenance = {provenance}

    def prepare(self, item):
        {prepare}

    def run(self, batch, receive):
        raise RuntimeError("out of memory")

mine = Own()
"""


@pytest.fixture
def options(tmp_path: Path) -> dict[str, Any]:
    """Four texts, two in each part, through a function of the user's own."""
    (tmp_path / "mine.py").write_text(UNIFORM)
    (tmp_path / "texts.txt").write_text("a b c\nd e\nf g h\ni j\n")
    return {
        "model": f"python:{tmp_path / 'mine.py'}:mine",
        "inputs": str(tmp_path / "texts.txt"),
        "part_size": 2,
        "workers": 1,
    }


@pytest.fixture
def done(options: dict[str, Any], tmp_path: Path) -> Path:
    """A complete survey of them."""
    run(out=tmp_path / "done", **options)
    return tmp_path / "done"


def edit(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change the manifest."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest))


@pytest.mark.parametrize("units", [1, 9, "2", None])
def test_another_number_of_parts_is_refused(units: Any, done: Path, options: dict[str, Any], tmp_path: Path) -> None:
    before = merged_bytes(done)
    edit(done, lambda manifest: manifest.update(units=units))
    with pytest.raises(InputError, match=r"holds another survey .units: "):
        run(out=done, **options)
    with pytest.raises(InputError, match=r"manifest\.json was changed: its number of parts does not follow"):
        merge([done], tmp_path / "merged")
    assert merged_bytes(done) == before


def test_parts_of_something_else_do_not_merge(done: Path, tmp_path: Path) -> None:
    for name in ("parts/{}.json", "parts/{}.parquet", "chain/{}.parquet"):
        shutil.copy(done / name.format("00000"), done / name.format("00009"))
    record = done / "parts" / "00009.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"unit": 9}))
    (done / "parts" / "\u00b2\u00b2.json").write_text("{}")
    with pytest.raises(InputError, match="holds part 9, but this survey has 2 parts"):
        merge([done], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()


def test_rows_are_counted_where_they_are(done: Path, options: dict[str, Any]) -> None:
    record = done / "parts" / "00001.json"
    content = json.loads(record.read_text())
    record.write_text(json.dumps(content | {"rows": 1}))
    assert run(out=done, **options)["files"]["verdicts.parquet"]["rows"] == 8
    record.write_text(json.dumps(content | {"rows": "many"}))
    with pytest.raises(InputError, match=r"00001\.json is damaged"):
        run(out=done, **options)


def test_a_manifest_too_deep_to_read_is_one_sentence(done: Path, options: dict[str, Any]) -> None:
    (done / "manifest.json").write_text("[" * 100_000)
    with pytest.raises(InputError, match=r"manifest\.json can not be read"):
        run(out=done, **options)


@pytest.mark.parametrize("name", ["verdicts.parquet", "chain.parquet"])
def test_tables_of_something_else_are_not_replaced(
    name: str, done: Path, options: dict[str, Any], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / name).write_text("mine")
    for write in (lambda: merge([done], out), lambda: run(out=out, **options)):
        with pytest.raises(InputError, match=f"{name} is of no survey here and would be replaced"):
            write()
    assert (out / name).read_text() == "mine"


def test_a_merge_that_was_stopped_goes_on(done: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    merge([done], out)
    (out / "manifest.json").unlink()  # the last file that a merge writes
    merge([done], out)
    assert merged_bytes(out) == merged_bytes(done)


def test_a_folder_that_is_not_utf8(done: Path, options: dict[str, Any], tmp_path: Path) -> None:
    out = tmp_path / os.fsdecode(b"\xff\xfe")
    run(out=out, **options)
    assert merged_bytes(out) == merged_bytes(done)


def test_a_file_system_without_locks_is_said_to_be_one(
    options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(
        InputError, match=r"\.lock can not be locked: No locks available; choose a folder on a file sys"
    ):
        run(out=tmp_path / "out", **options)


def test_other_code_is_another_survey(done: Path, options: dict[str, Any], tmp_path: Path) -> None:
    (done / "parts" / "00001.json").unlink()
    (tmp_path / "mine.py").write_text(UNIFORM.replace("1 / n", "1 / n + 0"))
    with pytest.raises(InputError, match=r"holds another survey .model.provenance.code_sha256: "):
        run(out=done, **options)


def test_a_worker_refuses_other_inputs(options: dict[str, Any], tmp_path: Path) -> None:
    """The texts change after the survey began, or are others on another machine."""
    from dobrushin.survey.configuration import Configuration
    from dobrushin.survey.unit import open_session

    configuration = Configuration(**{key: value for key, value in options.items() if key != "workers"})
    identity = open_session(configuration).identity
    assert worker_session(configuration, identity).plan.units == 2
    worker_session.cache_clear()
    (tmp_path / "texts.txt").write_text("a b c\nd e\nf g h\ni k\n")
    with pytest.raises(InputError, match=r"a worker on .* has other files .*survey.inputs.fingerprint: "):
        worker_session(configuration, identity)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ({}, r"own fails on the inputs line 2, line 4 \(RuntimeError: out of memory\); if memory is short"),
        ({"prepare": "raise KeyError('word')"}, r"own can not take the input line 1 \(KeyError: 'word'\)"),
        ({"layers": 0}, "own has no layer of attention"),
        ({"provenance": "{'when': object()}"}, r"the provenance of the model python:.* can not be written to manifest"),
        ({"provenance": "{'loss': float('nan')}"}, r"the provenance of the model python:.* can not be written to man"),
    ],
)
def test_an_adapter_that_fails_is_one_sentence(
    written: dict[str, Any], message: str, options: dict[str, Any], tmp_path: Path
) -> None:
    usual = {"layers": 1, "provenance": {}, "prepare": "return tokens(item, item.text.split())"}
    (tmp_path / "mine.py").write_text(OWN.format(**usual | written))
    with pytest.raises(InputError, match=message):
        run(out=tmp_path / "out", **options | {"part_size": 4})
    assert not (tmp_path / "out" / "verdicts.parquet").exists()
