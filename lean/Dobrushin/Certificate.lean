import Dobrushin.Paper
import Dobrushin.Naturals

/-!
# Certificates (T8)

For a matrix of multiples of some `u > 0`, whatever the ring, tightness is a question about the natural numbers that
count the `u`s: `check` answers it by computation, and its answer is right in both directions.
-/

universe u

namespace Dobrushin

/-! ### the checker -/

/-- A sum of natural numbers. -/
def natSum : (n : Nat) → (f : Nat → Nat) → Nat
  | 0, _ => 0
  | n + 1, f => natSum n f + f n

/-- The largest of `0` and `f 0, ..., f (n-1)`. -/
def natMax : (n : Nat) → (f : Nat → Nat) → Nat
  | 0, _ => 0
  | n + 1, f => cond (Nat.ble (natMax n f) (f n)) (f n) (natMax n f)

/-- Does some index below `n` pass the test? -/
def anyBelow : (n : Nat) → (p : Nat → Bool) → Bool
  | 0, _ => false
  | n + 1, p => cond (p n) true (anyBelow n p)

/-- `Σ_k |M_ik - M_jk|`. -/
def natDistance (n : Nat) (M : Nat → Nat → Nat) (i j : Nat) : Nat :=
  natSum n fun k => (M i k - M j k) + (M j k - M i k)

/-- The largest distance of two rows. -/
def natDiameter (n : Nat) (M : Nat → Nat → Nat) : Nat := natMax n fun i => natMax n fun j => natDistance n M i j

/-- Does the pair attain the largest distance, and is it mutually self-dominant? -/
def checkPair (n : Nat) (M : Nat → Nat → Nat) (i j : Nat) : Bool :=
  cond (Nat.beq i j) false (cond (Nat.ble (M j i) (M i i)) (cond (Nat.ble (M i j) (M j j))
    (Nat.beq (natDistance n M i j) (natDiameter n M)) false) false)

/-- Is the layer tight? -/
def check (n : Nat) (M : Nat → Nat → Nat) : Bool := anyBelow n fun i => anyBelow n fun j => checkPair n M i j

/-! ### what the checker computes -/

theorem cond_false {a b : Bool} : cond a b false = true ↔ a = true ∧ b = true :=
  match a with
  | true => ⟨fun h => ⟨rfl, h⟩, fun h => h.2⟩
  | false => ⟨fun h => Bool.noConfusion h, fun h => Bool.noConfusion h.1⟩

theorem ble_iff {a b : Nat} : Nat.ble a b = true ↔ a ≤ b := ⟨Nat.le_of_ble_eq_true, Nat.ble_eq_true_of_le⟩

theorem beq_iff {a b : Nat} : Nat.beq a b = true ↔ a = b :=
  ⟨Nat.eq_of_beq_eq_true, fun e => by
    cases h : Nat.beq a b with
    | true => rfl
    | false => exact absurd e (Nat.ne_of_beq_eq_false h)⟩

theorem anyBelow_iff {n : Nat} {p : Nat → Bool} : anyBelow n p = true ↔ ∃ k, k < n ∧ p k = true := by
  induction n with
  | zero => exact ⟨fun h => Bool.noConfusion h, fun ⟨k, h, _⟩ => absurd h (Nat.not_lt_zero k)⟩
  | succ n ih =>
    show cond (p n) true (anyBelow n p) = true ↔ _
    cases e : p n with
    | true => exact ⟨fun _ => ⟨n, Nat.lt_succ_self n, e⟩, fun _ => rfl⟩
    | false =>
      refine ih.trans ⟨fun ⟨k, hk, h⟩ => ⟨k, lt_succ_of_lt hk, h⟩, fun ⟨k, hk, h⟩ => ?_⟩
      exact (lt_or_eq_of_lt_succ hk).elim (fun hk => ⟨k, hk, h⟩) fun ek => by rw [ek, e] at h; exact nomatch h

