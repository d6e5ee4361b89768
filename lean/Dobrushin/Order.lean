import Dobrushin.Definitions
import Dobrushin.Normalise.Ring

/-!
# Inequalities in an ordered ring

Consequences of the axioms: order and addition, products, `min` and `max`, absolute values, the half.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R]
open OrderedRing

/-! ### order and addition -/

theorem le_rfl {a : R} : a ≤ a := le_refl a
theorem le_of_eq {a b : R} (h : a = b) : a ≤ b := h ▸ le_refl a
theorem le_of_lt {a b : R} (h : a < b) : a ≤ b := ((lt_iff a b).mp h).1
theorem not_le_of_lt {a b : R} (h : a < b) : ¬b ≤ a := ((lt_iff a b).mp h).2
theorem lt_of_not_le {a b : R} (h : ¬b ≤ a) : a < b := (le_or_lt b a).elim (fun h' => absurd h' h) id
theorem le_total (a b : R) : a ≤ b ∨ b ≤ a := (le_or_lt a b).elim .inl (fun h => .inr (le_of_lt h))
theorem lt_of_le_of_lt {a b c : R} (h : a ≤ b) (h' : b < c) : a < c :=
  lt_of_not_le fun h'' => not_le_of_lt h' (le_trans _ _ _ h'' h)
theorem lt_of_lt_of_le {a b c : R} (h : a < b) (h' : b ≤ c) : a < c :=
  lt_of_not_le fun h'' => not_le_of_lt h (le_trans _ _ _ h' h'')

/-- Lets `calc` chain `≤`. -/
instance : Trans (LE.le : R → R → Prop) (LE.le : R → R → Prop) (LE.le : R → R → Prop) where
  trans h h' := le_trans _ _ _ h h'

theorem add_le_add {a b c e : R} (h : a ≤ b) (h' : c ≤ e) : a + c ≤ b + e :=
  calc a + c ≤ a + e := add_le_add_left _ _ _ h'
    _ = e + a := add_comm _ _
    _ ≤ e + b := add_le_add_left _ _ _ h
    _ = b + e := add_comm _ _
theorem sub_nonneg {a b : R} (h : a ≤ b) : 0 ≤ b - a := ring_le [a, b] h
theorem sub_pos {a b : R} (h : a < b) : 0 < b - a := lt_of_not_le fun h' => not_le_of_lt h (ring_le [a, b] h')
theorem le_of_sub_nonneg {a b : R} (h : 0 ≤ b - a) : a ≤ b := ring_le [a, b] h
theorem neg_le_neg {a b : R} (h : a ≤ b) : -b ≤ -a := ring_le [a, b] h
theorem add_nonneg {a b : R} (h : 0 ≤ a) (h' : 0 ≤ b) : 0 ≤ a + b := ring_le [a, b] (add_le_add h h')

/-! ### products -/

theorem zero_le_one : (0 : R) ≤ 1 := le_of_lt zero_lt_one

theorem mul_nonneg {a b : R} (h : 0 ≤ a) (h' : 0 ≤ b) : 0 ≤ a * b :=
  match le_or_lt a 0, le_or_lt b 0 with
  | .inl ha, _ => by
    rw [le_antisymm _ _ ha h]
    exact le_of_eq (ring_eq [b])
  | _, .inl hb => by
    rw [le_antisymm _ _ hb h']
    exact le_of_eq (ring_eq [a])
  | .inr ha, .inr hb => le_of_lt (mul_pos _ _ ha hb)

theorem mul_le_mul_left {a b c : R} (hc : 0 ≤ c) (h : a ≤ b) : c * a ≤ c * b :=
  ring_le [a, b, c] (mul_nonneg hc (sub_nonneg h))
theorem mul_le_mul_right {a b c : R} (hc : 0 ≤ c) (h : a ≤ b) : a * c ≤ b * c :=
  ring_le [a, b, c] (mul_nonneg hc (sub_nonneg h))
theorem mul_le_mul {a b c e : R} (h : a ≤ b) (h' : c ≤ e) (hc : 0 ≤ c) (hb : 0 ≤ b) : a * c ≤ b * e :=
  le_trans _ _ _ (mul_le_mul_right hc h) (mul_le_mul_left hb h')

/-- A positive factor can be cancelled: otherwise `c (a - b)` would be a product of positive numbers. -/
theorem le_of_mul_le_mul {a b c : R} (hc : 0 < c) (h : c * a ≤ c * b) : a ≤ b :=
  (le_or_lt a b).elim id fun hab => by
    have hpos : 0 < a - b := lt_of_not_le fun h' => not_le_of_lt hab (ring_le [a, b] h')
    have hbad : c * (a - b) ≤ 0 := ring_le [a, b, c] h
    exact absurd hbad (not_le_of_lt (mul_pos _ _ hc hpos))

/-! ### maximum and minimum -/

theorem max_eq_right {a b : R} (h : a ≤ b) : max a b = b :=
  le_antisymm _ _ (max_le _ _ _ h le_rfl) (le_max_right _ _)
theorem max_eq_left {a b : R} (h : b ≤ a) : max a b = a :=
  le_antisymm _ _ (max_le _ _ _ le_rfl h) (le_max_left _ _)
theorem min_eq_left {a b : R} (h : a ≤ b) : min a b = a :=
  le_antisymm _ _ (min_le_left _ _) (le_min _ _ _ le_rfl h)
theorem min_eq_right {a b : R} (h : b ≤ a) : min a b = b :=
  le_antisymm _ _ (min_le_right _ _) (le_min _ _ _ h le_rfl)
theorem max_comm (a b : R) : max a b = max b a :=
  match le_total a b with
  | .inl h => (max_eq_right h).trans (max_eq_left h).symm
  | .inr h => (max_eq_left h).trans (max_eq_right h).symm
/-- `min a b` and `max a b` are `a` and `b` in some order. -/
theorem max_add_min (a b : R) : max a b + min a b = a + b :=
  match le_total a b with
  | .inl h => by rw [max_eq_right h, min_eq_left h]; exact add_comm _ _
  | .inr h => by rw [max_eq_left h, min_eq_right h]
theorem min_nonneg {a b : R} (h : 0 ≤ a) (h' : 0 ≤ b) : 0 ≤ min a b := le_min _ _ _ h h'

/-! ### absolute values and negative parts -/

theorem abs_of_nonneg {a : R} (h : 0 ≤ a) : abs a = a := max_eq_left (ring_le [a] (add_le_add h h))
theorem abs_of_nonpos {a : R} (h : a ≤ 0) : abs a = -a := max_eq_right (ring_le [a] (add_le_add h h))
theorem le_abs (a : R) : a ≤ abs a := le_max_left _ _
theorem neg_le_abs (a : R) : -a ≤ abs a := le_max_right _ _
theorem abs_nonneg (a : R) : 0 ≤ abs a :=
  match le_total 0 a with
  | .inl h => le_trans _ _ _ h (le_abs a)
  | .inr h => le_trans _ _ _ (ring_le [a] h) (neg_le_abs a)
theorem abs_neg (a : R) : abs (-a) = abs a := by
  show max (-a) (- -a) = max a (-a)
  rw [(ring_eq [a] : - -a = a), max_comm]
theorem abs_sub_comm (a b : R) : abs (a - b) = abs (b - a) := by
  rw [← abs_neg, (ring_eq [a, b] : -(a - b) = b - a)]
theorem abs_zero : abs (0 : R) = 0 := abs_of_nonneg le_rfl
theorem abs_mul {t : R} (ht : 0 ≤ t) (a : R) : abs (t * a) = t * abs a :=
  match le_total 0 a with
  | .inl h => by rw [abs_of_nonneg h, abs_of_nonneg (mul_nonneg ht h)]
  | .inr h => by
    have h' : t * a ≤ 0 := ring_le [t, a] (mul_nonneg ht (ring_le [a] h : 0 ≤ -a))
    rw [abs_of_nonpos h, abs_of_nonpos h']
    exact ring_eq [t, a]

theorem negPart_nonneg (a : R) : 0 ≤ negPart a := le_max_right _ _
theorem neg_le_negPart (a : R) : -a ≤ negPart a := le_max_left _ _
theorem negPart_of_nonneg {a : R} (h : 0 ≤ a) : negPart a = 0 := max_eq_right (ring_le [a] h)
theorem negPart_of_nonpos {a : R} (h : a ≤ 0) : negPart a = -a := max_eq_left (ring_le [a] h)
theorem nonneg_of_negPart {a : R} (h : negPart a ≤ 0) : 0 ≤ a :=
  ring_le [a] (le_trans _ _ _ (neg_le_negPart a) h)
theorem negPart_mul {t : R} (ht : 0 ≤ t) (a : R) : negPart (t * a) = t * negPart a :=
  match le_total 0 a with
  | .inl h => by rw [negPart_of_nonneg h, negPart_of_nonneg (mul_nonneg ht h)]; exact ring_eq [t]
  | .inr h => by
    have h' : t * a ≤ 0 := ring_le [t, a] (mul_nonneg ht (ring_le [a] h : 0 ≤ -a))
    rw [negPart_of_nonpos h, negPart_of_nonpos h']
    exact ring_eq [t, a]
/-- `|a| = a + 2a⁻`. -/
theorem abs_eq_add_negPart (a : R) : abs a = a + (negPart a + negPart a) :=
  match le_total 0 a with
  | .inl h => by rw [abs_of_nonneg h, negPart_of_nonneg h]; exact ring_eq [a]
  | .inr h => by rw [abs_of_nonpos h, negPart_of_nonpos h]; exact ring_eq [a]

/-! ### the half -/

section Half
variable [Half R]

theorem half_add_half : (half : R) + half = 1 := Half.half_add_half
theorem half_nonneg : (0 : R) ≤ half :=
  (le_total (0 : R) half).elim id fun h =>
    absurd (le_trans _ _ _ (le_of_eq half_add_half.symm) (ring_le [(half : R)] (add_le_add h h)))
      (not_le_of_lt zero_lt_one)
theorem half_mul_double (a : R) : half * (a + a) = a :=
  calc half * (a + a) = (half + half) * a := ring_eq [half, a]
    _ = 1 * a := by rw [half_add_half]
    _ = a := ring_eq [a]
theorem half_pos : (0 : R) < half := lt_of_not_le fun h =>
  not_le_of_lt (zero_lt_one : (0 : R) < 1)
    (le_trans _ _ _ (le_of_eq half_add_half.symm) (ring_le [(half : R)] (add_le_add h h)))

end Half
end Dobrushin
