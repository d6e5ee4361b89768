"""Counts over a family: how many of its matrices are tight, decided exactly on the stored floats."""

import hashlib
from typing import Any

import numpy as np
from families import Family

from dobrushin.coefficient import solve_batch


def counts(family: Family, matrices: int, *, seed: int, chunk: int, threads: int) -> dict[str, Any]:
    """Draw and decide ``matrices`` maps in batches of at most ``chunk`` numbers.

    Returns:
        ``tight``; ``one_side`` and ``no_side``, by the comparisons of the first attaining pair when the map is not
        tight; ``kappa``, the mean of κ; and for exchangeable families ``conditional`` and ``conditional_sd``: mean and
        standard deviation of the conditional probability m(n−m)/(n(n−1)) (see the README) that the columns' order
        makes the map tight.
    """
    own = int.from_bytes(hashlib.sha256(family.key.encode()).digest()[:8], "big")
    rng = np.random.default_rng([seed, own])
    n = family.n
    total = dict.fromkeys(("tight", "one_side", "no_side"), 0)
    kappa = moment = square = 0.0
    done = 0
    while done < matrices:
        size = min(matrices - done, max(1, chunk // n**2))
        maps = family.draw(rng, size)
        solved = solve_batch(maps, threads=threads)
        which = np.arange(size)
        i, j = solved.first.T
        sides = (maps[which, i, i] >= maps[which, j, i]).astype(int) + (maps[which, j, j] >= maps[which, i, j])
        tight = solved.self_dominant
        total["tight"] += int(tight.sum())
        total["one_side"] += int((~tight & (sides == 1)).sum())
        total["no_side"] += int((~tight & (sides == 0)).sum())
        difference = maps[which, i] - maps[which, j]
        kappa += float(np.abs(difference).sum()) / 2
        larger = (difference > 0).sum(axis=1)
        conditional = larger * (n - larger) / (n * (n - 1))
        moment += float(conditional.sum())
        square += float((conditional**2).sum())
        done += size
    mean = moment / matrices
    spread = float(np.sqrt(max(square / matrices - mean**2, 0.0)))
    return {**total, "matrices": matrices, "kappa": kappa / matrices,
            "conditional": mean if family.exchangeable else None,
            "conditional_sd": spread if family.exchangeable else None}  # fmt: skip
