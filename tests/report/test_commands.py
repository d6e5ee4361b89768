"""``dobrushin report`` and ``dobrushin show`` as a user calls them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dobrushin.testing.html import problems_of


def dobrushin(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dobrushin", *map(str, arguments)]
    merged = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, env=merged)


def test_report(known: Path, pictures: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = dobrushin("report", known, pictures, "--out", out, "--title", "Mine & yours")
    assert (done.returncode, done.stderr) == (0, "")
    assert "by 5 of 7 input-layer pairs (71.4%)" in done.stdout
    page = (out / "report.html").read_text(encoding="utf-8")
    assert problems_of(page) == []
    assert "<h1>Mine &amp; yours</h1>" in page
    names = {path.name for path in (out / "figures").iterdir()}
    assert names >= {"comparison.png", "comparison.svg", "eyes-layers.png", "a-model-friends-chain.svg"}
    assert {path.suffix for path in (out / "figures").iterdir()} == {".png", ".svg"}


@pytest.mark.parametrize("columns", [40, 80, 140])
def test_show_fits_the_terminal(known: Path, columns: int) -> None:
    done = dobrushin("show", known, COLUMNS=str(columns))
    assert (done.returncode, done.stderr) == (0, "")
    assert "71.4%" in done.stdout
    assert "<script>alert(1)</script>"[:6] in done.stdout
    table = [line for line in done.stdout.splitlines() if line.startswith(("│", "┃")) and "%" in line]
    assert table
    assert max(map(len, table)) <= max(columns, 46)
    assert "skipped 1: one content token" in done.stdout


def test_show_as_json(known: Path) -> None:
    done = dobrushin("show", known, "--json")
    found = json.loads(done.stdout, parse_constant=pytest.fail)
    assert [part["tight"] for part in found["total"]] == [5, 8]
    assert found["complete"] is True
    assert len(done.stdout.splitlines()) == 1


def test_show_checks_maps(tmp_path: Path) -> None:
    np.save(tmp_path / "map.npy", np.eye(3))
    assert "1 of 1 maps are tight" in dobrushin("show", tmp_path / "map.npy").stdout
    assert json.loads(dobrushin("show", tmp_path / "map.npy", "--json").stdout)["tight"] is True


@pytest.mark.parametrize("command", ["show", "report"])
def test_bad_input_is_one_sentence_and_exit_code_2(command: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    for path in (tmp_path, tmp_path / "gone", tmp_path / "notes.txt"):
        done = dobrushin(command, path)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.stderr
        assert done.stderr.startswith("error: ")
    assert not (tmp_path / "report").exists()


def test_a_folder_that_can_not_be_written(known: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = dobrushin("report", known, "--out", tmp_path / "file" / "out")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "can not be written" in done.stderr


@pytest.mark.parametrize("command", [("show",), ("report",), ("merge", "--out", "merged")])
def test_a_name_that_is_too_long_is_one_sentence(command: tuple[str, ...]) -> None:
    done = dobrushin(*command, "x" * 300)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.stderr
    assert "can not be read or written: File name too long" in done.stderr


def test_a_survey_under_two_names_is_reported_once(known: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(known)
    done = dobrushin("report", known, tmp_path / "link", "--out", tmp_path / "out")
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "out" / "figures" / "comparison.png").exists()


def test_report_of_rank_collapse_and_of_both(known: Path, collapsed: Path, tmp_path: Path) -> None:
    for folders in ([collapsed], [known, collapsed]):
        out = tmp_path / f"out-{len(folders)}"
        done = dobrushin("report", *folders, "--out", out)
        assert (done.returncode, done.stderr) == (0, "")
        assert "for attention alone" in done.stdout
        page = (out / "report.html").read_text(encoding="utf-8")
        assert problems_of(page) == []
        assert "Rank collapse: a network" in page
        assert ("71.4%" in page) == (len(folders) == 2)


def test_show_rank_collapse(collapsed: Path) -> None:
    done = dobrushin("show", collapsed)
    assert (done.returncode, done.stderr) == (0, "")
    for words in ("order along depth", "explained by", "largest error", "osc ≤ 1.256", "paper's san"):
        assert words in done.stdout
    found = json.loads(dobrushin("show", collapsed, "--json").stdout, parse_constant=pytest.fail)
    assert found["variants"][0]["variant"] == "pure"
    assert found["explanations"][0]["explained_by"] == "Π κ"
    assert found["manifest"]["status"] == "complete"


@pytest.mark.parametrize("command", ["show", "report"])
def test_a_damaged_collapse_folder_writes_nothing(command: str, known: Path, collapse_copy: Path) -> None:
    (collapse_copy / "chains.parquet").write_bytes(b"cut off")
    out = collapse_copy.parent / "out"
    arguments = [collapse_copy] if command == "show" else [known, collapse_copy, "--out", out]
    done = dobrushin(command, *arguments)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.stderr
    assert "chains.parquet is not the file that the manifest speaks of" in done.stderr
    assert not out.exists()
