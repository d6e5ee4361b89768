import Dobrushin.Certificate.Readings
import Dobrushin.Collapse
import Dobrushin.CounterExamples
import Dobrushin.ProductTight
import Dobrushin.Rollout
import Dobrushin.TwoTokens

/-!
# The theorems

Every headline result, stated with the definitions of `Ring.lean` and `Definitions.lean` alone. (T8 also needs the
first forty lines of `Certificate.lean`, and `Lines.lean` and `Check.lean` in `Certificate/`; the last two sections speak
of ℤ and ℤ[½] as built in `Instances/`.) The proofs are a few lines each and point to the lemma that holds the argument.
-/

universe u

namespace Dobrushin.Statement

variable {R : Type u} [OrderedRing R] [Half R] {n : Nat}
open OrderedRing

/-- `κ_P(A)` is what it is meant to be: at least every distance of a pair of `P`, and equal to one of them. -/
theorem kappa_is_the_maximum (P : PairSet n) (A : Mat R) :
    (∀ i j, P.Mem i j → d n A i j ≤ κ P A) ∧ ∃ i j, P.Mem i j ∧ d n A i j = κ P A :=
  ⟨fun _ _ m => d_le_κ P A m, κ_attained P A⟩

/-- **T1, exact defect.** For every real matrix `A`, residual weight `0 ≤ α ≤ 1` and rows `i ≠ j`, with
`u = A_ii - A_ji` and `v = A_jj - A_ij`:
`d_B(i,j) = α + (1-α) d_A(i,j) - min(α, (1-α)u⁻) - min(α, (1-α)v⁻)`, where `B = αI + (1-α)A`. -/
theorem T1_exact_defect {α : R} (h0 : 0 ≤ α) (h1 : α ≤ 1) (A : Mat R) {i j : Nat} (hi : i < n) (hj : j < n)
    (hij : i ≠ j) :
    d n (lazy α A) i j = α + (1 - α) * d n A i j
      - min α ((1 - α) * negPart (A i i - A j i)) - min α ((1 - α) * negPart (A j j - A i j)) := by
  have h := d_mix h0 (sub_nonneg h1) A hi hj hij
  have h : d n (lazy α A) i j + (min α ((1 - α) * negPart (A i i - A j i))
    + min α ((1 - α) * negPart (A j j - A i j))) = α + (1 - α) * d n A i j := h
  rw [← h]
  exact ring_eq [d n (lazy α A) i j, min α ((1 - α) * negPart (A i i - A j i)),
    min α ((1 - α) * negPart (A j j - A i j))]

/-- **T2, layerwise inequality.** `κ_P(αI + (1-α)A) ≤ α + (1-α) κ_P(A)`. -/
theorem T2_layerwise_inequality {α : R} (h0 : 0 ≤ α) (h1 : α ≤ 1) (P : PairSet n) (A : Mat R) :
    κ P (lazy α A) ≤ α + (1 - α) * κ P A :=
  κ_mix_le h0 (sub_nonneg h1) P A

/-- **T3, equality condition.** For `0 < α < 1`: equality in T2 holds if and only if some pair of `P` that
attains `κ_P(A)` is mutually self-dominant. The residual weight does not occur on the right-hand side. -/
theorem T3_equality_condition {α : R} (h0 : 0 < α) (h1 : α < 1) (P : PairSet n) (A : Mat R) :
    κ P (lazy α A) = α + (1 - α) * κ P A ↔ ∃ i j, P.Mem i j ∧ d n A i j = κ P A ∧ SelfDominant A i j :=
  κ_mix_eq_iff h0 (sub_pos h1) P A

