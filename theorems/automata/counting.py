"""Rotations and reflections of the plane: counting modulo m (grazzi25, Theorems 3 and 6, App. C.3, D) and the dihedral groups, for every m at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy

from ...constructions.automata import addition_by_reflections, mirror
from ...constructions.automata.layers.groups import representation_layer, rotations
from ...constructions.automata.layers.reflections import dihedral_by_reflections, dihedral_step
from ...constructions.automata.read.sources import from_permutations
from ...constructions.recurrence import Stack
from ...numerics.aliases import Exact
from ..claim import claim
from ..closure import certify_closure
from ..evidence import Proof

ALPHA, BETA, M, I, J, Y, W, T = sympy.symbols("alpha beta m i j y w t", real=True)


def rotation(angle: sympy.Expr) -> sympy.Matrix:
    """R(angle) of App. D."""
    return sympy.Matrix([[sympy.cos(angle), -sympy.sin(angle)], [sympy.sin(angle), sympy.cos(angle)]])


def reflection(angle: sympy.Expr) -> sympy.Matrix:
    """H(angle) of App. D: it takes the direction x to the direction angle - x."""
    return sympy.Matrix([[sympy.cos(angle), sympy.sin(angle)], [sympy.sin(angle), -sympy.cos(angle)]])


def direction(angle: sympy.Expr) -> sympy.Matrix:
    """The point of the unit circle at that angle."""
    return sympy.Matrix([sympy.cos(angle), sympy.sin(angle)])


def entrywise(proof: Proof, what: str, left: Exact, right: Exact, free: str) -> None:
    """An identity of matrices with free parameters, entry by entry."""
    for x, y in zip(left, right, strict=True):
        proof.symbolically(what, sympy.expand_trig(sympy.expand(x)), sympy.expand_trig(sympy.expand(y)), free)


def positive_inside(proof: Proof) -> None:
    """sin has no zero in (0, pi), and no negative value in [0, pi]."""
    inside, closed = sympy.Interval.open(0, sympy.pi), sympy.Interval(0, sympy.pi)
    proof.holds("sin t > 0 for 0 < t < pi", sympy.solveset(sympy.sin(T) <= 0, T, inside) == sympy.S.EmptySet, free="t")
    proof.holds("sin t >= 0 for 0 <= t <= pi", sympy.solveset(sympy.sin(T) < 0, T, closed) == sympy.S.EmptySet, free="t")


# -- Theorem 3, the cyclic case --------------------------------------------------------------------------------------------


@claim(
    "grazzi25.thm3.cyclic",
    place="Theorem 3, the cyclic case; App. C.3",
    title="a cyclic group of order m is one layer of rotations of the plane, two reflections a letter; a sign for m = 2",
    says=r"For $G=\mathbb Z_m$, letters $w\in\mathbb Z_m$ and $A(w)=R(2\pi w/m)$, $B=0$, $H_0=(1,0)^\top$, the state after $w_1\dots w_t$ is $R(2\pi y/m)H_0$ with $y=\sum w_i$, a different point for "
    r"each $y\in\mathbb Z_m$, and $A(w)\in\mathcal M^2_2(\{-1,1\})$; for $m=2$ a scalar $A(w)=(-1)^w$ does.",
    hypotheses=("a letter stands for an element of the group; states that no word reaches are dropped",),
    construction="lemmata.constructions.automata.layers.groups.rotations",
    sabotages={
        "a polygon with one corner more": {"angle": lambda k, m: 2 * sympy.pi * k / (m + 1)},
        "nothing turns": {"angle": lambda k, m: sympy.S.Zero},
        "one reflection instead of two": {"mirrors": lambda a: [reflection(a)]},
    },
)
def cyclic_groups(
    proof: Proof, angle=lambda k, m: 2 * sympy.pi * k / m, mirrors=lambda a: [reflection(a), reflection(sympy.S.Zero)]
) -> None:
    r"""The state runs round the m-gon, and a rotation is two reflections.

    1. Angles add up: $R(\alpha)R(\beta)=R(\alpha+\beta)$. By induction over the word the state after $w_1\dots w_t$ is $R(2\pi(w_1+\dots+w_t)/m)H_0$.
       [checked: "R(alpha) R(beta) = R(alpha + beta)"; "the angles of letters add up"] [prose]
    2. One more turn, $y\to y+m$, changes nothing. So only the sum modulo $m$ matters. [checked: "a full turn is none"] [prose]
    3. The points of $y$ and $y'$ are at distance $2|\sin(\pi(y-y')/m)|$, and $0<|y-y'|<m$ puts $\pi|y-y'|/m$ between $0$ and $\pi$. So different $y$ have different points, and the decoder
       $g(R(2\pi y/m)H_0)=y$ exists. [checked: "the squared distance of two points"; "half of their angle is pi (i - j)/m"; "sin t > 0"] [prose]
    4. $R(\alpha)=H(\alpha)H(0)$, and $H(\alpha)=I-2vv^\top$ with the unit vector $v=(\sin\frac\alpha2,-\cos\frac\alpha2)$.
       [checked: "a rotation is two reflections"; "H(alpha) = I - 2 v v'"; "v has length 1"]
    5. For $m=2$: $(-1)^w(-1)^y=(-1)^{w+y}$, and a full turn is $(-1)^2=1$. The steps 1 to 3 hold alike. [checked: "signs multiply"; "two changes of sign are none"] [prose]
    """
    entrywise(proof, "R(alpha) R(beta) = R(alpha + beta)", rotation(ALPHA) * rotation(BETA), rotation(ALPHA + BETA), "alpha, beta")
    proof.symbolically("the angles of letters add up", angle(W, M) + angle(Y, M), angle(W + Y, M), "w, y, m")
    entrywise(proof, "a full turn is none", direction(sympy.expand(angle(Y + M, M))), direction(angle(Y, M)), "y, m")
    gap = direction(angle(I, M)) - direction(angle(J, M))
    proof.symbolically("the squared distance of two points", gap.dot(gap), 4 * sympy.sin((angle(I, M) - angle(J, M)) / 2) ** 2, "i, j, m")
    proof.symbolically("half of their angle is pi (i - j)/m", (angle(I, M) - angle(J, M)) / 2, sympy.pi * (I - J) / M, "i, j, m")
    positive_inside(proof)
    entrywise(proof, "a rotation is two reflections", sympy.prod(mirrors(ALPHA)), rotation(ALPHA), "alpha")
    v = sympy.Matrix([sympy.sin(ALPHA / 2), -sympy.cos(ALPHA / 2)])
    entrywise(proof, "H(alpha) = I - 2 v v'", reflection(ALPHA), sympy.eye(2) - 2 * v * v.T, "alpha")
    proof.symbolically("v has length 1", v.dot(v), 1, "alpha")
    a, b = sympy.symbols("a b", integer=True)
    proof.symbolically("signs multiply", (-1) ** a * (-1) ** b, (-1) ** (a + b), "integers a, b")
    proof.symbolically("two changes of sign are none", (-1) ** (a + 2), (-1) ** a, "integer a")
    for m in range(2, 9):
        automaton = from_permutations({k: tuple((i + k) % m for i in range(m)) for k in range(m)})
        found = rotations(automaton)
        if found is not None:
            layer = representation_layer(automaton, *found)
            elements: list[Any] = list(automaton.names or ())
            sums = [g[0] for g in elements]
            stack = Stack((layer,))
            certify_closure(
                proof, f"sums modulo {m}", stack, lambda q, x, m=m: (q + x) % m, 0, list(range(m)), lambda q, sums=sums: sums.index(q)
            )
    quarter = np.array([[0, -1], [1, 0]])
    proof.exhibit("counting modulo 4", A_of_1=quarter, H_0=[1, 0], states=[[1, 0], [0, 1], [-1, 0], [0, -1]])


# -- Theorem 6 -------------------------------------------------------------------------------------------------------------


def theta(i: sympy.Expr, odd: int) -> sympy.Expr:
    """The angle of the second layer's reflection for the letter i, at odd or even times (App. D)."""
    return (1 - 2 * i if odd else 1 + 2 * i) * sympy.pi / M


