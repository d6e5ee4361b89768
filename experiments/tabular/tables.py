"""The results as Markdown: test scores, the share tight by block, and how both go along training."""

from collections.abc import Iterable
from typing import Any

from dobrushin.experiments import Experiment, markdown_table, share_of

Row = dict[str, Any]

PUBLISHED = {"california": "0.459 (RMSE)", "adult": "0.859 (accuracy)"}
"""Gorishniy et al. 2021, Table 2, FT-Transformer with tuned hyper-parameters, mean over 15 seeds."""

_TOKENS = {"content": "features", "all": "features and class"}
_STAR = "\\* the rows of the features are counterfactual in the last block: the output does not depend on them.\n"


def markdown(rows: list[Row], experiment: Experiment) -> str:
    """All tables."""
    config = experiment.config
    form = "quick" if experiment.quick else "full"
    return (
        f"Seeds {config['seeds']}, {form} form, {config['surveyed']} test rows.\n\n"
        f"{_scores(rows)}\n"
        "## By block, at initialisation and trained (best epoch on the validation rows)\n\n"
        f"{_by_block(rows)}\n{_STAR}\n"
        f"## Along training, feature tokens, blocks that the model uses\n\n{_along_training(rows)}"
    )


def _scores(rows: list[Row]) -> str:
    lines = []
    for key, published in PUBLISHED.items():
        best = {row["seed"]: row for row in rows if (row["data"], row["snapshot"]) == (key, "best")}
        scores = ", ".join(f"{row['test']:.4f}" for row in best.values())
        lines.append((key, scores, ", ".join(str(row["epoch"]) for row in best.values()), published))
    return markdown_table(("data", "test, by seed", "best epoch", "published"), lines)


def _by_block(rows: list[Row]) -> str:
    lines = []
    for key in PUBLISHED:
        for when, trained in (("initialisation", False), ("trained", True)):
            for tokens in _TOKENS:
                chosen = [row for row in rows if (row["data"], row["tokens"]) == (key, tokens)
                          and (row["snapshot"] == "best" if trained else row["epoch"] == 0)]  # fmt: skip
                lines += _block_lines(key, when, tokens, chosen)
    header = (
        "data",
        "when",
        "tokens",
        "n",
        "block",
        "share tight [95%]",
        "by seed",
        "median κ",
        "slack, not tight",
        "most common pair, first seed",
    )
    return markdown_table(header, lines)


def _block_lines(key: str, when: str, tokens: str, rows: list[Row]) -> Iterable[tuple[Any, ...]]:
    """One line for each block, then those that the model uses together, then all together."""
    layers = sorted({row["layer"] for row in rows})
    groups = {f"{layer}": [row for row in rows if row["layer"] == layer] for layer in layers}
    groups = {name + ("\\*" if group[0]["counterfactual"] else ""): group for name, group in groups.items()}
    groups["used"] = [row for row in rows if not row["counterfactual"]]
    groups["all\\*"] = rows
    for name, group in groups.items():
        if group:
            seeds = sorted({row["seed"] for row in group})
            by_seed = [share_of(*_counts([row for row in group if row["seed"] == seed])).value for seed in seeds]
            yield (key, when, _TOKENS[tokens], rows[0]["n"], name, share_of(*_counts(group)),
                   ", ".join(f"{share:.3f}" for share in by_seed), f"{_mean(group, 'kappa'):.2e}",
                   f"{_mean(group, 'slack'):.2e}", _pair(group))  # fmt: skip


def _pair(rows: list[Row]) -> str:
    """The most common attaining pair in one block of one seed, the first; nothing for several blocks."""
    if len({row["layer"] for row in rows}) > 1:
        return ""
    return f"{rows[0]['pair']} ({rows[0]['pair_share']:.0%})"


def _along_training(rows: list[Row]) -> str:
    lines = []
    for key in PUBLISHED:
        own = [row for row in rows if (row["data"], row["tokens"], row["counterfactual"]) == (key, "content", False)]
        for epoch in sorted({row["epoch"] for row in own if row["snapshot"] == "epoch"}):
            chosen = [row for row in own if (row["snapshot"], row["epoch"]) == ("epoch", epoch)]
            seeds = len({row["seed"] for row in chosen})
            lines.append((key, epoch, seeds, share_of(*_counts(chosen)), f"{_mean(chosen, 'kappa'):.2e}",
                          f"{_mean(chosen, 'slack'):.2e}"))  # fmt: skip
    return markdown_table(("data", "epoch", "seeds", "share tight [95%]", "median κ", "slack, not tight"), lines)


def _counts(rows: list[Row]) -> tuple[int, int]:
    return sum(row["tight"] for row in rows), sum(row["maps"] for row in rows)


def _mean(rows: list[Row], field: str) -> float:
    """The mean over layers and seeds of what is a median over inputs."""
    return sum(row[field] for row in rows) / len(rows)
