import Dobrushin.Sum

/-!
# Pairing a vector of sum zero with a function of small oscillation

Let `x` be a vector with `Σ x = 0`. Its negative part and its positive part `x⁺ = x + x⁻` have the same sum, `mass x`,
and `Σ |x| = 2 mass x`. Two facts drive everything about products of matrices:

* `Σ_k x_k f_k ≤ mass x · (max f - min f)`, and
* `mass x · Σ_k x_k f_k = Σ_{k,l} x_k⁺ x_l⁻ (f_k - f_l)`: the vector transports mass from the `l` with `x_l < 0` to
  the `k` with `x_k > 0`.

Signs chosen by the vector itself turn `Σ_k |y_k|` into such a pairing. No division occurs anywhere.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] {n : Nat}
open OrderedRing

/-- The positive part `x⁺ = x + x⁻`. -/
abbrev posPart (x : R) : R := x + negPart x

theorem posPart_nonneg (x : R) : 0 ≤ posPart x :=
  ring_le [x, negPart x] (neg_le_negPart x)
theorem posPart_of_nonpos {x : R} (h : x ≤ 0) : posPart x = 0 := by
  show x + negPart x = 0
  rw [negPart_of_nonpos h]
  exact ring_eq [x]
theorem posPart_of_nonneg {x : R} (h : 0 ≤ x) : posPart x = x := by
  show x + negPart x = x
  rw [negPart_of_nonneg h]
  exact ring_eq [x]
theorem eq_posPart_sub (x : R) : x = posPart x - negPart x := ring_eq [x, negPart x]

/-- The total negative part, which for a vector of sum zero is half its `‖·‖₁`. -/
def mass (n : Nat) (x : Nat → R) : R := sum n fun k => negPart (x k)

theorem mass_nonneg (x : Nat → R) : 0 ≤ mass n x := sum_nonneg n fun _ _ => negPart_nonneg _

theorem sum_posPart {x : Nat → R} (hx : sum n x = 0) : sum n (fun k => posPart (x k)) = mass n x := by
  show sum n (fun k => x k + negPart (x k)) = _
  rw [sum_add, hx]
  exact zero_add _

theorem sum_abs {x : Nat → R} (hx : sum n x = 0) : sum n (fun k => abs (x k)) = mass n x + mass n x := by
  have e : sum n (fun k => abs (x k)) = sum n fun k => posPart (x k) + negPart (x k) :=
    sum_congr n fun k _ => (abs_eq_add_negPart (x k)).trans (ring_eq [x k, negPart (x k)])
  rw [e, sum_add, sum_posPart hx]
  rfl

theorem negPart_le_mass {x : Nat → R} {k : Nat} (hk : k < n) : negPart (x k) ≤ mass n x :=
  term_le_sum (fun _ _ => negPart_nonneg _) hk

theorem posPart_le_mass {x : Nat → R} (hx : sum n x = 0) {k : Nat} (hk : k < n) : posPart (x k) ≤ mass n x := by
  rw [← sum_posPart hx]
  exact term_le_sum (f := fun k => posPart (x k)) (fun _ _ => posPart_nonneg _) hk

/-- `Σ x_k f_k ≤ mass x · (hi - lo)` when `lo ≤ f ≤ hi`. -/
theorem sum_mul_le {x f : Nat → R} (hx : sum n x = 0) {lo hi : R} (hf : ∀ k, k < n → lo ≤ f k ∧ f k ≤ hi) :
    sum n (fun k => x k * f k) ≤ mass n x * (hi - lo) := by
  have term k (hk : k < n) : x k * f k ≤ posPart (x k) * hi - negPart (x k) * lo := by
    have h1 := mul_le_mul_left (posPart_nonneg (x k)) (hf k hk).2
    have h2 := mul_le_mul_left (negPart_nonneg (x k)) (hf k hk).1
    exact ring_le [x k, negPart (x k), f k, hi, lo] (add_le_add h1 h2)
  refine le_trans _ _ _ (sum_le n term) (le_of_eq ?_)
  rw [sum_sub, ← sum_mul, ← sum_mul, sum_posPart hx]
  show mass n x * hi - mass n x * lo = _
  exact ring_eq [mass n x, hi, lo]

