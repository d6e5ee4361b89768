import Dobrushin.CertificateSound
import Dobrushin.Certificate.Check

/-!
# What the fast sums compute

`gap` is `Σ|x - y|` of the cross-multiplied rows: with `E = Σ max(x - y, 0)` and `E' = Σ max(y - x, 0)` we have
`E + Σy = E' + Σx`, so `E + E' + Σx = 2E + Σy`.
-/

namespace Dobrushin

open ofRows (entry)
open Normalise (semiring_eq)

/-! ### sums of natural numbers -/

theorem natSum_congr (n : Nat) {f g : Nat → Nat} (h : ∀ k, f k = g k) : natSum n f = natSum n g := by
  induction n with
  | zero => rfl
  | succ n ih =>
    show natSum n f + f n = natSum n g + g n
    rw [ih, h n]

theorem natSum_zero (n : Nat) : natSum n (fun _ => 0) = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => exact ih

theorem natSum_add (n : Nat) (f g : Nat → Nat) : natSum n (fun k => f k + g k) = natSum n f + natSum n g := by
  induction n with
  | zero => rfl
  | succ n ih =>
    show natSum n (fun k => f k + g k) + (f n + g n) = (natSum n f + f n) + (natSum n g + g n)
    rw [ih]
    exact semiring_eq [natSum n f, natSum n g, f n, g n]

theorem natSum_mul (n : Nat) (f : Nat → Nat) (c : Nat) : natSum n (fun k => f k * c) = natSum n f * c := by
  induction n with
  | zero => exact (natZeroMul c).symm
  | succ n ih =>
    show natSum n (fun k => f k * c) + f n * c = (natSum n f + f n) * c
    rw [ih]
    exact semiring_eq [natSum n f, f n, c]

/-- Taking off the first term instead of the last. -/
theorem natSum_first (n : Nat) (f : Nat → Nat) : natSum (n + 1) f = f 0 + natSum n fun k => f (k + 1) := by
  induction n with
  | zero => exact Nat.add_comm 0 (f 0)
  | succ n ih =>
    show natSum (n + 1) f + f (n + 1) = f 0 + (natSum n (fun k => f (k + 1)) + f (n + 1))
    rw [ih, Nat.add_assoc]

/-! ### sums along lists -/

/-- `Row.excess` along lists. -/
def listExcess (w w' : Nat) : List Nat → List Nat → Nat
  | [], _ => 0
  | a :: l, [] => a * w' + listExcess w w' l []
  | a :: l, b :: l' => (a * w' - b * w) + listExcess w w' l l'

