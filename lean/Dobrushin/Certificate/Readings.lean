import Dobrushin.Certificate.Correct

/-!
# The three readings of a map, and what a certificate of each proves

All tokens, or chosen tokens as a matrix of their own: `all…`. Pairs of chosen tokens, with all columns: `pairs…`.
Chosen tokens, each row divided by its sum: `renormalised…`. Certificates end in one of the last six theorems.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] {u : R} {n : Nat} {lines : List Line} {i j K W : Nat} {A : Mat R}

theorem represents_scaled (h : undivided lines = true) : Represents n lines u (scaled u (numerators lines)) := by
  intro a k ha _
  rw [beq_iff.mp (of_everyLine h ha)]
  exact times_one _

theorem token_lt (wf : wellFormed n lines = true) {a : Nat} (ha : hasLine a lines = true) : a < n := by
  have h := (lineOk_iff.mp ((of_wellFormed wf).1 a ha)).2.2.2
  rw [token_lineOf] at h
  exact h

theorem represents_renormalised (wf : wellFormed n lines = true) (h : dividedByTotals lines = true)
    (hA : Renormalised n (numerators lines) A) : Represents n lines 1 A := by
  intro a k ha hk
  rw [beq_iff.mp (of_everyLine h ha), total_of_ok ((of_wellFormed wf).1 a ha)]
  exact hA a k (token_lt wf ha) hk

theorem covers_all (hn : 2 ≤ n) (wf : wellFormed n lines = true) (h : consecutive n 0 lines = true) :
    Covers (allPairs n hn) lines := fun _ _ =>
  ⟨fun ⟨ha, hb, ne⟩ => ⟨ne, hasLine_of_consecutive h (Nat.zero_le _) ha, hasLine_of_consecutive h (Nat.zero_le _) hb⟩,
    fun ⟨ne, ha, hb⟩ => ⟨token_lt wf ha, token_lt wf hb, ne⟩⟩

theorem covers_pairs (wf : wellFormed n lines = true)
    (two : ∃ i j, i < n ∧ j < n ∧ i ≠ j ∧ hasLine i lines = true ∧ hasLine j lines = true) :
    Covers (pairsOfLines n lines two) lines := fun _ _ =>
  ⟨fun ⟨_, _, ne, ha, hb⟩ => ⟨ne, ha, hb⟩, fun ⟨ne, ha, hb⟩ => ⟨token_lt wf ha, token_lt wf hb, ne, ha, hb⟩⟩

variable [Half R]

/-! ### both directions -/

theorem all_iff (hn : 2 ≤ n) (hu : 0 < u) (wf : wellFormed n lines = true) (shape : allLines n lines = true) :
    ((∃ i j K W, checkTight n lines i j K W = true) ↔ Tight n hn (scaled u (numerators lines))) ∧
      ((∃ i j K W, checkNotTight n lines i j K W = true) ↔ ¬Tight n hn (scaled u (numerators lines))) :=
  have ⟨h1, h2⟩ := cond_false.mp shape
  ⟨exists_checkTight_iff hu wf (covers_all hn wf h1) (represents_scaled h2),
    exists_checkNotTight_iff hu wf (covers_all hn wf h1) (represents_scaled h2)⟩

theorem pairs_iff (hu : 0 < u) (wf : wellFormed n lines = true) (shape : undivided lines = true)
    (two : ∃ i j, i < n ∧ j < n ∧ i ≠ j ∧ hasLine i lines = true ∧ hasLine j lines = true) :
    ((∃ i j K W, checkTight n lines i j K W = true) ↔
      TightOn (pairsOfLines n lines two) (scaled u (numerators lines))) ∧
    ((∃ i j K W, checkNotTight n lines i j K W = true) ↔
      ¬TightOn (pairsOfLines n lines two) (scaled u (numerators lines))) :=
  ⟨exists_checkTight_iff hu wf (covers_pairs wf two) (represents_scaled shape),
    exists_checkNotTight_iff hu wf (covers_pairs wf two) (represents_scaled shape)⟩

theorem renormalised_iff (hn : 2 ≤ n) (wf : wellFormed n lines = true) (shape : allLinesDivided n lines = true)
    (hA : Renormalised n (numerators lines) A) :
    ((∃ i j K W, checkTight n lines i j K W = true) ↔ Tight n hn A) ∧
      ((∃ i j K W, checkNotTight n lines i j K W = true) ↔ ¬Tight n hn A) :=
  have ⟨h1, h2⟩ := cond_false.mp shape
  ⟨exists_checkTight_iff OrderedRing.zero_lt_one wf (covers_all hn wf h1) (represents_renormalised wf h2 hA),
    exists_checkNotTight_iff OrderedRing.zero_lt_one wf (covers_all hn wf h1) (represents_renormalised wf h2 hA)⟩

/-! ### what certificates use -/

theorem all_tight {hn : 2 ≤ n} (i j K W : Nat) (shape : allLines n lines = true)
    (h : checkTight n lines i j K W = true) (hu : 0 < u) : Tight n hn (scaled u (numerators lines)) :=
  (all_iff hn hu (cond_false.mp h).1 shape).1.mp ⟨i, j, K, W, h⟩

theorem all_not_tight {hn : 2 ≤ n} (i j K W : Nat) (shape : allLines n lines = true)
    (h : checkNotTight n lines i j K W = true) (hu : 0 < u) : ¬Tight n hn (scaled u (numerators lines)) :=
  (all_iff hn hu (cond_false.mp h).1 shape).2.mp ⟨i, j, K, W, h⟩

theorem pairs_tight {two} (i j K W : Nat) (shape : undivided lines = true) (h : checkTight n lines i j K W = true)
    (hu : 0 < u) : TightOn (pairsOfLines n lines two) (scaled u (numerators lines)) :=
  (pairs_iff hu (cond_false.mp h).1 shape two).1.mp ⟨i, j, K, W, h⟩

theorem pairs_not_tight {two} (i j K W : Nat) (shape : undivided lines = true)
    (h : checkNotTight n lines i j K W = true) (hu : 0 < u) :
    ¬TightOn (pairsOfLines n lines two) (scaled u (numerators lines)) :=
  (pairs_iff hu (cond_false.mp h).1 shape two).2.mp ⟨i, j, K, W, h⟩

theorem renormalised_tight {hn : 2 ≤ n} (i j K W : Nat) (shape : allLinesDivided n lines = true)
    (h : checkTight n lines i j K W = true) (hA : Renormalised n (numerators lines) A) : Tight n hn A :=
  (renormalised_iff hn (cond_false.mp h).1 shape hA).1.mp ⟨i, j, K, W, h⟩

theorem renormalised_not_tight {hn : 2 ≤ n} (i j K W : Nat) (shape : allLinesDivided n lines = true)
    (h : checkNotTight n lines i j K W = true) (hA : Renormalised n (numerators lines) A) : ¬Tight n hn A :=
  (renormalised_iff hn (cond_false.mp h).1 shape hA).2.mp ⟨i, j, K, W, h⟩

end Dobrushin
