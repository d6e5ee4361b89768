import Dobrushin.Sum

/-!
# The exact defect (T1)

Mixing in the identity changes two entries of the difference of rows `i ≠ j`: with `u = A_ii - A_ji` and
`v = A_jj - A_ij` the entry at `i` goes from `tu` to `s + tu`, the entry at `j` from `-tv` to `-(s + tv)`.
So everything rests on one number: how much `|s + tu|` falls short of `s + t|u|`.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] {n : Nat} {s t : R}
open OrderedRing

/-- The scalar lemma: `|s + tx| = s + t|x| - 2 min(s, t x⁻)`. -/
theorem abs_add_mul (hs : 0 ≤ s) (ht : 0 ≤ t) (x : R) :
    abs (s + t * x) + (min s (t * negPart x) + min s (t * negPart x)) = s + t * abs x := by
  cases le_total 0 x with
  | inl h =>
    have hz : t * negPart x = 0 := by rw [negPart_of_nonneg h]; exact mul_zero t
    rw [hz, min_eq_right hs, abs_of_nonneg h, abs_of_nonneg (add_nonneg hs (mul_nonneg ht h))]
    exact ring_eq [s, t, x]
  | inr h =>
    have hn : t * negPart x = -(t * x) := by rw [negPart_of_nonpos h]; exact ring_eq [t, x]
    rw [hn, abs_of_nonpos h]
    cases le_total s (-(t * x)) with
    | inl h1 =>
      rw [min_eq_left h1, abs_of_nonpos (ring_le [s, t, x] h1)]
      exact ring_eq [s, t, x]
    | inr h1 =>
      rw [min_eq_right h1, abs_of_nonneg (ring_le [s, t, x] h1)]
      exact ring_eq [s, t, x]

theorem mix_self (A : Mat R) (i : Nat) : mix s t A i i = s + t * A i i := by
  show s * identity i i + t * A i i = _
  rw [identity_self]
  exact ring_eq [s, t * A i i]

theorem mix_ne (A : Mat R) {i k : Nat} (h : i ≠ k) : mix s t A i k = t * A i k := by
  show s * identity i k + t * A i k = _
  rw [identity_ne h]
  exact ring_eq [s, t * A i k]

/-- The scalar lemma at the diagonal entry of row `i`, against another row `j`. -/
theorem mix_diagonal (hs : 0 ≤ s) (ht : 0 ≤ t) (A : Mat R) {i j : Nat} (h : j ≠ i) :
    abs (mix s t A i i - mix s t A j i)
        + (min s (t * negPart (A i i - A j i)) + min s (t * negPart (A i i - A j i)))
      = s + t * abs (A i i - A j i) := by
  rw [mix_self, mix_ne A h, (ring_eq [s, t, A i i, A j i] : (s + t * A i i) - t * A j i = s + t * (A i i - A j i))]
  exact abs_add_mul hs ht _

/-- One term of the sum: entry `k` of the rows `i ≠ j`. -/
theorem mix_entry (hs : 0 ≤ s) (ht : 0 ≤ t) (A : Mat R) {i j : Nat} (h : i ≠ j) (k : Nat) :
    abs (mix s t A i k - mix s t A j k)
        + (identity i k * (min s (t * negPart (A i i - A j i)) + min s (t * negPart (A i i - A j i)))
          + identity j k * (min s (t * negPart (A j j - A i j)) + min s (t * negPart (A j j - A i j))))
      = t * abs (A i k - A j k) + (identity i k * s + identity j k * s) := by
  cases Nat.decEq i k with
  | isTrue hi =>
    rw [← hi, identity_self, identity_ne h.symm]
    have hd := mix_diagonal hs ht A h.symm
    calc _ = abs (mix s t A i i - mix s t A j i)
          + (min s (t * negPart (A i i - A j i)) + min s (t * negPart (A i i - A j i))) :=
        ring_eq [abs (mix s t A i i - mix s t A j i), min s (t * negPart (A i i - A j i)),
          min s (t * negPart (A j j - A i j))]
      _ = s + t * abs (A i i - A j i) := hd
      _ = _ := ring_eq [s, t * abs (A i i - A j i)]
  | isFalse hi =>
    cases Nat.decEq j k with
    | isTrue hj =>
      rw [← hj, identity_self, identity_ne h, abs_sub_comm (mix s t A i j), abs_sub_comm (A i j)]
      have hd := mix_diagonal hs ht A h
      calc _ = abs (mix s t A j j - mix s t A i j)
            + (min s (t * negPart (A j j - A i j)) + min s (t * negPart (A j j - A i j))) :=
          ring_eq [abs (mix s t A j j - mix s t A i j), min s (t * negPart (A j j - A i j)),
            min s (t * negPart (A i i - A j i))]
        _ = s + t * abs (A j j - A i j) := hd
        _ = _ := ring_eq [s, t * abs (A j j - A i j)]
    | isFalse hj =>
      rw [identity_ne hi, identity_ne hj, mix_ne A hi, mix_ne A hj,
        (ring_eq [t, A i k, A j k] : t * A i k - t * A j k = t * (A i k - A j k)), abs_mul ht]
      exact ring_eq [t * abs (A i k - A j k), s, min s (t * negPart (A i i - A j i)),
        min s (t * negPart (A j j - A i j))]