theorem excess_eq (w w' : Nat) : (r r' : Row) → Row.excess w w' r r' = listExcess w w' r.list r'.list
  | .nil, _ => rfl
  | .more a b c d e f g h r, .nil => by
    show _ = listExcess w w' (a :: b :: c :: d :: e :: f :: g :: h :: r.list) []
    have ih : Row.excess w w' r .nil = listExcess w w' r.list [] := excess_eq w w' r .nil
    exact congrArg (fun x => a * w' + (b * w' + (c * w' + (d * w' + (e * w' + (f * w' + (g * w' + (h * w' + x)))))))) ih
  | .more a b c d e f g h r, .more a' b' c' d' e' f' g' h' r' => by
    show _ = listExcess w w' (a :: b :: c :: d :: e :: f :: g :: h :: r.list)
      (a' :: b' :: c' :: d' :: e' :: f' :: g' :: h' :: r'.list)
    exact congrArg (fun x => (a * w' - a' * w) + ((b * w' - b' * w) + ((c * w' - c' * w) + ((d * w' - d' * w)
      + ((e * w' - e' * w) + ((f * w' - f' * w) + ((g * w' - g' * w) + ((h * w' - h' * w) + x))))))))
      (excess_eq w w' r r')

/-- `Row.total` along a list. -/
def listTotal : List Nat → Nat
  | [] => 0
  | a :: l => a + listTotal l

theorem total_eq : (r : Row) → r.total = listTotal r.list
  | .nil => rfl
  | .more a b c d e f g h r => by
    show _ = listTotal (a :: b :: c :: d :: e :: f :: g :: h :: r.list)
    exact congrArg (fun x => a + (b + (c + (d + (e + (f + (g + (h + x)))))))) (total_eq r)

theorem zeroFrom_zero {a : Nat} {l : List Nat} (h : zeroFrom (a :: l) 0 = true) : a = 0 ∧ zeroFrom l 0 = true :=
  have h : cond (Nat.beq a 0) (zeroFrom l 0) false = true := h
  have ⟨h1, h2⟩ := cond_false.mp h
  ⟨beq_iff.mp h1, h2⟩

theorem listTotal_eq : {l : List Nat} → {n : Nat} → zeroFrom l n = true → listTotal l = natSum n (entry l)
  | [], n, _ => (natSum_zero n).symm
  | a :: l, 0, h => by
    have ⟨h1, h2⟩ := zeroFrom_zero h
    show a + listTotal l = 0
    rw [h1, listTotal_eq h2]
    rfl
  | a :: l, n + 1, h => by
    have h : zeroFrom l n = true := h
    rw [natSum_first]
    show a + listTotal l = a + natSum n (entry l)
    rw [listTotal_eq h]

theorem listExcess_eq (w w' : Nat) : {l l' : List Nat} → {n : Nat} → zeroFrom l n = true → zeroFrom l' n = true →
    listExcess w w' l l' = natSum n fun k => entry l k * w' - entry l' k * w
  | [], l', n, _, _ => by
    rw [natSum_congr n (g := fun _ => 0) fun k => ?_]
    · exact (natSum_zero n).symm
    · show 0 * w' - entry l' k * w = 0
      rw [natZeroMul, natZeroSub]
  | a :: l, [], 0, h, _ => by
    have ⟨h1, h2⟩ := zeroFrom_zero h
    show a * w' + listExcess w w' l [] = 0
    rw [h1, listExcess_eq w w' h2 (show zeroFrom [] 0 = true from rfl), natZeroMul]
    rfl
  | a :: l, [], n + 1, h, _ => by
    have h : zeroFrom l n = true := h
    rw [natSum_first]
    show a * w' + listExcess w w' l [] = (a * w' - 0 * w) + natSum n fun k => entry l k * w' - 0 * w
    rw [listExcess_eq w w' h (show zeroFrom [] n = true from rfl), natZeroMul]
    have e (k : Nat) : entry [] k * w = 0 := natZeroMul w
    exact congrArg (a * w' + ·) (natSum_congr n fun k => by rw [e])
  | a :: l, b :: l', 0, h, h' => by
    have ⟨h1, h2⟩ := zeroFrom_zero h
    have ⟨h1', h2'⟩ := zeroFrom_zero h'
    show (a * w' - b * w) + listExcess w w' l l' = 0
    rw [h1, h1', listExcess_eq w w' h2 h2', natZeroMul, natZeroMul]
    rfl
  | a :: l, b :: l', n + 1, h, h' => by
    have h : zeroFrom l n = true := h
    have h' : zeroFrom l' n = true := h'
    rw [natSum_first]
    show (a * w' - b * w) + listExcess w w' l l' = (a * w' - b * w) + natSum n fun k => entry l k * w' - entry l' k * w
    rw [listExcess_eq w w' h h']

/-! ### the distance of two lines -/

theorem lineOk_iff {n : Nat} {l : Line} : lineOk n l = true ↔
    1 ≤ l.weight ∧ l.row.total = l.total ∧ zeroFrom l.row.list n = true ∧ l.token < n :=
  ⟨fun h =>
    have ⟨h1, h⟩ := cond_false.mp h
    have ⟨h2, h⟩ := cond_false.mp h
    have ⟨h3, h4⟩ := cond_false.mp h
    ⟨ble_iff.mp h1, beq_iff.mp h2, h3, ble_iff.mp h4⟩,
  fun ⟨h1, h2, h3, h4⟩ =>
    cond_false.mpr ⟨ble_iff.mpr h1, cond_false.mpr ⟨beq_iff.mpr h2, cond_false.mpr ⟨h3, ble_iff.mpr h4⟩⟩⟩⟩

theorem total_of_ok {n : Nat} {l : Line} (h : lineOk n l = true) : l.total = natSum n (entry l.row.list) := by
  have ⟨_, h2, h3, _⟩ := lineOk_iff.mp h
  rw [← h2, total_eq, listTotal_eq h3]

/-- `Σ_k |x_k - y_k|` with the cross-multiplied numerators `x` and `y` of two lines. -/
def crossDistance (n : Nat) (l l' : Line) : Nat :=
  natSum n fun k => (entry l.row.list k * l'.weight - entry l'.row.list k * l.weight)
    + (entry l'.row.list k * l.weight - entry l.row.list k * l'.weight)

theorem gap_eq {n : Nat} {l l' : Line} (h : lineOk n l = true) (h' : lineOk n l' = true) :
    gap l l' = crossDistance n l l' := by
  let x k := entry l.row.list k * l'.weight
  let y k := entry l'.row.list k * l.weight
  let E := natSum n fun k => x k - y k
  let E' := natSum n fun k => y k - x k
  have ex : natSum n x = l.total * l'.weight := by rw [total_of_ok h]; exact natSum_mul n _ _
  have ey : natSum n y = l'.total * l.weight := by rw [total_of_ok h']; exact natSum_mul n _ _
  have e : E + natSum n y = natSum n x + E' := by
    rw [← natSum_add, ← natSum_add]
    exact natSum_congr n fun k => natSubAdd (x k) (y k)
  have e2 : 2 * E + natSum n y = (E + E') + natSum n x := by
    calc 2 * E + natSum n y = E + (E + natSum n y) := by rw [natSuccMul, natSuccMul, natZeroMul, Nat.zero_add, Nat.add_assoc]
      _ = E + (natSum n x + E') := by rw [e]
      _ = (E + E') + natSum n x := semiring_eq [E, E', natSum n x]
  have cancel : ((E + E') + natSum n x) - natSum n x = E + E' := by
    have c := natAddSubAdd (E + E') 0 (natSum n x)
    rw [Nat.zero_add] at c
    exact c
  show (2 * Row.excess l.weight l'.weight l.row l'.row + l'.total * l.weight) - l.total * l'.weight = crossDistance n l l'
  rw [excess_eq, listExcess_eq _ _ (lineOk_iff.mp h).2.2.1 (lineOk_iff.mp h').2.2.1, ← ex, ← ey]
  show (2 * E + natSum n y) - natSum n x = crossDistance n l l'
  rw [e2, cancel]
  exact (natSum_add n _ _).symm

end Dobrushin