/-- **T4, exact slack.** `α + (1-α) κ_P(A) - κ_P(B)` is the smallest value over the pairs of `P` of
`(1-α)(κ_P(A) - d_A(i,j)) + min(α, (1-α)u⁻) + min(α, (1-α)v⁻)`. -/
theorem T4_exact_slack {α : R} (h0 : 0 ≤ α) (h1 : α ≤ 1) (P : PairSet n) (A : Mat R) :
    IsMinimum P (fun i j => (1 - α) * (κ P A - d n A i j) + defect α (1 - α) A i j)
      (α + (1 - α) * κ P A - κ P (lazy α A)) :=
  κ_mix_slack h0 (sub_nonneg h1) P A

/-- **T3, the weight drops out**: a layer that attains the bound for one residual weight attains it for all. -/
theorem T3_weight_drops_out {α β : R} (hα : 0 < α ∧ α < 1) (hβ : 0 < β ∧ β < 1) (P : PairSet n) (A : Mat R) :
    κ P (lazy α A) = α + (1 - α) * κ P A ↔ κ P (lazy β A) = β + (1 - β) * κ P A :=
  (T3_equality_condition hα.1 hα.2 P A).trans (T3_equality_condition hβ.1 hβ.2 P A).symm

/-- **The paper's inequality**: `κ(½(I + A)) ≤ ½(1 + κ(A))`, for a matrix of any size `n ≥ 2`. -/
theorem Paper_inequality (hn : 2 ≤ n) (A : Mat R) :
    κ (allPairs n hn) (rolloutFactor A) ≤ half * (1 + κ (allPairs n hn) A) := by
  rw [κ_rolloutFactor, ← half_add_half_mul]
  exact T2_layerwise_inequality half_nonneg (le_of_lt half_lt_one) _ A

/-- **The paper's theorem**: `κ(½(I + A)) = ½(1 + κ(A))` if and only if some pair of tokens `i ≠ j` that attains
`κ(A)` is mutually self-dominant: `A_ii ≥ A_ji` and `A_jj ≥ A_ij`. -/
theorem Paper_equality_condition (hn : 2 ≤ n) (A : Mat R) :
    κ (allPairs n hn) (rolloutFactor A) = half * (1 + κ (allPairs n hn) A) ↔
      ∃ i j, (i < n ∧ j < n ∧ i ≠ j) ∧ d n A i j = κ (allPairs n hn) A ∧ A j i ≤ A i i ∧ A i j ≤ A j j := by
  rw [κ_rolloutFactor, ← half_add_half_mul]
  exact T3_equality_condition half_pos half_lt_one (allPairs n hn) A

/-! ### T5: products -/

/-- **T5, contraction.** Two row vectors of equal sum, in particular two distributions `p` and `q`, come closer by
the factor `κ(B)`: `tv(pB, qB) ≤ tv(p, q) κ(B)`. -/
theorem T5_contraction (hn : 2 ≤ n) {p q : Nat → R} (h : sum n p = sum n q) (B : Mat R) :
    tv n (vecMul n p B) (vecMul n q B) ≤ tv n p q * κ (allPairs n hn) B :=
  tv_vecMul_le hn h B

/-- **T5, submultiplicativity.** `κ_P(AB) ≤ κ_P(A) κ(B)` for row-stochastic `A` and any `B`; with all pairs,
`κ(AB) ≤ κ(A) κ(B)`. -/
theorem T5_submultiplicative (hn : 2 ≤ n) (P : PairSet n) {A : Mat R} (hA : RowStochastic n A) (B : Mat R) :
    κ P (mul n A B) ≤ κ P A * κ (allPairs n hn) B :=
  κ_mul_le hn P hA.equalRowSums B

