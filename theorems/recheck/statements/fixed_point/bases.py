"""What the claims of topic fixed_point demand of their certificates: signed decays, mirrors near the axes, coordinates in which layers converge."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from ...cyclotomic import cyclotomic_polynomial, field_matrix, field_times, reduce
from ...exact import (
    apply,
    characteristic_polynomial,
    dot,
    freeze,
    inverse,
    is_orthogonal,
    is_positive_semidefinite,
    matrix,
    minus,
    natural,
    number,
    one,
    plus,
    rank,
    require,
    scaled,
    square,
    times,
    transpose,
    vector,
)
from ...registry import statement
from ...roots import is_positive_definite
from ...schema import Fields, Items, Matrix, Natural, Rational, Text, Vector
from ...typed import Certificates, Data
from .demands import diagonal, is_strict, lexicographic, nonzero, outer, scaled_rows, square_of_size
from .states import computes_products, permutation


def form_of(a: Sequence[Sequence[Fraction]], decay: Sequence[Fraction]) -> list[list[Fraction]]:
    """Lambda A + A^T Lambda - Lambda^2."""
    rows = scaled_rows(decay, a)
    return minus(plus(rows, transpose(rows)), diagonal([x * x for x in decay]))


def ungated_residual(a: Sequence[Sequence[Fraction]], decay: Sequence[Fraction]) -> list[list[Fraction]]:
    """I - Lambda A^-1."""
    return minus(one(len(a)), scaled_rows(decay, inverse(a)))


def blocks(a: Any, x: Any) -> None:
    """X is positive semidefinite, not 0, and diag(A X) = 0: no Lambda makes Lambda A + A^T Lambda positive definite."""
    require(x == transpose(x) and is_positive_semidefinite(x) and any(map(any, x)), "a positive semidefinite X other than 0")
    ax = times(a, x)
    require(not any(ax[i][i] for i in range(len(a))), "diag(A X) = 0")


@statement(
    "new.fixed-point.signed-decay", "witness", Fields(A=Matrix((1, 3), (1, 3), 8), decay=Vector((0, 3), 8), blocked=Matrix((0, 3), 3, 4))
)
def signed_decay(data: Data) -> None:
    """Either the form is positive definite and I - Lambda A^-1 shortens every vector, or X forbids every Lambda."""
    a = square(matrix(data["A"]))
    if data["blocked"]:
        require(all(a[i][i] for i in range(len(a))), "a diagonal without zeros")
        blocks(a, square_of_size(data["blocked"], len(a)))
    else:
        decay = vector(data["decay"])
        require(is_positive_definite(form_of(a, decay)) and is_strict(ungated_residual(a, decay)), "the form, or the mixer")
        require(all(x * a[i][i] > 0 for i, x in enumerate(decay)), "the signs of the diagonal")


@statement("new.fixed-point.signed-decay")
def signs_and_obstruction(certificates: Certificates) -> None:
    """A decay below 0 and a forbidding X are among them."""
    require(any(data["blocked"] for _, data in certificates), "a matrix without Lambda")
    require(any(number(x) < 0 for _, data in certificates for x in data["decay"]), "a decay below 0")


@statement(
    "new.fixed-point.signed-decay.basis",
    "witness",
    Fields(
        A=Matrix((3, 6), (3, 6), 8),
        basis=Matrix((0, 6), 6, 4),
        decay=Vector((0, 6), 8),
        pair=Items(Items(Natural(0, 1), 3, 3), 0, 2),
        omega=Natural(-1, 0),
    ),
)
def coordinates(data: Data) -> None:
    """Either T A T^-1 has a contractive mixer, or A a = -omega b, A b = omega a with omega != 0."""
    a = square(matrix(data["A"]))
    if data["pair"]:
        (x, y), omega = [nonzero(vector(v)) for v in data["pair"]], number(data["omega"])
        require(omega != 0 and apply(a, x) == [-omega * z for z in y] and apply(a, y) == [omega * z for z in x], "an imaginary eigenvalue")
    else:
        t = square_of_size(data["basis"], len(a))
        require(is_strict(ungated_residual(times(times(t, a), inverse(t)), vector(data["decay"]))), "the mixer does not contract")


@statement("new.fixed-point.signed-decay.basis")
def both_sides(certificates: Certificates) -> None:
    """A matrix with an imaginary eigenvalue and one without are among them."""
    require({bool(data["pair"]) for _, data in certificates} == {True, False}, "both cases")


def mirror(u: Sequence[Fraction]) -> list[list[Fraction]]:
    return minus(one(len(u)), scaled(2 / dot(u, u), outer(u, u)))


@statement("new.fixed-point.reflections", "witness", Fields(u=Vector((1, 6), 4), decay=Vector((0, 4), 8), X=Matrix((0, 6), (2, 6), 8)))
def reflection(data: Data) -> None:
    """A = I - 2 u u^T / u.u: the norm of I - Q is 2 sqrt(p (1 - p)) < 1, p > 1/2 the largest share of u.u; or p <= 1/2 and X forbids every Lambda."""
    u = nonzero(vector(data["u"]))
    a, p = mirror(u), max(x * x for x in u) / dot(u, u)
    if data["X"]:
        require(p <= Fraction(1, 2), "no coordinate with more than half")
        blocks(a, square_of_size(data["X"], len(u)))
    else:
        f = ungated_residual(a, vector(data["decay"]))
        room = minus(scaled(4 * p * (1 - p), one(len(u))), times(transpose(f), f))
        require(p > Fraction(1, 2) and is_positive_semidefinite(room) and rank(room) < len(u), "the norm is not the least")


@statement("new.fixed-point.reflections")
def the_boundary(certificates: Certificates) -> None:
    """A normal with exactly half in one coordinate and one with more are among them."""
    shares = {max(x * x for x in u) / dot(u, u) for u in (vector(data["u"]) for _, data in certificates)}
    require(Fraction(1, 2) in shares and any(Fraction(1, 2) < x < 1 for x in shares), "both sides of the boundary")


# -- groups ------------------------------------------------------------------------------------------------------------------------


def signed_unit(n: int, i: int, c: Fraction) -> list[Fraction]:
    """c diag(1, ..., -1, ..., 1), -1 at i."""
    return [-c if j == i else c for j in range(n)]


@statement(
    "new.fixed-point.reflection-groups",
    "witness",
    Fields(cartan=Matrix((1, 8), (1, 8), 4), basis=Matrix((1, 8), (1, 8), 4), strength=Rational(4)),
)
def simple_reflections(data: Data) -> None:
    """Cartan's matrix of a finite group, m_i < 2, and every simple reflection contracts in the coordinates of the basis."""
    cartan, strength = square(matrix(data["cartan"])), number(data["strength"])
    n = len(cartan)
    basis = square_of_size(data["basis"], n)
    require(cartan == transpose(cartan) and all(cartan[i][i] == 2 for i in range(n)) and is_positive_definite(cartan), "Cartan's matrix")
    require(all(cartan[i][j] in (0, -1) for i in range(n) for j in range(i)), "edges without multiplicity")
    squared = times(cartan, cartan)
    for i in range(n):
        require(squared[i][i] < 8, "m_i < 2")
        s = minus(one(n), [[cartan[i][j] if k == i else Fraction(0) for j in range(n)] for k in range(n)])
        a = times(times(basis, s), inverse(basis))
        require(is_strict(ungated_residual(a, signed_unit(n, i, strength))), "a reflection does not contract")


