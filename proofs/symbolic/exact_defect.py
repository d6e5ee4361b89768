"""The scalar lemma and T1 by computer algebra, case by case.

Scalar lemma: for s ≥ 0 and real x, |x + s| = |x| + s − 2 min(s, x⁻), with x⁻ = max(−x, 0).
T1: for B = sI + tA with s ≥ 0, t > 0 (α and 1 − α in the text) and rows i ≠ j of any real matrix A,
d_B(i,j) = s + t·d_A(i,j) − min(s, t·u⁻) − min(s, t·v⁻), where u = A_ii − A_ji and v = A_jj − A_ij.

A case is a *parametrisation* by free p, q ≥ 0 in which every absolute value, minimum and maximum has a definite
sign: sympy removes them by its assumptions alone, and the difference of the two sides must expand to 0.
"""

import itertools

from _report import check, refuted, undecided

try:
    import sympy as sp
except ImportError:
    undecided("sympy is not installed; python -m pip install sympy, or make setup")

P, Q, S = sp.symbols("p q s", nonnegative=True)
T = sp.symbols("t", positive=True)


def negative_part(x: sp.Expr) -> sp.Expr:
    """x⁻ = max(−x, 0)."""
    return sp.Max(-x, 0)


def prove_zero(expression: sp.Expr, case: str) -> None:
    """Refuse unless ``expression`` is identically 0 after expansion."""
    if (rest := sp.simplify(expression)) != 0:
        refuted(f"{case}: the two sides differ by {rest}")


def prove_scalar_lemma() -> None:
    """The three cases cover every x and s ≥ 0: for −s ≤ x ≤ 0 put p = −x and q = s + x."""
    for case, x, s in (("x ≥ 0", P, S), ("−s ≤ x ≤ 0", -P, P + Q), ("x ≤ −s", -(S + P), S)):
        with check(f"scalar lemma, {case}") as verdict:
            prove_zero(sp.Abs(x + s) - (sp.Abs(x) + s - 2 * sp.Min(s, negative_part(x))), case)
            verdict.append("proved")


def weighted_cases(letter: str) -> list[tuple[str, sp.Expr]]:
    """What t·u can be against s, where s is shared with v: p ≥ 0, or −s·p/(1+p) in (−s, 0], or −(s + p) ≤ −s."""
    p = sp.symbols(f"p_{letter}", nonnegative=True)
    return [(f"{letter} ≥ 0", p), (f"−s < t{letter} ≤ 0", -S * p / (1 + p)), (f"t{letter} ≤ −s", -(S + p))]


def prove_exact_defect(n: int) -> int:
    """T1 for rows 0 and 1 of an n×n matrix of symbols; any other pair is a relabelling of the tokens."""
    cases = list(itertools.product(weighted_cases("u"), weighted_cases("v")))
    for (case_u, tu), (case_v, tv) in cases:
        matrix = sp.Matrix(n, n, sp.symbols(f"a:{n}:{n}", real=True))
        matrix[0, 0] = matrix[1, 0] + tu / T
        matrix[1, 1] = matrix[0, 1] + tv / T
        u, v = matrix[0, 0] - matrix[1, 0], matrix[1, 1] - matrix[0, 1]
        losses = sp.Min(S, T * negative_part(u)) + sp.Min(S, T * negative_part(v))
        bound = S + T * half_distance(matrix)
        prove_zero(half_distance(S * sp.eye(n) + T * matrix) - (bound - losses), f"T1, n = {n}, {case_u}, {case_v}")
    return len(cases)


def half_distance(matrix: sp.Matrix) -> sp.Expr:
    """½ Σ_k |M_0k − M_1k|; factoring shows sympy the sign of each difference."""
    return sum((sp.Abs(sp.factor(matrix[0, k] - matrix[1, k])) for k in range(matrix.cols)), sp.Integer(0)) / 2


if __name__ == "__main__":
    prove_scalar_lemma()
    for size in (2, 3, 4):
        with check(f"T1, n = {size}") as verdict:
            verdict.append(f"proved, all {prove_exact_defect(size)} cases")
