"""Differential fuzzing: every path of the coefficient kernels against brute force in integers.

Run ``make fuzz``, or ``python -m dobrushin.testing.fuzz --matrices 50000 --seed 0``.  Exit code 1 at a disagreement.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, get_args

import numpy as np

from dobrushin.coefficient import Rows, Solution, solve, solve_batch
from dobrushin.coefficient.solution import Kernel
from dobrushin.condition import Verdict, check_layer, check_many, verdict_of
from dobrushin.testing.families import FAMILIES
from dobrushin.testing.oracle import Truth, disagreements, truth

WEIGHTS = [Fraction(1, 2), Fraction(1, 3), Fraction(9, 10), Fraction(1, 1000), Fraction(999, 1000)]
KERNELS: tuple[Kernel, ...] = get_args(Kernel)


@contextmanager
def flush_to_zero() -> Iterator[None]:
    """Subnormals read and written as zero in this thread, as torch switches it on; nothing without torch."""
    import torch

    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)


def rows_of(values: np.ndarray, normalised: bool) -> Rows:
    """All rows of a matrix; the kernels must not write to them."""
    fixed = np.array(values)
    fixed.flags.writeable = False
    return Rows(fixed, np.arange(len(values)), normalised, list(range(len(values))))


def verdict(solution: Solution, alpha: Fraction, normalised: bool) -> Verdict:
    """The verdict on a solution, as the check gives it."""
    return verdict_of(solution, alpha, name="fuzzed", restrict="renormalised" if normalised else "none")


def readings(values: np.ndarray) -> list[bool]:
    """Plain always; normalised where every row has a positive sum."""
    positive = (values >= 0).all() or all(sum(Fraction(float(x)) for x in row) > 0 for row in values)
    return [False, True] if positive and values.any(axis=1).all() else [False]


def looks(values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The same numbers behind other strides."""
    match rng.integers(3):
        case 0:
            return np.asfortranarray(values)
        case 1:
            return np.repeat(np.repeat(values, 2, axis=0), 3, axis=1)[::2, ::3]
    return values[::-1, ::-1].copy()[::-1, ::-1]


def one_matrix(
    family: str,
    values: np.ndarray,
    rng: np.random.Generator,
    tally: Counter[str],
    wrong: Callable[[str], None],
    truths: dict[bool, tuple[Truth, Fraction]],
) -> None:
    """Every path on one matrix, in both readings, with and without flush-to-zero."""
    for normalised in readings(values):
        alpha = WEIGHTS[rng.integers(len(WEIGHTS))]
        true = truth(values, alpha, normalised=normalised)
        truths[normalised] = true, alpha
        results: dict[str, Verdict] = {}
        for kernel in KERNELS:
            rows = rows_of(values, normalised)
            results[kernel] = verdict(solve(rows, kernel=kernel), alpha, normalised)
            flushed = f"{kernel}, flush-to-zero"
            if rng.random() < 0.25 or family in ("subnormal", "vanishing"):
                with flush_to_zero():
                    results[flushed] = verdict(solve(rows_of(values, normalised), kernel=kernel), alpha, normalised)
        stages = {result.stage for result in results.values()}
        if len(stages) > 1:
            wrong(f"{family}: the stages differ: { {name: result.stage for name, result in results.items()} }")
        for name, result in results.items():
            tally[name] += 1
            for message in disagreements(result, true):
                wrong(f"{family}, {name}, n={len(values)}, normalised={normalised}, alpha={alpha}: {message}")


def batched(
    batch: list[tuple[str, np.ndarray]],
    truths: list[dict[bool, tuple[Truth, Fraction]]],
    rng: np.random.Generator,
    tally: Counter[str],
    wrong: Callable[[str], None],
) -> None:
    """One call for many maps, on two threads, from arrays that are not contiguous or not writable."""
    for normalised in (False, True):
        chosen = [k for k, known in enumerate(truths) if normalised in known]
        for alpha in WEIGHTS:
            among = [k for k in chosen if truths[k][normalised][1] == alpha]
            maps = [looks(batch[k][1], rng) for k in among]
            restrict: Any = "renormalised" if normalised else None
            verdicts = check_many(maps, alpha=alpha, restrict=restrict, any_real=True, threads=2)
            for k, result in zip(among, verdicts, strict=True):
                tally["batched, two threads"] += 1
                for message in disagreements(result, truths[k][normalised][0]):
                    wrong(f"{batch[k][0]}, batched, normalised={normalised}: {message}")


