"""The error bounds against 200 digits, and the real softmax by intervals."""

import numpy as np
import pytest

from dobrushin.coefficient import screen
from dobrushin.crosscheck import bounds, softmax


def test_no_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "_SIZES", (3, 40))
    checks = list(bounds.run(seed=3, repeats=1))
    assert len(checks) == 6
    for check in checks:
        assert check.violations == 0, str(check.witness)
        assert check.comparisons > 0
        assert 0 < check.tightness <= 1


def test_too_small_a_bound_is_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "_UNIT_ROUNDOFF", 2.0**-60)
    monkeypatch.setattr(bounds, "_SIZES", (3, 17))
    first, second, *_ = bounds.run(seed=3, repeats=1)
    assert first.violations > 0
    assert second.violations > 0
    assert first.witness is not None
    assert first.tightness > 1


def test_real_verdict_of_clear_logits() -> None:
    diagonal = np.log(np.array([[8.0, 1.0, 1.0], [1.0, 7.0, 2.0], [2.0, 1.0, 7.0]]))
    assert softmax.real_verdict(diagonal) is True
    assert softmax.real_verdict(diagonal[::-1]) is False


def test_real_tie_is_undecided() -> None:
    assert softmax.real_verdict(np.zeros((3, 3))) is None


def test_enclosure_contains_the_softmax_and_is_narrow() -> None:
    logits = np.random.default_rng(0).standard_normal((4, 4))
    low, high = softmax.softmax_enclosure(logits)
    assert (low <= high).all()
    middle = np.array([[float(x / 2**720) for x in row] for row in low])
    assert np.allclose(middle, bounds.softmax(logits, np.float64), rtol=1e-14)
    assert max((high - low).ravel()) < 2**80


def test_experiment_counts_every_matrix() -> None:
    agreements = list(softmax.run(seed=0, repeats=2))
    assert [agreement.total for agreement in agreements] == [6] * len(softmax.KINDS)
    assert sum(agreement.agree for agreement in agreements) > 0
