"""What each table and column of a results folder means; logarithms are to base 10, and −inf stands for 0."""

_WHO = {
    "input": "position of the input, from 0",
    "input_id": "its name",
    "n": "its number of tokens",
}
_CHANGE = {
    "kept": "plan: only paths of this length, of length up to it, or from it on; biases always stay",
    "length": "of the paths: their number of heads",
}

TABLES: dict[str, str] = {
    "collapse": "one row for each input, variant and depth: relative residual and diameter",
    "layers": "one row for each input and layer: bounds on pure attention, and the bridge on the full model's heads",
    "paths": "one row for each input, network and plan of deletion",
    "sums": "one row for each input and network: the sum over all paths against the output",
    "orders": "one row for each input, variant and layer: the local order of convergence",
    "chains": "one row for each input, product and depth: κ of products of head-averaged maps",
    "neighbours": "one row for each plan and length: similarities of inputs when paths of the full model are deleted",
}
"""The files of a results folder, each ``NAME.parquet``."""

COLUMNS: dict[str, dict[str, str]] = {
    "collapse": {
        **_WHO,
        "variant": "which parts are there: see dobrushin.collapse.variants.VARIANTS",
        "depth": "layers passed, 0 for the embeddings",
        "relative": "log10 of ‖X − 1xᵀ‖/‖X‖ in the composite norm, at the x that minimises it",
        "lower": "log10 of a certified lower bound on that quotient for any x",
        "median": "log10 of the quotient at the column medians",
        "mean": "log10 of the quotient at the token mean",
        "without_root": "log10 of the quotient at the token mean with ‖·‖₁‖·‖_∞ for a norm, without the square root",
        "diameter": "log10 of ρ(X), the largest ℓ1 distance of two tokens",
        "floored": "whether the numbers are only float64 rounding",
    },
    "layers": {
        **_WHO,
        "layer": "from 0",
        "diameter": "log10 of ρ before the layer, in pure attention",
        "next_diameter": "log10 of ρ after it",
        "kappa": "log10 of the bound Σ_h κ(P_h) ρ(X W_h) on ρ after it",
        "logits": "log10 of the same bound with tanh(osc/4) of the logits for κ(P_h)",
        "weights": "log10 of the bound Σ_h tanh(w_h ρ²/(4√k)) v_h ρ from norms of the weights",
        "cubic": "log10 of the bound c ρ³",
        "residual": "log10 of ‖res‖_{1,∞} before the layer",
        "next_residual": "log10 of ‖res‖_{1,∞} after it",
        "paper": "log10 of the paper's bound (4γβH/√k)‖res‖³ on it",
        "single_head": "log10 of the largest quotient, over heads, of one head's residual and the single-head bound",
        "oscillation": "log10 of the largest oscillation of a row of E = res W_QK resᵀ/√k",
        "assumption": "whether that is at most 1.256, as the paper's lemma assumes",
        "gamma": "γ = max_h √(n max_j q_j)",
        "kappa_mean": "mean over heads of κ(P_h), full model",
        "bridge_mean": "mean over heads of max tanh(osc/4), full model",
        "bridge_ratio": "mean over heads of their quotient",
        "bridge_certain": "heads at whose κ-attaining pair interval arithmetic confirms the bound",
        "heads": "number of heads checked",
    },
    "paths": {
        **_WHO,
        "network": "whose output is taken apart: see dobrushin.collapse.study.PATH_NETWORKS",
        **_CHANGE,
        "relative": "‖change of the output‖_F/‖output‖_F",
        "cosine": "mean over tokens of the cosine between new and whole output",
        "size": "‖sum of the paths of this length‖_F/‖output‖_F",
        "paths": "how many paths have this length",
    },
    "sums": {
        **_WHO,
        "network": "as in paths, and pure attention",
        "paths": "how many paths there are",
        "error": "largest entry of (sum over paths + biases − output), over the largest entry of the output",
    },
    "orders": {
        **_WHO,
        "variant": "as in collapse",
        "layer": "whose tokens, as the full model has them, are moved towards their centre",
        "order": "slope of log ρ after the layer on log of the factor",
        "error": "standard error of that slope",
    },
    "chains": {
        **_WHO,
        "product": "pure: A_l ⋯ A_1 of pure attention; rollout: of ½(I + A_l) of a network; own weights: of "
        "αI + (1 − α)A_l with α = ‖X‖/(‖X‖ + ‖attention‖)",
        "depth": "number of factors",
        "kappa": "log10 of κ of the last factor",
        "bound": "log10 of the product of the factors' κ",
        "measured": "log10 of κ of the product",
        "floor": "log10 of the floor of T6 for the product; null for pure attention",
        "exact": "whether measured and floor are exact for maps rounded to multiples of 2^-60; else float64",
    },
    "neighbours": {
        **_CHANGE,
        "inputs": "how many inputs were compared",
        "neighbours": "share of inputs whose nearest other input is another one than with all paths",
        "similarity": "mean absolute change of the cosine of two inputs' pooled outputs",
        "correlation": "correlation of these cosines before and after",
    },
}
"""By table."""
