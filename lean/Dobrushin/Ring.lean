/-!
# Linearly ordered commutative rings

The class over which everything is proved. ℤ, ℚ, ℝ, the dyadic rationals ℤ[½] and every other linearly
ordered commutative ring qualify. It is this project's own class, so that the files stand on Lean's core
library alone; the axioms are the textbook ones.
-/

universe u

namespace Dobrushin

/-- A linearly ordered commutative ring: the axioms of a commutative ring, of a linear order, and the two that
tie them together (adding keeps the order, products of positive elements are positive). Totality is stated as
`a ≤ b` or `b < a`. `min` and `max` are data, pinned down by their axioms, so that no order needs to be
decidable by computation (that of ℝ is not). -/
class OrderedRing (R : Type u) extends Zero R, One R, Add R, Sub R, Mul R, Neg R, LE R, LT R, Min R, Max R where
  add_assoc : ∀ a b c : R, a + b + c = a + (b + c)
  add_comm : ∀ a b : R, a + b = b + a
  zero_add : ∀ a : R, 0 + a = a
  neg_add : ∀ a : R, -a + a = 0
  sub_eq : ∀ a b : R, a - b = a + -b
  mul_assoc : ∀ a b c : R, a * b * c = a * (b * c)
  mul_comm : ∀ a b : R, a * b = b * a
  one_mul : ∀ a : R, 1 * a = a
  mul_add : ∀ a b c : R, a * (b + c) = a * b + a * c
  le_refl : ∀ a : R, a ≤ a
  le_trans : ∀ a b c : R, a ≤ b → b ≤ c → a ≤ c
  le_antisymm : ∀ a b : R, a ≤ b → b ≤ a → a = b
  le_or_lt : ∀ a b : R, a ≤ b ∨ b < a
  lt_iff : ∀ a b : R, a < b ↔ a ≤ b ∧ ¬b ≤ a
  add_le_add_left : ∀ a b c : R, a ≤ b → c + a ≤ c + b
  mul_pos : ∀ a b : R, 0 < a → 0 < b → 0 < a * b
  zero_lt_one : (0 : R) < 1
  le_max_left : ∀ a b : R, a ≤ max a b
  le_max_right : ∀ a b : R, b ≤ max a b
  max_le : ∀ a b c : R, a ≤ c → b ≤ c → max a b ≤ c
  min_le_left : ∀ a b : R, min a b ≤ a
  min_le_right : ∀ a b : R, min a b ≤ b
  le_min : ∀ a b c : R, c ≤ a → c ≤ b → c ≤ min a b

/-- A ring in which one can halve: it has an element `half` with `half + half = 1`. (ℤ has none.) -/
class Half (R : Type u) [OrderedRing R] where
  half : R
  half_add_half : half + half = (1 : R)

export Half (half)

end Dobrushin
