import Dobrushin.Instances.NormalForm
import Dobrushin.Naturals

/-!
# ℤ

A pair `(a, b)` of natural numbers stands for the integer `a - b`; the normal form is `(a - b, b - a)` with
truncated subtraction, one of whose entries is `0`.
-/

namespace Dobrushin
open Normalise
noncomputable section

/-- A formal difference of natural numbers. -/
abbrev Difference := Nat × Nat

namespace Difference

def same (x y : Difference) : Prop := x.1 + y.2 = y.1 + x.2
def le (x y : Difference) : Prop := x.1 + y.2 ≤ y.1 + x.2
def normal (x : Difference) : Difference := (x.1 - x.2, x.2 - x.1)
def add (x y : Difference) : Difference := (x.1 + y.1, x.2 + y.2)
def neg (x : Difference) : Difference := (x.2, x.1)
def mul (x y : Difference) : Difference := (x.1 * y.1 + x.2 * y.2, x.1 * y.2 + x.2 * y.1)

theorem same_trans {x y z : Difference} (h : same x y) (h' : same y z) : same x z := by
  have ⟨a, b⟩ := x
  have ⟨c, d⟩ := y
  have ⟨e, f⟩ := z
  have h : a + d = c + b := h
  have h' : c + f = e + d := h'
  refine natAddRightCancel (k := d) ?_
  show (a + f) + d = (e + b) + d
  calc (a + f) + d = (a + d) + f := semiring_eq [a, d, f]
    _ = (c + b) + f := by rw [h]
    _ = (c + f) + b := semiring_eq [c, b, f]
    _ = (e + d) + b := by rw [h']
    _ = (e + b) + d := semiring_eq [e, d, b]

theorem normal_eq {x y : Difference} (h : same x y) : normal x = normal y := by
  have ⟨a, b⟩ := x
  have ⟨c, d⟩ := y
  have h : a + d = c + b := h
  have h1 : a - b = c - d := by
    rw [← natAddSubAdd a b d, ← natAddSubAdd c d b, h, Nat.add_comm b d]
  have h2 : b - a = d - c := by
    rw [← natAddSubAdd b a d, ← natAddSubAdd d c b, h, Nat.add_comm b d]
  show (a - b, b - a) = (c - d, d - c)
  rw [h1, h2]

theorem mul_same_left {x x' : Difference} (y : Difference) (h : same x x') : same (mul x y) (mul x' y) := by
  have ⟨a, b⟩ := x
  have ⟨a', b'⟩ := x'
  have ⟨c, d⟩ := y
  have h : a + b' = a' + b := h
  show (a * c + b * d) + (a' * d + b' * c) = (a' * c + b' * d) + (a * d + b * c)
  calc (a * c + b * d) + (a' * d + b' * c) = (a + b') * c + (a' + b) * d := semiring_eq [a, b, a', b', c, d]
    _ = (a' + b) * c + (a + b') * d := by rw [h]
    _ = (a' * c + b' * d) + (a * d + b * c) := semiring_eq [a, b, a', b', c, d]

theorem mul_comm (x y : Difference) : same (mul x y) (mul y x) := by
  have ⟨a, b⟩ := x
  have ⟨c, d⟩ := y
  show (a * c + b * d) + (c * b + d * a) = (c * a + d * b) + (a * d + b * c)
  exact semiring_eq [a, b, c, d]

theorem le_trans {x y z : Difference} (h : le x y) (h' : le y z) : le x z := by
  have ⟨a, b⟩ := x
  have ⟨c, d⟩ := y
  have ⟨e, f⟩ := z
  have h : a + d ≤ c + b := h
  have h' : c + f ≤ e + d := h'
  refine natLeOfAddLe (k := d) ?_
  show (a + f) + d ≤ (e + b) + d
  have h1 : (a + d) + f ≤ (c + b) + f := natAddLeAdd f h
  have h2 : (c + f) + b ≤ (e + d) + b := natAddLeAdd b h'
  rw [(semiring_eq [a, d, f] : (a + f) + d = (a + d) + f), (semiring_eq [e, b, d] : (e + b) + d = (e + d) + b)]
  rw [(semiring_eq [c, f, b] : (c + f) + b = (c + b) + f)] at h2
  exact Nat.le_trans h1 h2

/-- `(b + p + 1 - b)(d + q + 1 - d)` is `(p + 1)(q + 1)`, which is not `≤ 0`. -/
theorem mul_pos {x y : Difference} (hx : ¬le x (0, 0)) (hy : ¬le y (0, 0)) : ¬le (mul x y) (0, 0) := by
  have ⟨a, b⟩ := x
  have ⟨c, d⟩ := y
  have hx : ¬a ≤ b := fun h => hx (show a + 0 ≤ 0 + b from (Nat.zero_add b).symm ▸ h)
  have hy : ¬c ≤ d := fun h => hy (show c + 0 ≤ 0 + d from (Nat.zero_add d).symm ▸ h)
  have ⟨p, hp⟩ := natExistsAdd hx
  have ⟨q, hq⟩ := natExistsAdd hy
  intro h
  have h : (a * c + b * d) + 0 ≤ 0 + (a * d + b * c) := h
  have right : 0 + (a * d + b * c) = 0 + ((b + (p + 1)) * d + b * (d + (q + 1))) := by rw [hp, hq]
  have left : (a * c + b * d) + 0
      = (p * q + p + q + 1) + (0 + ((b + (p + 1)) * d + b * (d + (q + 1)))) := by
    rw [hp, hq]
    exact semiring_eq [b, d, p, q]
  rw [left, right, ← Nat.zero_add (0 + ((b + (p + 1)) * d + b * (d + (q + 1)))), ← Nat.add_assoc] at h
  exact Nat.not_succ_le_zero _ (natLeOfAddLe h)

/-- ℤ up to equivalence. -/
def model : Model Difference where
  same := same
  le := le
  sameDec x y := Nat.decEq (x.1 + y.2) (y.1 + x.2)
  leDec x y := Nat.decLe (x.1 + y.2) (y.1 + x.2)
  normal := normal
  zero := (0, 0)
  one := (1, 0)
  add := add
  neg := neg
  mul := mul
  refl _ := rfl
  symm := Eq.symm
  trans := same_trans
  normal_same x := natSubAdd x.1 x.2
  normal_eq := normal_eq
  add_same {x x' y y'} h h' := by
    have h : x.1 + x'.2 = x'.1 + x.2 := h
    have h' : y.1 + y'.2 = y'.1 + y.2 := h'
    show (x.1 + y.1) + (x'.2 + y'.2) = (x'.1 + y'.1) + (x.2 + y.2)
    calc (x.1 + y.1) + (x'.2 + y'.2) = (x.1 + x'.2) + (y.1 + y'.2) := semiring_eq [x.1, y.1, x'.2, y'.2]
      _ = (x'.1 + x.2) + (y'.1 + y.2) := by rw [h, h']
      _ = (x'.1 + y'.1) + (x.2 + y.2) := semiring_eq [x'.1, x.2, y'.1, y.2]
  neg_same {x x'} h := by
    have h : x.1 + x'.2 = x'.1 + x.2 := h
    show x.2 + x'.1 = x'.2 + x.1
    rw [Nat.add_comm x.2, ← h, Nat.add_comm x.1]
  mul_same {x x' y y'} h h' := same_trans (mul_same_left y h)
    (same_trans (mul_comm x' y) (same_trans (mul_same_left x' h') (mul_comm y' x')))
  add_assoc x y z := by
    show ((x.1 + y.1) + z.1) + (x.2 + (y.2 + z.2)) = (x.1 + (y.1 + z.1)) + ((x.2 + y.2) + z.2)
    exact semiring_eq [x.1, x.2, y.1, y.2, z.1, z.2]
  add_comm x y := by
    show (x.1 + y.1) + (y.2 + x.2) = (y.1 + x.1) + (x.2 + y.2)
    exact semiring_eq [x.1, x.2, y.1, y.2]
  zero_add x := by
    show (0 + x.1) + x.2 = x.1 + (0 + x.2)
    rw [Nat.zero_add, Nat.zero_add]
  neg_add x := by
    show (x.2 + x.1) + 0 = 0 + (x.1 + x.2)
    rw [Nat.zero_add, Nat.add_comm x.2]
    rfl
  mul_assoc x y z := by
    show ((x.1 * y.1 + x.2 * y.2) * z.1 + (x.1 * y.2 + x.2 * y.1) * z.2)
        + (x.1 * (y.1 * z.2 + y.2 * z.1) + x.2 * (y.1 * z.1 + y.2 * z.2))
      = (x.1 * (y.1 * z.1 + y.2 * z.2) + x.2 * (y.1 * z.2 + y.2 * z.1))
        + ((x.1 * y.1 + x.2 * y.2) * z.2 + (x.1 * y.2 + x.2 * y.1) * z.1)
    exact semiring_eq [x.1, x.2, y.1, y.2, z.1, z.2]
  mul_comm := mul_comm
  one_mul x := by
    show (1 * x.1 + 0 * x.2) + x.2 = x.1 + (1 * x.2 + 0 * x.1)
    exact semiring_eq [x.1, x.2]
  mul_add x y z := by
    show (x.1 * (y.1 + z.1) + x.2 * (y.2 + z.2)) + ((x.1 * y.2 + x.2 * y.1) + (x.1 * z.2 + x.2 * z.1))
      = ((x.1 * y.1 + x.2 * y.2) + (x.1 * z.1 + x.2 * z.2)) + (x.1 * (y.2 + z.2) + x.2 * (y.1 + z.1))
    exact semiring_eq [x.1, x.2, y.1, y.2, z.1, z.2]
  le_of_same {x y} h := by
    show x.1 + y.2 ≤ y.1 + x.2
    exact natLeOfEq h
  le_trans := le_trans
  le_antisymm := Nat.le_antisymm
  le_of_not_le := natLeOfNotLe
  add_le_add_left {x y} z h := by
    have h1 : (x.1 + y.2) + (z.1 + z.2) ≤ (y.1 + x.2) + (z.1 + z.2) := natAddLeAdd _ h
    show (z.1 + x.1) + (z.2 + y.2) ≤ (z.1 + y.1) + (z.2 + x.2)
    rw [(semiring_eq [x.1, y.2, z.1, z.2] : (z.1 + x.1) + (z.2 + y.2) = (x.1 + y.2) + (z.1 + z.2)),
      (semiring_eq [y.1, x.2, z.1, z.2] : (z.1 + y.1) + (z.2 + x.2) = (y.1 + x.2) + (z.1 + z.2))]
    exact h1
  mul_pos := mul_pos
  one_pos h := Nat.not_succ_le_zero _ (show 1 + 0 ≤ 0 + 0 from h)

end Difference

/-- The integers. -/
abbrev Integer := Difference.model.Carrier

end
end Dobrushin
