"""What the words of the sections about rank collapse mean."""

WORDS = (
    ("n, X, X_i", "the number of tokens; the tokens of one input after some layers, one row each; one of them"),
    ("‖X‖_{1,∞}", "the composite norm √(‖X‖₁ ‖X‖_∞): ‖X‖₁ is the largest column sum of absolute values, ‖X‖_∞ the "
     "largest row sum; it is no norm, for the triangle inequality can fail"),
    ("res(X)", "X − 1xᵀ with the x that minimises ‖X − 1xᵀ‖_{1,∞}: what keeps the tokens from being equal"),
    ("relative residual", "‖res(X)‖_{1,∞}/‖X‖_{1,∞}: 0 when all tokens are equal, at most 1"),
    ("ρ(X)", "the diameter max ‖X_i − X_i'‖₁ of the tokens, which the theorems with κ are about"),
    ("local order", "p in ρ(after) ≈ C ρ(before)^p when the tokens that a layer gets move towards each other; 3 is "
     "cubic"),
    ("order along depth", "the slope of log ρ after a layer on log ρ before it, where the relative residual is below "
     "5%; its error is a bootstrap over inputs"),
    ("factor per layer", "the geometric mean of what a layer multiplies the relative residual by"),
    ("bridge", "the distance of softmax a and softmax b is at most tanh(osc(a − b)/4), so κ of an attention matrix P "
     "is at most the largest tanh(osc/4) over pairs of rows of its logits"),
    ("osc(x)", "max x − min x"),
    ("P_h, W_h", "the attention matrix of head h, and the product of its value and output weights"),
    ("the paper's bound", "(4γβH/√k) ‖res‖³ of the rank-collapse paper, whose lemma assumes that the rows of the "
     "centred logits oscillate by at most 1.256"),
    ("path", "one head or a skip for each layer; its length is its number of heads. With attention matrices "
     "(LayerNorm scales and MLP gates) held fixed, the sum over all paths, and what biases add, is the output"),
    ("scales held", "LayerNorm with the per-token scale that the whole model has, held fixed"),
    ("rollout", "the product of ½(I + A_l), A_l averaged over heads"),
    ("own weights", "the product of αI + (1−α)A_l with α the share of the skip, ‖X‖/(‖X‖ + ‖attention‖), in each "
     "layer"),
    ("Π κ", "the product of the factors' κ, an upper bound on κ of their product (T5)"),
    ("floor", "a lower bound on κ of a product of lazy factors (T6); pure attention has none"),
    ("explained by", "for a collapse (by more than 2 decades) whether Π κ falls by 90% of the decades that the "
     "residual falls by; otherwise whether κ of the product is within a factor of 2 of its floor; neither, where there "
     "is no collapse and no floor. Both are about the maps alone: values, MLPs and LayerNorm are in the residual only"),
    ("decade", "a factor of 10"),
)  # fmt: skip
"""In the order in which they build on each other."""

VARIANTS = {
    "pure": "attention alone: no skip, no MLP, no LayerNorm",
    "skip": "attention with its skip",
    "mlp": "attention and MLPs, without any skip",
    "norm": "attention and LayerNorm",
    "paper's san": "what the paper's public code calls SAN: only attention's skip is left out",
    "all": "the model itself",
}
"""Which parts of the model are there."""
