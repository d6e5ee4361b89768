import Dobrushin.Paper
import Dobrushin.Certificate.Compare

/-!
# The checker is right, in both directions

There is a certificate of "tight" exactly if the map is tight, and one of "not tight" exactly if it is not; for all
pairs, for the pairs of chosen tokens, and for rows divided by their sums.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] [Half R] {u : R} {n : Nat} {P : PairSet n} {lines : List Line} {A : Mat R}
open OrderedRing

/-- T3 in the paper's form, for the pairs of `P`. -/
theorem tightOn_iff (P : PairSet n) (A : Mat R) :
    TightOn P A ↔ ∃ i j, P.Mem i j ∧ d n A i j = κ P A ∧ SelfDominant A i j := by
  show κ _ (rolloutFactor A) = half * (1 + _) ↔ _
  rw [κ_rolloutFactor, ← half_add_half_mul]
  exact κ_mix_eq_iff half_pos (sub_pos half_lt_one) P A

/-- `P` holds the pairs of different tokens that have a line. -/
def Covers (P : PairSet n) (lines : List Line) : Prop :=
  ∀ i j, P.Mem i j ↔ i ≠ j ∧ hasLine i lines = true ∧ hasLine j lines = true

/-- One of `(i,j)` and `(j,i)` is in order. -/
theorem ordered_pair {q : Nat → Nat → Prop} (cov : Covers P lines) (sym : ∀ i j, q i j → q j i)
    (h : ∃ i j, P.Mem i j ∧ q i j) : ∃ i j, i < j ∧ hasLine i lines = true ∧ hasLine j lines = true ∧ q i j := by
  have ⟨i, j, m, hq⟩ := h
  have ⟨ne, hi, hj⟩ := (cov i j).mp m
  cases Nat.lt_or_ge i j with
  | inl less => exact ⟨i, j, less, hi, hj, hq⟩
  | inr le =>
    cases Nat.eq_or_lt_of_le le with
    | inl e => exact absurd e.symm ne
    | inr less => exact ⟨j, i, less, hj, hi, sym i j hq⟩

theorem mem_of_less (cov : Covers P lines) {i j : Nat} (less : i < j) (hi : hasLine i lines = true)
    (hj : hasLine j lines = true) : P.Mem i j :=
  (cov i j).mpr ⟨fun e => by rw [e] at less; exact Nat.lt_irrefl j less, hi, hj⟩

theorem isWitness_iff {i j K W : Nat} : isWitness lines i j K W = true ↔
    i < j ∧ hasLine i lines = true ∧ hasLine j lines = true ∧ gap (lineOf i lines) (lineOf j lines) = K ∧
      (lineOf i lines).weight * (lineOf j lines).weight = W :=
  ⟨fun h =>
    have ⟨h1, h⟩ := cond_false.mp h
    have ⟨h2, h⟩ := cond_false.mp h
    have ⟨h3, h⟩ := cond_false.mp h
    have ⟨h4, h5⟩ := cond_false.mp h
    ⟨ble_iff.mp h1, h2, h3, beq_iff.mp h4, beq_iff.mp h5⟩,
  fun ⟨h1, h2, h3, h4, h5⟩ => cond_false.mpr ⟨ble_iff.mpr h1, cond_false.mpr ⟨h2, cond_false.mpr ⟨h3,
    cond_false.mpr ⟨beq_iff.mpr h4, beq_iff.mpr h5⟩⟩⟩⟩⟩

