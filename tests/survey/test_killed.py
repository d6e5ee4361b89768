"""Surveys whose process is killed, interrupted, or runs out of disk: nothing finished is lost, nothing is half."""

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dobrushin.errors import IncompleteError
from dobrushin.survey import run
from dobrushin.testing.surveys import LONGER, OPTIONS, events, merged_bytes, started, wait_for_part


def children_of(process: int) -> list[int]:
    """The workers of a running survey."""
    listed = subprocess.run(
        ["pgrep", "-P", str(process), "-f", "spawn_main"], capture_output=True, text=True, check=True
    )
    return [int(child) for child in listed.stdout.split()]


def is_running(process: int) -> bool:
    """Whether it is there and no zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("pause", [0.0, 0.02])
def test_killed_and_resumed_equals_uninterrupted(longer: Path, tmp_path: Path, pause: float) -> None:
    """SIGKILL after the first part, or in the middle of the second; then the same again in another process."""
    out = tmp_path / "out"
    with started(out, "--workers=1", survey=LONGER) as process:
        wait_for_part(process)
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    assert not (out / "verdicts.parquet").exists()
    kept = {path: path.stat().st_mtime_ns for path in (out / "parts").glob("*.json")}
    assert kept
    manifest = run(out=out, workers=1, **LONGER)
    assert manifest["status"] == "complete"
    assert merged_bytes(out) == merged_bytes(longer)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept, "a finished part was computed again"


def test_a_killed_worker_ends_the_run_and_nothing_is_lost(longer: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with started(out, "--workers=2", survey=LONGER) as process:
        wait_for_part(process)
        os.kill(children_of(process.pid)[0], signal.SIGKILL)
        _, stderr = process.communicate(timeout=120)
    assert process.returncode == 3
    assert "a worker process died" in stderr
    assert "Traceback" not in stderr
    run(out=out, workers=1, **LONGER)
    assert merged_bytes(out) == merged_bytes(longer)


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_workers_end_with_the_survey(tmp_path: Path, sent: signal.Signals) -> None:
    with started(tmp_path / "out", "--workers=2", survey=LONGER) as process:
        wait_for_part(process)
        workers = children_of(process.pid)
        assert workers
        process.send_signal(sent)
        assert process.wait(timeout=60) == -sent
        deadline = time.monotonic() + 60
        while any(map(is_running, workers)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not any(map(is_running, workers)), "a worker outlives the survey"


def test_ctrl_c_ends_cleanly_and_says_how_to_go_on(longer: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with started(out, "--workers=1", survey=LONGER) as process:
        wait_for_part(process)
        process.send_signal(signal.SIGINT)
        last = [event["event"] for event in events(process)][-1:]
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 3
    assert last == ["interrupted"]
    assert stderr.strip().endswith("the same command goes on from there")
    assert "Traceback" not in stderr
    run(out=out, workers=1, **LONGER)
    assert merged_bytes(out) == merged_bytes(longer)


def test_a_full_disk_is_one_error_and_loses_nothing(whole: Path, tmp_path: Path) -> None:
    """No file may grow beyond 6,000 bytes: the manifest fits, a part does not."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))

    out = tmp_path / "out"
    run_in = {"preexec_fn": limit, "env": os.environ | {"NUMBA_DISABLE_JIT": "0"}}
    with started(out, "--workers=1", **run_in) as process:
        _, stderr = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "can not be written" in stderr
    assert "File too large" in stderr
    assert "Traceback" not in stderr
    assert not list((out / "parts").glob("*"))
    run(out=out, workers=1, **OPTIONS)
    assert merged_bytes(out) == merged_bytes(whole)


def test_two_runs_in_one_folder_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with started(out, "--workers=1", survey=LONGER) as process:
        wait_for_part(process)
        process.send_signal(signal.SIGSTOP)  # or it is done before the second has started
        code = f"from dobrushin.survey import run; run(out={str(out)!r}, workers=1, **{OPTIONS!r})"
        second = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert f"is in use by process {process.pid} on " in second.stderr


def test_an_incomplete_run_is_no_success() -> None:
    assert IncompleteError.exit_code == 3
