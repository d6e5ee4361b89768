"""Where the parts of a search lie in the one block of memory that it works in.

A part is a view, made inside the kernels; so a caller hands over one array, and one block serves maps of every size
that fit in it.  For m rows of width n it is 8·m·n bytes and a little: half for the quantised rows, half for envelopes,
16-bit rows or all distances, whichever the path needs.  The list of pairs has what is left of the block: m²/4 bytes at
least, and up to 2·m² when nearly all pairs tie.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
import numpy as np

from dobrushin.coefficient.kernels import limits
from dobrushin.coefficient.kernels.jit import jit
from dobrushin.coefficient.kernels.tile import HEIGHT
from dobrushin.coefficient.kernels.vectors import LANES

_row_length = jit()(limits.stride_of)
_list_start = jit()(limits.list_start)
_shortest_list = jit()(limits.shortest_list)


@jit()
def fits(work, rows, width):
    """Whether the block is long enough."""
    return work.size >= _list_start(_row_length(rows, width), rows) + (_shortest_list(rows) + 1) // 2


@jit()
def parts(work, rows, width):
    """The views of a block that is long enough.

    Returns:
        fixed (int32, 2·rows and some more): the quantised rows and what follows them; sums (int64), one for each row
        of fixed; scales (float64), one for each row of the map; panel and tile (int32): see ``tile``; free
        (int32): the part of fixed behind the rows, flat, for envelopes, 16-bit rows or distances; scores (uint32),
        for the pruned searches' list; state (int64); codes (int32): the list of pairs.
    """
    stride = _row_length(rows, width)
    total = 2 * rows + limits.SPARE_ROWS
    at = total * stride // 2
    fixed = work[:at].view(np.int32).reshape((total, stride))
    free = work[(rows + LANES) // 2 * stride : at].view(np.int32)
    panel = work[at : at + LANES * stride // 2].view(np.int32)
    at += LANES * stride // 2
    tile = work[at : at + HEIGHT * LANES // 2].view(np.int32)
    at += HEIGHT * LANES // 2
    sums = work[at : at + total]
    at += total
    scales = work[at : at + rows].view(np.float64)
    at += rows
    state = work[at : at + limits.STATE]
    at += limits.STATE
    codes_at = _list_start(stride, rows)
    scores = work[at : at + max(64, rows * rows // 16) // 2].view(np.uint32)
    codes = work[codes_at:].view(np.int32)
    return fixed, sums, scales, panel, tile, free, scores, state, codes