def rotated(i: sympy.Expr) -> sympy.Matrix:
    """d_i = R(2 i pi / m) d_0: the state at even times."""
    return direction(2 * i * sympy.pi / M)


def mirrored(i: sympy.Expr) -> sympy.Matrix:
    """c_i = R(-2 i pi / m) H(pi / m) d_0: the state at odd times."""
    return direction((1 - 2 * i) * sympy.pi / M)


@claim(
    "grazzi25.thm6",
    place="Theorem 6, App. D",
    title="two layers of reflections add modulo m at every length, with 2 states and 2m",
    says=r"With $A=-1$ in the first layer and reflections of the plane in the second, the stack outputs $\sum_{i\le t}x_i\bmod m$ at every $t$, for every $m\ge1$; the first layer has $2$ states, the second "
    r"$2m$.",
    reading="the sums run to t, not to m or i, and the induction's two cases exchanged, as Eq. 6 and 7 have them",
    remarks=("How far apart the states are, and that the printed decoder finds the sum, is grazzi25.thm6.distance.",),
    construction="lemmata.constructions.automata.layers.reflections.addition_by_reflections",
    sabotages={
        "m states in the second layer, which the kernel refutes": {"theorem": "reflections_add.reflections_add_in_m_states"},
        "the sum is taken modulo m + 1": {"modulus": lambda m: m + 1},
        "the same reflection at odd and even times": {"angle": lambda i, odd: theta(i, 1)},
    },
)
def addition_with_reflections(proof: Proof, modulus=lambda m: m, angle=theta, theorem: str = "reflections_add.reflections_add") -> None:
    r"""The state is $c_y$ at odd times and $d_y$ at even ones, $y$ the sum so far.

    1. Layer 1 alternates: $h\to1-h$ from $0$ gives the parity of the time. [checked: "the clock"] [prose]
    2. $H(\alpha)$ takes the direction $x$ to $\alpha-x$, and is $I-2vv^\top$. [checked: "H(alpha) reflects directions"; "H(alpha) = I - 2 v v'"]
    3. So $H(\theta(x,1))d_y=c_{x+y}$ and $H(\theta(x,0))c_y=d_{x+y}$, Eq. 6 and 7. With $h_0=d_0$ this is the step of an induction over the word. [checked: "Eq. 6"; "Eq. 7"] [prose]
    4. Only the sum modulo $m$ matters. [checked: "c and d have period m"]
    5. $d_i$ and $c_i$ stand at the angles $k\pi/m$ with $k=2i$ and $k=2(m-i)+1$ modulo $2m$. These are the even and the odd numbers modulo $2m$, once each.
       [checked: "c_i in turns of pi/m"] [prose]
    6. The kernel has all of it, with a primitive root of unity of order $2m$ for $e^{i\pi/m}$. [checked: "the kernel: transitions, sums and states"]
    """
    proof.formally(
        "the kernel: transitions, sums and states",
        theorem,
        whole="every m, word and length",
        differs="any real closed field for the reals; m as n + 1; the letters are the residues modulo m; the plane as the complex numbers, angles as powers of a primitive root of unity of order 2m",
    )
    h = sympy.symbols("h")
    proof.symbolically("the clock", 1 - (1 - h), h, "h")
    entrywise(proof, "H(alpha) reflects directions", reflection(ALPHA) * direction(BETA), direction(ALPHA - BETA), "alpha, beta")
    v = sympy.Matrix([sympy.sin(ALPHA / 2), -sympy.cos(ALPHA / 2)])
    entrywise(proof, "H(alpha) = I - 2 v v'", reflection(ALPHA), sympy.eye(2) - 2 * v * v.T, "alpha")
    entrywise(proof, "Eq. 6: odd times", reflection(angle(J, 1)) * rotated(I), mirrored(I + J), "i, j, m")
    entrywise(proof, "Eq. 7: even times", reflection(angle(J, 0)) * mirrored(I), rotated(I + J), "i, j, m")
    for point in (rotated, mirrored):
        entrywise(proof, "c and d have period m", point(I + modulus(M)).applyfunc(sympy.expand), point(I).applyfunc(sympy.expand), "i, m")
    entrywise(proof, "c_i in turns of pi/m", mirrored(I), direction(sympy.expand((2 * (M - I) + 1) * sympy.pi / M)), "i, m")
    for m in range(1, 9):
        certify_closure(proof, f"sums modulo {m}", addition_by_reflections(m), lambda q, x, m=m: (q + x) % m, 0, list(range(m)))


