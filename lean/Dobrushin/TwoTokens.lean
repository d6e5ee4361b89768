import Dobrushin.Paper

/-!
# Two tokens

With two tokens there is one pair, up to order, and for a row-stochastic matrix `A_00 - A_10 = A_11 - A_01`. So the
variants of the equality condition that are false in general (every attaining pair; one-sided dominance; any pair) are
all true for two tokens: their counter-examples need three, and those of `CounterExamples.lean` are smallest. And the bound
`κ(AB) ≤ κ(A) κ(B)` is an equality.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] [Half R]
open OrderedRing

theorem d_comm (n : Nat) (A : Mat R) (i j : Nat) : d n A i j = d n A j i :=
  congrArg (half * ·) (sum_congr n fun k _ => abs_sub_comm (A i k) (A j k))

theorem pair_of_two {hn : 2 ≤ 2} {i j : Nat} (m : (allPairs 2 hn).Mem i j) : (i = 0 ∧ j = 1) ∨ (i = 1 ∧ j = 0) :=
  match i, j, m with
  | 0, 0, m => absurd rfl m.2.2
  | 0, 1, _ => .inl ⟨rfl, rfl⟩
  | 1, 0, _ => .inr ⟨rfl, rfl⟩
  | 1, 1, m => absurd rfl m.2.2
  | i + 2, _, m => absurd (Nat.le_of_succ_le_succ (Nat.le_of_succ_le_succ m.1)) (Nat.not_lt_zero i)
  | _, j + 2, m => absurd (Nat.le_of_succ_le_succ (Nat.le_of_succ_le_succ m.2.1)) (Nat.not_lt_zero j)

/-- Both orders of the one pair attain `κ`. -/
theorem d_eq_κ_of_two {hn : 2 ≤ 2} (A : Mat R) {i j : Nat} (m : (allPairs 2 hn).Mem i j) :
    d 2 A i j = κ (allPairs 2 hn) A := by
  have ⟨a, b, mab, e⟩ := κ_attained (allPairs 2 hn) A
  match pair_of_two m, pair_of_two mab with
  | .inl ⟨hi, hj⟩, .inl ⟨ha, hb⟩ => rw [hi, hj, ← ha, ← hb]; exact e
  | .inr ⟨hi, hj⟩, .inr ⟨ha, hb⟩ => rw [hi, hj, ← ha, ← hb]; exact e
  | .inl ⟨hi, hj⟩, .inr ⟨ha, hb⟩ => rw [hi, hj, d_comm, ← ha, ← hb]; exact e
  | .inr ⟨hi, hj⟩, .inl ⟨ha, hb⟩ => rw [hi, hj, d_comm, ← ha, ← hb]; exact e

omit [Half R] in
/-- `A_00 - A_10 = A_11 - A_01`, so dominance on one side is dominance on both. -/
theorem selfDominant_of_one_side {hn : 2 ≤ 2} {A : Mat R} (hA : RowStochastic 2 A) {i j : Nat}
    (m : (allPairs 2 hn).Mem i j) (h : A j i ≤ A i i) : SelfDominant A i j := by
  have h0 : (0 + A 0 0) + A 0 1 = 1 := (hA 0 (Nat.zero_lt_succ 1)).total
  have h1 : (0 + A 1 0) + A 1 1 = 1 := (hA 1 (Nat.lt_succ_self 1)).total
  have rows : (0 + A 0 0) + A 0 1 = (0 + A 1 0) + A 1 1 := h0.trans h1.symm
  refine ⟨h, ?_⟩
  match pair_of_two m with
  | .inl ⟨hi, hj⟩ =>
    rw [hi, hj] at h
    rw [hi, hj]
    exact ring_le [A 0 0, A 0 1, A 1 0, A 1 1] (add_le_add (le_of_eq rows) h)
  | .inr ⟨hi, hj⟩ =>
    rw [hi, hj] at h
    rw [hi, hj]
    exact ring_le [A 0 0, A 0 1, A 1 0, A 1 1] (add_le_add (le_of_eq rows.symm) h)

omit [Half R] in
theorem selfDominant_of_selfDominant {hn : 2 ≤ 2} {A : Mat R} {i j a b : Nat} (m : (allPairs 2 hn).Mem i j)
    (mab : (allPairs 2 hn).Mem a b) (h : SelfDominant A i j) : SelfDominant A a b := by
  match pair_of_two m, pair_of_two mab with
  | .inl ⟨hi, hj⟩, .inl ⟨ha, hb⟩ => rw [ha, hb, ← hi, ← hj]; exact h
  | .inr ⟨hi, hj⟩, .inr ⟨ha, hb⟩ => rw [ha, hb, ← hi, ← hj]; exact h
  | .inl ⟨hi, hj⟩, .inr ⟨ha, hb⟩ => rw [ha, hb, ← hi, ← hj]; exact ⟨h.2, h.1⟩
  | .inr ⟨hi, hj⟩, .inl ⟨ha, hb⟩ => rw [ha, hb, ← hi, ← hj]; exact ⟨h.2, h.1⟩

