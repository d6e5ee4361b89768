import Dobrushin.Certificate

/-!
# The checker is right (T8)

Multiples of `u > 0` are ordered as their counts, and `|a u - b u| = ((a - b) + (b - a)) u` with truncated
subtraction, so distances, their maximum and dominance all are questions about the counts.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] {u : R} {n : Nat}
open OrderedRing

theorem times_add (u : R) (a b : Nat) : times u (a + b) = times u a + times u b := by
  induction b with
  | zero => exact (ring_eq [times u a] : times u a = times u a + 0)
  | succ b ih =>
    show times u (a + b) + u = times u a + (times u b + u)
    rw [ih]
    exact ring_eq [times u a, times u b, u]

theorem times_nonneg (hu : 0 ≤ u) (k : Nat) : 0 ≤ times u k := by
  induction k with
  | zero => exact le_rfl
  | succ k ih => exact add_nonneg ih hu

theorem times_le (hu : 0 ≤ u) {a b : Nat} (h : a ≤ b) : times u a ≤ times u b := by
  induction h with
  | refl => exact le_rfl
  | @step m _ ih =>
    show times u a ≤ times u m + u
    exact ring_le [times u a, times u m, u] (add_le_add ih hu)

theorem times_le_iff (hu : 0 < u) {a b : Nat} : times u a ≤ times u b ↔ a ≤ b := by
  refine ⟨fun h => ?_, times_le (le_of_lt hu)⟩
  cases Nat.lt_or_ge b a with
  | inl h' =>
    have h1 : times u b + u ≤ times u a := times_le (le_of_lt hu) h'
    have h2 : u ≤ 0 := ring_le [times u b, times u a, u] (add_le_add h1 h)
    exact absurd h2 (not_le_of_lt hu)
  | inr h' => exact h'

theorem sub_eq_zero_or (a b : Nat) : a - b = 0 ∨ b - a = 0 := by
  induction a generalizing b with
  | zero => exact .inl (natZeroSub b)
  | succ a ih =>
    cases b with
    | zero =>
      show (a + 1) - 0 = 0 ∨ 0 - (a + 1) = 0
      exact .inr (natZeroSub (a + 1))
    | succ b =>
      rw [natSuccSubSucc, natSuccSubSucc]
      exact ih b

theorem abs_times_sub (hu : 0 ≤ u) (a b : Nat) : abs (times u a - times u b) = times u ((a - b) + (b - a)) := by
  let x := times u (a - b)
  let y := times u (b - a)
  have e : times u a - times u b = x - y := by
    have h : x + times u b = times u a + y := by rw [← times_add, ← times_add, natSubAdd]
    calc times u a - times u b = (times u a + y) - (times u b + y) := ring_eq [times u a, times u b, y]
      _ = (x + times u b) - (times u b + y) := by rw [h]
      _ = x - y := ring_eq [x, y, times u b]
  rw [e, times_add]
  show abs (x - y) = x + y
  cases sub_eq_zero_or a b with
  | inl h =>
    have hx : x = 0 := congrArg (times u) h
    rw [hx, abs_of_nonpos (ring_le [y] (times_nonneg hu (b - a)))]
    exact ring_eq [y]
  | inr h =>
    have hy : y = 0 := congrArg (times u) h
    rw [hy, abs_of_nonneg (ring_le [x] (times_nonneg hu (a - b)))]
    exact ring_eq [x]

theorem sum_times (u : R) (n : Nat) (f : Nat → Nat) : sum n (fun k => times u (f k)) = times u (natSum n f) := by
  induction n with
  | zero => rfl
  | succ n ih =>
    show sum n (fun k => times u (f k)) + times u (f n) = times u (natSum n f + f n)
    rw [ih, times_add]

theorem l1_scaled (hu : 0 ≤ u) (n : Nat) (M : Nat → Nat → Nat) (i j : Nat) :
    l1 n (scaled u M i) (scaled u M j) = times u (natDistance n M i j) :=
  (sum_congr n fun k _ => abs_times_sub hu (M i k) (M j k)).trans (sum_times u n _)

section Half
variable [Half R]

theorem d_scaled_le_iff (hu : 0 < u) (M : Nat → Nat → Nat) (a b i j : Nat) :
    d n (scaled u M) a b ≤ d n (scaled u M) i j ↔ natDistance n M a b ≤ natDistance n M i j := by
  show half * l1 n (scaled u M a) (scaled u M b) ≤ half * l1 n (scaled u M i) (scaled u M j) ↔ _
  rw [l1_scaled (le_of_lt hu), l1_scaled (le_of_lt hu)]
  exact ⟨fun h => (times_le_iff hu).mp (le_of_mul_le_mul half_pos h),
    fun h => mul_le_mul_left half_nonneg (times_le (le_of_lt hu) h)⟩

/-- A pair attains `κ` exactly if it attains the largest count. -/
theorem d_scaled_eq_κ_iff (hn : 2 ≤ n) (hu : 0 < u) (M : Nat → Nat → Nat) {i j : Nat} (m : (allPairs n hn).Mem i j) :
    d n (scaled u M) i j = κ (allPairs n hn) (scaled u M) ↔ natDistance n M i j = natDiameter n M := by
  refine Iff.trans ?_ (natDistance_eq_diameter m.1 m.2.1).symm
  constructor
  · intro e a b ha hb ne
    refine (d_scaled_le_iff hu M a b i j).mp ?_
    rw [e]
    exact d_le_κ (allPairs n hn) _ ⟨ha, hb, ne⟩
  · intro h
    have ⟨a, b, mab, e⟩ := κ_attained (allPairs n hn) (scaled u M)
    refine le_antisymm _ _ (d_le_κ _ _ m) ?_
    rw [← e]
    exact (d_scaled_le_iff hu M a b i j).mpr (h a b mab.1 mab.2.1 mab.2.2)

/-- **T8**: the checker decides tightness. -/
theorem check_correct (hn : 2 ≤ n) (hu : 0 < u) (M : Nat → Nat → Nat) :
    check n M = true ↔ Tight n hn (scaled u M) := by
  refine check_iff.trans (Iff.trans ?_ (tight_iff hn (scaled u M)).symm)
  exact ⟨fun ⟨i, j, m, hd, h1, h2⟩ => ⟨i, j, m, (d_scaled_eq_κ_iff hn hu M m).mpr hd,
      (times_le_iff hu).mpr h1, (times_le_iff hu).mpr h2⟩,
    fun ⟨i, j, m, hd, h1, h2⟩ => ⟨i, j, m, (d_scaled_eq_κ_iff hn hu M m).mp hd,
      (times_le_iff hu).mp h1, (times_le_iff hu).mp h2⟩⟩

/-- The coefficient itself: half the largest count, times `u`. -/
theorem κ_scaled (hn : 2 ≤ n) (hu : 0 < u) (M : Nat → Nat → Nat) :
    κ (allPairs n hn) (scaled u M) = half * times u (natDiameter n M) := by
  have ⟨i, j, m, e⟩ := κ_attained (allPairs n hn) (scaled u M)
  have largest : natDistance n M i j = natDiameter n M := (d_scaled_eq_κ_iff hn hu M m).mp e
  rw [← e, ← largest]
  exact congrArg (half * ·) (l1_scaled (le_of_lt hu) n M i j)

end Half
end Dobrushin
