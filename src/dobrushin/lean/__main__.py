"""``python -m dobrushin.lean prove`` and ``python -m dobrushin.lean lock``."""

from dobrushin.lean.prove import app

app()
