import Dobrushin.Defect
import Dobrushin.Maximum

/-!
# The layerwise inequality, its equality condition and the exact slack (T2, T3, T4)

T1 ties the distances of `B = sI + tA` to those of `A`; `Maximum.lean` turns such a relation into statements on
the maxima. The weights `s` and `t` are arbitrary here: `t = 1 - s` gives the lazy factor of attention rollout,
`t = 1` a whole rollout (see `Floor.lean`).
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] {n : Nat} {s t : R}
open OrderedRing

/-! ### doubled: with `‖·‖₁` instead of `½‖·‖₁`, for rings without a half -/

theorem l1_mix_pair (hs : 0 ≤ s) (ht : 0 ≤ t) (P : PairSet n) (A : Mat R) (i j : Nat) (m : P.Mem i j) :
    l1 n (mix s t A i) (mix s t A j) + (defect s t A i j + defect s t A i j) = (s + s) + t * l1 n (A i) (A j) :=
  l1_mix hs ht A (P.left_lt m) (P.right_lt m) (P.ne m)

/-- **T2** and **T3**, doubled. -/
theorem max_l1_mix (hs : 0 < s) (ht : 0 < t) (P : PairSet n) (A : Mat R) :
    let D := maxOver P fun i j => l1 n (A i) (A j)
    let D' := maxOver P fun i j => l1 n (mix s t A i) (mix s t A j)
    D' ≤ (s + s) + t * D ∧
      (D' = (s + s) + t * D ↔ ∃ i j, P.Mem i j ∧ l1 n (A i) (A j) = D ∧ SelfDominant A i j) := by
  intro D D'
  have hs' := le_of_lt hs
  have ht' := le_of_lt ht
  have pos i j : 0 ≤ defect s t A i j := defect_nonneg hs' ht' A i j
  have twice i j : defect s t A i j + defect s t A i j = 0 ↔ defect s t A i j = 0 :=
    ⟨fun e => le_antisymm _ _ (ring_le [defect s t A i j] (add_le_add (le_of_eq e) (pos i j))) (pos i j),
      fun e => by rw [e]; exact zero_add _⟩
  refine ⟨maxOver_le_of_relation (add_nonneg hs' hs') ht' (fun i j _ => add_nonneg (pos i j) (pos i j))
    (l1_mix_pair hs' ht' P A), ?_⟩
  have h := maxOver_eq_iff ht (fun i j _ => l1_nonneg n _ _) (fun i j _ => add_nonneg (pos i j) (pos i j))
    (l1_mix_pair hs' ht' P A)
  exact ⟨fun e => have ⟨i, j, m, hd, h0⟩ := h.mp e
      ⟨i, j, m, hd, (defect_eq_zero_iff hs ht A i j).mp ((twice i j).mp h0)⟩,
    fun ⟨i, j, m, hd, hdom⟩ => h.mpr ⟨i, j, m, hd, (twice i j).mpr ((defect_eq_zero_iff hs ht A i j).mpr hdom)⟩⟩

/-! ### with the half -/

variable [Half R]

theorem d_mix_pair (hs : 0 ≤ s) (ht : 0 ≤ t) (P : PairSet n) (A : Mat R) (i j : Nat) (m : P.Mem i j) :
    d n (mix s t A) i j + defect s t A i j = s + t * d n A i j :=
  d_mix hs ht A (P.left_lt m) (P.right_lt m) (P.ne m)

theorem d_le_κ (P : PairSet n) (A : Mat R) {i j : Nat} (m : P.Mem i j) : d n A i j ≤ κ P A := le_maxOver (d n A) m

theorem κ_attained (P : PairSet n) (A : Mat R) : ∃ i j, P.Mem i j ∧ d n A i j = κ P A :=
  maxOver_attained fun _ _ _ => d_nonneg _ _ _ _

theorem κ_nonneg (P : PairSet n) (A : Mat R) : 0 ≤ κ P A := maxOver_nonneg _

/-- **T2**: `κ_P(sI + tA) ≤ s + t κ_P(A)`. -/
theorem κ_mix_le (hs : 0 ≤ s) (ht : 0 ≤ t) (P : PairSet n) (A : Mat R) : κ P (mix s t A) ≤ s + t * κ P A :=
  maxOver_le_of_relation hs ht (fun i j _ => defect_nonneg hs ht A i j) (d_mix_pair hs ht P A)

/-- **T3**: equality holds exactly if a pair that attains `κ_P(A)` is mutually self-dominant. -/
theorem κ_mix_eq_iff (hs : 0 < s) (ht : 0 < t) (P : PairSet n) (A : Mat R) :
    κ P (mix s t A) = s + t * κ P A ↔ ∃ i j, P.Mem i j ∧ d n A i j = κ P A ∧ SelfDominant A i j := by
  have h := maxOver_eq_iff ht (fun i j _ => d_nonneg n (mix s t A) i j)
    (fun i j _ => defect_nonneg (le_of_lt hs) (le_of_lt ht) A i j) (d_mix_pair (le_of_lt hs) (le_of_lt ht) P A)
  exact ⟨fun e => have ⟨i, j, m, hd, h0⟩ := h.mp e; ⟨i, j, m, hd, (defect_eq_zero_iff hs ht A i j).mp h0⟩,
    fun ⟨i, j, m, hd, hdom⟩ => h.mpr ⟨i, j, m, hd, (defect_eq_zero_iff hs ht A i j).mpr hdom⟩⟩

/-- **T4**: the slack is the smallest `t (κ_P(A) - d_A(i,j)) + defect` over the pairs of `P`. -/
theorem κ_mix_slack (hs : 0 ≤ s) (ht : 0 ≤ t) (P : PairSet n) (A : Mat R) :
    IsMinimum P (fun i j => t * (κ P A - d n A i j) + defect s t A i j) (s + t * κ P A - κ P (mix s t A)) :=
  slack_isMinimum (fun _ _ _ => d_nonneg _ _ _ _) (d_mix_pair hs ht P A)

end Dobrushin
