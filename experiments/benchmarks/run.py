"""Time the exact solve against what computes L1 distances of rows today.  ``make bench``; ``QUICK=1`` for a short form.

One process, methods in turns; single thread against single thread, then batches with two threads on both sides.
"""

import os
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy as np
import overhead
import peak
import results
import torch
from maps import GENERIC, TIES, Map, random_map, real_maps
from methods import methods, rows_of
from timing import interleaved, seconds

from dobrushin.coefficient import solve, solve_batch
from dobrushin.coefficient.compiled import kernels
from dobrushin.coefficient.workspace import Workspace
from dobrushin.threads import map_in_threads

QUICK = os.environ.get("QUICK") == "1"
SIZES = (16, 64, 128, 257) if QUICK else (16, 64, 128, 197, 257, 512, 1370)
BUDGET = 0.05 if QUICK else 0.3  # seconds for each method on each map


def main() -> None:
    """Run everything and write the results."""
    torch.set_grad_enabled(False)
    result: dict[str, Any] = {"machine": results.machine(), "compile": first_calls()}
    rng = np.random.default_rng(0)
    rows: list[results.Row] = []
    torch.set_num_threads(1)
    for n in SIZES:
        for name, make in GENERIC.items():
            only = None if name == "random" or n < 1000 else {"solve", "cdist32"}
            rows.append(one(name, make(rng, n), only))
    for name, make in TIES.items():
        rows.append(one(name, make(rng, 256), None, kind="ties"))
    for name, values in real_maps().items():
        rows.append(one(name, values, {"solve", "cdist32", "pdist"}, kind="real"))
    for threads in (1, 2):
        for n in (16, 64, 128, 257) if QUICK else (16, 64, 128, 257, 512):
            for size in (1, 4, 16, 64, 256):
                if size * n**3 < 3e9:
                    rows.append(batch(rng, n, size, threads))
    result["rows"] = rows
    result["slope"] = slopes(rows)
    result["dense"] = dense_share(rng)
    result["memory"] = memory()
    for row in (r for r in rows if results.goal(r) is not None):
        ratio = row["cdist32"] / row["solve"]
        print(f"{row['map']:15} n={row['n']:5} {ratio:7.1f} × torch.cdist, goal {results.goal(row)}")
    results.write(result, "quick" if QUICK else "results")
    result["overhead"] = overhead.survey_overhead(threads=2, repeats=2 if QUICK else 7)
    print(f"survey overhead on DINOv2-S, batch 8: {result['overhead']['share']:.1%} of the forward pass, goal 15%")
    results.write(result, "quick" if QUICK else "results")


def one(name: str, values: Map, only: set[str] | None, *, kind: str = "one") -> results.Row:
    """Time one map on one thread."""
    chosen = {m: run for m, run in methods(values).items() if only is None or m in only}
    times = interleaved(chosen, budget=BUDGET)
    solution = solve(rows_of(values))
    progress(f"{name}, n={len(values)}: {times['cdist32'] / times['solve']:.1f} × cdist")
    return {"kind": kind, "map": name, "n": len(values), "threads": 1, "path": solution.search.path,
            "pairs": len(solution.attaining), **times}  # fmt: skip


def batch(rng: np.random.Generator, n: int, size: int, threads: int) -> results.Row:
    """Time a batch of random maps; seconds for each map."""
    torch.set_num_threads(threads)
    values = np.stack([random_map(rng, n) for _ in range(size)])
    tensor = torch.from_numpy(values.astype(np.float32))
    every = [rows_of(value) for value in values]
    ours = (
        (lambda: solve_batch(values, threads=threads)) if n <= 64 else (lambda: map_in_threads(solve, every, threads))
    )
    times = interleaved({"solve": ours, "cdist32": lambda: torch.cdist(tensor, tensor, p=1)}, budget=BUDGET, most=15)
    progress(f"batch of {size}, n={n}, {threads} threads: {times['cdist32'] / times['solve']:.1f} × cdist")
    return {"kind": "batch", "map": f"random, batch of {size}", "n": n, "threads": threads, "path": "", "pairs": "",
            **{name: seconds / size for name, seconds in times.items()}}  # fmt: skip


def slopes(rows: list[results.Row]) -> dict[str, float]:
    """Exponent of n in the time, fitted over n ≥ 128."""
    found = {}
    for method in ("solve", "cdist32"):
        for name in GENERIC:
            points = [(r["n"], r[method]) for r in rows if r["kind"] == "one" and r["map"] == name and r["n"] >= 128]
            n, t = np.log(np.array(points)).T
            found[f"{method}, {name}"] = float(np.polyfit(n, t, 1)[0])
    return found


def dense_share(rng: np.random.Generator) -> dict[str, float]:
    """Rate of the dense int32 pass, as elements a second and as a share of the integer peak of this core."""
    from dobrushin.coefficient.kernels import dense, fixed_point, layout

    rates = peak.integer_peak()
    found = {f"peak {name}, elements/s": rate for name, rate in rates.items()}
    for n in (128, 512) if QUICK else (128, 512, 1370):
        block = Workspace().enlarge(n, n)
        fixed, sums, scales, panel, tile, free, _, state, _ = layout.parts.py_func(block, n, n)
        fixed_point.quantise(random_map(rng, n), False, fixed, sums, scales, state)
        arguments = fixed, sums, n, n, panel, tile, free.view(np.uint32)
        best = min(seconds(lambda: dense.distances(*arguments)) for _ in range(30))  # noqa: B023
        rate = n * n * n / 2 / best  # the best run, as for the peak: both are capacities
        found[f"dense n={n}, elements/s"] = rate
        for name, top in rates.items():
            found[f"dense n={n}, share of {name} peak"] = rate / top
    return found


def memory() -> dict[str, float]:
    """Bytes · n⁻² that a thread's buffers hold for one map: at first, and when every pair has come to tie."""
    found = {}
    for n in (257, 512, 1370):
        found[f"n={n}"] = Workspace().enlarge(n, n).nbytes / n**2
        found[f"n={n}, all pairs tie"] = Workspace().enlarge(n, n, n * (n - 1) // 2).nbytes / n**2
    return found


def first_calls() -> dict[str, float]:
    """Seconds to the first answer in a new process: compiling, then from the cache."""
    code = "import numpy as np, dobrushin; dobrushin.check(np.eye(64))"
    found = {}
    with tempfile.TemporaryDirectory() as cache:
        for name in () if QUICK else ("compiling", "from the cache"):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "NUMBA_CACHE_DIR": cache})
            found[f"first check in a new process, {name}, s"] = time.perf_counter() - start
    kernels()
    return found


def progress(line: str) -> None:
    """One line on standard error."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
