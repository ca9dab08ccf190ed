"""What the claims of topic householder demand of their certificates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ... import intervals
from ...cyclotomic import cyclotomic_polynomial, element, field_matrix, field_times
from ...exact import (
    determinant,
    dot,
    inverse,
    is_orthogonal,
    is_positive_semidefinite,
    matrix,
    minus,
    natural,
    norm_at_most,
    number,
    one,
    rank,
    require,
    scaled,
    square,
    times,
    transpose,
    vector,
)
from ...gaussian import complex_rank, gaussian
from ...polynomials import count_real_roots
from ...registry import statement
from ...roots import all_roots_between, characteristic, norm_below
from ...schema import Fields, Items, Matrix, Natural, Rational, Truth, Vector
from ...shapes import GHFactors
from ...typed import Certificates, Data, Decided


def gh_factors(listed: Sequence[dict[str, Any]]) -> list[tuple[list[Fraction], Fraction]]:
    """[(v, beta), ...] with nonzero vectors of one size."""
    factors = [(vector(f["v"]), number(f["beta"])) for f in listed]
    require(factors and all(len(v) == len(factors[0][0]) and any(v) for v, _ in factors), "factors with nonzero vectors of one size")
    return factors


def in_range(factors: Sequence[tuple[Sequence[Fraction], Fraction]], low: int, high: int, open_below: bool = False) -> None:
    """Every eigenvalue 1 - beta lies in [low, high] (or in (low, high]), and some factor is not I."""
    for _, beta in factors:
        require(low <= 1 - beta <= high and not (open_below and 1 - beta == low), f"the eigenvalue {1 - beta} is in the range")
    require(any(beta for _, beta in factors), "a factor that is not I")


def declared_range(data: Data, low: int, high: int) -> None:
    """The range of eigenvalues that the rule checks is the claim's."""
    require((number(data["low"]), number(data["high"])) == (low, high), f"the range [{low}, {high}]")


def gh_matrix(v: Sequence[Fraction], beta: Fraction) -> list[list[Fraction]]:
    length = dot(v, v)
    return [[Fraction(int(i == j)) - beta * v[i] * v[j] / length for j in range(len(v))] for i in range(len(v))]


def product_of(factors: Sequence[tuple[Sequence[Fraction], Fraction]]) -> list[list[Fraction]]:
    out = one(len(factors[0][0]))
    for v, beta in factors:
        out = times(out, gh_matrix(v, beta))
    return out


def is_scaled_turns(m: Sequence[Sequence[Fraction]], c: Fraction) -> bool:
    """m is c (J + ... + J), with a last entry c for odd n, and 0 < c < 1."""
    n = len(m)
    wanted = [[Fraction(0)] * n for _ in range(n)]
    for i in range(0, n - 1, 2):
        wanted[i][i + 1], wanted[i + 1][i] = -c, c
    if n % 2:
        wanted[-1][-1] = c
    return 0 < c < 1 and m == wanted


# -- norms ----------------------------------------------------------------------------------------------------------------


@statement("grazzi25.prop1.1", "contraction", Fields(matrix=Matrix((1, 5), (1, 5), 24), factors=GHFactors((1, 5), 1, 6)))
def product_of_norm_at_most_one(data: Data) -> None:
    """The matrix, whose norm the rule bounds, is the product of GH factors with eigenvalues in [-1, 1]."""
    factors = gh_factors(data["factors"])
    in_range(factors, -1, 1)
    require(product_of(factors) == matrix(data["matrix"]), "the matrix is the product of the factors")


