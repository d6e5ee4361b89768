"""The seeded faults: name, what is broken, and the pieces of production code that are replaced.

Aligned by hand, one fault after the other, so that it reads as the table that it is.
"""

from dobrushin.crosscheck.faults import Fault, Piece, fault, seeded
from dobrushin.errors import InputError

FAULTS: tuple[Fault, ...] = (
    # The equality condition.
    fault("strict dominance", "> for >= in self-dominance",
          Piece("condition:check", "(u >= 0) & (v >= 0)", "(u > 0) & (v > 0)")),
    fault("one-sided dominance", "one of the two comparisons is enough",
          Piece("condition:check", "(u >= 0) & (v >= 0)", "(u >= 0) | (v >= 0)")),
    fault("any pair", "dominance of any pair, not of an attaining one",
          Piece("condition:check", "tight = dominant.size > 0\n    at = int(dominant[0]) if tight else 0",
                "us, vs = ExactPairs.of(rows, solution.pairs_at_least(Fraction(-1))).advantages()\n"
                "    tight = bool(((us >= 0) & (vs >= 0)).any())\n"
                "    at = int(dominant[0]) if dominant.size else 0")),
    fault("every attaining pair", "all attaining pairs have to be self-dominant",
          Piece("condition:check", "tight = dominant.size > 0", "tight = dominant.size == len(u)")),
    fault("first tie only", "ties are cut to the first attaining pair",
          Piece("condition:check", "ExactPairs.of(rows, solution.attaining)",
                "ExactPairs.of(rows, solution.attaining[:1])")),
    fault("wrong column", "A_ji is read from column j instead of i",
          Piece("coefficient.exact_pairs:ExactPairs.advantages", "self.numbers[j, own_i]",
                "self.numbers[j, own_j]")),
    # Which pairs attain.
    fault("float comparison", "the float filter decides, exact comparison left out",
          Piece("coefficient.solution:solve", "candidates[attains]", "candidates"), probe="filter"),
    fault("dropped pair", "the last surviving pair is never compared",
          Piece("coefficient.solution:solve", "pairs_at(survivors, len(rows))",
                "pairs_at(survivors := survivors[: max(1, len(survivors) - 1)], len(rows))")),
    fault("no error bound", "the relative error bound of the filter is zero",
          Piece("coefficient.screen:screen_pairs", "1.01 * (rows.width + 8) * _UNIT_ROUNDOFF", "0.0"), probe="filter"),
    fault("error bound without the division", "the rounding of the row sums and of the division is forgotten",
          Piece("coefficient.screen:screen_pairs", "4 * _UNIT_ROUNDOFF * mass * (1 + relative) + _UNDERFLOW",
                "_UNDERFLOW"), probe="filter"),
    fault("bound for cancelled rows", "a finite bound is claimed for rows whose sum has all but cancelled",
          Piece("coefficient.screen:divided_by_sums", "if sums.min() < _CANCELLED:", "if sums.min() < 0:"),
          probe="filter"),
    fault("integer overflow", "products with row sums stay in int64 whatever their size",
          Piece("coefficient.exact_pairs:ExactPairs.of", "> 62", "> 1000")),
    # How rows are read.
    fault("float division", "rows are renormalised in floating point",
          Piece("tokens:restricted_rows", "return Rows(values, own.astype(np.int64), reading == \"renormalised\",",
                "if reading == \"renormalised\":\n"
                "            values = values / (values.sum(axis=1, keepdims=True) + 1e-300)\n"
                "        return Rows(values, own.astype(np.int64), False,")),
    fault("silent renormalising", "stored rows are divided by their sums though nobody asked",
          Piece("tokens:restricted_rows", "reading == \"renormalised\", tokens.tolist()",
                "reading == \"renormalised\" or (reading == \"none\" and bool((values.sum(axis=1) > 0).all())), "
                "tokens.tolist()")),
    fault("own column of pairs", "in the reading `pairs` the diagonal is looked up among the kept columns",
          Piece("tokens:restricted_rows", "own = tokens if reading in (\"none\", \"pairs\")",
                "own = tokens if reading == \"none\"")),
    fault("columns dropped in pairs", "the reading `pairs` drops the other columns",
          Piece("tokens:restricted_rows",
                "columns = np.arange(matrix.n) if reading in (\"none\", \"pairs\") else tokens\n"
                "    values = np.ascontiguousarray(matrix.values[np.ix_(tokens, columns)])",
                "columns = tokens\n    values = matrix.values[tokens].copy()\n"
                "    values[:, ~np.isin(np.arange(matrix.n), columns)] *= reading == \"none\"\n"
                "    values = values if reading in (\"none\", \"pairs\") else values[:, columns].copy()")),
    fault("float32 subnormals flushed", "subnormal float32 entries are read as zero",
          Piece("exact:widen", "magnitude = (bits[subnormal] & 0x007FFFFF).astype(np.float64) * 2.0**-149",
                "magnitude = np.zeros(int(subnormal.sum()))")),
    fault("float64 subnormals flushed", "subnormal float64 entries are read as zero",
          Piece("exact:significands", "mantissa | (1 << _FRACTION_BITS), mantissa)",
                "mantissa | (1 << _FRACTION_BITS), 0)")),
    fault("row sums unchecked", "rows that are no distributions are accepted",
          Piece("matrix:_refuse_row_sums", "if (off <= tolerance).all():", "if tolerance > 0:")),
    # The numbers of the verdict.
    fault("residual weight rounded", "a rational residual weight goes through float64",
          Piece("residual:residual_weight", "else Fraction(alpha)", "else as_fraction(float(Fraction(alpha)))")),
    fault("slack of attaining pairs", "the slack is minimised over the attaining pairs only",
          Piece("slack:exact_slack", "if bound == 0:", "if bound >= 0:")),
    fault("slack without its cap", "the deficit of a pair is not capped at α",
          Piece("slack:_shortfalls", "min(alpha, (1 - alpha) * max(-exact.value(x[k], k), Fraction(0)))",
                "(1 - alpha) * max(-exact.value(x[k], k), Fraction(0))")),
    fault("slack filter without a bound", "the float filter of the slack takes its numbers for exact",
          Piece("slack:_may_be_smallest", "shortfalls - error <= shortfalls.min() + error",
                "shortfalls <= shortfalls.min()"), probe="filter"),
    fault("margin between ties", "the runner-up may be another attaining pair",
          Piece("coefficient.solution:Solution.runner_up", "others[self._positions] = False",
                "others[self._positions[:1]] = False")),
    fault("margin in floats", "the margin is a difference of floats",
          Piece("condition:check", "solution.kappa - runner_up,",
                "Fraction(nearest_float(solution.kappa) - nearest_float(runner_up)),")),
    # Distances and rollout.
    fault("distance not halved", "pair_distances returns L1 instead of half of it",
          Piece("distances:pair_distances", "distances = np.ldexp(screen.distances, screen.exponent)",
                "distances = np.ldexp(screen.distances, screen.exponent + 1)"), probe="distances"),
    fault("rollout upside down", "the layers are multiplied in the wrong order",
          Piece("rollout:_rollout_interval", "else factor @ result", "else result @ factor"), probe="rollout"),
    fault("rollout without a bound", "the interval of κ(R) has no width",
          Piece("rollout:_rollout_interval", "1.01 * _UNIT_ROUNDOFF * (8 * depth + n * (depth + 1) + 16)",
                "0.0"), probe="rollout"),
    fault("exact rollout without division", "the exact rollout leaves out the division by the row sums",
          Piece("rollout:_exact_rollout_kappa", "fractions / fractions.sum(axis=1)[:, None]",
                "fractions"), probe="rollout"),
)  # fmt: skip


def check_table() -> None:
    """Make sure that every fault still fits the production code, before anything long runs.

    Raises:
        GateError: a piece of production code that a fault replaces is not there, and which.
    """
    for entry in FAULTS:
        with seeded(entry):
            pass


def named(name: str) -> Fault:
    """The fault of this name; :class:`InputError` lists the names when there is none."""
    for entry in FAULTS:
        if entry.name == name:
            return entry
    raise InputError(f"unknown fault {name!r}; choose one of: {', '.join(entry.name for entry in FAULTS)}")
