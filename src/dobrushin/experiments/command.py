"""The command of an experiment: ``run.py [--quick] [--out DIR] [--work DIR] [--threads N]``."""

import argparse
import sys
import time
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dobrushin.errors import DobrushinError, InputError
from dobrushin.experiments.pieces import Pieces


@dataclass(frozen=True, eq=False)
class Experiment:
    """One run of an experiment.

    Attributes:
        name: the name of its folder.
        quick: whether this is the form of under two minutes.
        config: the section ``quick`` or ``full`` of ``config.toml``, over the section ``common``.
        out: where results are written: the experiment's folder for the full form, ``quick`` within it otherwise.
        work: where checkpoints and finished pieces are kept, so that a run that was stopped goes on.
        pieces: the finished pieces.
        threads: how many processes train or survey at a time, or threads for the kernels; results do not depend on it.
    """

    name: str
    quick: bool
    config: dict[str, Any]
    out: Path
    work: Path
    pieces: Pieces
    threads: int
    started: float

    def say(self, line: str) -> None:
        """One line on standard error, with the minutes since the start."""
        minutes, seconds = divmod(int(time.monotonic() - self.started), 60)
        print(f"[{self.name} {minutes:02d}:{seconds:02d}] {line}", file=sys.stderr, flush=True)


def open_experiment(script: str, argv: Sequence[str] | None = None) -> Experiment:
    """Read the arguments and the configuration.

    Args:
        script: ``__file__`` of ``run.py``.
        argv: the arguments; those of the process by default.

    Raises:
        InputError: the work folder holds pieces of another configuration.
    """
    folder = Path(script).resolve().parent
    parser = argparse.ArgumentParser(prog=f"{folder.name}/run.py", description=f"The experiment {folder.name}.")
    parser.add_argument("--quick", action="store_true", help="the form of under two minutes")
    parser.add_argument("--out", type=Path, help="folder for the results (default: beside run.py)")
    parser.add_argument("--work", type=Path, help="folder for checkpoints and finished pieces (default: beside run.py)")
    parser.add_argument("--threads", type=int, default=2, help="cores to use; results do not depend on it (default: 2)")
    arguments = parser.parse_args(argv)
    form = "quick" if arguments.quick else "full"
    sections = tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))
    config = {**sections.get("common", {}), **sections[form]}
    out = arguments.out or (folder / "quick" if arguments.quick else folder)
    work = arguments.work or folder / "work" / form
    if arguments.threads < 1:
        raise InputError(f"--threads is {arguments.threads}, but it has to be at least 1")
    return Experiment(
        name=folder.name,
        quick=arguments.quick,
        config=config,
        out=out,
        work=work,
        pieces=Pieces(work, config),
        threads=arguments.threads,
        started=time.monotonic(),
    )


def run_main(script: str, main: Callable[[Experiment], None]) -> None:
    """Run ``main``; an error of the user's is one sentence and its exit code, as for the ``dobrushin`` command."""
    try:
        experiment = open_experiment(script)
        main(experiment)
        experiment.say("done")
    except DobrushinError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("stopped; the same command goes on from the last finished piece", file=sys.stderr)
        sys.exit(3)
