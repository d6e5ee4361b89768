/-
The stand-in for Lean's core library: what an ordinary Lean file imports by default. See `CHECKED.md`.
-/
prelude
import Init.Logic
import Init.Nat
import Init.Syntax
import Init.Tactics
import Init.Notation
import Init.Lemmas
