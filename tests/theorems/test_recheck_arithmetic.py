"""The checker's arithmetic in packed integers against FLINT."""

import random

import pytest
from flint import fmpq, fmpq_poly, fmpz_poly
from lemmata.numerics.cyclotomic import Cyclotomic
from lemmata.theorems.recheck import Rejected
from lemmata.theorems.recheck.cyclotomic import cyclotomic_polynomial
from lemmata.theorems.recheck.delta_steps import require_composition
from lemmata.theorems.recheck.effort import Effort
from lemmata.theorems.recheck.moves import Moves
from lemmata.theorems.recheck.ring import Ring, Rows, pack, phi, unpack
from lemmata.theorems.recheck.whole import Whole, ratio

ORDERS = [1, 2, 3, 4, 5, 8, 9, 12, 15, 20, 30, 49, 60, 105]


@pytest.mark.parametrize("n", [*range(1, 40), 105, 210, 385, 1996, 9240])
def test_cyclotomic_polynomials(n):
    wanted = [int(c) for c in fmpz_poly.cyclotomic(n).coeffs()]
    assert cyclotomic_polynomial(n) == wanted
    assert phi(n) == len(wanted) - 1


@pytest.mark.parametrize("bits", [8, 16, 64])
def test_packed_integers_come_back(bits):
    rng = random.Random(bits)
    values = [*(rng.randrange(-(2 ** (bits - 1)) + 1, 2 ** (bits - 1)) for _ in range(50)), 2 ** (bits - 1) - 1, 1 - 2 ** (bits - 1), 0]
    assert unpack(pack(values, bits), len(values), bits) == values


def test_combinations_of_rows():
    rng = random.Random(0)
    rows, packed = [], Rows(4)
    for j in range(12):
        factors = [rng.randrange(-(10**j), 10**j + 1) for _ in rows]
        found = packed.combination(factors, Effort(), "rows")
        assert found == [sum(c * row[i] for c, row in zip(factors, rows, strict=True)) for i in range(4)]
        rows.append([rng.randrange(-(100**j), 100**j + 1) for _ in range(4)])
        packed.append(rows[-1])


def polynomial(rng, order, largest):
    return [rng.randrange(-largest, largest + 1) for _ in range(rng.randrange(order + 1))]


@pytest.mark.parametrize("order", ORDERS)
def test_keys_are_equal_exactly_for_equal_elements(order):
    """Sums of products, and the same with a multiple of the cyclotomic polynomial added, or with the least change."""
    rng, bound = random.Random(order), 20
    ring = Ring(order, 3 * (bound * order) ** 2)

    def number(p):
        return sum(c << ring.bits * k for k, c in enumerate(p)) if order > 1 else sum(p)

    def value(p):
        return Cyclotomic(order, fmpq_poly([fmpq(c) for c in p]))

    for _ in range(20):
        a, b, c = (polynomial(rng, order, bound) for _ in range(3))
        zero = [int(x) for x in (fmpz_poly.cyclotomic(order) * fmpz_poly(polynomial(rng, order - phi(order), bound) or [0])).coeffs()]
        left = number(a) * number(b) + number(c)
        assert value(zero) == 0
        assert ring.key(left) == ring.key(left + number(zero))
        assert ring.key(left) == ring.key(ring.fold(left))
        assert ring.key(left) != ring.key(left + number([0] * rng.randrange(order) + [rng.choice([-1, 1])]))
        p, q = polynomial(rng, order, 1), polynomial(rng, order, 1)
        assert (ring.key(number(p)) == ring.key(number(q))) == (value(p) == value(q))


def texts(x):
    return x.to_text() if isinstance(x, Cyclotomic) else str(x)


def real(rng, order):
    """A random real element of Q(zeta_order)."""
    if order == 1:
        return fmpq(rng.randrange(-5, 6), rng.randrange(1, 5))
    z = Cyclotomic(order, fmpq_poly([fmpq(rng.randrange(-2, 3), rng.choice([1, 1, 2, 3])) for _ in range(phi(order))]))
    return z + z.conjugate()


def composition(rng, order, n, k):
    """k random steps of width n in the file's form, and the rows of [A B] that they compose to."""
    h, steps = [[fmpq(int(i == j)) for j in range(n)] + [fmpq(0)] for i in range(n)], []
    while len(steps) < k:
        v, beta, write = [real(rng, order) for _ in range(n)], fmpq(rng.randrange(1, 5), 2), real(rng, order)
        length = sum((x * x for x in v), fmpq(0))
        if length == 0:
            continue
        scale = fmpq(1) * beta / length
        along = [sum((x * row[j] for x, row in zip(v, h, strict=True)), fmpq(0)) for j in range(n + 1)]
        h = [[x - a * scale * y for x, y in zip(row, along, strict=True)] for a, row in zip(v, h, strict=True)]
        h = [[*row[:-1], row[-1] + a * write] for a, row in zip(v, h, strict=True)]
        steps.append({"v": [texts(x) for x in v], "beta": str(beta), "scale": texts(scale), "write": texts(write)})
    return steps, h


def check_steps(steps, h, order):
    A, B = [[texts(x) for x in row[:-1]] for row in h], [[texts(row[-1])] for row in h]
    require_composition(steps, A, B, Whole([A, B], "a map", Effort()), order, Effort(), "the steps")


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5, 8, 12, 15])
@pytest.mark.parametrize(("n", "k"), [(1, 1), (2, 0), (2, 2), (3, 2), (3, 4)])
def test_steps_compose_to_their_map_and_to_no_other(order, n, k):
    rng = random.Random(100 * order + 10 * n + k)
    steps, h = composition(rng, order, n, k)
    check_steps(steps, h, order)
    i, j = rng.randrange(n), rng.randrange(n + 1)
    h[i][j] = h[i][j] + fmpq(1, 10**6)
    with pytest.raises(Rejected, match="compose to the map"):
        check_steps(steps, h, order)


def test_steps_are_composed_in_their_order():
    steps, h = composition(random.Random(0), 1, 3, 3)
    with pytest.raises(Rejected, match="compose to the map"):
        check_steps(steps[::-1], h, 1)


@pytest.mark.parametrize("order", [1, 5, 12])
def test_states_move_as_their_maps_say(order):
    rng, n = random.Random(order), 3
    A, b, h = ([[real(rng, order) for _ in range(columns)] for _ in range(n)] for columns in (n, 1, 1))
    after = [[sum((x * y for x, (y,) in zip(row, h, strict=True)), fmpq(0)) + c] for row, (c,) in zip(A, b, strict=True)]
    states = [[[texts(x)] for (x,) in column] for column in (h, after, [[x + fmpq(1, 1000)] for (x,) in after])]
    maps = [([[texts(x) for x in row] for row in A], [[texts(x)] for (x,) in b])]
    assert Moves(order, states, maps, Effort(), "a layer").after(0, 0) == 1
    assert Moves(order, [states[0], states[2]], maps, Effort(), "a layer").after(0, 0) is None


def test_ratios():
    assert [ratio(x) for x in ("0", "-3/4", "12", -5)] == [(0, 1), (-3, 4), (12, 1), (-5, 1)]
