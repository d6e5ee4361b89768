"""T2 and T3 for n = 2, 3, 4, 5 over all real matrices, as decision problems for an SMT solver (z3).

Put A' = (1−α)A. Then B = αI + A', κ(A') = (1−α)κ(A), and a pair attains κ or is mutually self-dominant in A'
exactly if it is and does in A. As A ranges over all real matrices and α over (0, 1), A' ranges over all real
matrices, independently of α. So it is enough to decide, in *linear* real arithmetic with α symbolic,

    κ(αI + A') ≤ α + κ(A'),  and  κ(αI + A') = α + κ(A')  ⇔  a pair attaining κ(A') is mutually self-dominant,

for all real A' and all α > 0. The negation is split by the pair that is the exception, and asked for pair by
pair; z3 must answer `unsat` each time. |x| and max are encoded exactly (`If`; a bound that is attained). The
paper's own form, α = ½, is asked for once more without the substitution, for n = 2, 3, 4. `--quick` leaves out
n = 5.

A solver that says `unsat` to everything would pass too. So each false variant of the theorem is refuted: z3
must answer `sat`, and its witness is checked in exact rational arithmetic, by code that shares nothing with the
encoding.
"""

import itertools
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction

from _report import check, refuted, undecided

try:
    import z3
except ImportError:
    undecided("z3 is not installed; python -m pip install z3-solver, or make setup")

Matrix = list[list["z3.ArithRef"]]
Rows = list[list[Fraction]]
MILLISECONDS = 300_000
LONG = 5
"""The size that `--quick` leaves out."""


def pairs(n: int) -> list[tuple[int, int]]:
    """All pairs i < j: the distance is symmetric, and so is mutual self-dominance."""
    return list(itertools.combinations(range(n), 2))


def absolute(x: "z3.ArithRef") -> "z3.ArithRef":
    """|x|, exactly."""
    return z3.If(x >= 0, x, -x)


def doubled_distance(matrix: Matrix, i: int, j: int) -> "z3.ArithRef":
    """2·d(i,j) = Σ_k |M_ik − M_jk|."""
    return z3.Sum([absolute(a - b) for a, b in zip(matrix[i], matrix[j], strict=True)])


def is_maximum(value: "z3.ArithRef", candidates: list["z3.ArithRef"]) -> "z3.BoolRef":
    """``value`` is the maximum, exactly: an upper bound that is attained."""
    return z3.And([value >= c for c in candidates] + [z3.Or([value == c for c in candidates])])


class Problem:
    """Symbols for A (or A'), B, 2κ(A), 2κ(B), and the solver that knows how they hang together."""

    def __init__(self, n: int, alpha: "z3.ArithRef", weight: Fraction) -> None:
        self.n, self.alpha, self.weight = n, alpha, weight
        self.a: Matrix = [[z3.Real(f"a{i}{k}") for k in range(n)] for i in range(n)]
        times = z3.RealVal(str(weight))
        self.b: Matrix = [[times * self.a[i][k] + (alpha if i == k else 0) for k in range(n)] for i in range(n)]
        self.da = {pair: doubled_distance(self.a, *pair) for pair in pairs(n)}
        self.db = {pair: doubled_distance(self.b, *pair) for pair in pairs(n)}
        self.ka, self.kb = z3.Reals("ka kb")
        self.bound = 2 * alpha + times * self.ka
        self.facts = [
            is_maximum(self.ka, list(self.da.values())), is_maximum(self.kb, list(self.db.values())), alpha > 0
        ]  # fmt: skip

    def dominant(self, i: int, j: int, *, strict: bool = False) -> "z3.BoolRef":
        """Mutual self-dominance of (i, j), or its strict form."""
        if strict:
            return z3.And(self.a[i][i] > self.a[j][i], self.a[j][j] > self.a[i][j])
        return z3.And(self.a[i][i] >= self.a[j][i], self.a[j][j] >= self.a[i][j])

    def attaining(self, pair: tuple[int, int]) -> "z3.BoolRef":
        """The pair attains κ(A)."""
        return self.da[pair] == self.ka

    def model_of(self, *claims: "z3.BoolRef") -> "z3.ModelRef | None":
        """A model of the facts and the claims, or ``None`` when z3 proves that there is none."""
        solver = z3.SolverFor("QF_LRA")
        solver.set("timeout", MILLISECONDS)
        solver.add(*self.facts, *claims)
        answer = solver.check()
        if answer == z3.unknown:
            undecided(f"z3 gives up at n = {self.n}: {solver.reason_unknown()}")
        return solver.model() if answer == z3.sat else None


def negations(problem: Problem) -> Iterator[tuple[str, list["z3.BoolRef"]]]:
    """The negation of T2 and T3 as a list of cases, each with the pair that is the exception."""
    tight = problem.kb == problem.bound
    for pair in pairs(problem.n):
        yield f"T2 fails at {pair}", [problem.db[pair] == problem.kb, problem.kb > problem.bound]
    for pair in pairs(problem.n):
        yield f"{pair} attains and dominates, not tight", [
            problem.attaining(pair), problem.dominant(*pair), z3.Not(tight)
        ]  # fmt: skip
    nowhere = [z3.Not(z3.And(problem.attaining(p), problem.dominant(*p))) for p in pairs(problem.n)]
    for pair in pairs(problem.n):
        yield f"tight through {pair}, no pair attains and dominates", [problem.db[pair] == problem.kb, tight, *nowhere]