/-- **T5, the chain of bounds for the rollout** `R = B_{L-1} ⋯ B_0` with `B_l = α_l I + (1-α_l) A_l`:
`κ(R) ≤ Π κ(B_l) ≤ Π (α_l + (1-α_l) κ(A_l))`. -/
theorem T5_rollout_chain (hn : 2 ≤ n) {α : Nat → R} {A : Nat → Mat R} (hα : ∀ l, 0 ≤ α l ∧ α l ≤ 1)
    (hA : ∀ l, RowStochastic n (A l)) (L : Nat) :
    κ (allPairs n hn) (attentionRollout n α A L) ≤ prod L (fun l => κ (allPairs n hn) (lazy (α l) (A l))) ∧
      prod L (fun l => κ (allPairs n hn) (lazy (α l) (A l))) ≤
        prod L (fun l => α l + (1 - α l) * κ (allPairs n hn) (A l)) :=
  ⟨κ_rollout_le hn (fun l => (hA l).lazy (hα l).1 (hα l).2) L, κ_lazy_chain hn hα L⟩

/-- **T5, overlap.** For exactly row-stochastic `A`, `κ_P(A) = 1 - min_{(i,j) ∈ P} Σ_k min(A_ik, A_jk)`. -/
theorem T5_overlap {A : Mat R} (hA : RowStochastic n A) (P : PairSet n) :
    IsMinimum P (fun i j => sum n fun k => min (A i k) (A j k)) (1 - κ P A) :=
  overlap_isMinimum hA P

/-- **T5′, when the product bound is attained.** For row-stochastic `A` and `κ_P(A), κ(B) > 0`:
`κ_P(AB) = κ_P(A) κ(B)` if and only if some pair `(i,j)` of `P` that attains `κ_P(A)` and one vector of signs `s` satisfy
`½ s·(B_k - B_l) = κ(B)` for all `k` with `A_ik > A_jk` and all `l` with `A_il < A_jl`. -/
theorem T5'_product_bound_attained (hn : 2 ≤ n) (P : PairSet n) {A : Mat R} (hA : RowStochastic n A) (B : Mat R)
    (hκA : 0 < κ P A) (hκB : 0 < κ (allPairs n hn) B) :
    κ P (mul n A B) = κ P A * κ (allPairs n hn) B ↔
      ∃ i j, P.Mem i j ∧ d n A i j = κ P A ∧
        ∃ s : Nat → R, (∀ m, m < n → s m = 1 ∨ s m = -1) ∧
          ∀ k l, k < n → l < n → A j k < A i k → A i l < A j l →
            half * sum n (fun m => s m * (B k m - B l m)) = κ (allPairs n hn) B := by
  have h := κ_mul_eq_iff hn P hA.equalRowSums B hκA hκB
  exact ⟨fun e => have ⟨i, j, m, hd, s, hs, sep⟩ := h.mp e
      ⟨i, j, m, hd, s, hs, fun k l hk hl h1 h2 => (half_signed_iff s B k l _).mpr (sep k l hk hl h1 h2)⟩,
    fun ⟨i, j, m, hd, s, hs, sep⟩ => h.mpr
      ⟨i, j, m, hd, s, hs, fun k l hk hl h1 h2 => (half_signed_iff s B k l _).mp (sep k l hk hl h1 h2)⟩⟩

/-- **T5′ for two tokens**: the product bound is always attained, `κ(AB) = κ(A) κ(B)`. -/
theorem T5'_two_tokens (hn : 2 ≤ 2) {A : Mat R} (hA : RowStochastic 2 A) (B : Mat R) :
    κ (allPairs 2 hn) (mul 2 A B) = κ (allPairs 2 hn) A * κ (allPairs 2 hn) B :=
  κ_mul_of_two hn hA B

/-! ### T6: the floor -/

/-- **T6, the floor of a pair.** For row-stochastic `A`, with `a = (1-α)u⁻` and `b = (1-α)v⁻`:
`d_B(i,j) ≥ max(α, a, b) - min(α, a, b)`. -/
theorem T6_floor {α : R} (h0 : 0 ≤ α) (h1 : α ≤ 1) {A : Mat R} (hA : RowStochastic n A) {i j : Nat} (hi : i < n)
    (hj : j < n) (hij : i ≠ j) :
    spread α ((1 - α) * negPart (A i i - A j i)) ((1 - α) * negPart (A j j - A i j)) ≤ d n (lazy α A) i j :=
  spread_le_d h0 (sub_nonneg h1) hA.equalRowSums hi hj hij

