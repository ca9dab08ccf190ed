"""Guaranteed lengths: kept by torch at every position, not vacuous, exact where they can be, and wrong where a term of the bound is dropped."""

import importlib
import json
from fractions import Fraction
from functools import cache
from math import inf
from pathlib import Path
from random import Random

import numpy as np
import pytest
from lemmata.constructions.automata import Automaton, compile_automaton, compile_candidate, compile_group, compile_one_hot, compile_regex
from lemmata.constructions.automata.choose.ways import choose
from lemmata.constructions.automata.read.families import full_transformations
from lemmata.constructions.automata.read.sources import named_group
from lemmata.constructions.automata.read.tasks import TASKS
from lemmata.constructions.automata.rounding import bounds
from lemmata.constructions.automata.rounding.layer import FORMATS, LayerNumbers, as_floats
from lemmata.constructions.automata.rounding.orbits import (
    Search,
    delta_step,
    exact_scan,
    exact_sum,
    fused_step,
    loop_step,
    right_at_every_length,
)
from lemmata.constructions.automata.rounding.precision import PATHS, guaranteed_length, guaranteed_lengths

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.constructions.automata.run.delta_rule import DeltaRuleLayer, delta_rule, run_delta_rule  # noqa: E402
from lemmata.constructions.automata.run.torch_module import TorchLayer, affine_step  # noqa: E402

