import Dobrushin.Oscillation
import Dobrushin.Layerwise

/-!
# Products of matrices (T5)

`tv(pB, qB) ≤ tv(p, q) κ(B)`: write `x = p - q`, choose signs `s` with `Σ_j |(xB)_j| = Σ_j s_j (xB)_j = Σ_k x_k f_k`,
where `f_k = Σ_j s_j B_kj`. Two values of `f` differ by at most `‖B_k - B_l‖₁ ≤ 2κ(B)`, so the oscillation lemma
gives `≤ mass x · 2κ(B)`. Only equal row sums of the left factor are used. Everything else follows by induction.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] {n : Nat}
open OrderedRing

/-- `Σ_j s_j B_kj`: how the row `k` pairs with the signs. -/
def signed (n : Nat) (s : Nat → R) (B : Mat R) (k : Nat) : R := sum n fun j => s j * B k j

theorem sum_signs_vecMul (s x : Nat → R) (B : Mat R) :
    sum n (fun j => s j * vecMul n x B j) = sum n fun k => x k * signed n s B k := by
  have left j : s j * vecMul n x B j = sum n fun k => x k * (s j * B k j) :=
    (mul_sum n _ _).trans (sum_congr n fun k _ => ring_eq [s j, x k, B k j])
  rw [sum_congr n fun j _ => left j, sum_comm]
  exact sum_congr n fun k _ => (mul_sum n _ _).symm

theorem signed_sub_le {s : Nat → R} (hs : Signs n s) (B : Mat R) (k l : Nat) :
    signed n s B k - signed n s B l ≤ l1 n (B k) (B l) := by
  have e : signed n s B k - signed n s B l = sum n fun j => s j * (B k j - B l j) := by
    show sum n (fun j => s j * B k j) - sum n (fun j => s j * B l j) = _
    rw [← sum_sub]
    exact sum_congr n fun j _ => ring_eq [s j, B k j, B l j]
  rw [e]
  exact sum_le n fun j hj => sign_mul_le (hs j hj) _

theorem vecMul_sub (p q : Nat → R) (B : Mat R) (j : Nat) :
    vecMul n p B j - vecMul n q B j = vecMul n (fun k => p k - q k) B j := by
  show sum n (fun k => p k * B k j) - sum n (fun k => q k * B k j) = _
  rw [← sum_sub]
  exact sum_congr n fun k _ => ring_eq [p k, q k, B k j]

/-- The contraction in its raw form. -/
theorem sum_abs_vecMul_le {x : Nat → R} (hx : sum n x = 0) {B : Mat R} {c : R}
    (hB : ∀ k l, k < n → l < n → l1 n (B k) (B l) ≤ c) :
    sum n (fun j => abs (vecMul n x B j)) ≤ mass n x * c := by
  match n, hx, hB with
  | 0, _, _ => exact le_of_eq (ring_eq [c] : (0 : R) = 0 * c)
  | n + 1, hx, hB =>
    have ⟨s, hs, hsx⟩ := exists_signs (n + 1) (vecMul (n + 1) x B)
    let f := signed (n + 1) s B
    have ⟨a, ha, largest⟩ := exists_largest n f
    have ⟨b, hb, smallest⟩ := exists_largest n fun k => -f k
    have bounds k (hk : k < n + 1) : f b ≤ f k ∧ f k ≤ f a :=
      ⟨ring_le [f b, f k] (smallest k hk), largest k hk⟩
    calc sum (n + 1) (fun j => abs (vecMul (n + 1) x B j))
      _ = sum (n + 1) (fun j => s j * vecMul (n + 1) x B j) := sum_congr _ hsx
      _ = sum (n + 1) (fun k => x k * f k) := sum_signs_vecMul s x B
      _ ≤ mass (n + 1) x * (f a - f b) := sum_mul_le hx bounds
      _ ≤ mass (n + 1) x * c :=
        mul_le_mul_left (mass_nonneg x) (le_trans _ _ _ (signed_sub_le hs B a b) (hB a b ha hb))

/-- All rows of `A` have the same sum. -/
def EqualRowSums (n : Nat) (A : Mat R) : Prop := ∀ i j, i < n → j < n → sum n (A i) = sum n (A j)

theorem RowStochastic.equalRowSums {A : Mat R} (h : RowStochastic n A) : EqualRowSums n A :=
  fun i j hi hj => (h i hi).total.trans (h j hj).total.symm

section Half
variable [Half R]

theorem half_mul_nonneg_le {a b : R} (h : a ≤ b + b) : half * a ≤ b :=
  le_trans _ _ _ (mul_le_mul_left half_nonneg h) (le_of_eq (half_mul_double b))

theorem l1_eq_double_tv (p q : Nat → R) : l1 n p q = tv n p q + tv n p q :=
  calc l1 n p q = half * (l1 n p q + l1 n p q) := (half_mul_double _).symm
    _ = tv n p q + tv n p q := ring_eq [half, l1 n p q] (y := half * l1 n p q + half * l1 n p q)

/-- For vectors of equal sum, `tv` is the mass of the difference. -/
theorem tv_eq_mass {p q : Nat → R} (h : sum n p = sum n q) : tv n p q = mass n fun k => p k - q k := by
  have hx : sum n (fun k => p k - q k) = 0 := by rw [sum_sub, h]; exact ring_eq [sum n q]
  show half * sum n (fun k => abs (p k - q k)) = _
  rw [sum_abs hx, half_mul_double]

