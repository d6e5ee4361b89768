import Dobrushin.Order

/-!
# Ordered rings from normal forms

ℤ and ℤ[½] are quotients: pairs `(a, b)` of natural numbers stand for `a - b`, pairs `(m, k)` for `m / 2^k`, and
different pairs stand for the same number. Instead of a quotient type, whose equality rests on
`Quot.sound`, we take those representatives that are in normal form. A `Model` lists what is needed: operations
and an order that satisfy the axioms up to the equivalence `same`, and a function `normal` that picks one
representative of every class.
-/

universe u

namespace Dobrushin

/-- An ordered ring up to an equivalence relation, with normal forms. -/
structure Model (α : Type u) where
  same : α → α → Prop
  le : α → α → Prop
  sameDec : ∀ x y, Decidable (same x y)
  leDec : ∀ x y, Decidable (le x y)
  normal : α → α
  zero : α
  one : α
  add : α → α → α
  neg : α → α
  mul : α → α → α
  refl : ∀ x, same x x
  symm : ∀ {x y}, same x y → same y x
  trans : ∀ {x y z}, same x y → same y z → same x z
  normal_same : ∀ x, same (normal x) x
  normal_eq : ∀ {x y}, same x y → normal x = normal y
  add_same : ∀ {x x' y y'}, same x x' → same y y' → same (add x y) (add x' y')
  neg_same : ∀ {x x'}, same x x' → same (neg x) (neg x')
  mul_same : ∀ {x x' y y'}, same x x' → same y y' → same (mul x y) (mul x' y')
  add_assoc : ∀ x y z, same (add (add x y) z) (add x (add y z))
  add_comm : ∀ x y, same (add x y) (add y x)
  zero_add : ∀ x, same (add zero x) x
  neg_add : ∀ x, same (add (neg x) x) zero
  mul_assoc : ∀ x y z, same (mul (mul x y) z) (mul x (mul y z))
  mul_comm : ∀ x y, same (mul x y) (mul y x)
  one_mul : ∀ x, same (mul one x) x
  mul_add : ∀ x y z, same (mul x (add y z)) (add (mul x y) (mul x z))
  le_of_same : ∀ {x y}, same x y → le x y
  le_trans : ∀ {x y z}, le x y → le y z → le x z
  le_antisymm : ∀ {x y}, le x y → le y x → same x y
  le_of_not_le : ∀ {x y}, ¬le x y → le y x
  add_le_add_left : ∀ {x y} (z), le x y → le (add z x) (add z y)
  mul_pos : ∀ {x y}, ¬le x zero → ¬le y zero → ¬le (mul x y) zero
  one_pos : ¬le one zero

namespace Model

noncomputable section
variable {α : Type u} (M : Model α)

/-- The representatives in normal form. -/
structure Carrier where
  val : α
  isNormal : M.normal val = val

variable {M}

/-- The number that `x` stands for. -/
def ofRep (x : α) : M.Carrier := ⟨M.normal x, M.normal_eq (M.normal_same x)⟩

theorem carrier_ext {a b : M.Carrier} (h : a.val = b.val) : a = b := match a, b, h with
  | ⟨_, _⟩, ⟨_, _⟩, rfl => rfl

theorem ofRep_eq {x y : α} (h : M.same x y) : (ofRep x : M.Carrier) = ofRep y := carrier_ext (M.normal_eq h)

theorem ofRep_val (a : M.Carrier) : ofRep a.val = a := carrier_ext a.isNormal

theorem val_ofRep (x : α) : M.same (ofRep x : M.Carrier).val x := M.normal_same x

theorem eq_of_same {a b : M.Carrier} (h : M.same a.val b.val) : a = b := by
  rw [← ofRep_val a, ← ofRep_val b, ofRep_eq h]

theorem ofRep_le {x y : α} : M.le (ofRep x : M.Carrier).val (ofRep y : M.Carrier).val ↔ M.le x y :=
  ⟨fun h => M.le_trans (M.le_of_same (M.symm (val_ofRep x))) (M.le_trans h (M.le_of_same (val_ofRep y))),
    fun h => M.le_trans (M.le_of_same (val_ofRep x)) (M.le_trans h (M.le_of_same (M.symm (val_ofRep y))))⟩

instance (x y : α) : Decidable (M.le x y) := M.leDec x y

instance : DecidableEq M.Carrier := fun a b =>
  match M.sameDec a.val b.val with
  | isTrue h => isTrue (eq_of_same h)
  | isFalse h => isFalse fun e => h (e ▸ M.refl a.val)

/-- The larger of two. -/
def larger (a b : M.Carrier) : M.Carrier := if M.le a.val b.val then b else a
/-- The smaller of two. -/
def smaller (a b : M.Carrier) : M.Carrier := if M.le a.val b.val then a else b

theorem larger_smaller (a b : M.Carrier) :
    (M.le a.val b.val ∧ larger a b = b ∧ smaller a b = a) ∨ (M.le b.val a.val ∧ larger a b = a ∧ smaller a b = b) :=
  match M.leDec a.val b.val with
  | isTrue h => .inl ⟨h, if_pos h, if_pos h⟩
  | isFalse h => .inr ⟨M.le_of_not_le h, if_neg h, if_neg h⟩

/-- The normal forms are an ordered ring. -/
instance orderedRing : OrderedRing M.Carrier where
  zero := ofRep M.zero
  one := ofRep M.one
  add a b := ofRep (M.add a.val b.val)
  neg a := ofRep (M.neg a.val)
  sub a b := ofRep (M.add a.val (M.neg b.val))
  mul a b := ofRep (M.mul a.val b.val)
  le a b := M.le a.val b.val
  lt a b := M.le a.val b.val ∧ ¬M.le b.val a.val
  max := larger
  min := smaller
  add_assoc a b c := ofRep_eq (M.trans (M.add_same (val_ofRep _) (M.refl _))
    (M.trans (M.add_assoc a.val b.val c.val) (M.symm (M.add_same (M.refl _) (val_ofRep _)))))
  add_comm a b := ofRep_eq (M.add_comm a.val b.val)
  zero_add a := (ofRep_eq (M.trans (M.add_same (val_ofRep _) (M.refl _)) (M.zero_add a.val))).trans (ofRep_val a)
  neg_add a := ofRep_eq (M.trans (M.add_same (val_ofRep _) (M.refl _)) (M.neg_add a.val))
  sub_eq _ _ := ofRep_eq (M.add_same (M.refl _) (M.symm (val_ofRep _)))
  mul_assoc a b c := ofRep_eq (M.trans (M.mul_same (val_ofRep _) (M.refl _))
    (M.trans (M.mul_assoc a.val b.val c.val) (M.symm (M.mul_same (M.refl _) (val_ofRep _)))))
  mul_comm a b := ofRep_eq (M.mul_comm a.val b.val)
  one_mul a := (ofRep_eq (M.trans (M.mul_same (val_ofRep _) (M.refl _)) (M.one_mul a.val))).trans (ofRep_val a)
  mul_add a b c := ofRep_eq (M.trans (M.mul_same (M.refl _) (val_ofRep _))
    (M.trans (M.mul_add a.val b.val c.val) (M.symm (M.add_same (val_ofRep _) (val_ofRep _)))))
  le_refl _ := M.le_of_same (M.refl _)
  le_trans _ _ _ := M.le_trans
  le_antisymm _ _ h h' := eq_of_same (M.le_antisymm h h')
  le_or_lt a b := match M.leDec a.val b.val with
    | isTrue h => .inl h
    | isFalse h => .inr ⟨M.le_of_not_le h, h⟩
  lt_iff _ _ := Iff.rfl
  add_le_add_left _ _ c h := ofRep_le.mpr (M.add_le_add_left c.val h)
  mul_pos a b ha hb := by
    have pos {x : α} (h : ¬M.le x (ofRep M.zero : M.Carrier).val) : ¬M.le x M.zero := fun h' =>
      h (M.le_trans h' (M.le_of_same (M.symm (val_ofRep M.zero))))
    have hab : ¬M.le (ofRep (M.mul a.val b.val) : M.Carrier).val (ofRep M.zero : M.Carrier).val := fun h =>
      M.mul_pos (pos ha.2) (pos hb.2) (ofRep_le.mp h)
    exact ⟨M.le_of_not_le hab, hab⟩
  zero_lt_one := by
    have h : ¬M.le (ofRep M.one : M.Carrier).val (ofRep M.zero : M.Carrier).val := fun h => M.one_pos (ofRep_le.mp h)
    exact ⟨M.le_of_not_le h, h⟩
  le_max_left a b := match larger_smaller a b with
    | .inl ⟨h, e, _⟩ => by show M.le a.val (larger a b).val; rw [e]; exact h
    | .inr ⟨_, e, _⟩ => by show M.le a.val (larger a b).val; rw [e]; exact M.le_of_same (M.refl _)
  le_max_right a b := match larger_smaller a b with
    | .inl ⟨_, e, _⟩ => by show M.le b.val (larger a b).val; rw [e]; exact M.le_of_same (M.refl _)
    | .inr ⟨h, e, _⟩ => by show M.le b.val (larger a b).val; rw [e]; exact h
  max_le a b c ha hb := match larger_smaller a b with
    | .inl ⟨_, e, _⟩ => by show M.le (larger a b).val c.val; rw [e]; exact hb
    | .inr ⟨_, e, _⟩ => by show M.le (larger a b).val c.val; rw [e]; exact ha
  min_le_left a b := match larger_smaller a b with
    | .inl ⟨_, _, e⟩ => by show M.le (smaller a b).val a.val; rw [e]; exact M.le_of_same (M.refl _)
    | .inr ⟨h, _, e⟩ => by show M.le (smaller a b).val a.val; rw [e]; exact h
  min_le_right a b := match larger_smaller a b with
    | .inl ⟨h, _, e⟩ => by show M.le (smaller a b).val b.val; rw [e]; exact h
    | .inr ⟨_, _, e⟩ => by show M.le (smaller a b).val b.val; rw [e]; exact M.le_of_same (M.refl _)
  le_min a b c ha hb := match larger_smaller a b with
    | .inl ⟨_, _, e⟩ => by show M.le c.val (smaller a b).val; rw [e]; exact ha
    | .inr ⟨_, _, e⟩ => by show M.le c.val (smaller a b).val; rw [e]; exact hb

theorem ofRep_add (x y : α) : (ofRep x + ofRep y : M.Carrier) = ofRep (M.add x y) :=
  ofRep_eq (M.add_same (val_ofRep x) (val_ofRep y))

instance (a b : M.Carrier) : Decidable (a ≤ b) := M.leDec a.val b.val
instance (a b : M.Carrier) : Decidable (a < b) := 
  (inferInstance : Decidable (M.le a.val b.val ∧ ¬M.le b.val a.val))

end
end Model
end Dobrushin
