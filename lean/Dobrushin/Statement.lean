import Dobrushin.Paper

/-!
# The theorems

Every headline result, stated with the definitions of `Ring.lean` and `Definitions.lean` alone. The proofs are
one line each and point to the file that holds the argument.
-/

universe u

namespace Dobrushin.Statement

variable {R : Type u} [OrderedRing R] [Half R] {n : Nat}
open OrderedRing

/-- `κ_P(A)` is what it is meant to be: at least every distance of a pair of `P`, and equal to one of them. -/
theorem kappa_is_the_maximum (P : PairSet n) (A : Mat R) :
    (∀ i j, P.Mem i j → d n A i j ≤ κ P A) ∧ ∃ i j, P.Mem i j ∧ d n A i j = κ P A :=
  ⟨fun _ _ m => d_le_κ P A m, κ_attained P A⟩

/-- **T1, exact defect.** For every real matrix `A`, residual weight `0 ≤ α ≤ 1` and rows `i ≠ j`, with
`u = A_ii - A_ji` and `v = A_jj - A_ij`:
`d_B(i,j) = α + (1-α) d_A(i,j) - min(α, (1-α)u⁻) - min(α, (1-α)v⁻)`, where `B = αI + (1-α)A`. -/
theorem T1_exact_defect {α : R} (h0 : 0 ≤ α) (h1 : α ≤ 1) (A : Mat R) {i j : Nat} (hi : i < n) (hj : j < n)
    (hij : i ≠ j) :
    d n (lazy α A) i j = α + (1 - α) * d n A i j
      - min α ((1 - α) * negPart (A i i - A j i)) - min α ((1 - α) * negPart (A j j - A i j)) := by
  have h := d_mix h0 (sub_nonneg h1) A hi hj hij
  have h : d n (lazy α A) i j + (min α ((1 - α) * negPart (A i i - A j i))
    + min α ((1 - α) * negPart (A j j - A i j))) = α + (1 - α) * d n A i j := h
  rw [← h]
  exact ring_eq [d n (lazy α A) i j, min α ((1 - α) * negPart (A i i - A j i)),
    min α ((1 - α) * negPart (A j j - A i j))]

/-- **T2, layerwise inequality.** `κ_P(αI + (1-α)A) ≤ α + (1-α) κ_P(A)`. -/
theorem T2_layerwise_inequality {α : R} (h0 : 0 ≤ α) (h1 : α ≤ 1) (P : PairSet n) (A : Mat R) :
    κ P (lazy α A) ≤ α + (1 - α) * κ P A :=
  κ_mix_le h0 (sub_nonneg h1) P A

/-- **T3, equality condition.** For `0 < α < 1`: equality in T2 holds if and only if some pair of `P` that
attains `κ_P(A)` is mutually self-dominant. The residual weight does not occur on the right-hand side. -/
theorem T3_equality_condition {α : R} (h0 : 0 < α) (h1 : α < 1) (P : PairSet n) (A : Mat R) :
    κ P (lazy α A) = α + (1 - α) * κ P A ↔ ∃ i j, P.Mem i j ∧ d n A i j = κ P A ∧ SelfDominant A i j :=
  κ_mix_eq_iff h0 (sub_pos h1) P A

/-- **T4, exact slack.** `α + (1-α) κ_P(A) - κ_P(B)` is the smallest value over the pairs of `P` of
`(1-α)(κ_P(A) - d_A(i,j)) + min(α, (1-α)u⁻) + min(α, (1-α)v⁻)`. -/
theorem T4_exact_slack {α : R} (h0 : 0 ≤ α) (h1 : α ≤ 1) (P : PairSet n) (A : Mat R) :
    IsMinimum P (fun i j => (1 - α) * (κ P A - d n A i j) + defect α (1 - α) A i j)
      (α + (1 - α) * κ P A - κ P (lazy α A)) :=
  κ_mix_slack h0 (sub_nonneg h1) P A

/-- **T3, the weight drops out**: a layer that attains the bound for one residual weight attains it for all. -/
theorem T3_weight_drops_out {α β : R} (hα : 0 < α ∧ α < 1) (hβ : 0 < β ∧ β < 1) (P : PairSet n) (A : Mat R) :
    κ P (lazy α A) = α + (1 - α) * κ P A ↔ κ P (lazy β A) = β + (1 - β) * κ P A :=
  (T3_equality_condition hα.1 hα.2 P A).trans (T3_equality_condition hβ.1 hβ.2 P A).symm

/-- **The paper's inequality**: `κ(½(I + A)) ≤ ½(1 + κ(A))`, for a matrix of any size `n ≥ 2`. -/
theorem Paper_inequality (hn : 2 ≤ n) (A : Mat R) :
    κ (allPairs n hn) (rolloutFactor A) ≤ half * (1 + κ (allPairs n hn) A) := by
  rw [κ_rolloutFactor, ← half_add_half_mul]
  exact T2_layerwise_inequality half_nonneg (le_of_lt half_lt_one) _ A

/-- **The paper's theorem**: `κ(½(I + A)) = ½(1 + κ(A))` if and only if some pair of tokens `i ≠ j` that attains
`κ(A)` is mutually self-dominant: `A_ii ≥ A_ji` and `A_jj ≥ A_ij`. -/
theorem Paper_equality_condition (hn : 2 ≤ n) (A : Mat R) :
    κ (allPairs n hn) (rolloutFactor A) = half * (1 + κ (allPairs n hn) A) ↔
      ∃ i j, (i < n ∧ j < n ∧ i ≠ j) ∧ d n A i j = κ (allPairs n hn) A ∧ A j i ≤ A i i ∧ A i j ≤ A j j := by
  rw [κ_rolloutFactor, ← half_add_half_mul]
  exact T3_equality_condition half_pos half_lt_one (allPairs n hn) A

end Dobrushin.Statement

namespace Dobrushin.Statement

variable {R : Type u} [OrderedRing R] {n : Nat}
open OrderedRing

/-- **T1 without ½**, for every ordered ring, ℤ among them: `‖B_i - B_j‖₁ = 2s + t‖A_i - A_j‖₁ - 2 min(s, tu⁻) -
2 min(s, tv⁻)` for `B = sI + tA` with `s, t ≥ 0`. -/
theorem T1_doubled {s t : R} (hs : 0 ≤ s) (ht : 0 ≤ t) (A : Mat R) {i j : Nat} (hi : i < n) (hj : j < n)
    (hij : i ≠ j) :
    l1 n (mix s t A i) (mix s t A j) + (defect s t A i j + defect s t A i j) = (s + s) + t * l1 n (A i) (A j) :=
  l1_mix hs ht A hi hj hij

/-- **T2 and T3 without ½**, for every ordered ring: the largest `‖·‖₁` of `sI + tA` is at most `2s + t` times that
of `A`, with equality if and only if a pair that attains the latter is mutually self-dominant. -/
theorem T3_doubled {s t : R} (hs : 0 < s) (ht : 0 < t) (P : PairSet n) (A : Mat R) :
    let D := maxOver P fun i j => l1 n (A i) (A j)
    let D' := maxOver P fun i j => l1 n (mix s t A i) (mix s t A j)
    D' ≤ (s + s) + t * D ∧
      (D' = (s + s) + t * D ↔ ∃ i j, P.Mem i j ∧ l1 n (A i) (A j) = D ∧ SelfDominant A i j) :=
  max_l1_mix hs ht P A

end Dobrushin.Statement
