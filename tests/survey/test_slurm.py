"""The SLURM example, run as SLURM runs it: one task of the array after the other, then merged."""

import os
import subprocess
import sys
from pathlib import Path

from dobrushin.survey import merge
from dobrushin.testing.surveys import OPTIONS, merged_bytes

SCRIPT = Path(__file__).parents[2] / "examples" / "slurm" / "survey.sbatch"


def task(out: Path, number: int, **changes: str) -> "subprocess.CompletedProcess[str]":
    command = out / "dobrushin"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m dobrushin "$@"\n')
    command.chmod(0o755)
    variables = {
        "DOBRUSHIN": str(command),
        "MODEL": OPTIONS["model"],
        "INPUTS": OPTIONS["inputs"],
        "OUT": str(out),
        "ARGS": f"--limit {OPTIONS['limit']} --part-size {OPTIONS['part_size']}",
        "SLURM_ARRAY_TASK_ID": str(number),
        "SLURM_ARRAY_TASK_COUNT": "2",
        "SLURM_CPUS_PER_TASK": "1",
    }
    environment = os.environ | variables | changes
    return subprocess.run(["bash", SCRIPT], env=environment, capture_output=True, text=True, check=False)


def test_the_tasks_of_the_array_merge_into_the_whole_survey(whole: Path, tmp_path: Path) -> None:
    for number in (1, 2):
        done = task(tmp_path, number)
        assert done.returncode == 0, done.stderr
    merge(sorted(tmp_path.glob("shard-*")), tmp_path / "whole")
    assert merged_bytes(tmp_path / "whole") == merged_bytes(whole)


def test_a_task_without_a_model_says_what_to_name(tmp_path: Path) -> None:
    done = task(tmp_path, 1, MODEL="")
    assert done.returncode != 0
    assert "name the model, e.g. MODEL=minilm" in done.stderr
