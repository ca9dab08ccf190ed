"""The checker's own arithmetic for eigenvalues and for polynomials of networks, held to FLINT."""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from lemmata.constructions import bilinear
from lemmata.numerics import exact
from lemmata.theorems.recheck import gaussian, polynomials, roots, sparse
from lemmata.theorems.recheck.exact import Rejected


def from_roots(values):
    p = [Fraction(1)]
    for x in values:
        p = polynomials.times(p, [-Fraction(x), Fraction(1)])
    return p


@given(st.lists(st.fractions(-2, 2, max_denominator=4), min_size=1, max_size=4))
def test_real_roots_inside_and_between(values):
    p = from_roots(values)
    assert roots.roots_inside(p) == all(abs(x) < 1 for x in values)
    assert roots.all_roots_between(p, Fraction(0), Fraction(1)) == all(0 <= x <= 1 for x in values)
    rest, multiplicity = roots.divided_by_root(p, Fraction(1))
    assert multiplicity == values.count(1)
    assert rest == from_roots([x for x in values if x != 1])


@given(st.integers(-4, 4), st.integers(-4, 4))
def test_a_complex_pair(a, b):
    # x^2 - 2 (a/3) x + (a^2 + b^2)/9 has the roots (a +- ib)/3
    p = [Fraction(a * a + b * b, 9), Fraction(-2 * a, 3), Fraction(1)]
    assert roots.roots_inside(p) == (a * a + b * b < 9)
    assert roots.all_roots_between(p, Fraction(-2), Fraction(2)) == (b == 0)


def test_strictly_below_the_norm():
    assert roots.norm_below([[Fraction(1, 2), 0], [0, Fraction(-1, 2)]], Fraction(1))
    assert not roots.norm_below([[Fraction(1), 0], [0, Fraction(0)]], Fraction(1))


def test_gaussian_rationals():
    J = gaussian.gaussian_matrix([[0, "-1"], ["1", ["0", "0"]]])
    i_minus_j = gaussian.gaussian_matrix([[["0", "1"], "1"], ["-1", ["0", "1"]]])
    assert gaussian.product(J, J)[0] == [[-1, 0], [0, -1]]
    assert gaussian.complex_rank(i_minus_j) == 1
    with pytest.raises(Rejected):
        gaussian.gaussian(["1", "2", "3"])


@given(st.integers(1, 2), st.integers(1, 3), st.integers(1, 3), st.integers(0, 1000))
def test_networks_have_the_polynomials_that_flint_finds(n, depth, steps, seed):
    rng = np.random.default_rng(seed)
    layers, data = [], []
    for level in range(depth):
        m = 1 if level == 0 else n
        A, V, U, b, h = (exact.rationals(rng.integers(-2, 3, shape).astype(object)) for shape in ((n, m, n), (n, n), (n, m), (n,), (n,)))
        layers.append(bilinear.SecondOrderLayer(A, V, U, b, h))
        data.append({k: exact.as_text(v) for k, v in {"A": A, "V": V, "U": U, "b": b, "initial": h}.items()})
    theirs = sparse.layers_of(data)
    values = [int(x) for x in rng.integers(-3, 4, steps)]
    numbers = sparse.run(theirs, [[Fraction(x)] for x in values])[-1][-1]
    assert [fmpq(x.numerator, x.denominator) for x in numbers] == list(bilinear.run(layers, values)[-1])
    ours = bilinear.run(layers, bilinear.variables([f"x{t}" for t in range(steps)]))[-1]
    found = sparse.run(theirs, sparse.inputs_of(theirs, steps))[-1][-1]
    for p, q in zip(ours, found, strict=True):
        terms = {tuple(int(k) for k in m): c for m, c in zip(p.monoms(), p.coeffs(), strict=True)} if p != 0 else {}
        mine = {}
        for m, c in sparse.constant(q).terms.items():
            exponents = [0] * steps
            for (_, t, _), k in m:
                exponents[t - 1] = k
            mine[tuple(exponents)] = fmpq(c.numerator, c.denominator)
        assert mine == terms


def test_layers_that_do_not_fit_are_refused():
    layer = {"A": [[["1"]]], "V": [["0"]], "U": [["0"]], "b": ["0"], "initial": ["1"]}
    assert len(sparse.layers_of([layer, layer])) == 2
    for wrong in ({"V": [["0", "0"]]}, {"b": []}, {"A": [[["1", "2"]]]}, {"initial": ["1", "1"]}):
        with pytest.raises(Rejected):
            sparse.layers_of([layer | wrong])
    with pytest.raises(Rejected):
        sparse.layers_of([])
