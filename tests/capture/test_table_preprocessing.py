import json

import numpy as np
import pytest

from dobrushin.capture import Row
from dobrushin.capture.table_preprocessing import CategoricalColumn, NumericalColumn, TablePreprocessing
from dobrushin.errors import InputError


def table(count: int = 400) -> list[Row]:
    """Rooms are whole numbers with many ties, income is skewed, and the district is text."""
    rng = np.random.default_rng(5)
    rooms = rng.integers(1, 6, count)
    income = rng.lognormal(size=count)
    district = rng.choice(["north", "south", "east"], count)
    return [
        Row(f"r{k}", {"rooms": float(rooms[k]), "income": float(income[k]), "district": str(district[k])})
        for k in range(count)
    ]


@pytest.mark.parametrize("count", [40, 400, 40_000])
def test_quantile_scaling_is_that_of_scikit_learn(count: int) -> None:
    from sklearn.preprocessing import QuantileTransformer

    rows = table(count)
    fitted = TablePreprocessing.fit(rows, numerical=["rooms", "income"])
    numbers, _ = fitted.transform(rows)
    values = np.array([[row.values["rooms"], row.values["income"]] for row in rows])
    quantiles = max(min(count // 30, 1000), 10)
    reference = QuantileTransformer(n_quantiles=quantiles, output_distribution="normal", subsample=10**9)
    np.testing.assert_allclose(numbers, reference.fit_transform(values), rtol=0, atol=1e-6)


def test_quantile_scaling_clips_what_lies_outside_the_training_rows() -> None:
    fitted = TablePreprocessing.fit(table(), numerical=["income"])
    numbers, _ = fitted.transform([Row("low", {"income": -1e9}), Row("high", {"income": 1e9})])
    np.testing.assert_allclose(numbers[:, 0], [-5.199338, 5.199338], atol=1e-5)


def test_standard_scaling_gives_mean_zero_and_variance_one() -> None:
    fitted = TablePreprocessing.fit(table(), numerical=["rooms", "income"], scaling="standard")
    numbers, codes = fitted.transform(table())
    assert numbers.dtype == np.float32
    assert codes.shape == (400, 0)
    np.testing.assert_allclose(numbers.mean(axis=0), 0, atol=1e-6)
    np.testing.assert_allclose(numbers.std(axis=0), 1, atol=1e-6)


def test_codes_are_positions_in_the_vocabulary() -> None:
    rows = [
        Row("a", {"sex": "f", "code": 3.0}),
        Row("b", {"sex": "m", "code": "10"}),
        Row("c", {"sex": "f", "code": 2}),
    ]
    fitted = TablePreprocessing.fit(rows, categorical=["sex", "code"])
    assert fitted.categorical == (CategoricalColumn("sex", ("f", "m")), CategoricalColumn("code", ("10", "2", "3")))
    assert fitted.cardinalities == [2, 3]
    _, codes = fitted.transform(rows)
    assert codes.tolist() == [[0, 2], [1, 0], [0, 1]]


def test_json_keeps_every_bit() -> None:
    rows = table()
    fitted = TablePreprocessing.fit(rows, numerical=["income", "rooms"], categorical=["district"])
    again = TablePreprocessing.from_json(fitted.to_json())
    assert again.feature_names == ("income", "rooms", "district")
    for one, other in zip(fitted.transform(rows), again.transform(rows), strict=True):
        np.testing.assert_array_equal(one, other)
    assert again.to_json() == fitted.to_json()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"income": 1.0, "rooms": 2.0}, "row 7 has no column district"),
        ({"income": 1.0, "district": "north"}, "row 7 has no column rooms"),
        ({"income": 1.0, "rooms": 2.0, "district": "west"}, "row 7, column district: the category 'west' is in no tr"),
        ({"income": 1.0, "rooms": 2.0, "district": float("nan")}, "row 7, column district: nan is neither text nor"),
        ({"income": float("nan"), "rooms": 2.0, "district": "north"}, "row 7, column income: nan is no finite number"),
        ({"income": "1", "rooms": 2.0, "district": "north"}, "row 7, column income: '1' is no finite number"),
    ],
)
def test_errors_name_the_row_and_the_column(values: dict[str, float | str], message: str) -> None:
    fitted = TablePreprocessing.fit(table(), numerical=["income", "rooms"], categorical=["district"])
    with pytest.raises(InputError, match=message):
        fitted.transform([Row("7", values)])


def test_fitting_refuses_what_can_not_be_fitted() -> None:
    with pytest.raises(InputError, match="no training rows"):
        TablePreprocessing.fit([], numerical=["x"])
    with pytest.raises(InputError, match="one of quantile, standard"):
        TablePreprocessing.fit(table(), numerical=["rooms"], scaling="robust")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"column x has the value 2\.0 in every training row"):
        TablePreprocessing.fit([Row("a", {"x": 2.0})], numerical=["x"])
    with pytest.raises(InputError, match="row r0 has no column age"):
        TablePreprocessing.fit(table(), numerical=["age"])
    with pytest.raises(InputError, match="not all different"):
        TablePreprocessing.fit(table(), numerical=["rooms"], categorical=["rooms"])
    with pytest.raises(InputError, match="at least one"):
        TablePreprocessing.fit(table())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content.update(format="other"), "its format is 'other'"),
        (lambda content: content.pop("categorical"), "no 'categorical'"),
        (lambda content: content["numerical"][0].update(scaling="robust"), "scaling 'robust' of the column rooms"),
        (lambda content: content["numerical"][0].update(parameters=[3, 2, 1]), "column rooms has impossible param"),
        (lambda content: content["categorical"][0].update(categories=["a", "a"]), "one of them twice"),
    ],
)
def test_a_damaged_file_is_one_sentence(change: object, message: str) -> None:
    content = json.loads(TablePreprocessing.fit(table(), numerical=["rooms"], categorical=["district"]).to_json())
    change(content)  # type: ignore[operator]
    with pytest.raises(InputError, match=message) as caught:
        TablePreprocessing.from_json(json.dumps(content), source="p.json")
    assert str(caught.value).startswith("p.json can not be read as table preprocessing")


def test_text_that_is_no_json_is_one_sentence() -> None:
    with pytest.raises(InputError, match=r"p\.json can not be read"):
        TablePreprocessing.from_json("{", source="p.json")


@pytest.mark.parametrize("parameters", [[0.0, 0.0], [0.0, np.nan], [0.0, 1.0, 2.0]])
def test_impossible_parameters_are_refused(parameters: list[float]) -> None:
    with pytest.raises(InputError, match="impossible parameters"):
        NumericalColumn("x", "standard", np.array(parameters))