TYPES = {"float64": torch.float64, "float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}
FLIP_FLOP = Automaton({"set": (1, 1), "reset": (0, 0), "keep": (0, 1)}, 0, frozenset({1}))
NETWORKS = {
    "Z2": lambda: compile_group(named_group("Z2")),
    "Z5": lambda: compile_group(named_group("Z5"), polygons=True),
    "Z60": lambda: compile_group(named_group("Z60"), polygons=True),
    "S5": lambda: compile_group(named_group("S5")),
    "D4": lambda: compile_group(named_group("D4")),
    "arithmetic": lambda: compile_automaton(TASKS["modular-arithmetic"](), "holonomy"),
    "regex": lambda: compile_regex("(ab|c)*d?", construction="holonomy"),
    "flip-flop": lambda: compile_automaton(FLIP_FLOP, "holonomy"),
    "T4": lambda: compile_automaton(full_transformations(4), "holonomy"),
}


@cache
def network(name):
    found = NETWORKS[name]()
    return found, found.document(), guaranteed_lengths(found.document())


def words_of(name, length):
    """A word of each letter alone, two letters in turn, and random words; and the automaton's states after every letter."""
    compiled, document, _ = network(name)
    letters = len(document["letters"])
    words = [[a] * length for a in range(min(letters, 4))] + [[(t % 2) * (letters - 1) for t in range(length)]]
    words += [[Random(seed).randrange(letters) for _ in range(length)] for seed in range(3)]
    expected = [compiled.automaton.run([compiled.automaton.letters[i] for i in word]) for word in words]
    return torch.tensor(words), torch.tensor(expected)


def kernel_in_any_order(q, k, v, beta, scale, initial_state, seed=0):
    """What flash-linear-attention's fused recurrent kernel computes, in float32, sums in a random order and some of them fused."""
    rng, single = np.random.default_rng(seed), lambda x: x.float().numpy().astype(np.float32)
    S, n = single(initial_state)[:, 0, :, 0], k.shape[-1]
    q, k, v, beta = single(q)[:, :, 0], single(k)[:, :, 0], single(v)[:, :, 0, 0], single(beta)[:, :, 0]

    def dot(a, b):
        total = np.zeros(len(a), dtype=np.float32)
        for i in rng.permutation(n):
            total = fused(a[:, i], b[:, i], total) if rng.integers(2) else total + a[:, i] * b[:, i]
        return total

    def fused(a, b, c):
        # a product of two floats is exact in float64
        return (a.astype(np.float64) * b + c).astype(np.float32)

    outputs = []
    for t in range(k.shape[1]):
        w = beta[:, t] * (v[:, t] - dot(k[:, t], S))
        S = fused(k[:, t], w[:, None], S) if rng.integers(2) else S + k[:, t] * w[:, None]
        outputs.append(dot(q[:, t], S))
    found = torch.from_numpy(np.stack(outputs, 1)).to(initial_state.dtype)
    return found[:, :, None, None], S


def outputs_on(path, name, dtype, words):
    """The automaton's states that a path computes in torch."""
    compiled, document, _ = network(name)
    return outputs_of(path, compiled, document, dtype, words)


def outputs_of(path, compiled, document, dtype, words):
    if path in ("loop", "scan"):
        return compiled.to_torch(TYPES[dtype])(words, scan=path == "scan")
    return run_delta_rule(document, words, delta_rule if path == "delta" else kernel_in_any_order, TYPES[dtype])


#: how far the promise is tried: the delta rule takes many micro-steps for a letter
TRIED = {"loop": 250, "scan": 1500, "delta": 60, "fused": 40}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("path", PATHS)
def test_right_at_every_position_of_the_guaranteed_length(name, path):
    for dtype, length in network(name)[2][path].items():
        words, expected = words_of(name, int(min(length, TRIED[path])))
        assert torch.equal(outputs_on(path, name, dtype, words), expected), dtype


@pytest.mark.parametrize("seed", range(6))
def test_random_automata_in_halves(seed):
    rng = Random(seed)
    n = rng.randint(3, 6)
    compiled = compile_automaton(Automaton({x: tuple(rng.randrange(n) for _ in range(n)) for x in "ab"}, 0))
    document = compiled.document()
    words = [[rng.randrange(2) for _ in range(60)] for _ in range(4)] + [[0] * 60, [1] * 60]
    expected = torch.tensor([compiled.automaton.run(["ab"[i] for i in word]) for word in words])
    for path, row in guaranteed_lengths(document).items():
        for dtype in ("float16", "bfloat16"):
            length = int(min(row[dtype], 60 if path in ("loop", "scan") else 25))
            found = outputs_of(path, compiled, document, dtype, torch.tensor(words)[:, :length])
            assert torch.equal(found, expected[:, :length]), (path, dtype)


def test_the_promises_are_worth_something():
    promised = {name: network(name)[2] for name in NETWORKS}
    every = dict.fromkeys(FORMATS, inf)
    for name in ("Z2", "S5", "D4", "flip-flop"):
        assert promised[name] == dict.fromkeys(PATHS, every)
    assert promised["Z5"]["loop"] == promised["regex"]["loop"] == promised["regex"]["delta"] == every
    # the loop of Z60 in halves too; in float64 it has too many states to go through
    assert [promised["Z60"]["loop"][d] for d in ("float32", "float16", "bfloat16")] == [inf] * 3
    for name in NETWORKS:
        for path in PATHS:
            assert promised[name][path]["float32"] > 6000
        assert all(promised[name][path]["float64"] > 10**11 for path in ("loop", "scan", "delta"))


@pytest.mark.parametrize(("name", "dtype", "length"), [("Z5", "bfloat16", 167), ("Z60", "float16", 540), ("Z60", "bfloat16", 41)])
def test_exhaustion_finds_the_very_position_of_the_first_mistake(name, dtype, length):
    """One letter, so one word: the delta rule is right up to the guaranteed length, and wrong at the next position."""
    compiled, _, promised = network(name)
    assert promised["delta"][dtype] == length
    word = torch.zeros(1, length + 1, dtype=torch.long)
    right = outputs_on("delta", name, dtype, word)[0] == torch.tensor(
        compiled.automaton.run([compiled.automaton.letters[0]] * (length + 1))
    )
    assert right.tolist() == [True] * length + [False]


@pytest.mark.parametrize(("name", "dtype"), [("Z5", "bfloat16"), ("Z60", "bfloat16"), ("Z60", "float16")])
def test_the_scan_fails_beyond_its_bound_and_within_one_that_forgets_the_rounding_of_the_entries(name, dtype):
    compiled, document, promised = network(name)
    word = torch.zeros(1, 2000, dtype=torch.long)
    wrong = outputs_on("scan", name, dtype, word)[0] != torch.tensor(compiled.automaton.run([compiled.automaton.letters[0]] * 2000))
    first = int(torch.nonzero(wrong)[0])
    assert 10 < promised["scan"][dtype] <= first < 50 * promised["scan"][dtype]
    forgetful = LayerNumbers(document["layers"][0], document["field"])
    forgetful.A = FORMATS[dtype].stored(forgetful.A).astype(np.float64)
    assert bounds.scan_length(forgetful, FORMATS[dtype]) > first


def test_unit_keys_would_be_wrong_soon():
    """S5 in bfloat16 with keys of length 1, as this was once: 1 / sqrt 2 is no number of any format."""
    _, document, promised = network("S5")
    assert promised["delta"]["bfloat16"] == inf

    def normalised(q, k, v, beta, scale, initial_state):
        length = k.double().norm(dim=-1, keepdim=True)
        unit = [(k / length).to(k.dtype), (v / length).to(k.dtype), (beta * length[..., 0] ** 2).to(k.dtype)]
        return delta_rule(q, *unit, scale, initial_state)

    words, expected = words_of("S5", 120)
    assert torch.equal(run_delta_rule(document, words, delta_rule, torch.bfloat16), expected)
    assert not torch.equal(run_delta_rule(document, words, normalised, torch.bfloat16), expected)


# -- errors against bounds -----------------------------------------------------------------------------------------------------


def layers_and_letters(name, length):
    """Each layer of a network with what it reads of the words of ``words_of``."""
    _, document, _ = network(name)
    letters, _ = words_of(name, length)
    for layer in document["layers"]:
        yield layer, document["field"], letters
        letters = TorchLayer(layer, document["field"], torch.float64)(letters)


def states_on(path, layer, field, dtype, letters):
    """What the decoder sees on a path, (batch, length, n)."""
    if path in ("loop", "scan"):
        return TorchLayer(layer, field, TYPES[dtype]).states(letters, scan=path == "scan").double()
    rule = DeltaRuleLayer(layer, field)
    x = rule.inputs(letters, TYPES[dtype])
    kernel = delta_rule if path == "delta" else kernel_in_any_order
    o, _ = kernel(x.q, x.k, x.v, x.beta, scale=1.0, initial_state=x.initial_state)
    return o[:, :, 0, 0].gather(1, x.reads.flatten(1)).view(x.reads.shape).double()


def dtype_is_half(form):
    return form.name in ("float16", "bfloat16")


def bounds_on(path, numbers, form, length):
    """Bounds on the largest entry of the error after 1, 2, ... letters."""
    single, error, reading = FORMATS["float32"], bounds.start_error(numbers, form), 0.0
    if path == "scan":
        x, radius, last = (
            bounds.scan_excess(numbers, form),
            np.linalg.norm(numbers.states, axis=1).max(),
            bounds.scan_reading(numbers, form),
        )
        return np.array([radius * ((1 + x) ** t - 1) + last for t in range(1, length + 1)])
    if path == "fused":
        growth, reading = bounds.delta_growth(numbers, single, form), form.unit if dtype_is_half(form) else 0.0
    else:
        growth = bounds.loop_growth(numbers, form) if path == "loop" else bounds.delta_growth(numbers, form, form)
    found = []
    for _ in range(length):
        error = error * (1 + growth.excess) + growth.added
        found.append(error * (1 + reading) + reading * np.abs(numbers.states).max())
    return np.array(found)


def largest_ratio(path, dtype, length=24):
    """The largest ratio of an error to its bound, over networks, layers, words and positions where the bound lies below the margin."""
    ratios = [0.0]
    for name in ("Z5", "arithmetic", "regex", "T4"):
        for layer, field, letters in layers_and_letters(name, length):
            numbers = LayerNumbers(layer, field)
            true = TorchLayer(layer, field, torch.float64).states(letters, scan=False)
            errors = (states_on(path, layer, field, dtype, letters) - true).abs().amax((0, 2)).numpy()
            limits = bounds_on(path, numbers, FORMATS[dtype], length)
            ratios += list((errors / limits)[limits < bounds.room(numbers, FORMATS[dtype])])
    return max(ratios)


CASES = [(path, dtype) for path in PATHS for dtype in ("bfloat16", "float16", "float32")]


@pytest.mark.parametrize(("path", "dtype"), CASES)
def test_errors_stay_below_their_bound(path, dtype):
    assert 0.01 < largest_ratio(path, dtype) <= 1


@pytest.mark.parametrize("path", ["loop", "scan"])
def test_without_rounding_the_bound_is_wrong(path, monkeypatch):
    monkeypatch.setattr(bounds, "gamma", lambda roundings, unit: 0.0 * np.asarray(roundings))
    monkeypatch.setattr(bounds, "_float64", lambda form, values: np.asarray(values))
    assert largest_ratio(path, "float32") > 10


#: one letter on one entry, H -> a H from h: both roundings, of a and of the product, are nearly as large as can be in float32
WORST = {"loop": ("16780941/33554432", "4195427/4194304"), "delta": ("-3477/16777216", "8391019/8388608")}
WORST |= {"fused": WORST["delta"]}


def scaled_once(a, h):
    strength = str(1 - Fraction(a))
    return {
        "states": [[[h]], [[str(Fraction(a) * Fraction(h))]]],
        "maps": [{"A": [[a]], "B": [["0"]], "steps": [{"v": ["1"], "beta": strength, "scale": strength, "write": "0"}]}],
        "letters": [[0, 0, 0, 0]],
        "decoder": [[1, 0, 0]],
    }


@pytest.mark.parametrize("path", WORST)
def test_every_term_of_a_bound_is_needed(path, monkeypatch):
    layer = scaled_once(*WORST[path])
    found = Fraction(float(states_on(path, layer, 1, "float32", torch.tensor([[0]]))))
    error = float(abs(found - Fraction(layer["states"][1][0][0])))
    bound = lambda: float(bounds_on(path, LayerNumbers(layer, 1), FORMATS["float32"], 1)[0])  # noqa: E731
    assert 0.99 * bound() < error <= bound()
    with monkeypatch.context() as patched:
        patched.setattr(bounds, "gamma", lambda roundings, unit: 0.0 * np.asarray(roundings))
        assert error > 1.5 * bound()
    with monkeypatch.context() as patched:
        patched.setattr(bounds, "_float64", lambda form, values: np.asarray(values, dtype=np.float64))
        assert error > 1.5 * bound()


def test_the_rounding_of_the_start_is_needed(monkeypatch):
    layer = scaled_once("1", "4195427/4194305")
    error = float(abs(Fraction(float(states_on("loop", layer, 1, "float32", torch.tensor([[0]])))) - Fraction(layer["states"][0][0][0])))
    bound = lambda: float(bounds_on("loop", LayerNumbers(layer, 1), FORMATS["float32"], 1)[0])  # noqa: E731
    assert 0 < error <= bound()
    monkeypatch.setattr(bounds, "gamma", lambda roundings, unit: 0.0 * np.asarray(roundings))
    assert error <= bound()
    monkeypatch.setattr(bounds, "start_error", lambda layer, *forms: 0.0)
    assert error > bound()


def test_what_is_read_is_rounded_too():
    """A kernel that keeps its state in float32 and hands out bfloat16: 1 is exact and moves to 257/256, which is read as 1."""
    layer = scaled_once("1/2", "1")
    layer["states"][1], layer["maps"][0]["B"], layer["maps"][0]["steps"][0]["write"] = [["257/256"]], [["129/256"]], "129/256"
    assert states_on("fused", layer, 1, "bfloat16", torch.tensor([[0]])).item() == 1
    numbers, form = LayerNumbers(layer, 1), FORMATS["bfloat16"]
    growth = bounds.delta_growth(numbers, FORMATS["float32"], form)
    assert growth.added < 1 / 512 < 1 / 256 <= bounds_on("fused", numbers, form, 1)[0]


def test_how_long_a_growth_stays_below():
    assert bounds.Growth(0, 0).steps_below(0.5, 1) == inf
    assert bounds.Growth(0, 1).steps_below(0, 10.5) == 10
    assert bounds.Growth(1, 0).steps_below(1, 9) == 3
    assert bounds.Growth(0, 0).steps_below(1, 1) == bounds.Growth(inf, 0).steps_below(0, 1) == bounds.Growth(0, inf).steps_below(0, 1) == 0
    assert bounds.Growth(1e-300, 1e-300).steps_below(0, 1e300) == bounds.MANY
    rng = Random(3)
    for _ in range(50):
        growth, start, room = bounds.Growth(rng.uniform(0, 0.2), rng.uniform(1e-3, 0.2)), rng.uniform(0, 0.5), rng.uniform(0.5, 5)
        error, steps = start, -1
        while error < room:
            error, steps = (1 + growth.excess) * error + growth.added, steps + 1
        assert growth.steps_below(start, room) == steps
        both = growth.then(bounds.Growth(0.5, 0.25))
        assert both.excess * start + both.added == pytest.approx(1.5 * ((1 + growth.excess) * start + growth.added) + 0.25 - start)


# -- by exhaustion -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", FORMATS)
def test_formats_round_as_torch_does(dtype):
    rng, form = np.random.default_rng(5), FORMATS[dtype]
    x = rng.standard_normal(4000) * 10.0 ** rng.integers(-4, 2, 4000)
    # ties, and numbers that are one in float32
    x = np.concatenate([x, 1 + np.arange(64) * 2.0**-10, 1 + np.arange(64) * 2.0**-12, 1 + 2.0**-9 + np.array([1, -1]) * 2.0**-30])
    ours, theirs = form.stored(x), torch.from_numpy(x).to(TYPES[dtype])
    assert np.array_equal(ours.astype(np.float64), theirs.double().numpy())
    y, their_y = ours[::-1].copy(), theirs.flip(0)
    assert np.array_equal(form.rounded(ours * y).astype(np.float64), (theirs * their_y).double().numpy())
    assert np.array_equal(form.rounded(ours + y).astype(np.float64), (theirs + their_y).double().numpy())
    assert np.array_equal(form.rounded(ours - y).astype(np.float64), (theirs - their_y).double().numpy())


@pytest.mark.parametrize("dtype", FORMATS)
def test_steps_are_torchs_bit_for_bit(dtype):
    """What is gone through is what runs: also from states that are off."""
    form = FORMATS[dtype]
    for name in ("Z5", "arithmetic"):
        for layer, field, _ in layers_and_letters(name, 1):
            numbers, module, rule = LayerNumbers(layer, field), TorchLayer(layer, field, TYPES[dtype]), DeltaRuleLayer(layer, field)
            rng = np.random.default_rng(7)
            f = rng.integers(0, len(numbers.A), 300)
            H = form.stored(rng.standard_normal((300, numbers.states.shape[1])))
            theirs = torch.from_numpy(H.astype(np.float64)).to(TYPES[dtype])
            ours, _ = loop_step(numbers, form)(H, f)
            assert np.array_equal(ours.astype(np.float64), affine_step(module.A[f], module.B[f][..., 0], theirs).double().numpy())
            letters = torch.tensor([rule.map_of.tolist().index(i) for i in f])[:, None]
            x = rule.inputs(letters, TYPES[dtype])
            ours, _ = delta_step(numbers, form)(H, f)
            _, after = delta_rule(x.q, x.k, x.v, x.beta, 1.0, theirs[:, None, :, None])
            assert np.array_equal(ours.astype(np.float64), after[:, 0, :, 0].double().numpy())


def test_an_orbit_that_leaves_the_margin_is_no_proof():
    numbers = LayerNumbers(network("Z5")[1]["layers"][0], network("Z5")[1]["field"])
    form, start = FORMATS["bfloat16"], FORMATS["bfloat16"].stored(numbers.states[0])
    assert right_at_every_length(numbers, loop_step(numbers, form), start) == inf
    # turned by a fifth and a bit more
    drifting = LayerNumbers(numbers.layer, network("Z5")[1]["field"])
    drifting.A = drifting.A + 2.0**-6
    assert 1 < right_at_every_length(drifting, loop_step(drifting, form), start) < 100
    # in any order nothing but the first letters is exact
    assert right_at_every_length(numbers, fused_step(numbers, form), numbers.states[0], form.stored) < 5


def test_exact_sums():
    form = FORMATS["bfloat16"]
    sums, exact = exact_sum(np.array([[1.0, 2.0, 128.0], [1.0, 2.0, 256.0], [0.0, 0.0, 257.0], [0.0, 0.0, 0.0], [0.25, -0.5, 1.0]]), form)
    assert sums.tolist() == [131, 259, 257, 0, 0.75]
    assert exact.tolist() == [True, False, False, True, True]


def test_exact_scans():
    layer = lambda name: LayerNumbers(network(name)[1]["layers"][0], network(name)[1]["field"])  # noqa: E731
    assert exact_scan(layer("S5"), FORMATS["bfloat16"])
    assert exact_scan(layer("flip-flop"), FORMATS["float64"])
    assert not exact_scan(layer("Z5"), FORMATS["float64"])
    # permutations, but of numbers that bfloat16 does not have
    large = layer("S5")
    large.states = large.states + 256
    assert not exact_scan(large, FORMATS["bfloat16"])
    assert exact_scan(large, FORMATS["float16"])
    # a projection whose products do not close in few bits
    tilted = layer("flip-flop")
    tilted.A = tilted.A * (1 - 2.0**-10)
    assert not exact_scan(tilted, FORMATS["float32"])


def test_entries_are_rounded_to_nearest():
    zeta = network("Z5")[1]["layers"][0]["states"][1]
    assert as_floats(zeta, 20)[:, 0].tolist() == [0.309016994374947424102293417, 0.951056516295153572116439333]
    # sums of roots of unity that cancel are 0, not 6e-17
    assert as_floats([[["0", "1"], ["1", "0", "-1"]]], 4).tolist() == [[0.0, 2.0]]
    assert as_floats([[["1/3", "0"]]], 4).tolist() == [[1 / 3]]


def test_paths_without_micro_steps_and_unknown_names():
    document = compile_one_hot(FLIP_FLOP).document()
    assert guaranteed_length(document, "float16") == guaranteed_length(document, "bfloat16", "scan") == inf
    assert guaranteed_length(document, "float64", "delta") is None
    assert guaranteed_lengths(document)["fused"] == dict.fromkeys(FORMATS)
    with pytest.raises(ValueError, match="expected a data type"):
        guaranteed_length(document, "int8")
    with pytest.raises(ValueError, match="expected a path"):
        guaranteed_length(document, "float32", "chunk")


def test_more_states_promise_no_less_and_progress_is_told():
    """A search that is bounded on states and operations, so that the same command prints the same lengths everywhere."""
    document, told = compile_group(named_group("Z5"), polygons=True).document(), []
    few = guaranteed_length(document, "bfloat16", "delta", Search(10))
    more = guaranteed_length(document, "bfloat16", "delta", Search(20_000, lambda *step: told.append(step)))
    assert few < more
    assert more == guaranteed_length(document, "bfloat16", "delta", Search(20_000))
    assert told


def test_promises_of_the_table_are_kept(monkeypatch):
    """All rows of the table of first errors, and two of them anew; a promise that is a letter too long is noticed."""
    folder = Path(__file__).parents[2] / "benchmarks"
    monkeypatch.syspath_prepend(folder)
    promises = importlib.import_module("promises")
    rows = json.loads(promises.RESULTS.read_text(encoding="utf-8"))["rows"]
    assert all(r["first error"] is None or r["first error"] > r["effort"] >= r["promised"] for r in rows)
    shown = {(r["network"], r["path"], r["dtype"]): r for r in rows}
    network = compile_candidate(choose(promises.INSTANCES["counter modulo 60"](), prefer="narrow"))
    words = promises.drawn(network, 100)
    first = promises.first_error(network, "bfloat16", "scan", *words)
    row = shown["counter modulo 60", "scan", "bfloat16"]
    assert (first, guaranteed_length(network.document(), "bfloat16", "scan")) == (row["first error"], row["promised"])
    monkeypatch.setattr(promises, "drawn", lambda network: words)
    monkeypatch.setattr(promises, "guaranteed_length", lambda document, dtype, path, *search: first if dtype == "bfloat16" else inf)
    with pytest.raises(ArithmeticError, match="expected no error up to"):
        promises.compared("counter modulo 60")
