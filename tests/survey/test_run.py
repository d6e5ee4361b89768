"""Surveys into folders: tables, workers, shards, merging, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from dobrushin.errors import InputError
from dobrushin.survey import Event, merge, run
from dobrushin.survey.manifest import read_manifest
from dobrushin.survey.schema import CHAIN_COLUMNS, COLUMNS, arrow_schema
from dobrushin.testing.surveys import OPTIONS, merged_bytes

LAYERS, INPUTS = 12, 6


def rows(folder: Path, table: str = "verdicts") -> list[dict[str, Any]]:
    return list(pq.read_table(folder / f"{table}.parquet").to_pylist())


def test_the_tables_have_every_input_layer_and_rule_in_order(whole: Path) -> None:
    assert pq.read_schema(whole / "verdicts.parquet").equals(arrow_schema(COLUMNS))
    assert pq.read_schema(whole / "chain.parquet").equals(arrow_schema(CHAIN_COLUMNS))
    found = rows(whole)
    assert [(r["input"], r["layer"], r["tokens"]) for r in found] == [
        (i, layer, rule) for i in range(INPUTS) for layer in range(LAYERS) for rule in ("content", "all")
    ]
    for row in found:
        assert (row["slack"] == 0) == row["tight"] == (min(row["first_advantage"], row["second_advantage"]) >= 0)
        assert row["label"] == "EXACT"
        assert row["restrict"] == ("renormalised" if row["tokens"] == "content" else "none")


def test_the_chain_is_a_chain_at_every_depth(whole: Path) -> None:
    found = rows(whole, "chain")
    assert len(found) == 2 * INPUTS * LAYERS
    for row in found:
        assert row["kappa_rollout_low"] <= row["kappa_rollout_high"]
        assert row["kappa_rollout_low"] <= row["product_of_factors"] <= row["product_of_layers"]


def test_the_manifest_says_what_was_run(whole: Path) -> None:
    manifest = read_manifest(whole)
    assert manifest is not None
    assert manifest["status"] == "complete"
    assert manifest["model"]["provenance"]["weights_sha256"]
    assert manifest["inputs"]["count"] == INPUTS
    assert manifest["configuration"]["threads"] == 1
    assert {"dobrushin", "torch", "numpy", "python"} <= manifest["versions"].keys()


def test_two_workers_give_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    run(out=tmp_path / "two", workers=2, **OPTIONS)
    assert merged_bytes(tmp_path / "two") == merged_bytes(whole)


@pytest.mark.parametrize("count", [1, 2, 7])
def test_shards_merge_into_the_same_bytes(whole: Path, tmp_path: Path, count: int) -> None:
    folders = [tmp_path / f"shard-{index}" for index in range(1, count + 1)]
    for index, folder in enumerate(folders, start=1):
        run(out=folder, workers=1, shard=f"{index}/{count}", **OPTIONS)
    merge(folders[::-1], tmp_path / "merged")
    assert merged_bytes(tmp_path / "merged") == merged_bytes(whole)


def test_gaps_duplicates_and_other_surveys_do_not_merge(tmp_path: Path) -> None:
    first, second, other = (tmp_path / name for name in ("first", "second", "other"))
    for folder, shard in ((first, "1/2"), (second, "2/2")):
        run(out=folder, workers=1, shard=shard, **OPTIONS)
    run(out=other, workers=1, shard="2/2", **OPTIONS | {"alpha": "1/3"})
    out = tmp_path / "merged"
    with pytest.raises(InputError, match="part 1 is missing"):
        merge([first], out)
    with pytest.raises(InputError, match="named twice"):
        merge([first, second, first], out)
    with pytest.raises(InputError, match=r"configuration.alpha: 1/2 → 1/3"):
        merge([first, other], out)
    with pytest.raises(InputError, match="is no survey"):
        merge([first, tmp_path], out)
    whole = tmp_path / "all"
    run(out=whole, workers=1, **OPTIONS)
    with pytest.raises(InputError, match=r"parts 0, 2 are in more than one folder"):
        merge([first, whole], out)
    assert not (out / "verdicts.parquet").exists()


def test_another_configuration_in_the_folder_is_refused_with_the_difference(whole: Path) -> None:
    before = merged_bytes(whole)
    with pytest.raises(InputError, match=r"configuration.heads: mean → each"):
        run(out=whole, workers=1, **OPTIONS | {"heads": "each"})
    with pytest.raises(InputError, match=r"inputs.count: 6 → 5"):
        run(out=whole, workers=1, **OPTIONS | {"limit": 5})
    assert merged_bytes(whole) == before


@pytest.mark.parametrize("file", ["parts/00001.parquet", "chain/00001.parquet", "parts/00001.json"])
def test_a_damaged_part_is_named_and_can_be_computed_again(whole: Path, tmp_path: Path, file: str) -> None:
    out = tmp_path / "out"
    run(out=out, workers=1, **OPTIONS)
    damaged = out / file
    damaged.write_bytes(damaged.read_bytes()[:-9])
    with pytest.raises(InputError, match=r"is damaged: .* remove .*00001.json and run the same survey") as error:
        run(out=out, workers=1, **OPTIONS)
    assert str(damaged) in str(error.value)
    (out / "parts" / "00001.json").unlink()
    run(out=out, workers=1, **OPTIONS)
    assert merged_bytes(out) == merged_bytes(whole)


def test_events_count_inputs_and_parts(whole: Path, tmp_path: Path) -> None:
    found: list[Event] = []
    run(out=tmp_path, workers=1, on_event=found.append, **OPTIONS)
    assert [event.event for event in found] == ["started", "part", "part", "part", "finished"]
    assert [event.inputs_done for event in found] == [0, 2, 4, 6, 6]
    assert found[1].seconds_left is not None
    assert found[-1].rows == 2 * LAYERS * INPUTS
    assert json.loads(json.dumps(found[1].to_json()))["unit"] == found[1].unit
    again: list[Event] = []
    run(out=tmp_path, workers=1, on_event=again.append, **OPTIONS)
    assert [event.event for event in again] == ["started", "finished"]


def test_heads_one_by_one(tmp_path: Path) -> None:
    run(out=tmp_path, workers=1, **OPTIONS | {"heads": "each", "limit": 1, "tokens": ("all",)})
    found = rows(tmp_path)
    assert [row["head"] for row in found[:9]] == [*map(str, range(8)), "0"]
    assert rows(tmp_path, "chain") == []


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"tokens": ("words",)}, "the token rule is words, but one of content, all"),
        ({"tokens": ()}, "there is no token rule"),
        ({"heads": "max"}, "the head rule is max, but one of mean, each"),
        ({"restrict": "none"}, "the reading is none, but one of"),
        ({"batch_size": 0}, "batch-size is 0, but it has to be at least 1"),
        ({"shard": "3/2"}, "there is no shard 3/2"),
        ({"shard": "two"}, "'two' is no shard"),
        ({"engine": "slurm"}, "the engine is slurm, but one of processes, ray"),
        ({"workers": 0}, "the number of workers is 0"),
        ({"address": "auto"}, "an address is for --engine ray"),
    ],
)
def test_wrong_options_are_one_sentence(tmp_path: Path, option: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        run(out=tmp_path / "out", **{"workers": 1} | OPTIONS | option)
    assert not (tmp_path / "out" / "verdicts.parquet").exists()


def test_layers_without_maps_are_counted_with_their_reason(tmp_path: Path) -> None:
    """A user's model whose second layer has linear attention; short inputs have no pair of content tokens."""
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n"
        "from dobrushin.capture import NoMap, attention_maps, tokens\n"
        "def prepare(item):\n"
        "    words = item.text.split()\n"
        "    return tokens(item, ['[CLS]', *words], content=[False] + [True] * len(words))\n"
        "@attention_maps(layers=2, prepare=prepare)\n"
        "def mine(batch):\n"
        "    n = batch[0].n\n"
        "    yield np.broadcast_to(np.full((n, n), 1 / n), (len(batch), 2, n, n)).astype('f4')\n"
        "    yield NoMap('linear attention: there are no weights')\n"
    )
    (tmp_path / "texts.txt").write_text("one\ntwo words here\n")
    out = tmp_path / "out"
    run(out=out, workers=1, model=f"python:{tmp_path / 'mine.py'}:mine", inputs=str(tmp_path / "texts.txt"))
    found = rows(out)
    assert [(r["input"], r["layer"], r["tokens"], r["label"]) for r in found] == [
        (0, 0, "content", "SKIPPED"), (0, 0, "all", "EXACT"), (0, 1, "content", "SKIPPED"), (0, 1, "all", "SKIPPED"),
        (1, 0, "content", "EXACT"), (1, 0, "all", "EXACT"), (1, 1, "content", "SKIPPED"), (1, 1, "all", "SKIPPED"),
    ]  # fmt: skip
    assert found[0]["reason"] == "1 content token: there is no pair of rows"
    assert found[2]["reason"] == "linear attention: there are no weights"
    assert [(r["input"], r["tokens"], r["depth"]) for r in rows(out, "chain")] == [
        (0, "all", 1), (1, "content", 1), (1, "all", 1)
    ]  # fmt: skip


@pytest.mark.slow
def test_some_verdicts_are_proved_by_lean(tmp_path: Path) -> None:
    run(out=tmp_path, workers=1, **OPTIONS | {"limit": 1, "prove": 1})
    assert {row["label"] for row in rows(tmp_path)} == {"PROVED"}
