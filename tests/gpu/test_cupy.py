"""Without a device: every function that the sweeps call on CuPy exists in its array-API namespace and takes the arguments that it is given."""

import inspect
from types import SimpleNamespace

import array_api_compat
import array_api_strict
import numpy as np
import pytest
from lemmata.gpu.devices import Device
from lemmata.gpu.measures import MEASURES

#: what a ufunc takes beside its operands, as in NumPy
OF_UFUNCS = {"out", "dtype", "casting"}

NODES = {"r_min": 0.5, "r_max": 1.0, "basis": "all"}
#: sweeps that go through every branch: square, tall and wide matrices, a basis, tiny nodes, and too few distinct ones
SWEEPS = {
    "conditioning": [
        *([{**NODES, "N": n, "L": length, "draw": i} for i in range(2)] for n, length in ((8, 8), (8, 5), (5, 8), (1, 4))),
        [{**NODES, "N": 4, "L": 8, "basis": "haar2", "draw": 0}],
        [{**NODES, "N": 4, "L": 4, "r_min": 0.0, "r_max": 1e-300, "draw": 0}],
        *([{**NODES, "N": n, "L": 3, "r_min": 0.0, "r_max": 0.0, "draw": 0}] for n in (2, 4)),
    ],
    "reconstruction": [[{**NODES, "N": 6, "L": 4, "basis": basis, "draw": 0}] for basis in ("all", "haar2")],
    "overlaps": [[{"N": 6, "rank": 2, "words": words, "draw": 0}] for words in (":", "12:12", "1:111")],
}


class Recorder:
    """A namespace that notes what is asked of it: names of functions and constants, with the number of operands and the names of the other arguments."""

    def __init__(self, space, calls, before=""):
        self.space, self.calls, self.before = space, calls, before

    def __getattr__(self, name):
        found, path = getattr(self.space, name), self.before + name
        if inspect.ismodule(found):
            return Recorder(found, self.calls, path + ".")
        if not callable(found) or inspect.isclass(found):
            self.calls.add((path, None, ()))
            return found

        def called(*operands, **others):
            self.calls.add((path, len(operands), tuple(sorted(others))))
            return found(*operands, **others)

        return called


def refusal(space, path, operands, others):
    """Why ``space`` does not take a call; None if it does."""
    function = space
    for name in path.split("."):
        function = getattr(function, name, None)
    if function is None:
        return f"{path}: missing"
    if operands is None:
        return None
    if hasattr(function, "nin"):
        return None if operands == function.nin and set(others) <= OF_UFUNCS else f"{path}: a ufunc of {function.nin} operands"
    try:
        inspect.signature(function).bind(*range(operands), **dict.fromkeys(others))
    except TypeError as error:
        return f"{path}: {error}"
    return None


@pytest.fixture
def calls(monkeypatch):
    """What the sweeps call, by running them on the strict array API."""
    found = set()
    array_namespace = array_api_compat.array_namespace
    monkeypatch.setattr(array_api_compat, "array_namespace", lambda *arrays: Recorder(array_namespace(*arrays), found))
    device = Device("strict", "CPU (array-api-strict)", array_api_strict.asarray, np.asarray)
    for kind, batches in SWEEPS.items():
        for cells in batches:
            assert len(MEASURES[kind].compute(cells, 0, device)) == len(cells)
    return found


@pytest.mark.cupy
@pytest.mark.filterwarnings("ignore::UserWarning:cupy")
def test_the_sweeps_call_nothing_that_cupy_lacks(calls):
    pytest.importorskip("cupy", reason="needs the extra 'gpu'")
    import array_api_compat.cupy as space

    assert {"linalg.eigvalsh", "linalg.qr", "linalg.svdvals", "linalg.svd", "take_along_axis", "float64"} <= {path for path, *_ in calls}
    assert [why for call in sorted(calls, key=str) if (why := refusal(space, *call))] == []


def test_a_missing_function_and_a_wrong_argument_are_noticed():
    space = SimpleNamespace(linalg=SimpleNamespace(qr=lambda x, /, *, mode="reduced": x), log2=np.log2, float64=np.float64)
    assert refusal(space, "linalg.qr", 1, ()) is refusal(space, "linalg.qr", 1, ("mode",)) is refusal(space, "log2", 1, ()) is None
    assert refusal(space, "float64", None, ()) is None
    assert refusal(space, "linalg.svd", 1, ()) == "linalg.svd: missing"
    assert refusal(space, "linalg.qr", 1, ("full",)) == "linalg.qr: got an unexpected keyword argument 'full'"
    assert refusal(space, "linalg.qr", 2, ()) == "linalg.qr: too many positional arguments"
    assert refusal(space, "log2", 2, ()) == "log2: a ufunc of 1 operands"
