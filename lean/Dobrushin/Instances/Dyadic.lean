import Dobrushin.Instances.Parity

/-!
# ℤ[½], the dyadic rationals

A pair `(m, k)` stands for `m / 2^k`; in normal form `k = 0` or `m` is odd. Every finite binary floating-point
number is one, and this ring has a half, so that every theorem of `Statement.lean` speaks of it.
-/

namespace Dobrushin
open Normalise OrderedRing Model
noncomputable section

/-- A numerator and the exponent of the denominator. -/
abbrev Fraction := Integer × Nat

namespace Fraction

def same (x y : Fraction) : Prop := x.1 * pow2 y.2 = y.1 * pow2 x.2
def le (x y : Fraction) : Prop := x.1 * pow2 y.2 ≤ y.1 * pow2 x.2
def add (x y : Fraction) : Fraction := (x.1 * pow2 y.2 + y.1 * pow2 x.2, x.2 + y.2)
def neg (x : Fraction) : Fraction := (-x.1, x.2)
def mul (x y : Fraction) : Fraction := (x.1 * y.1, x.2 + y.2)

/-- Cancel common factors of two. -/
def reduce (m : Integer) : (k : Nat) → Fraction
  | 0 => (m, 0)
  | k + 1 => cond (Integer.odd m) (m, k + 1) (reduce (Integer.halve m) k)
termination_by structural k => k

theorem same_refl (x : Fraction) : same x x := rfl

theorem reduce_succ (m : Integer) (k : Nat) :
    reduce m (k + 1) = cond (Integer.odd m) (m, k + 1) (reduce (Integer.halve m) k) := rfl