@statement("new.fixed-point.transpositions", "witness", Fields(basis=Matrix((1, 4), (2, 5), 4)))
def transpositions(data: Data) -> None:
    """Orthogonal axes h_k in the plane of sum 0; for each swap of k and a later place || P - Lambda ||^2 = 1 - 1/m^2 there, Lambda diagonal along the h."""
    h = matrix(data["basis"])
    n = len(h) + 1
    require(n >= 2 and all(len(row) == n and not sum(row) for row in h) and rank(h) == n - 1, "axes in the plane of sum 0")
    require(all(dot(h[i], h[j]) == 0 for i in range(n - 1) for j in range(i)), "orthogonal axes")
    plane = minus(one(n), [[Fraction(1, n)] * n for _ in range(n)])
    along = [scaled(1 / dot(row, row), outer(row, row)) for row in h]
    for k in range(n - 1):
        m = n - 1 - k
        decay = scaled(Fraction(1, m), minus(plane, scaled(2, along[k])))
        for j in range(k + 1, n):
            swap = [[Fraction(int(c == (j if r == k else k if r == j else r))) for c in range(n)] for r in range(n)]
            f = minus(times(plane, swap), decay)
            room = minus(scaled(1 - Fraction(1, m * m), plane), times(transpose(f), f))
            require(is_positive_semidefinite(room) and rank(room) < n - 1, "the norm of a transposition's mixer")