@claim(
    "grazzi25.thm6.distance",
    place="App. D, states and decoder of the second layer",
    title="the 2m states of Theorem 6's second layer are at least 2 sin(π/2m) apart, so its decoder finds the sum",
    says=r"The states $c_i,d_i$ of Theorem 6's second layer lie at pairwise distances at least $2\sin(\pi/2m)$. The printed decoder, which maximises the inner product with them, finds the sum.",
    sabotages={
        "points of a polygon of m sides": {"turn": lambda j: j * sympy.pi / M},
        "m + 1 in the place of m": {"order": lambda m: m + 1},
    },
)
def states_apart(proof: Proof, turn=lambda j: j * sympy.pi / (2 * M), order=lambda m: m) -> None:
    r"""All states are corners of a regular polygon of $2m$ sides.

    1. $d_i$ and $c_i$ stand at the angles $k\pi/m$, $0\le k<2m$, once each. [uses: grazzi25.thm6] [checked: "c_i in turns of pi/m"]
    2. Points $k\ne0$ steps apart, $0<k<2m$, have squared distance $4\sin^2(k\pi/2m)$, and $\sin^2\frac{k\pi}{2m}-\sin^2\frac\pi{2m}=\sin\frac{(k+1)\pi}{2m}\sin\frac{(k-1)\pi}{2m}\ge0$.
       [checked: "the squared distance of points k steps apart"; "the gap to the nearest"; "sin t > 0"; "sin t >= 0"] [prose]
    3. Different points of the circle have an inner product below $1$, so the printed decoder finds $y$. [prose]
    """
    entrywise(proof, "c_i in turns of pi/m", mirrored(I), direction(sympy.expand((2 * (order(M) - I) + 1) * sympy.pi / M)), "i, m")
    k = sympy.symbols("k", real=True)
    gap = direction(BETA) - direction(BETA + k * sympy.pi / M)
    proof.symbolically("the squared distance of points k steps apart", gap.dot(gap), 4 * sympy.sin(turn(k)) ** 2, "beta, k, m")
    product = sympy.sin(turn(k) + turn(1)) * sympy.sin(turn(k) - turn(1))
    proof.symbolically("the gap to the nearest", sympy.sin(turn(k)) ** 2 - sympy.sin(turn(1)) ** 2, sympy.expand_trig(product), "k, m")
    positive_inside(proof)


