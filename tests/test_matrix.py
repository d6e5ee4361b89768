"""What is refused, where the message points, and that nothing is changed on the way in."""

import numpy as np
import pytest

from dobrushin import AttentionMatrix, InputError, attention_matrix, check, head_mean
from dobrushin.matrix import row_sum_tolerance

EYE = np.eye(3)


def with_entry(value: float, row: int = 1, column: int = 2) -> np.ndarray:
    values = np.full((3, 3), 1 / 3)
    values[row, column] = value
    return values


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.ones(3), r"shape \(3,\)"),
        (np.ones((2, 3)), "not square"),
        (np.ones((2, 3, 3)), "head_mean"),
        (np.ones((2, 2, 3, 3)), "one layer"),
        (np.empty((0, 0)), "empty"),
        (np.eye(3, dtype=int), "int64"),
        (np.eye(3, dtype=complex), "complex128"),
        (np.eye(3, dtype=bool), "bool"),
        (np.array([["a"]]), "numbers"),
        (np.eye(3, dtype=np.longdouble), "longdouble|float128"),
        (np.ma.masked_array(EYE, mask=EYE > 0), "masked"),
        (with_entry(np.nan), "nan in row 1, column 2"),
        (with_entry(np.inf), "inf in row 1, column 2"),
        (with_entry(-0.1), "negative entry -0.1 in row 1, column 2"),
        (with_entry(-5e-324), "negative entry"),
        (with_entry(0.4), "row 1 of mine sums to 1.06"),
        (np.zeros((3, 3)), "fully masked row"),
        ([*np.eye(3).tolist(), [0.0] * 3], "not square"),
    ],
)
def test_refused_with_one_sentence(values: object, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        attention_matrix(values, name="mine")
    assert "mine" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_single_token_has_no_pair() -> None:
    with pytest.raises(InputError, match="at least two"):
        check(np.ones((1, 1)))


def test_numbers_are_kept_and_the_input_is_not_touched() -> None:
    values = np.array([[0.1, 0.9], [0.3, 0.7]], dtype=np.float32)
    values.flags.writeable = False
    matrix = attention_matrix(values)
    assert [float(x) for x in matrix.values.ravel()] == [float(x) for x in values.ravel()]
    double = np.array([[0.5, 0.5], [0.25, 0.75]])
    attention_matrix(double)
    double[0, 0] = 7  # still writeable: the map is a copy


@pytest.mark.parametrize(("dtype", "off"), [(np.float16, 9e-4), (np.float32, 4e-7), (np.float64, 4e-16)])
def test_rounding_of_the_dtype_is_accepted(dtype: type[np.floating], off: float) -> None:
    values = np.full((4, 4), 0.25, dtype=dtype)
    values[2, 1] = dtype(0.25 + off)
    assert values[2].astype(np.float64).sum() != 1
    attention_matrix(values)
    values[2, 1] = dtype(0.25 + 100 * off)
    with pytest.raises(InputError, match="row 2"):
        attention_matrix(values)


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
def test_sums_of_16_bit_softmax_gone_wrong_are_refused(kind: str) -> None:
    """A softmax that also sums in 16 bits can have rows far from 1; that is no rounding of the entries."""
    torch = pytest.importorskip("torch")
    n = 1024
    assert row_sum_tolerance(kind, n) < 0.01  # type: ignore[arg-type]
    good = torch.full((n, n), 1 / n).to(getattr(torch, kind))
    attention_matrix(good)
    with pytest.raises(InputError, match="sums to"):
        attention_matrix(good * 1.0625)


def test_float32_rows_stored_as_float64_need_a_word() -> None:
    rng = np.random.default_rng(1)
    values = rng.dirichlet(np.ones(16), size=16).astype(np.float32).astype(np.float64)
    with pytest.raises(InputError, match="precision='float32'"):
        check(values)
    assert check(values, precision="float32").n == 16
    with pytest.raises(InputError, match="float16, bfloat16, float32, float64"):
        check(values, precision="single")  # type: ignore[arg-type]


def test_any_real_lifts_sign_and_sums_only() -> None:
    assert check(np.array([[2.0, -1.0], [0.0, 7.0]]), any_real=True).kappa == 5.0
    with pytest.raises(InputError, match="nan"):
        check(np.array([[np.nan, 1.0], [0.0, 1.0]]), any_real=True)


def test_head_mean_is_the_float64_mean_in_order() -> None:
    rng = np.random.default_rng(2)
    heads = rng.dirichlet(np.ones(5), size=(3, 5)).astype(np.float32)
    mean = head_mean(heads, name="layer 4")
    wide = heads.astype(np.float64)
    assert np.array_equal(mean.values, (wide[0] + wide[1] + wide[2]) / 3)
    assert mean.precision == "float32"
    assert check(mean).map == "layer 4"


def test_bad_head_can_not_hide_in_the_mean() -> None:
    heads = np.full((2, 2, 2), 0.5, dtype=np.float32)
    heads[1, 0] = [-0.25, 1.25]
    with pytest.raises(InputError, match="layer 4, head 1 has the negative entry"):
        head_mean(heads, name="layer 4")
    with pytest.raises(InputError, match="heads of one layer"):
        head_mean(np.eye(2))
    with pytest.raises(InputError, match="heads of one layer"):
        head_mean(np.empty((0, 2, 2)))


def test_torch_tensors_of_every_format() -> None:
    torch = pytest.importorskip("torch")
    logits = torch.randn(6, 6, generator=torch.Generator().manual_seed(0), requires_grad=True)
    for kind in ("float16", "bfloat16", "float32", "float64"):
        tensor = torch.softmax(logits.double(), dim=-1).to(getattr(torch, kind))
        matrix = attention_matrix(tensor)
        assert matrix.precision == kind
        assert matrix.values.tolist() == tensor.detach().double().tolist()
    with pytest.raises(InputError, match="int64"):
        attention_matrix(torch.eye(3, dtype=torch.int64))


def test_strided_and_big_endian_views() -> None:
    values = np.eye(6, dtype=">f4")[::2, ::2]
    assert check(values).kappa == check(np.ascontiguousarray(values, dtype=np.float32)).kappa == 1.0


def test_overflowing_mean_is_refused() -> None:
    heads = np.full((2, 2, 2), 1.7e308)
    with pytest.raises(InputError, match="overflow"):
        head_mean(heads, any_real=True, name="layer 0")


@pytest.mark.parametrize(
    "values",
    [np.eye(2, dtype=np.float32), [[1.0, 0.0], [0.0, 1.0]], np.ones((2, 3)), np.array([[np.nan, 1], [0, 1.0]])],
)
def test_map_made_by_hand_is_checked(values: object) -> None:
    with pytest.raises(InputError, match="mine"):
        AttentionMatrix(values, "float64", "mine")  # type: ignore[arg-type]


def test_things_that_are_no_arrays() -> None:
    torch = pytest.importorskip("torch")
    for thing in ([[1.0], [0.5, 0.5]], torch.eye(2).to_sparse(), torch.empty(2, 2, device="meta"), object()):
        with pytest.raises(InputError, match="the map"):
            attention_matrix(thing)