/-- Over all pairs, the rows `k = l` included: `‖B_k - B_l‖₁ ≤ 2κ(B)`. -/
theorem l1_le_κ (hn : 2 ≤ n) (B : Mat R) (k l : Nat) (hk : k < n) (hl : l < n) :
    l1 n (B k) (B l) ≤ κ (allPairs n hn) B + κ (allPairs n hn) B :=
  match Nat.decEq k l with
  | isTrue e => by
    rw [e, l1_self]
    exact add_nonneg (κ_nonneg _ B) (κ_nonneg _ B)
  | isFalse ne => by
    have h : tv n (B k) (B l) ≤ κ (allPairs n hn) B := d_le_κ (P := allPairs n hn) B ⟨hk, hl, ne⟩
    rw [l1_eq_double_tv]
    exact add_le_add h h

/-- **T5**, one factor: vectors of equal sum come closer by the factor `κ(B)`. -/
theorem tv_vecMul_le (hn : 2 ≤ n) {p q : Nat → R} (h : sum n p = sum n q) (B : Mat R) :
    tv n (vecMul n p B) (vecMul n q B) ≤ tv n p q * κ (allPairs n hn) B := by
  have hx : sum n (fun k => p k - q k) = 0 := by rw [sum_sub, h]; exact ring_eq [sum n q]
  have hraw := sum_abs_vecMul_le hx (l1_le_κ hn B)
  rw [← tv_eq_mass h] at hraw
  refine half_mul_nonneg_le (le_trans _ _ _ (le_of_eq ?_) (le_trans _ _ _ hraw (le_of_eq ?_)))
  · exact sum_congr n fun j _ => congrArg abs (vecMul_sub p q B j)
  · exact ring_eq [tv n p q, κ (allPairs n hn) B]

theorem d_mul_le (hn : 2 ≤ n) {A : Mat R} (hA : EqualRowSums n A) (B : Mat R) {i j : Nat} (hi : i < n) (hj : j < n) :
    d n (mul n A B) i j ≤ d n A i j * κ (allPairs n hn) B := tv_vecMul_le hn (hA i j hi hj) B

/-- **T5**: `κ_P(AB) ≤ κ_P(A) κ(B)`. -/
theorem κ_mul_le (hn : 2 ≤ n) (P : PairSet n) {A : Mat R} (hA : EqualRowSums n A) (B : Mat R) :
    κ P (mul n A B) ≤ κ P A * κ (allPairs n hn) B :=
  maxOver_le (mul_nonneg (κ_nonneg P A) (κ_nonneg _ B)) fun _ _ m =>
    le_trans _ _ _ (d_mul_le hn hA B (P.left_lt m) (P.right_lt m)) (mul_le_mul_right (κ_nonneg _ B) (d_le_κ P A m))

/-- `½ Σ_m s_m (B_km - B_lm) = c` says that `f_k - f_l = 2c`. -/
theorem half_signed_iff (s : Nat → R) (B : Mat R) (k l : Nat) (c : R) :
    half * sum n (fun m => s m * (B k m - B l m)) = c ↔ signed n s B k - signed n s B l = c + c := by
  have e : sum n (fun m => s m * (B k m - B l m)) = signed n s B k - signed n s B l := by
    show _ = sum n (fun m => s m * B k m) - sum n (fun m => s m * B l m)
    rw [← sum_sub]
    exact sum_congr n fun m _ => ring_eq [s m, B k m, B l m]
  let δ := signed n s B k - signed n s B l
  rw [e]
  show half * δ = c ↔ δ = c + c
  constructor
  · intro h
    calc δ = half * (δ + δ) := (half_mul_double δ).symm
      _ = half * δ + half * δ := ring_eq [half, δ]
      _ = c + c := by rw [h]
  · intro h
    rw [h, half_mul_double]

/-- `κ = 1 -` overlap, for one pair of distributions. -/
theorem tv_eq_one_sub_overlap {p q : Nat → R} (hp : Distribution n p) (hq : Distribution n q) :
    tv n p q = 1 - sum n fun k => min (p k) (q k) := by
  have term k : abs (p k - q k) = (p k + q k) - (min (p k) (q k) + min (p k) (q k)) :=
    match le_total (p k) (q k) with
    | .inl h => by rw [min_eq_left h, abs_of_nonpos (ring_le [p k, q k] h)]; exact ring_eq [p k, q k]
    | .inr h => by rw [min_eq_right h, abs_of_nonneg (ring_le [p k, q k] h)]; exact ring_eq [p k, q k]
  let o := sum n fun k => min (p k) (q k)
  have e : l1 n p q = (1 - o) + (1 - o) := by
    show sum n (fun k => abs (p k - q k)) = _
    rw [sum_congr n fun k _ => term k, sum_sub, sum_add, sum_add, hp.total, hq.total]
    show (1 + 1) - (o + o) = _
    exact ring_eq [o]
  show half * l1 n p q = 1 - o
  rw [e, half_mul_double]

/-- `1 - κ_P(A)` is the smallest overlap of two rows. -/
theorem overlap_isMinimum {A : Mat R} (hA : RowStochastic n A) (P : PairSet n) :
    IsMinimum P (fun i j => sum n fun k => min (A i k) (A j k)) (1 - κ P A) := by
  have hd {i j} (m : P.Mem i j) : d n A i j = 1 - sum n fun k => min (A i k) (A j k) :=
    tv_eq_one_sub_overlap (hA i (P.left_lt m)) (hA j (P.right_lt m))
  refine ⟨fun {i j} m => ?_, ?_⟩
  · have h := d_le_κ P A m
    rw [hd m] at h
    show 1 - κ P A ≤ sum n fun k => min (A i k) (A j k)
    exact ring_le [κ P A, sum n fun k => min (A i k) (A j k)] h
  · have ⟨i, j, m, e⟩ := κ_attained P A
    refine ⟨i, j, m, ?_⟩
    rw [← e, hd m]
    exact ring_eq [sum n fun k => min (A i k) (A j k)]

end Half
end Dobrushin