def prove(n: int, alpha: "z3.ArithRef", weight: Fraction) -> int:
    """Ask for every case of the negation; returns how many there are."""
    problem = Problem(n, alpha, weight)
    tight = problem.kb == problem.bound
    if problem.model_of(tight) is None or problem.model_of(z3.Not(tight)) is None:
        refuted(f"n = {n}: the encoding has no tight or no strict matrix, so it would prove anything")
    cases = list(negations(problem))
    for case, claims in cases:
        if (model := problem.model_of(*claims)) is not None:
            refuted(f"n = {n}: {case}; witness {witness(problem, model)}")
    return len(cases)


# --- false variants -----------------------------------------------------------------------------------------


def value(model: "z3.ModelRef", expression: "z3.ArithRef") -> Fraction:
    """A symbol's value in a model."""
    return Fraction(model.eval(expression, model_completion=True).as_fraction())


def witness(problem: Problem, model: "z3.ModelRef") -> tuple[Rows, Fraction]:
    """The matrix A' and the weight α of a model."""
    return [[value(model, x) for x in row] for row in problem.a], value(model, problem.alpha)


def exact_distance(rows: Rows, i: int, j: int) -> Fraction:
    """d(i,j), in rational arithmetic."""
    return sum((abs(a - b) for a, b in zip(rows[i], rows[j], strict=True)), Fraction(0)) / 2


def exact_facts(rows: Rows, alpha: Fraction) -> tuple[bool, list[tuple[int, int]]]:
    """Whether αI + A' attains the bound, and the pairs attaining κ(A')."""
    lazy = [[x + (alpha if i == k else 0) for k, x in enumerate(row)] for i, row in enumerate(rows)]
    before = {pair: exact_distance(rows, *pair) for pair in pairs(len(rows))}
    kappa = max(before.values())
    tight = max(exact_distance(lazy, *pair) for pair in before) == alpha + kappa
    return tight, [pair for pair, distance in before.items() if distance == kappa]


def dominates(rows: Rows, i: int, j: int) -> bool:
    """A_ii ≥ A_ji."""
    return rows[i][i] >= rows[j][i]


def strictly(rows: Rows, i: int, j: int) -> bool:
    """A_ii > A_ji."""
    return rows[i][i] > rows[j][i]


Variant = Callable[[Rows, list[tuple[int, int]]], bool]
VARIANTS: dict[str, tuple[int, Variant]] = {
    "strict self-dominance": (2, lambda a, top: any(strictly(a, i, j) and strictly(a, j, i) for i, j in top)),
    "every attaining pair": (3, lambda a, top: all(dominates(a, i, j) and dominates(a, j, i) for i, j in top)),
    "one-sided dominance": (3, lambda a, top: any(dominates(a, i, j) or dominates(a, j, i) for i, j in top)),
    "any pair, attaining or not": (
        3, lambda a, _top: any(dominates(a, i, j) and dominates(a, j, i) for i, j in pairs(len(a)))
    ),
}  # fmt: skip
"""For each false variant: the smallest n at which it fails for a row-stochastic A, and the condition itself."""


def variant_formula(name: str, problem: Problem) -> "z3.BoolRef":
    """The same conditions as in :data:`VARIANTS`, for z3."""
    everywhere = pairs(problem.n)
    if name == "strict self-dominance":
        return z3.Or([z3.And(problem.attaining(p), problem.dominant(*p, strict=True)) for p in everywhere])
    if name == "every attaining pair":
        return z3.And([z3.Implies(problem.attaining(p), problem.dominant(*p)) for p in everywhere])
    if name == "one-sided dominance":
        a = problem.a
        return z3.Or([z3.And(problem.attaining((i, j)), z3.Or(a[i][i] >= a[j][i], a[j][j] >= a[i][j]))
                      for i, j in everywhere])  # fmt: skip
    return z3.Or([problem.dominant(*p) for p in everywhere])


def refute_variant(name: str) -> str:
    """Find the smallest row-stochastic matrix on which a variant and tightness differ, check it; returns its text."""
    smallest, condition = VARIANTS[name]
    for n in range(2, smallest + 1):
        problem = Problem(n, z3.Real("alpha"), Fraction(1))
        tight, claim = problem.kb == problem.bound, variant_formula(name, problem)
        stochastic = [z3.And([x >= 0 for x in row] + [z3.Sum(row) == 1]) for row in problem.a]
        model = problem.model_of(tight != claim, problem.alpha == 1, *stochastic)
        if (model is not None) != (n == smallest):
            refuted(f"{name}: z3 says {'sat' if model is not None else 'unsat'} at n = {n}, against the text")
    assert model is not None
    rows, alpha = witness(problem, model)
    is_tight, attaining = exact_facts(rows, alpha)
    if is_tight == condition(rows, attaining):
        refuted(f"{name}: the witness {rows} does not separate the variant from the theorem")
    shown = "; ".join(" ".join(str(x) for x in row) for row in rows)
    return f"[{shown}]"


def main(*, quick: bool) -> None:
    """The theorem at each size, then the variants."""
    for n in (2, 3, 4) if quick else (2, 3, 4, LONG):
        with check(f"T2 and T3, n = {n}, every residual weight", long=n == LONG) as outcome:
            outcome.verdict = f"unsat, all {prove(n, z3.Real('alpha'), Fraction(1))} cases of the negation"
    for n in (2, 3, 4):
        with check(f"T2 and T3, n = {n}, α = ½, as the paper writes it") as outcome:
            outcome.verdict = f"unsat, all {prove(n, z3.RealVal('1/2'), Fraction(1, 2))} cases of the negation"
    for name in VARIANTS:
        with check(f"false variant: {name}") as outcome:
            outcome.detail = refute_variant(name)
            outcome.verdict = "refuted by a witness, checked exactly"


if __name__ == "__main__":
    main(quick="--quick" in sys.argv[1:])
