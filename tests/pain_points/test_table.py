"""Every item has tests, and every test that the table names exists."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = (Path(__file__).parent / "README.md").read_text(encoding="utf-8")
ITEMS = [1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 13, 14, 16, 17, 18, 20, 21, 22, 25, 26, 27, 29, 30, 31]


def rows() -> dict[str, list[str]]:
    found = {}
    for line in TABLE.splitlines():
        cells = [cell.strip() for cell in line.split(" | ")]
        if line.startswith("| ") and len(cells) == 3 and cells[0] != "| item":
            found[cells[0].removeprefix("| ")] = re.findall(r"`([^`]+::[^`]+)`", cells[2])
    return found


def test_every_item_has_a_test() -> None:
    found = rows()
    assert list(found) == [*map(str, ITEMS), *(f"E{number}" for number in range(1, 8))]
    assert all(found.values())


def test_every_named_test_exists() -> None:
    names: dict[str, set[str]] = {}
    for tests in rows().values():
        for test in tests:
            file, _, name = test.partition("::")
            if file not in names:
                tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
                names[file] = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
            assert name in names[file], test
