/-
Logic and basic types, as core's `Init.Prelude` declares them (see `CHECKED.md`).
No notation exists yet at this point, so everything is spelt out: `Eq a b`, `And p q`, ...
-/
prelude
set_option linter.all false
universe u v w

/-! ### markers that the compiler looks for by name; being `unsafe`, no proof can use them -/

unsafe axiom lcErased : Type
unsafe axiom lcAny : Type
unsafe axiom lcVoid : Type
unsafe axiom lcProof {α : Prop} : α

set_option bootstrap.inductiveCheckResultingUniverse false in
inductive PUnit : Sort u where
  | unit : PUnit

/-! ### equality -/

inductive Eq {α : Sort u} : α → α → Prop where
  | refl (a : α) : Eq a a

abbrev Eq.ndrec.{u1, u2} {α : Sort u2} {a : α} {motive : α → Sort u1} (m : motive a) {b : α} (h : Eq a b) : motive b :=
  Eq.rec (motive := fun α _ => motive α) m h

inductive HEq : {α : Sort u} → α → {β : Sort u} → β → Prop where
  | refl (a : α) : HEq a a

inductive Bool : Type where
  | false : Bool
  | true : Bool

export Bool (false true)

@[inline, implicit_reducible] def id {α : Sort u} (a : α) : α := a

set_option checkBinderAnnotations false in
abbrev inferInstance {α : Sort u} [i : α] : α := i

abbrev Unit : Type := PUnit
@[match_pattern] abbrev Unit.unit : Unit := PUnit.unit

inductive True : Prop where
  | intro : True
inductive False : Prop

@[implicit_reducible] def Not (a : Prop) : Prop := a → False
@[macro_inline] def False.elim {C : Sort u} (h : False) : C := h.rec
@[macro_inline] def absurd {a : Prop} {b : Sort v} (h₁ : a) (h₂ : Not a) : b := (h₂ h₁).rec

@[match_pattern] def rfl {α : Sort u} {a : α} : Eq a a := Eq.refl a
theorem Eq.subst {α : Sort u} {motive : α → Prop} {a b : α} (h₁ : Eq a b) (h₂ : motive a) : motive b := Eq.ndrec h₂ h₁
theorem Eq.symm {α : Sort u} {a b : α} (h : Eq a b) : Eq b a := h ▸ rfl
abbrev Eq.ndrec_symm.{u1, u2} {α : Sort u2} {a : α} {motive : α → Sort u1} (m : motive a) {b : α} (h : Eq b a) : motive b :=
  h.symm.ndrec m
theorem Eq.trans {α : Sort u} {a b c : α} (h₁ : Eq a b) (h₂ : Eq b c) : Eq a c := h₂ ▸ h₁
@[macro_inline, implicit_reducible] def cast {α β : Sort u} (h : Eq α β) (a : α) : β := h.rec a
theorem congrArg {α : Sort u} {β : Sort v} {a₁ a₂ : α} (f : α → β) (h : Eq a₁ a₂) : Eq (f a₁) (f a₂) := h ▸ rfl
theorem congrFun {α : Sort u} {β : α → Sort v} {f g : (x : α) → β x} (h : Eq f g) (a : α) : Eq (f a) (g a) := h ▸ rfl
@[macro_inline] def Eq.mp {α β : Sort u} (h : Eq α β) (a : α) : β := h ▸ a
@[macro_inline] def Eq.mpr {α β : Sort u} (h : Eq α β) (b : β) : α := h ▸ b

init_quot

@[match_pattern] protected def HEq.rfl {α : Sort u} {a : α} : HEq a a := HEq.refl a
theorem eq_of_heq {α : Sort u} {a a' : α} (h : HEq a a') : Eq a a' :=
  have : (α β : Sort u) → (a : α) → (b : β) → HEq a b → (h : Eq α β) → Eq (cast h a) b :=
    fun _ _ _ _ h₁ => h₁.rec (fun _ => rfl)
  this α α a a' h rfl
theorem heq_of_eq {α : Sort u} {a a' : α} (h : Eq a a') : HEq a a' := Eq.subst h (HEq.refl a)

/-! ### products, connectives -/

structure Prod (α : Type u) (β : Type v) where
  mk ::
  fst : α
  snd : β
structure PProd (α : Sort u) (β : Sort v) where
  fst : α
  snd : β