@claim(
    "grazzi25.thm6.display",
    place="App. D, display of h_{i+1} in the induction",
    flaw="misprint",
    extracted=True,
    quotes=("then, using again (6) and (7), we obtain",),
    title="the two cases of the induction's last display are exchanged: at odd i, H(θ(x, 1)) c(y) is not c(x + y)",
    says=r"For odd $i$, $h_{i+1}=H(\theta(x_{i+1},1))c_{y_i}=c_{x_{i+1}+y_i}$.",
    reading="as printed; Eq. 6 and 7 give H(theta(x, 0)) c_y = d_{x+y} there",
    letter="In the last display of App. D's induction the two cases are exchanged. At odd i the next reflection is H(theta(x, 0)) and leads to d, at even i it is H(theta(x, 1)) and leads to c. Your (6) and (7) have it so.",
    sabotages={"the labels of Eq. 7": {"odd": 0, "target": lambda m, s: mirror(m, 2 * s)[:, :1]}},
)
def induction_display(proof: Proof, odd: int = 1, target=lambda m, s: mirror(m, 1 - 2 * s)[:, :1]) -> None:
    """H(theta(x, 1)) c_y stands at the angle 2 (y - x) pi/m, an even multiple of pi/m, and every c at an odd one.

    At m = 1: c_0 = (-1, 0), H(theta(0, 1)) = diag(-1, 1), and the image is (1, 0) = d_0, not c_0."""

    def differs(case: tuple[int, int, int]) -> bool:
        m, x, y = case
        c = mirror(m, 1 - 2 * y)[:, :1]
        image = mirror(m, 1 - 2 * x if odd else 1 + 2 * x) @ c
        return not np.array_equal(image, target(m, x + y))

    cases = [(m, x, y) for m in range(1, 5) for x in range(m) for y in range(m)]
    found = proof.smallest("m, then x, y below m", cases, differs)
    if found:
        m, x, y = found[0]
        c = mirror(m, 1 - 2 * y)[:, :1]
        image = mirror(m, 1 - 2 * x) @ c
        proof.counterexample(
            given={"m": m, "x": x, "y": y, "c_y": c[:, 0], "H(theta(x, 1)) c_y": image[:, 0], "c_{x+y}": target(m, x + y)[:, 0]},
            words={"below": x < m and y < m, "differ": not np.array_equal(image, target(m, x + y))},
            minimal=f"m = {m}",
        )
        proof.certificate("witness", "a modulus, a letter and a sum", m=m, x=x, y=y)


