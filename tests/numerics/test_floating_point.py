"""Rounding computed on rationals against NumPy's and torch's, bit for bit."""

import numpy as np
import pytest
from flint import fmpq
from lemmata.numerics.exact import rationals
from lemmata.numerics.floating_point import BFLOAT16, BINARY16, BINARY32, BINARY64, E4M3, E5M2, FORMATS
from lemmata.theorems.recheck import floating


def exact(x) -> fmpq:
    return fmpq(*float(x).as_integer_ratio())


def probes(format, rng) -> np.ndarray:
    """float64 numbers that exercise a format: all magnitudes, halfway points, their neighbours, subnormal numbers, and zero."""
    low, high = format.lowest - 2, int(np.log2(float(format.largest)))
    random = rng.choice([-1, 1], 400) * np.exp2(rng.uniform(max(low, -1070), high, 400))
    spacing = np.array([float(format.spacing(exact(x))) for x in random])
    multiples = np.rint(random / spacing) * spacing
    halfway = multiples + spacing / 2
    near = np.concatenate([halfway, np.nextafter(halfway, np.inf), np.nextafter(halfway, -np.inf), multiples, random, [0.0]])
    return near[np.abs(near) <= float(format.largest)]


@pytest.mark.parametrize(("format", "kind"), [(BINARY32, np.float32), (BINARY16, np.float16)], ids=["float32", "float16"])
def test_as_numpy_rounds(format, kind):
    values = probes(format, np.random.default_rng(1))
    assert [format.round(exact(x)) for x in values] == [exact(kind(x)) for x in values]


@pytest.mark.parametrize("format", [BFLOAT16, E4M3, E5M2], ids=lambda f: f.name)
def test_as_torch_rounds(format):
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    kind = getattr(torch, format.name, None)
    if kind is None:
        pytest.skip(f"this torch has no {format.name}")
    values = probes(format, np.random.default_rng(2)).astype(np.float32)  # from float32, since torch rounds a double twice
    rounded = torch.from_numpy(values).to(kind).to(torch.float64).tolist()
    assert [format.round(exact(x)) for x in values] == [exact(x) for x in rounded]
    assert float(format.largest) == torch.finfo(kind).max
    assert float(format.least_normal) == torch.finfo(kind).smallest_normal


def test_sums_and_products_of_doubles():
    x, y = np.random.default_rng(3).normal(size=(2, 300)) * np.exp2(np.arange(300) % 40)
    assert [BINARY64.round(exact(a) + exact(b)) for a, b in zip(x, y, strict=True)] == [exact(s) for s in x + y]
    assert [BINARY64.round(exact(a) * exact(b)) for a, b in zip(x, y, strict=True)] == [exact(s) for s in x * y]


@pytest.mark.parametrize("format", FORMATS, ids=lambda f: f.name)
def test_the_checkers_own_rounding_agrees(format):
    precision, lowest, largest = floating.FORMATS[format.name]
    assert (precision, lowest, exact_fraction(largest)) == (format.precision, format.lowest, format.largest)
    for x in probes(format, np.random.default_rng(4)):
        assert exact_fraction(floating.nearest(fraction(x), precision, lowest, largest)) == format.round(exact(x))


def fraction(x):
    from fractions import Fraction

    return Fraction(*float(x).as_integer_ratio())


def exact_fraction(x) -> fmpq:
    return fmpq(x.numerator, x.denominator)


def test_ties_go_to_the_even_neighbour():
    assert [E5M2.round(fmpq(j, 8)) for j in (9, 11, 13, 15)] == list(rationals(["1", "3/2", "3/2", "2"]))
    assert E5M2.is_tie(fmpq(9, 8))
    assert not E5M2.is_tie(fmpq(5, 4))
    assert fmpq(5, 4) in E5M2
    assert fmpq(9, 8) not in E5M2


def test_overflow_is_refused():
    with pytest.raises(OverflowError, match="rounds to at most 448"):
        E4M3.round(fmpq(465))
    assert fmpq(10**40) not in BINARY32
