"""What a survey's results depend on: the same configuration, model and inputs give the same bytes."""

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from dobrushin.errors import InputError
from dobrushin.files import is_utf8
from dobrushin.residual import residual_weight
from dobrushin.survey.record import TokenRule
from dobrushin.tokens import DEFAULT_RESTRICTION, Restriction

HeadRule = Literal["mean", "each"]

MOST_THREADS = 1024

READINGS: tuple[Restriction, ...] = ("renormalised", "submatrix", "pairs")


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """The options of a survey that its results depend on.

    Attributes:
        model: what ``--model`` takes; see :mod:`dobrushin.sources.models`.
        inputs: what ``--inputs`` takes; see :mod:`dobrushin.sources.inputs`.
        revision, device, dtype, max_tokens: as :func:`dobrushin.sources.open_model` takes them.
        column, limit, seed, size: as :func:`dobrushin.sources.open_inputs` takes them; ``size`` is that of the model
            when it is None and the model says one.
        tokens: ``content``, ``all`` or both.
        restrict: how maps are read when they are restricted to content tokens.
        alpha: the residual weight, as ``p/q``.
        heads: ``mean`` or ``each``.
        batch_size: at most so many inputs in one forward pass.
        part_size: inputs in one part.  Batches are formed within a part, since the last bits of a map depend on the
            batch that it was computed in.
        threads: of torch and BLAS in each process: their number can change the last bits too.
        chain: whether the chain of bounds is measured; it needs ``heads`` to be ``mean``.
        prove: so many maps of each layer and token rule in each part, of at most 64 tokens, are proved by Lean.
    """

    model: str
    inputs: str
    revision: str | None = None
    device: str = "cpu"
    dtype: str | None = None
    max_tokens: int | None = None
    column: str | None = None
    limit: int | None = None
    seed: int | None = None
    size: int | None = None
    tokens: tuple[TokenRule, ...] = ("content", "all")
    restrict: Restriction = DEFAULT_RESTRICTION
    alpha: str = "1/2"
    heads: HeadRule = "mean"
    batch_size: int = 8
    part_size: int = 64
    threads: int = 1
    chain: bool = True
    prove: int = 0

    def __post_init__(self) -> None:
        weight = residual_weight(self.alpha)
        object.__setattr__(self, "alpha", f"{weight.numerator}/{weight.denominator}")
        object.__setattr__(self, "tokens", tuple(dict.fromkeys(self.tokens)))
        for rule in self.tokens:
            _one_of("token rule", rule, get_args(TokenRule))
        if not self.tokens:
            raise InputError("there is no token rule: choose content, all or both")
        _one_of("head rule", self.heads, get_args(HeadRule))
        _one_of("reading", self.restrict, READINGS)
        for name, value in (("model", self.model), ("inputs", self.inputs), ("column", self.column)):
            if value is not None and not is_utf8(value):
                raise InputError(f"the {name} {value} is not UTF-8, which the manifest is written in: rename it")
        if self.seed is not None and self.limit is None:
            raise InputError(f"the seed {self.seed} chooses a sample, but no limit says of how many inputs: add one")
        if self.threads > MOST_THREADS:
            raise InputError(f"threads is {self.threads}, but at most {MOST_THREADS} can be asked for")
        for name, least in (("batch_size", 1), ("part_size", 1), ("threads", 1), ("prove", 0)):
            value = getattr(self, name)
            if value < least:
                raise InputError(f"{name.replace('_', '-')} is {value}, but it has to be at least {least}")
        if self.heads == "each":
            object.__setattr__(self, "chain", False)

    def to_json(self) -> dict[str, Any]:
        """The options by name."""
        return asdict(self) | {"tokens": list(self.tokens)}

    @classmethod
    def from_json(cls, options: dict[str, Any]) -> "Configuration":
        """The inverse of :meth:`to_json`."""
        return cls(**options | {"tokens": tuple(options["tokens"])})


def _one_of(what: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InputError(f"the {what} is {value}, but one of {', '.join(choices)} is needed")