@claim(
    "grazzi25.thm6.eq7",
    place="App. D, Eq. 7, first line",
    flaw="misprint",
    extracted=True,
    quotes=("and similarly",),
    title="the first line of Eq. 7 has θ(j, 1) on the right where θ(j, 0) is meant",
    says=r"$H(\theta(j,0))c_i=H(\theta(j,1))R(-2i\pi/m)c_0$ for all $i,j<m$.",
    reading="as printed; the second line of Eq. 7 has theta(j, 0) again. One digit, which extraction may have changed",
    letter="In the first line of (7) the right side should begin with H(theta(j, 0)), not with H(theta(j, 1)). The second line has it right.",
    sabotages={"theta(j, 0), as in the second line": {"odd": 0}},
)
def first_line_of_eq7(proof: Proof, odd: int = 1) -> None:
    """c_i = R(-2i pi/m) c_0, so the two sides are one vector reflected at two lines: H(theta(j, 0)) and H(theta(j, 1)) differ unless m divides 2j.

    At m = 3, i = 0, j = 1 the left side stands at 120 degrees, the right side at 240."""

    def sides(case: tuple[int, int, int]):
        m, i, j = case
        c = mirror(m, 1 - 2 * i)[:, :1]
        return mirror(m, 1 + 2 * j) @ c, mirror(m, 1 - 2 * j if odd else 1 + 2 * j) @ c

    cases = [(m, i, j) for m in range(1, 5) for i in range(m) for j in range(m)]
    found = proof.smallest("m, then i, j below m", cases, lambda case: not np.array_equal(*sides(case)))
    if found:
        m, i, j = found[0]
        left, right = sides(found[0])
        proof.counterexample(
            given={"m": m, "i": i, "j": j, "left": left[:, 0], "right": right[:, 0]},
            words={"below": i < m and j < m, "differ": not np.array_equal(left, right)},
            minimal=f"m = {m}",
        )
        proof.certificate("witness", "a modulus and two letters", m=m, i=i, j=j)


