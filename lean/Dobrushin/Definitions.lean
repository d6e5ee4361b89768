import Dobrushin.Ring

/-!
# Everything that the statements speak of

A reader who wants to know *what* is proved needs `Ring.lean` (the axioms of an ordered ring), this file, and
`Statement.lean`. Indices are natural numbers; "of size `n`" means that only the indices below `n` count.
-/

universe u

namespace Dobrushin
noncomputable section

variable {R : Type u} [OrderedRing R]

/-! ### numbers -/

/-- `|x|`. -/
def abs (x : R) : R := max x (-x)

/-- The negative part `x⁻ = max(-x, 0)`. -/
def negPart (x : R) : R := max (-x) 0

/-- `max(s, a, b) - min(s, a, b)`: how far three numbers are spread. -/
def spread (s a b : R) : R := max s (max a b) - min s (min a b)

/-- `f 0 + ... + f (n-1)`. -/
def sum : (n : Nat) → (f : Nat → R) → R
  | 0, _ => 0
  | n + 1, f => sum n f + f n

/-- The maximum of `0` and `f 0, ..., f (n-1)`. -/
def maxBelow : (n : Nat) → (f : Nat → R) → R
  | 0, _ => 0
  | n + 1, f => max (maxBelow n f) (f n)

/-- `f 0 * ... * f (n-1)`. -/
def prod : (n : Nat) → (f : Nat → R) → R
  | 0, _ => 1
  | n + 1, f => prod n f * f n

/-- `x` to the power `k`. -/
def power (x : R) : (k : Nat) → R
  | 0 => 1
  | k + 1 => power x k * x

/-- `3^L`. -/
def threePow : (L : Nat) → Nat
  | 0 => 1
  | L + 1 => threePow L + threePow L + threePow L

/-- `(3^L - 1)/2`, that is `1 + 3 + ... + 3^(L-1)`; see `Statement.T7_exponents`. -/
def collapseExponent : (L : Nat) → Nat
  | 0 => 0
  | L + 1 => collapseExponent L + collapseExponent L + collapseExponent L + 1

/-! ### matrices -/

/-- A matrix; entry `A i k` says how much token `i` attends to token `k`. -/
abbrev Mat (R : Type u) := Nat → Nat → R

/-- The identity matrix. -/
def identity : Mat R := fun i k => if i = k then 1 else 0

/-- The matrix product of matrices of size `n`. -/
def mul (n : Nat) (A B : Mat R) : Mat R := fun i k => sum n fun m => A i m * B m k

/-- The row vector `pB`. -/
def vecMul (n : Nat) (p : Nat → R) (B : Mat R) : Nat → R := fun j => sum n fun k => p k * B k j

/-- `p` is a probability distribution on the indices below `n`. -/
structure Distribution (n : Nat) (p : Nat → R) : Prop where
  nonneg : ∀ k, k < n → 0 ≤ p k
  total : sum n p = 1

/-- Every row of `A` is a probability distribution. -/
def RowStochastic (n : Nat) (A : Mat R) : Prop := ∀ i, i < n → Distribution n (A i)

/-- A causal map: no token attends to a later one. -/
def Causal (n : Nat) (A : Mat R) : Prop := ∀ i k, i < k → k < n → A i k = 0

/-- `sI + tA`. -/
def mix (s t : R) (A : Mat R) : Mat R := fun i k => s * identity i k + t * A i k

/-- The lazy factor `αI + (1-α)A` with residual weight `α`. -/
def lazy (α : R) (A : Mat R) : Mat R := mix α (1 - α) A

/-- The factor `½(I + A)` of attention rollout. -/
def rolloutFactor [Half R] (A : Mat R) : Mat R := fun i k => half * (identity i k + A i k)

/-- The rollout `B_{L-1} ⋯ B_1 B_0` of `L` layers; the first layer acts first, so it stands on the right. -/
def rollout (n : Nat) (B : Nat → Mat R) : (L : Nat) → Mat R
  | 0 => identity
  | L + 1 => mul n (B L) (rollout n B L)

/-- The rollout of the layers `A_l` with residual weights `α_l`. -/
def attentionRollout (n : Nat) (α : Nat → R) (A : Nat → Mat R) (L : Nat) : Mat R :=
  rollout n (fun l => lazy (α l) (A l)) L

/-- What the rollout adds to the identity that passes through all residual connections: `R - (Π α_l) I`. -/
def remainder (n : Nat) (α : Nat → R) (A : Nat → Mat R) (L : Nat) : Mat R :=
  fun i k => attentionRollout n α A L i k - prod L α * identity i k

