import Dobrushin.Instances.Integer

/-!
# Even integers and powers of two

What the normal form of a dyadic rational needs: an integer is even or odd, and even ones can be halved.
-/

namespace Dobrushin
open Normalise OrderedRing Model
noncomputable section

/-! ### natural numbers -/

def natOdd : Nat → Bool
  | 0 => false
  | n + 1 => cond (natOdd n) false true

def natHalve : Nat → Nat
  | 0 => 0
  | n + 1 => cond (natOdd n) (natHalve n + 1) (natHalve n)

theorem natHalve_spec (n : Nat) : n = natHalve n + natHalve n + cond (natOdd n) 1 0 := by
  induction n with
  | zero => rfl
  | succ n ih =>
    show n + 1 = cond (natOdd n) (natHalve n + 1) (natHalve n) + cond (natOdd n) (natHalve n + 1) (natHalve n)
      + cond (cond (natOdd n) false true) 1 0
    cases h : natOdd n with
    | true =>
      rw [h] at ih
      have ih : n = natHalve n + natHalve n + 1 := ih
      calc n + 1 = (natHalve n + natHalve n + 1) + 1 := congrArg (· + 1) ih
        _ = (natHalve n + 1) + (natHalve n + 1) + 0 := semiring_eq [natHalve n]
    | false =>
      rw [h] at ih
      exact congrArg Nat.succ ih

theorem natOdd_double (n : Nat) : natOdd (n + n) = false := by
  induction n with
  | zero => rfl
  | succ n ih =>
    rw [(semiring_eq [n] : (n + 1) + (n + 1) = (n + n) + 1 + 1)]
    show cond (cond (natOdd (n + n)) false true) false true = false
    rw [ih]
    rfl

theorem natDoubleSub (a b : Nat) : (a + a) - (b + b) = (a - b) + (a - b) := by
  induction a generalizing b with
  | zero =>
    show 0 - (b + b) = (0 - b) + (0 - b)
    rw [natZeroSub, natZeroSub]
  | succ a ih =>
    cases b with
    | zero => rfl
    | succ b =>
      rw [(semiring_eq [a] : (a + 1) + (a + 1) = (a + a) + 1 + 1),
        (semiring_eq [b] : (b + 1) + (b + 1) = (b + b) + 1 + 1), natSuccSubSucc, natSuccSubSucc, natSuccSubSucc]
      exact ih b

/-! ### integers -/

namespace Integer

def odd (m : Integer) : Bool := cond (natOdd m.val.1) true (natOdd m.val.2)
def halve (m : Integer) : Integer := ofRep (natHalve m.val.1, natHalve m.val.2)

theorem halve_add_halve {m : Integer} (h : odd m = false) : halve m + halve m = m := by
  have ⟨⟨p, q⟩, hm⟩ := m
  have h : cond (natOdd p) true (natOdd q) = false := h
  have hp : natOdd p = false := by
    cases e : natOdd p with
    | true => rw [e] at h; exact nomatch (h : true = false)
    | false => rfl
  have hq : natOdd q = false := by rw [hp] at h; exact h
  have ep := natHalve_spec p
  have eq := natHalve_spec q
  rw [hp] at ep
  rw [hq] at eq
  have ep : natHalve p + natHalve p = p := ep.symm
  have eq : natHalve q + natHalve q = q := eq.symm
  have sum : Difference.add (natHalve p, natHalve q) (natHalve p, natHalve q) = (p, q) := by
    show (natHalve p + natHalve p, natHalve q + natHalve q) = (p, q)
    rw [ep, eq]
  calc halve ⟨(p, q), hm⟩ + halve ⟨(p, q), hm⟩
    _ = ofRep (Difference.add (natHalve p, natHalve q) (natHalve p, natHalve q)) := ofRep_add _ _
    _ = ofRep (p, q) := by rw [sum]
    _ = ⟨(p, q), hm⟩ := ofRep_val (M := Difference.model) ⟨(p, q), hm⟩

theorem odd_double (m : Integer) : odd (m + m) = false := by
  have ⟨⟨a, b⟩, hm⟩ := m
  show cond (natOdd ((a + a) - (b + b))) true (natOdd ((b + b) - (a + a))) = false
  rw [natDoubleSub, natDoubleSub, natOdd_double, natOdd_double]
  rfl

end Integer

/-! ### powers of two -/

/-- `2^k` as an integer. -/
def pow2 : Nat → Integer
  | 0 => 1
  | k + 1 => pow2 k + pow2 k

theorem pow2_zero : pow2 0 = 1 := rfl
theorem pow2_succ (k : Nat) : pow2 (k + 1) = pow2 k + pow2 k := rfl

theorem pow2_pos (k : Nat) : 0 < pow2 k := by
  induction k with
  | zero => exact zero_lt_one
  | succ k ih =>
    refine lt_of_lt_of_le ih ?_
    rw [pow2_succ]
    exact ring_le [pow2 k] (le_of_lt ih)

theorem pow2_add (a b : Nat) : pow2 (a + b) = pow2 a * pow2 b := by
  induction b with
  | zero => exact (ring_eq [pow2 a] : pow2 a = pow2 a * 1)
  | succ b ih =>
    show pow2 (a + b) + pow2 (a + b) = pow2 a * (pow2 b + pow2 b)
    rw [ih]
    exact ring_eq [pow2 a, pow2 b]

theorem eq_of_mul_eq_mul {a b c : Integer} (hc : 0 < c) (h : c * a = c * b) : a = b :=
  le_antisymm _ _ (le_of_mul_le_mul hc (le_of_eq h)) (le_of_mul_le_mul hc (le_of_eq h.symm))

theorem eq_of_double {a b : Integer} (h : a + a = b + b) : a = b :=
  eq_of_mul_eq_mul (c := 1 + 1) (lt_of_lt_of_le zero_lt_one (ring_le [] zero_le_one))
    (calc (1 + 1) * a = a + a := ring_eq [a]
      _ = b + b := h
      _ = (1 + 1) * b := ring_eq [b])

end
end Dobrushin
