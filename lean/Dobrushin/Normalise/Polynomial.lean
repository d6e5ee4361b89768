/-!
# Polynomials with natural coefficients as lists of monomials

First half of the normaliser: identities of commutative semirings are checked by computation. A monomial is the
sorted list of its variables (by number), a polynomial the list of its monomials, repeated as often as its
coefficient says. Two polynomials are the same if one list is a rearrangement of the other; `Poly.same` decides
that, and `Poly.eval_eq_of_same` says that then their values are equal in every commutative semiring.
-/

universe u

namespace Dobrushin

/-- The laws of a commutative semiring: what is left of a commutative ring without subtraction. ℕ is one. (The
operations are parameters, so that there is only one way to find them.) -/
class CommSemiring (R : Type u) [Zero R] [One R] [Add R] [Mul R] : Prop where
  add_assoc : ∀ a b c : R, a + b + c = a + (b + c)
  add_comm : ∀ a b : R, a + b = b + a
  zero_add : ∀ a : R, 0 + a = a
  mul_assoc : ∀ a b c : R, a * b * c = a * (b * c)
  mul_comm : ∀ a b : R, a * b = b * a
  one_mul : ∀ a : R, 1 * a = a
  mul_add : ∀ a b c : R, a * (b + c) = a * b + a * c
  mul_zero : ∀ a : R, a * 0 = 0

namespace Normalise

variable {R : Type u} [Zero R] [One R] [Add R] [Mul R] [CommSemiring R]
open CommSemiring

theorem add_zero (a : R) : a + 0 = a := (add_comm _ _).trans (zero_add a)
theorem mul_one (a : R) : a * 1 = a := (mul_comm _ _).trans (one_mul a)
theorem zero_mul (a : R) : 0 * a = 0 := (mul_comm _ _).trans (mul_zero a)
theorem add_mul (a b c : R) : (a + b) * c = a * c + b * c := by rw [mul_comm, mul_add, mul_comm c, mul_comm c]
theorem add_left_comm (a b c : R) : a + (b + c) = b + (a + c) := by rw [← add_assoc, add_comm a b, add_assoc]
theorem mul_left_comm (a b c : R) : a * (b * c) = b * (a * c) := by rw [← mul_assoc, mul_comm a b, mul_assoc]
theorem add_add_add_comm (a b c d : R) : (a + b) + (c + d) = (a + c) + (b + d) := by
  rw [add_assoc, add_left_comm b, ← add_assoc]

/-- The value of variable number `i`; zero if there is none. -/
def lookup (env : List R) (i : Nat) : R := match env, i with
  | .nil, _ => 0
  | .cons x _, .zero => x
  | .cons _ env, .succ i => lookup env i

/-- The sorted variables of a product. -/
abbrev Mono := List Nat
/-- The monomials of a sum. -/
abbrev Poly := List Mono

namespace Mono

def eval (env : List R) (m : Mono) : R := match m with
  | .nil => 1
  | .cons i m => lookup env i * eval env m

/-- Multiply by one variable, keeping the list sorted. -/
def insert (i : Nat) (m : Mono) : Mono := match m with
  | .nil => [i]
  | .cons j m => cond (Nat.ble i j) (i :: j :: m) (j :: insert i m)

def mul (a b : Mono) : Mono := match a with
  | .nil => b
  | .cons i a => insert i (mul a b)

theorem eval_insert (env : List R) (i : Nat) (m : Mono) : eval env (insert i m) = lookup env i * eval env m :=
  match m with
  | .nil => rfl
  | .cons j m => by
    show eval env (cond (Nat.ble i j) (i :: j :: m) (j :: insert i m)) = lookup env i * (lookup env j * eval env m)
    cases Nat.ble i j with
    | true => rfl
    | false =>
      show lookup env j * eval env (insert i m) = _
      rw [eval_insert env i m, mul_left_comm]

theorem eval_mul (env : List R) (a b : Mono) : eval env (mul a b) = eval env a * eval env b :=
  match a with
  | .nil => (one_mul _).symm
  | .cons i a => by
    show eval env (insert i (mul a b)) = (lookup env i * eval env a) * eval env b
    rw [eval_insert, eval_mul env a b, mul_assoc]

