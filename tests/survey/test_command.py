"""What ``dobrushin survey`` says while it runs: lines, events, or a bar on a terminal."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from dobrushin.testing.surveys import OPTIONS


def command(out: Path, *more: str) -> list[str]:
    options = [f"--{name.replace('_', '-')}={value}" for name, value in OPTIONS.items()]
    return [sys.executable, "-m", "dobrushin", "survey", f"--out={out}", "--workers=1", *options, *more]


def on_a_terminal(arguments: list[str]) -> tuple[int, str, str]:
    """Exit code, standard output, and what a terminal got as standard error."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=theirs, env=environment)
    os.close(theirs)
    seen = b""
    try:
        while chunk := os.read(ours, 4096):
            seen += chunk
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    output = process.communicate()[0]
    return process.returncode, output.decode(), seen.decode()


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_pipe_gets_lines_or_events(tmp_path: Path, more: tuple[str, ...]) -> None:
    done = subprocess.run(command(tmp_path / "out", *more), capture_output=True, text=True, check=True)
    if more:
        events = [json.loads(line)["event"] for line in done.stdout.splitlines()]
        assert done.stderr == ""
    else:
        events = [line.partition(":")[0] for line in done.stderr.splitlines()]
        assert "\x1b" not in done.stderr
        assert "verdicts of" in done.stdout
    assert (events[0], events[-1], set(events[1:-1])) == ("started", "finished", {"part"})


def test_a_terminal_gets_a_bar_and_the_last_line_stays(tmp_path: Path) -> None:
    code, output, seen = on_a_terminal(command(tmp_path / "out"))
    assert code == 0, seen
    assert "━" in seen
    assert "inputs/s" in seen
    assert "finished: " in seen
    assert "part: " not in seen
    assert "\x1b" not in output
    assert "verdicts of" in output


def test_an_error_ends_the_bar(tmp_path: Path) -> None:
    code, output, seen = on_a_terminal(command(tmp_path / "out", "--alpha=2"))
    assert (code, output) == (2, "")
    assert "error: " in seen
    assert "Traceback" not in seen
    assert "\x1b[?25h" in seen, "the cursor is back"


def test_events_that_nobody_reads_are_no_success(tmp_path: Path) -> None:
    """As in ``| head -1``."""
    with subprocess.Popen(
        command(tmp_path / "out", "--json"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["event"] == "started"
        process.stdout.close()
        said = process.stderr.read()
    assert process.returncode == 3
    assert said.startswith("error: nobody reads the events any more: stopped with ")
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "out" / "verdicts.parquet").exists()


def test_remarks_that_nobody_reads_stop_nothing(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command(tmp_path / "out"), stdout=subprocess.PIPE, stderr=full, text=True, check=False)
    assert done.returncode == 0
    assert "verdicts of" in done.stdout
    assert (tmp_path / "out" / "verdicts.parquet").exists()
