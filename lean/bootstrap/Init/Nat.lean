/-
The natural numbers, the arithmetic and order classes, and lists, as core's `Init.Prelude` declares them.

The kernel replaces the functions of `Nat` by fast arithmetic *by name*, whatever their definition
here says; they are therefore part of the trusted base and must be core's own (see `CHECKED.md`).
-/
prelude
import Init.Logic
set_option linter.all false
universe u v w

set_option genCtorIdx false in
inductive Nat where
  | zero : Nat
  | succ (n : Nat) : Nat

class OfNat (α : Type u) (_ : Nat) where
  ofNat : α
@[default_instance 100] instance instOfNatNat (n : Nat) : OfNat Nat n where
  ofNat := n

/-! ### classes behind the notation -/

class LE (α : Type u) where
  le : α → α → Prop
class LT (α : Type u) where
  lt : α → α → Prop
@[reducible] def GE.ge {α : Type u} [LE α] (a b : α) : Prop := LE.le b a
class Max (α : Type u) where
  max : α → α → α
export Max (max)
class Min (α : Type u) where
  min : α → α → α
export Min (min)
class Trans {α : Sort u_1} {β : Sort u_2} {γ : Sort u_3} (r : α → β → Sort u) (s : β → γ → Sort v)
    (t : outParam (α → γ → Sort w)) where
  trans {a : α} {b : β} {c : γ} : r a b → s b c → t a c
instance {α : Sort u_1} {γ : Sort u_2} (r : α → γ → Sort u) : Trans Eq r r where
  trans heq h' := heq ▸ h'
instance {α : Sort u_1} {β : Sort u_2} (r : α → β → Sort u) : Trans r Eq r where
  trans h' heq := heq ▸ h'
