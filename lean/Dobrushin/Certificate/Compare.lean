import Dobrushin.TwoTokens
import Dobrushin.Certificate.Gap
import Dobrushin.Certificate.Lookup

/-!
# From the ring to the numerators

If `A_ik w_i = M_ik u` for positive weights `w_i` and `u > 0`, then distances and entries of `A` are ordered as the
cross-multiplied natural numbers that the checker compares.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] {u : R} {n : Nat} {lines : List Line} {A : Mat R}
open OrderedRing

/-- The rows of `A` that have a line are its numerators divided by its weight, in units of `u`. -/
def Represents (n : Nat) (lines : List Line) (u : R) (A : Mat R) : Prop :=
  ∀ i k, hasLine i lines = true → k < n → times (A i k) (lineOf i lines).weight = times u (numerators lines i k)

/-! ### multiples -/

theorem times_one (x : R) : times x 1 = x := zero_add x

theorem times_mul (x : R) (a b : Nat) : times x (a * b) = times (times x a) b := by
  induction b with
  | zero => rfl
  | succ b ih =>
    show times x (a * b + a) = times (times x a) b + times x a
    rw [times_add, ih]

theorem times_eq_mul (x : R) (k : Nat) : times x k = times 1 k * x := by
  induction k with
  | zero => exact (ring_eq [x] : (0 : R) = 0 * x)
  | succ k ih =>
    show times x k + x = (times 1 k + 1) * x
    rw [ih]
    exact ring_eq [times 1 k, x]

theorem times_pos (hu : 0 < u) {k : Nat} (hk : 1 ≤ k) : 0 < times u k :=
  lt_of_lt_of_le hu (le_trans _ _ _ (le_of_eq (times_one u).symm) (times_le (le_of_lt hu) hk))

theorem times_le_times_iff {x y : R} {k : Nat} (hk : 1 ≤ k) : times x k ≤ times y k ↔ x ≤ y := by
  have pos : (0 : R) < times 1 k := times_pos zero_lt_one hk
  rw [times_eq_mul x, times_eq_mul y]
  exact ⟨le_of_mul_le_mul pos, mul_le_mul_left (le_of_lt pos)⟩

theorem one_le_mul {a b : Nat} (ha : 1 ≤ a) (hb : 1 ≤ b) : 1 ≤ a * b :=
  match a, b, ha, hb with
  | 0, _, h, _ => absurd h (Nat.not_lt_zero 0)
  | _ + 1, 0, _, h => absurd h (Nat.not_lt_zero 0)
  | a + 1, b + 1, _, _ => show 1 ≤ ((a + 1) * b + a) + 1 from Nat.succ_le_succ (Nat.zero_le _)

