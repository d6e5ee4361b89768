import Dobrushin.Ring
import Dobrushin.Normalise.Semiring

/-!
# `ring_eq` and `ring_le`: identities and one-step inequalities of ordered rings, by computation

* `ring_eq [a, b, c] : x = y` proves an identity of commutative rings in the listed atoms.
* `ring_le [a, b, c] h : x ≤ y`, from `h : p ≤ q`, when `x + q = y + p` is such an identity: `x ≤ y` *is* the
  hypothesis, rearranged. Several hypotheses are first added up with `add_le_add`.

An expression `e` with subtractions is turned into two without, `pos` and `neg`, with `e + neg = pos`; then
`a = b` amounts to `a.pos + b.neg = b.pos + a.neg`, an identity of semirings.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R]
open OrderedRing

theorem add_left_cancel {a b c : R} (h : a + b = a + c) : b = c := by
  have h2 : -a + (a + b) = -a + (a + c) := congrArg (fun x => -a + x) h
  rw [← add_assoc, ← add_assoc, neg_add, zero_add, zero_add] at h2
  exact h2

theorem mul_zero (a : R) : a * 0 = 0 := by
  have h : a * 0 + a * 0 = a * 0 + 0 := by
    rw [← mul_add, show (0 : R) + 0 = 0 from zero_add _, add_comm, show (0 : R) + a * 0 = a * 0 from zero_add _]
  exact add_left_cancel h

/-- Forget subtraction. -/
instance OrderedRing.toCommSemiring : CommSemiring R where
  add_assoc := add_assoc
  add_comm := add_comm
  zero_add := zero_add
  mul_assoc := mul_assoc
  mul_comm := mul_comm
  one_mul := one_mul
  mul_add := mul_add
  mul_zero := mul_zero

namespace Normalise

/-- Expressions with subtraction. -/
inductive RingExpr where
  | var (i : Nat)
  | zero
  | one
  | add (a b : RingExpr)
  | sub (a b : RingExpr)
  | mul (a b : RingExpr)
  | neg (a : RingExpr)

namespace RingExpr

def eval (env : List R) (e : RingExpr) : R := match e with
  | var i => lookup env i
  | zero => 0
  | one => 1
  | add a b => a.eval env + b.eval env
  | sub a b => a.eval env - b.eval env
  | mul a b => a.eval env * b.eval env
  | neg a => -a.eval env

/-- The positive (`true`) and the negative (`false`) part. -/
def part (e : RingExpr) (positive : Bool) : Poly := match e with
  | var i => cond positive [[i]] []
  | zero => []
  | one => cond positive [[]] []
  | add a b => (a.part positive).add (b.part positive)
  | sub a b => cond positive ((a.part true).add (b.part false)) ((a.part false).add (b.part true))
  | mul a b => cond positive
      (((a.part true).mul (b.part true)).add ((a.part false).mul (b.part false)))
      (((a.part true).mul (b.part false)).add ((a.part false).mul (b.part true)))
  | neg a => cond positive (a.part false) (a.part true)

theorem mul_step (x y n m : R) : x * y + ((x + n) * m + n * (y + m)) = (x + n) * (y + m) + n * m := by
  have e : (x + n) * (y + m) + n * m = x * y + ((x + n) * m + n * (y + m)) := by
    rw [mul_add, add_mul x n y, add_assoc, add_assoc, mul_add, add_left_comm (n * y)]
  exact e.symm

theorem neg_step (x n : R) : -x + (x + n) = n := by
  rw [← add_assoc, neg_add]
  exact zero_add n

theorem eval_part (env : List R) (e : RingExpr) :
    e.eval env + (e.part false).eval env = (e.part true).eval env := match e with
  | var i => by
    show lookup env i + 0 = (lookup env i * 1) + 0
    rw [show lookup env i * (1 : R) = lookup env i from mul_one _]
  | zero => add_zero _
  | one => by
    show (1 : R) + 0 = 1 + 0
    rfl
  | add a b => by
    show (a.eval env + b.eval env) + ((a.part false).add (b.part false)).eval env
      = ((a.part true).add (b.part true)).eval env
    rw [Poly.eval_add, Poly.eval_add, add_add_add_comm, eval_part env a, eval_part env b]
  | sub a b => by
    show (a.eval env - b.eval env) + ((a.part false).add (b.part true)).eval env
      = ((a.part true).add (b.part false)).eval env
    rw [Poly.eval_add, Poly.eval_add, ← eval_part env a, ← eval_part env b, sub_eq, add_add_add_comm, neg_step]
  | mul a b => by
    show (a.eval env * b.eval env)
        + (((a.part true).mul (b.part false)).add ((a.part false).mul (b.part true))).eval env
      = (((a.part true).mul (b.part true)).add ((a.part false).mul (b.part false))).eval env
    rw [Poly.eval_add, Poly.eval_add, Poly.eval_mul, Poly.eval_mul, Poly.eval_mul, Poly.eval_mul,
      ← eval_part env a, ← eval_part env b]
    exact mul_step _ _ _ _
  | neg a => by
    show -a.eval env + (a.part true).eval env = (a.part false).eval env
    rw [← eval_part env a]
    exact neg_step _ _

