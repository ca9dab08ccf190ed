"""How long layers of isometries track under unbiased stochastic rounding, when they never stop, and what rounding to nearest corrects."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import sympy
from flint import fmpq

from ...constructions import quaternions
from ...constructions.automata.layers.groups import even_permutations_as_rotations
from ...constructions.automata.rounding.stochastic import error_moments, rounded_vectors, wrong_share
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof

TURN = exact.rationals([[fmpq(3, 5), fmpq(-4, 5)], [fmpq(4, 5), fmpq(3, 5)]])
#: a rotation of order 3 in an oblique basis, and the form that it keeps
THIRD, OBLIQUE = exact.rationals([[0, -1], [1, -1]]), exact.rationals([[2, -1], [-1, 2]])


def fourth_power(a: Any, p: Any, q: Any) -> Any:
    """|e + xi|^4 with a = |e|^2, p = <e, xi>, q = |xi|^2."""
    return (a + 2 * p + q) ** 2


def small_walks() -> dict[str, tuple[list[Array], Array, fmpq, Array]]:
    """Maps, start, unit and form: a rational rotation, the same beside a sign, and a skewed one of order 3 off the grid."""
    start = exact.rationals([[1], [fmpq(1, 2)]])
    twice = exact.block_diagonal([TURN, exact.rationals([[-1]])])
    half = exact.rationals([[1, fmpq(1, 2)], [0, 1]])
    oblique = half @ THIRD @ exact.inverse(half)
    form = exact.inverse(half).T @ OBLIQUE @ exact.inverse(half)
    return {
        "a rotation": ([TURN, TURN.T], start, fmpq(1, 2), exact.identity(2)),
        "a rotation beside a sign": ([twice, twice.T], exact.rationals([[1], [0], [1]]), fmpq(1, 2), exact.identity(3)),
        "an oblique rotation of order 3": ([oblique, oblique @ oblique], exact.rationals([[1], [2]]), fmpq(1), form),
    }


@claim(
    "new.automata.horizon",
    place="after grazzi25 Theorem 3",
    title="unbiased stochastic rounding ends tracking by isometries after order (margin/u)² letters, if what is read is rounded",
    says=r"Let all $A(x)$ keep an inner product, and let the state be rounded after each step with an error $\xi_t$ of conditional mean $0$. Let $\Pi$ be an orthogonal projection that commutes with all $A(x)$, what the decoder reads, with $|\Pi\xi_t|\le b$ and $e_t$ the error of the state. Let $\mathbb E(|\Pi\xi_t|^2\mid\text{past})\ge c$ for at least $\rho t$ of the first $t$ steps, for all $t$. "
    r"Then $|\Pi e|$ exceeds $m$ for the first time after at most $(m+b)^2/(\rho c)$ letters in the mean. For $T\ge2m^2/(\rho c)$ it exceeds $m$ at $T$ with probability at least $(\rho c/4b^2)^2$. And it stays below $m$ for $\epsilon m^2/b^2$ letters with probability at least $1-\epsilon$. With a unit $u$, $b$ is of order $u$ and $c$ of order $u^2$: the horizon is of order $(m/u)^2$.",
    hypotheses=(
        "the maps are exact and do not depend on the rounding; the error has conditional mean 0: no saturation, no flush to zero",
        "for the mean of the first exit the variance is needed only up to it; beyond the margin m the answer is wrong",
    ),
    known="optional stopping, Paley and Zygmund (1932), Kolmogorov's inequality. Stochastic rounding as a martingale: Connolly, Higham, Mary (SIAM J. Sci. Comput. 2021), from memory. Chung, Choi, Kim (arXiv 2605.07755, abstract read): affine trackers that preserve states do not correct errors, so horizons are finite; there errors are any, here their order is proved under stated rounding.",
    construction="lemmata.constructions.automata.rounding.stochastic.error_moments",
    sabotages={
        "the mixed term is left out": {"fourth": lambda a, p, q: (a + q) ** 2 + 4 * p**2},
        "the sum of squares up to T": {"total": lambda T: 3 * T**2 + 4 * T + 1},
    },
)
def stochastic_rounding_ends(
    proof: Proof, fourth: Callable[..., Any] = fourth_power, total: Callable[[Any], Any] = lambda T: 3 * T**2 - 2 * T
) -> None:
    r"""The read error is a martingale in the frame that moves with the state.

    1. $e_t=A(x_t)e_{t-1}+\xi_t$ and $\Pi A=A\Pi$: $\mathbb E|\Pi e_t|^2=\mathbb E|\Pi e_{t-1}|^2+\mathbb E|\Pi\xi_t|^2$, the mixed term having mean $0$. [prose]
    2. Let $\tau$ be the first $t$ with $|\Pi e_t|>m$. Up to $\tau\wedge T$ at least $\rho(\tau\wedge T)$ steps add $c$ to the compensator, so $\rho c\,\mathbb E(\tau\wedge T)\le\mathbb E|\Pi e_{\tau\wedge T}|^2\le(m+b)^2$. [prose]
    3. $|e+\xi|^4=|e|^4+4\langle e,\xi\rangle^2+|\xi|^4+2|e|^2|\xi|^2+4\langle e,\xi\rangle|\xi|^2+4|e|^2\langle e,\xi\rangle$, and the last term has mean $0$: $\mathbb E|\Pi e_{t+1}|^4\le\mathbb E|\Pi e_t|^4+6b^2\mathbb E|\Pi e_t|^2+4b^3\mathbb E|\Pi e_t|+b^4$. [checked: "the fourth power"]
    4. $\mathbb E|\Pi e_t|^2\le tb^2$, and $\sum_{t<T}(6t+1)=3T^2-2T$, $\sum_{t<T}4\sqrt t\le\frac83T^{3/2}$, and $T-\frac83\sqrt T+2=(\sqrt T-\frac43)^2+\frac29>0$. So $\mathbb E|\Pi e_T|^4\le4b^4T^2$. [checked: "the sum grows by 6 T + 1"; "a square and 2/9"]
    5. Paley and Zygmund for $|\Pi e_T|^2$ with the half of its mean, at least $\rho cT/2\ge m^2$: probability at least $\frac14(\rho cT)^2/(4b^4T^2)$. [checked: "Paley and Zygmund's bound"] [prose]
    6. Kolmogorov's inequality for the martingale: $P(\max_{t\le T}|\Pi e_t|>m)\le Tb^2/m^2$. [prose]
    """
    a, p, q, T, r, b = sympy.symbols("a p q T r b", positive=True)
    parts = a**2 + 4 * p**2 + q**2 + 2 * a * q + 4 * p * q + 4 * a * p
    proof.symbolically("the fourth power of e + xi", fourth(a, p, q), parts, free="a, p, q")
    proof.symbolically("the sum grows by 6 T + 1", total(T + 1) - total(T), 6 * T + 1, free="T")
    proof.symbolically(
        "a square and 2/9 are left",
        T - sympy.Rational(8, 3) * sympy.sqrt(T) + 2,
        (sympy.sqrt(T) - sympy.Rational(4, 3)) ** 2 + sympy.Rational(2, 9),
        free="T",
    )
    proof.symbolically("Paley and Zygmund's bound", (r * T) ** 2 / 4 / (4 * b**4 * T**2), (r / (4 * b**2)) ** 2, free="r, b, T")
    with proof.beside():
        walks = small_walks()
        for name in proof.each("all outcomes of rounding along all words of length 3, three layers", walks):
            maps, start, unit, form = walks[name]
            for word in product(range(2), repeat=3):
                found, local = error_moments(maps, word, start, unit, form)
                proof.exactly("the mean square of the error is the sum of the local ones", found, local)
        tried = {
            name: wrong_share(maps, states, unit, length, 200, 34)
            for name, (maps, states, unit, length) in tracked(proof.pick(4, 6, 7)).items()
        }
        for name in proof.each("A_5 by rotations of space, Z_60 by a turn, 200 random runs of 12 (m/u)^2 letters", tried):
            proof.holds("a quarter of the runs is wrong at the end", tried[name] >= 0.25)
    proof.exhibit("share of wrong answers after 12 (m/u)^2 letters", **tried)


def tracked(bits: int) -> dict[str, tuple[np.ndarray, np.ndarray, float, int]]:
    """Maps, states, unit 2^-bits and 12 (m/u)^2 letters, m half the least distance of states: A_5 as ``compile --prefer narrow`` has it, and Z_60."""
    rotation = {g: exact.as_float(A) for g, A in even_permutations_as_rotations().items()}
    axis = np.array([1.0, 3.0, 7.0]) / np.sqrt(59)
    icosahedral = np.array([rotation[0, 1, 2, 3, 4] @ axis, *(A @ axis for g, A in rotation.items() if g != (0, 1, 2, 3, 4))])
    angles = np.arange(60) * np.pi / 30
    turn = np.array([[np.cos(angles[1]), -np.sin(angles[1])], [np.sin(angles[1]), np.cos(angles[1])]])
    found = {}
    for name, maps, states in (
        ("A_5", np.array([rotation[1, 2, 3, 4, 0], rotation[1, 2, 0, 3, 4]]), icosahedral),
        ("Z_60", turn[None], np.stack([np.cos(angles), np.sin(angles)], axis=1)),
    ):
        margin = min(float(np.linalg.norm(states[0] - s)) for s in states[1:]) / 2
        unit = 2.0**-bits * (1.0 if name == "A_5" else 0.125)
        found[name] = (maps, states, unit, int(12 * (margin / unit) ** 2) + 1)
    return found


# -- no variance, no horizon -----------------------------------------------------------------------------------------------------


def hurwitz_letters() -> list[Array]:
    """Left multiplication by (1 + i + j + k)/2, by i, and by (1 - i + j + k)/2."""
    letters = [(1, 1, 1, 1), (0, 2, 0, 0), (1, -1, 1, 1)]
    return [exact.rationals(quaternions.left_multiplication(exact.rationals(q) * fmpq(1, 2))) for q in letters]


@claim(
    "new.automata.horizon.absorbed",
    place="after grazzi25 Theorem 3",
    title="quaternions on a grid under stochastic rounding: with probability 1 they soon stop rounding, and track for ever",
    says=r"Three letters, left multiplication by $(1+i+j+k)/2$, $i$, $(1-i+j+k)/2$, act on $\mathbb Z^4$ with stochastic rounding to integers, entry by entry. States with an even sum of entries are never rounded again. Any other state is rounded by the first and the third letter, with an error of length $1$, and then has an even sum with probability $\frac12$. "
    r"So after $N$ roundings, $P(N>n)=2^{-n}$ in the limit, the error stays the same for ever: it is at most $N$. With a margin $m$ the layer tracks all words for ever with probability at least $1-2^{-\lfloor m\rfloor}$: no horizon of order $m^2$ exists, though every run from an odd state rounds.",
    hypotheses=("a fixed grid, no largest number; words in which the first or the third letter occurs for ever",),
    known="the integral quaternions of Hurwitz (1896): those with an even sum are the ideal of 1 + i. The use for rounding has no source that we know.",
    construction="lemmata.constructions.automata.rounding.stochastic.rounded_vectors",
    sabotages={
        "a letter of Gauss's integers, of angle 45 degrees": {
            "letters": lambda: [exact.rationals(quaternions.left_multiplication(exact.rationals([1, 1, 0, 0]) * fmpq(5, 7)))]
        },
        "a coarser grid": {"unit": fmpq(2)},
    },
)
def quaternions_stop_rounding(proof: Proof, letters: Callable[[], list[Array]] = hurwitz_letters, unit: fmpq = fmpq(1)) -> None:
    r"""Whether a letter rounds depends on the parities of the four entries only, and linearly.

    1. The letters keep lengths. [checked: "orthogonal"]
    2. They take a basis of the vectors with an even sum to such vectors: these are never rounded, and stay. [checked: "the even ones are kept"]
    3. An odd vector is one of the eight $v\in\{0,1\}^4$ with an odd sum plus an even one. The letter $i$ keeps it an odd integer vector. The others take it to four halves, so $16$ outcomes of equal probability, with an error of length $1$; $8$ have an even sum. [checked: "odd vectors: kept by i"; "odd vectors: 16 outcomes, error 1, half of them even"]
    4. Each rounding ends in an even state with probability $\frac12$, independently of the past. Errors keep their length between roundings, so the whole error is at most the number of roundings. [prose]
    """
    even = [exact.rationals([[x] for x in v]) for v in ((1, 1, 0, 0), (0, 1, 1, 0), (0, 0, 1, 1), (2, 0, 0, 0))]
    odd = [exact.rationals([[x] for x in v]) for v in product((0, 1), repeat=4) if sum(v) % 2]
    for A in proof.every("the three letters", letters(), limited=False):
        proof.holds("orthogonal", exact.is_orthogonal(A))
        proof.holds("the even ones are kept", all(_is_even(A @ v) for v in even))
        for v in proof.every("the eight odd vectors modulo even ones", odd, limited=False):
            w = A @ v
            if all(x.q == 1 for x in w[:, 0]):
                proof.holds("odd vectors: kept by i", not _is_even(w))
                continue
            found = list(rounded_vectors(w, unit))
            lengths = {((g - w).T @ (g - w))[0, 0] for _, g in found}
            outcome = (len(found), {p for p, _ in found}, lengths, sum(_is_even(g) for _, g in found))
            proof.exactly("odd vectors: 16 outcomes, error 1, half of them even", outcome, (16, {fmpq(1, 16)}, {fmpq(1)}, 8))


def _is_even(v: Array) -> bool:
    return all(x.q == 1 for x in v[:, 0]) and int(sum(v[:, 0], fmpq(0))) % 2 == 0


# -- what rounding to nearest corrects ---------------------------------------------------------------------------------------------


@claim(
    "new.automata.horizon.corrected",
    place="after grazzi25 Theorem 3",
    title="rounding to nearest corrects errors of an affine tracker: h → ∓5h/8 on a grid keeps the parity from every start",
    says=r"On the grid $\eta\mathbb Z$, each step rounded once to a nearest point, let the letter $1$ be $h\mapsto-\frac58h$ and the letter $0$ be $h\mapsto\frac58h$. From any start $h_0\ne0$ the sign of $h_0$ times $-1$ to the number of ones is the sign of the state after every word, and $|h|$ falls to $\eta$ and stays. So every error that does not change the sign is corrected for ever, by a scalar layer with $|a|<1$. "
    r"In exact arithmetic the same layer forgets: its states tend to $0$. So the theorem that affine trackers cannot correct errors needs exact steps.",
    hypotheses=("a fixed grid, such as the subnormal numbers of a format with gradual underflow; any rule for ties",),
    known="new.parity.float.underflow and new.parity.float.scalar: parity by rounding, from one start. Chung, Choi, Kim (arXiv 2605.07755, abstract read): no correction along state-separating subspaces for affine networks, in exact arithmetic. Nowak, Cotterell, Boumasmoud (arXiv 2606.01765, abstract read): diagonal models without even moduli in floating point; a negative entry counts modulo 2 here, so their models must exclude it.",
    construction="lemmata.constructions.automata.rounding.stochastic.outcomes",
    sabotages={
        "a factor below one half": {"factor": sympy.Rational(3, 8)},
        "a factor of 1: nothing is corrected": {"factor": sympy.Integer(1)},
    },
)
def rounding_corrects(proof: Proof, factor: Any = sympy.Rational(5, 8)) -> None:
    r"""With $h=\pm k\eta$ a step gives $\mp k'\eta$ or $\pm k'\eta$, where $k'$ is a nearest integer to $ak$.

    1. $k\ge1$: $ak\ge a>\frac12$, so $k'\ge1$: the sign is that of the exact product, and never lost. [checked: "k = 1 stays"; "no sign is lost"]
    2. $k\ge2$: $k'\le ak+\frac12<k$, so $|h|$ falls. [checked: "above 1 it falls"] For $k=1$, $a<\frac32$ and $k'=1$.
    3. So after at most $k$ letters $|h|=\eta$, whatever the word. [prose]
    """
    j = sympy.Symbol("j", nonnegative=True)
    proof.holds("k = 1 stays: 1/2 < a < 3/2", bool(sympy.Rational(1, 2) < factor < sympy.Rational(3, 2)), free="a")
    lost = sympy.Poly(factor * (1 + j) - sympy.Rational(1, 2), j)
    proof.holds("no sign is lost: a k - 1/2 > 0 for k = 1 + j", _positive(lost), free="j >= 0")
    falls = sympy.Poly((2 + j) - factor * (2 + j) - sympy.Rational(1, 2), j)
    proof.holds("above 1 it falls: k - a k - 1/2 > 0 for k = 2 + j", _positive(falls), free="j >= 0")
    a = fmpq(int(factor.p), int(factor.q))
    with proof.beside():
        for k in proof.each("starts of 1 to 200 units, the word of 20 ones", range(1, 201)):
            h = fmpq(k)
            for _ in range(20):
                h = -_nearest(a * h)
            proof.exactly("from every start", h, fmpq(1))


def _positive(f: sympy.Poly) -> bool:
    """The polynomial is positive for all j >= 0, as its coefficients show."""
    coefficients = f.all_coeffs()
    return coefficients[-1] > 0 and all(x >= 0 for x in coefficients)


def _nearest(x: fmpq) -> fmpq:
    """A nearest integer; of two the one farther from 0."""
    whole = (abs(x) + fmpq(1, 2)).floor()
    return fmpq(whole) if x > 0 else -fmpq(whole)
