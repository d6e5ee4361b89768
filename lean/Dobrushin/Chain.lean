import Dobrushin.Product

/-!
# The rollout of many layers

Row-stochastic matrices, lazy factors among them, are closed under products, so T5 applies layer by layer:
`κ(R) ≤ Π κ(B_l) ≤ Π (α_l + (1 - α_l) κ(A_l))`.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] {n : Nat}
open OrderedRing

theorem sum_identity {i : Nat} (hi : i < n) : sum n (identity i : Nat → R) = 1 := by
  have h := sum_identity_mul (R := R) hi fun _ => 1
  rw [sum_congr n fun k _ => (ring_eq [identity i k] : identity i k * (1 : R) = identity i k)] at h
  exact h

theorem rowStochastic_identity : RowStochastic n (identity : Mat R) :=
  fun _ hi => ⟨fun _ _ => identity_nonneg _ _, sum_identity hi⟩

theorem sum_mul_row (A B : Mat R) (i : Nat) :
    sum n (mul n A B i) = sum n fun m => A i m * sum n (B m) := by
  show sum n (fun k => sum n fun m => A i m * B m k) = _
  rw [sum_comm]
  exact sum_congr n fun m _ => (mul_sum n _ _).symm

theorem RowStochastic.mul {A B : Mat R} (hA : RowStochastic n A) (hB : RowStochastic n B) :
    RowStochastic n (mul n A B) := fun i hi => by
  refine ⟨fun k hk => sum_nonneg n fun m hm => mul_nonneg ((hA i hi).nonneg m hm) ((hB m hm).nonneg k hk), ?_⟩
  rw [sum_mul_row, sum_congr n (g := A i) fun m hm => by rw [(hB m hm).total]; exact ring_eq [A i m]]
  exact (hA i hi).total

theorem sum_mix_row (s t : R) (A : Mat R) {i : Nat} (hi : i < n) : sum n (mix s t A i) = s + t * sum n (A i) := by
  show sum n (fun k => s * identity i k + t * A i k) = _
  rw [sum_add, ← mul_sum, ← mul_sum, sum_identity hi]
  exact ring_eq [s, t * sum n (A i)]

theorem RowStochastic.lazy {A : Mat R} (hA : RowStochastic n A) {α : R} (h0 : 0 ≤ α) (h1 : α ≤ 1) :
    RowStochastic n (lazy α A) := fun i hi => by
  refine ⟨fun k hk => add_nonneg (mul_nonneg h0 (identity_nonneg i k))
    (mul_nonneg (sub_nonneg h1) ((hA i hi).nonneg k hk)), ?_⟩
  rw [show sum n (Dobrushin.lazy α A i) = _ from sum_mix_row α (1 - α) A hi, (hA i hi).total]
  exact ring_eq [α]

theorem rowStochastic_rollout {B : Nat → Mat R} (hB : ∀ l, RowStochastic n (B l)) (L : Nat) :
    RowStochastic n (rollout n B L) := by
  induction L with
  | zero => exact rowStochastic_identity
  | succ L ih => exact (hB L).mul ih

/-! ### products of numbers -/

theorem prod_nonneg {f : Nat → R} (hf : ∀ l, 0 ≤ f l) (L : Nat) : 0 ≤ prod L f := by
  induction L with
  | zero => exact zero_le_one
  | succ L ih => exact mul_nonneg ih (hf L)

theorem prod_le_prod {f g : Nat → R} (hf : ∀ l, 0 ≤ f l) (h : ∀ l, f l ≤ g l) (L : Nat) : prod L f ≤ prod L g := by
  induction L with
  | zero => exact le_rfl
  | succ L ih => exact mul_le_mul ih (h L) (hf L) (prod_nonneg (fun l => le_trans _ _ _ (hf l) (h l)) L)

section Half
variable [Half R]

theorem κ_le_one {A : Mat R} (hA : RowStochastic n A) (P : PairSet n) : κ P A ≤ 1 :=
  maxOver_le zero_le_one fun i j m => by
    have hi := hA i (P.left_lt m)
    have hj := hA j (P.right_lt m)
    refine half_mul_nonneg_le ?_
    have term k (hk : k < n) : abs (A i k - A j k) ≤ A i k + A j k := by
      have h1 := hi.nonneg k hk
      have h2 := hj.nonneg k hk
      exact max_le _ _ _ (ring_le [A i k, A j k] (add_le_add h2 h2)) (ring_le [A i k, A j k] (add_le_add h1 h1))
    refine le_trans _ _ _ (sum_le n term) (le_of_eq ?_)
    rw [sum_add, hi.total, hj.total]

/-- **T5** for many layers: `κ(B_{L-1} ⋯ B_0) ≤ Π κ(B_l)`. -/
theorem κ_rollout_le (hn : 2 ≤ n) {B : Nat → Mat R} (hB : ∀ l, RowStochastic n (B l)) (L : Nat) :
    κ (allPairs n hn) (rollout n B L) ≤ prod L fun l => κ (allPairs n hn) (B l) := by
  induction L with
  | zero => exact κ_le_one rowStochastic_identity _
  | succ L ih =>
    let k (A : Mat R) : R := κ (allPairs n hn) A
    show k (mul n (B L) (rollout n B L)) ≤ prod L (fun l => k (B l)) * k (B L)
    calc k (mul n (B L) (rollout n B L)) ≤ k (B L) * k (rollout n B L) := κ_mul_le hn _ (hB L).equalRowSums _
      _ ≤ k (B L) * prod L (fun l => k (B l)) := mul_le_mul_left (κ_nonneg _ _) ih
      _ = prod L (fun l => k (B l)) * k (B L) := mul_comm _ _

/-- **T5**, the chain of bounds for attention rollout with residual weights `α_l`. -/
theorem κ_lazy_chain (hn : 2 ≤ n) {A : Nat → Mat R} {α : Nat → R} (hα : ∀ l, 0 ≤ α l ∧ α l ≤ 1) (L : Nat) :
    prod L (fun l => κ (allPairs n hn) (lazy (α l) (A l)))
      ≤ prod L fun l => α l + (1 - α l) * κ (allPairs n hn) (A l) :=
  prod_le_prod (fun _ => κ_nonneg _ _) (fun l => κ_mix_le (hα l).1 (sub_nonneg (hα l).2) _ _) L

end Half
end Dobrushin
