"""``lemmata.check``: right kernels pass, wrong ones are named by the feature and the first wrong step."""

from __future__ import annotations

import json

import lemmata as lm
import numpy as np
import pytest
from chunked import kernel
from lemmata.kernels import VECTORS
from lemmata.kernels.checking import PLAIN, Feature, chosen, diagnosis

QUICK = {"lengths": [17, 65, 130], "splits": False}


@pytest.mark.parametrize(("rule", "dtype"), [("gated-delta", "bfloat16"), ("linear", "float32")])
def test_a_right_kernel_is_true(rule, dtype):
    found = lm.check(kernel(rule, dtype), rule, dtype=dtype, features=["scale", "grouped heads", "packed sequences"], lengths=[1, 17])
    assert found
    assert found.diagnosis is None
    assert not found.faults
    assert str(found).startswith(f"run, {rule} in {dtype}: all 3 features equal\n")
    assert [row["calls"] for row in found.data["features"]] == [2, 1, 2]


@pytest.mark.parametrize(
    ("fault", "rule", "features", "expected"),
    [
        ("lost key", "delta", ["swap", "chunk border", "scale"], "chunk border: first wrong at 64 in head "),
        ("beta clamped", "delta", ["swap", "write", "negative eigenvalue"], "negative eigenvalue: first wrong at 3 in head 0"),
        ("no scale", "delta", ["scale"], "scale: first wrong at 3 in head 0"),
        ("state of one head", "delta", ["write"], "write: outputs right, final state wrong (17 steps)"),
        ("heads tiled", "delta", ["grouped heads", "swap"], "grouped heads: first wrong at 0 in head 1"),
    ],
)
def test_a_fault_is_named_by_its_feature_and_its_first_step(fault, rule, features, expected):
    found = lm.check(kernel(rule, "float32", fault), rule, features=features, **QUICK)
    assert not found
    assert found.diagnosis.startswith(expected)


def test_the_chunk_s_border_is_told_from_all_faults():
    found = lm.check(kernel("delta", "float32", "lost key"), "delta", features=["swap", "chunk border", "scale"], **QUICK)
    assert "; all 3 faults begin at steps 64 to " in found.diagnosis
    steps = [64, 70, 79]
    assert (
        diagnosis(Feature("swap", True, 1, 1, "wrong", at) for at in steps) == "chunk border: wrong; all 3 faults begin at steps 64 to 79"
    )
    for others in ([64, 80], [65, 66], [0, 0], [64, None], [64]):
        assert diagnosis(Feature("swap", True, 1, 1, "wrong", at) for at in others) == "swap: wrong"


def test_a_state_handed_on_is_part_of_it():
    """A kernel that ignores the state it is given, on a feature that starts from zero."""
    forgetful = kernel("delta", "float32", "no start")
    assert lm.check(forgetful, "delta", features="write", splits=False, lengths=[17, 130])
    found = lm.check(forgetful, "delta", features="write", lengths=[17, 130])
    assert "state handed on at 17" in found.faults[0]
    assert found.data["features"][0]["first wrong step"] >= 17


def test_errors_are_faults_and_what_is_not_implemented_is_said():
    def broken(q, **others):
        raise RuntimeError("expected\nmore")

    def narrow(cu_seqlens, **inputs):
        if cu_seqlens is not None:
            raise NotImplementedError("no packed sequences")
        return kernel("delta")(cu_seqlens=None, **inputs)

    found = lm.check(broken, "delta", features="swap", lengths=[1])
    assert found.faults == ["swap: raises RuntimeError: expected more (1 steps)"]
    found = lm.check(narrow, "delta", features=["swap", "packed sequences"], lengths=[17])
    assert found
    assert "not run: no packed sequences" in str(found)
    assert not lm.check(narrow, "delta", features=["packed sequences"])
    with pytest.raises(KeyboardInterrupt):
        lm.check(lambda **x: (_ for _ in ()).throw(KeyboardInterrupt), "delta", features="swap", lengths=[1])


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -0.0])
def test_nan_and_infinity_are_wrong_and_minus_zero_is_zero(wrong):
    right = kernel("delta")

    def spoiled(**inputs):
        o, state = right(**inputs)
        return (np.where(o == 0, wrong, o), state)

    assert bool(lm.check(spoiled, "delta", features="write", lengths=[17])) == (wrong == 0)


def test_a_wrong_shape_and_no_state():
    right = kernel("delta")
    found = lm.check(lambda **x: (right(**x)[0][:, :-1], None), "delta", features="write", lengths=[17])
    assert "expected outputs of shape (1, 17, 2, 16), got (1, 16, 2, 16)" in found.faults[0]
    found = lm.check(lambda **x: (right(**x)[0], None), "delta", features="write", lengths=[17])
    assert found
    assert "no final state" in str(found)


