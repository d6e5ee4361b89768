"""Worker processes: the results of one process, and the seeded fault in every worker."""

from dobrushin.crosscheck.exhaustive import FamilyTask, family_tasks, run_family_task
from dobrushin.crosscheck.fault_table import named
from dobrushin.crosscheck.faults import seeded
from dobrushin.crosscheck.orbits import Family
from dobrushin.crosscheck.workers import Workers

TASKS: list[FamilyTask] = [task for q in (1, 2) for task in family_tasks(Family(3, q), thorough=False, seed=0)]


def failures(count: int, *, fault: str | None = None) -> list[tuple[int, int]]:
    with Workers(count, fault=fault) as workers:
        tallies = list(workers.run(run_family_task, TASKS, description="matrices"))
    return [(tally.representatives, tally.production_failures) for tally in tallies]


def test_two_workers_do_what_one_does() -> None:
    assert failures(2) == failures(1) == [(7, 0), (44, 0)]


def test_every_worker_has_the_seeded_fault() -> None:
    with seeded(named("one-sided dominance")):
        expected = failures(1)
    assert sum(count for _, count in expected) > 0
    assert failures(2, fault="one-sided dominance") == expected
