"""Entries whose moments are at most the Gaussian ones: the bound (15) and the rate of Proposition G.2 (movahedi25, after Remark G.3)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import factorial

import sympy
from flint import arb, fmpq

from ...constructions.signature import Word, overlap_moment, word_pairs
from ...numerics.aliases import Exact
from ..claim import claim
from ..evidence import Proof
from .entries import MOMENTS, SIGNS, N, R, moment_by_patterns, second_moment_by_law
from .moments import double_factorial, pairings_of

#: fourth moments of random signs and of the uniform law on [-sqrt 3, sqrt 3]
FOURTH = (fmpq(1), fmpq(9, 5))
SIZES = list(product((1, 2, 5, 40), (1, 2, 5, 40)))


def moment_at(I: Word, J: Word, copies: int, fourth: fmpq) -> dict[tuple[int, int], fmpq]:
    """E[X_IJ^copies] for symmetric entries with this fourth moment, at the sizes ``SIZES``; |I| + |J| <= 4 / copies."""
    found = moment_by_patterns(I, J, copies).subs({MOMENTS[3]: 0, MOMENTS[4]: sympy.Rational(int(fourth.p), int(fourth.q))})
    values: dict[tuple[int, int], Exact] = {(n, r): sympy.Rational(found.subs({N: n, R: r})) for n, r in SIZES}
    return {size: fmpq(int(x.p), int(x.q)) for size, x in values.items()}


@claim(
    "new.signature.below-gaussian",
    place="after movahedi25, Remark G.3",
    title="for symmetric entries with at most Gaussian moments (15) holds, and Proposition G.2 with its rate up to a factor 2",
    says=r"If $W$ and $M$ have i.i.d. symmetric entries of variance 1 with $\mathbb E\xi^{2k}\le(2k-1)!!$ (random signs; uniform on $[-\sqrt3,\sqrt3]$), then $\mathbb E[(X_{IJ}-\delta_{IJ})^2]\le P_{IJ}/\min(N,r)$, so (15) with $\kappa=2$; and "
    r"$|X_{IJ}|\le50^{|I|+|J|+1}$ for all words at once with probability at least $1-2(d^2+3d+1)e^{-1.8s}$, $s=\min(N,r)$: Proposition G.2 with its bound, the second term doubled.",
    reading="Gaussian Y_0",
    known="that nonnegative means make moments of symmetric entries monotone is the comparison behind Khintchine's inequality; nets for sub-Gaussian matrices are in Vershynin, High-Dimensional Probability, Sec. 4.4. "
    "For heavier entries (15) fails (movahedi25.rmkG.3.bound)",
    sabotages={
        "a fourth moment of 10": {"fourths": (fmpq(10),)},
        "4 for 5: the net wins": {"factor": 4},
        "uniform on [-2, 2]": {"uniform": lambda k: fmpq(4**k, 2 * k + 1)},
    },
)
def smaller_moments(proof: Proof, fourths: Sequence[fmpq] = FOURTH, factor: int = 5, uniform=lambda k: fmpq(3**k, 2 * k + 1)) -> None:
    r"""Every monomial has a nonnegative mean that grows with the moments, and the identity pairing alone gives 1 or more.

    1. The mean of a monomial in symmetric entries is 0 or a product of even moments, so it is at most the Gaussian one: $\mathbb E[X_{IJ}^2]\le\mathbb E_G[X_{IJ}^2]$. [checked: "the second moment is at most the Gaussian one"; "signs, all of them"]
    2. The index tuples that the identity pairing of $X_{II}$ allows number $N\,(Nr)^{|I|}$; on them every entry occurs an even number of times, with mean 1 or more as $\mathbb E\xi^{2k}\ge(\mathbb E\xi^2)^k$; all others have mean 0 or more: $\mathbb E[X_{II}]\ge1$.
       [checked: "E X_II is 1 or more"]
    3. So $\mathbb E[(X_{IJ}-\delta_{IJ})^2]\le\mathbb E_G[X_{IJ}^2]-\delta_{IJ}$: the pairings other than the identity, each of which costs a factor of $\min(N,r)$. [uses: movahedi25.propG.2.pairings, movahedi25.propG.2.count.amended]
       [checked: "the squared error is at most P over min(N, r)"]
    4. $\mathbb Ee^{t\xi}=\sum\frac{t^{2k}}{(2k)!}\mathbb E\xi^{2k}\le\sum\frac{t^{2k}}{2^kk!}=e^{t^2/2}$. [checked: "(2k - 1)!!/(2k)! = 1/(2^k k!)"; "the moments of signs and of the uniform law"] So for unit vectors $P(|u^\top Zv|>x)\le2e^{-x^2/2}$, and given $M$
       $P(|u^\top M^\top Wv|>x\|M\|)\le2e^{-x^2/2}$: no rotation is needed. [prose]
    5. With the same nets $P(\|Z\|>5\sqrt S)\le2\cdot9^Se^{-25S/8}\le2e^{-0.9S}$, for the same $d^2+3d+1$ matrices and vectors. [uses: movahedi25.propG.2.tail] [checked: "25/8 - ln 9 >= 0.9"] The rest is the proof of the proposition. [uses: movahedi25.propG.2]
    """
    for total in proof.every("all words with |I| + |J| <= 2 for two copies, N and r among 1, 2, 5, 40", range(3)):
        for (I, J), fourth in product(word_pairs(total), fourths):
            second, mean = moment_at(I, J, 2, fourth), moment_at(I, J, 1, fourth)
            gaussian = overlap_moment(I, J, 2)
            proof.holds("the second moment is at most the Gaussian one", all(second[n, r] <= gaussian.at(n, r) for n, r in SIZES))
            error = {size: second[size] - 2 * mean[size] + 1 if I == J else second[size] for size in SIZES}
            within = all(error[n, r] <= fmpq(pairings_of(I, J, 2), min(n, r)) for n, r in SIZES)
            proof.holds("the squared error is at most P over min(N, r)", within)
    for I in proof.every("E X_II for words of at most two letters", [(), (1,), (1, 1), (1, 2)]):
        proof.holds("E X_II is 1 or more", all(x >= 1 for fourth in fourths for x in moment_at(I, I, 1, fourth).values()))
    for n, r in proof.every("all random signs, (N, r) = (1, 2), (2, 1), (2, 2)", [(1, 2), (2, 1), (2, 2)]):
        signs = second_moment_by_law(n, r, SIGNS)
        proof.holds("signs, all of them", signs <= overlap_moment((1,), (1,), 2).at(n, r))
        proof.certificate("witness", f"N = {n}, r = {r}", N=n, r=r, mean=signs)
    for k in proof.every("moments up to the order 60", range(31)):
        proof.exactly("(2k - 1)!!/(2k)! = 1/(2^k k!)", fmpq(double_factorial(2 * k - 1), factorial(2 * k)), fmpq(1, 2**k * factorial(k)))
        proof.holds("the moments of signs and of the uniform law", bool(max(fmpq(1), uniform(k)) <= double_factorial(2 * k - 1)))
    margin = arb(factor) ** 2 / 8 - arb(9).log()
    proof.certified("25/8 - ln 9 >= 0.9", bool(margin >= arb("0.9")), margin.str(5))
