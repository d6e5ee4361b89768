"""Rank collapse of pure attention (Dong, Cordonnier, Loukas 2021): residuals, paths, bounds, and the bridge to κ."""
