"""Hypothesis profiles: ``dev`` explores anew each time, ``ci`` is the same every time, ``stress`` is for long runs."""

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("dev", max_examples=100, deadline=None)
settings.register_profile("stress", max_examples=20_000, deadline=None, print_blob=True)
settings.register_profile(
    "ci",
    max_examples=200,
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.fixture(scope="session", autouse=True)
def _compiled_kernels() -> None:
    """Compile the kernels before the tests: the first use on a machine takes half a minute and says so on stderr."""
    from dobrushin import check

    check(np.eye(2))
