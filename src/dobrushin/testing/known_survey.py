"""A small survey written by hand, so that every number of a report about it is known."""

from pathlib import Path
from typing import Any

import numpy as np

from dobrushin.survey.schema import COLUMNS
from dobrushin.testing.survey_folders import Row, write_tables

HOSTILE = "<script>alert(1)</script>"
MANIFEST: dict[str, Any] = {
    "format": "dobrushin survey 1",
    "status": "complete",
    "model": {"title": "A <model> & $friends$", "spec": "m", "kind": "text", "provenance": {"weights": {"a": "0f"}}},
    "inputs": {"title": "sentences", "where": "none", "count": 4, "fingerprint": "0"},
    "configuration": {"tokens": ["content", "all"], "alpha": "1/2"},
    "versions": {"dobrushin": "0.1.0"},
    "git": None,
}


def row(index: int, layer: int, rule: str, *, tight: bool | None = True, **changes: Any) -> Row:
    """One verdict; with ``tight=None`` a skipped map."""
    row: Row = dict.fromkeys(column.name for column in COLUMNS)
    row |= {"input": index, "input_id": f"line {index}", "layer": layer, "head": "mean", "tokens": rule,
            "restrict": "none" if rule == "all" else "renormalised", "alpha": "1/2", "n": 4, "n_tokens": 6,
            "counterfactual": False, "label": "SKIPPED", "reason": "one content token"}  # fmt: skip
    if tight is None:
        return row | changes
    loose = 0.0 if tight else 0.125
    row |= {"tight": tight, "kappa": 0.25 * (1 + layer), "kappa_exact": "1/4", "slack": loose, "slack_exact": "0/1",
            "margin": 0.1, "n_attaining": 1, "first": 1, "second": 3, "first_label": HOSTILE,
            "second_label": "a\u202eb\n", "first_content": True, "second_content": True,
            "first_advantage": 0.5 if tight else -0.25,
            "second_advantage": 0.25, "stage": "float", "label": "EXACT", "reason": None}  # fmt: skip
    return row | changes


def verdict_rows() -> list[Row]:
    """2 layers and 4 inputs; content: 5 of 7 are tight, one is skipped; all tokens: all 8 are tight."""
    rows = []
    for index in range(4):
        for layer in range(2):
            content = None if (index, layer) == (3, 1) else (layer, index) not in ((0, 0), (1, 2))
            rows += [row(index, layer, "content", tight=content), row(index, layer, "all")]
    return rows


def chain_rows() -> list[Row]:
    """Two depths; at the second, rounding hides κ(R)."""
    return [
        {"input": index, "input_id": f"line {index}", "tokens": rule, "depth": depth, "n": 4,
         "kappa_rollout_low": max(0.0, 0.5**depth - 0.3), "kappa_rollout_high": 0.5**depth,
         "product_of_factors": 0.6**depth, "product_of_layers": 0.7**depth, "counterfactual": False, "label": "FLOAT"}
        for index in range(4) for rule in ("content", "all") for depth in (1, 2)
    ]  # fmt: skip


def pictures_survey(base: Path) -> Path:
    """A survey of three pictures, written to ``base/pictures``; two of its maps are not tight."""
    from PIL import Image

    from dobrushin.sources.inputs import open_inputs

    folder = base / "pictures"
    folder.mkdir()
    for index in range(3):
        pixels = np.random.default_rng(index).integers(0, 255, (56, 56, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / f"picture {index}.png")
    opened = open_inputs(str(folder), kind="image")
    place = {"grid_rows": 4, "grid_columns": 4, "n_tokens": 17, "n": 16}
    rows = []
    for index in range(3):
        patches = {"first": 2, "second": 7, "first_label": "patch 0,1", "second_label": "patch 1,2"}
        special = {"first": 0, "second": 7, "first_label": "[CLS]", "second_label": "patch 1,2", "first_content": False}
        rows += [
            row(index, 0, "content", tight=index > 0, **place | patches),
            row(index, 0, "all", tight=index != 1, **place | special),
        ]
    inputs = {"title": "pictures", "where": str(folder), "count": 3, "fingerprint": opened.fingerprint}
    manifest = MANIFEST | {"inputs": inputs, "model": {"title": "eyes", "kind": "image"}}
    return write_tables(base / "survey", rows, [], manifest)
