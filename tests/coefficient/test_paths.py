"""Every way of searching the pairs gives the answers of brute force, and of every other way."""

import json
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from dobrushin import InputError, attention_matrix, check
from dobrushin.coefficient import solve
from dobrushin.testing.families import FAMILIES
from dobrushin.testing.fuzz import KERNELS, rows_of, run, two_threads, verdict
from dobrushin.testing.oracle import disagreements, truth
from dobrushin.tokens import Restriction, restricted_rows

HALF = Fraction(1, 2)


def test_small_fuzz() -> None:
    tally = run(10 * len(FAMILIES), seed=3)
    for path in (*KERNELS, "batched, two threads"):
        assert tally[path] >= 10 * len(FAMILIES)


def test_two_threads_at_once() -> None:
    assert two_threads(2 * len(FAMILIES), seed=4)["matrices"] == 2 * len(FAMILIES)


def test_fuzz_notices_a_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that keeps one attaining pair too few is caught."""
    from dobrushin.coefficient.screened import ScreenedSearch

    true = ScreenedSearch._largest_among
    monkeypatch.setattr(ScreenedSearch, "_largest_among", lambda self, mask: true(self, mask)[:1])
    with pytest.raises(AssertionError, match=r"numpy.*n_attaining"):
        run(4 * len(FAMILIES), seed=5)


def test_oracle_notices_each_field() -> None:
    rng = np.random.default_rng(0)
    one, other = FAMILIES["dirichlet"](rng, 6), FAMILIES["dirichlet"](rng, 6)
    true = truth(one, HALF, normalised=False)
    assert disagreements(check(one), true) == []
    assert len(disagreements(check(other), true)) >= 4


@pytest.mark.parametrize("n", [113, 150, 260])
@pytest.mark.parametrize("family", ["dirichlet", "band", "causal", "head_mean", "hard", "saturated", "duplicates"])
def test_paths_agree_on_larger_maps(family: str, n: int) -> None:
    """Larger than what is always dense: sampling, several levels of blocks, lists that overflow."""
    values = np.ascontiguousarray(FAMILIES[family](np.random.default_rng(n), n), dtype=np.float64)
    for normalised in (False, True):
        reference = verdict(solve(rows_of(values, normalised), kernel="dense"), HALF, normalised)
        for kernel in ("auto", "tree", "narrow"):
            assert verdict(solve(rows_of(values, normalised), kernel=kernel), HALF, normalised) == reference, kernel
        if not normalised and n < 200 and reference.n_attaining < 100:
            assert verdict(solve(rows_of(values, normalised), kernel="numpy"), HALF, normalised) == reference


@pytest.mark.parametrize("restrict", ["pairs", "submatrix", "renormalised"])
@pytest.mark.parametrize("n", [12, 150])
def test_paths_agree_on_token_subsets(restrict: Restriction, n: int) -> None:
    """Fewer rows than columns, tokens that are not consecutive, rows that do not sum to 1."""
    rng = np.random.default_rng(n)
    for family in ("dirichlet", "causal", "head_mean", "one_ulp", "small_integers", "subnormal"):
        values = np.asarray(FAMILIES[family](rng, n), dtype=np.float64)
        keep = np.sort(rng.choice(n, 2 * n // 3, replace=False))
        matrix = attention_matrix(values, any_real=True)
        try:
            rows, _ = restricted_rows(matrix, keep=keep, restrict=restrict)
        except InputError:
            continue  # a row without mass on the kept tokens
        results = {kernel: verdict(solve(rows, kernel=kernel), Fraction(1, 3), rows.normalised) for kernel in KERNELS}
        assert len(set(results.values())) == 1, family


def test_auto_takes_each_path() -> None:
    rng = np.random.default_rng(0)
    maps = {"dense": np.eye(200), "tree": FAMILIES["causal"](rng, 200), "narrow": FAMILIES["dirichlet"](rng, 200)}
    for path, values in maps.items():
        assert solve(rows_of(values, False)).search.path == path
    assert solve(rows_of(-np.eye(5), False)).search.path == "numpy"


def test_ties_come_as_a_count_and_all_of_them() -> None:
    solution = solve(rows_of(np.eye(300), False))
    assert len(solution.attaining) == 300 * 299 // 2
    assert solution.attaining[:2].tolist() == [[0, 1], [0, 2]]
    assert solution.runner_up is None


@pytest.mark.parametrize("alpha", [Fraction(1, 10**30), 1 - Fraction(1, 10**30)])
def test_extreme_residual_weights(alpha: Fraction) -> None:
    rng = np.random.default_rng(1)
    for family in ("permutation", "dirichlet", "hard"):
        for normalised in (False, True):
            values = np.asarray(FAMILIES[family](rng, 7), dtype=np.float64)
            true = truth(values, alpha, normalised=normalised)
            for kernel in KERNELS:
                assert (
                    disagreements(verdict(solve(rows_of(values, normalised), kernel=kernel), alpha, normalised), true)
                    == []
                )


SCRIPT = """
import json, sys
if {blocked}: sys.modules["numba"] = None
import numpy as np, dobrushin
assert {blocked} or "numba" not in sys.modules, "importing dobrushin imports numba"
from dobrushin.coefficient import solve
from dobrushin.tokens import restricted_rows
rng = np.random.default_rng(0)
lines = []
for n in (2, 9, 120):
    for keep in (None, range(1, n)) if n > 2 else (None,):
        A = rng.dirichlet(np.ones(n), size=n)
        lines.append(dobrushin.check(A, keep=keep).to_json())
path = solve(restricted_rows(dobrushin.attention_matrix(A))[0]).search.path
print(json.dumps([path, lines]))
"""


def test_without_numba() -> None:
    """numba is optional and imported late; the answers do not depend on it."""
    results = []
    for blocked in (True, False):
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT.format(blocked=blocked)], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr
        results.append(json.loads(run.stdout))
    assert results[0][0] == "numpy"
    assert results[1][0] != "numpy"
    assert results[0][1] == results[1][1]
