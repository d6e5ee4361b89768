import Dobrushin.Product

/-!
# When the product bound is attained (T5′)

Let the rows of `A` have equal sums, and let `κ(A)` and `κ(B)` be positive. Then `κ(AB) = κ(A) κ(B)` exactly if some
pair `(i, j)` that attains `κ(A)` and one sign vector `s` separate the rows of `B` as far as possible: with
`f_k = Σ_m s_m B_km`, `f_k - f_l = 2κ(B)` whenever `A_ik > A_jk` and `A_il < A_jl`.

Idea: for `x = A_i - A_j` the transport identity reads `δ Σ_k x_k f_k = Σ_{k,l} x_k⁺ x_l⁻ (f_k - f_l)` with
`δ = d_A(i,j)`, and the weights `x_k⁺ x_l⁻` sum to `δ²`. Since `f_k - f_l ≤ 2κ(B)`, the sum is `2δ²κ(B)` exactly if
every pair with a positive weight attains it.
-/

universe u

namespace Dobrushin

variable {R : Type u} [OrderedRing R] {n : Nat}
open OrderedRing

theorem lt_of_sub_pos {a b : R} (h : 0 < b - a) : a < b :=
  lt_of_not_le fun h' => not_le_of_lt h (ring_le [a, b] h')

/-- The weights of the transport identity sum to the square of the mass. -/
theorem sum_weights {x : Nat → R} (hx : sum n x = 0) (c : R) :
    sum n (fun k => sum n fun l => posPart (x k) * negPart (x l) * c) = mass n x * (mass n x * c) := by
  have inner k : sum n (fun l => posPart (x k) * negPart (x l) * c) = posPart (x k) * (mass n x * c) := by
    rw [sum_congr n fun l _ => (ring_eq [x k, negPart (x k), negPart (x l), c] :
      posPart (x k) * negPart (x l) * c = posPart (x k) * (negPart (x l) * c)), ← mul_sum, ← sum_mul]
    rfl
  rw [sum_congr n fun k _ => inner k, ← sum_mul, sum_posPart hx]

/-- If `f_k - f_l = c` wherever mass moves, the pairing is `mass x · c`. -/
theorem pairing_of_separated {x f : Nat → R} {c : R} (hx : sum n x = 0) (hpos : 0 < mass n x)
    (sep : ∀ k l, k < n → l < n → 0 < x k → x l < 0 → f k - f l = c) :
    sum n (fun k => x k * f k) = mass n x * c := by
  have term k l (hk : k < n) (hl : l < n) :
      posPart (x k) * negPart (x l) * (f k - f l) = posPart (x k) * negPart (x l) * c :=
    match le_or_lt (x k) 0, le_or_lt 0 (x l) with
    | .inl h, _ => by rw [posPart_of_nonpos h]; exact ring_eq [negPart (x l), f k, f l, c]
    | _, .inl h => by rw [negPart_of_nonneg h]; exact ring_eq [x k, negPart (x k), f k, f l, c]
    | .inr h, .inr h' => by rw [sep k l hk hl h h']
  have e : mass n x * sum n (fun k => x k * f k) = mass n x * (mass n x * c) := by
    rw [← mass_mul_sum hx f, ← sum_weights hx c]
    exact sum_congr n fun k hk => sum_congr n fun l hl => term k l hk hl
  exact le_antisymm _ _ (le_of_mul_le_mul hpos (le_of_eq e)) (le_of_mul_le_mul hpos (le_of_eq e.symm))

/-- Conversely, if the pairing reaches `mass x · c` and no difference exceeds `c`, every pair between which mass
moves has difference `c`. -/
theorem separated_of_pairing {x f : Nat → R} {c : R} (hx : sum n x = 0)
    (hf : ∀ k l, k < n → l < n → f k - f l ≤ c) (e : mass n x * c ≤ sum n fun k => x k * f k)
    {k l : Nat} (hk : k < n) (hl : l < n) (hxk : 0 < x k) (hxl : x l < 0) : f k - f l = c := by
  let gap k l : R := posPart (x k) * negPart (x l) * (c - (f k - f l))
  have gap_nonneg k l (hk : k < n) (hl : l < n) : 0 ≤ gap k l :=
    mul_nonneg (mul_nonneg (posPart_nonneg _) (negPart_nonneg _)) (sub_nonneg (hf k l hk hl))
  have total : sum n (fun k => sum n fun l => gap k l) ≤ 0 := by
    have split k : sum n (fun l => gap k l) = sum n (fun l => posPart (x k) * negPart (x l) * c)
        - sum n fun l => posPart (x k) * negPart (x l) * (f k - f l) := by
      rw [← sum_sub]
      exact sum_congr n fun l _ => ring_eq [x k, negPart (x k), negPart (x l), c, f k, f l]
    rw [sum_congr n fun k _ => split k, sum_sub, sum_weights hx, mass_mul_sum hx]
    exact ring_le [mass n x, c, sum n fun k => x k * f k] (mul_le_mul_left (mass_nonneg (n := n) x) e)
  have row : sum n (fun l => gap k l) = 0 :=
    term_eq_zero (f := fun k => sum n fun l => gap k l) (fun k hk => sum_nonneg n fun l hl => gap_nonneg k l hk hl)
      total hk
  have zero : gap k l = 0 := term_eq_zero (gap_nonneg k · hk) (le_of_eq row) hl
  have weight : 0 < posPart (x k) * negPart (x l) := by
    rw [posPart_of_nonneg (le_of_lt hxk), negPart_of_nonpos (le_of_lt hxl)]
    exact mul_pos _ _ hxk (lt_of_not_le fun h => not_le_of_lt hxl (ring_le [x l] h))
  have hc : posPart (x k) * negPart (x l) * (c - (f k - f l)) ≤ posPart (x k) * negPart (x l) * 0 := by
    rw [mul_zero]
    exact le_of_eq zero
  exact le_antisymm _ _ (hf k l hk hl) (ring_le [c, f k, f l] (le_of_mul_le_mul weight hc))