@claim(
    "grazzi25.thm6.sum",
    place="App. D, first sentence",
    flaw="misprint",
    extracted=True,
    quotes=(r"into $y_t = (\sum_{i=1}^m x_i) \bmod m$ for arbitrary $t \in \mathbb{N}$",),
    title="the sum that yₜ is said to be runs to the modulus m instead of the time t",
    says=r"The stack maps $x_1\dots x_t$ to $y_t=(\sum_{i=1}^mx_i)\bmod m$, for arbitrary $t$.",
    reading="as printed, for t >= m, where the sum is defined; the last line of the proof has another bound, i",
    letter="In the first sentence of App. D the sum should run to t, not to the modulus m. The last sum of the proof, which runs to i, should run to t as well.",
    sabotages={"the sum runs to t": {"last": lambda m, t: t}},
)
def sum_to_the_modulus(proof: Proof, last=lambda m, t: m) -> None:
    """For m = 2 and the word 001 the printed sum is x_1 + x_2 = 0; the network, rightly, outputs 1."""

    def breaks(case):
        m, word = case
        return addition_by_reflections(m).run(word)[-1] != sum(word[: last(m, len(word))]) % m

    cases = [(2, word) for t in (2, 3) for word in np.ndindex(*[2] * t)]
    found = proof.smallest("m = 2, words of length 2 and 3", cases, breaks)
    if found:
        m, word = found[0]
        output = addition_by_reflections(m).run(word)[-1]
        proof.counterexample(
            given={"m": m, "word": list(word), "output": output, "printed sum": sum(word[:m]) % m},
            words={"letters": max(word) < m <= len(word), "output": output != sum(word[: last(m, len(word))]) % m},
            minimal=f"m = {m}, a word of length {len(word)}",
        )
        proof.certificate("witness", "a word, and what the network outputs", m=m, word=list(word), output=output)


# -- dihedral groups -------------------------------------------------------------------------------------------------------


