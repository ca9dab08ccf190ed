"""The associative scan: prefixes of any operator on any nest of arrays, the loop as its meaning, gradients, and its errors."""

from collections import namedtuple

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from lemmata.numerics import scan as scans
from lemmata.numerics.scan import (
    associative_scan,
    bracketings,
    compose_affine,
    compose_matrices,
    evaluate,
    linear_recurrence,
    sequential_scan,
)


@given(st.integers(0, 40), st.integers(-3, 2), st.booleans())
def test_sums_along_every_axis(n, axis, reverse):
    shape = [2, 3, 2]
    shape[axis] = n
    x = np.random.default_rng(n).integers(-9, 9, shape)
    expected = np.flip(np.cumsum(np.flip(x, axis), axis), axis) if reverse else np.cumsum(x, axis)
    assert np.array_equal(associative_scan(np.add, x, axis, reverse), expected)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 8, 9, 33])
def test_an_operator_that_does_not_commute(n):
    words = np.empty(n, dtype=object)
    words[:] = [chr(97 + i % 26) for i in range(n)]
    forward = associative_scan(np.add, words)
    assert list(forward) == ["".join(words[: i + 1]) for i in range(n)]
    # from the end, the later element first, as JAX has it
    assert list(associative_scan(np.add, words, reverse=True)) == ["".join(words[i:][::-1]) for i in range(n)]
    assert list(sequential_scan(np.add, words)) == list(forward)


Pair = namedtuple("Pair", "a b")


@pytest.mark.parametrize(
    "nest", [lambda a, b: (a, b), lambda a, b: [a, b], lambda a, b: {"a": a, "b": b}, Pair, lambda a, b: {"x": [a, (b,)]}]
)
def test_nests_come_back_as_they_went_in(nest):
    a, b = np.random.default_rng(0).integers(-3, 4, (2, 9, 2))

    def unpack(c):
        if isinstance(c, dict):
            return (c["a"], c["b"]) if "a" in c else (c["x"][0], c["x"][1][0])
        return tuple(c)

    out = associative_scan(lambda c, d: nest(*compose_affine(unpack(c), unpack(d))), nest(a, b))
    assert type(out) is type(nest(a, b))
    states = []
    h = np.zeros(2, dtype=int)
    for t in range(9):
        h = a[t] * h + b[t]
        states.append(h)
    assert np.array_equal(unpack(out)[1], states)


def test_dicts_are_matched_by_name_and_not_by_order():
    x, y = np.arange(1.0, 6), np.ones(5)
    out = associative_scan(lambda c, d: {"sum": c["sum"] + d["sum"], "product": c["product"] * d["product"]}, {"product": x, "sum": y})
    assert list(out) == ["product", "sum"]
    assert np.array_equal(out["product"], np.cumprod(x))
    assert np.array_equal(out["sum"], np.cumsum(y))


def test_leaves_may_have_other_axes_beyond_the_scanned_one():
    x, y = np.arange(6.0), np.ones((6, 2, 2))
    sums, products = associative_scan(lambda c, d: (c[0] + d[0], c[1] @ d[1]), (x, y))
    assert np.array_equal(sums, np.cumsum(x))
    assert np.array_equal(products[:, 0, 0], 2.0 ** np.arange(6))


@pytest.mark.parametrize("elements", [(), {}, (np.ones(3), np.ones(4)), 3.0, np.float64(1)])
def test_what_cannot_be_scanned(elements):
    with pytest.raises(ValueError, match="expected arrays"):
        associative_scan(np.add, elements)
    with pytest.raises(ValueError, match="expected arrays"):
        sequential_scan(np.add, elements)


def test_an_axis_that_does_not_exist_and_an_operator_that_loses_a_part():
    with pytest.raises(ValueError, match="axis 1"):
        associative_scan(np.add, np.ones(3), axis=1)
    with pytest.raises(ValueError, match="return 2 arrays"):
        associative_scan(lambda c, d: c[0], (np.ones(3), np.ones(3)))


# from 4 on: of 3 elements and fewer one position at a time is combined
@pytest.mark.parametrize("n", [4, 8, 33])
@pytest.mark.parametrize("op", [lambda a, b: (a + b)[:1], lambda a, b: (a + b)[:0], lambda a, b: a.sum(), lambda a, b: (a + b)[..., None]])
def test_an_operator_that_changes_the_shapes_is_refused(n, op):
    with pytest.raises(ValueError, match=r"expected the operator to return arrays of the shapes .* position by position"):
        associative_scan(op, np.ones(n))