/-- The transport identity. -/
theorem mass_mul_sum {x : Nat → R} (hx : sum n x = 0) (f : Nat → R) :
    sum n (fun k => sum n fun l => posPart (x k) * negPart (x l) * (f k - f l))
      = mass n x * sum n fun k => x k * f k := by
  have inner k : sum n (fun l => posPart (x k) * negPart (x l) * (f k - f l))
      = posPart (x k) * f k * mass n x - posPart (x k) * sum n fun l => negPart (x l) * f l := by
    have e l : posPart (x k) * negPart (x l) * (f k - f l)
        = posPart (x k) * f k * negPart (x l) - posPart (x k) * (negPart (x l) * f l) :=
      ring_eq [x k, negPart (x k), negPart (x l), f k, f l]
    rw [sum_congr n fun l _ => e l, sum_sub, ← mul_sum, ← mul_sum]
    rfl
  rw [sum_congr n fun k _ => inner k, sum_sub, ← sum_mul, ← sum_mul, sum_posPart hx]
  have e : sum n (fun k => x k * f k) = sum n (fun k => posPart (x k) * f k) - sum n fun k => negPart (x k) * f k := by
    rw [← sum_sub]
    exact sum_congr n fun k _ => ring_eq [x k, negPart (x k), f k]
  rw [e]
  exact ring_eq [mass n x, sum n fun k => posPart (x k) * f k, sum n fun k => negPart (x k) * f k]

/-! ### signs -/

/-- `s` is a vector of signs on the indices below `n`. -/
def Signs (n : Nat) (s : Nat → R) : Prop := ∀ k, k < n → s k = 1 ∨ s k = -1

theorem sign_mul_le {s : R} (hs : s = 1 ∨ s = -1) (y : R) : s * y ≤ abs y :=
  hs.elim (fun e => by rw [e]; exact ring_le [y, abs y] (le_abs y))
    fun e => by rw [e]; exact ring_le [y, abs y] (neg_le_abs y)

/-- The signs of a vector `y`. -/
theorem exists_signs (n : Nat) (y : Nat → R) : ∃ s : Nat → R, Signs n s ∧ ∀ k, k < n → abs (y k) = s k * y k := by
  induction n with
  | zero => exact ⟨fun _ => 1, fun k h => absurd h (Nat.not_lt_zero k), fun k h => absurd h (Nat.not_lt_zero k)⟩
  | succ n ih =>
    have ⟨s, hs, hy⟩ := ih
    have ⟨σ, hσ, hσy⟩ : ∃ σ : R, (σ = 1 ∨ σ = -1) ∧ abs (y n) = σ * y n :=
      (le_total 0 (y n)).elim
        (fun h => ⟨1, .inl rfl, (abs_of_nonneg h).trans (ring_eq [y n])⟩)
        (fun h => ⟨-1, .inr rfl, (abs_of_nonpos h).trans (ring_eq [y n])⟩)
    let s' : Nat → R := fun k => if k = n then σ else s k
    have old {k} (hk : k < n) : s' k = s k := if_neg fun (e : k = n) => Nat.lt_irrefl n (e ▸ hk)
    have new : s' n = σ := if_pos rfl
    refine ⟨s', fun k hk => ?_, fun k hk => ?_⟩
    · show s' k = 1 ∨ s' k = -1
      cases lt_or_eq_of_lt_succ hk with
      | inl h => rw [old h]; exact hs k h
      | inr e => rw [e, new]; exact hσ
    · show abs (y k) = s' k * y k
      cases lt_or_eq_of_lt_succ hk with
      | inl h => rw [old h]; exact hy k h
      | inr e => rw [e, new]; exact hσy

/-- A function on `0, ..., n` has a largest value. -/
theorem exists_largest (n : Nat) (f : Nat → R) : ∃ a, a < n + 1 ∧ ∀ k, k < n + 1 → f k ≤ f a := by
  induction n with
  | zero =>
    refine ⟨0, Nat.lt_succ_self 0, fun k hk => ?_⟩
    exact (lt_or_eq_of_lt_succ hk).elim (fun h => absurd h (Nat.not_lt_zero k)) fun e => le_of_eq (by rw [e])
  | succ n ih =>
    have ⟨a, ha, h⟩ := ih
    cases le_total (f a) (f (n + 1)) with
    | inl h' =>
      refine ⟨n + 1, Nat.lt_succ_self _, fun k hk => ?_⟩
      exact (lt_or_eq_of_lt_succ hk).elim (fun hk => le_trans _ _ _ (h k hk) h') fun e => le_of_eq (by rw [e])
    | inr h' =>
      refine ⟨a, lt_succ_of_lt ha, fun k hk => ?_⟩
      exact (lt_or_eq_of_lt_succ hk).elim (h k) fun e => by rw [e]; exact h'

end Dobrushin
