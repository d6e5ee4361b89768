"""The compiled search (numba): integer filters for all pairs, exact limbs for what they leave.

numba is optional.  It is imported, and the kernels with it, at the first map that asks for them.
"""

import importlib.util
import sys
from fractions import Fraction
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from dobrushin.coefficient.kernels.limits import MOST_ROWS, WIDEST
from dobrushin.coefficient.pair_values import PairValues
from dobrushin.coefficient.rows import Pairs, Rows
from dobrushin.coefficient.workspace import Workspace

Path = Literal["auto", "dense", "tree", "narrow"]
"""How pairs are searched: ``auto`` samples the map and chooses."""

_CAP_LIMIT = 1 << 62  # no deficit is larger, in units of 2**-61
_KNOWN = 64  # attaining pairs that seed the search for the slack

Found = tuple[int, int, int, int, int, int]
"""What a search returns: see ``kernels.solve``."""

_workspace = Workspace()
_kernels: SimpleNamespace | None = None


@cache
def available() -> bool:
    """Whether numba is installed."""
    return importlib.util.find_spec("numba") is not None


def kernels() -> SimpleNamespace:
    """The kernels; the first call on a machine compiles them, which takes about half a minute."""
    global _kernels
    if _kernels is None:
        from dobrushin.coefficient.kernels import jit

        if not jit.compiled_before():
            print("compiling the kernels for this machine, once (about half a minute) …", file=sys.stderr, flush=True)
        from dobrushin.coefficient.kernels import head_mean, normalised, pair, plan, solve  # compiles

        paths = {"auto": plan.AUTO, "dense": plan.DENSE, "tree": plan.TREE, "narrow": plan.NARROW}
        names = {number: name for name, number in paths.items()}
        _kernels = SimpleNamespace(
            head_mean=head_mean,
            normalised=normalised,
            pair=pair,
            solve=solve,
            largest=solve.largest,
            paths=paths,
            names=names,
        )
    return _kernels


class CompiledSearch:
    """What the kernels find for some rows."""

    def __init__(self, rows: Rows, path: Path, found: Found, attaining: npt.NDArray[np.int32] | None) -> None:
        self._rows = rows
        self._path = path
        self._found = found
        self._ties = attaining

    @classmethod
    def of(cls, rows: Rows, path: Path = "auto") -> "CompiledSearch | None":
        """Search all pairs; None when the rows are not for these kernels (negative or large entries)."""
        modules = _kernels or kernels()
        found = _run(rows, modules.largest, modules.paths[path])
        if found is None:
            return None
        if found[3] == 1:  # MARKED: one pair
            return cls(rows, path, found, None)
        codes = _listed(rows, found)
        attaining = ~codes[codes < 0]
        if found[3] < 0:
            attaining = largest_normalised(rows, attaining)
        return cls(rows, path, found, attaining)

    @property
    def path(self) -> str:
        """The path that was taken."""
        modules = kernels()
        return str(modules.names[self._found[modules.solve.PATH]])

    @cached_property
    def _codes(self) -> npt.NDArray[np.int32]:
        """Codes of the attaining pairs, ascending."""
        return np.array([self._found[4]], np.int32) if self._ties is None else self._ties

    @cached_property
    def attaining(self) -> Pairs:
        """All pairs at the largest distance, lexicographic."""
        return decode(self._codes, len(self._rows))

    def next_pair(self) -> tuple[int, int] | None:
        """A pair at the largest distance below κ; None when every pair attains κ."""
        m = len(self._rows)
        if len(self._codes) == m * (m - 1) // 2:
            return None
        known = self._found[kernels().solve.NEXT] if self._ties is None else -1
        return divmod(known if known >= 0 else self._search_next(), m)

    def _search_next(self) -> int:
        slots = kernels().solve
        found = _run(self._rows, slots.next_largest, self._codes)
        assert found is not None, "these rows were suited before"
        if found[slots.MARKED] < 0:
            codes = _listed(self._rows, found)
            return int(largest_normalised(self._rows, ~codes[codes < 0])[0])
        return found[slots.FIRST]

    def shortfall_candidates(self, ratio: Fraction) -> Pairs:
        """Every pair whose shortfall (T4) may be the smallest, for ratio = α/(1−α)."""
        modules = kernels()
        cap = min(int(ratio * (1 << 61)), _CAP_LIMIT)
        known = self._codes[:_KNOWN]
        search = modules.solve.smallest_shortfall
        found = _run(self._rows, search, self._rows.own_column, modules.paths[self._path], cap, known)
        assert found is not None, "these rows were suited before"
        return decode(_listed(self._rows, found), len(self._rows))


def decode(codes: npt.NDArray[np.int32], rows: int) -> Pairs:
    """Pairs (i, j) from the codes i·rows + j."""
    return np.stack(np.divmod(codes.astype(np.int64), rows), axis=-1)


def _run(rows: Rows, search: Any, *arguments: Any) -> Found | None:
    """What a search returns, in this thread's memory, longer if need be; None when the rows do not suit."""
    while True:
        found: Found = search(rows.values, rows.normalised, *arguments, _workspace.block)
        if found[0] == 0:  # DONE
            return found
        if found[0] == kernels().solve.UNSUITED:
            return None
        _workspace.enlarge(len(rows), rows.width, found[2])


def _listed(rows: Rows, found: Found) -> npt.NDArray[np.int32]:
    """A view of the pairs that a search listed, good until the next search."""
    return _workspace.listed(len(rows), rows.width, found[2])


def solve_each(
    values: npt.NDArray[np.float64],
    normalised: bool,
    first: npt.NDArray[np.int64],
    count: npt.NDArray[np.int64],
) -> npt.NDArray[np.bool_]:
    """Write the first attaining pair and the number of attaining pairs of each map (B, n, n); which maps were done."""
    batch, n, _ = values.shape
    if not available() or n > MOST_ROWS or n > WIDEST:
        return np.zeros(batch, dtype=bool)
    slots = kernels().solve
    found = np.empty((batch, 6), np.int64)
    slots.largest_of_each(values, normalised, _workspace.enlarge(n, n), found)
    np.divmod(found[:, slots.FIRST], n, out=(first[:, 0], first[:, 1]))
    count[:] = found[:, slots.MARKED]
    done: npt.NDArray[np.bool_] = (found[:, slots.STATUS] == slots.DONE) & (count > 0)
    return done


def largest_normalised(rows: Rows, codes: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Those of the pairs that have the largest distance of them all, exactly, for normalised rows.

    Pairs without a common column are at distance 1; otherwise one pair is worked out for each two distinct rows.
    """
    apart = np.empty(len(codes), dtype=bool)
    kernels().normalised.disjoint(rows.values, codes, apart)
    if apart.any():
        return codes[apart]
    pairs = decode(codes, len(rows))
    _, kind = np.unique(rows.values.view(np.int64), axis=0, return_inverse=True)
    kinds = np.sort(kind.reshape(-1)[pairs], axis=1)
    _, first, of_pair = np.unique(kinds, axis=0, return_index=True, return_inverse=True)
    exact = PairValues(rows, compiled=True)
    distances = [exact.distance(i, j) for i, j in pairs[first].tolist()]
    largest = max(distances)
    attains = np.array([d == largest for d in distances])[of_pair.reshape(-1)]
    result: npt.NDArray[np.int32] = codes[attains]
    return result
