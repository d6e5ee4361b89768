import Dobrushin.Kappa

namespace Dobrushin.Statement

/-- There is only one largest distance. -/
theorem kappa_unique (n : Nat) (row : Nat → Nat) (c c' : Nat) (h : IsKappa2 n row c) (h' : IsKappa2 n row c') :
    c = c' :=
  h.trans h'.symm

/-- Every two different entries are at most the largest distance apart. -/
theorem dist_le_kappa (n : Nat) (row : Nat → Nat) (c i j : Nat) (h : IsKappa n row c) (hi : i < n) (hj : j < n)
    (hij : ¬ i = j) : dist (row i) (row j) ≤ c :=
  h.upper i j hi hj hij

/-- A weight of nothing changes nothing. -/
theorem kappa_lazy_zero (n : Nat) (row : Nat → Nat) (c : Nat) (h : IsKappa n row c) : IsKappa n (lazy 0 row) c := h

end Dobrushin.Statement