/-- Do the two expressions have the same expanded form? -/
def same (a b : RingExpr) : Bool := ((a.part true).add (b.part false)).same ((b.part true).add (a.part false))

theorem eval_eq_of_same (env : List R) (a b : RingExpr) (h : same a b = true) : a.eval env = b.eval env := by
  have h := Poly.eval_eq_of_same env _ _ h
  rw [Poly.eval_add, Poly.eval_add, ← eval_part env a, ← eval_part env b] at h
  rw [add_assoc, add_assoc, add_comm ((b.part false).eval env) ((a.part false).eval env),
    add_comm (a.eval env), add_comm (b.eval env)] at h
  exact add_left_cancel h

end RingExpr

/-- `x` is the value of the expression `e`. -/
class RingReads {R : Type u} [OrderedRing R] (env : List R) (x : R) (e : outParam RingExpr) : Prop where
  eq : e.eval env = x
instance (priority := 100) ringReadsVar (env : List R) (x : R) (i : Nat) [h : Finds x env i] :
    RingReads env x (.var i) := ⟨h.eq⟩
instance ringReadsZero (env : List R) : RingReads env (0 : R) .zero := ⟨rfl⟩
instance ringReadsOne (env : List R) : RingReads env (1 : R) .one := ⟨rfl⟩
instance ringReadsAdd (env : List R) (x y : R) (a b : RingExpr) [h : RingReads env x a] [h' : RingReads env y b] :
    RingReads env (x + y) (.add a b) := ⟨by show a.eval env + b.eval env = x + y; rw [h.eq, h'.eq]⟩
instance ringReadsSub (env : List R) (x y : R) (a b : RingExpr) [h : RingReads env x a] [h' : RingReads env y b] :
    RingReads env (x - y) (.sub a b) := ⟨by show a.eval env - b.eval env = x - y; rw [h.eq, h'.eq]⟩
instance ringReadsMul (env : List R) (x y : R) (a b : RingExpr) [h : RingReads env x a] [h' : RingReads env y b] :
    RingReads env (x * y) (.mul a b) := ⟨by show a.eval env * b.eval env = x * y; rw [h.eq, h'.eq]⟩
instance ringReadsNeg (env : List R) (x : R) (a : RingExpr) [h : RingReads env x a] :
    RingReads env (-x) (.neg a) := ⟨by show -a.eval env = -x; rw [h.eq]⟩

end Normalise

open Normalise

/-- An identity of commutative rings in the atoms `env`. -/
theorem ring_eq (env : List R) {x y : R} {a b : RingExpr} [h : RingReads env x a] [h' : RingReads env y b]
    (hc : a.same b = true := by decide +kernel) : x = y := by
  rw [← h.eq, ← h'.eq]
  exact RingExpr.eval_eq_of_same env a b hc

/-- From `p ≤ q` to `x ≤ y`, when `x + q = y + p` is an identity in the atoms `env`. -/
theorem ring_le (env : List R) {p q x y : R} {a b : RingExpr} (h : p ≤ q)
    [h1 : RingReads env (x + q) a] [h2 : RingReads env (y + p) b]
    (hc : a.same b = true := by decide +kernel) : x ≤ y := by
  have e : x + q = y + p := ring_eq env (a := a) (b := b) hc
  have h3 : (x - p) + p ≤ (x - p) + q := add_le_add_left _ _ _ h
  have h4 : (x - p) + p = x := ring_eq [x, p]
  have h5 : (x - p) + q = y := by
    have : (x - p) + q = (x + q) - p := ring_eq [x, p, q]
    rw [this, e]
    exact ring_eq [y, p]
  rw [h4, h5] at h3
  exact h3

end Dobrushin