/-- **T6, the floor is sharp.** No larger bound holds in terms of `α`, `u⁻` and `v⁻`: for all `x, y` in `[0, 1]` there
is a row-stochastic matrix of three tokens with `u⁻ = x` and `v⁻ = y` whose pair `(0,1)` attains it. -/
theorem T6_floor_is_sharp {α x y : R} (h0 : 0 ≤ α) (h1 : α ≤ 1) (hx : 0 ≤ x ∧ x ≤ 1) (hy : 0 ≤ y ∧ y ≤ 1) :
    ∃ A : Mat R, RowStochastic 3 A ∧ negPart (A 0 0 - A 1 0) = x ∧ negPart (A 1 1 - A 0 1) = y ∧
      d 3 (lazy α A) 0 1 = spread α ((1 - α) * x) ((1 - α) * y) :=
  have ⟨hu, hv⟩ := floorMatrix_negParts hx.1 hy.1
  ⟨floorMatrix x y, floorMatrix_stochastic hx hy, hu, hv, d_mix_floorMatrix h0 (sub_nonneg h1) hx.1 hy.1⟩

/-- **T6, in the paper's form.** Every pair gives `κ(½(I + A)) ≥ ½(1 - min(u⁻, v⁻))`. -/
theorem T6_floor_half {A : Mat R} (hA : RowStochastic n A) (P : PairSet n) {i j : Nat} (m : P.Mem i j) :
    half * (1 - min (negPart (A i i - A j i)) (negPart (A j j - A i j))) ≤ κ P (rolloutFactor A) :=
  half_floor_le hA.equalRowSums P m

/-- **T6, swapping two tokens** makes that bound, and `κ`, zero. -/
theorem T6_swap (hn : 2 ≤ 2) : κ (allPairs 2 hn) (rolloutFactor (swap : Mat R)) = 0 := κ_swap hn

/-- **T6, one-sided dominance** of any pair of `P` gives `κ_P(B) ≥ α`. -/
theorem T6_one_sided {α : R} (h0 : 0 ≤ α) (h1 : α ≤ 1) {A : Mat R} (hA : RowStochastic n A) (P : PairSet n) {i j : Nat}
    (m : P.Mem i j) (h : A j i ≤ A i i ∨ A i j ≤ A j j) : α ≤ κ P (lazy α A) :=
  le_κ_of_one_sided h0 (sub_nonneg h1) hA.equalRowSums P m h

/-- **T6, causal maps** always have `κ_P(B) ≥ α`. -/
theorem T6_causal {α : R} (h0 : 0 ≤ α) (h1 : α ≤ 1) {A : Mat R} (hA : RowStochastic n A) (hc : Causal n A)
    (P : PairSet n) : α ≤ κ P (lazy α A) :=
  le_κ_of_causal h0 (sub_nonneg h1) hA.equalRowSums hc (fun _ _ hi hk => (hA _ hi).nonneg _ hk) P

omit [Half R] in
/-- **T6, the rollout is itself lazy**: `R = aI + T` with `a = Π α_l`, where `T ≥ 0` has row sums `1 - a`. (Where
`1 - a` has an inverse, `T` is `1 - a` times a row-stochastic matrix: `T6_rollout_normalised`.) -/
theorem T6_rollout_is_lazy {α : Nat → R} {A : Nat → Mat R} (hα : ∀ l, 0 ≤ α l ∧ α l ≤ 1)
    (hA : ∀ l, RowStochastic n (A l)) (L : Nat) :
    ∃ T : Mat R, (∀ i k, i < n → k < n → 0 ≤ T i k) ∧ (∀ i, i < n → sum n (T i) = 1 - prod L α) ∧
      ∀ i k, attentionRollout n α A L i k = prod L α * identity i k + T i k :=
  ⟨remainder n α A L, fun _ k hi _ => remainder_nonneg hα hA L hi k, fun _ hi => sum_remainder hα hA L hi,
    fun i k => (rollout_eq_mix n α A L i k).trans
      (congrArg (prod L α * identity i k + ·) (one_mul (remainder n α A L i k)))⟩