theorem le_trans {x y z : Fraction} (h : le x y) (h' : le y z) : le x z := by
  have ⟨a, i⟩ := x
  have ⟨b, j⟩ := y
  have ⟨c, k⟩ := z
  have h : a * pow2 j ≤ b * pow2 i := h
  have h' : b * pow2 k ≤ c * pow2 j := h'
  refine le_of_mul_le_mul (pow2_pos j) ?_
  show pow2 j * (a * pow2 k) ≤ pow2 j * (c * pow2 i)
  calc pow2 j * (a * pow2 k) = pow2 k * (a * pow2 j) := ring_eq [a, pow2 j, pow2 k]
    _ ≤ pow2 k * (b * pow2 i) := mul_le_mul_left (le_of_lt (pow2_pos k)) h
    _ = pow2 i * (b * pow2 k) := ring_eq [b, pow2 i, pow2 k]
    _ ≤ pow2 i * (c * pow2 j) := mul_le_mul_left (le_of_lt (pow2_pos i)) h'
    _ = pow2 j * (c * pow2 i) := ring_eq [c, pow2 i, pow2 j]

theorem same_iff {x y : Fraction} : same x y ↔ le x y ∧ le y x :=
  ⟨fun h => ⟨le_of_eq h, le_of_eq h.symm⟩, fun h => le_antisymm _ _ h.1 h.2⟩

theorem same_trans {x y z : Fraction} (h : same x y) (h' : same y z) : same x z :=
  same_iff.mpr ⟨le_trans (same_iff.mp h).1 (same_iff.mp h').1, le_trans (same_iff.mp h').2 (same_iff.mp h).2⟩

/-! ### the normal form -/

theorem reduce_same (m : Integer) (k : Nat) : same (reduce m k) (m, k) := by
  induction k generalizing m with
  | zero => exact rfl
  | succ k ih =>
    rw [reduce_succ]
    cases h : Integer.odd m with
    | true => exact same_refl (m, k + 1)
    | false =>
      refine same_trans (ih (Integer.halve m)) ?_
      show Integer.halve m * (pow2 k + pow2 k) = m * pow2 k
      calc Integer.halve m * (pow2 k + pow2 k) = (Integer.halve m + Integer.halve m) * pow2 k :=
          ring_eq [Integer.halve m, pow2 k]
        _ = m * pow2 k := by rw [Integer.halve_add_halve h]

/-- In lowest terms. -/
def Reduced (x : Fraction) : Prop := x.2 = 0 ∨ Integer.odd x.1 = true

theorem reduce_reduced (m : Integer) (k : Nat) : Reduced (reduce m k) := by
  induction k generalizing m with
  | zero => exact .inl rfl
  | succ k ih =>
    rw [reduce_succ]
    cases h : Integer.odd m with
    | true => exact .inr h
    | false => exact ih (Integer.halve m)

/-- An odd number over a positive power of two is no integer. -/
theorem not_odd_of_same {m m' : Integer} {k : Nat} (h : same (m, 0) (m', k + 1)) (odd : Integer.odd m' = true) :
    False := by
  have h : m * (pow2 k + pow2 k) = m' * 1 := h
  have e : m' = m * pow2 k + m * pow2 k :=
    calc m' = m' * 1 := ring_eq [m']
      _ = m * (pow2 k + pow2 k) := h.symm
      _ = m * pow2 k + m * pow2 k := ring_eq [m, pow2 k]
  rw [e, Integer.odd_double] at odd
  exact nomatch odd

/-- Lowest terms are unique. -/
theorem eq_of_reduced (m m' : Integer) (k k' : Nat) (hm : Reduced (m, k)) (hm' : Reduced (m', k'))
    (h : same (m, k) (m', k')) : (m, k) = (m', k') := by
  induction k generalizing k' with
  | zero =>
    cases k' with
    | zero =>
      have h : m * 1 = m' * 1 := h
      have e : m = m' := (ring_eq [m] : m = m * 1).trans (h.trans (ring_eq [m'] : m' * 1 = m'))
      rw [e]
    | succ k' => exact hm'.elim (fun e => nomatch (e : k' + 1 = 0)) fun odd => (not_odd_of_same h odd).elim
  | succ k ih =>
    have odd : Integer.odd m = true := hm.elim (fun e => nomatch (e : k + 1 = 0)) id
    cases k' with
    | zero => exact (not_odd_of_same (Eq.symm h) odd).elim
    | succ k' =>
      have odd' : Integer.odd m' = true := hm'.elim (fun e => nomatch (e : k' + 1 = 0)) id
      have h : m * (pow2 k' + pow2 k') = m' * (pow2 k + pow2 k) := h
      have h : m * pow2 k' = m' * pow2 k := eq_of_double
        (calc m * pow2 k' + m * pow2 k' = m * (pow2 k' + pow2 k') := ring_eq [m, pow2 k']
          _ = m' * (pow2 k + pow2 k) := h
          _ = m' * pow2 k + m' * pow2 k := ring_eq [m', pow2 k])
      have e : (m, k) = (m', k') := ih k' (.inr odd) (.inr odd') h
      injection e with e1 e2
      rw [e1, e2]

theorem reduce_eq {x y : Fraction} (h : same x y) : reduce x.1 x.2 = reduce y.1 y.2 :=
  eq_of_reduced _ _ _ _ (reduce_reduced x.1 x.2) (reduce_reduced y.1 y.2)
    (same_trans (reduce_same x.1 x.2) (same_trans h (Eq.symm (reduce_same y.1 y.2))))

/-! ### the operations -/

theorem add_same {x x' y y' : Fraction} (h : same x x') (h' : same y y') : same (add x y) (add x' y') := by
  have ⟨a, i⟩ := x
  have ⟨a', i'⟩ := x'
  have ⟨b, j⟩ := y
  have ⟨b', j'⟩ := y'
  have h : a * pow2 i' = a' * pow2 i := h
  have h' : b * pow2 j' = b' * pow2 j := h'
  show (a * pow2 j + b * pow2 i) * pow2 (i' + j') = (a' * pow2 j' + b' * pow2 i') * pow2 (i + j)
  rw [pow2_add, pow2_add]
  calc (a * pow2 j + b * pow2 i) * (pow2 i' * pow2 j')
    _ = (a * pow2 i') * (pow2 j * pow2 j') + (b * pow2 j') * (pow2 i * pow2 i') :=
      ring_eq [a, b, pow2 i, pow2 i', pow2 j, pow2 j']
    _ = (a' * pow2 i) * (pow2 j * pow2 j') + (b' * pow2 j) * (pow2 i * pow2 i') := by rw [h, h']
    _ = (a' * pow2 j' + b' * pow2 i') * (pow2 i * pow2 j) := ring_eq [a', b', pow2 i, pow2 i', pow2 j, pow2 j']

theorem mul_same {x x' y y' : Fraction} (h : same x x') (h' : same y y') : same (mul x y) (mul x' y') := by
  have ⟨a, i⟩ := x
  have ⟨a', i'⟩ := x'
  have ⟨b, j⟩ := y
  have ⟨b', j'⟩ := y'
  have h : a * pow2 i' = a' * pow2 i := h
  have h' : b * pow2 j' = b' * pow2 j := h'
  show (a * b) * pow2 (i' + j') = (a' * b') * pow2 (i + j)
  rw [pow2_add, pow2_add]
  calc (a * b) * (pow2 i' * pow2 j') = (a * pow2 i') * (b * pow2 j') := ring_eq [a, b, pow2 i', pow2 j']
    _ = (a' * pow2 i) * (b' * pow2 j) := by rw [h, h']
    _ = (a' * b') * (pow2 i * pow2 j) := ring_eq [a', b', pow2 i, pow2 j]

theorem pos_iff {x : Fraction} : ¬le x (0, 0) ↔ 0 < x.1 := by
  have ⟨a, i⟩ := x
  have up (h : a ≤ 0) : le (a, i) (0, 0) := (ring_le [a, pow2 i] h : a * 1 ≤ 0 * pow2 i)
  have down (h : le (a, i) (0, 0)) : a ≤ 0 := by
    have h : a * 1 ≤ 0 * pow2 i := h
    exact ring_le [a, pow2 i] h
  exact ⟨fun h => lt_of_not_le fun h' => h (up h'), fun h h' => not_le_of_lt h (down h')⟩

/-- ℤ[½] up to equivalence. -/
def model : Model Fraction where
  same := same
  le := le
  sameDec x y := (inferInstance : Decidable (x.1 * pow2 y.2 = y.1 * pow2 x.2))
  leDec x y := (inferInstance : Decidable (x.1 * pow2 y.2 ≤ y.1 * pow2 x.2))
  normal x := reduce x.1 x.2
  zero := (0, 0)
  one := (1, 0)
  add := add
  neg := neg
  mul := mul
  refl _ := rfl
  symm := Eq.symm
  trans := same_trans
  normal_same x := reduce_same x.1 x.2
  normal_eq := reduce_eq
  add_same := add_same
  neg_same {x x'} h := by
    have h : x.1 * pow2 x'.2 = x'.1 * pow2 x.2 := h
    show -x.1 * pow2 x'.2 = -x'.1 * pow2 x.2
    rw [(ring_eq [x.1, pow2 x'.2] : -x.1 * pow2 x'.2 = -(x.1 * pow2 x'.2)), h]
    exact ring_eq [x'.1, pow2 x.2]
  mul_same := mul_same
  add_assoc := fun (a, i) (b, j) (c, k) => by
    show ((a * pow2 j + b * pow2 i) * pow2 k + c * pow2 (i + j)) * pow2 (i + (j + k))
      = (a * pow2 (j + k) + (b * pow2 k + c * pow2 j) * pow2 i) * pow2 ((i + j) + k)
    rw [pow2_add, pow2_add, pow2_add, pow2_add, pow2_add]
    exact ring_eq [a, b, c, pow2 i, pow2 j, pow2 k]
  add_comm := fun (a, i) (b, j) => by
    show (a * pow2 j + b * pow2 i) * pow2 (j + i) = (b * pow2 i + a * pow2 j) * pow2 (i + j)
    rw [pow2_add, pow2_add]
    exact ring_eq [a, b, pow2 i, pow2 j]
  zero_add := fun (a, i) => by
    show (0 * pow2 i + a * pow2 0) * pow2 i = a * pow2 (0 + i)
    rw [pow2_add, pow2_zero]
    exact ring_eq [a, pow2 i]
  neg_add := fun (a, i) => by
    show (-a * pow2 i + a * pow2 i) * pow2 0 = 0 * pow2 (i + i)
    rw [pow2_zero]
    exact ring_eq [a, pow2 i, pow2 (i + i)]
  mul_assoc := fun (a, i) (b, j) (c, k) => by
    show (a * b * c) * pow2 (i + (j + k)) = (a * (b * c)) * pow2 ((i + j) + k)
    rw [pow2_add, pow2_add, pow2_add, pow2_add]
    exact ring_eq [a, b, c, pow2 i, pow2 j, pow2 k]
  mul_comm := fun (a, i) (b, j) => by
    show (a * b) * pow2 (j + i) = (b * a) * pow2 (i + j)
    rw [pow2_add, pow2_add]
    exact ring_eq [a, b, pow2 i, pow2 j]
  one_mul := fun (a, i) => by
    show (1 * a) * pow2 i = a * pow2 (0 + i)
    rw [pow2_add, pow2_zero]
    exact ring_eq [a, pow2 i]
  mul_add := fun (a, i) (b, j) (c, k) => by
    show (a * (b * pow2 k + c * pow2 j)) * pow2 ((i + j) + (i + k))
      = ((a * b) * pow2 (i + k) + (a * c) * pow2 (i + j)) * pow2 (i + (j + k))
    rw [pow2_add, pow2_add, pow2_add, pow2_add, pow2_add]
    exact ring_eq [a, b, c, pow2 i, pow2 j, pow2 k]
  le_of_same h := le_of_eq h
  le_trans := le_trans
  le_antisymm h h' := same_iff.mpr ⟨h, h'⟩
  le_of_not_le h := le_of_lt (lt_of_not_le h)
  add_le_add_left {x y} z h := by
    have ⟨a, i⟩ := x
    have ⟨b, j⟩ := y
    have ⟨c, k⟩ := z
    have h : a * pow2 j ≤ b * pow2 i := h
    show (c * pow2 i + a * pow2 k) * pow2 (k + j) ≤ (c * pow2 j + b * pow2 k) * pow2 (k + i)
    rw [pow2_add, pow2_add]
    exact ring_le [a, b, c, pow2 i, pow2 j, pow2 k]
      (mul_le_mul_left (mul_nonneg (le_of_lt (pow2_pos k)) (le_of_lt (pow2_pos k))) h)
  mul_pos hx hy := pos_iff.mpr (mul_pos _ _ (pos_iff.mp hx) (pos_iff.mp hy))
  one_pos := pos_iff.mpr zero_lt_one

end Fraction

/-- The dyadic rationals. -/
abbrev Dyadic := Fraction.model.Carrier

namespace Dyadic

/-- `m / 2^k`. -/
def of (m : Integer) (k : Nat) : Dyadic := ofRep (m, k)

instance : Half Dyadic where
  half := of 1 1
  half_add_half := by
    refine (ofRep_add (M := Fraction.model) (1, 1) (1, 1)).trans (ofRep_eq ?_)
    show (1 * pow2 1 + 1 * pow2 1) * pow2 0 = 1 * pow2 (1 + 1)
    rw [pow2_add, pow2_succ, pow2_zero]
    exact ring_eq []

end Dyadic
end
end Dobrushin
