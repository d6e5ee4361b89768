"""The text of certificates: what they say they are about can be read back, and nothing else gets in."""

import numpy as np
import pytest

from dobrushin import InputError, attention_matrix
from dobrushin.certificate import Source, evidence, lean_text
from dobrushin.certificate.lean_file import FIRST_LINE, read_source

SOURCE = Source(file="maps.npz", sha256="0" * 64, map="attentions[layer=0]", keep="1:3", restrict="pairs")


def text_about(source: Source) -> str:
    return lean_text(source, evidence(attention_matrix(np.eye(3)), keep=[1, 2], restrict="pairs"))


def test_the_source_is_read_back() -> None:
    assert read_source(text_about(SOURCE), shown="it") == SOURCE


@pytest.mark.parametrize("name", ["a\naxiom false : False", "-/ axiom x : False /-", "µ ¬Tight «»"])
def test_names_stay_in_their_comment(name: str) -> None:
    source = Source(file="maps.npz", sha256="0" * 64, map=name, keep="1:3", restrict="pairs")
    hostile, plain = text_about(source).split("\n"), text_about(SOURCE).split("\n")
    assert hostile[2:] == plain[2:]
    assert hostile[1].isascii()
    assert read_source("\n".join(hostile), shown="it") == source


@pytest.mark.parametrize(
    "second",
    [
        "no json", "{}", "[]", '{"format": 1}', '{"format": 2}', "[" * 100_000,
        '{"format": 1, "file": 3, "sha256": "", "map": "", "keep": null, "restrict": null, "heads": null, '
        '"axis": null, "precision": null}',
        '{"format": 1, "file": "", "sha256": "", "map": "", "keep": 5, "restrict": null, "heads": null, '
        '"axis": null, "precision": null}',
    ],
)  # fmt: skip
def test_a_damaged_head_is_one_sentence(second: str) -> None:
    with pytest.raises(InputError, match="write it again"):
        read_source(f"{FIRST_LINE}\n-- {second}\n", shown="it")


@pytest.mark.parametrize("text", ["", "import Dobrushin\n", FIRST_LINE, f"{FIRST_LINE}\nno comment\nx"])
def test_other_files_are_no_certificates(text: str) -> None:
    with pytest.raises(InputError, match="no certificate"):
        read_source(text, shown="it")