omit [Half R] in
/-- **T6, the rollout as a lazy factor**: if `c (1 - a) = 1` then `R = aI + (1-a)S` with `S` row-stochastic. -/
theorem T6_rollout_normalised {α : Nat → R} {A : Nat → Mat R} (hα : ∀ l, 0 ≤ α l ∧ α l ≤ 1)
    (hA : ∀ l, RowStochastic n (A l)) (L : Nat) {c : R} (hc : c * (1 - prod L α) = 1) :
    ∃ S : Mat R, RowStochastic n S ∧ ∀ i k, attentionRollout n α A L i k = lazy (prod L α) S i k :=
  ⟨_, remainder_normalised hα hA L hc (prod_le_one hα L)⟩

/-- **T6, the equality condition for a whole rollout.** With `a = Π α_l > 0` and `T = R - aI`:
`κ_P(R) ≤ a + κ_P(T)`, with equality if and only if some pair of `P` that attains `κ_P(T)` is mutually self-dominant in
`T`. -/
theorem T6_rollout_equality_condition {α : Nat → R} (hα : ∀ l, 0 < α l) (A : Nat → Mat R) (L : Nat) (P : PairSet n) :
    let a := prod L α
    let T := remainder n α A L
    κ P (attentionRollout n α A L) ≤ a + κ P T ∧
      (κ P (attentionRollout n α A L) = a + κ P T ↔
        ∃ i j, P.Mem i j ∧ d n T i j = κ P T ∧ SelfDominant T i j) := by
  intro a T
  have e : a + κ P T = a + 1 * κ P T := congrArg (a + ·) (one_mul _).symm
  rw [κ_rollout_eq, e]
  exact ⟨κ_mix_le (le_of_lt (prod_pos hα L)) zero_le_one P T, κ_mix_eq_iff (prod_pos hα L) zero_lt_one P T⟩

/-- **T6, causal rollouts** never collapse below `Π α_l`. -/
theorem T6_causal_rollout {α : Nat → R} {A : Nat → Mat R} (hα : ∀ l, 0 ≤ α l ∧ α l ≤ 1)
    (hA : ∀ l, RowStochastic n (A l)) (hc : ∀ l, Causal n (A l)) (P : PairSet n) (L : Nat) :
    prod L α ≤ κ P (attentionRollout n α A L) :=
  prod_le_κ_rollout hα hA hc P L

/-! ### T7: collapse, the algebraic core -/

/-- **T7, pure attention**: `κ(A_{L-1} ⋯ A_0) ≤ Π κ(A_l)`. -/
theorem T7_pure_attention (hn : 2 ≤ n) {A : Nat → Mat R} (hA : ∀ l, RowStochastic n (A l)) (L : Nat) :
    κ (allPairs n hn) (rollout n A L) ≤ prod L fun l => κ (allPairs n hn) (A l) :=
  κ_rollout_le hn hA L

/-- **T7, domination**: if `(1-ε) q_k ≤ p_k` for all `k`, then `tv(p, q) ≤ ε`. -/
theorem T7_domination {p q : Nat → R} (hp : Distribution n p) (hq : Distribution n q) {ε : R}
    (h : ∀ k, k < n → (1 - ε) * q k ≤ p k) : tv n p q ≤ ε :=
  tv_le_of_domination hp hq h

/-! ### T8: certificates -/

/-- **T8, certificates.** For every `u > 0` in every ring with a half, a computation on natural numbers decides
whether the matrix of the multiples `M_ik u` is tight in the paper's sense. -/
theorem T8_certificate (hn : 2 ≤ n) {u : R} (hu : 0 < u) (M : Nat → Nat → Nat) :
    check n M = true ↔ Tight n hn (scaled u M) :=
  check_correct hn hu M

