import Dobrushin.Chain
import Dobrushin.Naturals

/-!
# Rank collapse: the algebraic core (T7)

* A sequence with `r_{l+1} ≤ c r_l³` obeys `r_L ≤ c^((3^L - 1)/2) r_0^(3^L)`: the exponents satisfy `e ↦ 3e + 1` and
  `t ↦ 3t`.
* Two distributions with `(1 - ε) q ≤ p` entrywise are at total-variation distance at most `ε`.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] {n : Nat}
open OrderedRing Normalise

theorem power_nonneg {x : R} (h : 0 ≤ x) (k : Nat) : 0 ≤ power x k := by
  induction k with
  | zero => exact zero_le_one
  | succ k ih => exact mul_nonneg ih h

theorem power_add (x : R) (a b : Nat) : power x (a + b) = power x a * power x b := by
  induction b with
  | zero => exact (ring_eq [power x a] : power x a = power x a * 1)
  | succ b ih =>
    show power x (a + b) * x = power x a * (power x b * x)
    rw [ih]
    exact ring_eq [power x a, power x b, x]

theorem cube_le_cube {x y : R} (hx : 0 ≤ x) (h : x ≤ y) : x * x * x ≤ y * y * y :=
  have hy := le_trans _ _ _ hx h
  mul_le_mul (mul_le_mul h h hx hy) h hx (mul_nonneg hy hy)

theorem double_add_one (L : Nat) : collapseExponent L + collapseExponent L + 1 = threePow L := by
  induction L with
  | zero => rfl
  | succ L ih =>
    let e := collapseExponent L
    show ((e + e + e + 1) + (e + e + e + 1)) + 1 = threePow L + threePow L + threePow L
    rw [← ih]
    show ((e + e + e + 1) + (e + e + e + 1)) + 1 = (e + e + 1) + (e + e + 1) + (e + e + 1)
    exact semiring_eq [e]

theorem exponents_spec (L : Nat) :
    threePow 0 = 1 ∧ threePow (L + 1) = 3 * threePow L ∧ 2 * collapseExponent L + 1 = threePow L := by
  have two (e : Nat) : 2 * e = e + e := (natMulComm 2 e).trans (congrArg (· + e) (Nat.zero_add e))
  have three (t : Nat) : 3 * t = t + t + t := (natSuccMul 2 t).trans (congrArg (· + t) (two t))
  refine ⟨rfl, (three (threePow L)).symm, ?_⟩
  rw [two]
  exact double_add_one L

theorem collapse_le {r : Nat → R} {c : R} (hc : 0 ≤ c) (hr : ∀ l, 0 ≤ r l) (h : ∀ l, r (l + 1) ≤ c * (r l * r l * r l))
    (L : Nat) : r L ≤ power c (collapseExponent L) * power (r 0) (threePow L) := by
  induction L with
  | zero => exact le_of_eq (ring_eq [r 0] : r 0 = 1 * (1 * r 0))
  | succ L ih =>
    let C := power c (collapseExponent L)
    let T := power (r 0) (threePow L)
    have hC : power c (collapseExponent L + collapseExponent L + collapseExponent L + 1) = C * C * C * c := by
      show power c (collapseExponent L + collapseExponent L + collapseExponent L) * c = _
      rw [power_add, power_add]
    have hT : power (r 0) (threePow L + threePow L + threePow L) = T * T * T := by rw [power_add, power_add]
    show r (L + 1) ≤ power c (collapseExponent L + collapseExponent L + collapseExponent L + 1)
      * power (r 0) (threePow L + threePow L + threePow L)
    rw [hC, hT]
    have ih : r L ≤ C * T := ih
    have step : r (L + 1) ≤ c * ((C * T) * (C * T) * (C * T)) :=
      le_trans _ _ _ (h L) (mul_le_mul_left hc (cube_le_cube (hr L) ih))
    exact le_trans _ _ _ step (le_of_eq (ring_eq [c, C, T]))

section Half
variable [Half R]

/-- If `(1 - ε) q ≤ p` entrywise, then `tv(p, q) ≤ ε`. -/
theorem tv_le_of_domination {p q : Nat → R} (hp : Distribution n p) (hq : Distribution n q) {ε : R}
    (h : ∀ k, k < n → (1 - ε) * q k ≤ p k) : tv n p q ≤ ε := by
  have hε : 0 ≤ ε := by
    have hsum := sum_le n h
    rw [← mul_sum, hp.total, hq.total] at hsum
    exact ring_le [ε] hsum
  rw [tv_eq_mass (hp.total.trans hq.total.symm)]
  have term k (hk : k < n) : negPart (p k - q k) ≤ ε * q k :=
    max_le _ _ _ (ring_le [p k, q k, ε] (h k hk)) (mul_nonneg hε (hq.nonneg k hk))
  refine le_trans _ _ _ (sum_le n term) (le_of_eq ?_)
  rw [← mul_sum, hq.total]
  exact ring_eq [ε]

end Half
end Dobrushin
