import Dobrushin.Normalise.Polynomial

/-!
# `semiring_eq`: identities of commutative semirings, by computation

`semiring_eq [a, b, c] : x = y` proves an identity in the listed atoms. Type classes read `x` and `y` into
expressions (`Reads`), both are multiplied out, and the kernel compares the lists of monomials. It is a lemma
whose side condition is decided by evaluation: nothing here has to be trusted besides the kernel.
-/

universe u

namespace Dobrushin.Normalise

variable {R : Type u} [Zero R] [One R] [Add R] [Mul R] [CommSemiring R]

/-- Expressions over numbered variables. -/
inductive Expr where
  | var (i : Nat)
  | zero
  | one
  | add (a b : Expr)
  | mul (a b : Expr)

namespace Expr

def eval (env : List R) (e : Expr) : R := match e with
  | var i => lookup env i
  | zero => 0
  | one => 1
  | add a b => a.eval env + b.eval env
  | mul a b => a.eval env * b.eval env

def poly (e : Expr) : Poly := match e with
  | var i => [[i]]
  | zero => []
  | one => [[]]
  | add a b => a.poly.add b.poly
  | mul a b => a.poly.mul b.poly

theorem eval_poly (env : List R) (e : Expr) : e.poly.eval env = e.eval env := match e with
  | var i => by
    show (lookup env i * 1) + 0 = lookup env i
    rw [add_zero, mul_one]
  | zero => rfl
  | one => add_zero _
  | add a b => by
    show (a.poly.add b.poly).eval env = a.eval env + b.eval env
    rw [Poly.eval_add, eval_poly env a, eval_poly env b]
  | mul a b => by
    show (a.poly.mul b.poly).eval env = a.eval env * b.eval env
    rw [Poly.eval_mul, eval_poly env a, eval_poly env b]

/-- Do the two expressions have the same expanded form? -/
def same (a b : Expr) : Bool := a.poly.same b.poly

theorem eval_eq_of_same (env : List R) (a b : Expr) (h : same a b = true) : a.eval env = b.eval env := by
  rw [← eval_poly env a, ← eval_poly env b]
  exact Poly.eval_eq_of_same env _ _ h

end Expr

/-- `x` is entry number `i` of `env`. -/
class Finds {R : Type u} [Zero R] [One R] [Add R] [Mul R] [CommSemiring R]
    (x : R) (env : List R) (i : outParam Nat) : Prop where
  eq : lookup env i = x
instance findsHead (x : R) (env : List R) : Finds x (x :: env) Nat.zero := ⟨rfl⟩
instance findsTail (x y : R) (env : List R) (i : Nat) [h : Finds x env i] : Finds x (y :: env) (Nat.succ i) := ⟨h.eq⟩

/-- `x` is the value of the expression `e`. -/
class Reads {R : Type u} [Zero R] [One R] [Add R] [Mul R] [CommSemiring R]
    (env : List R) (x : R) (e : outParam Expr) : Prop where
  eq : e.eval env = x
instance (priority := 100) readsVar (env : List R) (x : R) (i : Nat) [h : Finds x env i] :
    Reads env x (.var i) := ⟨h.eq⟩
instance readsAdd (env : List R) (x y : R) (a b : Expr) [h : Reads env x a] [h' : Reads env y b] :
    Reads env (x + y) (.add a b) := ⟨by show a.eval env + b.eval env = x + y; rw [h.eq, h'.eq]⟩
instance readsMul (env : List R) (x y : R) (a b : Expr) [h : Reads env x a] [h' : Reads env y b] :
    Reads env (x * y) (.mul a b) := ⟨by show a.eval env * b.eval env = x * y; rw [h.eq, h'.eq]⟩

/-- An identity of commutative semirings in the atoms `env`. -/
theorem semiring_eq (env : List R) {x y : R} {a b : Expr} [h : Reads env x a] [h' : Reads env y b]
    (hc : a.same b = true := by decide +kernel) : x = y := by
  rw [← h.eq, ← h'.eq]
  exact Expr.eval_eq_of_same env a b hc

end Dobrushin.Normalise
