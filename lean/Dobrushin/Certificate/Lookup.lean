import Dobrushin.Certificate.Check
import Dobrushin.CertificateSound

/-!
# Lines and their tokens

If the tokens of the lines increase, a test of all pairs of lines is a test of all pairs of tokens `a < b`.
-/

namespace Dobrushin

variable {p : Line → Line → Bool} {q : Line → Bool} {lines : List Line} {l : Line} {a b : Nat}

theorem hasLine_cons : hasLine a (l :: lines) = true ↔ l.token = a ∨ hasLine a lines = true := by
  show cond (Nat.beq l.token a) true (hasLine a lines) = true ↔ _
  cases e : Nat.beq l.token a with
  | true => exact ⟨fun _ => .inl (beq_iff.mp e), fun _ => rfl⟩
  | false => exact ⟨.inr, fun h => h.elim (fun h => absurd h (Nat.ne_of_beq_eq_false e)) id⟩

theorem lineOf_head (h : l.token = a) : lineOf a (l :: lines) = l := by
  show cond (Nat.beq l.token a) l (lineOf a lines) = l
  rw [beq_iff.mpr h]
  rfl

theorem lineOf_tail (h : l.token ≠ a) : lineOf a (l :: lines) = lineOf a lines := by
  show cond (Nat.beq l.token a) l (lineOf a lines) = lineOf a lines
  cases e : Nat.beq l.token a with
  | true => exact absurd (beq_iff.mp e) h
  | false => rfl

theorem token_lineOf (a : Nat) : (lines : List Line) → (lineOf a lines).token = a
  | [] => rfl
  | l :: lines =>
    match Nat.decEq l.token a with
    | isTrue e => by rw [lineOf_head e]; exact e
    | isFalse ne => by rw [lineOf_tail ne]; exact token_lineOf a lines

theorem everyLine_cons : everyLine q (l :: lines) = true ↔ q l = true ∧ everyLine q lines = true := cond_false

theorem everyPair_cons : everyPair p (l :: lines) = true ↔ everyLine (p l) lines = true ∧ everyPair p lines = true :=
  cond_false

theorem of_everyLine : {lines : List Line} → everyLine q lines = true → hasLine a lines = true →
    q (lineOf a lines) = true
  | [], _, h => nomatch h
  | l :: lines, hq, h =>
    have ⟨h1, h2⟩ := everyLine_cons.mp hq
    match Nat.decEq l.token a with
    | isTrue e => by rw [lineOf_head e]; exact h1
    | isFalse ne => by rw [lineOf_tail ne]; exact of_everyLine h2 ((hasLine_cons.mp h).elim (fun e => absurd e ne) id)

/-- A test that increasing tokens `lines` pass line by line. -/
theorem everyLine_of : {lines : List Line} →
    everyPair (fun l l' => Nat.ble (Nat.succ l.token) l'.token) lines = true →
    (∀ a, hasLine a lines = true → q (lineOf a lines) = true) → everyLine q lines = true
  | [], _, _ => rfl
  | l :: lines, inc, h => by
    have ⟨first, inc'⟩ := everyPair_cons.mp inc
    refine everyLine_cons.mpr ⟨?_, everyLine_of inc' fun a ha => ?_⟩
    · have h1 := h l.token (hasLine_cons.mpr (.inl rfl))
      rw [lineOf_head rfl] at h1
      exact h1
    · have h1 := h a (hasLine_cons.mpr (.inr ha))
      have less : l.token < (lineOf a lines).token := ble_iff.mp (of_everyLine first ha)
      rw [token_lineOf] at less
      have ne : l.token ≠ a := fun e => by rw [e] at less; exact Nat.lt_irrefl a less
      rw [lineOf_tail ne] at h1
      exact h1

/-- All pairs of lines pass the test exactly if the lines of all tokens `a < b` do. -/
theorem everyPair_iff : {lines : List Line} →
    everyPair (fun l l' => Nat.ble (Nat.succ l.token) l'.token) lines = true →
    (everyPair p lines = true ↔ ∀ a b, a < b → hasLine a lines = true → hasLine b lines = true →
      p (lineOf a lines) (lineOf b lines) = true)
  | [], _ => ⟨fun _ _ _ _ h _ => Bool.noConfusion h, fun _ => rfl⟩
  | l :: lines, inc => by
    have ⟨first, inc'⟩ := everyPair_cons.mp inc
    have less {c : Nat} (hc : hasLine c lines = true) : l.token < c := by
      have h : l.token < (lineOf c lines).token := ble_iff.mp (of_everyLine first hc)
      rw [token_lineOf] at h
      exact h
    have later {c : Nat} (hc : hasLine c lines = true) : lineOf c (l :: lines) = lineOf c lines :=
      lineOf_tail fun e => by
        have h := less hc
        rw [e] at h
        exact Nat.lt_irrefl c h
    refine everyPair_cons.trans (Iff.intro (fun ⟨h1, h2⟩ a b hab ha hb => ?_) (fun h => And.intro ?_ ?_))
    · have hb' : hasLine b lines = true := (hasLine_cons.mp hb).elim (fun e => by
        cases hasLine_cons.mp ha with
        | inl e' => exact absurd hab (by rw [← e, ← e']; exact Nat.lt_irrefl _)
        | inr ha' =>
          have h := less ha'
          rw [e] at h
          exact absurd (Nat.lt_of_lt_of_le hab (Nat.le_trans (Nat.le_succ b) h)) (Nat.lt_irrefl a)) id
      rw [later hb']
      cases hasLine_cons.mp ha with
      | inl e => rw [lineOf_head e]; exact of_everyLine h1 hb'
      | inr ha' => rw [later ha']; exact (everyPair_iff inc').mp h2 a b hab ha' hb'
    · refine everyLine_of inc' fun b hb => ?_
      have h1 := h l.token b (less hb) (hasLine_cons.mpr (.inl rfl)) (hasLine_cons.mpr (.inr hb))
      rw [lineOf_head rfl, later hb] at h1
      exact h1
    · refine (everyPair_iff inc').mpr fun a b hab ha hb => ?_
      have h1 := h a b hab (hasLine_cons.mpr (.inr ha)) (hasLine_cons.mpr (.inr hb))
      rw [later ha, later hb] at h1
      exact h1

theorem of_wellFormed {n : Nat} (h : wellFormed n lines = true) :
    (∀ a, hasLine a lines = true → lineOk n (lineOf a lines) = true) ∧
      everyPair (fun l l' => Nat.ble (Nat.succ l.token) l'.token) lines = true :=
  have ⟨h1, h2⟩ := cond_false.mp h
  ⟨fun _ ha => of_everyLine h1 ha, h2⟩

theorem hasLine_of_consecutive {n : Nat} : {lines : List Line} → {k : Nat} → consecutive n k lines = true →
    ∀ {a : Nat}, k ≤ a → a < n → hasLine a lines = true
  | [], _, h, _, hk, ha => absurd (Nat.lt_of_lt_of_le ha ((beq_iff.mp h) ▸ hk)) (Nat.lt_irrefl _)
  | _ :: _, _, h, _, hk, ha =>
    have ⟨h1, h2⟩ := cond_false.mp h
    hasLine_cons.mpr ((Nat.eq_or_lt_of_le hk).elim (fun e => .inl ((beq_iff.mp h1).trans e))
      fun h' => .inr (hasLine_of_consecutive h2 h' ha))

end Dobrushin