def same (a b : Mono) : Bool := match a, b with
  | .nil, .nil => true
  | .cons i a, .cons j b => cond (Nat.beq i j) (same a b) false
  | .nil, .cons _ _ => false
  | .cons _ _, .nil => false

theorem eq_of_same (a b : Mono) (h : same a b = true) : a = b := match a, b, h with
  | .nil, .nil, _ => rfl
  | .cons i a, .cons j b, h => by
    have h : cond (Nat.beq i j) (same a b) false = true := h
    cases e : Nat.beq i j with
    | true => rw [e] at h; rw [Nat.eq_of_beq_eq_true e, eq_of_same a b h]
    | false => rw [e] at h; exact nomatch (h : false = true)

end Mono

namespace Poly

def eval (env : List R) (p : Poly) : R := match p with
  | .nil => 0
  | .cons m p => m.eval env + eval env p

def add (p q : Poly) : Poly := match p with
  | .nil => q
  | .cons m p => m :: add p q

def scale (m : Mono) (p : Poly) : Poly := match p with
  | .nil => .nil
  | .cons a p => m.mul a :: scale m p

def mul (p q : Poly) : Poly := match p with
  | .nil => .nil
  | .cons m p => add (scale m q) (mul p q)

theorem eval_add (env : List R) (p q : Poly) : eval env (add p q) = eval env p + eval env q := match p with
  | .nil => (zero_add _).symm
  | .cons m p => by
    show m.eval env + eval env (add p q) = (m.eval env + eval env p) + eval env q
    rw [eval_add env p q, add_assoc]

theorem eval_scale (env : List R) (m : Mono) (p : Poly) : eval env (scale m p) = m.eval env * eval env p := match p with
  | .nil => (mul_zero _).symm
  | .cons a p => by
    show (m.mul a).eval env + eval env (scale m p) = m.eval env * (a.eval env + eval env p)
    rw [Mono.eval_mul, eval_scale env m p, mul_add]

theorem eval_mul (env : List R) (p q : Poly) : eval env (mul p q) = eval env p * eval env q := match p with
  | .nil => (zero_mul _).symm
  | .cons m p => by
    show eval env (add (scale m q) (mul p q)) = (m.eval env + eval env p) * eval env q
    rw [eval_add, eval_scale, eval_mul env p q, add_mul]

/-- Remove one copy of `m` from `p` and hand the rest to `next`; `false` if there is none. -/
def remove (m : Mono) (before p : Poly) (next : Poly → Bool) : Bool := match p with
  | .nil => false
  | .cons a p => cond (m.same a) (next (add before p)) (remove m (a :: before) p next)

/-- Is `q` a rearrangement of `p`? -/
def same (p q : Poly) : Bool := match p with
  | .nil => match q with
    | .nil => true
    | .cons _ _ => false
  | .cons m p => remove m .nil q (same p)

theorem remove_spec (env : List R) (m : Mono) (before p : Poly) (next : Poly → Bool)
    (h : remove m before p next = true) :
    ∃ rest, next rest = true ∧ eval env before + eval env p = m.eval env + eval env rest := match p with
  | .nil => nomatch (show false = true from h)
  | .cons a p => by
    have h : cond (m.same a) (next (add before p)) (remove m (a :: before) p next) = true := h
    cases e : m.same a with
    | true =>
      rw [e] at h
      refine ⟨add before p, h, ?_⟩
      rw [Mono.eq_of_same _ _ e, eval_add]
      exact add_left_comm _ _ _
    | false =>
      rw [e] at h
      have ⟨rest, h1, h2⟩ := remove_spec env m (a :: before) p next h
      refine ⟨rest, h1, ?_⟩
      rw [← h2]
      show eval env before + (a.eval env + eval env p) = (a.eval env + eval env before) + eval env p
      rw [add_left_comm, add_assoc]

/-- Rearranging a sum does not change its value. -/
theorem eval_eq_of_same (env : List R) (p q : Poly) (h : same p q = true) : eval env p = eval env q := match p with
  | .nil => match q with
    | .nil => rfl
    | .cons _ _ => nomatch (show false = true from h)
  | .cons m p => by
    have ⟨rest, h1, h2⟩ := remove_spec env m .nil q (same p) h
    show m.eval env + eval env p = eval env q
    rw [eval_eq_of_same env p rest h1, ← h2]
    exact zero_add _

end Poly
end Normalise
end Dobrushin