def layered(
    batch: list[tuple[str, np.ndarray]],
    truths: list[dict[bool, tuple[Truth, Fraction]]],
    tally: Counter[str],
    wrong: Callable[[str], None],
) -> None:
    """The maps as layers of one head, all readings in one call, in memory that is used again."""
    for alpha in WEIGHTS:
        among = [k for k, known in enumerate(truths) if any(weight == alpha for _, weight in known.values())]
        readings = [[r for r, (_, weight) in truths[k].items() if weight == alpha] for k in among]
        keeps = [
            [range(len(batch[k][1])) if r else None for r in chosen] for k, chosen in zip(among, readings, strict=True)
        ]
        heads = [batch[k][1][None] for k in among]
        found = check_layer(heads, keeps=keeps, alpha=alpha, any_real=True, threads=2)
        for k, chosen, verdicts in zip(among, readings, found, strict=True):
            for normalised, result in zip(chosen, verdicts, strict=True):
                tally["layers, two threads"] += 1
                for message in disagreements(result, truths[k][normalised][0]):
                    wrong(f"{batch[k][0]}, layers, normalised={normalised}: {message}")


def stacked(
    batch: list[tuple[str, np.ndarray]],
    truths: list[dict[bool, tuple[Truth, Fraction]]],
    tally: Counter[str],
    wrong: Callable[[str], None],
) -> None:
    """Maps of one size as one array."""
    for normalised in (False, True):
        chosen = [k for k, known in enumerate(truths) if normalised in known]
        for n in sorted({len(batch[k][1]) for k in chosen}):
            among = [k for k in chosen if len(batch[k][1]) == n]
            found = solve_batch(np.stack([batch[k][1] for k in among]), normalised=normalised, threads=2)
            for position, k in enumerate(among):
                tally["stacked, two threads"] += 1
                true = truths[k][normalised][0]
                first = tuple(found.first[position].tolist())
                answer = found.kappa(position), int(found.count[position]), first, bool(found.self_dominant[position])
                if answer != (true.kappa, len(true.attaining), true.attaining[0], bool(true.dominant)):
                    wrong(f"{batch[k][0]}, stacked, normalised={normalised}: {answer}")


def run(matrices: int, seed: int, *, largest: int = 14, report: Callable[[str], None] | None = None) -> Counter[str]:
    """Fuzz so many matrices; AssertionError at the first matrix where any path is wrong."""
    rng = np.random.default_rng(seed)
    tally: Counter[str] = Counter()
    faults: list[str] = []
    names = list(FAMILIES)
    done = 0
    while done < matrices:
        batch: list[tuple[str, np.ndarray]] = []
        truths: list[dict[bool, tuple[Truth, Fraction]]] = []
        for _ in range(min(200, matrices - done)):
            family = names[done % len(names)]
            # now and then a map with several levels of blocks, and now and then the smallest there are
            n = int(rng.integers(17, 40)) if rng.random() < 0.02 else int(rng.integers(2, largest))
            values = np.ascontiguousarray(FAMILIES[family](rng, n), dtype=np.float64)
            batch.append((family, values))
            truths.append({})
            one_matrix(family, values, rng, tally, faults.append, truths[-1])
            tally["matrices"] += 1
            done += 1
        batched(batch, truths, rng, tally, faults.append)
        layered(batch, truths, tally, faults.append)
        stacked(batch, truths, tally, faults.append)
        if faults:
            raise AssertionError("\n".join([f"{len(faults)} disagreements, seed {seed}", *faults[:20]]))
        if report is not None:
            report(f"{done} of {matrices} matrices, no disagreement")
    return tally


def two_threads(matrices: int, seed: int) -> Counter[str]:
    """Two threads that each fuzz, at the same time: buffers must not be shared."""
    with ThreadPoolExecutor(2) as pool:
        parts = pool.map(lambda k: run(matrices // 2, seed + k), range(2))
        return sum(parts, start=Counter())


def main() -> None:
    """Read the command line, fuzz, and print how many verdicts each path gave."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matrices", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    start = time.monotonic()
    try:
        tally = run(options.matrices, options.seed, report=lambda line: print(line, file=sys.stderr))
        tally += two_threads(max(2, options.matrices // 50), options.seed + 1000)
    except AssertionError as error:
        print(error)
        raise SystemExit(1) from None
    print(f"{tally.pop('matrices')} matrices of {len(FAMILIES)} families in {time.monotonic() - start:.0f} s, by path:")
    for name, count in sorted(tally.items()):
        print(f"  {name:32} {count:8} verdicts")
    print("0 disagreements with brute-force integers")


if __name__ == "__main__":
    main()
