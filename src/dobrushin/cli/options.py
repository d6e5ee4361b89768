"""Options that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

from dobrushin.loading import Axis, Heads
from dobrushin.matrix import Precision
from dobrushin.tokens import Restriction

FileArgument = Annotated[Path, typer.Argument(help="Attention maps: .npy, .npz or .safetensors.", metavar="FILE")]
HeadsOption = Annotated[Heads, typer.Option(help="Average a layer's heads (in float64), or take each.")]
AxisOption = Annotated[
    Axis | None, typer.Option(help="What the first axis of a three-dimensional array counts.", show_default=False)
]
KeepOption = Annotated[str | None, typer.Option(help="Content tokens by index: 1,2,5 or 1:13.", show_default=False)]
RestrictOption = Annotated[
    Restriction | None,
    typer.Option(help="How the map is read when tokens are left out.", show_default="renormalised with --keep"),
]
PrecisionOption = Annotated[
    Precision | None,
    typer.Option(help="Format in which the rows were computed, if coarser than stored.", show_default=False),
]