@statement("new.fixed-point.all-reflections", "witness", Fields(basis=Matrix((2, 5), (2, 5), 12)))
def signed_permutations(data: Data) -> None:
    """In the orthonormal basis of the rows every e_i and e_i + e_j, e_i - e_j has more than half of its square in one coordinate."""
    o = square(matrix(data["basis"]))
    n = len(o)
    require(n >= 2 and is_orthogonal(o), "an orthonormal basis")
    unit = one(n)
    normals = [*unit, *([x + s * y for x, y in zip(unit[i], unit[j], strict=True)] for i in range(n) for j in range(i) for s in (1, -1))]
    for u in normals:
        require(2 * max(x * x for x in apply(o, u)) > dot(u, u), "a reflection without contractive mixer")


@statement("new.fixed-point.any-letters.groups", "automaton")
def small_groups(data: Data) -> Any:
    """S_4 in dimension 3 and S_5 in 4 on adjacent transpositions, ||I - Q||^2 < 3/5; A_5 in 3, and the mixers of its 52 letters."""
    letters = [permutation(x) for x in data["letters"]]
    n, size = len(letters[0]), len(computes_products(data, letters))
    (layer,) = data["layers"]
    require(len(layer) == len(letters), "a map for each letter")
    if n == 5 and len(letters) == 2:
        require(size == 60 and natural(data["field"]) == 5, "all of A_5")
        return icosahedral_letters([letter["A"] for letter in layer])
    swaps = [(*range(i), i + 1, i, *range(i + 2, n)) for i in range(n - 1)]
    require(n in (4, 5) and set(letters) == set(swaps) and len(letters) == n - 1 and size == (24, 120)[n - 4], "adjacent transpositions")
    for p, letter in zip(letters, layer, strict=True):
        a, i = square_of_size(letter["A"], n - 1), swaps.index(p)
        require(not any(number(x) for row in letter["B"] for x in row), "no input")
        f = ungated_residual(a, signed_unit(n - 1, i, Fraction(13, 20)))
        gram = times(transpose(f), f)
        require(is_positive_definite(minus(scaled(Fraction(3, 5), one(n - 1)), gram)), "||I - Q||^2 is not below 3/5")
    return None


def icosahedral_letters(generators: Any) -> None:
    """The two matrices generate 60 orthogonal ones: 8 with zero diagonal, 4 sign matrices, 48 that signs turn into a rotation of trace 1 + 2 cos 72."""
    modulus = cyclotomic_polynomial(5)
    unit = freeze([[(Fraction(1),) if i == j else () for j in range(3)] for i in range(3)])
    maps = [field_matrix(rows, modulus) for rows in generators]
    found, waiting = {unit}, [unit]
    for state in waiting:
        for a in maps:
            new = freeze(field_times(a, state, modulus))
            if new not in found:
                require(len(found) < 60, "more than 60 matrices")
                found.add(new)  # pyright: ignore[reportArgumentType]
                waiting.append(new)  # pyright: ignore[reportArgumentType]
    wanted = reduce([1, 1, 0, 0, 1], modulus)
    kinds = [0, 0, 0]
    for a in found:
        at = freeze(zip(*a, strict=True))
        require(freeze(field_times(a, at, modulus)) == unit, "an orthogonal matrix")
        turned = any(signed_trace(a, (s, t, s * t), modulus) == wanted for s, t in product((1, -1), repeat=2))
        signs = all(x in ((), (Fraction(1),), (Fraction(-1),)) for row in a for x in row) and all(a[i][i] for i in range(3))
        kinds[0 if not any(a[i][i] for i in range(3)) else 1 if signs else 2] += 1
        require(turned or signs or not any(a[i][i] for i in range(3)), "no signs give a turn by 72 degrees")
    require(kinds == [8, 4, 48], "eight, four and 48 letters")


