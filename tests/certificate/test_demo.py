"""The demonstration on trained models, in its quick form."""

from pathlib import Path

import pytest


@pytest.mark.slow
def test_certificates_of_trained_models(tmp_path: Path) -> None:
    demo = pytest.importorskip("dobrushin.certificate.demo", exc_type=ImportError)
    from dobrushin.certificate import verify

    done: list[int] = []
    rows = demo.demonstrate(
        tmp_path, quick=True, announce=lambda _: None, progress=lambda _name, now, _total: done.append(now)
    )
    assert len(rows) >= 12
    assert all(row.agrees for row in rows)
    assert {row.map.model for row in rows} == {"minilm", "dinov2"}
    assert done == list(range(1, len(rows) + 1))
    smallest = min(rows, key=lambda row: row.map.n)
    assert verify(tmp_path / f"{smallest.map.name}.lean").certificate.proof.tight == smallest.map.tight