@claim(
    "new.automata.dihedral",
    place="after grazzi25 Theorem 6; open question at the end of Sec. 6",
    title="every dihedral group, S₃ among them, in two layers of width 2 with exactly one reflection per letter and layer",
    says=r"For every $m$ a stack of two layers of width $2$, each transition one reflection and $B=0$, outputs the product of the letters in $D_m$; $D_3\cong S_3$.",
    known="Siems et al., DeltaProduct (arXiv 2502.10297): two layers of DeltaNet [-1, 1] solve dihedral groups, and S_n four layers. What remains here: width 2 and H_0 of two signs, "
    "one reflection per letter and layer, B = 0, and a proof for all m by identities.",
    construction="lemmata.constructions.automata.layers.reflections.dihedral_by_reflections",
    sabotages={
        "reflections are taken for rotations": {"product": lambda theta, sigma, a, kind: (theta + a, sigma)},
        "the sign stays at a rotation": {"turned": lambda eta, kind: eta},
        "layer 2 flips at one fixed line": {"axis": lambda eta, a: sympy.S.Zero},
    },
)
def dihedral_groups(
    proof: Proof,
    product=lambda theta, sigma, a, kind: (theta + a, sigma) if kind == "r" else (a - theta, -sigma),
    turned=lambda eta, kind: -eta if kind == "r" else eta,
    axis=lambda eta, a: 2 * sympy.pi * eta * a / M,
) -> None:
    r"""A layer of single reflections can only flip, so it keeps the angle up to a sign that changes at every rotation.

    1. Write the product so far as $r^\theta s^\epsilon$. A letter $r^a$ makes $\theta+a$ of $\theta$, a letter $r^as$ makes $a-\theta$ and flips $s$: $r^as\,r^\theta s^\epsilon=r^{a-\theta}s^{1-\epsilon}$.
       [checked: "the group law, on matrices"]
    2. Layer 1 holds the signs $\eta$ and $\sigma=(-1)^\epsilon$; $\eta$ flips at rotations, $\sigma$ at reflections: one coordinate changes its sign at every letter. [checked: "layer 1 flips one coordinate"]
    3. Layer 2 holds the direction of angle $2\pi\varphi/m$, $\varphi=\eta\theta$. The reflection $H(2\pi\eta'a/m)$, $\eta'$ the sign after the letter, takes $\varphi$ to $\eta'a-\varphi$, whatever $\eta'$ is.
       [checked: "H(alpha) reflects directions"; "phi goes to eta' a - phi"]
    4. So $\theta'=\eta'\varphi'$ is $\theta+a$ after $r^a$ (where $\eta'=-\eta$) and $a-\theta$ after $r^as$ (where $\eta'=\eta$), in all four cases of $\eta$ and the letter. This is the step of an induction
       over the word. [checked: "theta after the letter"; "sigma after the letter"] [prose]
    5. Only $\theta$ modulo $m$ matters, and $m$ points of the circle at multiples of $2\pi/m$ differ. The decoder reads $\varphi$ from layer 2 and multiplies by $\eta$, which layer 1 hands up.
       [checked: "a full turn is none"; "the squared distance of two points"; "sin t > 0"] [prose]
    6. $D_3\cong S_3$: the symmetries of a triangle are all $3!=6$ permutations of its corners. [checked: "the six elements of D_3 permute"; "a product of D_3"]
    """
    a, t = sympy.symbols("a t", real=True)
    s = sympy.diag(1, -1)
    turn = lambda x: rotation(2 * sympy.pi * x / M)  # noqa: E731
    entrywise(proof, "the group law, on matrices: r^a r^theta", turn(a) * turn(t), turn(product(t, 1, a, "r")[0]), "a, theta, m")
    entrywise(proof, "the group law, on matrices: r^a s r^theta", turn(a) * s * turn(t), turn(product(t, 1, a, "s")[0]) * s, "a, theta, m")
    entrywise(proof, "H(alpha) reflects directions", reflection(ALPHA) * direction(BETA), direction(ALPHA - BETA), "alpha, beta")
    point = lambda x: direction(2 * sympy.pi * x / M)  # noqa: E731
    sigma = sympy.symbols("sigma")
    for eta, kind in proof.every("both signs and both kinds of letter", [(eta, kind) for eta in (1, -1) for kind in "rs"], limited=False):
        after = turned(eta, kind)
        expected, sign = product(t, sigma, a, kind)
        flips = (after != eta) + (sign != sigma)
        proof.exactly("layer 1 flips one coordinate", flips, 1)
        phi = after * a - eta * t
        entrywise(proof, "phi goes to eta' a - phi", reflection(axis(after, a)) * point(eta * t), point(phi), "a, theta, m")
        proof.symbolically("theta after the letter", after * phi, expected, "a, theta")
        proof.symbolically("sigma after the letter", sign, sigma if kind == "r" else -sigma, "sigma")
    entrywise(proof, "a full turn is none", direction(sympy.expand(2 * sympy.pi * (t + M) / M)), point(t), "theta, m")
    gap = point(I) - point(J)
    proof.symbolically("the squared distance of two points", gap.dot(gap), 4 * sympy.sin(sympy.pi * (I - J) / M) ** 2, "i, j, m")
    positive_inside(proof)
    corners = {(x, e): tuple((x + (1 - 2 * e) * corner) % 3 for corner in range(3)) for x in range(3) for e in (0, 1)}
    for g, moved in proof.every("the six elements of D_3", corners.items(), limited=False):
        proof.exactly("the six elements of D_3 permute the corners in six ways", [h for h in corners if corners[h] == moved], [g])
        for (x, e), then in corners.items():
            after = dihedral_step(3, g, ("s" if e else "r", x))
            proof.exactly(
                "a product of D_3 permutes the corners as its factors do", corners[after], tuple(then[corner] for corner in moved)
            )
    for m in range(1, 7):
        letters = [(kind, x) for kind in "rs" for x in range(m)]
        certify_closure(proof, f"D_{m}", dihedral_by_reflections(m), lambda g, x, m=m: dihedral_step(m, g, x), (0, 0), letters)
