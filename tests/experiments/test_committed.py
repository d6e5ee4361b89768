"""The committed results are those of the committed configuration, and hold what the texts say of them."""

import re
import tomllib
from pathlib import Path

from dobrushin.experiments import read_table

EXPERIMENTS = Path(__file__).parents[2] / "experiments"


def test_random_matrices_are_as_many_as_configured() -> None:
    folder = EXPERIMENTS / "random_matrices"
    config = tomllib.loads((folder / "config.toml").read_text())
    rows = read_table(folder / "results.parquet")
    uniform = {row["n"]: row for row in rows if row["family"] == "dirichlet"}
    assert {str(n): row["matrices"] for n, row in uniform.items()} == config["full"]["dirichlet"]
    assert (min(uniform), max(uniform)) == (2, 512)
    assert all(row["matrices"] >= 100_000 for n, row in uniform.items() if n <= 64)
    assert {row["seed"] for row in rows} == {config["common"]["seed"]}


def test_shares_agree_with_the_closed_forms_and_the_identity() -> None:
    rows = read_table(EXPERIMENTS / "random_matrices" / "results.parquet")
    exact = {2: 1 / 2, 3: 1 / 3}
    exchangeable = [row for row in rows if row["conditional_share"] is not None]
    assert len(exchangeable) > 50
    outside = 0
    for row in exchangeable:
        n = row["n"]
        if n in exact:
            assert abs(row["conditional_share"] - exact[n]) < 1e-12
        assert 1 / n - 1e-12 <= row["conditional_share"] <= (n * n // 4) / (n * (n - 1)) + 1e-12
        outside += not row["low"] <= row["conditional_share"] <= row["high"]
    assert outside <= 0.15 * len(exchangeable), "95% intervals miss one in twenty"
    assert all(row["tight"] == row["matrices"] for row in rows if row["family"] == "causal")


def test_every_experiment_has_the_results_of_its_full_form() -> None:
    folders = sorted(path.parent for path in EXPERIMENTS.glob("*/config.toml"))
    for folder in folders:
        assert "full form" in (folder / "results.md").read_text(encoding="utf-8")[:400].lower(), folder.name
        assert "quick form" not in (folder / "results.md").read_text(encoding="utf-8").lower(), folder.name
        tables = [*folder.glob("*.parquet"), *folder.glob("results/**/*.parquet")]
        assert tables, folder.name
        assert all(read_table(table) for table in tables), folder.name
        text = (folder / "README.md").read_text(encoding="utf-8")
        links = re.findall(r"\]\(([^)#:]+)\)", text)
        assert "results.md" in links, folder.name
        assert any(link.endswith(".png") for link in links), folder.name
        assert [link for link in links if not (folder / link).exists()] == [], folder.name


def test_trained_models_saw_as_many_inputs_as_configured() -> None:
    for name, models in (("text", ["minilm", "distilbert"]), ("dinov2", ["dinov2"])):
        config = tomllib.loads((EXPERIMENTS / name / "config.toml").read_text())["full"]
        rows = read_table(EXPERIMENTS / name / "results.parquet")
        assert {row["model"] for row in rows} == set(models)
        for row in rows:
            wanted = config["limit"] if row["reading"] in ("renormalised", "all tokens") else config["other_limit"]
            assert row["maps"] == (wanted or 246), row


def test_tightness_does_not_depend_on_the_residual_weight() -> None:
    config = tomllib.loads((EXPERIMENTS / "why" / "config.toml").read_text())["full"]
    rows = read_table(EXPERIMENTS / "why" / "weights.parquet")
    for model in config["models"]:
        for tokens in ("content", "all"):
            own = [row for row in rows if (row["model"], row["tokens"]) == (model["model"], tokens)]
            assert {row["alpha"] for row in own} == {"1/2", *config["alphas"]}
            assert len({(row["maps"], row["tight"]) for row in own}) == 1


def test_rank_collapse_saw_texts_of_the_configured_length() -> None:
    sections = tomllib.loads((EXPERIMENTS / "collapse" / "config.toml").read_text())
    for network in sections["full"]["networks"]:
        rows = read_table(EXPERIMENTS / "collapse" / "results" / network / "collapse.parquet")
        assert len({row["input"] for row in rows}) == sections["full"]["inputs"][network]
        if network not in ("dinov2", "rxnmapper"):
            assert {row["n"] for row in rows} == {sections["common"]["tokens"]}, network


def test_every_experiment_says_its_command_and_compares_with_the_paper() -> None:
    overview = (EXPERIMENTS / "README.md").read_text(encoding="utf-8")
    makefile = (EXPERIMENTS.parent / "Makefile").read_text(encoding="utf-8")
    folders = sorted(path.parent for path in EXPERIMENTS.glob("*/config.toml"))
    assert len(folders) >= 6
    for folder in folders:
        name = folder.name.replace("_", "-")
        text = (folder / "README.md").read_text(encoding="utf-8")
        assert f"make experiment-{name}" in text
        assert "paper" in text
        assert f"{folder.name}/README.md" in overview
        assert f" {name}" in makefile
        sections = tomllib.loads((folder / "config.toml").read_text(encoding="utf-8"))
        assert {"full", "quick"} <= sections.keys() <= {"common", "full", "quick"}