def test_torch_kernels_get_tensors_of_the_format():
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    seen = set()

    def on_tensors(**inputs):
        seen.update((name, x.dtype) for name, x in inputs.items() if isinstance(x, torch.Tensor))
        o, state = kernel("delta", "float16")(**{n: x.float().numpy() if isinstance(x, torch.Tensor) else x for n, x in inputs.items()})
        return torch.tensor(o), torch.tensor(state)

    assert lm.check(on_tensors, "delta", dtype="float16", tensors=True, features="swap", lengths=[17])
    half, single = torch.float16, torch.float32
    assert seen == {("q", half), ("k", half), ("v", half), ("beta", half), ("g", single), ("h0", single)}


def test_torch_kernels_of_other_rules_get_their_own_inputs():
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    from lemmata.kernels.own import complex_loop, two_keys_loop

    def rwkv7(h0, cu_seqlens, w, **inputs):
        assert w.dtype == h0.dtype == torch.float32
        assert inputs["a"].dtype == torch.bfloat16
        return two_keys_loop(w=w, initial_state=h0, **inputs)

    assert lm.check(rwkv7, "rwkv7", dtype="bfloat16", tensors=True, features=["swap", "scale"], lengths=[17])
    assert lm.check(lambda a, u, h0, cu_seqlens: complex_loop(a, u, h0), "complex-diagonal", tensors=True, features="batch", lengths=[17])


def test_a_wrong_kernel_of_another_rule_is_named():
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    from lemmata.kernels.own import two_keys_loop

    def forgetful(h0, cu_seqlens, **inputs):
        return two_keys_loop(**inputs)

    found = lm.check(forgetful, "rwkv7", tensors=True, features=["scale", "initial state"], lengths=[17], splits=False)
    assert found.diagnosis.startswith("initial state: first wrong at 0")


def test_known_implementations_by_name():
    pytest.importorskip("torch", reason="needs the extra 'torch'")
    names = {"step_by_step": "delta", "scan": "products", "entrywise_loop": "channel-gate", "loop": "gated-delta"}
    names |= {"gated_scan": "mamba2", "two_keys_loop": "rwkv7", "complex_scan": "complex-diagonal", "complex_loop": "complex-diagonal"}
    for name, rule in names.items():
        found = lm.check(f"lemmata.kernels.own.{name}", rule, features="initial state", lengths=[1, 17])
        assert found, found
    with pytest.raises(ValueError, match="expected one of the rules delta"):
        lm.check("lemmata.kernels.own.step_by_step", "linear")
    with pytest.raises(ValueError, match="TRITON_INTERPRET=1"):
        lm.check("fla.ops.delta_rule.chunk_delta_rule", "delta")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rule": "mamba"}, "known rule"),
        ({"rule": "delta", "dtype": "float8"}, "known format"),
        ({"rule": "delta", "features": "gate 0"}, "known feature"),
        ({"rule": "delta", "lengths": []}, "lengths of at least 1"),
        ({"rule": "delta", "lengths": [0]}, "lengths of at least 1"),
    ],
)
def test_what_is_unknown_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        lm.check(kernel("delta"), **given)
    with pytest.raises(ValueError, match="known implementation"):
        lm.check("fla.ops.no.such", "delta")


def test_stress_is_asked_for():
    assert "gate one half" not in dict(chosen("gated-delta", "float32"))
    assert dict(chosen("gated-delta", "float32", stress=True))["gate one half"] is False
    assert dict(chosen("gated-delta", "bfloat16"))["gate one half"] is True
    assert dict(chosen("gated-delta", "float32", ["gates 0 and one half"])) == {"gates 0 and one half": False}


def test_the_plainest_fault_is_shown():
    assert set(PLAIN) <= {feature for _, feature in VECTORS}
    wrong = [Feature("packed sequences", True, 1, 1, "wrong", 0), Feature("write", True, 1, 1, "wrong", 3), Feature("swap", True, 1)]
    assert diagnosis(wrong) == "write: wrong"
    assert diagnosis(wrong[2:]) is None
    assert diagnosis([Feature("other", True, wrong="raises", where="1 steps")]) == "other: raises (1 steps)"


def test_the_command(run, tmp_path):
    (tmp_path / "mine.py").write_text("def mine(v, h0, **others):\n    return 0 * v, h0\n", encoding="utf-8")
    where = f"{tmp_path / 'mine.py'}:mine"
    code, out, _ = run("check", where, "--rule", "delta", "--feature", "swap", "--length", "17")
    assert code == 1
    assert "1 of 1 features wrong" in out
    code, out, _ = run("check", where, "--rule", "delta", "--feature", "swap", "--length", "17", "--json")
    assert code == 1
    assert json.loads(out)["diagnosis"].startswith("swap: first wrong at 0")
    for wrong, said in (
        (f"{tmp_path / 'mine.py'}:other", "expected a function other"),
        ("none.py:f", "none.py"),
        ("no.such", "known implementation"),
    ):
        code, _, err = run("check", wrong, "--rule", "delta")
        assert code == 2
        assert said in err
        assert err.count("\n") == 1
