"""Identities in symbols: seen by each of the ways, and not seen where there is none."""

import pytest
import sympy
from lemmata.numerics import identities
from lemmata.numerics.identities import difference, is_visible

x, y = sympy.symbols("x y", positive=True)
z = sympy.symbols("z", real=True)
k = sympy.symbols("k", integer=True)

#: left, right: equal by expansion, over a common denominator, as exponentials, as exponentials over a common denominator
EQUAL = {
    "expansion": ((x + y) ** 2, x**2 + 2 * x * y + y**2),
    "denominator": (1 / x - 1 / y, (y - x) / (x * y)),
    "roots": (sympy.sqrt(x) / (1 + sympy.sqrt(x)), (x - sympy.sqrt(x)) / (x - 1)),
    "exponentials": (sympy.cos(z) ** 2 - sympy.sin(z) ** 2, sympy.cos(2 * z)),
    "tangents": (sympy.tanh(2 * x), 2 * sympy.tanh(x) / (1 + sympy.tanh(x) ** 2)),
}


@pytest.mark.parametrize(("left", "right"), EQUAL.values(), ids=EQUAL)
def test_identities_need_no_simplification(left, right, monkeypatch):
    monkeypatch.setattr(sympy, "simplify", lambda _: pytest.fail("simplify was called"))
    assert difference(left, right) == 0
    assert difference(left, right + sympy.Rational(1, 10**6)) != 0
    assert difference(left * (1 + x / 1000), right) != 0


def test_what_is_0_at_the_numbers_alone_is_no_identity():
    number = identities.NUMBERS[0]
    assert not is_visible(x - number)
    assert difference(x, number) == x - number


def test_what_else_is_0_is_left_to_simplify():
    assert difference(sympy.gamma(x + 1), x * sympy.gamma(x)) == 0
    assert difference((-1) ** (2 * k), 1) == 0
    assert difference(sympy.Integral(x, (x, 0, 1)), sympy.Rational(1, 2)) == 0


def test_numbers_have_what_is_assumed_of_symbols():
    m = sympy.symbols("m", integer=True, negative=True)
    assert is_visible(sympy.Abs(x) + x)
    assert not is_visible(sympy.Abs(x) - x)
    assert not is_visible(sympy.Abs(m) + m)
    assert is_visible(sympy.sin(sympy.pi * x))
    assert not is_visible(sympy.sin(sympy.pi * k))
    # there is no even prime but 2, and no number for two symbols that are
    p, q = sympy.symbols("p q", prime=True, even=True)
    assert not is_visible(p - q + 1)
