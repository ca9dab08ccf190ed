"""Random matrices, products of GH factors, exponential sums and layers in the cast model, drawn again from their seeds with the standard library.

Each function makes the draws that its line says, in that order; it shares no code with the constructions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from .exact import dot, inverse, one, scaled, times, transpose
from .families import basis, fraction, integer_vector, integers, nonzero_vector, orthogonal
from .typed import Data

#: eigenvalues: 0, 1 and both sides of 1; with negative ones; of both signs with moduli that are powers of 2
NONNEGATIVE = [Fraction(x) for x in ("0", "1/3", "1/2", "1", "1", "3/2", "2")]
REAL = [*NONNEGATIVE, *(Fraction(x) for x in ("-1/2", "-1", "-1", "-2"))]
DYADIC = [Fraction(x) for x in ("0", "1/2", "-1/2", "1", "-1", "-1", "2", "-2")]


def once(listed: Any) -> list[Any]:
    """The things of a list without repeats, in the order in which they come."""
    seen = []
    for x in listed:
        if x not in seen:
            seen.append(x)
    return seen


# -- vectors and matrices --------------------------------------------------------------------------------------------------


def triangular(rng: Random, n: int, eigenvalues: Sequence[Fraction]) -> list[list[Fraction]]:
    """Upper triangular: row by row an eigenvalue from the list, then integers in [-1, 1]."""
    return [
        [*([Fraction(0)] * i), rng.choice(eigenvalues), *integer_vector(rng, n - i - 1, 1)]
        for i in range(n)
    ]  # fmt: skip


def block_diagonal(blocks: Sequence[Sequence[Sequence[Fraction]]]) -> list[list[Fraction]]:
    """The direct sum of square matrices."""
    n, out, start = sum(map(len, blocks)), [], 0
    for block in blocks:
        out += [[Fraction(0)] * start + list(row) + [Fraction(0)] * (n - start - len(block)) for row in block]
        start += len(block)
    return out


def positive_semidefinite(rng: Random, n: int) -> list[list[Fraction]]:
    """X X^T over an integer up to 4n, for an integer matrix X of n rows and a random number of columns."""
    x = integers(rng, n, rng.randint(1, n))
    c = Fraction(1, rng.randint(1, 4 * n))
    return scaled(c, times(x, transpose(x)))


def symmetrizable(rng: Random, n: int) -> tuple[list[list[Fraction]], list[Fraction]]:
    """(A, w) with diag(w) A = X X^T as above and weights w of 1 to 3."""
    q = positive_semidefinite(rng, n)
    w = [Fraction(rng.randint(1, 3)) for _ in range(n)]
    return [[x / w[i] for x in row] for i, row in enumerate(q)], w


# -- products of GH factors ------------------------------------------------------------------------------------------------


def gh_matrix(v: Sequence[Fraction], beta: Fraction) -> list[list[Fraction]]:
    """I - beta v v^T / v^T v."""
    c = beta / dot(v, v)
    return [[Fraction(int(i == j)) - c * x * y for j, y in enumerate(v)] for i, x in enumerate(v)]


def product_of(factors: Sequence[tuple[Sequence[Fraction], Fraction]], n: int) -> list[list[Fraction]]:
    """The product of the factors (v, beta), I for none."""
    out = one(n)
    for v, beta in factors:
        out = times(out, gh_matrix(v, beta))
    return out


def gh_factors(rng: Random, n: int, k: int, low: int, high: int) -> list[tuple[list[Fraction], Fraction]]:
    """k factors, for each a nonzero vector and then 1 - beta in [low, high]."""
    return [(nonzero_vector(rng, n), 1 - fraction(rng, low, high)) for _ in range(k)]


def products(rng: Random, largest: int, count: int, longest: int, low: int, high: int) -> list[list[tuple[list[Fraction], Fraction]]]:
    """``count`` lists of 1 to ``longest`` factors for each dimension up to ``largest``; those of identities alone are left out."""
    lists = [gh_factors(rng, n, rng.randint(1, longest), low, high) for n in range(1, largest + 1) for _ in range(count)]
    return [factors for factors in lists if any(beta for _, beta in factors)]


def listed(factors: Sequence[tuple[Sequence[Fraction], Fraction | int]]) -> list[dict[str, Any]]:
    """Factors as certificates hold them."""
    return [{"v": v, "beta": beta} for v, beta in factors]


def contraction(rng: Random, n: int) -> list[list[Fraction]]:
    """U diag(sigma) V with sigma in [0, 1] drawn first, then U and V orthogonal."""
    sigma = block_diagonal([[[fraction(rng)]] for _ in range(n)])
    left = orthogonal(rng, n)
    return times(times(left, sigma), orthogonal(rng, n))


def turned(q: Sequence[Sequence[Fraction]], m: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """Q^T M Q."""
    return times(times(transpose(q), m), q)


def turns(scales: Sequence[Fraction], line: Sequence[Fraction] = ()) -> list[list[Fraction]]:
    """c_1 J + c_2 J + ... with the entries of ``line`` on the rest of the diagonal."""
    return block_diagonal([*([[Fraction(0), -c], [c, Fraction(0)]] for c in scales), *([[x]] for x in line)])


# -- numbers of the form a + ib --------------------------------------------------------------------------------------------


def conjugate_times(x: tuple[Fraction, Fraction], y: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """conj(x) y."""
    return x[0] * y[0] + x[1] * y[1], x[0] * y[1] - x[1] * y[0]


def inner(v: Sequence[tuple[Fraction, Fraction]], w: Sequence[tuple[Fraction, Fraction]]) -> tuple[Any, ...]:
    """v^* w."""
    terms = [conjugate_times(x, y) for x, y in zip(v, w, strict=True)]
    return sum(a for a, _ in terms), sum(b for _, b in terms)


def minus_multiple(x: tuple[Fraction, Fraction], c: tuple[Fraction, Fraction], y: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """x - c y."""
    return x[0] - c[0] * y[0] + c[1] * y[1], x[1] - c[0] * y[1] - c[1] * y[0]


def gaussian_unitary(rng: Random, n: int) -> list[list[tuple[Fraction, Fraction]]]:
    """Up to two reflections along vectors with parts in [-1, 1] (none along 0), then a phase 1, i, -1 or (3 + 4i)/5 for each row."""
    u = [[(Fraction(int(i == j)), Fraction(0)) for j in range(n)] for i in range(n)]
    for _ in range(rng.randint(0, 2)):
        v = [(Fraction(rng.randint(-1, 1)), Fraction(rng.randint(-1, 1))) for _ in range(n)]
        length = inner(v, v)[0]
        if length:
            overlaps = [inner(v, [row[j] for row in u]) for j in range(n)]
            c = [(2 * a / length, 2 * b / length) for a, b in overlaps]
            u = [[minus_multiple(x, c[j], v[i]) for j, x in enumerate(row)] for i, row in enumerate(u)]
    phases = [(Fraction(a), Fraction(b)) for a, b in (("1", "0"), ("0", "1"), ("-1", "0"), ("3/5", "4/5"))]
    out = []
    for row in u:
        p, q = rng.choice(phases)
        out.append([(p * a - q * b, p * b + q * a) for a, b in row])
    return out


def trimmed(x: tuple[Fraction, Fraction]) -> list[Fraction]:
    """(a, b) as certificates hold a + ib: the list of its parts without the last zeros."""
    a, b = x
    return [a, b] if b else [a] if a else []


# -- sets, sums and layers -------------------------------------------------------------------------------------------------

HALVES = [Fraction(i, 2) for i in range(-6, 7)]


def finite_set(rng: Random) -> list[Fraction]:
    """One to five of the halves in [-3, 3], sorted."""
    count = rng.randint(1, 5)
    return sorted(rng.sample(HALVES, count))


def symmetric_set(rng: Random) -> list[Fraction]:
    """0 and one or two of the positive halves up to 3, with both signs."""
    count = rng.randint(1, 2)
    sizes = rng.sample([x for x in HALVES if x > 0], count)
    return sorted({Fraction(0), *sizes, *(-x for x in sizes)})


def set_number(rng: Random, i: int) -> list[Fraction]:
    """A finite set if 3 divides i, a symmetric one otherwise."""
    return symmetric_set(rng) if i % 3 else finite_set(rng)


def exponential_sum(rng: Random, eigenvalues: Sequence[Fraction]) -> list[list[Fraction]]:
    """One to four times: an eigenvalue, m up to 2, a coefficient in [-3, 3]; a later (lambda, m) replaces an earlier one, zeros are left out."""
    terms = {}
    for _ in range(rng.randint(1, 4)):
        key = rng.choice(eigenvalues), rng.randint(0, 2)
        terms[key] = fraction(rng, -3, 3)
    return [[x, m, c] for (x, m), c in terms.items() if c]


def jordan_blocks(rng: Random, n: int, eigenvalues: Sequence[Fraction]) -> list[tuple[Fraction, int]]:
    """Blocks (eigenvalue, size) of total size n: for each the size, then the eigenvalue."""
    blocks, left = [], n
    while left:
        size = rng.randint(1, left)
        blocks.append((rng.choice(eigenvalues), size))
        left -= size
    return blocks


def jordan_block(x: Fraction, size: int) -> list[list[Fraction]]:
    """x on the diagonal, 1 above it."""
    return [[x if i == j else Fraction(int(j == i + 1)) for j in range(size)] for i in range(size)]


def with_jordan_form(blocks: Sequence[tuple[Fraction, int]], p: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """P J P^-1."""
    return times(times(p, block_diagonal([jordan_block(x, size) for x, size in blocks])), inverse(p))


def stack(rng: Random, depth: int, eigenvalues: Sequence[Fraction]) -> list[Any]:
    """For each of ``depth`` layers ({letter: (A, B)}, H_0, decoder): size 1 to 3, a basis, triangular A in it and B for the letters 0, 1, 2, decoder weights, H_0."""
    layers = []
    for _ in range(depth):
        n = rng.randint(1, 3)
        p = basis(rng, n)
        back, table = inverse(p), {}
        for x in range(3):
            a = times(times(p, triangular(rng, n, eigenvalues)), back)
            b = integers(rng, n, 1, 1)
            table[x] = (a, scaled(Fraction(rng.choice((0, 1))), b))
        weights = [rng.randint(1, 2) for _ in range(n + 1)]
        layers.append((table, integers(rng, n, 1), weighted(weights)))
    return layers


def weighted(weights: Sequence[int]) -> Callable[..., Any]:
    """The decoder (state, letter) -> the weighted sum of twice the entries and of the letter, modulo 3."""
    return lambda state, x: (sum(w * int(2 * h) for w, (h,) in zip(weights, state, strict=False)) + weights[-1] * x) % 3


def counter(a: int, b: int, decoder: Callable[..., Any]) -> tuple[Any, ...]:
    """A scalar layer h -> a h + b x from 0 for the letters x = 0, 1, 2."""
    return {x: ([[Fraction(a)]], [[Fraction(b * x)]]) for x in range(3)}, [[Fraction(0)]], decoder


def gate_or_key(rng: Random, n: int, kinds: tuple[Any, ...]) -> list[list[Fraction]]:
    """A kind from the list, then a transition: positive fractions on the diagonal, I - beta v v^T / v^T v with such a beta, or a diagonal of gates 0 and 1."""
    kind = rng.choice(kinds)
    if kind == "diagonal":
        return block_diagonal([[[positive(rng)]] for _ in range(n)])
    if kind == "bmru":
        return block_diagonal([[[Fraction(rng.choice((0, 1)))]] for _ in range(n)])
    v = nonzero_vector(rng, n)
    return gh_matrix(v, positive(rng))


def positive(rng: Random) -> Fraction:
    """A number in (0, 1) with a denominator of 2 to 5."""
    q = rng.randint(2, 5)
    return Fraction(rng.randint(1, q - 1), q)


# -- staircases ------------------------------------------------------------------------------------------------------------


def staircase(rng: Random) -> dict[str, Any]:
    """A nondecreasing function: thresholds, values, and for each threshold whether it belongs to the values above it."""
    count = rng.randint(1, 5)
    at = sorted({fraction(rng, -4, 4) for _ in range(count)})
    values = sorted(fraction(rng, -4, 4) for _ in range(len(at) + 1))
    closed = [int(rng.random() < 0.5) for _ in at]
    return {"at": at, "closed": closed, "values": values}


def step_of(data: Data, x: Fraction) -> Fraction:
    """The value of a staircase."""
    return data["values"][sum(x > y or (c == 1 and x == y) for y, c in zip(data["at"], data["closed"], strict=True))]


def rounded_orbit(rng: Random, a: Sequence[Sequence[Fraction]]) -> tuple[list[Fraction], list[dict[str, Any]], list[list[Fraction]]]:
    """(b, roundings, orbit) of h -> rho(A h + b): b in halves, a staircase for each entry, a start; until a state repeats its predecessor."""
    n = len(a)
    b = [x / 2 for x in integer_vector(rng, n)]
    rho = [staircase(rng) for _ in range(n)]
    orbit = [[step_of(r, fraction(rng, -4, 4)) for r in rho]]
    while len(orbit) < 2 or (orbit[-1] != orbit[-2] and len(orbit) < 400):
        orbit.append([step_of(r, dot(row, orbit[-1]) + c) for r, row, c in zip(rho, a, b, strict=True)])
    return b, rho, orbit
