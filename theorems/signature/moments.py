"""The overlaps X_IJ = <A_I Y_0, A_J Y_0> / N of states of a random low-rank equation, exactly (movahedi25, Eq. 15, Remarks G.3 and G.4)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from math import prod

import sympy
from flint import fmpq

from ...constructions.signature import (
    Expansion,
    Word,
    dense,
    low_rank,
    overlap_moment,
    overlap_trace,
    squared_error,
    word_pairs,
)
from ...numerics.wick import Gaussian, moment, moment_by_pairings
from ..claim import claim
from ..evidence import Proof

N, R = sympy.symbols("N r", positive=True)


def double_factorial(n: int) -> int:
    """n!! = n (n - 2) (n - 4) ..., 1 for n = 0 and -1."""
    return prod(range(n, 0, -2))


def pairings_of(I: Word, J: Word, copies: int) -> int:
    """How many pairings E[X_IJ^copies] sums over: the W of one letter among themselves, its M, and the Y."""
    uses = Counter(I + J)
    return double_factorial(2 * copies - 1) * prod(
        double_factorial(copies * n - 1) ** 2 if copies * n % 2 == 0 else 0 for n in uses.values()
    )


# -- which pairings survive ------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.propG.2.pairings",
    place="App. G, proof of Proposition G.2",
    title="no pairing gives a positive power of N or r, and only the identity pairing gives N⁰ r⁰",
    says=r"$\mathbb E[X_{IJ}^k]=\sum_\pi N^{-a_\pi}r^{-b_\pi}$ over pairings, with all $a_\pi,b_\pi\ge0$ and, for $k=1$ and $2$, $a_\pi=b_\pi=0$ for the identity pairing alone, which exists iff $I=J$. "
    r"So $\mathbb E[(X_{IJ}-\delta_{IJ})^2]\le\frac{P_{IJ}}{\min(N,r)}$, where $P_{IJ}$ is the number of pairings of two copies.",
    construction="lemmata.constructions.signature.overlap_moment",
    sabotages={
        "all letters share one matrix": {"mixer": lambda letter: low_rank(1)},
        "no word is looked at": {"pairs": lambda total: iter(())},
        "W and M of one letter are the same matrix": {"partner": lambda letter: (low_rank(letter)[0], low_rank(letter)[0].T)},
    },
)
def only_the_identity_survives(proof: Proof, mixer=low_rank, partner=None, pairs=word_pairs) -> None:
    r"""Count the merged index places of a pairing one kind at a time: the printed count of both together leaves $r/N$ possible, for $r\gg N$.

    1. In $k$ copies, with $m=|I|+|J|$, there are $km$ places with an index of size $r$, each between a $W$ and an $M$. A $W$ is paired with another $W$, at another place, so a loop joins two places at least: at most $km/2$ loops, $b\ge0$.
       [checked: "no positive power of N or r"]
    2. There are $k(m+1)$ places with an index of size $N$. Those between an $M$ and a $W$, or an $M$ and $Y$, are joined to others by the same argument; only the $k$ tops, between the last $W$ of $I$ and the last $W$ of $J$,
       can be loops of their own. So there are at most $k+km/2$ loops: $a\ge0$. [checked: "no positive power of N or r in the second moment"]
    3. If $a=b=0$ every top is alone, so its two $W$ are paired; their two places form a loop of size $r$, so their two $M$ are paired, then the next two $W$, and so on down both ladders until the two $Y$ meet: the identity pairing,
       and $I=J$. [checked: "the constant term is delta_IJ"; "the constant term of the second moment is delta_IJ"]
    4. So every term of $\mathbb E[(X_{IJ}-\delta_{IJ})^2]$ carries a factor $1/N$ or $1/r$, and the positive ones number $P_{IJ}$ at most. [checked: "the squared error has no constant term"; "its positive coefficients sum to P at most"; "the coefficients count the pairings"]
    5. Steps 1 to 3 hold for words of every length; the machine goes through all words of the scope. [prose]
    """
    single, double = proof.pick((5, 3), (7, 5), (8, 6))
    mixer = partner or mixer
    for total in proof.every(f"E X_IJ for all words with |I| + |J| <= {single}", range(single + 1)):
        for I, J in pairs(total):
            mean = overlap_moment(I, J, 1, mixer)
            proof.holds("no positive power of N or r", all(a >= 0 and b >= 0 for a, b in mean.terms))
            proof.exactly("the constant term is delta_IJ", mean.constant, int(I == J))
    for total in proof.every(f"E X_IJ^2 for all words with |I| + |J| <= {double}", range(double + 1)):
        for I, J in pairs(total):
            second = overlap_moment(I, J, 2, mixer)
            proof.holds("no positive power of N or r in the second moment", all(a >= 0 and b >= 0 for a, b in second.terms))
            proof.exactly("the constant term of the second moment is delta_IJ", second.constant, int(I == J))
            proof.exactly("the coefficients count the pairings", second.total, pairings_of(I, J, 2))
            error = squared_error(I, J)
            proof.exactly("the squared error has no constant term", error.constant, 0)
            if total <= 2:
                proof.exactly("it does not depend on the order of the words", squared_error(J, I).terms, error.terms)
            together = second.total + (1 - 2 * overlap_moment(I, J, 1, mixer).total if I == J else 0)
            proof.exactly("the squared error is E X^2 - 2 E X + 1, or E X^2, at N = r = 1", error.total, together)
            proof.holds("its positive coefficients sum to P at most", sum(c for c in error.terms.values() if c > 0) <= pairings_of(I, J, 2))
    for total in range(4):
        for I, J in word_pairs(total):
            certify(proof, f"the mean for {I}, {J}", I, J)
            if total <= 2:
                certify(proof, f"the second moment for {I}, {J}", I, J, 2)


@claim(
    "movahedi25.eq15",
    place="App. G, Eq. 15",
    title="the L2 error of an overlap is at most (4(|I| + |J|))!! over the root of min(N, r); already (2(|I| + |J|))!! does",
    says=r"$\|\tfrac1N\langle A_IY_0,A_JY_0\rangle-\delta_{IJ}\|_{L^2}\le(\kappa(|I|+|J|))!!\,\min(N,r)^{-1/2}$ with $\kappa=4$, and with $\kappa=2$, for all words that are not both empty; $\sqrt{2/N}$ if both are.",
    reading="W and M independent for different letters; o(1) = c min(N, r)^(-1/2), which for two empty words needs c = sqrt 2",
    sabotages={
        "a rate of 1/min(N, r)": {"rate": lambda s: fmpq(1, s * s)},
        "kappa = 1": {"kappa": 1},
        "no word is looked at": {"pairs": lambda total: iter(())},
    },
)
def overlaps_converge(proof: Proof, kappa: int = 2, rate=lambda s: fmpq(1, s), pairs=word_pairs) -> None:
    r"""Every surviving pairing costs a factor $1/\min(N,r)$, and there are few enough pairings.

    1. $\mathbb E[(X_{IJ}-\delta_{IJ})^2]\le P_{IJ}/\min(N,r)$. [uses: movahedi25.propG.2.pairings]
    2. $P_{IJ}<((2m)!!)^2\le((4m)!!)^2$ for $m=|I|+|J|\ge1$. [uses: movahedi25.propG.2.count.amended]
    3. The exact errors, for all words up to a length, obey the bound with $\kappa=2$. [checked: "the exact squared error is at most ((2m)!!)^2 / min(N, r)"]
    4. For two empty words $X=|Y_0|^2/N$ has variance $2/N$. [checked: "the empty words"]
    """
    most = proof.pick(2, 4, 5)
    for total in proof.every(f"all words with |I| + |J| <= {most}, N and r among 1, 2, 5, 100", range(1, most + 1)):
        proof.holds("there are words of every length", bool(list(pairs(total))))
        for I, J in pairs(total):
            error = squared_error(I, J)
            within = [
                error.at(n, r) <= double_factorial(kappa * total) ** 2 * rate(min(n, r)) for n, r in product((1, 2, 5, 100), repeat=2)
            ]
            proof.holds("the exact squared error is at most ((2m)!!)^2 / min(N, r)", all(within))
    proof.symbolically("the empty words", _by_symbols(squared_error((), ())), 2 / N, free="N")
    for total in range(3):
        for I, J in word_pairs(total):
            certify(proof, f"the mean for {I}, {J}", I, J)
            certify(proof, f"the second moment for {I}, {J}", I, J, 2)


@claim(
    "movahedi25.propG.2.count",
    place="App. G, proof of Proposition G.2, last paragraph",
    of="movahedi25.eq15",
    flaw="misprint",
    quotes=(r"Since the total number of admissible pairings of $G_{I,J} \sqcup G_{I,J}$ is (4(|I| + |J|))!!",),
    title="the pairings of two copies are said to number (4(|I| + |J|))!!, which is an upper bound only",
    says=r"$G_{I,J}\sqcup G_{I,J}$ has $(4(|I|+|J|))!!$ admissible pairings.",
    reading="pairings of equal matrices with each other, with or without the three pairings of the four Y_0",
    letter="The number of admissible pairings is not (4(|I| + |J|))!!; 'is at most' is meant. It is 3 prod_i ((2 m_i - 1)!!)^2, with m_i the uses of letter i. "
    "Then (15) holds with kappa = 2 already.",
    sabotages={"only an upper bound is claimed": {"wrong": lambda counts, printed: min(counts) > printed}},
)
def number_of_pairings(proof: Proof, wrong=lambda counts, printed: printed not in counts) -> None:
    """For I = (1) and J empty there are two W, two M and four Y: 1 * 1 * 3 pairings, not 4!! = 8. As an upper bound the number is right."""

    def counts(pair):
        I, J = pair
        enumerated = sum(moment_by_pairings(*[overlap_trace(I, J)] * 2).values())
        return enumerated, enumerated // 3

    candidates = [pair for total in range(1, 3) for pair in word_pairs(total)]
    found = proof.smallest("|I| + |J|, then I", candidates, lambda c: wrong(counts(c), double_factorial(4 * (len(c[0]) + len(c[1])))))
    if found:
        (I, J), _ = found
        total, printed = counts((I, J)), double_factorial(4 * (len(I) + len(J)))
        proof.counterexample(
            given={"I": I, "J": J, "pairings": total[0], "without those of Y_0": total[1], "printed": printed},
            words={"enumerated": total[0] == pairings_of(I, J, 2), "neither": printed not in total},
            minimal=f"|I| + |J| = {len(I) + len(J)}",
        )
        proof.certificate("witness", "two words", I=I, J=J)


@claim(
    "movahedi25.propG.2.count.amended",
    place="App. G, proof of Proposition G.2, last paragraph",
    amends="movahedi25.propG.2.count",
    title="the pairings of two copies number 3 ∏ ((2 mᵢ − 1)!!)², mᵢ the uses of letter i: less than ((2m)!!)²",
    says=r"$P_{IJ}=3\prod_i((2m_i-1)!!)^2\le3((2m-1)!!)^2<((2m)!!)^2$ for $m=|I|+|J|\ge1$ and $m_i$ the uses of letter $i$.",
    sabotages={
        "W may be paired with M": {"count": lambda I, J, copies: double_factorial(2 * copies * (len(I) + len(J)) - 1) * 3},
        "a factor of 2 less": {"factor": 4},
    },
)
def exact_number_of_pairings(proof: Proof, count=pairings_of, factor: int = 1) -> None:
    r"""$2n$ things have $(2n-1)!!$ pairings, and there are $2m_i$ of $W^i$ and of $M^i$ and four $Y$.

    1. Equal matrices are paired among themselves: $3\prod_i((2m_i-1)!!)^2$; all of them are enumerated. [checked: "their number"]
    2. $(2a-1)!!\,(2b-1)!!\le(2a+2b-1)!!$, since the left side counts pairings that keep two groups apart. [prose]
    3. $((2m-1)!!)^2/((2m)!!)^2$ falls with $m$, and is $1/4$ at $m=1$: $3/4<1$. [checked: "the quotient of (2m - 1)!!/(2m)!!"; "3 ((2m - 1)!!)^2 < ((2m)!!)^2 at m = 1"]
    """
    most = proof.pick(2, 3, 4)
    for total in proof.every(f"all words with |I| + |J| <= {most}, all pairings", range(1, most + 1)):
        proof.holds("there are words of every length", bool(list(word_pairs(total))))
        for I, J in word_pairs(total):
            proof.exactly("their number", sum(moment_by_pairings(*[overlap_trace(I, J)] * 2).values()), count(I, J, 2))
            if total <= 2:
                certify(proof, f"all pairings for {I}, {J}", I, J, 2)
    m = sympy.symbols("m", positive=True)
    proof.symbolically(
        "the quotient of (2m - 1)!!/(2m)!! for m + 1 and m is below 1", 1 - (2 * m + 1) / (2 * m + 2), 1 / (2 * m + 2), free="m"
    )
    proof.holds("3 ((2m - 1)!!)^2 < ((2m)!!)^2 at m = 1", 3 * factor * double_factorial(1) ** 2 < double_factorial(2) ** 2)


# -- formulas --------------------------------------------------------------------------------------------------------------


def certify(proof: Proof, title: str, I: Word, J: Word, copies: int = 1) -> None:
    """Keeps the exact moment for ``lemmata recheck``, which goes through all pairings."""
    terms = sorted([a, b, count] for (a, b), count in overlap_moment(I, J, copies).terms.items())
    proof.certificate("overlap-moment", title, I=I, J=J, copies=copies, terms=terms)


def _by_symbols(error: Expansion) -> sympy.Expr:
    return sympy.expand(error.in_symbols(N, R))


@claim(
    "new.signature.distinct",
    place="after movahedi25, Eq. 15",
    title="for a word of n different letters the squared L2 error is exactly (1 + 2/N)ⁿ⁺¹ (1 + 2/r)ⁿ − 1",
    says=r"For $I=J$ with $n$ different letters, $\mathbb E[(X_{II}-1)^2]=(1+\frac2N)^{n+1}(1+\frac2r)^n-1\ge\frac{2n}r$: at bounded $r$ it does not vanish, and grows exponentially in $n$.",
    known="Elementary, by conditioning; the exponential growth with the length at fixed width is the known behaviour of products of Gaussian matrices.",
    sabotages={
        "third moments for fourth": {"power": 3},
        "the rank counts as N": {"rows": lambda N, r: (N, N)},
        "two letters at once": {"letters": 2},
    },
)
def different_letters(proof: Proof, power: int = 4, rows=lambda N, r: (r, N), letters: int = 1) -> None:
    r"""Every new letter meets a state that is independent of it, so it multiplies the fourth moment of the norm by a factor.

    1. For independent Gaussians $\mathbb Eg^2=1$, $\mathbb Eg^4=3$; and if $x$, $y$ are independent and symmetric with $\mathbb Ex^4=3(\mathbb Ex^2)^2$, $\mathbb Ey^4=3(\mathbb Ey^2)^2$, so is $x+y$: by induction an entry of $Zv$, $v$ fixed, has second
       moment $|v|^2$ and fourth $3|v|^4$. [checked: "E g^4 = 3"; "sums of two keep the relation"] [prose]
    2. The $n$ entries of $Zv$ are independent: $\mathbb E|Zv|^4=|v|^4(3n+n(n-1))=n(n+2)|v|^4$. [checked: "E |Zv|^4 / |v|^4"] [prose]
    3. A letter applies $M'$ with $r$ rows and $W$ with $N$, and $1/(Nr)$ in the square: it multiplies $\mathbb E|Y|^4$ by $(1+2/r)(1+2/N)$, and $\mathbb E|Y|^2$ by $1$; $\mathbb E|Y_0|^4=N^2(1+2/N)$. [checked: "a letter multiplies E |Y|^4 by"; "a letter multiplies E |Y|^2 by"; "the start"] [prose]
    4. Induction: if the value is $(1+2/N)^{n+1}(1+2/r)^n$ for $n$ letters, it is so for $n+1$; at $n=0$ it is $1+2/N$. With $\mathbb EX=1$ the error is that minus $1$. [checked: "one letter more"; "no letter"] [prose]
    5. $(1+2/N)^{n+1}(1+2/r)^n\ge(1+2/r)^n\ge1+2n/r$, by induction: $(1+u)(1+nu)-(1+(n+1)u)=nu^2\ge0$. [checked: "Bernoulli's step"] [prose]
    """
    s = sympy.symbols("s", positive=True)
    g = sympy.integrate(s**power * sympy.exp(-(s**2) / 2), (s, -sympy.oo, sympy.oo)) / sympy.sqrt(2 * sympy.pi)
    proof.symbolically("E g^4 = 3", g, 3, free="nothing")
    x, y, n, u = sympy.symbols("x y n u", positive=True)
    proof.symbolically("sums of two keep the relation", 3 * x**2 + 6 * x * y + 3 * y**2, 3 * (x + y) ** 2, free="E x^2, E y^2")
    proof.symbolically("E |Zv|^4 / |v|^4", n * g + n * (n - 1), n * (n + 2), free="n")
    inner, outer = rows(N, R)
    factor = inner * (inner + 2) * outer * (outer + 2) / (N * R) ** 2
    proof.symbolically("a letter multiplies E |Y|^4 by", factor, (1 + 2 / N) * (1 + 2 / R), free="N, r")
    proof.symbolically("a letter multiplies E |Y|^2 by", inner * outer / (N * R), 1, free="N, r")
    value = lambda k: (1 + 2 / N) ** (k + 1) * (1 + 2 / R) ** k  # noqa: E731
    proof.symbolically("the start", N * (N + 2) / N**2, value(0), free="N")
    proof.symbolically("no letter", _by_symbols(squared_error((), ())), sympy.expand(value(0) - 1), free="N")
    proof.symbolically(
        "one letter more", sympy.expand_power_exp(value(n + letters)), sympy.expand_power_exp(value(n)) * factor, free="n, N, r"
    )
    proof.symbolically("Bernoulli's step", (1 + u) * (1 + n * u) - (1 + (n + 1) * u), n * u**2, free="n, u")
    for k in range(3):
        certify(proof, f"second moment for {k} letters", tuple(range(1, k + 1)), tuple(range(1, k + 1)), 2)


def limit_at_rank(I: Word, J: Word, name=lambda before, after: f"G{after},{before}") -> dict[int, int]:
    """{b: c}: the limit of E X_IJ for N -> infinity at fixed r is sum c r^-b, by r x r matrices.

    W^i'W^j / N becomes the identity for i = j and 0 otherwise, and each M^i'W^j / sqrt N its own r x r Gaussian matrix, M^i'Y / sqrt N its own vector.
    """
    if not I or not J:
        return {0: 1} if I == J else {}
    if I[-1] != J[-1]:
        return {}

    def state(word: Word) -> tuple[Gaussian, ...]:
        steps = [Gaussian(name(before, after), "r", "r") for before, after in pairwise(word)]
        return (*reversed(steps), Gaussian(f"z{word[0]}", "r", "1"))

    half = (len(I) + len(J)) // 2
    counts = moment((*(x.T for x in reversed(state(I))), *state(J)))
    return {half - m.count("r"): c for m, c in counts.items()}


@claim(
    "movahedi25.rmkG.4",
    place="Remark G.4, Figure 9",
    title="at bounded rank overlaps have another limit than with dense matrices: 12 against 1112, and A₁ Y against A₁³ Y",
    says=r"For $N\to\infty$ at fixed $r$ the means of $\tfrac1N\langle A_IY_0,A_JY_0\rangle$ for $I=12$, $J=1112$ (Figure 9) and for $I=1$, $J=111$ tend to $\frac1r$; for dense Gaussian matrices both tend to $0$. Exactly, "
    r"$\mathbb E[\tfrac1N\langle A_1Y_0,A_1^3Y_0\rangle]=\frac1r+\frac2N+\frac2{Nr}+\frac1{N^2}+\frac3{N^2r}$, and $\frac2N+\frac1{N^2}$ for dense ones.",
    reading="the words of Figure 9 by its caption; the drawing is not in the text. 'Lost symmetries' as limits of means that are not delta_IJ",
    sabotages={
        "different letters": {"words": ((1,), (1, 2, 1))},
        "the figure's words with one letter exchanged": {"drawn": ((1, 2), (1, 1, 2, 2))},
    },
)
def symmetries_are_lost(proof: Proof, words=((1,), (1, 1, 1)), drawn=((1, 2), (1, 1, 1, 2))) -> None:
    r"""$M'W/\sqrt N$ is an $r\times r$ Gaussian matrix $G$ in the limit, and $\mathbb E\operatorname{tr}(GG)/r^2=1/r$: a small random matrix and its powers are not orthogonal.

    1. Both means are polynomials in $1/N$ and $1/r$, the sums over all pairings, by Isserlis' theorem. [checked: "the mean"; "the mean for Figure 9, by all pairings"] [prose]
    2. At $1/N=0$ they are $1/r$. [checked: "its limit for N -> infinity"; "the limit for Figure 9"]
    3. With one $N\times N$ Gaussian matrix per letter they tend to $0$. [checked: "dense matrices"; "the limit of dense matrices"; "dense matrices, Figure 9"]
    """
    formula = 1 / R + 2 / N + 2 / (N * R) + 1 / N**2 + 3 / (N**2 * R)
    low, full = (_by_symbols(overlap_moment(words[0], words[1], 1, mixer)) for mixer in (low_rank, dense))
    proof.symbolically("the mean", low, sympy.expand(formula), free="N, r")
    proof.symbolically("its limit for N -> infinity", sympy.limit(low, N, sympy.oo), 1 / R, free="r")
    proof.symbolically("dense matrices", full, 2 / N + 1 / N**2, free="N")
    proof.symbolically("the limit of dense matrices", sympy.limit(full, N, sympy.oo), 0, free="nothing")
    low, full = (_by_symbols(overlap_moment(drawn[0], drawn[1], 1, mixer)) for mixer in (low_rank, dense))
    counted = moment_by_pairings(overlap_trace(*drawn))
    half = (len(drawn[0]) + len(drawn[1])) // 2
    pairwise_sum = sympy.Add(*(c * N ** (m.count("N") - 1 - half) * R ** (m.count("r") - half) for m, c in counted.items()))
    proof.symbolically("the mean for Figure 9, by all pairings", low, sympy.expand(pairwise_sum), free="N, r")
    proof.symbolically("the limit for Figure 9", sympy.limit(low, N, sympy.oo), 1 / R, free="r")
    proof.symbolically("dense matrices, Figure 9", sympy.limit(full, N, sympy.oo), 0, free="nothing")
    certify(proof, "the mean for 1 and 111", *words)
    certify(proof, "the mean for 12 and 1112", *drawn)
    proof.exhibit("mean for I = 12, J = 1112", in_N_and_r=str(low), dense=str(full))


@claim(
    "new.signature.fixed-rank",
    place="after movahedi25, Remark G.4",
    title="at fixed rank r the mean overlaps tend to those of products of r x r Gaussian matrices, one for each pair of letters",
    says=r"For $N\to\infty$ at fixed $r$, $\mathbb E[\tfrac1N\langle A_IY_0,A_JY_0\rangle]$ tends to $0$ if the last letters differ or one word is empty, and else to $\mathbb E\langle G_Iz,G_Jz'\rangle/r^{(|I|+|J|)/2}$, with an independent $r\times r$ Gaussian matrix for "
    r"each pair of neighbouring letters and a Gaussian vector for each first letter. No pair of words $I\ne J$ with $|I|+|J|<4$ has a limit other than $0$.",
    known="The reduction of W'W/N to the identity and of M'W/sqrt N to an independent Gaussian matrix is the standard large-N limit at fixed rank (law of large numbers, central limit theorem).",
    sabotages={
        "one matrix for all pairs of letters": {"name": lambda before, after: "G"},
        "no word is looked at": {"pairs": lambda total: iter(())},
    },
)
def small_matrices_remain(proof: Proof, name=lambda before, after: f"G{after},{before}", pairs=word_pairs) -> None:
    r"""The inner products between neighbours settle first, at rank $r$.

    1. $W^{i\prime}W^j/N\to\delta_{ij}I_r$, so the last letters must agree. [prose]
    2. $M^{i\prime}W^j/\sqrt N$ tends in law to an $r\times r$ Gaussian matrix, independent for different pairs $(i,j)$, and $M^{i\prime}Y_0/\sqrt N$ to a Gaussian vector. [prose]
    3. The exact means, by the loop equations, agree at $1/N=0$ with those of the small matrices, for all words up to a length. [checked: "the limit is a mean of r x r matrices"]
    4. No shorter pair of different words has a limit. [checked: "no shorter pair has another limit than dense matrices"] [uses: movahedi25.rmkG.4]
    """
    most = proof.pick(4, 6, 7)
    for total in proof.every(f"all words with |I| + |J| <= {most}", range(most + 1)):
        for I, J in pairs(total):
            limit = {b: c for (a, b), c in overlap_moment(I, J).terms.items() if a == 0}
            proof.exactly("the limit is a mean of r x r matrices", limit, limit_at_rank(I, J, name))
            if I != J:
                proof.holds("no shorter pair has another limit than dense matrices", total >= 4 or not limit)
            if total == 4 and limit:
                certify(proof, f"the mean for {I}, {J}", I, J)


# -- the product graph ----------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.fig8",
    place="Figure 8",
    title="an overlap is its product graph over N (N r)ᵐ, 2m = |I| + |J|; the graph's mean has that order if I = J and less if not",
    says=r"$\frac1N\langle A_IY_0,A_JY_0\rangle=N^{-1}(Nr)^{-(|I|+|J|)/2}\cdot$ (product graph), and the graph's mean is $N(Nr)^{(|I|+|J|)/2}(\delta_{IJ}+O(\tfrac1{\min(N,r)}))$.",
    reading="the exponent (|I| + |J|)/2 of the proof; the formula extracted from the figure has |I| + |J| without the half, which extraction explains",
    sabotages={"the exponent without the half": {"exponent": lambda m: m}, "no word is looked at": {"pairs": lambda total: iter(())}},
)
def scale_of_the_proof(proof: Proof, exponent=lambda m: m // 2, pairs=word_pairs) -> None:
    r"""Each of the $|I|+|J|$ matrices carries $1/\sqrt{Nr}$.

    1. $A^i=W^iM^{i\prime}/\sqrt{Nr}$ occurs $|I|+|J|$ times in $\langle A_IY_0,A_JY_0\rangle$, which gives the scale. [prose]
    2. The graph's mean is the sum over pairings of $N^{\#N}r^{\#r}$; scaled, its constant term is $\delta_{IJ}$ and every other term has a factor $1/N$ or $1/r$. [checked: "the constant term is delta_IJ"; "the rest vanishes"]
    3. For words of every length: [uses: movahedi25.propG.2.pairings]
    """
    most = proof.pick(3, 4, 5)
    for total in proof.every(f"all words with |I| + |J| <= {most}, all pairings", range(most + 1)):
        for I, J in pairs(total):
            power = exponent(total)
            graph = moment_by_pairings(overlap_trace(I, J))
            scaled = Counter({(1 + power - m.count("N"), power - m.count("r")): c for m, c in graph.items()})
            proof.exactly("the constant term is delta_IJ, and no power of N or r is positive", scaled.pop((0, 0), 0), int(I == J))
            proof.holds("the rest vanishes", all(min(a, b) >= 0 and max(a, b) > 0 for a, b in scaled))
            if total <= 3:
                certify(proof, f"the graph for {I}, {J}, scaled", I, J)
