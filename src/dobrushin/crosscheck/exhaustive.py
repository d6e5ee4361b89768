"""Every small row-stochastic rational matrix, one of each orbit: T1–T6 in integers, and the production verdict.

What is counted: *representatives* are the matrices looked at, one of each orbit under relabelling; *matrices* is the
number that they stand for, the sum of the sizes of the orbits.  Both numbers are checked (Burnside, and m^n).
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import factorial

import numpy as np

from dobrushin.crosscheck import theorems
from dobrushin.crosscheck.orbits import Family, number_of_orbits
from dobrushin.crosscheck.production import READINGS, Reading, compare, stochastic_text
from dobrushin.crosscheck.theorems import LazyTable, PairTable
from dobrushin.crosscheck.witness import Witness
from dobrushin.testing import brute

WEIGHTS = (Fraction(1, 2), Fraction(1, 3), Fraction(9, 10))
"""Residual weights: the paper's, and one on either side."""

_REFERENCE_SAMPLES = 3  # per task, through brute force in Fractions
_PAIRS_PER_STEP = 4096

_PER_WEIGHT: dict[str, Callable[[LazyTable], theorems.Truths]] = {
    "T1 exact defect": theorems.exact_defect,
    "T2 layerwise inequality": theorems.layerwise_inequality,
    "T3 equality condition": theorems.equality_condition,
    "T4 exact slack": theorems.exact_slack,
    "T6 floor": theorems.floor,
}


