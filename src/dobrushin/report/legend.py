"""What the words and labels of a report mean."""

WORDS = (
    ("A", "one attention map: A_ij is how much token i attends to token j; averaged over heads unless said otherwise"),
    ("d(i, j)", "½ Σ_k |A_ik − A_jk|, the total-variation distance between rows i and j"),
    ("κ(A)", "the Dobrushin coefficient: the largest d(i, j) over all pairs i ≠ j of the tokens considered"),
    ("attaining pair", "a pair i ≠ j with d(i, j) = κ(A)"),
    ("α", "the residual weight; attention rollout has α = ½"),
    ("B", "the lazy factor αI + (1−α)A of a layer with its residual connection"),
    ("tight", "κ(B) = α + (1−α)κ(A): the layer attains the bound"),
    ("slack", "α + (1−α)κ(A) − κ(B), which is 0 exactly when the map is tight"),
    ("mutually self-dominant", "a pair with A_ii ≥ A_ji and A_jj ≥ A_ij"),
    ("advantage", "A_ii − A_ji for token i, and A_jj − A_ij for token j; where it is negative, dominance fails: the "
     "other token attends to this one more than it attends to itself"),
    ("reported pair", "the first attaining pair that is mutually self-dominant, or else the first attaining pair"),
    ("content tokens", "image patches, words or features; no class, register, separator or padding token"),
    ("all tokens", "the map as the model computed it"),
    ("renormalised", "rows and columns restricted to content tokens, and each row divided by its sum, exactly"),
    ("submatrix", "rows and columns restricted, not divided"),
    ("pairs", "rows restricted to content tokens, all columns kept"),
    ("margin", "κ(A) minus the largest distance below it: where it is of the size of the model's rounding, the stored "
     "numbers, not the model, choose the pair"),
    ("R", "attention rollout, B_L ⋯ B_1"),
    ("95% interval", "Wilson's interval for a share, were the inputs a random sample of their kind; maps of one input "
     "count as a cluster, with the effective number of maps from the variance between inputs (and the number of "
     "inputs when all maps agree); the verdicts themselves have no uncertainty"),
)  # fmt: skip
"""Words in the order in which they build on each other."""

LABEL_MEANINGS = {
    "PROVED": "a certificate of the verdict was checked by Lean's kernel",
    "EXACT": "decided without rounding for the stored numbers, by a filter with a proved error bound and integers",
    "FLOAT": "known by floating-point intervals only: κ(R) in the chain of bounds, whose products are exact",
    "SKIPPED": "no verdict; the reason is given",
}