/-- The false variants are true for two tokens. -/
theorem variants_of_two (hn : 2 ≤ 2) {A : Mat R} (hA : RowStochastic 2 A) :
    (Tight 2 hn A ↔ ∀ i j, (allPairs 2 hn).Mem i j → (d 2 A i j = κ (allPairs 2 hn) A → SelfDominant A i j)) ∧
    (Tight 2 hn A ↔ ∃ i j, (allPairs 2 hn).Mem i j ∧ (d 2 A i j = κ (allPairs 2 hn) A ∧ A j i ≤ A i i)) ∧
    (Tight 2 hn A ↔ ∃ i j, (allPairs 2 hn).Mem i j ∧ SelfDominant A i j) := by
  have tight := tight_iff hn A
  refine ⟨⟨fun t a b mab _ => ?_, fun h => ?_⟩, ⟨fun t => ?_, fun ⟨i, j, m, e, h⟩ => ?_⟩,
    ⟨fun t => ?_, fun ⟨i, j, m, h⟩ => ?_⟩⟩
  · have ⟨i, j, m, _, hd⟩ := tight.mp t
    exact selfDominant_of_selfDominant m mab hd
  · have ⟨i, j, m⟩ := (allPairs 2 hn).nonempty
    exact tight.mpr ⟨i, j, m, d_eq_κ_of_two A m, h i j m (d_eq_κ_of_two A m)⟩
  · have ⟨i, j, m, e, hd⟩ := tight.mp t
    exact ⟨i, j, m, e, hd.1⟩
  · exact tight.mpr ⟨i, j, m, e, selfDominant_of_one_side hA m h⟩
  · have ⟨i, j, m, _, hd⟩ := tight.mp t
    exact ⟨i, j, m, hd⟩
  · exact tight.mpr ⟨i, j, m, d_eq_κ_of_two A m, h⟩

/-! ### the product bound is always attained -/

omit [Half R] in
theorem abs_mul_abs (a x : R) : abs (a * x) = abs a * abs x :=
  match le_total 0 a with
  | .inl h => by rw [abs_mul h, abs_of_nonneg h]
  | .inr h => by
    have h' : 0 ≤ -a := ring_le [a] h
    rw [← abs_neg, (ring_eq [a, x] : -(a * x) = -a * x), abs_mul h', abs_of_nonpos h]

theorem κ_of_two (hn : 2 ≤ 2) (A : Mat R) : κ (allPairs 2 hn) A = d 2 A 0 1 :=
  (d_eq_κ_of_two A (hn := hn) ⟨Nat.zero_lt_succ 1, Nat.lt_succ_self 1, nofun⟩).symm

/-- The rows of `A` differ by `(a, -a)`, so those of `AB` differ by `a` times the difference of the rows of `B`. -/
theorem κ_mul_of_two (hn : 2 ≤ 2) {A : Mat R} (hA : RowStochastic 2 A) (B : Mat R) :
    κ (allPairs 2 hn) (mul 2 A B) = κ (allPairs 2 hn) A * κ (allPairs 2 hn) B := by
  rw [κ_of_two, κ_of_two, κ_of_two]
  let a := A 0 0 - A 1 0
  have h0 : (0 + A 0 0) + A 0 1 = 1 := (hA 0 (Nat.zero_lt_succ 1)).total
  have h1 : (0 + A 1 0) + A 1 1 = 1 := (hA 1 (Nat.lt_succ_self 1)).total
  have second : A 0 1 - A 1 1 = -a :=
    calc A 0 1 - A 1 1 = ((0 + A 0 0) + A 0 1) - ((0 + A 1 0) + A 1 1) - (A 0 0 - A 1 0) :=
        ring_eq [A 0 0, A 0 1, A 1 0, A 1 1]
      _ = 1 - 1 - (A 0 0 - A 1 0) := by rw [h0, h1]
      _ = -a := ring_eq [A 0 0, A 1 0] (y := -(A 0 0 - A 1 0))
  have dA : d 2 A 0 1 = abs a := by
    show half * ((0 + abs a) + abs (A 0 1 - A 1 1)) = abs a
    rw [second, abs_neg, (ring_eq [abs a] : (0 + abs a) + abs a = abs a + abs a), half_mul_double]
  have entry k : abs (mul 2 A B 0 k - mul 2 A B 1 k) = abs a * abs (B 0 k - B 1 k) := by
    rw [← abs_mul_abs]
    refine congrArg abs ?_
    show ((0 + A 0 0 * B 0 k) + A 0 1 * B 1 k) - ((0 + A 1 0 * B 0 k) + A 1 1 * B 1 k) = a * (B 0 k - B 1 k)
    calc ((0 + A 0 0 * B 0 k) + A 0 1 * B 1 k) - ((0 + A 1 0 * B 0 k) + A 1 1 * B 1 k)
      _ = (A 0 0 - A 1 0) * B 0 k + (A 0 1 - A 1 1) * B 1 k :=
        ring_eq [A 0 0, A 0 1, A 1 0, A 1 1, B 0 k, B 1 k]
      _ = a * B 0 k + -a * B 1 k := by rw [second]
      _ = a * (B 0 k - B 1 k) := ring_eq [a, B 0 k, B 1 k]
  rw [dA]
  show half * ((0 + abs (mul 2 A B 0 0 - mul 2 A B 1 0)) + abs (mul 2 A B 0 1 - mul 2 A B 1 1))
    = abs a * (half * ((0 + abs (B 0 0 - B 1 0)) + abs (B 0 1 - B 1 1)))
  rw [entry, entry]
  exact ring_eq [half, abs a, abs (B 0 0 - B 1 0), abs (B 0 1 - B 1 1)]

end Dobrushin
