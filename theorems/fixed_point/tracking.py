"""State tracking by one layer without a gate: S_3, A_5 and S_N, exactly (after movahedi25, Eq. 4)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, permutations

import numpy as np
from flint import fmpq

from ...constructions import householder
from ...constructions.fixed_point import Token
from ...constructions.quaternions import (
    CosetAction,
    generated,
    icosahedral,
    left_multiplication,
    orthogonal_token,
    signed_s3,
)
from ...constructions.recurrence import Recurrence
from ...constructions.spin import CliffordElement, clifford_generators, conjugated, exchange
from ...numerics import exact
from ...numerics.aliases import Exact, Key
from ...numerics.cyclotomic import Cyclotomic, root_of_unity
from ...numerics.exact import Array
from ..claim import claim
from ..closure import computes
from ..evidence import Proof

IDENTITY = (0, 1, 2)

KNOWN_GROUPS = (
    "that orthogonal transitions track finite groups (Grazzi et al., Theorem 3; Siems et al., DeltaProduct, which has A_5 as rotations); the covering groups are classical (Conway, Smith, "
    "On Quaternions and Octonions, Ch. 3). New is the covering as a way to contractive mixers"
)


def _squared_norm(token: Token) -> fmpq | None:
    """||I - Q||^2 where (I - Q)^T (I - Q) is a rational multiple of I; else None."""
    F = exact.identity(len(token.decay)) - token.mixer
    gram = F.T @ F
    value = gram[0, 0].polynomial.coeffs() if isinstance(gram[0, 0], Cyclotomic) else [gram[0, 0]]
    same = np.array_equal(gram, exact.identity(len(F)) * gram[0, 0])
    return (value[0] if value else fmpq(0)) if same and len(value) <= 1 else None


def _layer(proof: Proof, tokens: dict, matrices: Mapping[Key, Array], start: Array, decode) -> Recurrence:
    """The dense recurrence of the tokens: checks Q A = Lambda and ||I - Q|| < 1 letter by letter."""
    for letter, token in proof.every("all letters", tokens.items(), limited=False):
        A, d = matrices[letter], len(token.decay)
        zero: Exact = fmpq(0)
        diagonal = np.where(np.eye(d) == 1, token.decay[:, None], zero)
        proof.exactly("Q A = Lambda", token.mixer @ A, diagonal)
        norm = _squared_norm(token)
        proof.holds("||I - Q|| < 1", norm is not None and norm < 1)
    table = {letter: (A, exact.zeros(len(A), 1)) for letter, A in matrices.items()}
    return Recurrence.from_table(table, start, decode)


# -- S_3 and A_5 -------------------------------------------------------------------------------------------------------------


@claim(
    "new.fixed-point.s3.signed",
    place="after Eq. 4",
    title="with signs in Λ all six letters of S₃ are tracked in dimension 2, with ‖I − Q‖² ≤ 3/4",
    known=KNOWN_GROUPS,
    says=r"With $\Lambda_t=\frac12\operatorname{diag}(\pm1,\pm1)$ and $Q_t=\Lambda_tA_t^\top$, $A_t$ the symmetries of a triangle, $Q_t$ is half a rotation by at most $60^\circ$.",
    construction="lemmata.constructions.quaternions.signed_s3",
    sabotages={"c = 1": {"scale": fmpq(1)}, "two letters exchanged": {"swap": True}},
)
def signed_tracking(proof: Proof, scale: fmpq = fmpq(1, 2), swap: bool = False) -> None:
    r"""A reflection is $\operatorname{diag}(1,-1)$ times a rotation, and a half turn more is a sign: the decay carries both.

    1. For all six letters $Q_tA_t=\Lambda_t$ with $\Lambda_t=\frac12\operatorname{diag}(\pm1,\pm1)$, $A_t$ is orthogonal, $2Q_t$ is a rotation, and $\|I-Q_t\|^2\le\frac34$.
       The rotation's angle $\varphi$ has $\|I-Q_t\|^2=\frac54-\cos\varphi$, so it is at most $60^\circ$.
       [checked: "Q A = Lambda"; "||I - Q|| < 1"; "Lambda = diag(+-1, +-1)/2 and A^T A = I"; "2 Q is a rotation"; "||I - Q||^2 = 5/4 - cos"; "||I - Q||^2 <= 3/4"]
    2. The fixed point is the dense recurrence. [uses: movahedi25.eq2] Its states are a hexagon, closed under all letters, one for each element of $S_3$.
       [checked: "the product in S_3 at every length"; "states of the layer: a hexagon"]
    """
    letters = dict(signed_s3(scale))
    if swap:
        letters[0, 2, 1], letters[1, 0, 2] = letters[1, 0, 2], letters[0, 2, 1]
    matrices = {g: A for g, (A, _) in letters.items()}
    start = exact.rationals([[1], [0]])
    orbit = {exact.freeze(A @ start): g for g, (A, _) in signed_s3().items()}
    layer = _layer(proof, {g: t for g, (_, t) in letters.items()}, matrices, start, lambda H, x: orbit[exact.freeze(H)])
    found = computes(
        proof, "the product in S_3 at every length", layer, lambda g, x: householder.compose(x, g), IDENTITY, list(letters), lambda g: g
    )
    if found.mismatch is None:
        for pairs in proof.every("the layer", [found.pairs], limited=False):
            proof.exactly("states of the layer: a hexagon", len(pairs), 6)
    for A, token in proof.every("all letters", letters.values(), limited=False):
        halves = all(x == fmpq(1, 2) or x == fmpq(-1, 2) for x in token.decay)
        proof.holds("Lambda = diag(+-1, +-1)/2 and A^T A = I", halves and np.array_equal(A.T @ A, exact.identity(2)))
        R = token.mixer * 2
        determinant = R[0, 0] * R[1, 1] - R[0, 1] * R[1, 0]
        proof.holds("2 Q is a rotation", np.array_equal(R.T @ R, exact.identity(2)) and bool(determinant == 1))
        norm = _squared_norm(token)
        proof.holds("||I - Q||^2 = 5/4 - cos", norm is not None and bool(R[0, 0] == fmpq(5, 4) - norm))
        proof.holds("||I - Q||^2 <= 3/4", norm is not None and norm <= fmpq(3, 4))
    proof.exhibit("a transposition, (1 0 2)", A=letters[1, 0, 2][0], Lambda=letters[1, 0, 2][1].decay, Q=letters[1, 0, 2][1].mixer)


def _icosahedral_layer(proof: Proof, subgroup=("a", "i"), sign: int = 1) -> None:
    """Close the product of the icosahedral layer with A_5, after checking its mixers letter by letter."""
    letters = icosahedral()
    letters["b"] = letters["b"] * sign
    group = generated(list(letters.values()))
    elements = {**letters, "i": exact.unit_vector(4, 1)}
    action = CosetAction(group, generated([elements[s] for s in subgroup]))
    matrices = {x: left_multiplication(q) for x, q in letters.items()}
    for x, q in proof.every("all letters", letters.items(), limited=False):
        # (I - Q)^T (I - Q) = (1 - 2 c Re q + c^2) I, and c = Re q
        token = orthogonal_token(matrices[x], np.array([q[0]] * 4, dtype=object))
        F = exact.identity(4) - token.mixer
        proof.exactly("(I - Q)^T (I - Q) = (1 - (Re q)^2) I", F.T @ F, exact.identity(4) * (1 - q[0] * q[0]))
        proof.exactly("Q A = Lambda", token.mixer @ matrices[x], exact.identity(4) * q[0])
        ball = (q[0] * root_of_unity(5, 0)).ball().real
        proof.certified("0 < Re q < 1, so ||I - Q|| < 1", bool(ball > 0) and bool(ball < 1))
    table = {x: (A, exact.zeros(4, 1)) for x, A in matrices.items()}
    layer = Recurrence.from_table(table, exact.unit_vector(4, 0)[:, None], lambda H, x: action.permutation(H[:, 0]))
    wanted = {x: action.permutation(q) for x, q in letters.items()}
    start = tuple(range(len(action.representatives)))
    found = computes(
        proof,
        "the product in A_5 at every length",
        layer,
        lambda g, x: householder.compose(wanted[x], g),
        start,
        list(letters),
        lambda g: g,
    )
    for _ in proof.every("the closed layer", [layer], limited=False):
        proof.exactly(
            "states of the layer, and permutations of five points",
            (len(found.pairs), len({q for _, q in found.pairs}), len(start)),
            (120, 60, 5),
        )


# -- S_N ---------------------------------------------------------------------------------------------------------------------


def _transposition(n: int, j: int, k: int) -> tuple[int, ...]:
    return tuple(k if i == j else j if i == k else i for i in range(n))


def _exchanged(g: list[CliffordElement], j: int, k: int) -> CliffordElement:
    """sqrt 2 times the transition of (j k)."""
    return g[j] * g[j] + g[j] * g[k]


@claim(
    "new.fixed-point.symmetric",
    place="after Eq. 4; the tasks of Figures 1 to 3",
    title="for every n one layer without a gate tracks Sₙ on all transpositions and 3-cycles, ‖I − Q‖² = 1/2 and 3/4",
    says=r"Let $g_1,\dots,g_N$ anticommute, $g_i^2=1$, $g_i^\top=g_i$; they exist for every $N$. $A=(1+g_jg_k)/\sqrt2$, $\Lambda=I/\sqrt2$, $Q=(1-g_jg_k)/2$ stand for $(j\,k)$, and "
    r"$A=\frac12(1+g_ig_j)(1+g_jg_k)$ with $\Lambda=\frac12I$ for a 3-cycle: the state $H_t=A_t\cdots A_1$ satisfies $H_tg_iH_t^\top=\pm g_{\pi(i)}$ with the product $\pi$ of the letters, at every length.",
    hypotheses=("matrix states, H_0 = I; dimension 2^(N-1)",),
    known="(1 + g_j g_k)/sqrt 2 is the exchange of two Majorana operators (Ivanov, Phys. Rev. Lett. 86 (2001) 268). In other coordinates permutation matrices themselves do it in dimension N "
    "(new.fixed-point.any-letters), with slower iterations; with decays of both signs all transpositions contract in dimension N - 1 (new.fixed-point.transpositions)",
    uses=("movahedi25.eq2", "new.fixed-point.finite"),
    construction="lemmata.constructions.spin.exchange",
    sabotages={
        "commuting generators": {"generators": lambda n: [np.diag([(-1) ** (i >> k & 1) for i in range(2 ** (n - 1))]) for k in range(n)]},
        "half the angle left out: g_j g_k itself": {"swap": lambda g, j, k: g[j] * g[k]},
    },
)
def majorana_exchange(proof: Proof, generators=clifford_generators, swap=_exchanged) -> None:
    r"""Conjugation by $1+g_jg_k$ takes $g_k$ to $g_j$ and $g_j$ to $-g_k$; the sign is what lets it turn by 45 degrees only.

    1. $N=1$: $g_1=1$. From $g_1,\dots,g_N$ one gets $X\otimes1$ and $Z\otimes g_i$, which anticommute and square to 1, since $X,Z$ do: $XZ+ZX=0$, $X^2=Z^2=1$. So such symmetric matrices exist for
       every $N$. [checked: "X Z + Z X = 0, X^2 = Z^2 = 1, both symmetric"] [prose]
    2. A letter meets at most three of the $g$, and every other $g_l$ behaves alike; so products are computed in the algebra of $g_i,g_j,g_k,g_l$ from $g^2=1$ and anticommutation alone, which is valid
       for every $N$. [prose] There $(1+g_jg_k)g_m(1+g_jg_k)^\top=\pm2g_{\sigma(m)}$, $\sigma=(j\,k)$. [checked: "a transposition permutes the g up to sign"]
    3. Likewise for the 3-cycle. [checked: "a 3-cycle permutes the g up to sign"]
    4. Both are orthogonal, $QA=\Lambda$, and $\|I-Q\|^2=\frac12$ and $\frac34$. [checked: "A A^T = 2, and 4 (I - Q)^T (I - Q) = 2"; "A A^T = 4, and 16 (I - Q)^T (I - Q) = 12"]
    5. $H_{t+1}g_iH_{t+1}^\top=A(\pm g_{\pi(i)})A^\top=\pm g_{\sigma(\pi(i))}$: induction over the word, from $H_0=I$. [checked: "a transposition permutes"; "a 3-cycle permutes"] [prose]
    """
    X, Z = generators(2)
    one = np.eye(2, dtype=int)
    relations = [
        np.array_equal(X @ Z + Z @ X, 0 * one),
        np.array_equal(X @ X, one),
        np.array_equal(Z @ Z, one),
        np.array_equal(X, X.T),
        np.array_equal(Z, Z.T),
    ]
    for _ in proof.every("the two matrices X and Z", [relations], limited=False):
        proof.exactly("X Z + Z X = 0, X^2 = Z^2 = 1, both symmetric", relations, [True] * 5)
    g = [CliffordElement.generator(i) for i in range(4)]  # i, j, k of the letter, and one that it does not meet
    unit = CliffordElement.scalar(1)
    A, C = swap(g, 1, 2), swap(g, 0, 1) * swap(g, 1, 2)
    turned = householder.compose(_transposition(4, 0, 1), _transposition(4, 1, 2))
    for i in proof.every("the three generators of a letter, and one that stands for all others", range(4), limited=False):
        proof.exactly("a transposition permutes the g up to sign", _images(g, A, 2)[i], _transposition(4, 1, 2)[i])
        proof.exactly("a 3-cycle permutes the g up to sign", _images(g, C, 4)[i], turned[i])
    for _ in proof.every("a transposition and a 3-cycle, in the algebra of the generators", [(A, C)], limited=False):
        F = 2 * unit - A.reversed()
        proof.exactly("A A^T = 2, and 4 (I - Q)^T (I - Q) = 2", (A * A.reversed(), F.reversed() * F), (2 * unit, 2 * unit))
        F = 4 * unit - C.reversed()
        proof.exactly("A A^T = 4, and 16 (I - Q)^T (I - Q) = 12", (C * C.reversed(), F.reversed() * F), (4 * unit, 12 * unit))
    for n in (2, 3, 4):
        proof.certificate("witness", f"N = {n}", generators=[x.tolist() for x in generators(n)])


def _images(g: list[CliffordElement], A: CliffordElement, scale: int) -> tuple[int | None, ...]:
    """p with A g_i A^T = +- scale g_p(i); None where there is no such p(i)."""
    out = []
    for x in g:
        turned = A * x * A.reversed()
        places = [k for k, y in enumerate(g) if turned in (scale * y, -scale * y)]
        out.append(places[0] if places else None)
    return tuple(out)


# -- the headline --------------------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.abstract.tracking",
    place="Abstract; Sec. 3, State Tracking; Figures 1 to 3",
    title="a single fixed-point layer can track A₅ and S₅, at every length",
    says=r"There are a layer (3) of dimension 4 for $A_5$, on a generating set of two letters, and one of dimension 16 for $S_5$, on all ten transpositions, with $0<\Lambda<1$, $\|I-Q\|<1$ for every "
    r"letter, whose fixed point tracks every product, at every length.",
    reading="what one layer can represent; the paper trains one at length 16. Constructed layers, ungated; the fixed point itself, not the iterate after a few passes",
    remarks=(
        "'In a few iterations' is about trained layers and lengths near 16; for a layer whose state does not fade the passes grow in proportion to the length (new.fixed-point.passes.linear), and "
        "with the gate of Theorem 2.1 no permutation letter is tracked (new.fixed-point.gated.letters).",
        "With decays of both signs dimension 3 suffices for A_5 and 4 for S_5, and no smaller one does (new.fixed-point.least-dimension).",
    ),
    construction="lemmata.constructions.quaternions.icosahedral",
    sabotages={
        "-b in place of b": {"sign": -1},
        "the cosets of a cyclic group": {"subgroup": ("b",)},
        "g_j g_k in place of 1 + g_j g_k": {"swap": lambda g, j, k: g[j] @ g[k]},
    },
)
def one_layer_tracks(proof: Proof, sign: int = 1, subgroup=("a", "i"), swap=exchange) -> None:
    r"""$A_5$ through its double cover in the quaternions, $S_5$ through exchanges of five anticommuting matrices.

    1. $A_5$ as rotations needs angles of 120 and 144 degrees; its double cover, the binary icosahedral group, has them halved. For a unit quaternion $q$ with real part $c$, $A$ its left multiplication, $\Lambda=cI$ and $Q=cA^\top$: $(I-Q)^\top(I-Q)=(1-c^2)I$.
       A 3-cycle has $c=\frac12$ and a 5-cycle $c=\cos36^\circ$, so $\|I-Q\|$ is $\sin60^\circ$ and $\sin36^\circ$. [checked: "(I - Q)^T (I - Q) = (1 - (Re q)^2) I"; "Q A = Lambda"; "0 < Re q < 1, so"]
       The 120 states are closed under both letters; $A_5$ acts on the five cosets of the binary tetrahedral group, which is how a state is read.
       [checked: "the product in A_5 at every length"; "states of the layer, and permutations"]
    2. $S_5$: with $A=(1+g_jg_k)/\sqrt2$, $Q=A^\top/\sqrt2$, $\Lambda=I/\sqrt2$ every transposition permutes the lines of $g_1,\dots,g_5$ as it should, is orthogonal, and $\|I-Q\|^2=\frac12$.
       [uses: new.fixed-point.symmetric] [checked: "it stands for the transposition"; "A A^T = 2"; "4 (I - Q)^T (I - Q) = 2 I"]
    3. $H_tg_iH_t^\top=\pm g_{\pi(i)}$ for every word, by induction over its letters: step 2 is the induction's step, $H_0=I$ its base. [checked: "it stands for the transposition"] [prose]
    4. $\|I-Q\|<1$ makes the iteration converge at every length. [uses: movahedi25.eq2, new.fixed-point.finite]
    """
    _icosahedral_layer(proof, subgroup, sign)
    g = clifford_generators(5)
    one = np.eye(len(g[0]), dtype=int)
    for j, k in proof.every("all ten transpositions", list(combinations(range(5), 2)), limited=False):
        A = swap(g, j, k)  # sqrt 2 times the transition, and 2 Q is its transpose
        F = 2 * one - A.T
        proof.exactly("it stands for the transposition", conjugated(g, A, 2), _transposition(5, j, k))
        proof.exactly("A A^T = 2", A @ A.T, 2 * one)
        proof.exactly("4 (I - Q)^T (I - Q) = 2 I", F.T @ F, 2 * one)
    proof.certificate("witness", "five anticommuting matrices of size 16", generators=[x.tolist() for x in g])


# -- the need for it ---------------------------------------------------------------------------------------------------------------


def _commutators(group: set[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """The subgroup that the commutators of a finite permutation group generate."""
    inverse = {p: tuple(p.index(i) for i in range(len(p))) for p in group}
    found = {householder.compose(householder.compose(p, q), householder.compose(inverse[p], inverse[q])) for p in group for q in group}
    while True:
        more = {householder.compose(p, q) for p in found for q in found}
        if more <= found:
            return found
        found |= more


@claim(
    "movahedi25.appE1.dense",
    place="Sec. 1; App. E.1, State Tracking",
    title="tracking A₅ needs a dense transition or a nonlinear recurrence",
    says=r"A fixed number of linear recurrent layers with diagonal input-dependent transitions, at precision logarithmic in the length, does not solve the word problem of $A_5$ at every length, unless "
    r"$\mathsf{TC}^0=\mathsf{NC}^1$.",
    reading="as Merrill et al. (2024) prove it, whom the paper cites: for a bounded number of layers and bounded precision; 'dense' includes head-wise dense, as in DeltaNet",
    sabotages={"S_4 in place of A_5": {"points": 4}},
)
def word_problem_of_a5(proof: Proof, points: int = 5) -> None:
    r"""What makes $A_5$ hard is that it is not solvable; the rest is circuit complexity, which is cited.

    1. The commutators of $A_5$ generate $A_5$, so it is not solvable. [checked: "the commutators generate the group"]
    2. Hence its word problem is complete for $\mathsf{NC}^1$, [cited: Barrington 1989] and such layers are in $\mathsf{TC}^0$. [cited: Merrill, Petty, Sabharwal 2024]
    """
    even = {p for p in permutations(range(points)) if sum(p[i] > p[j] for i, j in combinations(range(points), 2)) % 2 == 0}
    for group in proof.every("the alternating group", [even], limited=False):
        proof.exactly("the commutators generate the group", (len(_commutators(group)), len(group)), (60, 60))
    proof.cites(
        "Barrington (1989): the word problem of a finite group that is not solvable is complete for NC^1; Merrill, Petty, Sabharwal (2024): diagonal linear RNNs are in TC^0"
    )
