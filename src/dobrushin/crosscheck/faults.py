"""Faults to seed into the production code, each of which the search has to find.

A fault replaces one piece of the source of one function, and the function's code object is exchanged while the fault
is in place, so every caller sees it.  A piece that does not occur exactly once is an error: when the production code
changes, this table has to follow.
"""

import importlib
import inspect
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Literal

from dobrushin.errors import GateError, InputError

Probe = Literal["verdict", "ties", "rollout", "distances"]
"""The search that has to find it."""


@dataclass(frozen=True)
class Fault:
    """One seeded fault.

    Attributes:
        name: short name.
        breaks: what is wrong with the production code while it is seeded.
        where: ``module:function``, inside the package.
        old: the piece of the function's source that is replaced.
        new: what replaces it.
        probe: the search that has to find it.
    """

    name: str
    breaks: str
    where: str
    old: str
    new: str
    probe: Probe = "verdict"


FAULTS: tuple[Fault, ...] = (
    # The equality condition.
    Fault("strict dominance", "> for >= in self-dominance",
          "condition:check", "(u >= 0) & (v >= 0)", "(u > 0) & (v > 0)"),
    Fault("one-sided dominance", "one of the two comparisons is enough",
          "condition:check", "(u >= 0) & (v >= 0)", "(u >= 0) | (v >= 0)"),
    Fault("any pair", "dominance of any pair, not of an attaining one",
          "condition:check", "tight = dominant.size > 0\n    at = int(dominant[0]) if tight else 0",
          "us, vs = ExactPairs.of(rows, solution.pairs_at_least(Fraction(-1))).advantages()\n"
          "    tight = bool(((us >= 0) & (vs >= 0)).any())\n"
          "    at = int(dominant[0]) if dominant.size else 0"),
    Fault("every attaining pair", "all attaining pairs have to be self-dominant",
          "condition:check", "tight = dominant.size > 0", "tight = dominant.size == len(u)"),
    Fault("first tie only", "ties are cut to the first attaining pair",
          "condition:check", "ExactPairs.of(rows, solution.attaining)", "ExactPairs.of(rows, solution.attaining[:1])"),
    Fault("wrong column", "A_ji is read from column j instead of i",
          "coefficient.exact_pairs:ExactPairs.advantages", "self.numbers[j, own_i]", "self.numbers[j, own_j]"),
    # Which pairs attain.
    Fault("float comparison", "the float filter decides, exact comparison left out",
          "coefficient.solution:solve", "candidates[attains]", "candidates", "ties"),
    Fault("dropped pair", "the last surviving pair is never compared",
          "coefficient.solution:solve", "pairs_at(survivors, len(rows))",
          "pairs_at(survivors := survivors[: max(1, len(survivors) - 1)], len(rows))"),
    Fault("no error bound", "the relative error bound of the filter is zero",
          "coefficient.screen:screen_pairs", "1.01 * (rows.width + 8) * _UNIT_ROUNDOFF", "0.0", "ties"),
    Fault("error bound without the division", "the rounding of the row sums and of the division is forgotten",
          "coefficient.screen:screen_pairs", "4 * _UNIT_ROUNDOFF * mass * (1 + relative) + _UNDERFLOW",
          "_UNDERFLOW", "ties"),
    Fault("integer overflow", "products with row sums stay in int64 whatever their size",
          "coefficient.exact_pairs:ExactPairs.of", "> 62", "> 1000"),
    # How rows are read.
    Fault("float division", "rows are renormalised in floating point",
          "tokens:restricted_rows", "return Rows(values, own.astype(np.int64), reading == \"renormalised\",",
          "if reading == \"renormalised\":\n"
          "            values = values / (values.sum(axis=1, keepdims=True) + 1e-300)\n"
          "        return Rows(values, own.astype(np.int64), False,"),
    Fault("silent renormalising", "stored rows are divided by their sums though nobody asked",
          "tokens:restricted_rows", "reading == \"renormalised\", tokens.tolist()",
          "reading == \"renormalised\" or (reading == \"none\" and bool((values.sum(axis=1) > 0).all())), "
          "tokens.tolist()"),
    Fault("own column of pairs", "in the reading `pairs` the diagonal is looked up among the kept columns",
          "tokens:restricted_rows", "own = tokens if reading in (\"none\", \"pairs\")",
          "own = tokens if reading == \"none\""),
    Fault("columns dropped in pairs", "the reading `pairs` drops the other columns",
          "tokens:restricted_rows", "columns = np.arange(matrix.n) if reading in (\"none\", \"pairs\") else tokens\n"
          "    values = np.ascontiguousarray(matrix.values[np.ix_(tokens, columns)])",
          "columns = tokens\n    values = matrix.values[tokens].copy()\n"
          "    values[:, ~np.isin(np.arange(matrix.n), columns)] *= reading == \"none\"\n"
          "    values = values if reading in (\"none\", \"pairs\") else np.ascontiguousarray(values[:, columns])"),
    Fault("float32 subnormals flushed", "subnormal float32 entries are read as zero",
          "exact:widen", "magnitude = (bits[subnormal] & 0x007FFFFF).astype(np.float64) * 2.0**-149",
          "magnitude = np.zeros(int(subnormal.sum()))"),
    Fault("float64 subnormals flushed", "subnormal float64 entries are read as zero",
          "exact:significands", "mantissa | (1 << _FRACTION_BITS), mantissa)", "mantissa | (1 << _FRACTION_BITS), 0)"),
    Fault("row sums unchecked", "rows that are no distributions are accepted",
          "matrix:_refuse_row_sums", "if (off <= tolerance).all():", "if tolerance > 0:"),
    # The numbers of the verdict.
    Fault("residual weight rounded", "a rational residual weight goes through float64",
          "residual:residual_weight", "else Fraction(alpha)", "else as_fraction(float(Fraction(alpha)))"),
    Fault("slack of attaining pairs", "the slack is minimised over the attaining pairs only",
          "slack:exact_slack", "if bound == 0:", "if bound >= 0:"),
    Fault("slack without its cap", "the deficit of a pair is not capped at α",
          "slack:_shortfalls", "min(alpha, (1 - alpha) * max(-exact.value(x[k], k), Fraction(0)))",
          "(1 - alpha) * max(-exact.value(x[k], k), Fraction(0))"),
    Fault("slack filter without a bound", "the float filter of the slack takes its numbers for exact",
          "slack:_may_be_smallest", "shortfalls - error <= shortfalls.min() + error", "shortfalls <= shortfalls.min()"),
    Fault("margin between ties", "the runner-up may be another attaining pair",
          "coefficient.solution:Solution.runner_up", "others[self._positions] = False",
          "others[self._positions[:1]] = False"),
    Fault("margin in floats", "the margin is a difference of floats",
          "condition:check", "solution.kappa - runner_up,",
          "Fraction(nearest_float(solution.kappa) - nearest_float(runner_up)),"),
    # Distances and rollout.
    Fault("distance not halved", "pair_distances returns L1 instead of half of it",
          "distances:pair_distances", "distances = np.ldexp(screen.distances, screen.exponent)",
          "distances = np.ldexp(screen.distances, screen.exponent + 1)", "distances"),
    Fault("rollout upside down", "the layers are multiplied in the wrong order",
          "rollout:_rollout_interval", "_lazy(divided_by_sums(layer.values), alpha) @ result",
          "result @ _lazy(divided_by_sums(layer.values), alpha)", "rollout"),
    Fault("rollout without a bound", "the interval of κ(R) has no width",
          "rollout:_rollout_interval", "1.01 * _UNIT_ROUNDOFF * (8 * depth + n * (depth + 1) + 16)", "0.0", "rollout"),
    Fault("exact rollout without division", "the exact rollout leaves out the division by the row sums",
          "rollout:_exact_rollout_kappa", "fractions / fractions.sum(axis=1)[:, None]", "fractions", "rollout"),
)  # fmt: skip