/-- **T1**, doubled, so that it needs no ½: `‖B_i - B_j‖₁ + 2 defect = 2s + t ‖A_i - A_j‖₁` for `B = sI + tA`. -/
theorem l1_mix (hs : 0 ≤ s) (ht : 0 ≤ t) (A : Mat R) {i j : Nat} (hi : i < n) (hj : j < n) (h : i ≠ j) :
    l1 n (mix s t A i) (mix s t A j) + (defect s t A i j + defect s t A i j)
      = (s + s) + t * l1 n (A i) (A j) := by
  have hsum := sum_congr n fun k _ => mix_entry hs ht A h k
  rw [sum_add, sum_add, sum_add, sum_add, sum_identity_mul hi, sum_identity_mul hj, sum_identity_mul hi,
    sum_identity_mul hj, ← mul_sum] at hsum
  let a := min s (t * negPart (A i i - A j i))
  let b := min s (t * negPart (A j j - A i j))
  let x := l1 n (mix s t A i) (mix s t A j)
  let y := l1 n (A i) (A j)
  have hsum : x + ((a + a) + (b + b)) = t * y + (s + s) := hsum
  show x + ((a + b) + (a + b)) = (s + s) + t * y
  calc x + ((a + b) + (a + b)) = x + ((a + a) + (b + b)) := ring_eq [x, a, b]
    _ = t * y + (s + s) := hsum
    _ = (s + s) + t * y := ring_eq [s, t * y]

theorem defect_nonneg (hs : 0 ≤ s) (ht : 0 ≤ t) (A : Mat R) (i j : Nat) : 0 ≤ defect s t A i j :=
  add_nonneg (min_nonneg hs (mul_nonneg ht (negPart_nonneg _))) (min_nonneg hs (mul_nonneg ht (negPart_nonneg _)))

theorem defect_comm (s t : R) (A : Mat R) (i j : Nat) : defect s t A i j = defect s t A j i := add_comm _ _

/-- A pair has no defect exactly if it is mutually self-dominant. -/
theorem defect_eq_zero_iff (hs : 0 < s) (ht : 0 < t) (A : Mat R) (i j : Nat) :
    defect s t A i j = 0 ↔ SelfDominant A i j := by
  have termZero {x : R} (h : min s (t * negPart x) ≤ 0) : 0 ≤ x := by
    refine nonneg_of_negPart (le_of_mul_le_mul ht ?_)
    rw [mul_zero]
    cases le_total s (t * negPart x) with
    | inl h1 => rw [min_eq_left h1] at h; exact absurd h (not_le_of_lt hs)
    | inr h1 => rw [min_eq_right h1] at h; exact h
  have zeroTerm {x : R} (h : 0 ≤ x) : min s (t * negPart x) = 0 := by
    rw [negPart_of_nonneg h, mul_zero, min_eq_right (le_of_lt hs)]
  let a := min s (t * negPart (A i i - A j i))
  let b := min s (t * negPart (A j j - A i j))
  have ha : 0 ≤ a := min_nonneg (le_of_lt hs) (mul_nonneg (le_of_lt ht) (negPart_nonneg _))
  have hb : 0 ≤ b := min_nonneg (le_of_lt hs) (mul_nonneg (le_of_lt ht) (negPart_nonneg _))
  constructor
  · intro (h : a + b = 0)
    have ha0 : a ≤ 0 := ring_le [a, b] (add_le_add (le_of_eq h) hb)
    have hb0 : b ≤ 0 := ring_le [a, b] (add_le_add (le_of_eq h) ha)
    exact ⟨le_of_sub_nonneg (termZero ha0), le_of_sub_nonneg (termZero hb0)⟩
  · intro ⟨hij, hji⟩
    show min s (t * negPart (A i i - A j i)) + min s (t * negPart (A j j - A i j)) = 0
    rw [zeroTerm (sub_nonneg hij), zeroTerm (sub_nonneg hji)]
    exact zero_add _

section Half
variable [Half R]

/-- **T1** for `B = sI + tA`: `d_B(i,j) + defect = s + t d_A(i,j)`. -/
theorem d_mix (hs : 0 ≤ s) (ht : 0 ≤ t) (A : Mat R) {i j : Nat} (hi : i < n) (hj : j < n) (h : i ≠ j) :
    d n (mix s t A) i j + defect s t A i j = s + t * d n A i j := by
  let x := l1 n (mix s t A i) (mix s t A j)
  let y := l1 n (A i) (A j)
  let e := defect s t A i j
  have hl : x + (e + e) = (s + s) + t * y := l1_mix hs ht A hi hj h
  show half * x + e = s + t * (half * y)
  calc half * x + e = half * x + half * (e + e) := by rw [half_mul_double]
    _ = half * (x + (e + e)) := ring_eq [half, x, e]
    _ = half * ((s + s) + t * y) := by rw [hl]
    _ = half * (s + s) + t * (half * y) := ring_eq [half, s, t, y]
    _ = s + t * (half * y) := by rw [half_mul_double]

theorem d_nonneg (n : Nat) (A : Mat R) (i j : Nat) : 0 ≤ d n A i j :=
  mul_nonneg half_nonneg (sum_nonneg n fun _ _ => abs_nonneg _)

end Half
end Dobrushin