def test_masked_arrays_are_refused():
    masked = np.ma.masked_array([1.0, 2.0, 3.0], [False, True, False])
    for scan in (associative_scan, sequential_scan):
        with pytest.raises(ValueError, match="without a mask"):
            scan(np.add, masked)
    with pytest.raises(ValueError, match="without a mask"):
        linear_recurrence(masked, masked.data, 0.0)


@given(st.integers(0, 20), st.integers(0, 10**6))
def test_exact_linear_recurrences(n, seed):
    rng = np.random.default_rng(seed)
    a, b = (
        np.array([fmpq(int(p), int(q)) for p, q in zip(rng.integers(-4, 5, n), rng.integers(1, 5, n), strict=True)], dtype=object)
        for _ in range(2)
    )
    h, states = fmpq(1, 3), []
    for t in range(n):
        h = a[t] * h + b[t]
        states.append(h)
    assert list(linear_recurrence(a, b, fmpq(1, 3))) == states


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_a_wide_recurrence_is_taken_step_by_step(axis, monkeypatch):
    """By the shape alone: one entry less at each position, and it is the scan."""
    calls = []
    monkeypatch.setattr(scans, "associative_scan", lambda *arguments: calls.append(1) or associative_scan(*arguments))
    rng = np.random.default_rng(0)
    for width in (scans.WIDE - 1, scans.WIDE):
        a, b = rng.integers(-2, 3, (2, 5, width))
        h = initial = rng.integers(-2, 3, width)
        states = []
        for t in range(5):
            h = a[t] * h + b[t]
            states.append(h)
        found = linear_recurrence(np.moveaxis(a, 0, axis), np.moveaxis(b, 0, axis), initial, axis)
        assert np.array_equal(np.moveaxis(found, axis, 0), states)
    assert len(calls) == 1


def test_the_gradient_of_both_ways():
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    values, gradients = np.random.default_rng(1).uniform(-1, 1, (2, 6, scans.WIDE)), []
    for columns in (scans.WIDE, scans.WIDE // 2):
        a, b = (torch.tensor(v, requires_grad=True) for v in values)
        start = torch.zeros(columns, dtype=a.dtype)
        parts = [linear_recurrence(x, y, start) for x, y in zip(a.split(columns, 1), b.split(columns, 1), strict=True)]
        (torch.cat(parts, 1) ** 2).sum().backward()
        gradients.append((a.grad.numpy(), b.grad.numpy()))
    for wide, narrow in zip(*gradients, strict=True):
        assert np.allclose(wide, narrow, rtol=1e-12, atol=1e-12)


def test_matrices_in_batches():
    rng = np.random.default_rng(3)
    A, B = rng.integers(-2, 3, (2, 13, 3, 3)), rng.integers(-2, 3, (2, 13, 3, 1))
    products, sums = associative_scan(compose_matrices, (A, B), axis=1)
    for k in range(2):
        H = np.zeros((3, 1), dtype=int)
        P = np.eye(3, dtype=int)
        for t in range(13):
            H, P = A[k, t] @ H + B[k, t], A[k, t] @ P
            assert np.array_equal(sums[k, t], H)
            assert np.array_equal(products[k, t], P)


def test_bracketings_are_counted_by_catalan_and_agree_where_they_should():
    assert [len(bracketings(n)) for n in range(1, 8)] == [1, 1, 2, 5, 14, 42, 132]
    assert {evaluate(tree, lambda a, b: a + b, "abcde") for tree in bracketings(5)} == {"abcde"}
    assert {evaluate(tree, lambda a, b: a - b, (1, 2, 4, 8)) for tree in bracketings(4)} == {-13, -5, 3, 11}
    assert len({evaluate(tree, lambda a, b: f"({a}{b})", "abcd") for tree in bracketings(4)}) == 5


def test_torch_arrays_and_their_gradients():
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    rng = np.random.default_rng(5)
    values = rng.uniform(-1, 1, (2, 3, 17))
    gradients = []
    for scan in (associative_scan, sequential_scan):
        a, b = (torch.tensor(v, requires_grad=True) for v in values)
        products, sums = scan(compose_affine, (a, b), axis=1)
        (products.sum() + (sums**2).sum()).backward()
        gradients.append((sums.detach().numpy(), a.grad.numpy(), b.grad.numpy()))
    for fast, slow in zip(*gradients, strict=True):
        assert np.allclose(fast, slow, rtol=1e-12, atol=1e-12)
    # the same products and sums in the same order, each rounded once (IEEE 754): the same bits in both libraries
    ours = associative_scan(compose_affine, tuple(values), axis=1)[1]
    assert np.array_equal(ours, gradients[0][0])