class HAdd (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAdd : α → β → γ
class HSub (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hSub : α → β → γ
class HMul (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hMul : α → β → γ
class Zero (α : Type u) where
  zero : α
class One (α : Type u) where
  one : α
class Add (α : Type u) where
  add : α → α → α
class Sub (α : Type u) where
  sub : α → α → α
class Mul (α : Type u) where
  mul : α → α → α
class Neg (α : Type u) where
  neg : α → α
@[default_instance] instance instHAdd {α : Type u} [Add α] : HAdd α α α where
  hAdd a b := Add.add a b
@[default_instance] instance instHSub {α : Type u} [Sub α] : HSub α α α where
  hSub a b := Sub.sub a b
@[default_instance] instance instHMul {α : Type u} [Mul α] : HMul α α α where
  hMul a b := Mul.mul a b

/-! ### arithmetic that the kernel accelerates -/

set_option bootstrap.genMatcherCode false in
@[extern "lean_nat_add", instance_reducible]
protected def Nat.add : (@& Nat) → (@& Nat) → Nat
  | a, Nat.zero => a
  | a, Nat.succ b => Nat.succ (Nat.add a b)
instance instAddNat : Add Nat where
  add := Nat.add
attribute [match_pattern] Nat.add Add.add HAdd.hAdd Neg.neg Mul.mul HMul.hMul

set_option bootstrap.genMatcherCode false in
@[extern "lean_nat_mul", instance_reducible]
protected def Nat.mul : (@& Nat) → (@& Nat) → Nat
  | _, 0 => 0
  | a, Nat.succ b => Nat.add (Nat.mul a b) a
instance instMulNat : Mul Nat where
  mul := Nat.mul

set_option bootstrap.genMatcherCode false in
@[extern "lean_nat_dec_eq"]
def Nat.beq : (@& Nat) → (@& Nat) → Bool
  | zero, zero => true
  | zero, succ _ => false
  | succ _, zero => false
  | succ n, succ m => beq n m

theorem Nat.eq_of_beq_eq_true : {n m : Nat} → Eq (beq n m) true → Eq n m
  | zero, zero, _ => rfl
  | zero, succ _, h => Bool.noConfusion h
  | succ _, zero, h => Bool.noConfusion h
  | succ n, succ m, h =>
    have : Eq (beq n m) true := h
    have : Eq n m := eq_of_beq_eq_true this
    this ▸ rfl
theorem Nat.ne_of_beq_eq_false : {n m : Nat} → Eq (beq n m) false → Not (Eq n m)
  | zero, zero, h₁, _ => Bool.noConfusion h₁
  | zero, succ _, _, h₂ => Nat.noConfusion h₂
  | succ _, zero, _, h₂ => Nat.noConfusion h₂
  | succ n, succ m, h₁, h₂ =>
    have : Eq (beq n m) false := h₁
    Nat.noConfusion h₂ (fun h₂ => absurd h₂ (ne_of_beq_eq_false this))

private theorem noConfusion_of_Nat.aux : (a : Nat) → (Nat.beq a a).rec (motive := fun _ => Prop) False True
  | Nat.zero => True.intro
  | Nat.succ n => noConfusion_of_Nat.aux n
theorem noConfusion_of_Nat {α : Sort u} (f : α → Nat) {a b : α} (h : Eq a b) :
    (Nat.beq (f a) (f b)).rec (motive := fun _ => Prop) False True :=
  congrArg f h ▸ noConfusion_of_Nat.aux (f a)

@[reducible, extern "lean_nat_dec_eq"]
protected def Nat.decEq (n m : @& Nat) : Decidable (Eq n m) where
  decide := beq n m
  reflects_decide :=
    match h : beq n m with
    | true => eq_of_beq_eq_true h
    | false => ne_of_beq_eq_false h
@[inline] instance : DecidableEq Nat := Nat.decEq

set_option bootstrap.genMatcherCode false in
@[extern "lean_nat_dec_le"]
def Nat.ble : @& Nat → @& Nat → Bool
  | zero, _ => true
  | succ _, zero => false
  | succ n, succ m => ble n m

attribute [gen_constructor_elims] Bool

/-! ### the order of the natural numbers -/

protected inductive Nat.le (n : Nat) : Nat → Prop
  | refl : Nat.le n n
  | step {m} : Nat.le n m → Nat.le n (succ m)
instance instLENat : LE Nat where
  le := Nat.le
@[implicit_reducible] protected def Nat.lt (n m : Nat) : Prop := Nat.le (succ n) m
instance instLTNat : LT Nat where
  lt := Nat.lt

theorem Nat.not_succ_le_zero (n : Nat) : LE.le (succ n) 0 → False :=
  have : ∀ m, Eq m 0 → LE.le (succ n) m → False := fun _ hm hle =>
    Nat.le.casesOn (motive := fun m _ => Eq m 0 → False) hle
      (fun h => Nat.noConfusion h) (fun _ h => Nat.noConfusion h) hm
  this 0 rfl
theorem Nat.not_lt_zero (n : Nat) : Not (LT.lt n 0) := not_succ_le_zero n
theorem Nat.zero_le : (n : Nat) → LE.le 0 n
  | zero => Nat.le.refl
  | succ n => Nat.le.step (zero_le n)
theorem Nat.succ_le_succ {n m : Nat} : LE.le n m → LE.le (succ n) (succ m)
  | Nat.le.refl => Nat.le.refl
  | Nat.le.step h => Nat.le.step (succ_le_succ h)
theorem Nat.zero_lt_succ (n : Nat) : LT.lt 0 (succ n) := succ_le_succ (zero_le n)
theorem Nat.le_succ_of_le {n m : Nat} (h : LE.le n m) : LE.le n (succ m) := Nat.le.step h
protected theorem Nat.le_trans {n m k : Nat} : LE.le n m → LE.le m k → LE.le n k
  | h, Nat.le.refl => h
  | h₁, Nat.le.step h₂ => Nat.le.step (Nat.le_trans h₁ h₂)
protected theorem Nat.lt_of_lt_of_le {n m k : Nat} : LT.lt n m → LE.le m k → LT.lt n k := Nat.le_trans
theorem Nat.le_succ (n : Nat) : LE.le n (succ n) := Nat.le.step Nat.le.refl
protected theorem Nat.le_refl (n : Nat) : LE.le n n := Nat.le.refl

set_option bootstrap.genMatcherCode false in
@[extern "lean_nat_pred", implicit_reducible]
def Nat.pred : (@& Nat) → Nat
  | 0 => 0
  | succ a => a
theorem Nat.pred_le_pred : {n m : Nat} → LE.le n m → LE.le (pred n) (pred m)
  | _, _, Nat.le.refl => Nat.le.refl
  | 0, succ _, Nat.le.step h => h
  | succ _, succ _, Nat.le.step h => Nat.le_trans (le_succ _) h
theorem Nat.le_of_succ_le_succ {n m : Nat} : LE.le (succ n) (succ m) → LE.le n m := pred_le_pred
protected theorem Nat.eq_or_lt_of_le : {n m : Nat} → LE.le n m → Or (Eq n m) (LT.lt n m)
  | zero, zero, _ => Or.inl rfl
  | zero, succ _, _ => Or.inr (Nat.succ_le_succ (Nat.zero_le _))
  | succ _, zero, h => absurd h (not_succ_le_zero _)
  | succ n, succ m, h =>
    have : LE.le n m := Nat.le_of_succ_le_succ h
    match Nat.eq_or_lt_of_le this with
    | Or.inl h => Or.inl (h ▸ rfl)
    | Or.inr h => Or.inr (succ_le_succ h)
protected theorem Nat.lt_or_ge (n m : Nat) : Or (LT.lt n m) (GE.ge n m) :=
  match m with
  | zero => Or.inr (zero_le n)
  | succ m =>
    match Nat.lt_or_ge n m with
    | Or.inl h => Or.inl (le_succ_of_le h)
    | Or.inr h =>
      match Nat.eq_or_lt_of_le h with
      | Or.inl h1 => Or.inl (h1 ▸ Nat.le_refl _)
      | Or.inr h1 => Or.inr h1
theorem Nat.not_succ_le_self : (n : Nat) → Not (LE.le (succ n) n)
  | 0 => not_succ_le_zero _
  | succ n => fun h => absurd (le_of_succ_le_succ h) (not_succ_le_self n)
protected theorem Nat.lt_irrefl (n : Nat) : Not (LT.lt n n) := Nat.not_succ_le_self n
theorem Nat.lt_succ_self (n : Nat) : LT.lt n (succ n) := Nat.le_refl (succ n)
protected theorem Nat.lt_of_le_of_lt {n m k : Nat} (h₁ : LE.le n m) (h₂ : LT.lt m k) : LT.lt n k :=
  Nat.le_trans (Nat.succ_le_succ h₁) h₂
protected theorem Nat.le_antisymm {n m : Nat} (h₁ : LE.le n m) (h₂ : LE.le m n) : Eq n m :=
  match h₁ with
  | Nat.le.refl => rfl
  | Nat.le.step h => absurd (Nat.lt_of_le_of_lt h h₂) (Nat.lt_irrefl n)
theorem Nat.le_of_ble_eq_true {n m : Nat} (h : Eq (Nat.ble n m) true) : LE.le n m :=
  match n, m with
  | 0, _ => Nat.zero_le _
  | succ _, succ _ => Nat.succ_le_succ (le_of_ble_eq_true h)
theorem Nat.ble_self_eq_true : (n : Nat) → Eq (Nat.ble n n) true
  | 0 => rfl
  | succ n => ble_self_eq_true n
theorem Nat.ble_succ_eq_true : {n m : Nat} → Eq (Nat.ble n m) true → Eq (Nat.ble n (succ m)) true
  | 0, _, _ => rfl
  | succ n, succ _, h => ble_succ_eq_true (n := n) h
theorem Nat.ble_eq_true_of_le {n m : Nat} (h : LE.le n m) : Eq (Nat.ble n m) true :=
  match h with
  | Nat.le.refl => Nat.ble_self_eq_true n
  | Nat.le.step h => Nat.ble_succ_eq_true (ble_eq_true_of_le h)
theorem Nat.not_le_of_not_ble_eq_true {n m : Nat} (h : Not (Eq (Nat.ble n m) true)) : Not (LE.le n m) :=
  fun h' => absurd (Nat.ble_eq_true_of_le h') h
@[extern "lean_nat_dec_le"]
instance Nat.decLe (n m : @& Nat) : Decidable (LE.le n m) where
  decide := ble n m
  reflects_decide :=
    match h : ble n m with
    | true => Nat.le_of_ble_eq_true h
    | false => Nat.not_le_of_not_ble_eq_true (fun h' => Bool.noConfusion (h'.symm.trans h))
@[extern "lean_nat_dec_lt"]
instance Nat.decLt (n m : @& Nat) : Decidable (LT.lt n m) := decLe (succ n) m

set_option bootstrap.genMatcherCode false in
@[extern "lean_nat_sub", instance_reducible]
protected def Nat.sub : (@& Nat) → (@& Nat) → Nat
  | a, 0 => a
  | a, succ b => pred (Nat.sub a b)

attribute [gen_constructor_elims] Nat

instance instSubNat : Sub Nat where
  sub := Nat.sub

/-! ### lists -/

inductive List (α : Type u) where
  | nil : List α
  | cons (head : α) (tail : List α) : List α
