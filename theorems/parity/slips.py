"""Sentences and symbols of Sec. 4.1 and App. A.4 and B (grazzi25) that say something else than is meant, and the ends of the ranges (App. A.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
import sympy
from flint import fmpq

from ...numerics import exact
from ...numerics.finite_precision import FiniteSet
from ..claim import claim
from ..evidence import Proof


def _not_triangular(A: Sequence[Sequence[int]]) -> bool:
    return A[0][1] != 0 and A[1][0] != 0


@claim(
    "grazzi25.sec4.1.triangular",
    place="Sec. 4.1, first sentence",
    of="grazzi25.thm2",
    flaw="misprint",
    quotes=("positive eigenvalues and non-triangular state transition matrices limit LRNNs state-tracking capabilities",),
    title="what limits layers are triangular transitions: one that is not triangular counts modulo 3",
    says="A layer whose transition at the letter 1 is not triangular does not count modulo 3.",
    reading="as printed, 'non-triangular'; the abstract, Sec. 1 and Sec. 4.2 have it the other way round",
    letter="The first sentence of Sec. 4.1 says that non-triangular matrices limit state-tracking. Triangular ones do. The matrix [[0, 1], [-1, -1]] is not triangular and counts modulo 3.",
    sabotages={"triangular transitions": {"shape": lambda A: not _not_triangular(A)}},
)
def non_triangular_transitions_count(proof: Proof, shape: Callable = _not_triangular) -> None:
    """A = [[0, 1], [-1, -1]] has A^3 = I and takes (1, 0) to (0, -1), to (-1, 1) and back: three states, which a decoder tells apart."""

    def counts(rows: tuple) -> list | None:
        A, states = exact.rationals(rows), [exact.rationals([1, 0])]
        for _ in range(3):
            states.append(A @ states[-1])
        closes = len({exact.freeze(h) for h in states[:3]}) == 3 and np.array_equal(states[3], states[0])
        return states if closes and shape(rows) else None

    matrices = (((a, b), (c, d)) for a, b, c, d in product((0, 1, -1), repeat=4))
    found = proof.smallest("2 x 2 matrices of entries 0, 1, -1, from the state (1, 0)", matrices, counts)
    if found:
        A, states = found
        proof.counterexample(
            given={
                "A(1)": exact.rationals(A),
                "B": 0,
                "H_0": states[0],
                "states on 1^3": ", ".join(str(tuple(map(int, h))) for h in states[1:]),
                "output": "the number of the state",
            },
            words={"shape": _not_triangular(A), "counts": counts(A) is not None},
            minimal="n = 2, entries 0, 1, -1",
        )
        proof.certificate("witness", "a transition", A=A, H0=[1, 0])


@claim(
    "grazzi25.thm1.neither",
    place="Sec. 4.1, before Theorem 1",
    flaw="misprint",
    quotes=("the state transition matrices must allow at least one eigenvalue to be neither real nor positive",),
    title="'neither real nor positive' leaves out −1, which solves parity; Theorem 1 asks for less",
    says="A layer that computes parity has a transition with an eigenvalue that is not real.",
    reading="'neither real nor positive' in the usual sense, not real and not positive; Theorem 1 says 'not a nonnegative real number'",
    letter="Before Theorem 1 an eigenvalue is asked to be 'neither real nor positive'. Your own solution in the same paragraph has a(1) = -1, which is real. Theorem 1 says it right: outside [0, inf).",
    sabotages={"nonnegative scalars only": {"scalars": (0, 1, 2)}},
)
def minus_one_is_real(proof: Proof, scalars: Sequence[int] = (0, 1, -1)) -> None:
    """The scalar layer h -> -h + 1 at the letter 1 and h -> h at 0 has the states 0 and 1 and is the parity automaton; its eigenvalue is -1."""

    def alternates(case: tuple[int, int]) -> bool:
        a, b = case
        return a * 0 + b == 1 and a * 1 + b == 0

    found = proof.smallest("scalars a(1), then b(1) in {0, 1}, from h_0 = 0", product(scalars, (0, 1)), alternates)
    if found:
        a, b = found[0]
        proof.counterexample(
            given={"a(1)": a, "b(1)": b, "a(0)": 1, "b(0)": 0, "h_0": 0, "y_t": "h_t"},
            words={"parity": alternates((a, b)), "real": sympy.Integer(a).is_real is True},
            minimal="n = 1",
        )
        proof.certificate("witness", "a scalar layer", a=a, b=b, h0=0)


@claim(
    "grazzi25.thm1.label",
    place="App. B.1, first paragraph",
    flaw="misprint",
    quotes=("will output $y_k = 1$ if k is even and $y_k = 0$ if k is odd", r"$k' \bmod 2 = y_{k'}$"),
    title="yₖ is 1 for even k in one sentence and k mod 2 in another",
    says=r"$\mathbf 1\{k\text{ even}\}=k\bmod2$ for every $k$.",
    extracted=True,
    letter="App. B.1 sets y_k = 1 for even k, which is membership in (11)*. A few lines on it has y_k' = k' mod 2, which is the parity. The two differ at every k. Either one serves the proof.",
    sabotages={"both are the parity": {"label": lambda k: k % 2}},
)
def two_labels(proof: Proof, label: Callable[[int], int] = lambda k: int(k % 2 == 0)) -> None:
    """At k = 1 the first says 0 and the second 1."""
    found = proof.smallest("k = 1, 2, 3, 4", range(1, 5), lambda k: label(k) != k % 2)
    if found:
        k = found[0]
        proof.counterexample(given={"k": k, "first": label(k), "second": k % 2}, words={"differ": label(k) != k % 2}, minimal=f"k = {k}")
        proof.certificate("witness", "a length", k=k)


@claim(
    "grazzi25.lemma1.cases",
    place="App. B, proof of Lemma 1, case 3 and the summary after it",
    flaw="misprint",
    weight="proof",
    quotes=(
        r"where $\Omega = (c_1, \epsilon)$ if $\text{sign}(c_2) = 1$ and $\Omega = (-\epsilon, c_1)$",
        r"such that for every $k \geq \bar{k}$ $a_k = \bar{a}$",
    ),
    title="case 3 puts its intervals at 0 instead of c₁, and the summary says that aₖ is constant, where cast(aₖ) is",
    says=r"If $\lambda_1=1$, $m_1=0$ and $c_2<0$, then for some $\epsilon>0$ cast is constant on $(-\epsilon,c_1)$; and $a_k=\bar a\in\mathbb D$ for all large $k$.",
    reading="as printed; (c_1, c_1 + eps), (c_1 - eps, c_1) and cast(a_k) are meant",
    extracted=True,
    letter="In case 3 of the proof of Lemma 1 the intervals should be (c_1, c_1 + eps) and (c_1 - eps, c_1). In the summary after it cast(a_k) equals a-bar, not a_k. For a_k = 1 - 2^-k and D = {0, 1} both slips show.",
    sabotages={"the second term vanishes": {"second": 0}, "a set of one point": {"points": (1,)}},
)
def case_three_as_printed(proof: Proof, second: int = -1, points: Sequence[int] = (0, 1)) -> None:
    """a_k = 1 - 2^-k is cast to 1 from k = 2 on, and is never 1. Each interval (-eps, 1) holds 0, which is cast to 0."""
    D, c, x = FiniteSet(points), fmpq(second), fmpq(1, 2)
    # 2^-k stays below the distance of 1 to the midpoint 1/2 from k = 2 on, and is never 0
    proof.counterexample(
        given={"a_k": "1 - 2^-k", "(c_1, lambda_1, m_1)": (1, 1, 0), "(c_2, lambda_2, m_2)": (second, x, 0), "D": D, "k-bar": 2},
        words={
            "cast": D.cast_scalar(1 + c * x**2) == 1 == D.cast_scalar(fmpq(1)),
            "interval": second < 0 and D.cast_scalar(fmpq(0)) != D.cast_scalar(1 + c * x**2),
            "equal": c * x != 0,
        },
        minimal="n = 2 terms, |D| = 2",
    )
    proof.certificate("witness", "two terms (lambda, m, c), and a set", terms=[["1", 0, "1"], ["1/2", 0, str(second)]], D=D)


@claim(
    "grazzi25.thm2.case",
    place="App. B.2, One Layer, up to the sentence after Eq. 5",
    flaw="misprint",
    quotes=(r"$\overline{\mathbf{H}}_1, \overline{\mathbf{H}}_2 \in \mathbb{C}^{n \times n}$", r"if we assume that $k \bmod d = 1$"),
    title="the modulus m is printed as d, the number of columns of the states, whose shape is printed as n × n",
    says=r"For $m>2$: if $k\bmod d=1$ and $y_k=0$, then $y_{k+1}=0$, where $y_k=\mathbf 1\{k\bmod m=0\}$; and the settled states of shape $n\times d$ lie in $\mathbb C^{n\times n}$.",
    extracted=True,
    letter="In App. B.2, 'k mod d = 1' should read 'k mod m = 1': for m = 3, d = 2, k = 5 the step fails. The settled states lie in C^(n x d), not in C^(n x n).",
    sabotages={"the modulus m": {"modulus": lambda m, d: m}},
)
def modulus_as_printed(proof: Proof, modulus: Callable[[int, int], int] = lambda m, d: d) -> None:
    """With m = 3 and d = 2: 5 mod 2 = 1 and y_5 = 0, but y_6 = 1. A state of n = 1 row and d = 2 columns is not 1 x 1."""

    def breaks(case: tuple[int, int, int]) -> bool:
        m, d, k = case
        return k % modulus(m, d) == 1 and k % m != 0 and (k + 1) % m == 0

    cases = ((m, d, k) for m in (3, 4) for d in (1, 2) for k in range(1, 9))
    found = proof.smallest("m = 3, 4, then d = 1, 2, then k", cases, breaks)
    if found:
        m, d, k = found[0]
        proof.counterexample(
            given={"m": m, "n": 1, "d": d, "k": k, "y_k": int(k % m == 0), "y_(k+1)": int((k + 1) % m == 0)},
            words={"assumed": k % d == 1 and k % m != 0, "next": (k + 1) % m == 0, "shape": (1, d) != (1, 1)},
            minimal=f"m = {m}, d = {d}",
        )
        proof.certificate("witness", "a modulus, a shape and a length", m=m, n=1, d=d, k=k)


@claim(
    "grazzi25.thm1.jordan",
    place="App. B.1, the Jordan form of A(1)",
    flaw="misprint",
    quotes=(r"$J_i \in \mathbb{R}^{k_i \times k_i}$ and with corresponding complex eigenvalues",),
    title="Jordan blocks with complex eigenvalues are not real",
    says="The Jordan blocks of every real matrix are real.",
    reading="R as printed; the sentence itself speaks of complex eigenvalues, and App. B.2 needs real ones only where it says so",
    extracted=True,
    letter="In App. B.1 the Jordan blocks lie in C^(k_i x k_i), not in R^(k_i x k_i). A quarter turn has the blocks i and -i.",
    sabotages={"symmetric matrices": {"allowed": lambda a, b, c, d: b == c}},
)
def jordan_blocks_are_complex(proof: Proof, allowed: Callable[..., bool] = lambda a, b, c, d: True) -> None:
    """The quarter turn has the characteristic polynomial x^2 + 1, of discriminant -4: its two blocks of size 1 are i and -i."""

    def turns(entries: tuple[int, ...]) -> bool:
        a, b, c, d = entries
        return allowed(a, b, c, d) and (a + d) ** 2 < 4 * (a * d - b * c)

    found = proof.smallest("2 x 2 matrices of entries 0, 1, -1", product((0, 1, -1), repeat=4), turns)
    if found:
        a, b, c, d = found[0]
        discriminant = (a + d) ** 2 - 4 * (a * d - b * c)
        proof.counterexample(
            given={"A(1)": exact.rationals([[a, b], [c, d]]), "discriminant of its characteristic polynomial": discriminant},
            words={"complex": discriminant < 0},
            minimal="n = 2, entries 0, 1, -1",
        )
        proof.certificate("witness", "a real matrix", A=[[a, b], [c, d]])


@claim(
    "grazzi25.appA2.index",
    place="App. A.2, after the last display",
    of="grazzi25.table1",
    flaw="misprint",
    quotes=(r"$A(\mathbf{x}_t)\mathbf{H}_t$ with the element-wise product $A(\mathbf{x}_t) \odot \mathbf{H}_t$",),
    title="the two products are with the state before, where the state after the letter is printed",
    says=r"Mamba's recurrence is $H_t=A(x_t)\odot H_t+B(x_t)$.",
    reading="the display just above has the state before, with index t - 1",
    extracted=True,
    letter="In App. A.2 the two products after the last display should have H_(t-1) for H_t, as the display has it.",
    sabotages={"the state before": {"read": lambda before, after: before}},
)
def state_on_both_sides(proof: Proof, read: Callable[[int, int], int] = lambda before, after: after) -> None:
    """With scalars A = B = 1 from the state 0 the recurrence gives 1, and A H_1 + B = 2 is not H_1."""

    def differs(case: tuple[int, int]) -> bool:
        a, b = case
        return a * read(0, b) + b != b

    found = proof.smallest("scalars A, B in {0, 1}, from the state 0", product((0, 1), repeat=2), differs)
    if found:
        a, b = found[0]
        proof.counterexample(
            given={"A": a, "B": b, "H_0": 0, "H_1": b, "A H_1 + B": a * b + b}, words={"differ": a * b + b != b}, minimal="n = d = 1"
        )
        proof.certificate("witness", "two scalars", A=a, B=b)


# -- the ends of the ranges --------------------------------------------------------------------------------------------------


@claim(
    "grazzi25.appA4.ends",
    place="App. A.4, last two sentences",
    title="sigmoid and softplus do not reach the ends 0, 1 and −1 of the ranges; cast onto a finite set that has them, they do",
    says=r"$0<\sigma(x)<1$ and $-1<2\sigma(x)-1<1$ for all real $x$. Let $\mathbb D$ be finite with $-1,0,1\in\mathbb D$ and no other point within $g$ of these. For $x\ge n$ with $2^{-n}<g/4$: "
    r"$\mathrm{cast}(\sigma(x))=1$, $\mathrm{cast}(\sigma(-x))=0$ and $\mathrm{cast}(2\sigma(\pm x)-1)=\pm1$.",
    reading="'include' as: reach after the cast of Eq. 4. Mamba's decay is a sigmoid where the parameter w is 0, and a power of one elsewhere",
    sabotages={
        "a set without 1": {"closest": lambda D: FiniteSet(v for v in D.values if v != 1)},
        "an argument that is too small": {"enough": lambda g: 0},
    },
)
def ends_of_the_ranges(
    proof: Proof,
    closest: Callable[[FiniteSet], FiniteSet] = lambda D: D,
    enough: Callable[[fmpq], int] = lambda g: next(n for n in range(60) if fmpq(1, 2**n) < g / 4),
) -> None:
    r"""The distance of $\sigma(x)$ to its end is $\sigma(-x)<e^{-x}$, which falls below any gap.

    1. $1-\sigma(x)=\sigma(-x)$, $\exp(-\mathrm{softplus}(x))=\sigma(-x)$, and $\sigma(-x)=e^{-x}\sigma(x)$. [checked: "1 - sigmoid(x)"; "a decay of Mamba with w = 0"; "sigmoid(-x)"]
    2. So $\sigma$ and $1-\sigma$ are positive, both ranges are open, and $\sigma(-x)<e^{-x}<2^{-n}$ for $x\ge n\ge1$, as $e>2$. [checked: "e > 2"] [prose]
    3. A number within $g/2$ of one of the three points is cast to it; $\sigma(x)$ is within $2^{-n}$, $2\sigma(x)-1$ within $2\cdot2^{-n}<g/2$. cast is monotone, so the two ends of that range decide.
       [checked: "cast is the end"] [prose]
    """
    x = sympy.symbols("x", real=True)
    sigmoid = lambda t: 1 / (1 + sympy.exp(-t))  # noqa: E731
    proof.symbolically("1 - sigmoid(x) = sigmoid(-x)", 1 - sigmoid(x), sigmoid(-x), "x")
    proof.symbolically(
        "a decay of Mamba with w = 0: exp(-softplus(x)) = sigmoid(-x)", sympy.exp(-sympy.log(1 + sympy.exp(x))), sigmoid(-x), "x"
    )
    proof.symbolically("sigmoid(-x) = exp(-x) sigmoid(x)", sigmoid(-x), sympy.exp(-x) * sigmoid(x), "x")
    proof.holds("e > 2", bool(sympy.E > 2), free="nothing")
    halves = [FiniteSet([fmpq(k, 2**j) for k in range(-(2**j) - 1, 2**j + 2)]) for j in range(6)]
    for D in proof.each("steps of 2^-j, j <= 5, up to one step beyond 1, and {-1, 0, 1}", [FiniteSet([-1, 0, 1]), *halves]):
        gaps = [abs(v - end) for end in (-1, 0, 1) for v in D.values if v != end]
        n = enough(min(gaps))
        near, rounded = fmpq(1, 2**n), closest(D).cast_scalar
        for end, inside in ((1, -1), (0, 1)):
            proof.exactly("cast is the end: sigmoid", [rounded(end + t * inside * near) for t in (0, 1)], [end, end])
        for end in (1, -1):
            proof.exactly("cast is the end: 2 sigmoid - 1", [rounded(end - t * end * 2 * near) for t in (0, 1)], [end, end])
