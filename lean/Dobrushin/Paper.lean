import Dobrushin.Layerwise

/-!
# The paper's own form

Residual weight ½ and all pairs of at least two tokens: `½(I + A)` has the entries of `lazy ½ A`, and
`½ + ½κ(A) = ½(1 + κ(A))`.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] [Half R] {n : Nat}
open OrderedRing

theorem one_sub_half : (1 : R) - half = half :=
  calc (1 : R) - half = (half + half) - half := by rw [half_add_half]
    _ = half := ring_eq [half]

theorem half_lt_one : (half : R) < 1 :=
  lt_of_not_le fun h => not_le_of_lt half_pos (ring_le [(half : R)]
    (le_trans _ _ _ (le_of_eq half_add_half) h : (half : R) + half ≤ half))

/-- `κ` only looks at the entries. -/
theorem κ_congr (P : PairSet n) {A B : Mat R} (h : ∀ i k, A i k = B i k) : κ P A = κ P B :=
  maxOver_congr fun i j _ => congrArg (half * ·) (l1_congr (fun k _ => h i k) (fun k _ => h j k))

theorem rolloutFactor_entry (A : Mat R) (i k : Nat) : rolloutFactor A i k = lazy half A i k := by
  show half * (identity i k + A i k) = half * identity i k + (1 - half) * A i k
  rw [one_sub_half]
  exact ring_eq [half, identity i k, A i k]

theorem κ_rolloutFactor (P : PairSet n) (A : Mat R) : κ P (rolloutFactor A) = κ P (lazy half A) :=
  κ_congr P (rolloutFactor_entry A)

theorem half_add_half_mul (c : R) : half + (1 - half) * c = half * (1 + c) := by
  rw [one_sub_half]
  exact ring_eq [half, c]

/-- T3 in the paper's form. -/
theorem tight_iff (hn : 2 ≤ n) (A : Mat R) :
    Tight n hn A ↔ ∃ i j, (allPairs n hn).Mem i j ∧ d n A i j = κ (allPairs n hn) A ∧ SelfDominant A i j := by
  show κ _ (rolloutFactor A) = half * (1 + _) ↔ _
  rw [κ_rolloutFactor, ← half_add_half_mul]
  exact κ_mix_eq_iff half_pos (sub_pos half_lt_one) (allPairs n hn) A

end Dobrushin
