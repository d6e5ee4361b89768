/-! A tiny development of the same shape as the real one: just enough to be cheated. -/

namespace Dobrushin

/-- The distance of two natural numbers. -/
def dist (a b : Nat) : Nat := (a - b) + (b - a)

/-- The lazy row: every entry moved by the same weight. -/
def lazy (s : Nat) (row : Nat → Nat) : Nat → Nat := fun i => row i + s

/-- `c` is the largest distance of two different entries among the first `n`. -/
structure IsKappa (n : Nat) (row : Nat → Nat) (c : Nat) : Prop where
  upper : ∀ i j, i < n → j < n → ¬ i = j → dist (row i) (row j) ≤ c
  attained : ∃ i j, i < n ∧ j < n ∧ ¬ i = j ∧ dist (row i) (row j) = c

/-- One largest distance is at most the other. -/
theorem kappa_le {n : Nat} {row : Nat → Nat} {c c' : Nat} (h : IsKappa n row c) (h' : IsKappa n row c') :
    c ≤ c' :=
  match h.attained with
  | ⟨i, j, hi, hj, hij, e⟩ => e ▸ h'.upper i j hi hj hij

unsafe def loop (n : Nat) : Nat := loop n

end Dobrushin
