"""The integer peak of one core: minimum and addition in registers, in assembly, which no compiler can fold away."""

import ctypes
import time

import llvmlite.binding as llvm

_ROUNDS = 2_000_000
_ACCUMULATORS = 8


def integer_peak() -> dict[str, float]:
    """Elements a second (each one minimum and one addition of 32 bits), for the vector widths of this processor."""
    features = llvm.get_host_cpu_features()
    widths = {"avx2": ("ymm", 8), "avx512f": ("zmm", 16)}
    return {name: _rate(register, lanes) for name, (register, lanes) in widths.items() if features.get(name)}


def _rate(register: str, lanes: int) -> float:
    best = 0.0
    function, engine = _compile(register)
    for _ in range(7):
        start = time.perf_counter()
        function(_ROUNDS)
        best = max(best, _ROUNDS * _ACCUMULATORS * lanes / (time.perf_counter() - start))
    del engine
    return best


def _compile(register: str) -> tuple[ctypes._CFuncPtr, llvm.ExecutionEngine]:
    body = "".join(
        f"vpminsd %{register}8, %{register}9, %{register}{10 + k % 6}\\0A"
        f"vpaddd %{register}{10 + k % 6}, %{register}{k}, %{register}{k}\\0A"
        for k in range(_ACCUMULATORS)
    )
    clobbers = ",".join(f"~{{xmm{k}}}" for k in range(16))
    loop = f"1:\\0A{body}dec $0\\0Ajnz 1b\\0Avzeroupper"
    triple = llvm.get_process_triple()
    code = f"""
target triple = "{triple}"
define void @spin(i64 %rounds) {{
  %left = call i64 asm sideeffect "{loop}", "=r,0,{clobbers},~{{flags}}"(i64 %rounds)
  ret void
}}
"""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    module = llvm.parse_assembly(code)
    target = llvm.Target.from_triple(triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten()
    )
    engine = llvm.create_mcjit_compiler(module, target)
    engine.finalize_object()
    address = engine.get_function_address("spin")
    return ctypes.CFUNCTYPE(None, ctypes.c_int64)(address), engine
