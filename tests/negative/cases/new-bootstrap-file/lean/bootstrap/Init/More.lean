prelude
import Init.Lemmas
axiom oracle : ∀ n m : Nat, n = m