section Half
variable [Half R]

/-- **T5′**. -/
theorem κ_mul_eq_iff (hn : 2 ≤ n) (P : PairSet n) {A : Mat R} (hA : EqualRowSums n A) (B : Mat R)
    (hκA : 0 < κ P A) (hκB : 0 < κ (allPairs n hn) B) :
    κ P (mul n A B) = κ P A * κ (allPairs n hn) B ↔
      ∃ i j, P.Mem i j ∧ d n A i j = κ P A ∧ ∃ s : Nat → R, Signs n s ∧
        ∀ k l, k < n → l < n → A j k < A i k → A i l < A j l →
          signed n s B k - signed n s B l = κ (allPairs n hn) B + κ (allPairs n hn) B := by
  let K := κ (allPairs n hn) B
  have hf {s : Nat → R} (hs : Signs n s) k l (hk : k < n) (hl : l < n) : signed n s B k - signed n s B l ≤ K + K :=
    le_trans _ _ _ (signed_sub_le hs B k l) (l1_le_κ hn B k l hk hl)
  have sumZero {i j} (m : P.Mem i j) : sum n (fun k => A i k - A j k) = 0 := by
    rw [sum_sub, hA i j (P.left_lt m) (P.right_lt m)]
    exact ring_eq [sum n (A j)]
  have massIs {i j} (m : P.Mem i j) : d n A i j = mass n fun k => A i k - A j k :=
    tv_eq_mass (hA i j (P.left_lt m) (P.right_lt m))
  have rows i j : l1 n (mul n A B i) (mul n A B j) = sum n fun m => abs (vecMul n (fun k => A i k - A j k) B m) :=
    sum_congr n fun m _ => congrArg abs (vecMul_sub (A i) (A j) B m)
  constructor
  · intro e
    have ⟨i, j, m, hd⟩ := κ_attained P (mul n A B)
    have hle : d n (mul n A B) i j ≤ d n A i j * K := d_mul_le hn hA B (P.left_lt m) (P.right_lt m)
    have attains : d n A i j = κ P A := by
      refine le_antisymm _ _ (d_le_κ P A m) (le_of_mul_le_mul hκB ?_)
      rw [hd, e] at hle
      exact le_trans _ _ _ (le_of_eq (mul_comm _ _)) (le_trans _ _ _ hle (le_of_eq (mul_comm _ _)))
    let x : Nat → R := fun k => A i k - A j k
    have ⟨s, hs, hsx⟩ := exists_signs n (vecMul n x B)
    have pairing : mass n x * (K + K) ≤ sum n fun k => x k * signed n s B k := by
      rw [← sum_signs_vecMul, ← sum_congr n hsx, ← rows, l1_eq_double_tv]
      have hd' : tv n (mul n A B i) (mul n A B j) = mass n x * K := by
        rw [← massIs m, attains]
        exact hd.trans e
      rw [hd']
      exact le_of_eq (ring_eq [mass n x, K])
    exact ⟨i, j, m, attains, s, hs, fun k l hk hl h h' =>
      separated_of_pairing (sumZero m) (hf hs) pairing hk hl (sub_pos h)
        (lt_of_not_le fun h'' => not_le_of_lt h' (le_of_sub_nonneg h''))⟩
  · intro ⟨i, j, m, attains, s, hs, sep⟩
    refine le_antisymm _ _ (κ_mul_le hn P hA B) (le_trans _ _ _ ?_ (d_le_κ P (mul n A B) m))
    let x : Nat → R := fun k => A i k - A j k
    have hmass : mass n x = κ P A := (massIs m).symm.trans attains
    have pairing : sum n (fun k => x k * signed n s B k) = mass n x * (K + K) :=
      pairing_of_separated (sumZero m) (hmass ▸ hκA) fun k l hk hl h h' =>
        sep k l hk hl (lt_of_sub_pos h) (lt_of_not_le fun h'' => not_le_of_lt h' (sub_nonneg h''))
    have reach : mass n x * (K + K) ≤ l1 n (mul n A B i) (mul n A B j) := by
      rw [← pairing, rows, ← sum_signs_vecMul]
      exact sum_le n fun k hk => sign_mul_le (hs k hk) _
    calc κ P A * K = half * (κ P A * K + κ P A * K) := (half_mul_double _).symm
      _ = half * (mass n x * (K + K)) := by rw [hmass]; exact ring_eq [half, κ P A, K]
      _ ≤ half * l1 n (mul n A B i) (mul n A B j) := mul_le_mul_left half_nonneg reach

end Half
end Dobrushin