structure And (a b : Prop) : Prop where
  intro ::
  left : a
  right : b
inductive Or (a b : Prop) : Prop where
  | inl (h : a) : Or a b
  | inr (h : b) : Or a b
theorem Or.elim {a b c : Prop} (h : Or a b) (left : a → c) (right : b → c) : c :=
  match h with
  | Or.inl h => left h
  | Or.inr h => right h
structure Iff (a b : Prop) : Prop where
  intro ::
  mp : a → b
  mpr : b → a
inductive Exists {α : Sort u} (p : α → Prop) : Prop where
  | intro (w : α) (h : p w) : Exists p
structure PULift.{r, s} (α : Sort s) : Sort (max s r 1) where
  up ::
  down : α

@[reducible] def optParam (α : Sort u) (default : α) : Sort u := α
@[reducible] def outParam (α : Sort u) : Sort u := α

/-- What an unfinished proof would use; the gates refuse it. -/
axiom sorryAx (α : Sort u) (synthetic : Bool) : α

/-! ### Booleans and decidable propositions -/

@[macro_inline, implicit_reducible] def cond {α : Sort u} (c : Bool) (x y : α) : α :=
  match c with
  | true => x
  | false => y

theorem Bool.ne_false_of_eq_true : {b : Bool} → Eq b true → Not (Eq b false)
  | true, _ => fun h => Bool.noConfusion h
  | false, h => Bool.noConfusion h
theorem Bool.ne_true_of_eq_false : {b : Bool} → Eq b false → Not (Eq b true)
  | true, h => Bool.noConfusion h
  | false, _ => fun h => Bool.noConfusion h

@[implicit_reducible] noncomputable def Bool.or (x y : Bool) : Bool := Bool.rec y true x
@[implicit_reducible] noncomputable def Bool.and (x y : Bool) : Bool := Bool.rec false y x
@[implicit_reducible] noncomputable def Bool.not (x : Bool) : Bool := Bool.rec true false x
export Bool (or and not)

abbrev Bool.Reflects : Bool → Prop → Prop
  | false, p => Not p
  | true, p => p

class Decidable (p : Prop) where
  intro ::
  decide : Bool
  reflects_decide (p) : decide.Reflects p

attribute [implicit_reducible] Decidable.decide

@[match_pattern] abbrev Decidable.isFalse {p : Prop} (h : Not p) : Decidable p := ⟨false, h⟩
@[match_pattern] abbrev Decidable.isTrue {p : Prop} (h : p) : Decidable p := ⟨true, h⟩

@[cases_eliminator, induction_eliminator, elab_as_elim]
abbrev Decidable.falseTrueCases {p : Prop} {motive : Decidable p → Sort u}
    (isFalse : ∀ h, motive (isFalse h)) (isTrue : ∀ h, motive (isTrue h)) (t : Decidable p) : motive t :=
  t.casesOn fun x => x.casesOn isFalse isTrue

export Decidable (isTrue isFalse decide)

abbrev DecidableRel {α : Sort u} {β : Sort v} (r : α → β → Prop) := (a : α) → (b : β) → Decidable (r a b)
abbrev DecidableEq (α : Sort u) := (a b : α) → Decidable (Eq a b)

theorem decide_eq_true {p : Prop} : [inst : Decidable p] → p → Eq (decide p) true
  | isTrue _, _ => rfl
  | isFalse h₁, h₂ => absurd h₂ h₁
theorem decide_eq_false {p : Prop} : [Decidable p] → Not p → Eq (decide p) false
  | isTrue h₁, h₂ => absurd h₁ h₂
  | isFalse _, _ => rfl
theorem of_decide_eq_true {p : Prop} [inst : Decidable p] : Eq (decide p) true → p := fun h =>
  match (generalizing := false) inst with
  | isTrue h₁ => h₁
  | isFalse h₁ => absurd h (Bool.ne_true_of_eq_false (decide_eq_false h₁))
@[macro_inline, implicit_reducible]
def dite {α : Sort u} (c : Prop) [h : Decidable c] (t : c → α) (e : Not c → α) : α :=
  h.decide.casesOn e t h.reflects_decide
@[macro_inline, implicit_reducible]
def ite {α : Sort u} (c : Prop) [h : Decidable c] (t e : α) : α := dite c (fun _ => t) (fun _ => e)
