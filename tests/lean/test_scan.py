"""The token gate on single lines."""

import pytest

from dobrushin.lean.refusal import RefusedError
from dobrushin.lean.scan import scan_text


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("theorem t : p := sorry", "sorry"),
        ("theorem t : p := by admit", "sorry"),
        ("axiom a : p", "axiom"),
        ("unsafe def f := 1", "unsafe"),
        ("partial def f := 1", "partial"),
        ("opaque f : Nat", "opaque"),
        ("@[implemented_by g] def f := 1", "implemented-by"),
        ("@[csimp] theorem t : @f = @g := rfl", "implemented-by"),
        ("@[extern \"f\"] def f := 1", "extern"),
        ("theorem t : p := by native_decide", "native-decide"),
        ("theorem t : p := by decide +native", "native-decide"),
        ("theorem t : p := Lean.ofReduceBool a b rfl", "native-decide"),
        ("prelude", "prelude"),
        ("import Lean.Elab", "metaprogram"),
        ("run_cmd pure ()", "metaprogram"),
        ("elab \"x\" : tactic => pure ()", "metaprogram"),
        ("set_option debug.skipKernelTC true", "option"),
        ("set_option warn.sorry false in", "option"),
        ("set_option linter.all false", "option"),
        ("notation \" ≤ \" => f", "core-redefined"),
        ("infix:50 \" = \" => f", "core-redefined"),
        ("notation \"--\" => f", "token-trick"),
        ("notation \"f\\\"\" => f", "token-trick"),
        ("def «a sorry b» := 1", "sorry"),
        ("s!\"{sorry}\"", "sorry"),
    ],
)  # fmt: skip
def test_refused(line: str, reason: str) -> None:
    with pytest.raises(RefusedError) as caught:
        scan_text(f"-- a comment\n{line}\n")
    assert (caught.value.reason, caught.value.where) == (reason, "text:2")


@pytest.mark.parametrize(
    "line",
    [
        "/-- No sorry, no axiom: `native_decide` would be unsafe. -/ theorem t : p := h",
        "theorem sorry_free : p := h",
        "set_option maxRecDepth 4000 in",
        "notation:65 a \" ⊞ \" b => f a b",
        "def axioms := 1",
        "open Nat in theorem t : Nat.add a b = c := h",
    ],
)  # fmt: skip
def test_accepted(line: str) -> None:
    scan_text(line)
