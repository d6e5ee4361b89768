import Dobrushin.Kappa

namespace Dobrushin.Statement

/-- There is only one largest distance. -/
theorem kappa_unique (n : Nat) (row : Nat → Nat) (c c' : Nat) (h : IsKappa n row c) (h' : IsKappa n row c') :
    c = c' :=
  Nat.le_antisymm (kappa_le h h') (kappa_le h' h)

/-- Every two different entries are at most the largest distance apart. -/
theorem dist_le_kappa (n : Nat) (row : Nat → Nat) (c i j : Nat) (h : IsKappa n row c) (hi : i < n) (hj : j < n)
    (hij : ¬ i = j) : dist (row i) (row j) ≤ c :=
  h.upper i j hi hj hij

end Dobrushin.Statement
