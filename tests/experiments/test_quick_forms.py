"""The experiments' own commands: quick forms end well, write their results, and go on after being stopped."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from safetensors.torch import load_file

from dobrushin.experiments import read_table

EXPERIMENTS = Path(__file__).parents[2] / "experiments"


def command(name: str, *arguments: str, folder: Path = EXPERIMENTS) -> list[str]:
    return [sys.executable, str(folder / name / "run.py"), "--threads", "1", *arguments]


def quick(name: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    where = ("--quick", "--out", str(tmp_path / "out"), "--work", str(tmp_path / "work"))
    return subprocess.run(command(name, *where), capture_output=True, text=True, check=False)


def test_random_matrices_twice_give_the_same_without_computing_again(tmp_path: Path) -> None:
    done = quick("random_matrices", tmp_path)
    assert done.returncode == 0, done.stderr
    rows = read_table(tmp_path / "out" / "results.parquet")
    shares = {row["n"]: row for row in rows if row["family"] == "dirichlet"}
    assert shares[2]["low"] < 0.5 < shares[2]["high"]
    assert shares[3]["low"] < 1 / 3 < shares[3]["high"]
    assert all(row["low"] <= row["conditional_share"] <= row["high"] for row in shares.values() if row["n"] <= 64)
    assert all(row["share"] == 1.0 for row in rows if row["family"] == "causal")
    before = {path: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "work").rglob("*.json")}
    assert quick("random_matrices", tmp_path).returncode == 0
    assert {path: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "work").rglob("*.json")} == kept


def test_the_closed_forms_hold() -> None:
    script = EXPERIMENTS / "random_matrices" / "closed_form.py"
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "n = 3: 1/3" in done.stdout


def test_a_bad_option_is_one_sentence(tmp_path: Path) -> None:
    arguments = command("random_matrices", "--threads", "0", "--work", str(tmp_path))
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "error: --threads is 0, but it has to be at least 1\n")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tabular", "dinov2", "text", "why"])
def test_quick_form(name: str, tmp_path: Path) -> None:
    began = time.monotonic()
    done = quick(name, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"results.md", "figure.png"} < written
    assert any(name.endswith(".parquet") for name in written)
    assert time.monotonic() - began < 240, "a quick form takes under two minutes on a quiet machine"


SMALL = {
    "tabular": """
[common]
blocks = 2
batch = 64
snapshot_epochs = [0, 2]
[full]
seeds = [0]
surveyed = 5
train_rows = 640
evaluated = 64
epochs = { california = 12, adult = 2 }
patience = { california = 16, adult = 4 }
""",
}
WEIGHTS = {"tabular": "california-0/best/model.safetensors"}
STATE = {"tabular": "california-0/state.pt"}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SMALL))
def test_a_killed_training_ends_with_the_same_weights(name: str, tmp_path: Path) -> None:
    for place in ("whole", "killed"):
        shutil.copytree(EXPERIMENTS / name, tmp_path / place / name, ignore=shutil.ignore_patterns("work", "quick"))
        (tmp_path / place / name / "config.toml").write_text(SMALL[name])
    whole, killed = (tmp_path / place / name / "work" / "full" for place in ("whole", "killed"))
    subprocess.run(command(name, folder=tmp_path / "whole"), check=True, capture_output=True)
    process = subprocess.Popen(command(name, folder=tmp_path / "killed"), stderr=subprocess.DEVNULL)
    while not (killed / STATE[name]).exists():
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not (killed / WEIGHTS[name]).exists(), "it was killed too late"
    subprocess.run(command(name, folder=tmp_path / "killed"), check=True, capture_output=True)
    one, other = (load_file(place / WEIGHTS[name]) for place in (whole, killed))
    assert all(one[key].equal(other[key]) for key in one)
