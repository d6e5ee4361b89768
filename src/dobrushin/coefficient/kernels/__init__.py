"""Kernels compiled by numba: functions of arrays, in numba's subset of Python, typed by their signatures there.

Nothing here is imported before a map asks for it; see :mod:`dobrushin.coefficient.compiled`.
"""
