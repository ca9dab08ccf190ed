"""Layers whose rounding errors keep the parity: run in the data types themselves, and in flash-linear-attention's kernel."""

from itertools import accumulate
from random import Random

import numpy as np
import pytest
from flint import fmpq
from lemmata.constructions.rounded_delta import (
    Evaluation,
    RoundedLayer,
    below_two,
    dot,
    evaluations,
    keeps_parity,
    padded,
    smallest_numbers,
    step,
    unit_key,
)
from lemmata.numerics.floating_point import BFLOAT16, BINARY16, BINARY32, BINARY64, E4M3, E5M2, FORMATS
from lemmata.theorems.parity import census

WORD = [Random(5).randrange(2) for _ in range(300)]
PARITIES = [p % 2 for p in accumulate(WORD)]


def floats(x) -> np.ndarray:
    return np.array([int(y.p) / int(y.q) for y in x])


def layers(format):
    yield smallest_numbers(format.lowest)
    yield unit_key(format)
    if format.precision >= 8:
        yield below_two(format.precision)
        yield padded(below_two(format.precision), 5)


def test_ten_evaluations_of_width_two():
    assert len(set(evaluations(2))) == 10
    assert len({str(how) for how in evaluations(2)}) == 10


@pytest.mark.parametrize(
    ("format", "kind"), [(BINARY64, np.float64), (BINARY32, np.float32), (BINARY16, np.float16)], ids=["64", "32", "16"]
)
def test_in_numpys_own_arithmetic(format, kind):
    for layer in layers(format):
        k, states = floats(layer.k).astype(kind), [floats(layer.even).astype(kind), floats(layer.odd).astype(kind)]
        numbers = [kind(floats([x])[0]) for x in (layer.beta, layer.v)]
        h = states[0]
        for letter, parity in zip(WORD, PARITIES, strict=True):
            beta, v = numbers if letter else (kind(0), kind(0))
            s = kind(0)
            for x, y in zip(k, h, strict=True):
                s = s + x * y
            h = h + beta * (v - s) * k
            assert h.dtype == kind
            assert h.tobytes() == states[parity].tobytes()


@pytest.mark.parametrize("format", [BFLOAT16, E4M3, E5M2, BINARY16, BINARY32], ids=lambda f: f.name)
def test_in_torchs_data_types(format):
    """float8 is a storage type: each operation is done in float32, which is exact enough to round once (24 >= 2 p + 2), and stored."""
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    kind = getattr(torch, format.name, None)
    if kind is None:
        pytest.skip(f"this torch has no {format.name}")
    wide = torch.float32 if format.precision <= 4 else kind

    def stored(x):
        return x.to(kind).to(wide)

    for layer in layers(format):
        k, even, odd, numbers = (
            torch.tensor(floats(x), dtype=torch.float64).to(kind).to(wide) for x in (layer.k, layer.even, layer.odd, [layer.beta, layer.v])
        )
        h = even
        for letter, parity in zip(WORD, PARITIES, strict=True):
            beta, v = numbers * letter
            s = torch.zeros((), dtype=wide)
            for x, y in zip(k, h, strict=True):
                s = stored(s + stored(x * y))
            h = stored(h + stored(stored(beta * stored(v - s)) * k))
            assert torch.equal(h, (even, odd)[parity])


def test_the_kernel_of_flash_linear_attention_keeps_the_parity_too(flash):
    """An observation, in Triton's interpreter (no fused multiply-adds): it computes in float32, in the order of the claims."""
    for layer, (outputs, last) in zip(layers(BINARY32), flash["parity"], strict=True):
        states = [floats(layer.even), floats(layer.odd)]
        assert len(outputs) == 60
        assert last == states[PARITIES[59]].tolist()
        assert outputs == [states[p][0] for p in PARITIES[:60]]


def test_flushing_subnormal_numbers_ends_it():
    layer = smallest_numbers(BINARY16.lowest)

    def flushed(x):
        return fmpq(0) if abs(x) < BINARY16.least_normal else BINARY16.round(x)

    assert (step(layer, 1, layer.even, next(evaluations(1)), flushed) == 0).all()


@pytest.mark.parametrize("format", FORMATS, ids=lambda f: f.name)
def test_one_fused_residual_ends_it(format):
    layer = unit_key(format)
    assert all(keeps_parity(layer, how, format.round) for how in evaluations(2))
    assert not keeps_parity(layer, Evaluation("once", (0, 1), True, True), format.round)


def test_the_sum_as_it_is_said():
    """1 + 2^-7 squared needs 15 bits: fused it survives the cancellation, separate it does not."""
    k = h = np.array([fmpq(129, 128), fmpq(1)], dtype=object)
    h = np.array([fmpq(129, 128), -fmpq(130, 128)], dtype=object)
    assert dot(k, h, Evaluation("separate", (0, 1), False), BFLOAT16.round) == 0
    assert dot(k, h, Evaluation("fused", (1, 0), False), BFLOAT16.round) == fmpq(1, 2**14)
    assert dot(k, h, Evaluation("fused", (0, 1), False), BFLOAT16.round) == 0
    assert dot(k, h, Evaluation("once", (0, 1), False), BFLOAT16.round) == fmpq(1, 2**14)


def test_a_precision_that_is_too_small_is_refused():
    with pytest.raises(ValueError, match="at least 8 bits, got 4"):
        below_two(4)


@pytest.mark.parametrize("format", census.ROUNDINGS, ids=lambda f: f.name)
def test_the_census_rounds_like_the_exact_step(format):
    layers = census.random_layers(np.random.default_rng(3), format, 3, 40)
    after = census.step(format, *layers)
    k, beta, v, h = layers
    how = Evaluation("separate", (0, 1, 2), False)

    def exact(x):
        return fmpq(*float(x).as_integer_ratio())

    for i in range(len(beta)):
        vectors = [np.array([exact(y) for y in x[:, i]], dtype=object) for x in (k, h)]
        layer = RoundedLayer(vectors[0], exact(beta[i]), exact(v[i]), vectors[1], vectors[1])
        assert [exact(x) for x in after[:, i]] == list(step(layer, 1, vectors[1], how, format.round))
        assert layer.eigenvalue >= 0