/-- Comparing two fractions `g/W` and `g'/W'` by cross-multiplication. -/
theorem le_iff_cross (hu : 0 < u) {x y : R} {W W' g g' : Nat} (hW : 1 ≤ W) (hW' : 1 ≤ W')
    (hx : times x W = times u g) (hy : times y W' = times u g') : x ≤ y ↔ g * W' ≤ g' * W := by
  have ex : times x (W * W') = times u (g * W') := by rw [times_mul, hx, times_mul]
  have ey : times y (W * W') = times u (g' * W) := by rw [natMulComm W W', times_mul, hy, times_mul]
  refine (times_le_times_iff (one_le_mul hW hW')).symm.trans ?_
  rw [ex, ey]
  exact times_le_iff hu

/-! ### distances -/

theorem abs_times (x : R) (k : Nat) : times (abs x) k = abs (times x k) := by
  have nonneg : (0 : R) ≤ times 1 k := times_nonneg zero_le_one k
  rw [times_eq_mul (abs x), times_eq_mul x, abs_mul nonneg]

theorem times_sub (x y : R) (k : Nat) : times (x - y) k = times x k - times y k := by
  rw [times_eq_mul (x - y), times_eq_mul x, times_eq_mul y]
  exact ring_eq [times 1 k, x, y]

theorem times_sum (n : Nat) (f : Nat → R) (k : Nat) : times (sum n f) k = sum n fun m => times (f m) k := by
  rw [times_eq_mul, mul_sum]
  exact sum_congr n fun m _ => (times_eq_mul (f m) k).symm

theorem l1_represented (hu : 0 < u) (hA : Represents n lines u A) {i j : Nat} (hi : hasLine i lines = true)
    (hj : hasLine j lines = true) :
    times (l1 n (A i) (A j)) ((lineOf i lines).weight * (lineOf j lines).weight)
      = times u (crossDistance n (lineOf i lines) (lineOf j lines)) := by
  let w := (lineOf i lines).weight
  let w' := (lineOf j lines).weight
  refine (times_sum n _ _).trans ((sum_congr n fun k hk => ?_).trans (sum_times u n _))
  have ei : times (A i k) (w * w') = times u (numerators lines i k * w') := by
    rw [times_mul, hA i k hi hk, times_mul]
  have ej : times (A j k) (w * w') = times u (numerators lines j k * w) := by
    rw [natMulComm w w', times_mul, hA j k hj hk, times_mul]
  rw [abs_times, times_sub]
  show abs (times (A i k) (w * w') - times (A j k) (w * w')) = _
  rw [ei, ej]
  exact abs_times_sub (le_of_lt hu) _ _

variable [Half R]

theorem d_le_iff (hu : 0 < u) (wf : wellFormed n lines = true) (hA : Represents n lines u A) {a b i j : Nat}
    (ha : hasLine a lines = true) (hb : hasLine b lines = true) (hi : hasLine i lines = true)
    (hj : hasLine j lines = true) :
    d n A a b ≤ d n A i j ↔ within (gap (lineOf i lines) (lineOf j lines))
      ((lineOf i lines).weight * (lineOf j lines).weight) (lineOf a lines) (lineOf b lines) = true := by
  have ok := (of_wellFormed wf).1
  have pos {c : Nat} (hc : hasLine c lines = true) : 1 ≤ (lineOf c lines).weight := (lineOk_iff.mp (ok c hc)).1
  have cross := le_iff_cross hu (one_le_mul (pos ha) (pos hb)) (one_le_mul (pos hi) (pos hj))
    (l1_represented hu hA ha hb) (l1_represented hu hA hi hj)
  rw [← gap_eq (ok a ha) (ok b hb), ← gap_eq (ok i hi) (ok j hj)] at cross
  refine Iff.trans ?_ (cross.trans ble_iff.symm)
  exact ⟨le_of_mul_le_mul half_pos, mul_le_mul_left half_nonneg⟩

omit [Half R] in
theorem selfDominant_iff (hu : 0 < u) (wf : wellFormed n lines = true) (hA : Represents n lines u A) {i j : Nat}
    (hi : hasLine i lines = true) (hj : hasLine j lines = true) :
    SelfDominant A i j ↔ dominant (lineOf i lines) (lineOf j lines) = true := by
  have ok := (of_wellFormed wf).1
  have pos {c : Nat} (hc : hasLine c lines = true) : 1 ≤ (lineOf c lines).weight := (lineOk_iff.mp (ok c hc)).1
  have below {c : Nat} (hc : hasLine c lines = true) : c < n := by
    have h := (lineOk_iff.mp (ok c hc)).2.2.2
    rw [token_lineOf] at h
    exact h
  have compare {a b k : Nat} (ha : hasLine a lines = true) (hb : hasLine b lines = true) (hk : k < n) :
      A a k ≤ A b k ↔ Nat.ble (numerators lines a k * (lineOf b lines).weight)
        (numerators lines b k * (lineOf a lines).weight) = true :=
    (le_iff_cross hu (pos ha) (pos hb) (hA a k ha hk) (hA b k hb hk)).trans ble_iff.symm
  refine Iff.trans ?_ cond_false.symm
  rw [token_lineOf, token_lineOf]
  exact ⟨fun h => ⟨(compare hj hi (below hi)).mp h.1, (compare hi hj (below hj)).mp h.2⟩,
    fun h => ⟨(compare hj hi (below hi)).mpr h.1, (compare hi hj (below hj)).mpr h.2⟩⟩

end Dobrushin
