"""The Lean development: find Lean, build, and the gates of ``make prove``.

The gates, in order (:mod:`dobrushin.lean.gates`): the bootstrap's files are the locked ones; no forbidden word;
everything compiles from nothing without a warning; the compiled bootstrap declares what is locked; no compiled
declaration is an axiom, unsafe, or takes a core name; no headline theorem rests on an axiom off the list; a
fresh kernel accepts every declaration again; statements and definitions are the locked ones; the prose names
what exists; the symbolic proofs hold.
"""
