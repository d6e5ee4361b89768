"""The README's code runs, and what it says of the JSON lines is what they are."""

import re
from pathlib import Path

import numpy as np
import pytest

from dobrushin import check, packaged
from dobrushin.sources.inputs import PACKAGED
from dobrushin.survey.schema import CHAIN_COLUMNS, COLUMNS, markdown_table

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_python_blocks_run(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 12  # one line per layer


def test_every_json_field_is_explained() -> None:
    table = README[README.index("| field |") : README.index("Exit codes:")]
    named = {name for row in table.strip().splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert named == set(check(np.eye(2)).to_json())


def test_named_make_targets_exist() -> None:
    makefile = (Path(__file__).parent.parent / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"`make ([a-z-]+)`", README)):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE), target


def test_every_column_of_a_survey_is_explained() -> None:
    assert markdown_table(COLUMNS) in README
    assert markdown_table(CHAIN_COLUMNS) in README


def test_packaged_models_and_inputs_are_listed() -> None:
    for key, model in packaged.models().items():
        assert f"| `{key}` | {model.title} | `{model.wheel.requirement}` | {model.licence} |" in README
    for key in PACKAGED:
        assert f"`{key}`" in README, key
