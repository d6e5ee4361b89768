"""Surveys' folders written in one go from a model and inputs, for tests of what reads them."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dobrushin import __version__
from dobrushin.capture import Adapter, Item, LayerAttention, observe
from dobrushin.condition import Verdict, check, ratio
from dobrushin.errors import InputError
from dobrushin.matrix import AttentionMatrix, attention_matrix, head_mean
from dobrushin.residual import ROLLOUT_WEIGHT
from dobrushin.rollout import bounds
from dobrushin.survey.schema import CHAIN_COLUMNS, COLUMNS, Column, arrow_schema
from dobrushin.tokens import DEFAULT_RESTRICTION, Restriction

Row = dict[str, Any]


def write_survey(
    folder: Path,
    adapter: Adapter,
    items: Sequence[Item],
    *,
    kind: str = "text",
    where: str = "",
    heads: str = "mean",
    restrict: Restriction = DEFAULT_RESTRICTION,
    parts: int = 0,
    manifest: dict[str, Any] | None = None,
) -> Path:
    """Survey the items and write the folder; with ``parts``, so many parts and no merged files (incomplete)."""
    verdicts, chain = survey_rows(adapter, items, heads=heads, restrict=restrict)
    description = {
        "format": "dobrushin survey 1",
        "status": "incomplete" if parts else "complete",
        "model": {"title": adapter.name, "spec": "test", "kind": kind, "provenance": {"source": "a test"}},
        "inputs": {"title": f"{kind}s of a test", "where": where, "count": len(items), "fingerprint": "none"},
        "configuration": {
            "tokens": ["content", "all"],
            "restrict": restrict,
            "alpha": "1/2",
            "heads": heads,
            "batch_size": 8,
            "dtype": "float32",
            "device": "cpu",
            "seed": None,
        },
        "versions": {"dobrushin": __version__, "numpy": np.__version__},
        "git": None,
    }
    return write_tables(folder, verdicts, chain, description | (manifest or {}), parts=parts)


def write_tables(
    folder: Path, verdicts: Sequence[Row], chain: Sequence[Row], manifest: dict[str, Any], *, parts: int = 0
) -> Path:
    """Write rows as a survey's folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows, columns in (("verdicts", verdicts, COLUMNS), ("chain", chain, CHAIN_COLUMNS)):
        if parts:
            for number, part in enumerate(np.array_split(np.arange(len(rows)), parts)):
                place = folder / {"verdicts": "parts", "chain": "chain"}[name] / f"{number:05}.parquet"
                _write(place, [rows[index] for index in part], columns)
        else:
            _write(folder / f"{name}.parquet", rows, columns)
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2), encoding="utf-8")
    return folder


def _write(path: Path, rows: Sequence[Row], columns: tuple[Column, ...]) -> None:
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    path.parent.mkdir(exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(list(rows), schema=arrow_schema(columns)), path)


def survey_rows(
    adapter: Adapter, items: Sequence[Item], *, heads: str = "mean", restrict: Restriction = DEFAULT_RESTRICTION
) -> tuple[list[Row], list[Row]]:
    """The rows of both tables."""
    verdicts: list[Row] = []
    layers: dict[int, list[AttentionMatrix]] = {}
    inputs: dict[int, LayerAttention] = {}

    def receive(attention: LayerAttention) -> None:
        inputs[attention.index] = attention
        for head, matrix in _matrices(attention, heads):
            verdicts.extend(_verdict_row(attention, head, matrix, rule, restrict) for rule in ("content", "all"))
            if head == "mean":
                layers.setdefault(attention.index, []).append(matrix)

    observe(adapter, items, receive)
    verdicts.sort(key=lambda row: (row["input"], row["layer"], row["head"], row["tokens"] == "all"))
    chain = [row for index in sorted(layers) for row in _chain_rows(inputs[index], layers[index])]
    return verdicts, chain


def _matrices(attention: LayerAttention, heads: str) -> Iterable[tuple[str, AttentionMatrix]]:
    if heads == "mean":
        yield "mean", head_mean(attention.values, name="map", precision=attention.dtype)
        return
    for head, values in enumerate(attention.values):
        yield str(head), attention_matrix(values, name="map", precision=attention.dtype, any_real=False)


def _verdict_row(
    attention: LayerAttention, head: str, matrix: AttentionMatrix, rule: str, restrict: Restriction
) -> Row:
    prepared = attention.input
    content = rule == "content"
    row: Row = dict.fromkeys(column.name for column in COLUMNS)
    row |= {
        "input": attention.index,
        "input_id": prepared.id,
        "layer": attention.layer,
        "head": head,
        "tokens": rule,
        "restrict": restrict if content else "none",
        "alpha": ratio(ROLLOUT_WEIGHT),
        "n": int(prepared.content.sum()) if content else matrix.n,
        "n_tokens": prepared.n,
        "grid_rows": prepared.grid[0] if prepared.grid else None,
        "grid_columns": prepared.grid[1] if prepared.grid else None,
        "counterfactual": bool(attention.counterfactual),
    }
    try:
        verdict = check(matrix, keep=prepared.content, restrict=restrict) if content else check(matrix)
    except InputError as error:
        return row | {"label": "SKIPPED", "reason": str(error)}
    return row | _decided(verdict, prepared.labels, prepared.content)


def _decided(verdict: Verdict, labels: Sequence[str], content: np.ndarray) -> Row:
    (i, j), (u, v) = verdict.pair, verdict.advantages
    return {
        "tight": verdict.tight,
        "kappa": verdict.kappa,
        "kappa_exact": ratio(verdict.kappa_exact),
        "slack": verdict.slack,
        "slack_exact": ratio(verdict.slack_exact),
        "margin": verdict.margin,
        "n_attaining": verdict.n_attaining,
        "first": i,
        "second": j,
        "first_label": labels[i],
        "second_label": labels[j],
        "first_content": bool(content[i]),
        "second_content": bool(content[j]),
        "first_advantage": float(u),
        "second_advantage": float(v),
        "stage": verdict.stage,
        "label": "EXACT",
    }


def _chain_rows(attention: LayerAttention, layers: Sequence[AttentionMatrix]) -> Iterable[Row]:
    prepared = attention.input
    for rule in ("content", "all"):
        keep = prepared.content if rule == "content" else None
        n = int(prepared.content.sum()) if rule == "content" else prepared.n
        if n < 2:
            continue
        for depth in range(1, len(layers) + 1):
            chain = bounds(layers[:depth], keep=None if keep is None else np.flatnonzero(keep).tolist())
            yield {
                "input": attention.index,
                "input_id": prepared.id,
                "tokens": rule,
                "depth": depth,
                "n": n,
                "kappa_rollout_low": chain.kappa_rollout[0],
                "kappa_rollout_high": chain.kappa_rollout[1],
                "product_of_factors": float(chain.product_of_factors),
                "product_of_layers": float(chain.product_of_layers),
                "counterfactual": bool(attention.counterfactual),
            }
