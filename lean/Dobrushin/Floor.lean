import Dobrushin.Chain
import Dobrushin.TwoTokens

/-!
# The floor (T6)

If the rows of `A` have equal sums, then `d_A(i,j) ≥ max(u⁻, v⁻)`: the difference of the two rows has the negative
entry `-u⁻` and the positive entry `v⁻`, and each sign carries the mass `d_A(i,j)`. With T1 this gives, for
`B = sI + tA` and `a = tu⁻`, `b = tv⁻`,

`d_B(i,j) ≥ max(s, a, b) - min(s, a, b)`,

and no larger bound holds in terms of `s`, `a` and `b`: `floorMatrix` attains it. In particular `κ(B) ≥ s` as soon as
one of the two entries is not exceeded (`u ≥ 0` or `v ≥ 0`), which for causal maps is always so.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] {n : Nat} {s t : R}
open OrderedRing

theorem spread_eq (s a b : R) : spread s a b = s + max a b - (min s a + min s b) := by
  show max s (max a b) - min s (min a b) = _
  cases le_total a b with
  | inl h =>
    rw [max_eq_right h, min_eq_left h, ← max_add_min s b]
    exact ring_eq [max s b, min s b, min s a]
  | inr h =>
    rw [max_eq_left h, min_eq_right h, ← max_add_min s a]
    exact ring_eq [max s a, min s b, min s a]

theorem le_spread_of_zero {a b : R} (h : a = 0 ∨ b = 0) : s ≤ spread s a b := by
  have hmin : min s (min a b) ≤ 0 := le_trans _ _ _ (min_le_right _ _)
    (h.elim (fun e => e ▸ min_le_left a b) fun e => e ▸ min_le_right a b)
  show s ≤ max s (max a b) - min s (min a b)
  exact ring_le [s, max s (max a b), min s (min a b)] (add_le_add (le_max_left s (max a b)) hmin)

theorem max_mul (ht : 0 ≤ t) (x y : R) : t * max x y = max (t * x) (t * y) :=
  match le_total x y with
  | .inl h => by rw [max_eq_right h, max_eq_right (mul_le_mul_left ht h)]
  | .inr h => by rw [max_eq_left h, max_eq_left (mul_le_mul_left ht h)]

theorem min_mul (t x y : R) : min (t * x) (t * y) ≤ t * min x y :=
  match le_total x y with
  | .inl h => by rw [min_eq_left h]; exact min_le_left _ _
  | .inr h => by rw [min_eq_right h]; exact min_le_right _ _

section Half
variable [Half R]

/-- `d_A(i,j) ≥ max(u⁻, v⁻)`. -/
theorem max_negPart_le_d {A : Mat R} (hA : EqualRowSums n A) {i j : Nat} (hi : i < n) (hj : j < n) :
    max (negPart (A i i - A j i)) (negPart (A j j - A i j)) ≤ d n A i j := by
  have hx : sum n (fun k => A i k - A j k) = 0 := by
    rw [sum_sub, hA i j hi hj]
    exact ring_eq [sum n (A j)]
  have hd : d n A i j = mass n fun k => A i k - A j k := tv_eq_mass (hA i j hi hj)
  rw [hd]
  refine max_le _ _ _ (negPart_le_mass (x := fun k => A i k - A j k) hi) (max_le _ _ _ ?_ (mass_nonneg _))
  refine le_trans _ _ _ ?_ (posPart_le_mass hx hj)
  have h := negPart_nonneg (A i j - A j j)
  exact ring_le [A i j, A j j, negPart (A i j - A j j)] h

/-- **T6**: the floor of a pair. -/
theorem spread_le_d (hs : 0 ≤ s) (ht : 0 ≤ t) {A : Mat R} (hA : EqualRowSums n A) {i j : Nat} (hi : i < n) (hj : j < n)
    (hij : i ≠ j) :
    spread s (t * negPart (A i i - A j i)) (t * negPart (A j j - A i j)) ≤ d n (mix s t A) i j := by
  let a := negPart (A i i - A j i)
  let b := negPart (A j j - A i j)
  have h : d n (mix s t A) i j + (min s (t * a) + min s (t * b)) = s + t * d n A i j := d_mix hs ht A hi hj hij
  have hd : t * max a b ≤ t * d n A i j := mul_le_mul_left ht (max_negPart_le_d hA hi hj)
  show spread s (t * a) (t * b) ≤ _
  rw [spread_eq, ← max_mul ht]
  exact ring_le [s, t * max a b, min s (t * a), min s (t * b), t * d n A i j, d n (mix s t A) i j]
    (add_le_add hd (le_of_eq h.symm))