@statement(
    "grazzi25.eq3.inclusion",
    "gh-product",
    Fields(
        matrix=Matrix((2, 3), (2, 3), 8),
        factors=GHFactors((2, 3), 3, 4),
        low=Rational(4),
        high=Rational(4),
        fewest=Truth(only=False),
        padding=Natural(1, 1),
    ),
)
def padded_by_identities(data: Data) -> None:
    """Leaving out the last ``padding`` factors, which have the eigenvalue 1 in the range, leaves the product as it is."""
    declared_range(data, 0, 1)
    padding, factors = natural(data["padding"]), gh_factors(data["factors"])
    in_range(factors, 0, 1)
    require(0 < padding < len(factors) and all(beta == 0 for _, beta in factors[-padding:]), "the last factors have the eigenvalue 1")
    require(product_of(factors[:-padding]) == matrix(data["matrix"]), "fewer factors have the same product")


@statement("grazzi25.sec4.3.triangular", "witness", Fields(S=Matrix((2, 4), (2, 4), 4), T=Matrix((2, 4), (2, 4), 4)))
def triangular_product(data: Data) -> None:
    """S, T upper triangular with diagonals in [-1, 1], not diagonal; so is S T, with the products on its diagonal."""
    s, t = square(matrix(data["S"])), square(matrix(data["T"]))
    require(len(s) == len(t) >= 2, "two matrices of one size, at least 2")
    for m in (s, t, times(s, t)):
        require(all(m[i][j] == 0 for i in range(len(m)) for j in range(i)), "zeros below the diagonal")
        require(all(abs(m[i][i]) <= 1 for i in range(len(m))), "a diagonal in [-1, 1]")
    require(any(s[i][j] for i in range(len(s)) for j in range(i + 1, len(s))), "entries above the diagonal")
    require(all(times(s, t)[i][i] == s[i][i] * t[i][i] for i in range(len(s))), "the diagonal multiplies")


# -- Proposition 1.2, and how many factors ----------------------------------------------------------------------------------


@statement(
    "grazzi25.prop1.2.contraction",
    "gh-product",
    Fields(
        matrix=Matrix((1, 5), (1, 5), 32), factors=GHFactors((1, 5), 1, 9, 64), low=Rational(4), high=Rational(4), fewest=Truth(only=False)
    ),
)
def at_most_two_n_minus_one(data: Data) -> None:
    """A contraction other than I as at most 2n - 1 GH factors with eigenvalues in [-1, 1]; the rule multiplies them."""
    declared_range(data, -1, 1)
    m, factors = square(matrix(data["matrix"])), gh_factors(data["factors"])
    in_range(factors, -1, 1)
    require(norm_at_most(m, 1) and m != one(len(m)), "a contraction other than I")
    require(len(factors) <= 2 * len(m) - 1, "at most 2n - 1 factors")


