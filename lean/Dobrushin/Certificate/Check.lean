import Dobrushin.Certificate.Lines

/-!
# The checker that the kernel runs

A certificate names a pair of tokens and claims that it attains `κ`. The checker compares the distance of every pair
with it. Two things make that fast in the kernel: rows are taken apart by their recursor, eight numbers a step, and a
sum `Σ|x - y|` is found from the one-sided `Σ max(x - y, 0)` and the two totals. Entries are `numerator / weight`, and
all comparisons are cross-multiplied, so there is no division.
-/

namespace Dobrushin
noncomputable section

/-- `Σ_k max(a_k w' - b_k w, 0)`. -/
def Row.excess (w w' : Nat) (r : Row) : Row → Nat :=
  Row.rec (motive := fun _ => Row → Nat) (fun _ => Nat.zero)
    (fun a b c d e f g h _ ih r' => Row.rec (motive := fun _ => Nat)
      (Nat.add (Nat.mul a w') (Nat.add (Nat.mul b w') (Nat.add (Nat.mul c w') (Nat.add (Nat.mul d w')
        (Nat.add (Nat.mul e w') (Nat.add (Nat.mul f w') (Nat.add (Nat.mul g w') (Nat.add (Nat.mul h w')
        (ih .nil)))))))))
      (fun a' b' c' d' e' f' g' h' rest' _ =>
        Nat.add (Nat.sub (Nat.mul a w') (Nat.mul a' w)) (Nat.add (Nat.sub (Nat.mul b w') (Nat.mul b' w))
        (Nat.add (Nat.sub (Nat.mul c w') (Nat.mul c' w)) (Nat.add (Nat.sub (Nat.mul d w') (Nat.mul d' w))
        (Nat.add (Nat.sub (Nat.mul e w') (Nat.mul e' w)) (Nat.add (Nat.sub (Nat.mul f w') (Nat.mul f' w))
        (Nat.add (Nat.sub (Nat.mul g w') (Nat.mul g' w)) (Nat.add (Nat.sub (Nat.mul h w') (Nat.mul h' w))
        (ih rest'))))))))) r') r

/-- The total of a row. -/
def Row.total (r : Row) : Nat :=
  Row.rec (motive := fun _ => Nat) Nat.zero
    (fun a b c d e f g h _ ih => Nat.add a (Nat.add b (Nat.add c (Nat.add d (Nat.add e (Nat.add f (Nat.add g
      (Nat.add h ih)))))))) r

/-- Are all numbers from the `n`th on zero? -/
def zeroFrom (l : List Nat) : (n : Nat) → Bool :=
  List.rec (motive := fun _ => Nat → Bool) (fun _ => true)
    (fun a _ ih n => Nat.rec (motive := fun _ => Bool) (cond (Nat.beq a 0) (ih 0) false) (fun m _ => ih m) n) l

/-- `Σ_k |x_ik - x_jk|` times the weights of both lines, where `x` are the entries of the map. -/
def gap : (l l' : Line) → Nat
  | ⟨_, w, s, r⟩, ⟨_, w', s', r'⟩ => Nat.sub (Nat.add (Nat.mul 2 (Row.excess w w' r r')) (Nat.mul s' w)) (Nat.mul s w')

/-- The entry in the column of token `i`, without the division. -/
def Line.at (l : Line) (i : Nat) : Nat := ofRows.entry l.row.list i

/-- Are the tokens of the lines mutually self-dominant? -/
def dominant (l l' : Line) : Bool :=
  cond (Nat.ble (Nat.mul (l'.at l.token) l.weight) (Nat.mul (l.at l.token) l'.weight))
    (Nat.ble (Nat.mul (l.at l'.token) l'.weight) (Nat.mul (l'.at l'.token) l.weight)) false

/-- Is the distance of two lines at most `K/W`? -/
def within (K W : Nat) (l l' : Line) : Bool :=
  Nat.ble (Nat.mul (gap l l') W) (Nat.mul K (Nat.mul l.weight l'.weight))

/-- Is it smaller than `K/W`, or at most that much and the pair not mutually self-dominant? -/
def misses (K W : Nat) (l l' : Line) : Bool :=
  cond (Nat.ble (Nat.succ (Nat.mul (gap l l') W)) (Nat.mul K (Nat.mul l.weight l'.weight))) true
    (cond (within K W l l') (cond (dominant l l') false true) false)

/-- Do all lines pass the test? -/
def everyLine (p : Line → Bool) (lines : List Line) : Bool :=
  List.rec (motive := fun _ => Bool) true (fun l _ ih => cond (p l) ih false) lines

/-- Do all pairs of a line and a later one pass the test? -/
def everyPair (p : Line → Line → Bool) (lines : List Line) : Bool :=
  List.rec (motive := fun _ => Bool) true (fun l rest ih => cond (everyLine (p l) rest) ih false) lines

/-- A line is well formed: positive weight, the right total, `n` numbers at most, a token below `n`. -/
def lineOk (n : Nat) (l : Line) : Bool :=
  cond (Nat.ble 1 l.weight) (cond (Nat.beq l.row.total l.total) (cond (zeroFrom l.row.list n)
    (Nat.ble (Nat.succ l.token) n) false) false) false

/-- All lines are well formed, and their tokens increase. -/
def wellFormed (n : Nat) (lines : List Line) : Bool :=
  cond (everyLine (lineOk n) lines) (everyPair (fun l l' => Nat.ble (Nat.succ l.token) l'.token) lines) false

/-- The lines are those of the tokens `k, ..., n-1`. -/
def consecutive (n : Nat) : (k : Nat) → List Line → Bool
  | k, [] => Nat.beq k n
  | k, l :: lines => cond (Nat.beq l.token k) (consecutive n (k + 1) lines) false

/-- All weights are 1: nothing is divided. -/
def undivided (lines : List Line) : Bool := everyLine (fun l => Nat.beq l.weight 1) lines

/-- All weights are the totals: every row is divided by its sum. -/
def dividedByTotals (lines : List Line) : Bool := everyLine (fun l => Nat.beq l.weight l.total) lines

/-- The lines are those of all tokens, and nothing is divided. -/
def allLines (n : Nat) (lines : List Line) : Bool := cond (consecutive n 0 lines) (undivided lines) false

/-- The lines are those of all tokens, and every row is divided by its sum. -/
def allLinesDivided (n : Nat) (lines : List Line) : Bool :=
  cond (consecutive n 0 lines) (dividedByTotals lines) false

/-- The pair `i < j` has the distance `K/W`. -/
def isWitness (lines : List Line) (i j K W : Nat) : Bool :=
  cond (Nat.ble (Nat.succ i) j) (cond (hasLine i lines) (cond (hasLine j lines)
    (cond (Nat.beq (gap (lineOf i lines) (lineOf j lines)) K)
      (Nat.beq (Nat.mul (lineOf i lines).weight (lineOf j lines).weight) W) false) false) false) false

/-- **Tight**: the pair `(i,j)` is mutually self-dominant, and no pair is further apart. -/
def checkTight (n : Nat) (lines : List Line) (i j K W : Nat) : Bool :=
  cond (wellFormed n lines) (cond (isWitness lines i j K W) (cond (dominant (lineOf i lines) (lineOf j lines))
    (everyPair (within K W) lines) false) false) false

/-- **Not tight**: no pair is further apart than `(i,j)`, and none that is as far apart is mutually self-dominant. -/
def checkNotTight (n : Nat) (lines : List Line) (i j K W : Nat) : Bool :=
  cond (wellFormed n lines) (cond (isWitness lines i j K W) (everyPair (misses K W) lines) false) false

end
end Dobrushin
