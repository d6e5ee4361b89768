"""Sums of columnwise minima for many pairs at once: the inner loops of every search.

* A *panel* holds ``LANES`` rows side by side: entry ``k·LANES + c`` is column k of row c.  A vector of it against one
  number of another row gives ``LANES`` pairs at a time, and no sum is ever taken across a vector.
* A *strip* takes some columns of a few rows as they lie, and sums across the vectors at its end: for pairs that are not
  neighbours, and sums that are looked at while they grow.

Rows are int32.  In the 16-bit form an int32 holds two uint16 columns, and each half is summed modulo 2**16.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils

from dobrushin.coefficient.kernels.vectors import INT32, INT64, LANES, WORDS, Code, vector_code

HEIGHT = 8
"""Rows that a tile takes against a panel: their sums stay in registers."""


def _tile(bits: int) -> Any:
    """The tile for lanes of so many bits."""
    lanes = ir.VectorType(ir.IntType(bits), LANES * 32 // bits)

    def codegen(context, builder, signature, arguments):
        code = Code(context, builder, signature, arguments)
        panel, rows, out = code.start(0), code.start(1, arguments[2]), code.start(4)
        totals = [cgutils.alloca_once_value(builder, ir.Constant(lanes, None)) for _ in range(HEIGHT)]
        with cgutils.for_range(builder, arguments[3]) as loop:
            right = builder.bitcast(code.load(panel, WORDS, loop.index, 4 * LANES), lanes)
            row = rows
            for total in totals:
                left = builder.bitcast(code.everywhere(code.load(row, INT32, loop.index, 4)), lanes)
                code.add_minimum(total, left, right, signed=bits == 32)
                row = builder.add(row, code.stride(1))
        for at, total in enumerate(totals):
            words = builder.bitcast(builder.load(total), WORDS)
            if bits == 16:
                low = builder.and_(words, ir.Constant(WORDS, [0xFFFF] * LANES))
                words = builder.add(low, builder.lshr(words, ir.Constant(WORDS, [16] * LANES)))
            code.store(words, out, WORDS, at, 4 * LANES)
        return context.get_dummy_value()

    return codegen


@vector_code
def minima(typing, panel, rows, first, length, out):  # noqa: ARG001
    """Write Σ_k min of rows first … first+HEIGHT−1 with each row of the panel, over ``length`` columns, to ``out``."""
    return types.void(panel, rows, first, length, out), _tile(32)


@vector_code
def narrow_minima(typing, panel, rows, first, length, out):  # noqa: ARG001
    """As :func:`minima`, for ``length`` pairs of 16-bit columns: the sums of both halves, each modulo 2**16."""
    return types.void(panel, rows, first, length, out), _tile(16)


@vector_code
def write_distances(typing, tile, at, sums, row, right, out, start):  # noqa: ARG001
    """Write R_row + R_j − 2·(sum of minima), for the LANES rows j from ``right`` on, to ``out`` (uint32) at ``start``.

    The sums of minima are row ``at`` of the tile.
    """

    def codegen(context, builder, signature, arguments):
        code = Code(context, builder, signature, arguments)
        whole, wide = INT64, ir.VectorType(INT64, LANES)
        sums = code.start(2)
        own = code.everywhere(builder.trunc(code.load(sums, whole, arguments[3], 8), INT32))
        others = builder.trunc(code.load(sums, wide, arguments[4], 8), WORDS)
        minima = code.load(code.start(0), WORDS, arguments[1], 4 * LANES)
        twice = builder.add(minima, minima)
        code.store(builder.sub(builder.add(own, others), twice), code.start(5), WORDS, arguments[6], 4)
        return context.get_dummy_value()

    return types.void(tile, at, sums, row, right, out, start), codegen


@vector_code
def any_below(typing, tile, limits, left, right, floor):  # noqa: ARG001
    """Whether any sum of a tile is below limits[its row] + limits[its column] − floor, all int32.

    Rows are counted from ``left``, columns from ``right``.
    """

    def codegen(context, builder, signature, arguments):
        code = Code(context, builder, signature, arguments)
        others = builder.sub(code.load(code.start(1), WORDS, arguments[3], 4), code.everywhere(arguments[4]))
        below = ir.Constant(ir.VectorType(ir.IntType(1), LANES), None)
        for at in range(HEIGHT):
            row = builder.add(arguments[2], INT64(at))
            limit = builder.add(others, code.everywhere(code.load(code.start(1), INT32, row, 4)))
            sums = code.load(code.start(0), WORDS, at, 4 * LANES)
            below = builder.or_(below, builder.icmp_signed("<", sums, limit))
        mask = ir.IntType(LANES)
        return builder.icmp_unsigned("!=", builder.bitcast(below, mask), mask(0))

    return types.boolean(tile, limits, left, right, types.int32), codegen


def _strip(left_rows: int, right_rows: int) -> Any:
    """The strip of so many rows against so many; four sums in all."""

    def codegen(context, builder, signature, arguments):
        code = Code(context, builder, signature, arguments)
        column = builder.mul(arguments[3], INT64(4))
        starts = []
        for first, count in ((arguments[1], left_rows), (arguments[2], right_rows)):
            row = builder.add(code.start(0, first), column)
            for _ in range(count):
                starts.append(row)
                row = builder.add(row, code.stride(0))
        totals = [cgutils.alloca_once_value(builder, ir.Constant(WORDS, None)) for _ in range(4)]
        with cgutils.for_range(builder, arguments[4]) as loop:
            vectors = [code.load(row, WORDS, loop.index, 4 * LANES) for row in starts]
            pairs = [(x, y) for x in vectors[:left_rows] for y in vectors[left_rows:]]
            for total, (x, y) in zip(totals, pairs, strict=True):
                code.add_minimum(total, x, y, signed=True)
        sums = code.across([builder.load(total) for total in totals])
        code.store(sums, code.start(5), ir.VectorType(INT32, 4))
        return context.get_dummy_value()

    return codegen


@vector_code
def square_strip(typing, rows, left, right, column, vectors, out):  # noqa: ARG001
    """Write Σ_k min of rows left, left+1 with right, right+1 to ``out`` (int32, four), from a column on.

    The strip is ``vectors·LANES`` columns long.
    """
    return types.void(rows, left, right, column, vectors, out), _strip(2, 2)


@vector_code
def row_strip(typing, rows, left, right, column, vectors, out):  # noqa: ARG001
    """As :func:`square_strip`, for the row left with right, …, right+3."""
    return types.void(rows, left, right, column, vectors, out), _strip(1, 4)
