"""``python -m dobrushin.crosscheck``: run the exact cross-checks.

The table, the witnesses and the summary go to standard output, progress to standard error.  Exit codes: 0 all roads
agree and the search has power, 1 a disagreement or a survivor, 2 bad options.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from dobrushin.crosscheck import fault_table, faults
from dobrushin.crosscheck.plan import PROFILES
from dobrushin.crosscheck.runner import Run, run, summary
from dobrushin.errors import DobrushinError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    begin = time.perf_counter()
    try:
        seeded = nullcontext() if options.fault is None else faults.seeded(fault_table.named(options.fault))
        settings = Run(
            profile=PROFILES["quick" if options.quick else options.profile],
            seed=options.seed,
            workers=options.workers,
            folder=options.out,
            fault=options.fault,
        )
        fault_table.check_table()
        with seeded:
            report = run(settings)
    except DobrushinError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    report.print(summary(report, time.perf_counter() - begin))
    return 1 if report.failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dobrushin.crosscheck",
        description="Exact cross-checks of the theorem and of the production predicate, and a search with power.",
    )
    parser.add_argument("--profile", choices=list(PROFILES), default="full", help="how much to do (default: full)")
    parser.add_argument("--quick", action="store_true", help="the smaller form, under a minute: --profile quick")
    parser.add_argument("--seed", type=int, default=0, help="every random choice follows from it (default: 0)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("build/check-exact"),
        help="folder for the witnesses of disagreements (default: build/check-exact)",
    )
    parser.add_argument("--fault", metavar="NAME", help="seed this fault for the whole run, to see the checks turn red")
    return parser


if __name__ == "__main__":
    sys.exit(main())
