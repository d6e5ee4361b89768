import Dobrushin.Certificate

/-!
# What certificates speak of

The numbers of a map as a certificate stores them, and the two readings of "restricted to content tokens" that
`Tight` does not cover: pairs of chosen tokens, and rows divided by their sums.
-/

universe u

namespace Dobrushin
noncomputable section

/-- Natural numbers in order, eight at a time (the kernel gets through them several times faster than through a
list); zeros fill up the last eight. -/
inductive Row where
  | nil
  | more (a b c d e f g h : Nat) (rest : Row)

/-- The numbers of a row as a list. -/
def Row.list : Row → List Nat
  | .nil => []
  | .more a b c d e f g h rest => a :: b :: c :: d :: e :: f :: g :: h :: rest.list

/-- One row of a map: the token that it belongs to, its numerators, their total, and the `weight` that they are
divided by: the entries of the map are `numerator / weight`, up to a common unit. -/
structure Line where
  token : Nat
  weight : Nat
  total : Nat
  row : Row

/-- Is there a line of token `i`? -/
def hasLine (i : Nat) : List Line → Bool
  | [] => false
  | l :: lines => cond (Nat.beq l.token i) true (hasLine i lines)

/-- The line of token `i`; an empty one if there is none. -/
def lineOf (i : Nat) : List Line → Line
  | [] => ⟨i, 1, 0, .nil⟩
  | l :: lines => cond (Nat.beq l.token i) l (lineOf i lines)

/-- The matrix of the numerators. -/
def numerators (lines : List Line) : Nat → Nat → Nat := fun i k => ofRows.entry (lineOf i lines).row.list k

variable {R : Type u} [OrderedRing R]

/-- `Tight` for the pairs of `P` only: `κ_P(½(I + A)) = ½(1 + κ_P(A))`. -/
def TightOn [Half R] {n : Nat} (P : PairSet n) (A : Mat R) : Prop := κ P (rolloutFactor A) = half * (1 + κ P A)

/-- The pairs of two different tokens that both have a line; `h` names one. -/
def pairsOfLines (n : Nat) (lines : List Line)
    (h : ∃ i j, i < n ∧ j < n ∧ i ≠ j ∧ hasLine i lines = true ∧ hasLine j lines = true) : PairSet n where
  Mem i j := i < n ∧ j < n ∧ i ≠ j ∧ hasLine i lines = true ∧ hasLine j lines = true
  decidable _ _ := inferInstance
  left_lt m := m.1
  right_lt m := m.2.1
  ne m := m.2.2.1
  nonempty := h

/-- `A` is the matrix `M` with each row divided by its sum: `A_ik · Σ_l M_il = M_ik`. -/
def Renormalised (n : Nat) (M : Nat → Nat → Nat) (A : Mat R) : Prop :=
  ∀ i k, i < n → k < n → times (A i k) (natSum n (M i)) = times 1 (M i k)

end
end Dobrushin
