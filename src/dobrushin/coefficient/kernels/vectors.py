"""Explicit vectors: kernels whose inner loop is written as LLVM vector code, not as a Python loop.

That is for three reasons: a block of sums stays in registers whatever the loop vectoriser thinks; short rows do not pay
for a scalar remainder; and 16-bit lanes stay 16 bits wide.  LLVM turns the vectors into whatever the processor has.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

vector_code: Any = intrinsic
"""Decorates a function of types that returns a signature and a function that writes the code."""

_features: str = config.CPU_FEATURES or llvm.get_host_cpu_features().flatten()  # type: ignore[attr-defined]

LANES = 16 if "+avx512bw" in _features else 8
"""int32 lanes of a vector: one 512-bit register, or what 16 registers of 256 bits leave room for."""

INT32, INT64 = ir.IntType(32), ir.IntType(64)
WORDS = ir.VectorType(INT32, LANES)


class Code:
    """Short spellings for the instructions of one function: addresses, loads and stores, sums of lanes."""

    def __init__(self, context: Any, builder: Any, signature: Any, arguments: Any) -> None:
        self.builder = builder
        self._arrays: list[Any] = [
            context.make_array(kind)(context, builder, value) if isinstance(kind, types.Array) else None
            for kind, value in zip(signature.args, arguments, strict=True)
        ]

    def start(self, argument: int, row: Any = None) -> Any:
        """The address of an array argument, or of one of its rows, as an integer."""
        array = self._arrays[argument]
        base = self.builder.ptrtoint(array.data, INT64)
        return base if row is None else self.builder.add(base, self.builder.mul(row, self.stride(argument)))

    def stride(self, argument: int, axis: int = 0) -> Any:
        """Bytes from one row of an array argument to the next."""
        return self.builder.extract_value(self._arrays[argument].strides, axis)

    def at(self, address: Any, kind: Any, offset: Any = 0, scale: int = 1) -> Any:
        """A pointer ``scale·offset`` bytes behind an address."""
        whole = INT64
        step = whole(scale * offset) if isinstance(offset, int) else self.builder.mul(offset, whole(scale))
        return self.builder.inttoptr(self.builder.add(address, step), kind.as_pointer())

    def load(self, address: Any, kind: Any, offset: Any = 0, scale: int = 1) -> Any:
        """A value of some type from ``scale·offset`` bytes behind an address."""
        return self.builder.load(self.at(address, kind, offset, scale), align=4)

    def store(self, value: Any, address: Any, kind: Any, offset: Any = 0, scale: int = 1) -> None:
        """Put a value of some type ``scale·offset`` bytes behind an address."""
        self.builder.store(value, self.at(address, kind, offset, scale), align=4)

    def everywhere(self, value: Any) -> Any:
        """A vector of one int32."""
        nothing = ir.Constant(WORDS, ir.Undefined)
        one = self.builder.insert_element(nothing, value, INT32(0))
        return self.builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(INT32, LANES), [0] * LANES))

    def add_minimum(self, total: Any, left: Any, right: Any, *, signed: bool) -> None:
        """Total += min(left, right), lane by lane."""
        builder = self.builder
        compare = builder.icmp_signed if signed else builder.icmp_unsigned
        least = builder.select(compare("<", left, right), left, right)
        builder.store(builder.add(builder.load(total), least), total)

    def pick(self, left: Any, right: Any, lanes: list[int]) -> Any:
        """The lanes of two vectors that have these numbers."""
        return self.builder.shuffle_vector(left, right, ir.Constant(ir.VectorType(INT32, len(lanes)), lanes))

    def larger(self, left: Any, right: Any) -> Any:
        """The larger of two unsigned numbers or, lane by lane, of two vectors."""
        return self.builder.select(self.builder.icmp_unsigned(">", left, right), left, right)

    def folded(self, vector: Any, operation: Any) -> Any:
        """All lanes of a vector joined by an operation."""
        while vector.type.count > 1:
            half = vector.type.count // 2
            low, high = list(range(half)), list(range(half, 2 * half))
            vector = operation(self.pick(vector, vector, low), self.pick(vector, vector, high))
        return self.builder.extract_element(vector, INT32(0))

    def across(self, totals: list[Any]) -> Any:
        """The sums across four vectors, as one vector of four."""
        while totals[0].type.count > 4:
            half = totals[0].type.count // 2
            low, high = list(range(half)), list(range(half, 2 * half))
            totals = [self.builder.add(self.pick(v, v, low), self.pick(v, v, high)) for v in totals]
        even, odd = [0, 2, 4, 6], [1, 3, 5, 7]
        while len(totals) > 1:
            totals = [
                self.builder.add(self.pick(v, w, even), self.pick(v, w, odd))
                for v, w in zip(totals[::2], totals[1::2], strict=True)
            ]
        return totals[0]
