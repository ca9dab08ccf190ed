"""What the claims of topic signature demand of their certificates."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb, prod
from typing import Any

from ...exact import apply, matrix, natural, number, rank, require, times, transpose, vector
from ...kinds.overlap_moment import joint_pairings, merged
from ...registry import statement
from ...schema import Fields, Items, Matrix, Natural, Rational, Tuple
from ...typed import Certificates, Data, Decided


def double_factorial(n: int) -> int:
    return prod(range(n, 0, -2))


# -- moments of overlaps ---------------------------------------------------------------------------------------------------


def expansion(data: Data) -> tuple[Any, ...]:
    """(I, J, copies, {(a, b): count}) of a certificate of kind ``overlap-moment``."""
    return tuple(data["I"]), tuple(data["J"]), data["copies"], {(a, b): count for a, b, count in data["terms"]}


def number_of_pairings(I: tuple[int, ...], J: tuple[int, ...], copies: int) -> int:
    uses = [copies * (I + J).count(letter) for letter in set(I + J)]
    return double_factorial(2 * copies - 1) * prod(double_factorial(n - 1) ** 2 if n % 2 == 0 else 0 for n in uses)


def patterns(total: int) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All pairs of words with |I| + |J| = total and |I| <= |J|, up to naming the letters in order of first use."""
    joint = [w for w in itertools.product(range(1, total + 1), repeat=total) if all(x <= max((0, *w[:i])) + 1 for i, x in enumerate(w))]
    return {(w[:n], w[n:]) for w in joint for n in range(total // 2 + 1)}


def moment(longest: Any, copies: Any, terms: Any = 20, count: Any = 100) -> Any:
    """Two words of at most so many letters, copies of their overlap, and terms [a, b, count] of its mean."""
    word = Items(Natural(1, longest), 0, longest)
    term = Tuple(Natural(0, 8), Natural(0, 8), Natural(1, count))
    return Fields(I=word, J=word, copies=Natural(1, copies), terms=Items(term, 0, terms))


def identity_alone(data: Data) -> None:
    """No positive power of N or r, and the constant term is delta_IJ."""
    I, J, _, terms = expansion(data)
    require(all(count > 0 for count in terms.values()), "positive coefficients")
    require(terms.get((0, 0), 0) == int(I == J), "the constant term is delta_IJ")


for id, longest in (("movahedi25.propG.2.pairings", 3), ("movahedi25.eq15", 2), ("movahedi25.fig8", 3)):
    statement(id, "overlap-moment", moment(longest, 2))(identity_alone)


@statement("movahedi25.propG.2.pairings")
def all_short_words(certificates: Certificates) -> None:
    found = [expansion(d) for _, d in certificates]
    expected = {(*pair, copies) for total in range(4) for pair in patterns(total) for copies in ((1, 2) if total <= 2 else (1,))}
    require(len(found) == len(expected) and {f[:3] for f in found} == expected, "all words with |I| + |J| <= 3, twice if at most 2")
    require(all(sum(terms.values()) == number_of_pairings(I, J, k) for I, J, k, terms in found), "the coefficients count the pairings")


@statement("movahedi25.eq15")
def bounded_errors(certificates: Certificates) -> None:
    """E (X - delta)^2 <= ((2m)!!)^2 / min(N, r): the positive coefficients, each with a factor 1/N or 1/r at least, sum to no more; 2/N for empty words."""
    moments = {expansion(d)[:3]: expansion(d)[3] for _, d in certificates}
    require(set(moments) == {(*pair, k) for total in range(3) for pair in patterns(total) for k in (1, 2)}, "all words with |I| + |J| <= 2")
    for I, J, copies in moments:
        if copies == 2:
            error = dict(moments[I, J, 2])
            if I == J:
                for key, count in moments[I, J, 1].items():
                    error[key] = error.get(key, 0) - 2 * count
                error[0, 0] = error.get((0, 0), 0) + 1
            require(error.pop((0, 0), 0) == 0, "no constant term")
            bound = double_factorial(2 * (len(I) + len(J))) ** 2 if I + J else 2
            require(sum(c for c in error.values() if c > 0) <= bound, "the coefficients sum to ((2m)!!)^2 at most")


@statement("movahedi25.fig8")
def scaled_graphs(certificates: Certificates) -> None:
    found = [expansion(d)[:3] for _, d in certificates]
    require(
        len(found) == len(set(found)) and set(found) == {(*pair, 1) for total in range(4) for pair in patterns(total)}, "|I| + |J| <= 3"
    )


@statement(
    "movahedi25.propG.2.count",
    "witness",
    Fields(I=Items(Natural(0, 0), 0, 0), J=Items(Natural(1, 1), 1, 1)),
    hypotheses={"enumerated": "every pairing was enumerated"},
    violates={"neither": "neither number is the printed one"},
)
def not_that_many(data: Data) -> Decided:
    """The pairings of two copies number (4m)!!, with or without those of Y_0; both numbers are enumerated."""
    I, J = tuple(natural(x) for x in data["I"]), tuple(natural(x) for x in data["J"])
    m = len(I) + len(J)
    require(1 <= m <= 2, "one or two letters")
    groups = [[(c, i) for c in range(2) for i, x in enumerate(I + J) if x == letter] for letter in set(I + J)]
    matrices = sum(1 for _ in joint_pairings([*groups, *groups]))
    counted = prod(double_factorial(len(group) - 1) for group in [*groups, *groups])
    states = sum(1 for _ in joint_pairings([list(range(4))]))
    return {"enumerated": matrices == counted, "neither": double_factorial(4 * m) not in (matrices, matrices * states)}


@statement(
    "movahedi25.propG.2.count.amended",
    "overlap-moment",
    Fields(
        I=Items(Natural(1, 1), 0, 1),
        J=Items(Natural(1, 2), 1, 2),
        copies=Natural(2, 2),
        terms=Items(Tuple(Natural(0, 8), Natural(0, 8), Natural(1, 100)), 2, 6),
    ),
)
def exact_count(data: Data) -> None:
    """P = 3 prod ((2 m_i - 1)!!)^2 <= 3 ((2m - 1)!!)^2 < ((2m)!!)^2, P the sum of the coefficients."""
    I, J, copies, terms = expansion(data)
    m, total = len(I) + len(J), sum(terms.values())
    require(copies == 2 and m >= 1, "two copies, a letter at least")
    require(total == number_of_pairings(I, J, 2), "the number of pairings")
    require(total <= 3 * double_factorial(2 * m - 1) ** 2 < double_factorial(2 * m) ** 2, "the two bounds")


def product_of_factors(n_power: int, r_power: int) -> dict[tuple[int, int], int]:
    """(1 + 2/N)^n_power (1 + 2/r)^r_power as {(a, b): count}."""
    return {(a, b): comb(n_power, a) * 2**a * comb(r_power, b) * 2**b for a in range(n_power + 1) for b in range(r_power + 1)}


@statement(
    "new.signature.distinct",
    "overlap-moment",
    Fields(
        I=Items(Natural(1, 2), 0, 2),
        J=Items(Natural(1, 2), 0, 2),
        copies=Natural(2, 2),
        terms=Items(Tuple(Natural(0, 8), Natural(0, 8), Natural(1, 100)), 2, 12),
    ),
)
def different_letters(data: Data) -> None:
    I, J, copies, terms = expansion(data)
    n = len(I)
    require(I == J and len(set(I)) == n and copies == 2, "a word of different letters, twice")
    require(terms == product_of_factors(n + 1, n), "(1 + 2/N)^(n+1) (1 + 2/r)^n")


@statement("new.signature.distinct")
def up_to_two(certificates: Certificates) -> None:
    require([len(d["I"]) for _, d in certificates] == [0, 1, 2], "0, 1 and 2 letters")


def dense_limit(I: tuple[int], J: tuple[int, int, int]) -> int:
    """The limit for N -> infinity of the mean overlap with one N x N Gaussian matrix per letter, divided by sqrt N: pairings that cost no factor of N."""
    places, kinds = set(), {}
    for side, word in enumerate((I, J)):
        at = [(side, k) if k < len(word) else "top" for k in range(len(word) + 1)]
        places.update(at)
        kinds.setdefault("Y", []).append((at[0], None))
        for k, letter in enumerate(word):
            kinds.setdefault(letter, []).append((at[k], at[k + 1]))
    full = 1 + (len(I) + len(J)) // 2
    pairings = joint_pairings(list(kinds.values()))
    return sum(merged(places, [ends for x, y in pairing for ends in zip(x, y, strict=True) if ends[0]]) == full for pairing in pairings)


def limit_at_rank(terms: dict[tuple[int, int], int]) -> dict[int, int]:
    return {b: count for (a, b), count in terms.items() if a == 0}


@statement(
    "movahedi25.rmkG.4",
    "overlap-moment",
    Fields(
        I=Items(Natural(1, 2), 1, 2),
        J=Items(Natural(1, 2), 3, 4),
        copies=Natural(1, 1),
        terms=Items(Tuple(Natural(0, 8), Natural(0, 8), Natural(1, 100)), 5, 5),
    ),
)
def another_limit(data: Data) -> None:
    """For N -> infinity the mean is 1/r at fixed r, and 0 with dense matrices."""
    I, J, copies, terms = expansion(data)
    require((I, J) in (((1,), (1, 1, 1)), ((1, 2), (1, 1, 1, 2))) and copies == 1, "1 and 111, or 12 and 1112")
    require(limit_at_rank(terms) == {1: 1}, "the limit is 1/r")
    require(dense_limit(I, J) == 0, "the limit with dense matrices is 0")


@statement("movahedi25.rmkG.4")
def both_pairs(certificates: Certificates) -> None:
    require([len(d["J"]) for _, d in certificates] == [3, 4], "1 and 111, and 12 and 1112")


@statement(
    "new.signature.fixed-rank",
    "overlap-moment",
    Fields(
        I=Items(Natural(1, 2), 1, 2),
        J=Items(Natural(1, 2), 2, 3),
        copies=Natural(1, 1),
        terms=Items(Tuple(Natural(0, 8), Natural(0, 8), Natural(1, 100)), 1, 5),
    ),
)
def small_matrices(data: Data) -> None:
    """At fixed rank the limit is E <G_I z, G_J z'> / r^2 for words of four letters in all, by pairing r x r matrices, one for each two neighbours."""
    I, J, copies, terms = expansion(data)
    require(I and J and len(I) + len(J) == 4 and copies == 1 and I[-1] == J[-1], "four letters in all, the last ones equal")
    places, kinds = set(), {}
    for side, word in enumerate((I, J)):
        at = [(side, k) if k + 1 < len(word) else "top" for k in range(len(word))]
        places.update(at)
        kinds.setdefault(("z", word[0]), []).append((at[0], None))
        for k in range(len(word) - 1):
            kinds.setdefault((word[k], word[k + 1]), []).append((at[k], at[k + 1]))
    found = {}
    if all(len(uses) % 2 == 0 for uses in kinds.values()):
        for pairing in joint_pairings(list(kinds.values())):
            b = 2 - merged(places, [ends for x, y in pairing for ends in zip(x, y, strict=True) if ends[0]])
            found[b] = found.get(b, 0) + 1
    require(found and found == limit_at_rank(terms), "the limit is that of small matrices, and not 0")


# -- other entries ---------------------------------------------------------------------------------------------------------


@statement(
    "movahedi25.rmkG.3.bound",
    "witness",
    Fields(size=Natural(1, 1000), kappa=Natural(1, 20), n=Natural(4, 55), constant=Natural(1000000, 1000000)),
    hypotheses={"variance": "the variance is 1"},
    violates={"fails": "the bound fails for c_N = 10^6, N = r = 1, 10, 1000 and kappa = 1, 2, 4, 20"},
)
def beyond_the_bound(data: Data) -> Decided:
    """(15) with c_N = ``constant``; refuted by entries with E xi^2k = 2^(k(k-1)) and I = J = 1^n: |X| >= the root of one monomial's mean, less 1 for delta."""
    size, kappa, n, constant = *(natural(data[k]) for k in ("size", "kappa", "n")), natural(data["constant"], 10**6)
    require(min(size, kappa, n, constant) >= 1 and n <= 2000 and kappa <= 100, "a word, sizes and constants of moderate size")

    def even_moment(k: int) -> int:
        return 2 ** (k * (k - 1))

    # every W and M entry of one row and column occurs 4 n times in two copies, Y four times: its mean, over N^2 (N r)^(2n)
    below = Fraction(3 * even_moment(2 * n) ** 2, size ** (2 + 4 * n))
    return {"variance": even_moment(1) == 1, "fails": below > (constant * double_factorial(2 * kappa * n) + 1) ** 2}


@statement("movahedi25.rmkG.3.bound")
def many_constants(certificates: Certificates) -> None:
    found = {(d["size"], d["kappa"]) for _, d in certificates}
    require(found == set(itertools.product((1, 10, 1000), (1, 2, 4, 20))), "N = r = 1, 10, 1000 and kappa = 1, 2, 4, 20")


@statement("movahedi25.rmkG.3.amended", "witness", Fields(N=Natural(1, 2), r=Natural(1, 2), law=Matrix(2, 2, 4), mean=Rational(8)))
def all_matrices(data: Data) -> None:
    """E X_11^2 over all matrices with entries of a law of mean 0 and variance 1 is the formula with the law's fourth moment."""
    n, r, mean = natural(data["N"]), natural(data["r"]), number(data["mean"])
    law = [vector(x) for x in data["law"]]
    require(1 <= n * r <= 4 and len(law) == 2 and all(w > 0 for _, w in law), "few entries, of two values")
    means = [sum(w * v**k for v, w in law) for k in range(3)]
    require(means == [1, 0, 1], "probabilities, mean 0 and variance 1")
    total = Fraction(0)
    for draw in itertools.product(law, repeat=2 * n * r):
        entries = [v for v, _ in draw]
        w = [entries[i * r : (i + 1) * r] for i in range(n)]
        m = [entries[n * r + i * r : n * r + (i + 1) * r] for i in range(n)]
        b = times(times(m, times(transpose(w), w)), transpose(m))
        square = times(b, b)
        # over Y: E (Y' B Y)^2 = (tr B)^2 + 2 tr B^2
        total += prod(p for _, p in draw) * (sum(b[i][i] for i in range(n)) ** 2 + 2 * sum(square[i][i] for i in range(n)))
    q, norm, fourth = sum(w * v**4 for v, w in law), Fraction(n * (n + 2)), Fraction(3 * n)
    for rows in (r, n):
        norm, fourth = rows * (rows + 2) * norm + rows * (q - 3) * fourth, rows * (3 * norm + (q - 3) * fourth)
    require(total / (n**4 * r**2) == mean == norm / (n**4 * r**2), "the mean over all matrices is the formula")


@statement("movahedi25.rmkG.3.amended")
def symmetric_and_not(certificates: Certificates) -> None:
    thirds = {sum(w * v**3 for v, w in map(vector, d["law"])) == 0 for _, d in certificates}
    require(thirds == {True, False}, "a symmetric law, and one that is not")


@statement("new.signature.below-gaussian", "witness", Fields(N=Natural(1, 2), r=Natural(1, 2), mean=Rational(4)))
def below_gaussian(data: Data) -> None:
    """For random signs E X_11^2, over all of them, is at most the Gaussian (1 + 2/N)^2 (1 + 2/r), and the squared error at most 27 / min(N, r), as E X_11 = 1."""
    n, r, mean = natural(data["N"]), natural(data["r"]), number(data["mean"])
    all_matrices({"N": n, "r": r, "mean": str(mean), "law": [[1, "1/2"], [-1, "1/2"]]})
    require(mean <= (1 + Fraction(2, n)) ** 2 * (1 + Fraction(2, r)) and mean - 1 <= Fraction(27, min(n, r)), "at most the Gaussian one")


# -- Proposition G.2 -------------------------------------------------------------------------------------------------------


@statement(
    "movahedi25.propG.2.series",
    "witness",
    Fields(kappa=Natural(4, 4), x=Rational(8), growing_from=Natural(1, 63)),
    hypotheses={"quotients": "the quotients of the double factorials for n < 20"},
    violates={"diverges": "the quotient tends to infinity for every x > 0"},
)
def cannot_be_summed(data: Data) -> Decided:
    """Terms x^n/n! (4n)!! are summable; refuted for x > 0: their quotients, (4n+2)(4n+4) x/(n+1) = 4 (4n+2) x, are at least 1 from some n on, and rise."""
    x, start = number(data["x"]), natural(data["growing_from"])
    require(data["kappa"] == 4 and start <= 10_000, "kappa = 4")
    quotients = all(double_factorial(4 * (n + 1)) == double_factorial(4 * n) * (4 * n + 2) * (4 * n + 4) for n in range(20))
    return {"quotients": quotients, "diverges": x > 0 and 4 * (4 * start + 2) * x >= 1}


#: words of so many letters of d are read from paths of length L; for min(N, r) = s long words are those of more than ``after`` letters
SIZE = Fields(
    length=Natural(1, 2),
    d=Natural(1, 2),
    L=Rational(4),
    s=Rational(1000),
    tolerance=Rational(8),
    failure=Rational(8),
    after=Natural(101, 1000),
)


@statement("movahedi25.propG.2", "witness", SIZE)
def sufficient_size(data: Data) -> None:
    """The bound of Proposition G.2 for min(N, r) = s, summed term by term, is at most the probability of failure."""
    length, d, after = (natural(data[k]) for k in ("length", "d", "after"))
    L, s, tolerance, failure = (number(data[k]) for k in ("L", "s", "tolerance", "failure"))
    require(
        d >= 1 and L >= 1 and s >= 1 == s.denominator and 0 < tolerance <= Fraction(1, 10) and 0 < failure <= Fraction(1, 10),
        "a statement that says something",
    )
    require(after <= 5000, "moderately many words")
    weight, term = Fraction(1), Fraction(50) ** (length + 1)
    mean, tail = Fraction(double_factorial(2 * length - 1)), Fraction(0)
    for n in range(1, after + 60):
        weight, term = weight * d * L / n, term * 50 * L / n
        if n <= after:
            mean += weight * double_factorial(2 * (length + n) - 1)
        else:
            tail += term
    # terms fall by half from there on, so the rest is no more than the last one
    require(50 * L / (after + 60) <= Fraction(1, 2) and tail + term <= tolerance / 2, "long words take half of the tolerance at most")
    room = failure - Fraction(d * d + 3 * d + 1) / (1 + Fraction(9, 5) * s)
    require(room > 0 and (2 / tolerance) ** 2 * 3 * mean**2 <= room**2 * s, "the bound is at most the probability of failure")


statement("movahedi25.thmD.1", "witness", SIZE)(sufficient_size)
statement("new.signature.any-rate", "witness", SIZE)(sufficient_size)


@statement("movahedi25.thmD.1")
def three_tolerances(certificates: Certificates) -> None:
    require([number(d["tolerance"]) for _, d in certificates] == [Fraction(1, 10**k) for k in (1, 2, 4)], "three tolerances")


@statement(
    "new.signature.bounded-rank", "witness", Fields(r=Natural(1, 2), A=Items(Matrix((3, 6), (3, 6), 4), 1, 2), Y=Matrix((3, 6), 1, 4))
)
def few_dimensions(data: Data) -> None:
    """Matrices of rank at most r: the states span at most 1 + r d dimensions, for words of any length, and no fewer here."""
    matrices, y, r = [matrix(a) for a in data["A"]], matrix(data["Y"]), natural(data["r"])
    require(r >= 1 and all(rank(a) <= r for a in matrices), "ranks of at most r")
    require(len(y) > 1 + r * len(matrices), "more dimensions than that")
    span = [[row[0] for row in y]]
    for v in span:
        for a in matrices:
            new = apply(a, v)
            if rank([*span, new]) > len(span):
                span.append(new)
    require(rank(span) == len(span) == 1 + r * len(matrices), "the span of all states has 1 + r d dimensions")
