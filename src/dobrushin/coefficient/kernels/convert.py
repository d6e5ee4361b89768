"""Floats to fixed point, a vector at a time."""

# mypy: allow-untyped-defs, allow-untyped-calls
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils

from dobrushin.coefficient.kernels.vectors import INT32, INT64, LANES, WORDS, Code, vector_code


@vector_code
def quantise_vectors(typing, values, row, vectors, unit, fixed, out):  # noqa: ARG001
    """Truncate ``vectors·LANES`` numbers of a row, times ``unit``, to int32, and write them to that row of ``fixed``.

    Write to ``out`` (int64) what the numbers' bits are if or-ed, and the sum of the integers.
    """

    def codegen(context, builder, signature, arguments):
        code = Code(context, builder, signature, arguments)
        whole = INT64
        floats, bits = ir.VectorType(ir.DoubleType(), LANES), ir.VectorType(whole, LANES)
        source, target = code.start(0, arguments[1]), code.start(4, arguments[1])
        every, total = (cgutils.alloca_once_value(builder, ir.Constant(bits, None)) for _ in range(2))
        unit = builder.insert_element(ir.Constant(floats, ir.Undefined), arguments[3], INT32(0))
        unit = code.pick(unit, unit, [0] * LANES)
        with cgutils.for_range(builder, arguments[2]) as loop:
            numbers = code.load(source, floats, loop.index, 8 * LANES)
            builder.store(builder.or_(builder.load(every), builder.bitcast(numbers, bits)), every)
            integers = builder.fptosi(builder.fmul(numbers, unit), WORDS)
            code.store(integers, target, WORDS, loop.index, 4 * LANES)
            builder.store(builder.add(builder.load(total), builder.zext(integers, bits)), total)
        code.store(code.folded(builder.load(every), builder.or_), code.start(5), whole)
        code.store(code.folded(builder.load(total), builder.add), code.start(5), whole, 1, 8)
        return context.get_dummy_value()

    return types.void(values, row, vectors, unit, fixed, out), codegen
