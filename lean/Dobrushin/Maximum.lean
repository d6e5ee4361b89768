import Dobrushin.Sum

/-!
# Maxima over a set of pairs

The order-theoretic half of T2, T3 and T4. Let `f` and `g` be two non-negative functions on the pairs of `P`,
tied together by `f + δ = S + t g` with `δ ≥ 0` and `t ≥ 0`. Then `max f ≤ S + t max g`; for `t > 0` equality
holds exactly if some pair that attains `max g` has `δ = 0`; and the difference is the smallest value of
`t (max g - g) + δ`.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] {n : Nat} {P : PairSet n}
open OrderedRing

theorem le_maxOver (f : Nat → Nat → R) {i j : Nat} (h : P.Mem i j) : f i j ≤ maxOver P f := by
  have e : (if P.Mem i j then f i j else 0) = f i j := if_pos h
  rw [← e]
  exact le_trans _ _ _ (le_maxBelow (fun j => if P.Mem i j then f i j else 0) (P.right_lt h))
    (le_maxBelow (fun i => maxBelow n fun j => if P.Mem i j then f i j else 0) (P.left_lt h))

theorem maxOver_nonneg (f : Nat → Nat → R) : 0 ≤ maxOver P f := maxBelow_nonneg _ _

theorem maxOver_le {f : Nat → Nat → R} {c : R} (hc : 0 ≤ c) (h : ∀ i j, P.Mem i j → f i j ≤ c) : maxOver P f ≤ c :=
  maxBelow_le hc fun i _ => maxBelow_le hc fun j _ =>
    match P.decidable i j with
    | isTrue m => le_trans _ _ _ (le_of_eq (if_pos m)) (h i j m)
    | isFalse m => le_trans _ _ _ (le_of_eq (if_neg m)) hc

theorem maxOver_congr {f g : Nat → Nat → R} (h : ∀ i j, P.Mem i j → f i j = g i j) : maxOver P f = maxOver P g :=
  maxBelow_congr n fun i _ => maxBelow_congr n fun j _ =>
    match P.decidable i j with
    | isTrue m => (if_pos m).trans ((h i j m).trans (if_pos m).symm)
    | isFalse m => (if_neg m).trans (if_neg m).symm

/-- A non-negative function attains its maximum over `P` at a pair of `P`. -/
theorem maxOver_attained {f : Nat → Nat → R} (hf : ∀ i j, P.Mem i j → 0 ≤ f i j) :
    ∃ i j, P.Mem i j ∧ f i j = maxOver P f := by
  let row i j := if P.Mem i j then f i j else 0
  have whenZero : maxOver P f = 0 → ∃ i j, P.Mem i j ∧ f i j = maxOver P f := fun e =>
    have ⟨i, j, m⟩ := P.nonempty
    ⟨i, j, m, le_antisymm _ _ (le_maxOver f m) (e ▸ hf i j m)⟩
  cases maxBelow_attained n fun i => maxBelow n fun j => row i j with
  | inl e => exact whenZero e
  | inr h =>
    have ⟨i, _, hi⟩ := h
    cases maxBelow_attained n fun j => row i j with
    | inl e => exact whenZero (hi.symm.trans e)
    | inr h' =>
      have ⟨j, _, hj⟩ := h'
      have e : row i j = maxOver P f := hj.trans hi
      exact match P.decidable i j with
        | isTrue m => ⟨i, j, m, (show row i j = f i j from if_pos m).symm.trans e⟩
        | isFalse m => whenZero (e.symm.trans (show row i j = 0 from if_neg m))

section Relation
variable {f g δ : Nat → Nat → R} {S t : R}

theorem maxOver_le_of_relation (hS : 0 ≤ S) (ht : 0 ≤ t) (hδ : ∀ i j, P.Mem i j → 0 ≤ δ i j)
    (h : ∀ i j, P.Mem i j → f i j + δ i j = S + t * g i j) : maxOver P f ≤ S + t * maxOver P g :=
  maxOver_le (add_nonneg hS (mul_nonneg ht (maxOver_nonneg g))) fun i j m =>
    calc f i j ≤ f i j + δ i j := ring_le [f i j, δ i j] (hδ i j m)
      _ = S + t * g i j := h i j m
      _ ≤ S + t * maxOver P g := add_le_add_left _ _ _ (mul_le_mul_left ht (le_maxOver g m))