/-- **T8, tight.** -/
theorem exists_checkTight_iff (hu : 0 < u) (wf : wellFormed n lines = true) (cov : Covers P lines)
    (hA : Represents n lines u A) : (∃ i j K W, checkTight n lines i j K W = true) ↔ TightOn P A := by
  refine Iff.trans ?_ (tightOn_iff P A).symm
  have pairs {p : Line → Line → Bool} := everyPair_iff (p := p) (of_wellFormed wf).2
  constructor
  · intro ⟨i, j, K, W, h⟩
    have ⟨_, h⟩ := cond_false.mp h
    have ⟨wit, h⟩ := cond_false.mp h
    have ⟨dom, all⟩ := cond_false.mp h
    have ⟨less, hi, hj, eK, eW⟩ := isWitness_iff.mp wit
    rw [← eK, ← eW] at all
    have m := mem_of_less cov less hi hj
    refine ⟨i, j, m, le_antisymm _ _ (d_le_κ P A m) ?_, (selfDominant_iff hu wf hA hi hj).mpr dom⟩
    have sym (a b : Nat) (h : d n A a b = κ P A) : d n A b a = κ P A := (d_comm n A b a).trans h
    have ⟨a, b, less', ha, hb, e⟩ := ordered_pair cov sym (κ_attained P A)
    rw [← e]
    exact (d_le_iff hu wf hA ha hb hi hj).mpr (pairs.mp all a b less' ha hb)
  · intro h
    have sym (a b : Nat) (h : d n A a b = κ P A ∧ SelfDominant A a b) : d n A b a = κ P A ∧ SelfDominant A b a :=
      ⟨(d_comm n A b a).trans h.1, h.2.2, h.2.1⟩
    have ⟨i, j, less, hi, hj, e, dom⟩ := ordered_pair cov sym h
    refine ⟨i, j, _, _, cond_false.mpr ⟨wf, cond_false.mpr ⟨isWitness_iff.mpr ⟨less, hi, hj, rfl, rfl⟩,
      cond_false.mpr ⟨(selfDominant_iff hu wf hA hi hj).mp dom, pairs.mpr fun a b less' ha hb => ?_⟩⟩⟩⟩
    refine (d_le_iff hu wf hA ha hb hi hj).mp ?_
    rw [e]
    exact d_le_κ P A (mem_of_less cov less' ha hb)

theorem misses_iff {K W : Nat} {l l' : Line} : misses K W l l' = true ↔
    within K W l l' = true ∧ (K * (l.weight * l'.weight) ≤ gap l l' * W → dominant l l' = false) := by
  have e : misses K W l l' = cond (Nat.ble (gap l l' * W + 1) (K * (l.weight * l'.weight))) true
    (cond (within K W l l') (cond (dominant l l') false true) false) := rfl
  rw [e]
  cases strict : Nat.ble (gap l l' * W + 1) (K * (l.weight * l'.weight)) with
  | true =>
    have less : gap l l' * W + 1 ≤ K * (l.weight * l'.weight) := ble_iff.mp strict
    exact ⟨fun _ => ⟨ble_iff.mpr (Nat.le_trans (Nat.le_succ _) less),
      fun h => absurd (Nat.le_trans less h) (Nat.lt_irrefl _)⟩, fun _ => rfl⟩
  | false =>
    refine Iff.trans (b := within K W l l' = true ∧ cond (dominant l l') false true = true) cond_false ?_
    have reached (_ : within K W l l' = true) : K * (l.weight * l'.weight) ≤ gap l l' * W :=
      (Nat.lt_or_ge (gap l l' * W) (K * (l.weight * l'.weight))).elim
        (fun h => by rw [ble_iff.mpr h] at strict; exact nomatch strict) id
    cases dominant l l' with
    | true => exact ⟨fun h => Bool.noConfusion h.2, fun h => Bool.noConfusion (h.2 (reached h.1))⟩
    | false => exact ⟨fun h => ⟨h.1, fun _ => rfl⟩, fun h => ⟨h.1, rfl⟩⟩

/-- **T8, not tight.** -/
theorem exists_checkNotTight_iff (hu : 0 < u) (wf : wellFormed n lines = true) (cov : Covers P lines)
    (hA : Represents n lines u A) : (∃ i j K W, checkNotTight n lines i j K W = true) ↔ ¬TightOn P A := by
  have pairs {p : Line → Line → Bool} := everyPair_iff (p := p) (of_wellFormed wf).2
  constructor
  · intro ⟨i, j, K, W, h⟩ tight
    have ⟨_, h⟩ := cond_false.mp h
    have ⟨wit, all⟩ := cond_false.mp h
    have ⟨less, hi, hj, eK, eW⟩ := isWitness_iff.mp wit
    rw [← eK, ← eW] at all
    have sym (a b : Nat) (h : d n A a b = κ P A ∧ SelfDominant A a b) : d n A b a = κ P A ∧ SelfDominant A b a :=
      ⟨(d_comm n A b a).trans h.1, h.2.2, h.2.1⟩
    have ⟨a, b, less', ha, hb, e, dom⟩ := ordered_pair cov sym ((tightOn_iff P A).mp tight)
    have le : d n A i j ≤ d n A a b := by rw [e]; exact d_le_κ P A (mem_of_less cov less hi hj)
    have reached := ble_iff.mp ((d_le_iff hu wf hA hi hj ha hb).mp le)
    have no := (misses_iff.mp (pairs.mp all a b less' ha hb)).2 reached
    rw [(selfDominant_iff hu wf hA ha hb).mp dom] at no
    exact Bool.noConfusion no
  · intro h
    have sym (a b : Nat) (h : d n A a b = κ P A) : d n A b a = κ P A := (d_comm n A b a).trans h
    have ⟨i, j, less, hi, hj, e⟩ := ordered_pair cov sym (κ_attained P A)
    refine ⟨i, j, _, _, cond_false.mpr ⟨wf, cond_false.mpr ⟨isWitness_iff.mpr ⟨less, hi, hj, rfl, rfl⟩,
      pairs.mpr fun a b less' ha hb => misses_iff.mpr ⟨?_, fun reached => ?_⟩⟩⟩⟩
    · refine (d_le_iff hu wf hA ha hb hi hj).mp ?_
      rw [e]
      exact d_le_κ P A (mem_of_less cov less' ha hb)
    · have m := mem_of_less cov less' ha hb
      have le : d n A i j ≤ d n A a b := (d_le_iff hu wf hA hi hj ha hb).mpr (ble_iff.mpr reached)
      rw [e] at le
      cases dom : dominant (lineOf a lines) (lineOf b lines) with
      | false => rfl
      | true => exact absurd ((tightOn_iff P A).mpr ⟨a, b, m, le_antisymm _ _ (d_le_κ P A m) le,
          (selfDominant_iff hu wf hA ha hb).mpr dom⟩) h

end Dobrushin
