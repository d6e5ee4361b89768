"""The command that trains two small ViTs: its quick form, and what is left when it is killed."""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from safetensors.torch import load_file

from dobrushin.experiments import read_table

FOLDER = Path(__file__).parents[2] / "experiments" / "supervised"
RESULTS = ("results.md", "results.parquet", "figure.png")

SMALL = """
[common.model]
image_size = 28
patch_size = 4
hidden_size = 16
num_hidden_layers = 2
num_attention_heads = 2
intermediate_size = 32
[common.optimiser]
batch = 16
learning_rate = 1e-3
weight_decay = 0.04
warm_up = 0.1
clip = 3.0
[common.augmentation]
large = [0.5, 1.0]
small = [0.15, 0.5]
jitter = 0.2
[common.distillation]
small_size = 12
small_crops = 2
prototypes = 32
bottleneck = 16
student_temperature = 0.1
teacher_temperatures = [0.04, 0.07]
teacher_momentum = 0.99
centre_momentum = 0.9
[full]
seeds = [0]
steps = 60
snapshots = 3
save_every = 4
train_pictures = 200
surveyed = 3
reference_pictures = 40
test_pictures = 20
"""


@pytest.mark.slow
def test_quick_form(tmp_path: Path) -> None:
    committed = {name: (FOLDER / name).read_bytes() for name in RESULTS if (FOLDER / name).exists()}
    began = time.monotonic()
    arguments = ["--quick", "--out", str(tmp_path / "out"), "--work", str(tmp_path / "work")]
    done = subprocess.run(
        [sys.executable, str(FOLDER / "run.py"), *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert time.monotonic() - began < 240, "a quick form takes under two minutes on a quiet machine"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(RESULTS)
    rows = read_table(tmp_path / "out" / "results.parquet")
    assert {(row["objective"], row["step"]) for row in rows} == {
        (objective, step) for objective in ("supervised", "self-supervised") for step in (0, 8, 16)
    }
    assert all(row["maps"] == 40 and 0 <= row["tight"] <= 40 for row in rows)
    untrained = [
        [(row["layer"], row["tokens"], row["tight"], row["kappa"]) for row in rows if row["step"] == 0
         and row["objective"] == objective]
        for objective in ("supervised", "self-supervised")
    ]  # fmt: skip
    assert untrained[0] == untrained[1], "both start from the same weights"
    assert {name: (FOLDER / name).read_bytes() for name in committed} == committed


@pytest.mark.slow
def test_a_killed_command_ends_with_the_same_weights(tmp_path: Path) -> None:
    commands = {}
    for place in ("whole", "killed"):
        folder = tmp_path / place / "supervised"
        shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("work", "quick", "__pycache__"))
        (folder / "config.toml").write_text(SMALL)
        commands[place] = [sys.executable, str(folder / "run.py"), "--threads", "2"]
    whole, killed = (tmp_path / place / "supervised" / "work" / "full" for place in ("whole", "killed"))
    subprocess.run(commands["whole"], check=True, capture_output=True)
    process = subprocess.Popen(commands["killed"], stderr=subprocess.DEVNULL, start_new_session=True)
    while not (killed / "self-supervised-0" / "state.pt").exists():
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    weights = "self-supervised-0/step-00060/model.safetensors"
    assert not (killed / weights).exists(), "it was killed too late"
    subprocess.run(commands["killed"], check=True, capture_output=True)
    one, other = (load_file(place / weights) for place in (whole, killed))
    assert all(one[key].equal(other[key]) for key in one)


@pytest.mark.slow
def test_a_training_whose_command_is_gone_stops(tmp_path: Path) -> None:
    folder = tmp_path / "supervised"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("work", "quick", "__pycache__"))
    (folder / "config.toml").write_text(SMALL.replace("steps = 60", "steps = 100_000"))
    process = subprocess.Popen(
        [sys.executable, str(folder / "run.py"), "--threads", "1"], stderr=subprocess.DEVNULL, start_new_session=True
    )
    state = folder / "work" / "full" / "self-supervised-0" / "state.pt"
    try:
        while not state.exists():
            assert process.poll() is None, "it ended before it could be killed"
            time.sleep(0.01)
        process.kill()
        process.wait()
        time.sleep(10)
        before = state.stat().st_mtime_ns
        time.sleep(5)
        assert state.stat().st_mtime_ns == before, "the training still runs"
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
