"""What the report opens, and the one sentence for everything that it can not."""

import json
import shutil
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

from dobrushin import InputError
from dobrushin.report.results import read_results
from dobrushin.report.run import read_run
from dobrushin.report.source import open_survey
from dobrushin.report.summary import run_summary
from dobrushin.testing.known_survey import MANIFEST, chain_rows, verdict_rows
from dobrushin.testing.survey_folders import write_tables


def test_parts_give_the_same_numbers_and_are_incomplete(known: Path, tmp_path: Path) -> None:
    parts = write_tables(tmp_path / "parts", verdict_rows(), chain_rows(), MANIFEST | {"status": "incomplete"}, parts=3)
    whole, run = read_run(known), read_run(parts)
    assert (whole.complete, run.complete) == (True, False)
    assert run.headline() == whole.headline()
    assert run_summary(run)["layers"] == run_summary(whole)["layers"]
    assert run.pairs.kinds == whole.pairs.kinds
    assert run.pairs.tokens == whole.pairs.tokens
    assert run.chain == whole.chain


def test_merged_but_said_to_be_incomplete(tmp_path: Path) -> None:
    folder = write_tables(tmp_path / "s", verdict_rows(), [], MANIFEST | {"status": "incomplete"})
    assert not open_survey(folder).complete


def test_a_lone_file_and_a_file_beside_its_manifest(known: Path, tmp_path: Path) -> None:
    assert open_survey(known / "verdicts.parquet").manifest == MANIFEST
    alone = (known / "verdicts.parquet").rename(tmp_path / "alone.parquet")
    run = read_run(alone)
    assert (run.complete, run.title, run.layers.groups[None, "all"].share.maps) == (False, "alone.parquet", 8)


def test_no_survey(tmp_path: Path, known: Path) -> None:
    (tmp_path / "text.txt").write_text("x", encoding="utf-8")
    for path, message in (
        (tmp_path / "gone", "is missing"),
        (tmp_path, "no manifest.json"),
        (tmp_path / "text.txt", "no survey"),
    ):
        with pytest.raises(InputError, match=message):
            open_survey(path)
    with pytest.raises(InputError, match="nothing is named"):
        read_results([])
    for text, message in (("{", "can not be read"), ("[]", "has the format None"),
                          (json.dumps(MANIFEST | {"format": "dobrushin survey 7"}), "survey 7")):  # fmt: skip
        (known / "manifest.json").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            open_survey(known)


def test_empty_surveys(tmp_path: Path) -> None:
    folder = write_tables(tmp_path / "empty", [], [], MANIFEST)
    with pytest.raises(InputError, match="without a single row"):
        read_run(folder)
    (folder / "verdicts.parquet").unlink()
    with pytest.raises(InputError, match="holds no verdicts yet"):
        read_run(folder)


def test_tables_that_are_damaged_or_of_another_kind(known: Path) -> None:
    file = known / "verdicts.parquet"
    table = parquet.read_table(file)
    parquet.write_table(table.drop_columns(["slack"]), file)
    with pytest.raises(InputError, match="has no column slack"):
        read_run(known)
    parquet.write_table(table.set_column(table.column_names.index("kappa"), "kappa", table.column("n")), file)
    with pytest.raises(InputError, match="the column kappa is int32, but double is needed"):
        read_run(known)
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(InputError, match="can not be read as Parquet"):
        read_run(known)


def test_dictionaries_are_read_like_strings(known: Path) -> None:
    before = read_run(known).headline()
    file = known / "verdicts.parquet"
    table = parquet.read_table(file)
    place = table.column_names.index("label")
    encoded = table.column("label").dictionary_encode()
    assert pyarrow.types.is_dictionary(encoded.type)
    parquet.write_table(table.set_column(place, "label", encoded), file)
    assert read_run(known).headline() == before


def test_exact_values_are_not_read(known: Path) -> None:
    """They are most of a survey's bytes, and no summary needs them."""
    file = known / "verdicts.parquet"
    parquet.write_table(parquet.read_table(file).drop_columns(["kappa_exact", "slack_exact", "n_attaining"]), file)
    assert "5 of 7" in read_run(known).headline()


@pytest.mark.parametrize("content", ['{"format": "dobrushin survey 1", "model": "x"}', "[" * 100_000])
def test_a_manifest_that_was_damaged_is_one_sentence(content: str, known: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(known, folder)
    (folder / "manifest.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"manifest\.json (is damaged: its model is no object|can not be read)"):
        open_survey(folder)
