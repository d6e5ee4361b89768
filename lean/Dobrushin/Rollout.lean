import Dobrushin.Floor

/-!
# The rollout is itself lazy

`R = (Π α_l) I + T` where `T` is non-negative with row sums `1 - Π α_l`: the residual connections let the share
`Π α_l` of every token pass through all layers untouched. So T1–T4, whose weights are arbitrary, and the floor
apply to the rollout as a whole, with `s = Π α_l` and `t = 1`.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] {n : Nat} {α : Nat → R} {A : Nat → Mat R}
open OrderedRing

theorem rollout_eq_mix (n : Nat) (α : Nat → R) (A : Nat → Mat R) (L i k : Nat) :
    attentionRollout n α A L i k = mix (prod L α) 1 (remainder n α A L) i k := by
  show _ = prod L α * identity i k + 1 * (attentionRollout n α A L i k - prod L α * identity i k)
  exact ring_eq [attentionRollout n α A L i k, prod L α, identity i k]

theorem prod_mul_identity_le (hα : ∀ l, 0 ≤ α l ∧ α l ≤ 1) (hA : ∀ l, RowStochastic n (A l)) (L : Nat) {i : Nat}
    (hi : i < n) (k : Nat) : prod L α * identity i k ≤ attentionRollout n α A L i k := by
  induction L generalizing i with
  | zero => exact le_of_eq (one_mul _)
  | succ L ih =>
    let a := prod L α
    have ha : 0 ≤ a := prod_nonneg (fun l => (hα l).1) L
    have factor m (hm : m < n) : α L * identity i m ≤ lazy (α L) (A L) i m := by
      have h := mul_nonneg (sub_nonneg (hα L).2) ((hA L i hi).nonneg m hm)
      show α L * identity i m ≤ α L * identity i m + (1 - α L) * A L i m
      exact ring_le [α L * identity i m, (1 - α L) * A L i m] h
    have term m (hm : m < n) : (α L * identity i m) * (a * identity m k)
        ≤ lazy (α L) (A L) i m * attentionRollout n α A L m k :=
      have below : 0 ≤ α L * identity i m := mul_nonneg (hα L).1 (identity_nonneg i m)
      mul_le_mul (factor m hm) (ih hm) (mul_nonneg ha (identity_nonneg m k)) (le_trans _ _ _ below (factor m hm))
    have collapse : sum n (fun m => (α L * identity i m) * (a * identity m k)) = (a * α L) * identity i k := by
      have h := sum_identity_mul hi fun m => (α L * a) * identity m k
      rw [sum_congr n fun m _ => (ring_eq [α L, identity i m, a, identity m k] :
        (α L * identity i m) * (a * identity m k) = identity i m * ((α L * a) * identity m k)), h]
      exact ring_eq [α L, a, identity i k]
    show (a * α L) * identity i k ≤ sum n fun m => lazy (α L) (A L) i m * attentionRollout n α A L m k
    rw [← collapse]
    exact sum_le n term

theorem rollout_rowStochastic (hα : ∀ l, 0 ≤ α l ∧ α l ≤ 1) (hA : ∀ l, RowStochastic n (A l)) (L : Nat) :
    RowStochastic n (attentionRollout n α A L) :=
  rowStochastic_rollout (fun l => (hA l).lazy (hα l).1 (hα l).2) L

theorem remainder_nonneg (hα : ∀ l, 0 ≤ α l ∧ α l ≤ 1) (hA : ∀ l, RowStochastic n (A l)) (L : Nat) {i : Nat}
    (hi : i < n) (k : Nat) : 0 ≤ remainder n α A L i k := sub_nonneg (prod_mul_identity_le hα hA L hi k)

theorem sum_remainder (hα : ∀ l, 0 ≤ α l ∧ α l ≤ 1) (hA : ∀ l, RowStochastic n (A l)) (L : Nat) {i : Nat}
    (hi : i < n) : sum n (remainder n α A L i) = 1 - prod L α := by
  show sum n (fun k => attentionRollout n α A L i k - prod L α * identity i k) = _
  rw [sum_sub, ← mul_sum, sum_identity hi, (rollout_rowStochastic hα hA L i hi).total]
  exact ring_eq [prod L α]

theorem remainder_equalRowSums (hα : ∀ l, 0 ≤ α l ∧ α l ≤ 1) (hA : ∀ l, RowStochastic n (A l)) (L : Nat) :
    EqualRowSums n (remainder n α A L) :=
  fun _ _ hi hj => (sum_remainder hα hA L hi).trans (sum_remainder hα hA L hj).symm