def signed_trace(a: Any, signs: Any, modulus: Any) -> Any:
    total = [Fraction(0)] * 4
    for i, s in enumerate(signs):
        for k, x in enumerate(a[i][i]):
            total[k] += s * x
    return reduce(total, modulus)


# -- coordinates in which iterations converge ------------------------------------------------------------------------------------


def value_at(polynomial: Sequence[Fraction], s: Fraction) -> Fraction:
    total = Fraction(0)
    for c in polynomial:
        total = total * s + c
    return total


def alternate(signs: Sequence[int], points: Sequence[Fraction]) -> None:
    """n + 1 points in (0, 2) at which a polynomial of degree n has different signs at neighbours: n roots, all real, between them."""
    require(points[0] > 0 and all(a < b for a, b in pairwise(points)) and points[0] + points[-1] <= 2, "increasing points in (0, 2)")
    require(all(signs) and all(a == -b for a, b in pairwise(signs)), "alternating signs")


def separated(m: Sequence[Sequence[Fraction]], letter: dict[str, Any]) -> list[Fraction]:
    """The eigenvalues of diag(decay) M are simple, and lie between the points."""
    points = vector(letter["points"])
    require(len(points) == len(m) + 1, "a point more than rows")
    polynomial = characteristic_polynomial(scaled_rows(vector(letter["decay"]), m))
    alternate([(x > 0) - (x < 0) for x in (value_at(polynomial, s) for s in points)], points)
    return points


@statement(
    "new.fixed-point.any-letters",
    "witness",
    Fields(
        matrices=Items(Matrix((1, 3), (1, 3), 4), 2, 3),
        basis=Matrix((1, 3), (1, 3), 4),
        letters=Items(Fields(decay=Vector((1, 3), 16), points=Vector((2, 4), 16)), 2, 3),
    ),
)
def one_basis(data: Data) -> None:
    """In one basis each matrix has decays with which all eigenvalues of Q = Lambda T A^-1 T^-1 are simple and in (0, 2)."""
    t = square(matrix(data["basis"]))
    require(len(data["matrices"]) == len(data["letters"]), "decays for each matrix")
    for rows, letter in zip(data["matrices"], data["letters"], strict=True):
        separated(times(times(t, inverse(square_of_size(rows, len(t)))), inverse(t)), letter)


def in_simple_roots(p: Any) -> Any:
    """The permutation matrix p in the coordinates of the roots e_j - e_(j+1)."""
    n = len(p)
    return [[Fraction(int(p[j] <= i < p[j + 1]) - int(p[j + 1] <= i < p[j])) for j in range(n - 1)] for i in range(n - 1)]


class Root5:
    """a + b sqrt 5."""

    def __init__(self, a: Any, b: Any = 0) -> None:
        self.a, self.b = Fraction(a), Fraction(b)

    def __add__(self, other: Any) -> Any:
        return Root5(self.a + other.a, self.b + other.b)

    def __mul__(self, other: Any) -> Any:
        return Root5(self.a * other.a + 5 * self.b * other.b, self.a * other.b + self.b * other.a)

    @property
    def sign(self) -> Any:
        difference = self.a * abs(self.a) + 5 * self.b * abs(self.b)  # increasing in a + b sqrt 5 where a, b have opposite signs
        return (difference > 0) - (difference < 0)


def real_part(element: Any) -> Any:
    """a0 + a2 (zeta^2 + zeta^3) as a + b sqrt 5; zeta^2 + zeta^3 = -(1 + sqrt 5)/2."""
    a = [*element, *[Fraction(0)] * 4][:4]
    require(a[1] == 0 and a[2] == a[3], "a real number")
    return Root5(a[0] - a[2] / 2, -a[2] / 2)


