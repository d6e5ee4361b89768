"""The command as a user meets it: a real process, its output, its exit code."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ATTENTION = np.random.default_rng(0).dirichlet(np.ones(6), size=(2, 3, 6)).astype(np.float32)


def dobrushin(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dobrushin", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def maps(tmp_path: Path) -> Path:
    path = tmp_path / "maps.npz"
    np.savez(path, attentions=ATTENTION)
    return path


def test_json_lines(maps: Path) -> None:
    done = dobrushin("check", maps, "--json", "--keep", "1:5", "--restrict", "submatrix", "--alpha", "1/3")
    assert done.returncode == 0
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["map"] for line in lines] == ["attentions[layer=0, head=mean]", "attentions[layer=1, head=mean]"]
    fields = "map n alpha restrict tight kappa kappa_exact slack slack_exact n_attaining pair margin stage"
    assert list(lines[0]) == fields.split()
    assert (lines[0]["n"], lines[0]["alpha"], lines[0]["restrict"]) == (4, "1/3", "submatrix")
    assert all(1 <= token < 5 for token in lines[0]["pair"])


def test_table_and_heads(maps: Path) -> None:
    done = dobrushin("check", maps, "--heads", "each")
    assert done.returncode == 0
    assert "attentions[layer=1, head=2]" in done.stdout
    assert "of 6 maps are tight" in done.stdout
    assert "restriction: none" in done.stdout


def test_negative_entries_with_the_explicit_flag_only(tmp_path: Path) -> None:
    path = tmp_path / "real.npy"
    np.save(path, np.array([[2.0, -1.0], [0.5, 0.5]]))
    assert dobrushin("check", path).returncode == 2
    done = dobrushin("check", path, "--any-real", "--json")
    assert (done.returncode, json.loads(done.stdout)["kappa_exact"]) == (0, "3/2")


BAD_ARRAYS = {
    "nan": np.full((2, 2), np.nan),
    "shape": np.ones((2, 3)) / 3,
    "unlabelled": np.full((2, 4, 4), 0.25),
    "ints": np.eye(3, dtype=int),
    "one": np.ones((1, 1)),
    "sums": np.ones((3, 3)),
    "pickle": np.array([{"a": 1}], dtype=object),
}


@pytest.mark.parametrize("case", [*BAD_ARRAYS, "empty", "missing", "folder", "truncated"])
def test_bad_input_is_one_sentence_and_exit_code_2(case: str, tmp_path: Path) -> None:
    path = tmp_path / f"{case}.npy"
    if case in BAD_ARRAYS:
        np.save(path, BAD_ARRAYS[case], allow_pickle=True)
    elif case == "empty":
        path.touch()
    elif case == "folder":
        path.mkdir()
    elif case == "truncated":
        path = tmp_path / "truncated.npz"
        np.savez(path, a=ATTENTION)
        path.write_bytes(path.read_bytes()[:300])
    done = dobrushin("check", path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--alpha", "2"], "strictly between 0 and 1"),
        (["--alpha", "half"], "not a number"),
        (["--alpha", "1e-999999999"], "not a number"),
        (["--keep", "9"], "out of range"),
        (["--keep", "1"], "at least two"),
        (["--restrict", "cut"], "renormalised"),
        (["--heads", "max"], "mean"),
        (["--unknown"], "No such option"),
    ],
)
def test_bad_options(maps: Path, options: list[str], message: str) -> None:
    done = dobrushin("check", maps, *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    script = f"set -o pipefail; {command}"
    merged = {**os.environ, **environment}
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, timeout=120, env=merged)


def test_reader_that_goes_away(tmp_path: Path) -> None:
    path = tmp_path / "many.npy"
    np.save(path, np.tile(np.eye(2), (3000, 1, 1)))
    done = shell(f"{sys.executable} -m dobrushin check {path} --axis layers --json | head -n 1")
    assert (done.returncode, len(done.stdout.splitlines()), done.stderr) == (0, 1, "")


@pytest.mark.parametrize(("redirect", "message"), [(">&-", "standard output is closed"), (">/dev/full", "No space")])
@pytest.mark.parametrize("options", ["", "--json"])
def test_output_that_can_not_be_written(maps: Path, redirect: str, message: str, options: str) -> None:
    done = shell(f"{sys.executable} -m dobrushin check {maps} {options} {redirect}")
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("encoding", ["latin1", "ascii"])
def test_terminals_without_greek(maps: Path, encoding: str) -> None:
    for command in (f"check {maps}", "check --help"):
        done = shell(f"{sys.executable} -m dobrushin {command}", PYTHONIOENCODING=encoding)
        assert (done.returncode, done.stderr) == (0, "")


def test_strange_names_stay_on_one_line(tmp_path: Path) -> None:
    done = dobrushin("check", tmp_path / "two\nlines [bold].npy")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    np.savez(tmp_path / "maps.npz", **{"[bold]" + "x" * 170: np.eye(2)})
    done = dobrushin("check", tmp_path / "maps.npz")
    assert "[bold]xxx" in done.stdout
    assert "all attain" in done.stdout


def test_no_warning_besides_the_sentence(tmp_path: Path) -> None:
    np.save(tmp_path / "huge.npy", np.array([[1e308, 1e308], [0.0, 1.0]]))
    done = dobrushin("check", tmp_path / "huge.npy")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


def test_json_is_json_beyond_the_largest_float(tmp_path: Path) -> None:
    np.save(tmp_path / "huge.npy", np.array([[1.7e308, -1.7e308], [-1.7e308, 1.7e308]]))
    done = dobrushin("check", tmp_path / "huge.npy", "--any-real", "--json")
    assert json.loads(done.stdout, parse_constant=pytest.fail)["kappa"] is None


def test_version() -> None:
    assert dobrushin("--version").stdout == "dobrushin 0.1.0\n"


def test_core_imports_without_torch() -> None:
    code = (
        "import sys, dobrushin, dobrushin.cli; "
        "heavy = {'torch', 'transformers', 'matplotlib', 'onnx', 'numba', 'pyarrow', 'sympy'} & set(sys.modules); "
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