/-- **T8, for every residual weight**: the same computation decides equality in T2 for all `0 < α < 1`. -/
theorem T8_certificate_any_weight (hn : 2 ≤ n) {u α : R} (hu : 0 < u) (h0 : 0 < α) (h1 : α < 1) (M : Nat → Nat → Nat) :
    check n M = true ↔
      κ (allPairs n hn) (lazy α (scaled u M)) = α + (1 - α) * κ (allPairs n hn) (scaled u M) :=
  (check_correct hn hu M).trans ((tight_iff hn (scaled u M)).trans (T3_equality_condition h0 h1 _ _).symm)

/-- **T8, the coefficient**: `κ = ½ D u`, where `D` is the largest `Σ_k |M_ik - M_jk|`, a natural number. -/
theorem T8_kappa (hn : 2 ≤ n) {u : R} (hu : 0 < u) (M : Nat → Nat → Nat) :
    κ (allPairs n hn) (scaled u M) = half * times u (natDiameter n M) :=
  κ_scaled hn hu M

/-- **T8, all pairs**, with the checker that is made for the kernel: a certificate (a pair of tokens and its distance
`K/W`) of "tight" exists exactly if the map is tight, and one of "not tight" exactly if it is not. -/
theorem T8_all_pairs (hn : 2 ≤ n) {u : R} (hu : 0 < u) {lines : List Line} (wf : wellFormed n lines = true)
    (shape : allLines n lines = true) :
    ((∃ i j K W, checkTight n lines i j K W = true) ↔ Tight n hn (scaled u (numerators lines))) ∧
      ((∃ i j K W, checkNotTight n lines i j K W = true) ↔ ¬Tight n hn (scaled u (numerators lines))) :=
  all_iff hn hu wf shape

/-- **T8, pairs of chosen tokens**, with all columns of their rows. -/
theorem T8_chosen_pairs {u : R} (hu : 0 < u) {lines : List Line} (wf : wellFormed n lines = true)
    (shape : undivided lines = true)
    (two : ∃ i j, i < n ∧ j < n ∧ i ≠ j ∧ hasLine i lines = true ∧ hasLine j lines = true) :
    ((∃ i j K W, checkTight n lines i j K W = true) ↔
      TightOn (pairsOfLines n lines two) (scaled u (numerators lines))) ∧
    ((∃ i j K W, checkNotTight n lines i j K W = true) ↔
      ¬TightOn (pairsOfLines n lines two) (scaled u (numerators lines))) :=
  pairs_iff hu wf shape two

/-- **T8, renormalised rows**: each row divided by its sum. -/
theorem T8_renormalised (hn : 2 ≤ n) {lines : List Line} (wf : wellFormed n lines = true)
    (shape : allLinesDivided n lines = true) {A : Mat R} (hA : Renormalised n (numerators lines) A) :
    ((∃ i j K W, checkTight n lines i j K W = true) ↔ Tight n hn A) ∧
      ((∃ i j K W, checkNotTight n lines i j K W = true) ↔ ¬Tight n hn A) :=
  renormalised_iff hn wf shape hA

end Dobrushin.Statement

namespace Dobrushin.Statement

variable {R : Type u} [OrderedRing R] {n : Nat}
open OrderedRing

/-- **T1 without ½**, for every ordered ring, ℤ among them: `‖B_i - B_j‖₁ = 2s + t‖A_i - A_j‖₁ - 2 min(s, tu⁻) -
2 min(s, tv⁻)` for `B = sI + tA` with `s, t ≥ 0`. -/
theorem T1_doubled {s t : R} (hs : 0 ≤ s) (ht : 0 ≤ t) (A : Mat R) {i j : Nat} (hi : i < n) (hj : j < n)
    (hij : i ≠ j) :
    l1 n (mix s t A i) (mix s t A j) + (defect s t A i j + defect s t A i j) = (s + s) + t * l1 n (A i) (A j) :=
  l1_mix hs ht A hi hj hij

