import Dobrushin.Order

/-!
# Finite sums and maxima

Sums and maxima over the indices below `n`, and the identity matrix under a sum.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] {n : Nat}
open OrderedRing

theorem lt_or_eq_of_lt_succ {k n : Nat} (h : k < n + 1) : k < n ∨ k = n :=
  (Nat.eq_or_lt_of_le (Nat.le_of_succ_le_succ h)).elim .inr .inl
theorem lt_succ_of_lt {k n : Nat} (h : k < n) : k < n + 1 := Nat.le_succ_of_le h

/-! ### sums -/

theorem sum_congr (n : Nat) {f g : Nat → R} (h : ∀ k, k < n → f k = g k) : sum n f = sum n g := by
  induction n with
  | zero => rfl
  | succ n ih =>
    show sum n f + f n = sum n g + g n
    rw [ih fun k hk => h k (lt_succ_of_lt hk), h n (Nat.lt_succ_self n)]

theorem sum_le (n : Nat) {f g : Nat → R} (h : ∀ k, k < n → f k ≤ g k) : sum n f ≤ sum n g := by
  induction n with
  | zero => exact le_rfl
  | succ n ih => exact add_le_add (ih fun k hk => h k (lt_succ_of_lt hk)) (h n (Nat.lt_succ_self n))

theorem sum_zero (n : Nat) : sum n (fun _ => (0 : R)) = 0 := by
  induction n with
  | zero => rfl
  | succ n ih =>
    show sum n (fun _ => (0 : R)) + 0 = 0
    rw [ih]
    exact zero_add _

theorem sum_nonneg (n : Nat) {f : Nat → R} (h : ∀ k, k < n → 0 ≤ f k) : 0 ≤ sum n f :=
  le_trans _ _ _ (le_of_eq (sum_zero n).symm) (sum_le n h)

theorem term_le_sum {f : Nat → R} (h : ∀ k, k < n → 0 ≤ f k) {k : Nat} (hk : k < n) : f k ≤ sum n f := by
  induction n with
  | zero => exact absurd hk (Nat.not_lt_zero k)
  | succ n ih =>
    have below : ∀ k, k < n → 0 ≤ f k := fun k hk => h k (lt_succ_of_lt hk)
    show f k ≤ sum n f + f n
    cases lt_or_eq_of_lt_succ hk with
    | inl hk => exact ring_le [f k, sum n f, f n] (add_le_add (ih below hk) (h n (Nat.lt_succ_self n)))
    | inr e => rw [e]; exact ring_le [sum n f, f n] (sum_nonneg n below)

/-- A sum of non-negative terms that is `≤ 0` has no positive term. -/
theorem term_eq_zero {f : Nat → R} (h : ∀ k, k < n → 0 ≤ f k) (h0 : sum n f ≤ 0) {k : Nat} (hk : k < n) : f k = 0 :=
  le_antisymm _ _ (le_trans _ _ _ (term_le_sum h hk) h0) (h k hk)

theorem sum_add (n : Nat) (f g : Nat → R) : sum n (fun k => f k + g k) = sum n f + sum n g := by
  induction n with
  | zero => exact (zero_add _).symm
  | succ n ih =>
    show sum n (fun k => f k + g k) + (f n + g n) = (sum n f + f n) + (sum n g + g n)
    rw [ih]
    exact ring_eq [sum n f, sum n g, f n, g n]

theorem mul_sum (n : Nat) (c : R) (f : Nat → R) : c * sum n f = sum n fun k => c * f k := by
  induction n with
  | zero => exact mul_zero c
  | succ n ih =>
    show c * (sum n f + f n) = sum n (fun k => c * f k) + c * f n
    rw [← ih]
    exact ring_eq [c, sum n f, f n]

theorem sum_mul (n : Nat) (f : Nat → R) (c : R) : sum n f * c = sum n fun k => f k * c := by
  rw [mul_comm, mul_sum]
  exact sum_congr n fun k _ => mul_comm _ _

theorem sum_sub (n : Nat) (f g : Nat → R) : sum n (fun k => f k - g k) = sum n f - sum n g := by
  have h := sum_add n (fun k => f k - g k) g
  rw [sum_congr n (fun k _ => (ring_eq [f k, g k] : (f k - g k) + g k = f k))] at h
  rw [h]
  exact ring_eq [sum n (fun k => f k - g k), sum n g]

/-- The order of summation does not matter. -/
theorem sum_comm (n m : Nat) (f : Nat → Nat → R) :
    sum n (fun i => sum m fun j => f i j) = sum m fun j => sum n fun i => f i j := by
  induction n with
  | zero => exact (sum_zero m).symm
  | succ n ih =>
    show sum n (fun i => sum m fun j => f i j) + sum m (fun j => f n j) = sum m fun j => sum n (fun i => f i j) + f n j
    rw [ih, sum_add]

