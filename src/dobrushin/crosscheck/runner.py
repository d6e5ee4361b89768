"""All parts, one after the other, into one report."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dobrushin.crosscheck import bounds, exhaustive, fault_table, faults, search, softmax, theorem_search, variants
from dobrushin.crosscheck.exhaustive import Tally
from dobrushin.crosscheck.faults import Fault, Probe
from dobrushin.crosscheck.orbits import Family
from dobrushin.crosscheck.plan import Profile
from dobrushin.crosscheck.report import Line, Report
from dobrushin.crosscheck.search import Outcome
from dobrushin.crosscheck.variants import Variant
from dobrushin.crosscheck.witness import Witness
from dobrushin.crosscheck.workers import Workers
from dobrushin.errors import GateError

_PROBES: dict[Probe, str] = {
    "verdict": "dobrushin.check: floats of every format, tokens, readings",
    "filter": "dobrushin.check: exact ties and cancellation, hard for floats",
    "distances": "kappa and pair_distances, exact and float64",
    "rollout": "bounds: products of layers",
}


@dataclass(frozen=True)
class Run:
    """The settings of one run.

    Attributes:
        profile: how much is done.
        seed: every random choice follows from it.
        workers: processes.
        folder: where witnesses are saved.
        fault: name of a fault to seed for the whole run, to see the checks turn red; None for the real thing.
    """

    profile: Profile
    seed: int
    workers: int
    folder: Path
    fault: str | None = None


def run(settings: Run) -> Report:
    """Run everything; the report says whether anything disagreed."""
    with Workers(settings.workers, fault=settings.fault) as workers:
        return _run(settings, workers)


def _run(settings: Run, workers: Workers) -> Report:
    report = Report(settings.folder)
    _exhaust(settings, report, workers)
    _exhaust_products(settings, report, workers)
    _search(settings, report, workers)
    if settings.fault is None:  # two faults at a time would say nothing about either
        _show_power(settings, report, workers)
    _check_bounds(settings, report)
    _compare_softmax(settings, report)
    return report


def summary(report: Report, seconds: float) -> str:
    """One line: what was done, and the outcome."""
    refuted = report.sections.get("False variants, to be refuted", [])
    found = report.sections.get("Seeded faults, to be found", [])
    disagreements = sum(line.disagreements for line in report.lines if line not in refuted + found)
    caught = [sum(not line.disagreements for line in lines) for lines in (refuted, found)]
    return (
        f"check-exact: {'FAILED' if report.failed else 'passed'}: {report.exhausted:,} representatives checked, "
        f"{disagreements} disagreements; {caught[0]} of {len(refuted)} false variants refuted, "
        f"{caught[1]} of {len(found)} seeded faults found; {seconds:.0f} s"
    )


def _exhaust(settings: Run, report: Report, workers: Workers) -> None:
    for label, thorough, families in settings.profile.families():
        tasks = [task for f in families for task in exhaustive.family_tasks(f, thorough=thorough, seed=settings.seed)]
        tallies = {family: Tally() for family in families}
        results = workers.run(exhaustive.run_family_task, tasks, description=f"all matrices, {label}")
        for task, tally in zip(tasks, results, strict=True):
            tallies[task.family].add(tally)
        _report_families(report, label, tallies)


def _report_families(report: Report, label: str, tallies: dict[Family, Tally]) -> None:
    total = Tally()
    for tally in tallies.values():
        total.add(tally)
    incomplete = [family for family, tally in tallies.items() if not exhaustive.count_is_complete(family, tally)]
    report.exhausted += total.representatives
    theorem = next((w for w in total.witnesses if not w.claim.startswith("verdict")), None)
    production = next((w for w in total.witnesses if w.claim.startswith("verdict")), None)
    if incomplete:
        theorem = Witness(
            claim="number of orbits",
            matrices=(),
            setting=str(incomplete),
            expected="Burnside's number",
            found="another",
        )
    report.add(
        "All row-stochastic matrices with denominator q, one of each orbit",
        Line(
            what=f"{label}: T1–T6, {len(exhaustive.WEIGHTS)} residual weights",
            count=f"{total.representatives:,} representatives of {total.matrices:,} matrices "
            f"({total.references:,} again by brute force)",
            disagreements=total.theorem_failures + len(incomplete),
            seconds=total.theorem_seconds,
            failure=theorem,
        ),
    )
    report.add(
        "All row-stochastic matrices with denominator q, one of each orbit",
        Line(
            what=f"{label}: verdict of dobrushin.check",
            count=f"{total.verdicts:,} verdicts on {total.representatives:,} representatives",
            disagreements=total.production_failures,
            seconds=total.production_seconds,
            failure=production,
        ),
    )


def _exhaust_products(settings: Run, report: Report, workers: Workers) -> None:
    for n, top in settings.profile.products:
        families = [Family(n, q) for q in range(1, top + 1)]
        tasks = [task for left in families for right in families for task in exhaustive.product_tasks(left, right)]
        total = Tally()
        for tally in workers.run(exhaustive.run_product_task, tasks, description=f"all products, n = {n}, q ≤ {top}"):
            total.add(tally)
        report.add(
            "All products of two of them",
            Line(
                what=f"n = {n}, q ≤ {top}: T5, and T5′ when it is an equality",
                count=f"{total.partners:,} products standing for {total.matrices:,}",
                disagreements=total.theorem_failures,
                seconds=total.theorem_seconds,
                failure=next(iter(total.witnesses), None),
            ),
        )


@dataclass(frozen=True)
class SearchTask:
    """One search of unchanged code; ``probe`` None searches the theorems themselves."""

    probe: Probe | None
    seed: int
    examples: int


def run_search_task(task: SearchTask) -> Outcome:
    """Run one search."""
    if task.probe is None:
        return theorem_search.search(seed=task.seed, examples=task.examples)
    return search.probe(task.probe, seed=task.seed, examples=task.examples)


def _search(settings: Run, report: Report, workers: Workers) -> None:
    profile = settings.profile
    tasks = [
        SearchTask(
            name,
            settings.seed * 1000 + index,
            profile.theorem_examples if name is None else profile.production_examples,
        )
        for name in (None, *_PROBES)
        for index in range(profile.searches)
    ]
    outcomes = workers.run(run_search_task, tasks, description="search for disagreements")
    by_probe: dict[Probe | None, list[Outcome]] = {}
    for task, outcome in zip(tasks, outcomes, strict=True):
        by_probe.setdefault(task.probe, []).append(outcome)
    for name, results in by_probe.items():
        witnesses = [outcome.witness for outcome in results if outcome.witness is not None]
        report.add(
            "Targeted search",
            Line(
                what="T1–T6 and T5′: stochastic and real rationals" if name is None else _PROBES[name],
                count=f"{sum(outcome.examples for outcome in results):,} cases",
                disagreements=len(witnesses),
                seconds=sum(outcome.seconds for outcome in results),
                failure=min(witnesses, key=lambda witness: witness.size, default=None),
            ),
        )


@dataclass(frozen=True)
class PowerTask:
    """A false variant or a seeded fault (by its place in the table) that the search has to find."""

    subject: Variant | Fault
    seed: int
    examples: int
    shrink: bool


def run_power_task(task: PowerTask) -> Outcome:
    """Search with the fault in place, or for a counter-example to the variant."""
    if isinstance(task.subject, Variant):
        return variants.search(task.subject, seed=task.seed, examples=task.examples, shrink=task.shrink)
    with faults.seeded(task.subject):
        return search.probe(task.subject.probe, seed=task.seed, examples=task.examples, shrink=task.shrink)


def _show_power(settings: Run, report: Report, workers: Workers) -> None:
    profile = settings.profile
    subjects: Iterable[Variant | Fault] = (*variants.VARIANTS, *fault_table.FAULTS)
    tasks = [PowerTask(subject, settings.seed, profile.fault_examples, profile.shrink) for subject in subjects]
    outcomes = workers.run(run_power_task, tasks, description="variants and seeded faults")
    for task, outcome in zip(tasks, outcomes, strict=True):
        if isinstance(task.subject, Variant):
            _report_variant(report, task.subject, outcome)
        else:
            _report_fault(report, task.subject, outcome, shrunk=task.shrink)


def _report_variant(report: Report, variant: Variant, outcome: Outcome) -> None:
    begin = time.process_time()
    smallest = variants.smallest(variant)
    report.add(
        "False variants, to be refuted",
        Line(
            what=variant.name,
            count=_found(outcome, "refuted"),
            disagreements=int(outcome.witness is None or smallest is None),
            seconds=outcome.seconds + time.process_time() - begin,
            failure=_survivor(variant.name, outcome),
            shown=smallest,
        ),
    )


def _report_fault(report: Report, fault: Fault, outcome: Outcome, *, shrunk: bool) -> None:
    report.add(
        "Seeded faults, to be found",
        Line(
            what=f"{fault.name}: {fault.breaks}",
            count=_found(outcome, "found"),
            disagreements=int(outcome.witness is None),
            seconds=outcome.seconds,
            failure=_survivor(fault.name, outcome),
            shown=outcome.witness if shrunk else None,  # hundreds of digits tell nobody anything
        ),
    )


def _found(outcome: Outcome, verb: str) -> str:
    if outcome.until_found is None:
        return f"SURVIVED {outcome.examples:,} cases"
    return f"{verb} by case {outcome.until_found:,}"


def _survivor(name: str, outcome: Outcome) -> Witness:
    found = f"none in {outcome.examples:,} cases"
    return Witness(claim=f"power against '{name}'", matrices=(), setting="", expected="a disagreement", found=found)


def _check_bounds(settings: Run, report: Report) -> None:
    for check in bounds.run(seed=settings.seed, repeats=settings.profile.bound_repeats):
        report.add(
            f"Error bounds against {bounds.DIGITS} digits",
            Line(
                what=check.name,
                count=f"{check.comparisons:,} numbers, largest error {check.tightness:.2g} of the bound",
                disagreements=check.violations,
                seconds=check.seconds,
                failure=check.witness,
            ),
        )


def _compare_softmax(settings: Run, report: Report) -> None:
    for agreement in softmax.run(seed=settings.seed, repeats=settings.profile.softmax_repeats):
        if not agreement.total:
            raise GateError("the softmax experiment compared nothing")
        report.add(
            "Verdict of the float32 softmax and of the real softmax (findings, not faults)",
            Line(
                what=agreement.kind,
                count=f"{agreement.total:,}: {agreement.agree:,} agree, {agreement.differ:,} differ, "
                f"{agreement.undecided:,} undecided",
                disagreements=0,
                seconds=agreement.seconds,
            ),
        )
