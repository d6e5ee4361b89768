/-
The few further declarations of core that the development uses, now with notation
(core has them in `Init.Prelude`, `Init.Core`, `Init.Data.Nat.Basic` and `Init.Data.List.Basic`).
-/
prelude
import Init.Notation
set_option linter.all false
universe u v w

/-! ### coercions: only so that type mismatches are reported readably -/

class CoeT (α : Sort u) (_ : α) (β : Sort v) where
  coe : β
attribute [coe_decl] CoeT.coe
class CoeFun (α : Sort u) (γ : outParam (α → Sort v)) where
  coe : (f : α) → γ f
class CoeSort (α : Sort u) (β : outParam (Sort v)) where
  coe : α → β

/-! ### numerals -/

instance (priority := 300) Zero.toOfNat0 {α : Type u} [h : Zero α] : OfNat α (nat_lit 0) where
  ofNat := h.1
instance (priority := 200) Zero.ofOfNat0 {α : Type u} [OfNat α (nat_lit 0)] : Zero α where
  zero := 0
instance (priority := 300) One.toOfNat1 {α : Type u} [h : One α] : OfNat α (nat_lit 1) where
  ofNat := h.1
instance (priority := 200) One.ofOfNat1 {α : Type u} [OfNat α (nat_lit 1)] : One α where
  one := 1

/-! ### logic -/

@[reducible] def Ne {α : Sort u} (a b : α) : Prop := ¬(a = b)
theorem trivial : True := ⟨⟩
theorem Ne.symm {α : Sort u} {a b : α} (h : a ≠ b) : b ≠ a := fun h₁ => h h₁.symm
protected theorem Iff.rfl {a : Prop} : a ↔ a := ⟨fun h => h, fun h => h⟩
theorem Iff.symm {a b : Prop} (h : a ↔ b) : b ↔ a := ⟨h.mpr, h.mp⟩
theorem Iff.trans {a b c : Prop} (h₁ : a ↔ b) (h₂ : b ↔ c) : a ↔ c :=
  ⟨fun ha => h₂.mp (h₁.mp ha), fun hc => h₁.mpr (h₂.mpr hc)⟩

/-! ### decidable propositions -/

@[implicit_reducible] noncomputable def Bool.beq (a b : Bool) : Bool :=
  match b with
  | false => not a
  | true => a
@[implicit_reducible] noncomputable def Bool.decEq (a b : Bool) : Decidable (a = b) where
  decide := a.beq b
  reflects_decide :=
    match a, b with
    | false, false => rfl
    | false, true => fun h => Bool.noConfusion h
    | true, false => fun h => Bool.noConfusion h
    | true, true => rfl
noncomputable instance : DecidableEq Bool := Bool.decEq

instance : Decidable True := isTrue trivial
instance : Decidable False := isFalse (fun h => h)
noncomputable instance {p q : Prop} [dp : Decidable p] [dq : Decidable q] : Decidable (And p q) where
  decide := and (decide p) (decide q)
  reflects_decide :=
    match dp, dq with
    | isTrue hp, isTrue hq => ⟨hp, hq⟩
    | isTrue _, isFalse hq => fun h => hq h.2
    | isFalse hp, _ => fun h => hp (And.left h)
noncomputable instance {p q : Prop} [dp : Decidable p] [dq : Decidable q] : Decidable (Or p q) where
  decide := or (decide p) (decide q)
  reflects_decide :=
    match dp, dq with
    | isTrue hp, _ => .inl hp
    | isFalse _, isTrue hq => .inr hq
    | isFalse hp, isFalse hq => fun h => h.elim hp hq
noncomputable instance {p : Prop} [dp : Decidable p] : Decidable (Not p) where
  decide := not (decide p)
  reflects_decide :=
    match dp with
    | isTrue hp => absurd hp
    | isFalse hp => hp

instance {p q : Prop} [Decidable p] [Decidable q] : Decidable (p → q) :=
  if hp : p then
    if hq : q then isTrue (fun _ => hq) else isFalse (fun h => absurd (h hp) hq)
  else isTrue (fun h => absurd h hp)
instance {p q : Prop} [Decidable p] [Decidable q] : Decidable (p ↔ q) :=
  if hp : p then
    if hq : q then isTrue ⟨fun _ => hq, fun _ => hp⟩ else isFalse fun h => hq (h.1 hp)
  else
    if hq : q then isFalse fun h => hp (h.2 hq) else isTrue ⟨fun h => absurd h hp, fun h => absurd h hq⟩

/-! ### if-then-else, natural numbers -/

theorem if_pos {c : Prop} {h : Decidable c} (hc : c) {α : Sort u} {t e : α} : (ite c t e) = t :=
  match h with
  | isTrue _ => rfl
  | isFalse hnc => absurd hc hnc
theorem if_neg {c : Prop} {h : Decidable c} (hnc : ¬c) {α : Sort u} {t e : α} : (ite c t e) = e :=
  match h with
  | isTrue hc => absurd hc hnc
  | isFalse _ => rfl

namespace Nat
theorem succ.inj {m n : Nat} (h : m.succ = n.succ) : m = n := congrArg Nat.pred h
protected theorem zero_add (n : Nat) : 0 + n = n := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg succ ih
theorem succ_add (n m : Nat) : succ n + m = succ (n + m) := by
  induction m with
  | zero => rfl
  | succ m ih => exact congrArg succ ih
protected theorem add_comm (n m : Nat) : n + m = m + n := by
  induction m with
  | zero => exact (Nat.zero_add n).symm
  | succ m ih => exact (congrArg succ ih).trans (succ_add m n).symm
protected theorem add_assoc (n m k : Nat) : (n + m) + k = n + (m + k) := by
  induction k with
  | zero => rfl
  | succ k ih => exact congrArg succ ih
end Nat
