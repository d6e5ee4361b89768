"""The order of compilation, and what is wrong with a set of files before Lean sees it."""

from pathlib import Path

import pytest

from dobrushin.lean.refusal import RefusedError
from dobrushin.lean.sources import Project, modules_in_order


def project(root: Path, files: dict[str, str]) -> Project:
    """A project whose stand-in is a single file."""
    for name, text in {"bootstrap/Init.lean": "prelude\n", **files}.items():
        path = root / "lean" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Project.at(root)


def test_each_module_comes_after_what_it_imports(tmp_path: Path) -> None:
    files = {
        "Dobrushin.lean": "import Dobrushin.B\nimport Dobrushin.A\n",
        "Dobrushin/A.lean": "/- import Dobrushin.C -/\n-- import Dobrushin.C\n/-! words -/\ntheorem t : p := h\n",
        "Dobrushin/B.lean": '/- one\ntwo -/ import Dobrushin.A\n\ndef s := "\nimport Dobrushin.C\n"\n',
    }
    given = project(tmp_path, files)
    assert [m.name for m in modules_in_order(given, stand_in=True)] == [
        "Init",
        "Dobrushin.A",
        "Dobrushin.B",
        "Dobrushin",
    ]
    assert [m.name for m in modules_in_order(given, stand_in=False)] == ["Dobrushin.A", "Dobrushin.B", "Dobrushin"]


@pytest.mark.parametrize(
    ("files", "reason", "where"),
    [
        ({"Dobrushin/A.lean": ""}, "no-root", "lean/Dobrushin.lean"),
        (
            {"Dobrushin.lean": "import Dobrushin.A\n", "Dobrushin/A.lean": "import Dobrushin\n"},
            "import-circle",
            "Dobrushin",
        ),
        ({"Dobrushin.lean": "import Mathlib\n"}, "foreign-import", "lean/Dobrushin.lean"),
        ({"Dobrushin.lean": "", "Dobrushin/A.lean": ""}, "unreached-module", "lean/Dobrushin/A.lean"),
        ({"Dobrushin.lean": "", "Init.lean": ""}, "module-twice", "lean/Init.lean"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refused(files: dict[str, str], reason: str, where: str, tmp_path: Path) -> None:
    with pytest.raises(RefusedError) as caught:
        modules_in_order(project(tmp_path, files), stand_in=True)
    assert (caught.value.reason, caught.value.where) == (reason, where)
