import Dobrushin.Decide
import Dobrushin.Instances.Dyadic

/-!
# False variants of the theorems, each refuted by a smallest matrix

Every variant changes one word of T3 (in the paper's form: `α = ½`, all pairs, row-stochastic matrices) or of T5.
The matrices are row-stochastic with entries `0`, `½` and `1`, and `decide` evaluates both sides in ℤ[½].
-/

namespace Dobrushin
noncomputable section

/-- The matrix with the given rows, counted in halves. -/
abbrev halves (rows : List (List Nat)) : Mat Dyadic := scaled half (ofRows rows)

instance (n : Nat) (hn : 2 ≤ n) (A : Mat Dyadic) : Decidable (Tight n hn A) :=
  (inferInstance : Decidable (κ (allPairs n hn) (rolloutFactor A) = half * (1 + κ (allPairs n hn) A)))

theorem two_le_two : 2 ≤ 2 := Nat.le_refl 2
theorem two_le_three : 2 ≤ 3 := Nat.le_succ 2

/-- Neither side of the theorem is empty: two tokens that attend to themselves are tight, two that swap are not. -/
theorem tight_and_not_tight :
    (∃ A : Mat Dyadic, RowStochastic 2 A ∧ Tight 2 two_le_two A) ∧
      ∃ A : Mat Dyadic, RowStochastic 2 A ∧ ¬Tight 2 two_le_two A :=
  ⟨⟨halves [[2, 0], [0, 2]], by decide +kernel, by decide +kernel⟩,
    ⟨halves [[0, 2], [2, 0]], by decide +kernel, by decide +kernel⟩⟩

/-- The definitions, evaluated at `A = [[1, 0], [½, ½]]`: `d(0,1) = κ(A) = ½`, and `κ(½(I + A)) = ¾`, with
`½(I + A) = [[1, 0], [¼, ¾]]`. -/
theorem values :
    let A : Mat Dyadic := halves [[2, 0], [1, 1]]
    d 2 A 0 1 = half ∧ κ (allPairs 2 two_le_two) A = half ∧
      κ (allPairs 2 two_le_two) (rolloutFactor A) = half + half * half ∧
      rolloutFactor A 1 0 = half * half ∧ rolloutFactor A 1 1 = half + half * half := by
  decide +kernel

/-- A matrix whose two rows are equal is tight, but its diagonal does not dominate strictly. -/
theorem strict_dominance_is_false :
    ¬∀ (n : Nat) (hn : 2 ≤ n) (A : Mat Dyadic), RowStochastic n A →
      (Tight n hn A ↔ ∃ i j, (allPairs n hn).Mem i j ∧
        (d n A i j = κ (allPairs n hn) A ∧ A j i < A i i ∧ A i j < A j j)) := fun h =>
  absurd (h 2 two_le_two (halves [[1, 1], [1, 1]]) (by decide +kernel)) (by decide +kernel)

/-- Rows 0 and 1 attain `κ = 1` and are mutually self-dominant; rows 0 and 2 attain it too, but `A_22 < A_02`. -/
theorem every_attaining_pair_is_false :
    ¬∀ (n : Nat) (hn : 2 ≤ n) (A : Mat Dyadic), RowStochastic n A →
      (Tight n hn A ↔ ∀ i j, (allPairs n hn).Mem i j → (d n A i j = κ (allPairs n hn) A → SelfDominant A i j)) :=
  fun h => absurd (h 3 two_le_three (halves [[1, 0, 1], [0, 2, 0], [0, 2, 0]]) (by decide +kernel)) (by decide +kernel)

/-- Rows 0 and 1 attain `κ = 1` with `A_00 ≥ A_10` but `A_11 < A_01`. -/
theorem one_sided_dominance_is_false :
    ¬∀ (n : Nat) (hn : 2 ≤ n) (A : Mat Dyadic), RowStochastic n A →
      (Tight n hn A ↔ ∃ i j, (allPairs n hn).Mem i j ∧ (d n A i j = κ (allPairs n hn) A ∧ A j i ≤ A i i)) := fun h =>
  absurd (h 3 two_le_three (halves [[1, 1, 0], [0, 0, 2], [1, 1, 0]]) (by decide +kernel)) (by decide +kernel)

/-- Rows 0 and 2 are equal, hence mutually self-dominant, but they do not attain `κ = 1`. -/
theorem dominance_of_any_pair_is_false :
    ¬∀ (n : Nat) (hn : 2 ≤ n) (A : Mat Dyadic), RowStochastic n A →
      (Tight n hn A ↔ ∃ i j, (allPairs n hn).Mem i j ∧ SelfDominant A i j) := fun h =>
  absurd (h 3 two_le_three (halves [[1, 1, 0], [0, 0, 2], [1, 1, 0]]) (by decide +kernel)) (by decide +kernel)

/-- With `i = j` allowed, a single token is its own self-dominant pair at distance `κ = 0`, and the bound `½` is
not attained. -/
theorem equal_indices_is_false :
    ¬∀ (n : Nat) (A : Mat Dyadic), 1 ≤ n → RowStochastic n A →
      let κ' (B : Mat Dyadic) : Dyadic := maxBelow n fun i => maxBelow n fun j => d n B i j
      (κ' (rolloutFactor A) = half * (1 + κ' A) ↔
        ∃ i, i < n ∧ ∃ j, j < n ∧ d n A i j = κ' A ∧ SelfDominant A i j) := fun h =>
  absurd (h 1 (halves [[2]]) (Nat.le_refl 1) (by decide +kernel)) (by decide +kernel)

/-- Without equal row sums in the left factor, the product of matrices may have a larger coefficient than the
product of their coefficients, even if the right factor is row-stochastic: here `½ > ½ · 0`. -/
theorem product_without_stochastic_rows_is_false :
    ¬∀ (n : Nat) (hn : 2 ≤ n) (A B : Mat Dyadic), (∀ i, i < n → ∀ k, k < n → 0 ≤ A i k) → RowStochastic n B →
      κ (allPairs n hn) (mul n A B) ≤ κ (allPairs n hn) A * κ (allPairs n hn) B := fun h =>
  absurd (h 2 two_le_two (halves [[2, 0], [0, 0]]) (halves [[1, 1], [1, 1]]) (by decide +kernel) (by decide +kernel))
    (by decide +kernel)

end
end Dobrushin
