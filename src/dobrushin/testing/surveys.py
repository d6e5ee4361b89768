"""A small survey of a real model, and the same in a process that tests can kill."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

OPTIONS: dict[str, Any] = {"model": "rxnmapper", "inputs": "reactions", "limit": 6, "part_size": 2}
"""RXNMapper on six reactions, two in each part."""

LONGER: dict[str, Any] = OPTIONS | {"limit": 12, "part_size": 1}
"""Twelve parts, so that a process can be stopped among them."""

_AS_FROM_A_TERMINAL = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
runpy.run_module("dobrushin", run_name="__main__", alter_sys=True)
"""
"""The command with the signals of a terminal: a process inherits which ones are ignored, and in the background that is
Ctrl-C, under nohup also the hang-up."""

Process = subprocess.Popen[str]


def merged_bytes(folder: Path) -> tuple[bytes, bytes]:
    """The two merged tables."""
    return (folder / "verdicts.parquet").read_bytes(), (folder / "chain.parquet").read_bytes()


@contextmanager
def started(out: Path, *arguments: str, survey: Mapping[str, Any] = OPTIONS, **options: Any) -> Iterator[Process]:
    """``dobrushin survey --json`` into ``out``; the process does not outlive the block."""
    named = [f"--{key.replace('_', '-')}={value}" for key, value in survey.items()]
    command = [sys.executable, "-c", _AS_FROM_A_TERMINAL, "survey", *named, f"--out={out}", "--json", *arguments]
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **streams, **options) as process:
        try:
            yield process
        finally:
            process.kill()


def events(process: Process) -> Iterator[dict[str, Any]]:
    """The events of a running survey, as they come."""
    assert process.stdout is not None
    for line in process.stdout:
        yield json.loads(line)


def wait_for_part(process: Process) -> dict[str, Any]:
    """The event of the next finished part; an error with what the process said when it ended before."""
    for event in events(process):
        if event["event"] == "part":
            return event
    raise AssertionError(f"no part was finished: {process.communicate()[1]}")
