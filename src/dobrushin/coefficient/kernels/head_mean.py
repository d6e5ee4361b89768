"""The mean of the heads of one layer, and whether they pass as attention, in one pass over float32 heads."""

# mypy: allow-untyped-defs, allow-untyped-calls
import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils

from dobrushin.coefficient.kernels.jit import jit
from dobrushin.coefficient.kernels.vectors import LANES, WORDS, Code, vector_code

_LEAST_NORMAL = 0x00800000
_INFINITY = 0x7F800000
_SUBNORMAL_STEP = 2.0**-149


@vector_code
def _add_vectors(typing, bits, head, row, vectors, total, found):  # noqa: ARG001
    """Add the first ``vectors·LANES`` float32 numbers of a row to ``total``, subnormal ones as zero.

    Write to ``found`` (float64) their sum, their largest bits, and other than 0 if any was subnormal.
    """

    def codegen(context, builder, signature, arguments):
        code = Code(context, builder, signature, arguments)
        real, wide = ir.DoubleType(), ir.VectorType(ir.DoubleType(), LANES)
        source = builder.add(code.start(0, arguments[1]), builder.mul(arguments[2], code.stride(0, axis=1)))
        target = code.start(4)
        largest, subnormal = (cgutils.alloca_once_value(builder, ir.Constant(WORDS, None)) for _ in range(2))
        sums = cgutils.alloca_once_value(builder, ir.Constant(wide, None))
        zero, one, last = (ir.Constant(WORDS, [number] * LANES) for number in (0, 1, _LEAST_NORMAL - 1))
        with cgutils.for_range(builder, arguments[3]) as loop:
            words = code.load(source, WORDS, loop.index, 4 * LANES)
            builder.store(code.larger(words, builder.load(largest)), largest)
            tiny = builder.icmp_unsigned("<", builder.sub(words, one), last)  # which zero is not
            builder.store(builder.or_(builder.load(subnormal), builder.select(tiny, one, zero)), subnormal)
            normal = builder.bitcast(builder.select(tiny, zero, words), ir.VectorType(ir.FloatType(), LANES))
            numbers = builder.fpext(normal, wide)
            builder.store(builder.fadd(builder.load(sums), numbers), sums)
            so_far = code.load(target, wide, loop.index, 8 * LANES)
            code.store(builder.fadd(so_far, numbers), target, wide, loop.index, 8 * LANES)
        most = code.folded(builder.load(largest), code.larger)
        tiny = code.folded(builder.load(subnormal), builder.or_)
        code.store(code.folded(builder.load(sums), builder.fadd), code.start(5), real)
        code.store(builder.uitofp(most, real), code.start(5), real, 1, 8)
        code.store(builder.uitofp(tiny, real), code.start(5), real, 2, 8)
        return context.get_dummy_value()

    return types.void(bits, head, row, vectors, total, found), codegen


@jit()
def _add_row(bits, head, row, total, found, tolerance):
    """Add one row to ``total``.

    Subnormal numbers are built from their integers: the processor may have been told to read them as zero.

    Returns:
        Whether every entry is finite and not negative (nor −0.0), and their sum within the tolerance of 1.
    """
    n = bits.shape[2]
    whole = n // LANES * LANES
    _add_vectors(bits, head, row, n // LANES, total, found)
    mass, largest = found[0], found[1]
    for k in range(0 if found[2] != 0.0 else whole, n):
        word = bits[head, row, k]
        value = 0.0
        if word < np.uint32(_LEAST_NORMAL):
            value = np.float64(np.int32(word)) * _SUBNORMAL_STEP
        elif k >= whole:
            value = np.float64(np.uint32(word).view(np.float32))
        total[k] += value
        mass += value
        largest = max(largest, np.float64(word))
    return largest < np.float64(_INFINITY) and abs(mass - 1.0) <= tolerance


@jit(
    numba.boolean(
        numba.types.Array(numba.uint32, 3, "C", readonly=True), numba.float64, numba.float64[::1], numba.float64[:, ::1]
    )
)
def mean_of_heads(bits, tolerance, found, out):
    """Write the mean over the first axis, heads added in order in float64.

    Args:
        bits: the bits of float32 heads, shape (heads, n, n).
        tolerance: how far from 1 a row sum may be.
        found: scratch, three numbers.
        out: float64, shape (n, n).

    Returns:
        Whether every entry is finite and not negative and every row sum within the tolerance.
    """
    heads, n = bits.shape[0], bits.shape[1]
    for i in range(n):
        total = out[i]
        for k in range(n):
            total[k] = 0.0
        for head in range(heads):
            if not _add_row(bits, head, i, total, found, tolerance):
                return False
        for k in range(n):
            total[k] /= heads
    return True
