"""Exact cross-checks of the theorem and of the production predicate: ``python -m dobrushin.crosscheck``.

Three independent roads must agree: the definitions in rational arithmetic, the theorems T1–T6 as statements about
integers, and ``dobrushin.check`` and its relatives.

* ``exhaustive``: every small row-stochastic rational matrix, one of each orbit (``orbits``, ``theorems``).
* ``search``: hypothesis looks for a disagreement on floats of every format, token subsets and products of layers.
* ``variants`` and ``faults``: the search has power, because it refutes every false variant of the theorem and finds
  every fault that is seeded into the production code.
* ``bounds`` and ``softmax``: the float error bounds against 200 digits, and what rounding does to the verdict.

Needs the ``proofs`` and ``dev`` extras (mpmath and hypothesis).
"""
