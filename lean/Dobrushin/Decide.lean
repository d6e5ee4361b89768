import Dobrushin.Sum

/-!
# Statements on finitely many indices can be decided

Instances that let `decide` settle a concrete statement about a concrete matrix by evaluation.
-/

universe u

namespace Dobrushin
noncomputable section

/-- A statement on all indices below `n`. -/
instance decideAllBelow (n : Nat) (p : Nat → Prop) [dp : ∀ k, Decidable (p k)] : Decidable (∀ k, k < n → p k) :=
  match n with
  | 0 => isTrue fun k h => absurd h (Nat.not_lt_zero k)
  | n + 1 =>
    match decideAllBelow n p, dp n with
    | isTrue h, isTrue h' => isTrue fun k hk => (lt_or_eq_of_lt_succ hk).elim (h k) fun e => e ▸ h'
    | isFalse h, _ => isFalse fun h' => h fun k hk => h' k (lt_succ_of_lt hk)
    | _, isFalse h => isFalse fun h' => h (h' n (Nat.lt_succ_self n))

/-- A statement on some index below `n`. -/
instance decideSomeBelow (n : Nat) (p : Nat → Prop) [dp : ∀ k, Decidable (p k)] : Decidable (∃ k, k < n ∧ p k) :=
  match n with
  | 0 => isFalse fun ⟨k, h, _⟩ => Nat.not_lt_zero k h
  | n + 1 =>
    match decideSomeBelow n p, dp n with
    | isTrue h, _ => isTrue (have ⟨k, hk, hp⟩ := h; ⟨k, lt_succ_of_lt hk, hp⟩)
    | _, isTrue h => isTrue ⟨n, Nat.lt_succ_self n, h⟩
    | isFalse h, isFalse h' => isFalse fun ⟨k, hk, hp⟩ =>
        (lt_or_eq_of_lt_succ hk).elim (fun hk => h ⟨k, hk, hp⟩) fun e => h' (e ▸ hp)

/-- A statement on some pair of `P`. -/
instance decideSomePair {n : Nat} (P : PairSet n) (q : Nat → Nat → Prop) [∀ i j, Decidable (q i j)] :
    Decidable (∃ i j, P.Mem i j ∧ q i j) :=
  match (inferInstance : Decidable (∃ i, i < n ∧ ∃ j, j < n ∧ P.Mem i j ∧ q i j)) with
  | isTrue h => isTrue (have ⟨i, _, j, _, hq⟩ := h; ⟨i, j, hq⟩)
  | isFalse h => isFalse fun ⟨i, j, m, hq⟩ => h ⟨i, P.left_lt m, j, P.right_lt m, m, hq⟩

/-- A statement on all pairs of `P`. -/
instance decideAllPairs {n : Nat} (P : PairSet n) (q : Nat → Nat → Prop) [∀ i j, Decidable (q i j)] :
    Decidable (∀ i j, P.Mem i j → q i j) :=
  match (inferInstance : Decidable (∃ i j, P.Mem i j ∧ ¬q i j)) with
  | isTrue h => isFalse fun h' => have ⟨i, j, m, hq⟩ := h; hq (h' i j m)
  | isFalse h => isTrue fun i j m =>
    match (inferInstance : Decidable (q i j)) with
    | isTrue hq => hq
    | isFalse hq => absurd ⟨i, j, m, hq⟩ h

instance {R : Type u} [OrderedRing R] [∀ x y : R, Decidable (x ≤ y)] (A : Mat R) (i j : Nat) :
    Decidable (SelfDominant A i j) := (inferInstance : Decidable (A j i ≤ A i i ∧ A i j ≤ A j j))

instance {R : Type u} [OrderedRing R] [∀ x y : R, Decidable (x ≤ y)] [DecidableEq R] (n : Nat) (A : Mat R) :
    Decidable (RowStochastic n A) :=
  match (inferInstance : Decidable (∀ i, i < n → (∀ k, k < n → 0 ≤ A i k) ∧ sum n (A i) = 1)) with
  | isTrue h => isTrue fun i hi => ⟨(h i hi).1, (h i hi).2⟩
  | isFalse h => isFalse fun h' => h fun i hi => ⟨(h' i hi).nonneg, (h' i hi).total⟩

end
end Dobrushin