/-! ### total variation and the Dobrushin coefficient -/

/-- The distance `Σ_k |p_k - q_k|` of two rows, which needs no ½. -/
def l1 (n : Nat) (p q : Nat → R) : R := sum n fun k => abs (p k - q k)

/-- The total-variation distance `½ Σ_k |p_k - q_k|`. -/
def tv [Half R] (n : Nat) (p q : Nat → R) : R := half * l1 n p q

/-- The distance `d(i,j)` of the rows `i` and `j` of `A`. -/
def d [Half R] (n : Nat) (A : Mat R) (i j : Nat) : R := tv n (A i) (A j)

/-- A non-empty set of pairs of different indices below `n`. -/
structure PairSet (n : Nat) where
  Mem : Nat → Nat → Prop
  decidable : ∀ i j, Decidable (Mem i j)
  left_lt : ∀ {i j}, Mem i j → i < n
  right_lt : ∀ {i j}, Mem i j → j < n
  ne : ∀ {i j}, Mem i j → i ≠ j
  nonempty : ∃ i j, Mem i j

attribute [instance] PairSet.decidable

/-- All pairs `i ≠ j` of indices below `n`, for `n ≥ 2`. -/
def allPairs (n : Nat) (h : 2 ≤ n) : PairSet n where
  Mem i j := i < n ∧ j < n ∧ i ≠ j
  decidable _ _ := inferInstance
  left_lt m := m.1
  right_lt m := m.2.1
  ne m := m.2.2
  nonempty := ⟨0, 1, Nat.le_trans (Nat.le_succ 1) h, h, nofun⟩

/-- The largest `f i j ≥ 0` over the pairs of `P`. -/
def maxOver {n : Nat} (P : PairSet n) (f : Nat → Nat → R) : R :=
  maxBelow n fun i => maxBelow n fun j => if P.Mem i j then f i j else 0

/-- The Dobrushin coefficient `κ_P(A)`: the largest distance of two rows of `A`, over the pairs of `P`.
(That it is attained by a pair of `P` is `Statement.kappa_is_the_maximum`.) -/
def κ [Half R] {n : Nat} (P : PairSet n) (A : Mat R) : R := maxOver P (d n A)

/-! ### the condition, and how far a pair is from it -/

/-- `c` is the smallest `f i j` over the pairs of `P`. -/
structure IsMinimum {n : Nat} (P : PairSet n) (f : Nat → Nat → R) (c : R) : Prop where
  le : ∀ {i j}, P.Mem i j → c ≤ f i j
  attained : ∃ i j, P.Mem i j ∧ f i j = c

/-- Tokens `i` and `j` are mutually self-dominant: each attends to itself at least as much as the other attends
to it. -/
def SelfDominant (A : Mat R) (i j : Nat) : Prop := A j i ≤ A i i ∧ A i j ≤ A j j

/-- The layer attains the bound of the layerwise inequality, in the paper's form (`α = ½`, all pairs). -/
def Tight [Half R] (n : Nat) (hn : 2 ≤ n) (A : Mat R) : Prop :=
  κ (allPairs n hn) (rolloutFactor A) = half * (1 + κ (allPairs n hn) A)

/-- `min(s, t u⁻) + min(s, t v⁻)` with `u = A_ii - A_ji` and `v = A_jj - A_ij`: how much the pair `(i,j)` falls
short in `sI + tA`. -/
def defect (s t : R) (A : Mat R) (i j : Nat) : R :=
  min s (t * negPart (A i i - A j i)) + min s (t * negPart (A j j - A i j))

/-! ### matrices given by natural numbers -/

/-- `u + ... + u`, `k` times. -/
def times (u : R) : (k : Nat) → R
  | 0 => 0
  | k + 1 => times u k + u

/-- The matrix whose entries are multiples of `u`. With `u = 2^-k` these are matrices of floating-point numbers. -/
def scaled (u : R) (M : Nat → Nat → Nat) : Mat R := fun i k => times u (M i k)

/-- The entries of a matrix given by its rows; `0` outside. -/
def ofRows (rows : List (List Nat)) : Nat → Nat → Nat := fun i k => entry (row rows i) k
where
  row : List (List Nat) → Nat → List Nat
    | [], _ => []
    | r :: _, 0 => r
    | _ :: rows, i + 1 => row rows i
  entry : List Nat → Nat → Nat
    | [], _ => 0
    | a :: _, 0 => a
    | _ :: r, k + 1 => entry r k

/-- Two tokens that attend to each other only. -/
def swap : Mat R
  | 0, 1 => 1
  | 1, 0 => 1
  | _, _ => 0

end
end Dobrushin
