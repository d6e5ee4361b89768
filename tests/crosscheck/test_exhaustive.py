"""The exhaustive part in a small form, and that it sees what is wrong."""

import pytest

from dobrushin.crosscheck import theorems
from dobrushin.crosscheck.exhaustive import (
    Tally,
    count_is_complete,
    family_tasks,
    product_tasks,
    run_family_task,
    run_product_task,
)
from dobrushin.crosscheck.fault_table import named
from dobrushin.crosscheck.faults import seeded
from dobrushin.crosscheck.orbits import Family


def exhaust(family: Family, *, thorough: bool = True) -> Tally:
    total = Tally()
    for task in family_tasks(family, thorough=thorough, seed=0):
        total.add(run_family_task(task))
    return total


@pytest.mark.parametrize("family", [Family(2, 5), Family(3, 2), Family(4, 1)], ids=str)
def test_nothing_disagrees(family: Family) -> None:
    tally = exhaust(family)
    assert count_is_complete(family, tally)
    assert tally.theorem_failures == tally.production_failures == 0
    assert tally.verdicts == 6 * tally.representatives
    assert tally.references > 0


def test_one_verdict_for_each_representative_when_not_thorough() -> None:
    tally = exhaust(Family(3, 3), thorough=False)
    assert tally.verdicts == tally.representatives


def test_products() -> None:
    total = Tally()
    for task in product_tasks(Family(3, 1), Family(3, 2)):
        total.add(run_product_task(task))
    assert total.theorem_failures == 0
    assert total.partners == 7 * 6**3
    assert total.matrices == 3**3 * 6**3


@pytest.mark.parametrize("fault", ["strict dominance", "one-sided dominance", "every attaining pair"])
def test_a_seeded_fault_is_a_disagreement_with_a_small_witness(fault: str) -> None:
    with seeded(named(fault)):
        tally = exhaust(Family(3, 2))
    assert tally.production_failures > 0
    assert tally.theorem_failures == 0
    assert len(tally.witnesses[0].matrices[0]) == 3
    assert "verdict" in tally.witnesses[0].claim


def test_a_false_statement_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(theorems, "overlap", lambda table: table.largest > 2 * table.q)
    tally = exhaust(Family(2, 2))
    assert tally.theorem_failures == tally.representatives
    assert tally.witnesses[0].claim.startswith("T5")


def test_a_lost_representative_is_noticed() -> None:
    tally = exhaust(Family(2, 3))
    tally.representatives -= 1
    assert not count_is_complete(Family(2, 3), tally)