theorem le_natMax {n k : Nat} (f : Nat → Nat) (h : k < n) : f k ≤ natMax n f := by
  induction n with
  | zero => exact absurd h (Nat.not_lt_zero k)
  | succ n ih =>
    show f k ≤ cond (Nat.ble (natMax n f) (f n)) (f n) (natMax n f)
    cases e : Nat.ble (natMax n f) (f n) with
    | true =>
      cases lt_or_eq_of_lt_succ h with
      | inl h => exact Nat.le_trans (ih h) (Nat.le_of_ble_eq_true e)
      | inr ek => exact natLeOfEq (congrArg f ek)
    | false =>
      have below : f n ≤ natMax n f := natLeOfNotLe fun h' => by
        rw [Nat.ble_eq_true_of_le h'] at e
        exact nomatch e
      exact (lt_or_eq_of_lt_succ h).elim ih fun ek => by rw [ek]; exact below

theorem natMax_le {n : Nat} {f : Nat → Nat} {c : Nat} (h : ∀ k, k < n → f k ≤ c) : natMax n f ≤ c := by
  induction n with
  | zero => exact Nat.zero_le c
  | succ n ih =>
    show cond (Nat.ble (natMax n f) (f n)) (f n) (natMax n f) ≤ c
    cases Nat.ble (natMax n f) (f n) with
    | true => exact h n (Nat.lt_succ_self n)
    | false => exact ih fun k hk => h k (lt_succ_of_lt hk)

theorem natDistance_self (n : Nat) (M : Nat → Nat → Nat) (i : Nat) : natDistance n M i i = 0 := by
  have self (a : Nat) : a - a = 0 := by
    have h := natAddSubAdd 0 0 a
    rw [Nat.zero_add] at h
    exact h
  have zero (m : Nat) : natSum m (fun k => (M i k - M i k) + (M i k - M i k)) = 0 := by
    induction m with
    | zero => rfl
    | succ m ih =>
      show natSum m (fun k => (M i k - M i k) + (M i k - M i k)) + ((M i m - M i m) + (M i m - M i m)) = 0
      rw [ih, self]
  exact zero n

/-- A pair attains the largest distance if no other pair has a larger one. -/
theorem natDistance_eq_diameter {n : Nat} {M : Nat → Nat → Nat} {i j : Nat} (hi : i < n) (hj : j < n) :
    natDistance n M i j = natDiameter n M ↔
      ∀ a b, a < n → b < n → a ≠ b → natDistance n M a b ≤ natDistance n M i j := by
  have le_diameter {a b : Nat} (ha : a < n) (hb : b < n) : natDistance n M a b ≤ natDiameter n M :=
    Nat.le_trans (le_natMax (fun b => natDistance n M a b) hb)
      (le_natMax (fun a => natMax n fun b => natDistance n M a b) ha)
  constructor
  · intro e a b ha hb _
    rw [e]
    exact le_diameter ha hb
  · intro h
    refine Nat.le_antisymm (le_diameter hi hj) (natMax_le fun a ha => natMax_le fun b hb => ?_)
    exact match Nat.decEq a b with
      | isTrue e => by rw [e, natDistance_self]; exact Nat.zero_le _
      | isFalse ne => h a b ha hb ne

theorem check_iff {n : Nat} {M : Nat → Nat → Nat} : check n M = true ↔
    ∃ i j, (i < n ∧ j < n ∧ i ≠ j) ∧ natDistance n M i j = natDiameter n M ∧ M j i ≤ M i i ∧ M i j ≤ M j j := by
  have pair {i j : Nat} : checkPair n M i j = true ↔
      i ≠ j ∧ M j i ≤ M i i ∧ M i j ≤ M j j ∧ natDistance n M i j = natDiameter n M := by
    show cond (Nat.beq i j) false _ = true ↔ _
    cases e : Nat.beq i j with
    | true => exact ⟨fun h => Bool.noConfusion h, fun h => absurd (Nat.eq_of_beq_eq_true e) h.1⟩
    | false =>
      have ne := Nat.ne_of_beq_eq_false e
      refine cond_false.trans ⟨fun ⟨h1, h⟩ => ?_, fun ⟨_, h1, h2, h3⟩ => ?_⟩
      · have ⟨h2, h3⟩ := cond_false.mp h
        exact ⟨ne, ble_iff.mp h1, ble_iff.mp h2, beq_iff.mp h3⟩
      · exact ⟨ble_iff.mpr h1, cond_false.mpr ⟨ble_iff.mpr h2, beq_iff.mpr h3⟩⟩
  constructor
  · intro h
    have ⟨i, hi, h⟩ := anyBelow_iff.mp h
    have ⟨j, hj, h⟩ := anyBelow_iff.mp h
    have ⟨ne, h1, h2, h3⟩ := pair.mp h
    exact ⟨i, j, ⟨hi, hj, ne⟩, h3, h1, h2⟩
  · intro ⟨i, j, ⟨hi, hj, ne⟩, h3, h1, h2⟩
    exact anyBelow_iff.mpr ⟨i, hi, anyBelow_iff.mpr ⟨j, hj, pair.mpr ⟨ne, h1, h2, h3⟩⟩⟩

end Dobrushin