@dataclass
class Tally:
    """How much was checked, what disagreed, and how long it took (seconds of processor time)."""

    representatives: int = 0
    matrices: int = 0
    verdicts: int = 0
    references: int = 0
    partners: int = 0
    theorem_seconds: float = 0.0
    production_seconds: float = 0.0
    theorem_failures: int = 0
    production_failures: int = 0
    witnesses: list[Witness] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Take in another tally; of the witnesses, only the smallest few stay."""
        for name in vars(self):
            if name != "witnesses":
                setattr(self, name, getattr(self, name) + getattr(other, name))
        self.witnesses = sorted(self.witnesses + other.witnesses, key=lambda witness: witness.size)[:5]


@dataclass(frozen=True)
class FamilyTask:
    """The matrices of a family with numbers in [start, stop).

    ``thorough``: every reading and every residual weight goes to the production code; otherwise one of each, in turn.
    """

    family: Family
    start: int
    stop: int
    thorough: bool
    seed: int


@dataclass(frozen=True)
class ProductTask:
    """T5 and T5′ for representatives of one family with numbers in [start, stop), times all matrices of another."""

    left: Family
    right: Family
    start: int
    stop: int


def family_tasks(family: Family, *, thorough: bool, seed: int) -> Iterator[FamilyTask]:
    """Cut a family into tasks of a second or so: representatives are dense among the small numbers, then rare."""
    start = 0
    while start < family.size:
        stop = min(start + max(3000, start // 16), family.size)
        yield FamilyTask(family, start, stop, thorough, seed)
        start = stop


def product_tasks(left: Family, right: Family) -> Iterator[ProductTask]:
    """Cut the products of two families into tasks of about a second."""
    step = max(1, 150_000 // right.size) * factorial(left.n)
    for start in range(0, left.size, step):
        yield ProductTask(left, right, start, min(start + step, left.size))


def count_is_complete(family: Family, tally: Tally) -> bool:
    """Whether the representatives number as Burnside says and their orbits fill the family."""
    return (tally.representatives, tally.matrices) == (number_of_orbits(family), family.size)


def run_family_task(task: FamilyTask) -> Tally:
    """Check the theorems, a sample against brute force, and the production verdicts."""
    family, tally = task.family, Tally()
    codes, orbit_sizes = family.representatives(task.start, task.stop)
    tally.representatives, tally.matrices = len(codes), int(orbit_sizes.sum())
    if not len(codes):
        return tally
    begin = time.process_time()
    table = PairTable.of(family.matrices(codes), family.q)
    lazies = [LazyTable.of(table, alpha) for alpha in WEIGHTS]
    for lazy in lazies:
        for name, statement in _PER_WEIGHT.items():
            _record(tally, statement(lazy), f"{name}, α = {lazy.alpha}", table)
    _record(tally, theorems.overlap(table), "T5 κ = 1 − smallest overlap", table)
    _check_random_partners(tally, table, task)
    _check_reference(tally, lazies)
    tally.theorem_seconds = time.process_time() - begin
    _check_production(tally, lazies, task)
    tally.production_seconds = time.process_time() - begin - tally.theorem_seconds
    return tally


def run_product_task(task: ProductTask) -> Tally:
    """Check T5 and T5′ on all products of the task."""
    tally, begin = Tally(), time.process_time()
    codes, orbit_sizes = task.left.representatives(task.start, task.stop)
    tally.representatives = len(codes)
    tally.partners = len(codes) * task.right.size
    tally.matrices = int(orbit_sizes.sum()) * task.right.size
    for at in range(0, tally.partners, _PAIRS_PER_STEP):
        index = np.arange(at, min(at + _PAIRS_PER_STEP, tally.partners))
        left = PairTable.of(task.left.matrices(codes[index // task.right.size]), task.left.q)
        right = PairTable.of(task.right.matrices(index % task.right.size), task.right.q)
        _record(tally, theorems.contraction(left, right), "T5 κ(AB) ≤ κ(A)κ(B)", left, right)
        _record(tally, theorems.contraction_equality(left, right), "T5′ equality in T5", left, right)
    tally.theorem_seconds = time.process_time() - begin
    return tally


def _check_random_partners(tally: Tally, table: PairTable, task: FamilyTask) -> None:
    """T5 with a random other representative, its tokens relabelled at random."""
    rng = np.random.default_rng([task.seed, task.family.n, task.family.q, task.start])
    order, relabelling = rng.permutation(len(table.matrices)), rng.permutation(task.family.n)
    partners = PairTable.of(table.matrices[order][:, relabelling][:, :, relabelling], table.q)
    tally.partners += len(order)
    _record(tally, theorems.contraction(table, partners), "T5 κ(AB) ≤ κ(A)κ(B)", table, partners)


def _check_reference(tally: Tally, lazies: list[LazyTable]) -> None:
    """The integer tables against brute force in Fractions, on a sample: the tables themselves could be wrong."""
    table = lazies[0].table
    n, q = table.matrices.shape[1], table.q
    pairs = brute.pairs_of(range(n))
    for index in np.unique(np.linspace(0, len(table.matrices) - 1, _REFERENCE_SAMPLES).astype(int)):
        A = [[Fraction(int(x), q) for x in row] for row in table.matrices[index]]
        same = [brute.distance(A, i, j) for i, j in pairs] == [Fraction(int(d), 2 * q) for d in table.distances[index]]
        same &= [brute.self_dominant(A, i, j) for i, j in pairs] == table.dominant[index].tolist()
        for lazy in lazies:
            unit = Fraction(1, 2 * lazy.alpha.denominator * q)
            same &= brute.slack(A, pairs, lazy.alpha) == int(lazy.slack[index]) * unit
        tally.references += 1
        truth = np.ones(len(table.matrices), dtype=bool)
        truth[index] = same
        _record(tally, truth, "integer tables equal brute force", table)


def _check_production(tally: Tally, lazies: list[LazyTable], task: FamilyTask) -> None:
    count = tally.representatives
    for at, (lazy, reading) in enumerate(_settings(lazies)):
        indices = range(count) if task.thorough else range(at, count, len(lazies) * len(READINGS))
        witnesses = compare(lazy, indices, reading)
        tally.verdicts += len(indices)
        tally.production_failures += len(witnesses)
        tally.witnesses = sorted(tally.witnesses + witnesses, key=lambda witness: witness.size)[:5]


def _settings(lazies: list[LazyTable]) -> list[tuple[LazyTable, Reading]]:
    return [(lazy, reading) for lazy in lazies for reading in READINGS]


def _record(tally: Tally, truths: theorems.Truths, claim: str, *tables: PairTable) -> None:
    failures = np.flatnonzero(~truths)
    tally.theorem_failures += len(failures)
    for index in failures[:5]:
        matrices = tuple(stochastic_text(table.matrices[index], table.q) for table in tables)
        tally.witnesses.append(
            Witness(claim=claim, matrices=matrices, setting="", expected="the theorem", found="its negation")
        )