/-- **T2 and T3 without ½**, for every ordered ring: the largest `‖·‖₁` of `sI + tA` is at most `2s + t` times that
of `A`, with equality if and only if a pair that attains the latter is mutually self-dominant. -/
theorem T3_doubled {s t : R} (hs : 0 < s) (ht : 0 < t) (P : PairSet n) (A : Mat R) :
    let D := maxOver P fun i j => l1 n (A i) (A j)
    let D' := maxOver P fun i j => l1 n (mix s t A i) (mix s t A j)
    D' ≤ (s + s) + t * D ∧
      (D' = (s + s) + t * D ↔ ∃ i j, P.Mem i j ∧ l1 n (A i) (A j) = D ∧ SelfDominant A i j) :=
  max_l1_mix hs ht P A

/-- **T7, doubly exponential decay**: if `0 ≤ r_{l+1} ≤ c r_l³` then `r_L ≤ c^((3^L - 1)/2) r_0^(3^L)`. -/
theorem T7_doubly_exponential {r : Nat → R} {c : R} (hc : 0 ≤ c) (hr : ∀ l, 0 ≤ r l)
    (h : ∀ l, r (l + 1) ≤ c * (r l * r l * r l)) (L : Nat) :
    r L ≤ power c (collapseExponent L) * power (r 0) (threePow L) :=
  collapse_le hc hr h L

/-- The exponents are what they are called: `3^0 = 1`, `3^(L+1) = 3 · 3^L` and `2 · (3^L - 1)/2 + 1 = 3^L`. -/
theorem T7_exponents (L : Nat) : threePow 0 = 1 ∧ threePow (L + 1) = 3 * threePow L ∧
    2 * collapseExponent L + 1 = threePow L :=
  exponents_spec L

end Dobrushin.Statement

namespace Dobrushin.Statement

/-! ### nothing is vacuous -/

/-- **Over ℤ**, which has no half: T2 and T3 for `sI + tA` with positive integers `s` and `t`. -/
theorem N1_integers {n : Nat} {s t : Integer} (hs : 0 < s) (ht : 0 < t) (P : PairSet n) (A : Mat Integer) :
    let D := maxOver P fun i j => l1 n (A i) (A j)
    let D' := maxOver P fun i j => l1 n (mix s t A i) (mix s t A j)
    D' ≤ (s + s) + t * D ∧
      (D' = (s + s) + t * D ↔ ∃ i j, P.Mem i j ∧ l1 n (A i) (A j) = D ∧ SelfDominant A i j) :=
  T3_doubled hs ht P A

/-- **Over ℤ[½]**, which has one: some layers attain the bound, and some do not. -/
theorem N2_dyadic_rationals (hn : 2 ≤ 2) :
    (∃ A : Mat Dyadic, RowStochastic 2 A ∧ Tight 2 hn A) ∧ ∃ A : Mat Dyadic, RowStochastic 2 A ∧ ¬Tight 2 hn A :=
  tight_and_not_tight

/-- **The definitions compute**: for `A = [[1, 0], [½, ½]]`, `d(0,1) = κ(A) = ½`, `½(I + A) = [[1, 0], [¼, ¾]]` and
`κ(½(I + A)) = ¾`. -/
theorem N3_values (hn : 2 ≤ 2) :
    let A : Mat Dyadic := halves [[2, 0], [1, 1]]
    d 2 A 0 1 = half ∧ κ (allPairs 2 hn) A = half ∧
      κ (allPairs 2 hn) (rolloutFactor A) = half + half * half ∧
      rolloutFactor A 1 0 = half * half ∧ rolloutFactor A 1 1 = half + half * half :=
  values

/-! ### the false variants

Each replaces the right-hand side of the paper's theorem (or drops a hypothesis of T5) and is refuted by a
row-stochastic matrix of dyadic rationals of the smallest possible size. -/

/-- **False: strict self-dominance.** -/
theorem C1_strict_dominance_is_false :
    ¬∀ (n : Nat) (hn : 2 ≤ n) (A : Mat Dyadic), RowStochastic n A →
      (Tight n hn A ↔ ∃ i j, (allPairs n hn).Mem i j ∧
        (d n A i j = κ (allPairs n hn) A ∧ A j i < A i i ∧ A i j < A j j)) :=
  strict_dominance_is_false

/-- **False: every attaining pair is mutually self-dominant.** -/
theorem C2_every_attaining_pair_is_false :
    ¬∀ (n : Nat) (hn : 2 ≤ n) (A : Mat Dyadic), RowStochastic n A →
      (Tight n hn A ↔ ∀ i j, (allPairs n hn).Mem i j → (d n A i j = κ (allPairs n hn) A → SelfDominant A i j)) :=
  every_attaining_pair_is_false

/-- **False: one-sided dominance** of an attaining pair. -/
theorem C3_one_sided_dominance_is_false :
    ¬∀ (n : Nat) (hn : 2 ≤ n) (A : Mat Dyadic), RowStochastic n A →
      (Tight n hn A ↔ ∃ i j, (allPairs n hn).Mem i j ∧ (d n A i j = κ (allPairs n hn) A ∧ A j i ≤ A i i)) :=
  one_sided_dominance_is_false

/-- **False: mutual self-dominance of any pair**, attaining or not. -/
theorem C4_dominance_of_any_pair_is_false :
    ¬∀ (n : Nat) (hn : 2 ≤ n) (A : Mat Dyadic), RowStochastic n A →
      (Tight n hn A ↔ ∃ i j, (allPairs n hn).Mem i j ∧ SelfDominant A i j) :=
  dominance_of_any_pair_is_false

/-- **False: T3 with `i = j` allowed** (and so `n = 1`). -/
theorem C5_equal_indices_is_false :
    ¬∀ (n : Nat) (A : Mat Dyadic), 1 ≤ n → RowStochastic n A →
      let κ' (B : Mat Dyadic) : Dyadic := maxBelow n fun i => maxBelow n fun j => d n B i j
      (κ' (rolloutFactor A) = half * (1 + κ' A) ↔
        ∃ i, i < n ∧ ∃ j, j < n ∧ d n A i j = κ' A ∧ SelfDominant A i j) :=
  equal_indices_is_false

/-- **False: T5 without row-stochastic rows** in the left factor. -/
theorem C6_product_without_stochastic_rows_is_false :
    ¬∀ (n : Nat) (hn : 2 ≤ n) (A B : Mat Dyadic), (∀ i, i < n → ∀ k, k < n → 0 ≤ A i k) → RowStochastic n B →
      κ (allPairs n hn) (mul n A B) ≤ κ (allPairs n hn) A * κ (allPairs n hn) B :=
  product_without_stochastic_rows_is_false

/-- **These matrices are smallest**: for two tokens the variants C2, C3 and C4 are true, so three are needed. (C1 and
C6 have no pair with fewer than two tokens; C5 uses one.) -/
theorem C7_three_tokens_are_needed {R : Type u} [OrderedRing R] [Half R] (hn : 2 ≤ 2) {A : Mat R}
    (hA : RowStochastic 2 A) :
    (Tight 2 hn A ↔ ∀ i j, (allPairs 2 hn).Mem i j → (d 2 A i j = κ (allPairs 2 hn) A → SelfDominant A i j)) ∧
    (Tight 2 hn A ↔ ∃ i j, (allPairs 2 hn).Mem i j ∧ (d 2 A i j = κ (allPairs 2 hn) A ∧ A j i ≤ A i i)) ∧
    (Tight 2 hn A ↔ ∃ i j, (allPairs 2 hn).Mem i j ∧ SelfDominant A i j) :=
  variants_of_two hn hA

end Dobrushin.Statement