def named(name: str) -> Fault:
    """The fault of this name; :class:`InputError` lists the names when there is none."""
    for fault in FAULTS:
        if fault.name == name:
            return fault
    raise InputError(f"unknown fault {name!r}; choose one of: {', '.join(fault.name for fault in FAULTS)}")


@contextmanager
def seeded(fault: Fault) -> Iterator[None]:
    """Put the fault into the running production code; take it out again at the end."""
    function = _function(fault.where)
    original = function.__code__
    function.__code__ = _with_fault(function, fault).__code__
    try:
        yield
    finally:
        function.__code__ = original


def _function(where: str) -> FunctionType:
    module_name, _, path = where.partition(":")
    target: Any = importlib.import_module(f"dobrushin.{module_name}")
    for part in path.split("."):
        target = inspect.getattr_static(target, part)
    target = getattr(target, "__func__", getattr(target, "func", getattr(target, "fget", target)))
    if not isinstance(target, FunctionType):
        raise GateError(f"faults are seeded into Python functions, and dobrushin.{where} is none")
    return target


def _with_fault(function: FunctionType, fault: Fault) -> FunctionType:
    source = textwrap.dedent(inspect.getsource(function))
    if source.count(fault.old) != 1:
        raise GateError(
            f"the fault '{fault.name}' replaces {fault.old!r}, which occurs {source.count(fault.old)} times in "
            f"dobrushin.{fault.where}: the table of faults has to follow the production code"
        )
    definition = source[source.index("def ") :]  # decorators stay on the function that is patched
    names: dict[str, Any] = {}
    exec(compile(definition.replace(fault.old, fault.new), f"<{fault.name}>", "exec"), function.__globals__, names)
    faulty = names[function.__name__]
    assert isinstance(faulty, FunctionType)
    return faulty