def icosahedral_group(images: Any, matrices: Any) -> Any:
    """{even permutation: matrix}, generated from two of each, consistently."""
    modulus = cyclotomic_polynomial(5)
    maps = [field_matrix(rows, modulus) for rows in matrices]
    unit = freeze([[(Fraction(1),) if i == j else () for j in range(3)] for i in range(3)])
    found = {(0, 1, 2, 3, 4): unit}
    waiting = list(found)
    for g in waiting:
        for x, a in zip(images, maps, strict=True):
            h, new = tuple(x[i] for i in g), freeze(field_times(a, found[g], modulus))
            require(found.setdefault(h, new) == new and len(found) <= 60, "matrices that do not multiply like the permutations")  # pyright: ignore[reportArgumentType]
            if h not in waiting:
                waiting.append(h)
    require(len(found) == 60 == len(set(found.values())), "60 permutations and 60 matrices")
    require(all(freeze(field_times(a, freeze(zip(*a, strict=True)), modulus)) == unit for a in found.values()), "orthogonal matrices")
    return {g: [[real_part(x) for x in row] for row in a] for g, a in found.items()}


def determinant3(m: Any) -> Any:
    minus_one = Root5(-1)
    total = Root5(0)
    for i, j, k, s in ((0, 1, 2, 1), (1, 2, 0, 1), (2, 0, 1, 1), (0, 2, 1, -1), (1, 0, 2, -1), (2, 1, 0, -1)):
        term = m[0][i] * m[1][j] * m[2][k]
        total = total + (term if s == 1 else minus_one * term)
    return total


def rooted_times(a: Any, b: Any) -> Any:
    columns = list(zip(*b, strict=True))
    return [[x[0] * y[0] + x[1] * y[1] + x[2] * y[2] for y in columns] for x in a]


def rooted_letter(a: Any, t: Any, letter: Any) -> Any:
    """As ``separated``, for the transition T A T^-1 with an orthogonal A over Q(sqrt 5)."""
    points, decay = vector(letter["points"]), vector(letter["decay"])
    require(len(points) == 4 and len(decay) == 3, "three decays, four points")
    left = [[Root5(x * y) for y in row] for x, row in zip(decay, t, strict=True)]
    right = [[Root5(x) for x in row] for row in inverse(t)]
    q = rooted_times(rooted_times(left, list(zip(*a, strict=True))), right)
    signs = []
    for s in points:
        shifted = [[Root5(s * (i == j)) + Root5(-1) * q[i][j] for j in range(3)] for i in range(3)]
        signs.append(determinant3(shifted).sign)
    alternate(signs, points)
    return points


@statement(
    "new.fixed-point.any-letters.groups",
    "witness",
    Fields(
        group=Text("A_5", "S_4", "S_5"),
        basis=Matrix((3, 4), (3, 4), 4),
        letters=Items(Fields(decay=Vector((3, 4), 48), points=Vector((4, 5), 48)), 24, 120),
        images=Items(Items(Natural(0, 4), 5, 5), 0, 2),
        matrices=Items(Items(Matrix(3, (0, 4), 4), 3, 3), 0, 2),
    ),
)
def all_letters(data: Data) -> None:
    """For every element, in lexicographic order, the eigenvalues of I - Q lie in (-r, r): r = 0.96 for S_4, 0.9999 for S_5, 0.996 for A_5."""
    name = data["group"]
    t = square_of_size(data["basis"], 4 if name == "S_5" else 3)
    lowest = 1 - {"S_4": Fraction(24, 25), "S_5": Fraction(9999, 10000), "A_5": Fraction(249, 250)}[name]
    if name == "A_5":
        images = [tuple(natural(i) for i in p) for p in data["images"]]
        group = sorted(icosahedral_group(images, data["matrices"]).items())
    else:
        group = [(p, in_simple_roots(p)) for p in lexicographic(list(range(int(name[2:]))))]
    for (_, a), letter in zip(group, data["letters"], strict=True):
        points = rooted_letter(a, t, letter) if name == "A_5" else separated(times(times(t, inverse(a)), inverse(t)), letter)
        require(points[0] >= lowest, "the radius")


@statement("new.fixed-point.any-letters.groups")
def the_three_groups(certificates: Certificates) -> None:
    """S_4, S_5 and A_5, with all letters, and with letters whose mixers contract."""
    require(sorted(data["group"] for kind, data in certificates if kind == "witness") == ["A_5", "S_4", "S_5"], "three groups")
    sizes = sorted(len(data["automaton"]) for kind, data in certificates if kind == "automaton")
    require(sizes == [24, 60, 120], "three groups with mixers that contract")