@statement(
    "new.householder.minimum",
    "gh-product",
    Fields(
        matrix=Matrix((1, 6), (1, 6), 64),
        factors=GHFactors((1, 6), 1, 9, 160, 8),
        low=Rational(4),
        high=Rational(4),
        fewest=Truth(only=False),
    ),
)
def at_most_three_halves(data: Data) -> None:
    """A contraction other than I as at most floor(3n/2) GH factors with eigenvalues in [-1, 1]."""
    declared_range(data, -1, 1)
    m, factors = square(matrix(data["matrix"])), gh_factors(data["factors"])
    in_range(factors, -1, 1)
    require(norm_at_most(m, 1) and m != one(len(m)), "a contraction other than I")
    require(len(factors) <= 3 * len(m) // 2, "at most floor(3n/2) factors")


def pencil(m: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    """(I - M M^T)^-1 (I - M)."""
    return times(inverse(minus(one(len(m)), times(m, transpose(m)))), minus(one(len(m)), m))


@statement(
    "new.householder.n-factors",
    "gh-product",
    Fields(matrix=Matrix((1, 4), (1, 4), 16), factors=GHFactors((1, 4), 1, 4, 32, 8), low=Rational(4), high=Rational(4), fewest=Truth()),
)
def exactly_n(data: Data) -> None:
    """A strict contraction as n factors with beta in (0, 2); all eigenvalues of its pencil are real."""
    declared_range(data, -1, 1)
    m, factors = square(matrix(data["matrix"])), gh_factors(data["factors"])
    require(norm_below(m, 1) and len(factors) == len(m), "a strict contraction as n factors")
    require(all(0 < beta < 2 for _, beta in factors), "beta in (0, 2)")
    p = characteristic(pencil(m))
    largest = 2 + sum(abs(c) for c in p)
    require(all_roots_between(p, -largest, largest), "all eigenvalues of the pencil are real")


@statement(
    "new.householder.half-turn",
    "gh-product",
    Fields(matrix=Matrix(2, 2, 8), factors=GHFactors(2, 3, 3, 8, 8), low=Rational(4), high=Rational(4), fewest=Truth(only=False)),
)
def three_for_a_half_turn(data: Data) -> None:
    """c J, 0 < c < 1, as three factors with eigenvalues in [-1, 1]; one and two are excluded by rank and by nonreal eigenvalues of the pencil."""
    declared_range(data, -1, 1)
    m, factors = square(matrix(data["matrix"])), gh_factors(data["factors"])
    in_range(factors, -1, 1)
    require(len(m) == 2 and is_scaled_turns(m, m[1][0]) and len(factors) == 3, "c J as three factors")
    require(rank(minus(m, one(2))) == 2, "one factor is too few")
    require(count_real_roots(characteristic(pencil(m))) == 0, "two factors are too few")


def kernel_dimension(m: Sequence[Sequence[Fraction]], s: tuple[Fraction, Fraction]) -> int:
    """The complex dimension of ker((I - M) - s (I - M M^T)), for nonreal s and invertible I - M."""
    n, (a, b) = len(m), s
    left, right = minus(one(n), m), minus(one(n), times(m, transpose(m)))
    require(b != 0 and determinant(left) != 0, "s is not real, and I - M is invertible")
    return n - complex_rank((minus(left, scaled(a, right)), scaled(-b, right)))


@statement("new.householder.pencil", "witness", Fields(factors=GHFactors((2, 5), 3, 7, 8), s=Vector(2, 8)))
def factors_against_multiplicity(data: Data) -> None:
    """A product of k factors, none of them I, whose pencil has the nonreal eigenvalue s: k >= n + its multiplicity."""
    factors = gh_factors(data["factors"])
    require(all(beta != 0 for _, beta in factors), "no factor is I")
    m = product_of(factors)
    dimension = kernel_dimension(m, gaussian(data["s"]))
    require(dimension > 0, "s is an eigenvalue of the pencil")
    require(len(factors) >= len(m) + dimension, "k >= n + the multiplicity")


@statement("new.householder.pencil")
def turns_of_every_size(certificates: Certificates) -> None:
    """3/5 (J + ... + J) with a last entry 3/5 for odd n, n = 2, 3, 4, 5."""
    products = [product_of(gh_factors(data["factors"])) for _, data in certificates]
    require([len(m) for m in products] == [2, 3, 4, 5], "n = 2, 3, 4, 5")
    require(all(is_scaled_turns(m, Fraction(3, 5)) for m in products), "scaled quarter turns")


@statement("new.householder.minimum.sharp", "witness", Fields(c=Rational(4), n=Natural(2, 7), factors=GHFactors((2, 7), 3, 10, 8)))
def three_halves_for_turns(data: Data) -> None:
    """c (J + ... + J) as floor(3n/2) factors with eigenvalues in [-1, 1]; s = (1 - ic)/(1 - c^2) has the multiplicity floor(n/2), which forces them."""
    c, n, factors = number(data["c"]), natural(data["n"]), gh_factors(data["factors"])
    in_range(factors, -1, 1)
    m = product_of(factors)
    require(len(m) == n >= 2 and is_scaled_turns(m, c), "the product is c (J + ... + J)")
    dimension = kernel_dimension(m, (1 / (1 - c * c), -c / (1 - c * c)))
    require(len(factors) == n + dimension == 3 * n // 2, "floor(3n/2) factors, as many as the multiplicity forces")


@statement("new.householder.rank", "witness", Fields(factors=GHFactors(6, 1, 4), k=Natural(1, 4)))
def rank_at_most_k(data: Data) -> None:
    """The product of k < n factors differs from I, by rank at most k."""
    factors, k = gh_factors(data["factors"]), natural(data["k"])
    m = product_of(factors)
    require(0 < k == len(factors) < len(m), "k factors, fewer than the dimension")
    require(0 < rank(minus(m, one(len(m)))) <= k, "rank(M - I) is at least 1 and at most k")


@statement(
    "grazzi25.prop1.2.orthogonal",
    "gh-product",
    Fields(matrix=Matrix((1, 6), (1, 6), 16), factors=GHFactors((1, 6), 1, 6, 16), low=Rational(4), high=Rational(4), fewest=Truth()),
)
def fewest_reflections(data: Data) -> None:
    """An orthogonal matrix as rank(Q - I) reflections; the rule multiplies and counts."""
    m = square(matrix(data["matrix"]))
    require(is_orthogonal(m) and m != one(len(m)), "an orthogonal matrix other than I")
    require(number(data["low"]) == number(data["high"]) == -1 and data["fewest"] is True, "reflections, as few as the rank")


def permutation_of(m: Sequence[Sequence[Fraction]]) -> list[int]:
    """The permutation p with m e_i = e_p(i)."""
    require(all(sorted(row) == [0] * (len(m) - 1) + [1] for row in [*square(m), *transpose(m)]), "a permutation matrix")
    return [column.index(1) for column in transpose(m)]  # pyright: ignore[reportArgumentType]


def cycles_of(p: Sequence[int]) -> int:
    seen, count = set(), 0
    for start in range(len(p)):
        count += start not in seen
        while start not in seen:
            seen.add(start)
            start = p[start]
    return count


@statement(
    "grazzi25.prop1.2.permutation",
    "gh-product",
    Fields(matrix=Matrix((2, 4), (2, 4), 4), factors=GHFactors((2, 4), 1, 3), low=Rational(4), high=Rational(4), fewest=Truth()),
)
def fewest_swaps(data: Data) -> None:
    """A permutation matrix as n minus its number of cycles swaps I - 2 v v^T / v^T v, v = e_i - e_j; the rule says that no fewer do."""
    m = matrix(data["matrix"])
    p = permutation_of(m)
    require(m != one(len(m)), "a permutation other than the identity")
    require(data["fewest"] is True and number(data["low"]) == number(data["high"]) == -1, "reflections, as few as the rank")
    require(len(data["factors"]) == len(p) - cycles_of(p), "n minus the number of cycles")
    for f in data["factors"]:
        require(sorted(vector(f["v"])) == [-1] + [0] * (len(p) - 2) + [1], "the factor is a swap")


@statement(
    "grazzi25.prop1.2.permutation.display",
    "witness",
    Fields(P=Matrix(2, 2, 4)),
    hypotheses={"moves": "P is not the identity"},
    violates={"swaps": "P needs more swaps than the product has"},
)
def needs_all_swaps(data: Data) -> Decided:
    """A permutation matrix other than I with rank(P - I) > n - 2, more than the printed product has factors."""
    m = matrix(data["P"])
    permutation_of(m)
    return {"moves": m != one(len(m)), "swaps": rank(minus(m, one(len(m)))) > len(m) - 2}


@statement(
    "grazzi25.fig3",
    "gh-product",
    Fields(matrix=Matrix(3, 3, 4), factors=GHFactors(3, 2, 2), low=Rational(4), high=Rational(4), fewest=Truth()),
)
def figure_three(data: Data) -> None:
    """The vectors of the figure, (1, -1, 0) and (0, 1, -1) up to length, as reflections: the matrix of a 3-cycle."""
    factors = gh_factors(data["factors"])
    require([beta for _, beta in factors] == [2, 2] and data["fewest"] is True, "two reflections, as few as the rank")
    declared_range(data, -1, -1)
    for (v, _), drawn in zip(factors, ([1, -1, 0], [0, 1, -1]), strict=True):
        require(rank([v, [Fraction(x) for x in drawn]]) == 1, "the vector of the figure")
    require(cycles_of(permutation_of(matrix(data["matrix"]))) == 1, "a 3-cycle")


# -- rotations, zero, boolean transitions -----------------------------------------------------------------------------------


@statement("grazzi25.appC1", "witness", Fields(sine=Rational(8), cosine=Rational(8)))
def two_reflections(data: Data) -> None:
    """With sine and cosine of theta/2, the reflections along (-sine, cosine) and (0, 1) multiply to R(theta)."""
    s, c = number(data["sine"]), number(data["cosine"])
    require(s * s + c * c == 1 and s * c != 0, "sine and cosine of an angle")
    cosine, sine = c * c - s * s, 2 * s * c
    require(
        product_of([([-s, c], Fraction(2)), ([Fraction(0), Fraction(1)], Fraction(2))]) == [[cosine, -sine], [sine, cosine]], "R(theta)"
    )


def modulus_of(data: Data) -> int:
    """m of a one-layer automaton over {0, 1} that counts ones modulo m."""
    names = data["automaton"]
    m = len(names)
    require(data["letters"] == ["0", "1"] and len(data["layers"]) == 1, "one layer over 0 and 1")
    require(sorted(names) == sorted(str(q) for q in range(m)) and data["outputs"] == names and names[0] == "0", "states 0 .. m-1, read out")
    for i, letter, _, j in data["edges"]:
        require(int(names[j]) == (int(names[i]) + letter) % m, "each 1 counts one on")
    return m


@statement("grazzi25.appC1.counting", "automaton")
def counts_by_rotation(data: Data) -> None:
    """The number of ones modulo m, by 2 x 2 transitions that are orthogonal with determinant 1, and no inputs."""
    m = modulus_of(data)
    modulus = cyclotomic_polynomial(natural(data["field"]))
    unit = [[element(int(i == j), modulus) for j in range(2)] for i in range(2)]
    require(m >= 1 and len(data["layers"][0]) == 2, "a map for each letter")
    for f in data["layers"][0]:
        a, b = field_matrix(f["A"], modulus), field_matrix(f["B"], modulus)
        require(len(a) == 2 and field_times([[a[j][i] for j in range(2)] for i in range(2)], a, modulus) == unit, "orthogonal")
        minor = field_times([[a[0][0], a[0][1]]], [[a[1][1]], [element_negative(a[1][0])]], modulus)
        require(minor == [[element(1, modulus)]], "determinant 1, so two reflections")
        require(not any(x for row in b for x in row), "no inputs")


def element_negative(x: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(-c for c in x)


@statement("grazzi25.appC1.counting")
def every_modulus(certificates: Certificates) -> None:
    """m = 1, 2, 3, ..., none left out."""
    found = [modulus_of(data) for _, data in certificates]
    require(found == list(range(1, len(found) + 1)) and len(found) >= 8, "every m from 1 to 8 at least")


@statement("new.householder.decoder-margin", "witness", Fields(m=Natural(2, 100), below=Rational(16), above=Rational(16)))
def margin_of_the_polygon(data: Data) -> None:
    """Errors of length ``below`` break no comparison of the m codewords; one of length ``above`` towards the neighbour does (rational intervals).

    The lead of D_t over D_(t+s) is 2 sin^2(pi s/m), and an error of length e takes at most 2 e sin(pi s/m) from it, along D_(t+s) - D_t exactly that.
    """
    m, below, above = natural(data["m"]), number(data["below"]), number(data["above"])
    require(m >= 2 and 0 < below < above <= below * Fraction(101, 100), "m >= 2, and two lengths within one percent")
    sines = [intervals.sin(intervals.times(intervals.pi(), intervals.exact(Fraction(s, m)))) for s in range(1, m)]
    require(all(low > below for low, _ in sines), "the shorter error breaks nothing")
    require(sines[0][1] < above, "the longer one breaks the comparison with the neighbour")


@statement(
    "grazzi25.appC5.zero",
    "gh-product",
    Fields(matrix=Matrix((1, 12), (1, 12), 4), factors=GHFactors((1, 12), 1, 12), low=Rational(4), high=Rational(4), fewest=Truth()),
)
def zero_matrix(data: Data) -> None:
    """The zero matrix as n projections; the rule says that no fewer factors do."""
    m = square(matrix(data["matrix"]))
    require(not any(any(row) for row in m) and number(data["low"]) == number(data["high"]) == 0, "0 as projections")
    require(len(data["factors"]) == len(m) and data["fewest"] is True, "n of them, as few as the rank")


@statement("grazzi25.appC5.zero")
def every_size(certificates: Certificates) -> None:
    """n = 1, 2, 3, ..., none left out."""
    sizes = [len(data["matrix"]) for _, data in certificates]
    require(sizes == list(range(1, len(sizes) + 1)) and len(sizes) >= 5, "every n from 1 to 5 at least")


@statement("grazzi25.appA3", "witness", Fields(function=Items(Natural(0, 3), 1, 4), A=Matrix((1, 4), (1, 4), 4)))
def one_hot_transition(data: Data) -> None:
    """Column q of A is e_f(q); the largest eigenvalue of A A^T is the largest fibre; the norm exceeds 1 unless f is a permutation."""
    f, a = [natural(q) for q in data["function"]], square(matrix(data["A"]))
    n = len(f)
    require(len(a) == n and all(q < n for q in f), "a function of n states")
    require(all(a[i][q] == int(i == f[q]) for i in range(n) for q in range(n)), "the matrix of the function")
    largest = max(f.count(q) for q in range(n))
    gap = minus(scaled(Fraction(largest), one(n)), times(a, transpose(a)))
    require(is_positive_semidefinite(gap) and determinant(gap) == 0, "|A|^2 is the largest fibre")
    require(norm_at_most(a, Fraction(1)) == (sorted(f) == list(range(n))), "the norm exceeds 1 unless f is a permutation")


@statement(
    "new.householder.chunk",
    "witness",
    Fields(keys=Matrix((1, 16), (1, 8), 8), strengths=Vector((1, 16), 8), inverse=Matrix((1, 16), (1, 16), 8)),
)
def chunk_inverse_is_integer_and_bounded(data: Data) -> None:
    """Keys with integer beta_i <k_i, k_j> and 0 < beta_i |k_i|^2 <= 2: (I + A) T = I, T is integer, and |T_ij| <= 2 |k_j| / |k_i|."""
    keys, strengths, inverse_ = matrix(data["keys"]), vector(data["strengths"]), matrix(data["inverse"])
    n = len(keys)
    require(len(strengths) == len(inverse_) == n and all(len(row) == n for row in inverse_), "one strength and one row for each key")
    products = [[strengths[i] * dot(keys[i], keys[j]) for j in range(n)] for i in range(n)]
    require(all(x.denominator == 1 for row in products for x in row), "the hypothesis: every beta_i <k_i, k_j> is an integer")
    require(all(0 < products[i][i] <= 2 for i in range(n)), "the hypothesis: 0 < beta |k|^2 <= 2")
    require(any(products[i][j] for i in range(n) for j in range(i)), "two keys that meet: A is not 0, or its inverse says nothing")
    lower = [[products[i][j] if j < i else Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    require(times(lower, inverse_) == one(n), "T is the inverse of I + A")
    require(all(x.denominator == 1 for row in inverse_ for x in row), "T is integer")
    for i in range(n):
        for j in range(i):
            bound = 4 * dot(keys[j], keys[j])
            require(inverse_[i][j] ** 2 * dot(keys[i], keys[i]) <= bound, "|T_ij| is at most 2 |k_j| / |k_i|")