/-- One-sided dominance of any pair of `P` gives `κ_P(B) ≥ s`. -/
theorem le_κ_of_one_sided (hs : 0 ≤ s) (ht : 0 ≤ t) {A : Mat R} (hA : EqualRowSums n A) (P : PairSet n) {i j : Nat}
    (m : P.Mem i j) (h : A j i ≤ A i i ∨ A i j ≤ A j j) : s ≤ κ P (mix s t A) := by
  have zero {x : R} (h : 0 ≤ x) : t * negPart x = 0 := by rw [negPart_of_nonneg h]; exact mul_zero t
  have floor : s ≤ spread s (t * negPart (A i i - A j i)) (t * negPart (A j j - A i j)) := le_spread_of_zero
    (h.elim (fun h => .inl (zero (sub_nonneg h))) fun h => .inr (zero (sub_nonneg h)))
  exact le_trans _ _ _ floor
    (le_trans _ _ _ (spread_le_d hs ht hA (P.left_lt m) (P.right_lt m) (P.ne m)) (d_le_κ P _ m))

/-- For causal maps the later token of any pair dominates the earlier one's attention to it, which is `0`. -/
theorem le_κ_of_causal (hs : 0 ≤ s) (ht : 0 ≤ t) {A : Mat R} (hA : EqualRowSums n A) (hc : Causal n A)
    (hpos : ∀ i k, i < n → k < n → 0 ≤ A i k) (P : PairSet n) : s ≤ κ P (mix s t A) := by
  have ⟨i, j, m⟩ := P.nonempty
  have hi := P.left_lt m
  have hj := P.right_lt m
  refine le_κ_of_one_sided hs ht hA P m ?_
  cases Nat.lt_or_ge i j with
  | inl h => exact .inr (by rw [hc i j h hj]; exact hpos j j hj hj)
  | inr h =>
    have h : j < i := (Nat.eq_or_lt_of_le h).elim (fun e => absurd e.symm (P.ne m)) id
    exact .inl (by rw [hc j i h hi]; exact hpos i i hi hi)

/-- The floor for `s = t = ½`. -/
theorem half_floor_le {A : Mat R} (hA : EqualRowSums n A) (P : PairSet n) {i j : Nat} (m : P.Mem i j) :
    half * (1 - min (negPart (A i i - A j i)) (negPart (A j j - A i j))) ≤ κ P (rolloutFactor A) := by
  let a := negPart (A i i - A j i)
  let b := negPart (A j j - A i j)
  have h : spread half ((1 - half) * a) ((1 - half) * b) ≤ d n (lazy half A) i j :=
    spread_le_d half_nonneg (sub_nonneg (le_of_lt half_lt_one)) hA (P.left_lt m) (P.right_lt m) (P.ne m)
  have lower : half - half * min a b ≤ spread half (half * a) (half * b) := by
    let top := max half (max (half * a) (half * b))
    let bottom := min half (min (half * a) (half * b))
    have htop : half ≤ top := le_max_left _ _
    have hbottom : bottom ≤ half * min a b := le_trans _ _ _ (min_le_right _ _) (min_mul half a b)
    show half - half * min a b ≤ top - bottom
    exact ring_le [half, half * min a b, top, bottom] (add_le_add htop hbottom)
  rw [one_sub_half] at h
  rw [κ_rolloutFactor]
  show half * (1 - min a b) ≤ κ P (lazy half A)
  calc half * (1 - min a b) = half - half * min a b := ring_eq [half, min a b]
    _ ≤ spread half (half * a) (half * b) := lower
    _ ≤ d n (lazy half A) i j := h
    _ ≤ κ P (lazy half A) := d_le_κ P _ m

/-- Swapping two tokens: all entries of `½(I + A)` are `½`. -/
theorem κ_swap (hn : 2 ≤ 2) : κ (allPairs 2 hn) (rolloutFactor (swap : Mat R)) = 0 := by
  rw [κ_of_two]
  show half * ((0 + abs (half * (1 + 0) - half * (0 + 1))) + abs (half * (0 + 1) - half * (1 + 0))) = (0 : R)
  rw [(ring_eq [half] : half * (1 + 0) - half * (0 + 1) = (0 : R)),
    (ring_eq [half] : half * (0 + 1) - half * (1 + 0) = (0 : R)), abs_zero]
  exact ring_eq [half]

