"""The numbers: known ones, and those of a real model counted again in another way."""

from pathlib import Path
from statistics import median

import numpy as np
import pytest
from pyarrow import parquet

from dobrushin.report.examples import loosest_maps
from dobrushin.report.intervals import wilson
from dobrushin.report.page import html_page
from dobrushin.report.run import read_run
from dobrushin.report.summary import run_summary
from dobrushin.report.words import number, percent, printable
from dobrushin.testing.html import problems_of
from dobrushin.testing.known_survey import HOSTILE, MANIFEST, row
from dobrushin.testing.survey_folders import write_tables


def test_known_numbers(known: Path) -> None:
    run = read_run(known)
    content, all_tokens = (run.layers.groups[None, rule] for rule in ("content", "all"))
    assert (content.share.tight, content.share.maps, content.skipped) == (5, 7, 1)
    assert (all_tokens.share.tight, all_tokens.share.maps, all_tokens.skipped) == (8, 8, 0)
    first = run.layers.groups[0, "content"]
    assert (first.share.low, first.share.high) == wilson(0.75, 4)
    assert first.loose == (0.125,)
    assert first.kappa is not None
    assert first.kappa.median == 0.25
    assert run.labels == {"PROVED": 0, "EXACT": 15, "FLOAT": 0, "SKIPPED": 1}
    assert run.reasons == {"one content token": 1}
    assert (run.inputs, run.restrict, run.alpha, run.heads) == (4, "renormalised", "1/2", ("mean",))
    assert "by 5 of 7 input-layer pairs (71.4%) with content tokens and by 8 of 8" in run.headline()


def test_known_pairs_and_chain(known: Path) -> None:
    run = read_run(known)
    content, _ = run.pairs.kinds
    assert (content.name, content.maps, content.loose) == ("content + content", 7, 2)
    assert (content.earlier, content.later, content.both) == (2, 0, 0)
    token = run.pairs.tokens[0]
    assert (token.label, token.fails, token.loose, token.maps) == (HOSTILE, 2, 2, 15)
    assert [(link.rule, link.depth, link.unresolved) for link in run.chain] == [
        ("content", 1, 0), ("content", 2, 4), ("all", 1, 0), ("all", 2, 4),
    ]  # fmt: skip
    assert run.chain[1].layers.median == pytest.approx(0.49)
    assert [found.slack for found in loosest_maps(run.survey, run.heads, count=5)] == [0.125, 0.125]


def test_the_side_is_that_of_the_earlier_token_whatever_the_order_of_the_pair(tmp_path: Path) -> None:
    turned = {"first": 3, "second": 1, "first_content": False, "first_advantage": -1.0, "second_advantage": 0.0}
    both = {"first_advantage": -1.0, "second_advantage": -1e-300}
    rows = [row(0, 0, "all", tight=False, **turned), row(1, 0, "all", tight=False, **both)]
    kinds = read_run(write_tables(tmp_path / "s", rows, [], MANIFEST)).pairs.kinds
    assert [(kind.name, kind.earlier, kind.later, kind.both) for kind in kinds] == [
        ("content + content", 0, 0, 1), ("special + content", 0, 1, 0),
    ]  # fmt: skip


def test_real_maps_counted_again(real: Path) -> None:
    run = read_run(real)
    rows = parquet.read_table(real / "verdicts.parquet").to_pylist()
    assert len(rows) == 3 * 12 * 2
    for (layer, rule), group in run.layers.groups.items():
        mine = [entry for entry in rows if entry["tokens"] == rule and layer in (None, entry["layer"])]
        assert group.share.tight == sum(entry["tight"] for entry in mine)
        assert group.share.maps == len(mine)
        assert group.kappa is not None
        assert group.kappa.median == pytest.approx(median(entry["kappa"] for entry in mine))
        assert group.slack is not None
        assert group.slack.high == max(entry["slack"] for entry in mine)
    last = run.chain[-1]
    assert (last.depth, last.inputs) == (12, 3)
    assert last.rollout_low.high <= last.factors.high <= last.layers.high


def test_single_heads(real_heads: Path) -> None:
    run = read_run(real_heads)
    assert run.heads == tuple(str(head) for head in range(8))
    assert run.unit == "single-head maps"
    shares = run.head_shares["content"]
    assert shares.shape == (12, 8)
    total = run.layers.groups[None, "content"].share
    assert np.isclose(shares.mean(), total.value)
    assert run.layers.groups[0, "content"].share.inputs == 3


def test_the_mean_is_taken_where_there_are_both(tmp_path: Path) -> None:
    rows = [row(0, 0, "all"), row(0, 0, "all", head="10", tight=False), row(0, 0, "all", head="2", tight=False)]
    run = read_run(write_tables(tmp_path / "s", rows, [], MANIFEST))
    assert (run.heads, run.other_heads) == (("mean",), ("2", "10"))
    assert run.layers.groups[None, "all"].share.value == 1
    assert run.labels["EXACT"] == 1


def test_every_map_skipped(tmp_path: Path) -> None:
    folder = write_tables(tmp_path / "s", [row(0, 0, "content", tight=None)], [], MANIFEST)
    run = read_run(folder)
    assert "every map was skipped" in run.headline()
    assert run_summary(run)["total"][0]["share"] is None


def test_shares_are_never_rounded_to_certainty() -> None:
    assert (percent(0.99999), percent(0.00001), number(0.0), number(1e-17)) == ("99.9%", "0.1%", "0", "1e-17")
    assert printable("\x1b[31m") == "\\x1b[31m"


def test_layers_without_a_map_in_a_survey_of_single_heads(tmp_path: Path) -> None:
    """The survey gives them the head rule ``each``, which is no head."""
    missing = row(0, 1, "all", tight=None, head="each", reason="linear attention: there are no weights")
    run = read_run(write_tables(tmp_path / "s", [row(0, 0, "all", head="0"), missing], [], MANIFEST))
    assert run.heads == ("0",)
    assert run.layers.groups[1, "all"].skipped == 1
    assert run.reasons == {"linear attention: there are no weights": 1}
    nothing = read_run(write_tables(tmp_path / "t", [missing], [], MANIFEST))
    assert "every map was skipped" in nothing.headline()
    assert problems_of(html_page([run, nothing])) == []