/-- The slack of a pair, `t (max g - g) + δ`, is `S + t max g - f`; its minimum is `S + t max g - max f`. -/
theorem slack_isMinimum (hf : ∀ i j, P.Mem i j → 0 ≤ f i j)
    (h : ∀ i j, P.Mem i j → f i j + δ i j = S + t * g i j) :
    IsMinimum P (fun i j => t * (maxOver P g - g i j) + δ i j) (S + t * maxOver P g - maxOver P f) := by
  have slack i j (m : P.Mem i j) : t * (maxOver P g - g i j) + δ i j = S + t * maxOver P g - f i j :=
    calc t * (maxOver P g - g i j) + δ i j
      _ = (f i j + δ i j) + (t * maxOver P g - t * g i j) - f i j := ring_eq [t, maxOver P g, g i j, δ i j, f i j]
      _ = (S + t * g i j) + (t * maxOver P g - t * g i j) - f i j := by rw [h i j m]
      _ = S + t * maxOver P g - f i j := ring_eq [t, maxOver P g, g i j, S, f i j]
  refine ⟨?_, ?_⟩
  · intro i j m
    show S + t * maxOver P g - maxOver P f ≤ t * (maxOver P g - g i j) + δ i j
    rw [slack i j m]
    exact ring_le [S, t * maxOver P g, maxOver P f, f i j] (le_maxOver f m)
  · have ⟨i, j, m, e⟩ := maxOver_attained hf
    exact ⟨i, j, m, (slack i j m).trans (by rw [e])⟩

theorem maxOver_eq_iff (ht : 0 < t) (hf : ∀ i j, P.Mem i j → 0 ≤ f i j) (hδ : ∀ i j, P.Mem i j → 0 ≤ δ i j)
    (h : ∀ i j, P.Mem i j → f i j + δ i j = S + t * g i j) :
    maxOver P f = S + t * maxOver P g ↔ ∃ i j, P.Mem i j ∧ g i j = maxOver P g ∧ δ i j = 0 := by
  have least := slack_isMinimum hf h
  constructor
  · intro e
    have ⟨i, j, m, he⟩ := least.attained
    have he : t * (maxOver P g - g i j) + δ i j = 0 :=
      he.trans (by rw [e]; exact ring_eq [S + t * maxOver P g])
    have hgap : 0 ≤ t * (maxOver P g - g i j) := mul_nonneg (le_of_lt ht) (sub_nonneg (le_maxOver g m))
    have hgap' : t * (maxOver P g - g i j) ≤ t * 0 :=
      ring_le [t, maxOver P g, g i j, δ i j] (add_le_add (le_of_eq he) (hδ i j m))
    have hδ' : δ i j ≤ 0 :=
      ring_le [t, maxOver P g, g i j, δ i j] (add_le_add (le_of_eq he) hgap)
    refine ⟨i, j, m, le_antisymm _ _ (le_maxOver g m) ?_, le_antisymm _ _ hδ' (hδ i j m)⟩
    exact ring_le [maxOver P g, g i j] (le_of_mul_le_mul ht hgap')
  · intro ⟨i, j, m, hg, h0⟩
    have hle : S + t * maxOver P g - maxOver P f ≤ t * (maxOver P g - g i j) + δ i j := least.le m
    rw [hg, h0] at hle
    have hle : S + t * maxOver P g ≤ maxOver P f := ring_le [S, t, maxOver P g, maxOver P f] hle
    refine le_antisymm _ _ ?_ hle
    have hrel := h i j m
    have hS : 0 ≤ S + t * maxOver P g := by
      rw [← hg, ← hrel]
      exact add_nonneg (hf i j m) (hδ i j m)
    refine maxOver_le hS fun a b mab => ?_
    calc f a b ≤ f a b + δ a b := ring_le [f a b, δ a b] (hδ a b mab)
      _ = S + t * g a b := h a b mab
      _ ≤ S + t * maxOver P g := add_le_add_left _ _ _ (mul_le_mul_left (le_of_lt ht) (le_maxOver g mab))

end Relation
end Dobrushin