/-- Where `1 - Π α_l` has an inverse `c`, the remainder is `1 - Π α_l` times a row-stochastic matrix. -/
theorem remainder_normalised (hα : ∀ l, 0 ≤ α l ∧ α l ≤ 1) (hA : ∀ l, RowStochastic n (A l)) (L : Nat) {c : R}
    (hc : c * (1 - prod L α) = 1) (h1 : prod L α ≤ 1) :
    let S : Mat R := fun i k => c * remainder n α A L i k
    RowStochastic n S ∧ ∀ i k, attentionRollout n α A L i k = lazy (prod L α) S i k := by
  have hc0 : 0 ≤ c := (le_total 0 c).elim id fun h => by
    have hle : c * (1 - prod L α) ≤ 0 * (1 - prod L α) := mul_le_mul_right (sub_nonneg h1) h
    rw [hc] at hle
    exact absurd (le_trans _ _ _ hle (le_of_eq (ring_eq [1 - prod L α] (y := 0)))) (not_le_of_lt zero_lt_one)
  refine ⟨fun i hi => ⟨fun k _ => mul_nonneg hc0 (remainder_nonneg hα hA L hi k), ?_⟩, fun i k => ?_⟩
  · rw [← mul_sum, sum_remainder hα hA L hi, hc]
  · show _ = prod L α * identity i k + (1 - prod L α) * (c * remainder n α A L i k)
    rw [rollout_eq_mix]
    show prod L α * identity i k + 1 * remainder n α A L i k = _
    have e : 1 * remainder n α A L i k = (1 - prod L α) * (c * remainder n α A L i k) :=
      calc 1 * remainder n α A L i k = (c * (1 - prod L α)) * remainder n α A L i k := by rw [hc]
        _ = (1 - prod L α) * (c * remainder n α A L i k) := ring_eq [prod L α, c, remainder n α A L i k]
    rw [e]

theorem prod_le_one (hα : ∀ l, 0 ≤ α l ∧ α l ≤ 1) (L : Nat) : prod L α ≤ 1 := by
  induction L with
  | zero => exact le_rfl
  | succ L ih =>
    refine le_trans _ _ _ (mul_le_mul ih (hα L).2 (hα L).1 zero_le_one) (le_of_eq ?_)
    exact one_mul 1

theorem prod_pos (hα : ∀ l, 0 < α l) (L : Nat) : 0 < prod L α := by
  induction L with
  | zero => exact zero_lt_one
  | succ L ih => exact mul_pos _ _ ih (hα L)

/-! ### causal layers -/

theorem causal_identity : Causal n (identity : Mat R) := fun _ _ h _ => identity_ne fun e => Nat.lt_irrefl _ (e ▸ h)

theorem Causal.mix {A : Mat R} (h : Causal n A) (s t : R) : Causal n (mix s t A) := fun i k hik hk => by
  have ne : i ≠ k := fun e => Nat.lt_irrefl _ (e ▸ hik)
  rw [mix_ne A ne, h i k hik hk]
  exact mul_zero t

theorem Causal.mul {A B : Mat R} (hA : Causal n A) (hB : Causal n B) : Causal n (mul n A B) := fun i k hik hk => by
  have term m (hm : m < n) : A i m * B m k = 0 := by
    cases Nat.lt_or_ge i m with
    | inl h => rw [hA i m h hm]; exact ring_eq [B m k]
    | inr h => rw [hB m k (Nat.lt_of_le_of_lt h hik) hk]; exact mul_zero _
  exact (sum_congr n term).trans (sum_zero n)

theorem causal_rollout {B : Nat → Mat R} (hB : ∀ l, Causal n (B l)) (L : Nat) : Causal n (rollout n B L) := by
  induction L with
  | zero => exact causal_identity
  | succ L ih => exact (hB L).mul ih

theorem causal_remainder (hA : ∀ l, Causal n (A l)) (L : Nat) : Causal n (remainder n α A L) := fun i k hik hk => by
  have ne : i ≠ k := fun e => Nat.lt_irrefl _ (e ▸ hik)
  show attentionRollout n α A L i k - prod L α * identity i k = 0
  rw [show attentionRollout n α A L i k = 0 from causal_rollout (fun l => (hA l).mix _ _) L i k hik hk, identity_ne ne]
  exact ring_eq [prod L α]

section Half
variable [Half R]

theorem κ_rollout_eq (P : PairSet n) (α : Nat → R) (A : Nat → Mat R) (L : Nat) :
    κ P (attentionRollout n α A L) = κ P (mix (prod L α) 1 (remainder n α A L)) := κ_congr P (rollout_eq_mix n α A L)

/-- For causal layers the rollout keeps `κ(R) ≥ Π α_l`. -/
theorem prod_le_κ_rollout (hα : ∀ l, 0 ≤ α l ∧ α l ≤ 1) (hA : ∀ l, RowStochastic n (A l)) (hc : ∀ l, Causal n (A l))
    (P : PairSet n) (L : Nat) : prod L α ≤ κ P (attentionRollout n α A L) := by
  rw [κ_rollout_eq]
  exact le_κ_of_causal (prod_nonneg (fun l => (hα l).1) L) zero_le_one (remainder_equalRowSums hα hA L)
    (causal_remainder hc L) (fun _ k hi _ => remainder_nonneg hα hA L hi k) P

end Half
end Dobrushin
