import Dobrushin.Normalise.Semiring

/-!
# The natural numbers as a commutative semiring

What the construction of ℤ needs to know about ℕ: the semiring laws (so that `semiring_eq` applies), cancellation,
and truncated subtraction. Lean's core library has all of this too; proved here, it is not trusted to be there.
-/

namespace Dobrushin

theorem natZeroMul (n : Nat) : 0 * n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih =>
    show 0 * n + 0 = 0
    rw [ih]

theorem natSuccMul (n m : Nat) : (n + 1) * m = n * m + m := by
  induction m with
  | zero => rfl
  | succ m ih =>
    have e : (n * m + m) + n = (n * m + n) + m := by rw [Nat.add_assoc, Nat.add_comm m n, ← Nat.add_assoc]
    show (n + 1) * m + (n + 1) = (n * m + n) + (m + 1)
    rw [ih]
    exact congrArg Nat.succ e

theorem natMulComm (n m : Nat) : n * m = m * n := by
  induction m with
  | zero => exact (natZeroMul n).symm
  | succ m ih =>
    show n * m + n = (m + 1) * n
    rw [ih, natSuccMul]

theorem natMulAdd (n m k : Nat) : n * (m + k) = n * m + n * k := by
  induction k with
  | zero => rfl
  | succ k ih =>
    show n * (m + k) + n = n * m + (n * k + n)
    rw [ih, Nat.add_assoc]

theorem natMulAssoc (n m k : Nat) : n * m * k = n * (m * k) := by
  induction k with
  | zero => rfl
  | succ k ih =>
    show n * m * k + n * m = n * (m * k + m)
    rw [ih, natMulAdd]

instance : CommSemiring Nat where
  add_assoc := Nat.add_assoc
  add_comm := Nat.add_comm
  zero_add := Nat.zero_add
  mul_assoc := natMulAssoc
  mul_comm := natMulComm
  one_mul n := (natMulComm 1 n).trans (Nat.zero_add n)
  mul_add := natMulAdd
  mul_zero _ := rfl

open Normalise in
/-- Lets `semiring_eq` read the numeral `0`. -/
instance natReadsZero (env : List Nat) : Reads env (0 : Nat) .zero := ⟨rfl⟩
open Normalise in
/-- Lets `semiring_eq` read the numeral `1`. -/
instance natReadsOne (env : List Nat) : Reads env (1 : Nat) .one := ⟨rfl⟩

/-! ### cancellation -/

theorem natAddRightCancel {a b k : Nat} (h : a + k = b + k) : a = b := by
  induction k with
  | zero => exact h
  | succ k ih => exact ih (Nat.succ.inj h)

theorem natAddLeAdd {a b : Nat} (k : Nat) (h : a ≤ b) : a + k ≤ b + k := by
  induction k with
  | zero => exact h
  | succ k ih => exact Nat.succ_le_succ ih

theorem natLeOfAddLe {a b k : Nat} (h : a + k ≤ b + k) : a ≤ b := by
  induction k with
  | zero => exact h
  | succ k ih => exact ih (Nat.le_of_succ_le_succ h)

theorem natLeOfEq {a b : Nat} (e : a = b) : a ≤ b := e ▸ Nat.le_refl a

theorem natLeOfNotLe {a b : Nat} (h : ¬a ≤ b) : b ≤ a :=
  (Nat.lt_or_ge b a).elim (fun h' => Nat.le_trans (Nat.le_succ b) h') fun h' => absurd h' h

/-- `a ≰ b` means that `a = b + 1 + p` for some `p`. -/
theorem natExistsAdd {a b : Nat} (h : ¬a ≤ b) : ∃ p, a = b + (p + 1) := by
  induction a with
  | zero => exact absurd (Nat.zero_le b) h
  | succ a ih =>
    cases Nat.lt_or_ge b a with
    | inl h' =>
      have ⟨p, e⟩ := ih fun h'' => Nat.lt_irrefl b (Nat.lt_of_lt_of_le h' h'')
      exact ⟨p + 1, congrArg Nat.succ e⟩
    | inr h' =>
      have e : a = b := Nat.le_antisymm h' ((Nat.lt_or_ge a b).elim (fun h'' => absurd h'' h) id)
      exact ⟨0, congrArg Nat.succ e⟩

/-! ### truncated subtraction -/

theorem natSuccSubSucc (a b : Nat) : (a + 1) - (b + 1) = a - b := by
  induction b with
  | zero => rfl
  | succ b ih => exact congrArg Nat.pred ih

theorem natZeroSub (b : Nat) : 0 - b = 0 := by
  induction b with
  | zero => rfl
  | succ b ih => exact congrArg Nat.pred ih

theorem natAddSubAdd (a b k : Nat) : (a + k) - (b + k) = a - b := by
  induction k with
  | zero => rfl
  | succ k ih => exact (natSuccSubSucc _ _).trans ih

/-- Both sides are the larger of the two. -/
theorem natSubAdd (a b : Nat) : (a - b) + b = a + (b - a) := by
  induction a generalizing b with
  | zero => exact (congrArg (· + b) (natZeroSub b)).trans (show 0 + b = 0 + (b - 0) from rfl)
  | succ a ih =>
    cases b with
    | zero => rw [natZeroSub]; rfl
    | succ b =>
      rw [natSuccSubSucc, natSuccSubSucc, Nat.succ_add]
      exact congrArg Nat.succ (ih b)

end Dobrushin