/-! ### the floor is attained -/

/-- Three tokens, the first two with `u⁻ = x` and `v⁻ = y`. -/
noncomputable def floorMatrix (x y : R) : Mat R
  | 0, 1 => y
  | 0, 2 => 1 - y
  | 1, 0 => x
  | 1, 2 => 1 - x
  | 2, 2 => 1
  | _, _ => 0

omit [Half R] in
theorem floorMatrix_stochastic {x y : R} (hx : 0 ≤ x ∧ x ≤ 1) (hy : 0 ≤ y ∧ y ≤ 1) :
    RowStochastic 3 (floorMatrix x y) := by
  have three {p : Nat → Prop} (h0 : p 0) (h1 : p 1) (h2 : p 2) : ∀ k, k < 3 → p k := fun k hk =>
    match k, hk with
    | 0, _ => h0
    | 1, _ => h1
    | 2, _ => h2
    | k + 3, hk => absurd (Nat.le_of_succ_le_succ (Nat.le_of_succ_le_succ (Nat.le_of_succ_le_succ hk)))
        (Nat.not_lt_zero k)
  refine three ⟨three le_rfl hy.1 (sub_nonneg hy.2), ?_⟩ ⟨three hx.1 le_rfl (sub_nonneg hx.2), ?_⟩
    ⟨three le_rfl le_rfl zero_le_one, ?_⟩
  · show ((0 + 0) + y) + (1 - y) = 1
    exact ring_eq [y]
  · show ((0 + x) + 0) + (1 - x) = 1
    exact ring_eq [x]
  · show ((0 + 0) + 0) + 1 = (1 : R)
    exact ring_eq []

omit [Half R] in
theorem floorMatrix_negParts {x y : R} (hx : 0 ≤ x) (hy : 0 ≤ y) :
    negPart (floorMatrix x y 0 0 - floorMatrix x y 1 0) = x ∧
      negPart (floorMatrix x y 1 1 - floorMatrix x y 0 1) = y := by
  have h {z : R} (hz : 0 ≤ z) : negPart (0 - z) = z := by
    rw [negPart_of_nonpos (ring_le [z] hz)]
    exact ring_eq [z]
  exact ⟨h hx, h hy⟩

theorem d_floorMatrix {x y : R} (hx : 0 ≤ x) (hy : 0 ≤ y) : d 3 (floorMatrix x y) 0 1 = max x y := by
  show half * (((0 + abs (0 - x)) + abs (y - 0)) + abs ((1 - y) - (1 - x))) = max x y
  rw [abs_sub_comm 0 x, (ring_eq [x] : x - 0 = x), (ring_eq [y] : y - 0 = y), abs_of_nonneg hx, abs_of_nonneg hy]
  cases le_total x y with
  | inl h =>
    rw [max_eq_right h, abs_of_nonpos (ring_le [x, y] h)]
    exact (congrArg (half * ·) (ring_eq [x, y])).trans (half_mul_double y)
  | inr h =>
    rw [max_eq_left h, abs_of_nonneg (ring_le [x, y] h)]
    exact (congrArg (half * ·) (ring_eq [x, y])).trans (half_mul_double x)

theorem d_mix_floorMatrix (hs : 0 ≤ s) (ht : 0 ≤ t) {x y : R} (hx : 0 ≤ x) (hy : 0 ≤ y) :
    d 3 (mix s t (floorMatrix x y)) 0 1 = spread s (t * x) (t * y) := by
  have h := d_mix (n := 3) hs ht (floorMatrix x y) (Nat.zero_lt_succ 2) (Nat.succ_le_succ (Nat.zero_lt_succ 1))
    (nofun : 0 ≠ 1)
  have ⟨e0, e1⟩ := floorMatrix_negParts hx hy
  have hdef : defect s t (floorMatrix x y) 0 1 = min s (t * x) + min s (t * y) := by
    show min s (t * negPart (floorMatrix x y 0 0 - floorMatrix x y 1 0))
      + min s (t * negPart (floorMatrix x y 1 1 - floorMatrix x y 0 1)) = _
    rw [e0, e1]
  rw [hdef, d_floorMatrix hx hy, max_mul ht] at h
  rw [spread_eq, ← h]
  exact ring_eq [d 3 (mix s t (floorMatrix x y)) 0 1, min s (t * x), min s (t * y)]

end Half
end Dobrushin
