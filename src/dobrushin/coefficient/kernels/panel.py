"""Panels: rows side by side, so that one vector holds the same column of ``LANES`` rows."""

# mypy: allow-untyped-defs, allow-untyped-calls
from typing import Any

from numba import types
from numba.core import cgutils

from dobrushin.coefficient.kernels.jit import jit
from dobrushin.coefficient.kernels.vectors import INT64, LANES, WORDS, Code, vector_code


def _transposed(code: Code, vectors: list[Any]) -> list[Any]:
    """The columns of a square of LANES vectors, by exchanging ever larger halves."""
    step = 1
    while step < LANES:
        swapped = list(vectors)
        stay = [e if not e & step else LANES + e - step for e in range(LANES)]
        move = [e + step if not e & step else LANES + e for e in range(LANES)]
        for at in range(LANES):
            if not at & step:
                pair = vectors[at], vectors[at + step]
                swapped[at], swapped[at + step] = code.pick(*pair, stay), code.pick(*pair, move)
        vectors = swapped
        step *= 2
    return vectors


@vector_code
def _fill_panel(typing, rows, first, squares, panel):  # noqa: ARG001
    def codegen(context, builder, signature, arguments):
        code = Code(context, builder, signature, arguments)
        source, target = code.start(0, arguments[1]), code.start(3)
        with cgutils.for_range(builder, arguments[2]) as loop:
            starts = [source]
            for _ in range(LANES - 1):
                starts.append(builder.add(starts[-1], code.stride(0)))
            square = [code.load(row, WORDS, loop.index, 4 * LANES) for row in starts]
            size = INT64(4 * LANES * LANES)
            base = builder.add(target, builder.mul(loop.index, size))
            for at, column in enumerate(_transposed(code, square)):
                code.store(column, base, WORDS, at, 4 * LANES)
        return context.get_dummy_value()

    return types.void(rows, first, squares, panel), codegen


@jit()
def fill_panel(rows, first, length, panel):
    """Lay the rows first … first+LANES−1 side by side, whole squares at a time.

    Rows and columns are read up to the end of the last square, whatever is there.
    """
    _fill_panel(rows, first, (length + LANES - 1) // LANES, panel)
