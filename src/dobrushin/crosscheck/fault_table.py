"""The seeded faults: name, what is broken, and the pieces of production code that are replaced.

Aligned by hand, one fault after the other, so that it reads as the table that it is.
"""

from dobrushin.crosscheck.faults import Fault, Piece, fault, seeded
from dobrushin.errors import InputError

_PLAIN = (
    "first = order_keys(values[i, own[i]]) >= order_keys(values[j, own[i]])\n"
    "    second = order_keys(values[j, own[j]]) >= order_keys(values[i, own[j]])"
)

FAULTS: tuple[Fault, ...] = (
    # The equality condition.
    fault("strict dominance", "> for >= in self-dominance",
          Piece("coefficient.solution:Solution._plainly_dominant", _PLAIN, _PLAIN.replace(">=", ">")),
          Piece("coefficient.solution:Solution.first_self_dominant", "(u >= 0) & (v >= 0)", "(u > 0) & (v > 0)"),
          Piece("coefficient.pair_values:PairValues.is_dominant", "advantage >= 0", "advantage > 0")),
    fault("one-sided dominance", "one of the two comparisons is enough",
          Piece("coefficient.solution:Solution._plainly_dominant", "first & second", "first | second"),
          Piece("coefficient.solution:Solution.first_self_dominant", "(u >= 0) & (v >= 0)", "(u >= 0) | (v >= 0)"),
          Piece("coefficient.pair_values:PairValues.is_dominant", "all(", "any(")),
    fault("any pair", "dominance of any pair, not of an attaining one",
          Piece("condition:verdict_of", "tight=dominant is not None",
                "tight=any(solution.exact.is_dominant(a, b) for b in range(len(solution.rows)) for a in range(b))")),
    fault("every attaining pair", "all attaining pairs have to be self-dominant",
          Piece("condition:verdict_of", "tight=dominant is not None",
                "tight=all(solution.exact.is_dominant(a, b) for a, b in solution.attaining.tolist())")),
    fault("first tie only", "ties are cut to the first attaining pair",
          Piece("condition:verdict_of", "dominant = solution.first_self_dominant()",
                "dominant = 0 if solution.exact.is_dominant(*solution.attaining[0].tolist()) else None")),
    fault("wrong column", "A_ji is read from column j instead of i",
          Piece("coefficient.solution:Solution._plainly_dominant", "order_keys(values[j, own[i]])",
                "order_keys(values[j, own[j]])")),
    # Which pairs attain.
    fault("float comparison", "the float filter decides, exact comparison left out",
          Piece("coefficient.screened:ScreenedSearch._largest_among", "if len(survivors) == 1:",
                "if len(survivors) >= 1:"), probe="filter"),
    fault("dropped pair", "the last surviving pair is never compared",
          Piece("coefficient.screened:ScreenedSearch._largest_among", "if len(survivors) == 1:",
                "survivors = survivors[: max(1, len(survivors) - 1)]\n    if len(survivors) == 1:")),
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
    fault("dropped pair of the kernels", "the last attaining pair that the compiled search lists is lost",
          Piece("coefficient.compiled:CompiledSearch.of", "attaining = ~codes[codes < 0]",
                "attaining = ~codes[codes < 0]\n    attaining = attaining[: max(1, len(attaining) - 1)]"),
          kernels=True),
    fault("pairs of the kernels decoded wrongly", "the codes of pairs are taken apart by one row too few",
          Piece("coefficient.compiled:decode", "np.divmod(codes.astype(np.int64), rows)",
                "np.divmod(codes.astype(np.int64) - (codes > rows), rows)"), kernels=True),
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
                "    values = _cut(_cut(matrix.values, tokens, axis=0), columns, axis=1)",
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
          Piece("slack:exact_slack", "solution.search.shortfall_candidates(alpha / (1 - alpha))",
                "solution.attaining")),
    fault("slack without its cap", "the deficit of a pair is not capped at α",
          Piece("slack:_shortfall", "min(alpha, (alpha - 1) * advantage)", "(alpha - 1) * advantage")),
    fault("slack filter without a bound", "the float filter of the slack takes its numbers for exact",
          Piece("coefficient.screened:ScreenedSearch.shortfall_candidates", "scores + error >= scores.max() - error",
                "scores >= scores.max()"), probe="filter"),
    fault("margin between ties", "the runner-up may be another attaining pair",
          Piece("coefficient.screened:ScreenedSearch.next_pair", "others[self._positions] = False",
                "others[self._positions[:1]] = False")),
    fault("margin in floats", "the margin is a difference of floats",
          Piece("condition:verdict_of", "solution.kappa - runner_up,",
                "Fraction(nearest_float(solution.kappa) - nearest_float(runner_up)),")),
    # Distances and rollout.
    fault("distance not halved", "pair_distances returns L1 instead of half of it",
          Piece("distances:pair_distances", "distances = np.ldexp(screen.distances, screen.exponent)",
                "distances = np.ldexp(screen.distances, screen.exponent + 1)"), probe="distances"),
    fault("rollout upside down", "the layers are multiplied in the wrong order",
          Piece("rollout:_next_product", "else factor @ product", "else product @ factor"), probe="rollout"),
    fault("rollout without a bound", "the interval of κ(R) has no width",
          Piece("rollout:_rounding", "1.01 * _UNIT_ROUNDOFF * (8 * depth + n * (depth + 1) + 16)",
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