/-- A sum with one non-zero term. -/
theorem sum_single {n i : Nat} (hi : i < n) {f : Nat → R} (h : ∀ k, k ≠ i → f k = 0) : sum n f = f i := by
  induction n with
  | zero => exact absurd hi (Nat.not_lt_zero i)
  | succ n ih =>
    show sum n f + f n = f i
    cases lt_or_eq_of_lt_succ hi with
    | inl h1 =>
      rw [ih h1, h n fun e => Nat.lt_irrefl n (e ▸ h1)]
      exact ring_eq [f i]
    | inr h1 =>
      have below : ∀ k, k < n → f k = 0 := fun k hk => h k fun e => by
        rw [e, h1] at hk
        exact Nat.lt_irrefl n hk
      rw [sum_congr n below, sum_zero, h1]
      exact zero_add _

theorem identity_self (i : Nat) : (identity i i : R) = 1 := if_pos rfl
theorem identity_ne {i k : Nat} (h : i ≠ k) : (identity i k : R) = 0 := if_neg h
theorem identity_nonneg (i k : Nat) : 0 ≤ (identity i k : R) :=
  match Nat.decEq i k with
  | isTrue h => by rw [h, identity_self]; exact zero_le_one
  | isFalse h => by rw [identity_ne h]; exact le_rfl

theorem sum_identity_mul {n i : Nat} (hi : i < n) (f : Nat → R) : sum n (fun k => identity i k * f k) = f i := by
  rw [sum_single hi fun k hk => by rw [identity_ne hk.symm]; exact ring_eq [f k], identity_self]
  exact one_mul _

/-! ### the distance of two rows -/

theorem l1_nonneg (n : Nat) (p q : Nat → R) : 0 ≤ l1 n p q := sum_nonneg n fun _ _ => abs_nonneg _

theorem l1_self (n : Nat) (p : Nat → R) : l1 n p p = 0 := by
  show sum n (fun k => abs (p k - p k)) = 0
  rw [sum_congr n (g := fun _ => 0) fun k _ => by rw [(ring_eq [p k] : p k - p k = 0)]; exact abs_zero, sum_zero]

theorem l1_congr {p p' q q' : Nat → R} (hp : ∀ k, k < n → p k = p' k) (hq : ∀ k, k < n → q k = q' k) :
    l1 n p q = l1 n p' q' := sum_congr n fun k hk => by rw [hp k hk, hq k hk]

/-! ### maxima -/

theorem maxBelow_nonneg (n : Nat) (f : Nat → R) : 0 ≤ maxBelow n f := by
  induction n with
  | zero => exact le_rfl
  | succ n ih => exact le_trans _ _ _ ih (le_max_left _ _)

theorem le_maxBelow {n k : Nat} (f : Nat → R) (h : k < n) : f k ≤ maxBelow n f := by
  induction n with
  | zero => exact absurd h (Nat.not_lt_zero k)
  | succ n ih =>
    cases lt_or_eq_of_lt_succ h with
    | inl h => exact le_trans _ _ _ (ih h) (le_max_left _ _)
    | inr h => rw [h]; exact le_max_right _ _

theorem maxBelow_le {n : Nat} {f : Nat → R} {c : R} (hc : 0 ≤ c) (h : ∀ k, k < n → f k ≤ c) : maxBelow n f ≤ c := by
  induction n with
  | zero => exact hc
  | succ n ih => exact max_le _ _ _ (ih fun k hk => h k (lt_succ_of_lt hk)) (h n (Nat.lt_succ_self n))

theorem maxBelow_congr (n : Nat) {f g : Nat → R} (h : ∀ k, k < n → f k = g k) : maxBelow n f = maxBelow n g := by
  induction n with
  | zero => rfl
  | succ n ih =>
    show max (maxBelow n f) (f n) = max (maxBelow n g) (g n)
    rw [ih fun k hk => h k (lt_succ_of_lt hk), h n (Nat.lt_succ_self n)]

/-- The maximum is attained, or it is `0`. -/
theorem maxBelow_attained (n : Nat) (f : Nat → R) : maxBelow n f = 0 ∨ ∃ k, k < n ∧ f k = maxBelow n f := by
  induction n with
  | zero => exact .inl rfl
  | succ n ih =>
    show max (maxBelow n f) (f n) = 0 ∨ ∃ k, k < n + 1 ∧ f k = max (maxBelow n f) (f n)
    cases le_total (maxBelow n f) (f n) with
    | inl h => rw [max_eq_right h]; exact .inr ⟨n, Nat.lt_succ_self n, rfl⟩
    | inr h =>
      rw [max_eq_left h]
      exact ih.elim .inl fun ⟨k, hk, e⟩ => .inr ⟨k, lt_succ_of_lt hk, e⟩

end Dobrushin
