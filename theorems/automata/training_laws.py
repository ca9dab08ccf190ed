"""Training at compiled weights: the second derivative of the loss grows as T squared, as T, or not at all with the length T of the words."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import sympy
from flint import fmpq

from ...constructions.automata.layers import perturbed
from ...constructions.automata.layers.perturbed import conjugated, growth, limits, mirror, second_moments, step_size, turned
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .one_factor import mirrors

#: maps, directions, start
Perturbed = tuple[list[Array], list[Array], Array]


def key_of(A: Array) -> Array:
    """A key of a reflection: a column of I - A that is not 0."""
    rest = exact.identity(len(A)) - A
    return next(rest[:, [i]] for i in range(len(A)) if (rest[:, i] != 0).any())


def cases() -> dict[str, tuple[Perturbed, int]]:
    """Directions at compiled weights with the power of T: S_4 by nine mirrors of the cube, and Z_4 by a quarter turn or nothing."""
    start = exact.rationals([[1], [2], [4]])
    keys = [key_of(A) for A in mirrors()]
    maps = [mirror(k) for k in keys]
    still = exact.zeros(3, 3)
    skew = exact.rationals([[0, 1, 0], [-1, 0, 0], [0, 0, 0]])
    quarter, one = exact.rationals([[0, -1], [1, 0]]), exact.identity(2)
    return {
        "S_4, all step sizes": ((maps, [step_size(k) for k in keys], start), 2),
        "S_4, one step size": ((maps, [step_size(keys[0]), *[still] * 8], start), 2),
        "S_4, one key": ((maps, [turned(keys[0], exact.rationals([[0], [1], [0]])), *[still] * 8], start), 1),
        "S_4, the letters conjugated": ((maps, [conjugated(A, skew) for A in maps], start), 0),
        "Z_4, the angle of the turn": (([one, quarter], [one * 0, quarter @ quarter], one[:, :1]), 2),
        "parity, the step size": (([one[:1, :1], -one[:1, :1]], [one[:1, :1] * 0, one[:1, :1]], one[:1, :1]), 2),
    }


def power_of(found: perturbed.Limits) -> int:
    """2 if the drift is not 0, else 1 if the variance is not, else 0."""
    return 2 if (found.drift != 0).any() else int(found.variance != 0)


@claim(
    "new.automata.hessian",
    place="after grazzi25 Theorem 3",
    title="at compiled weights the loss's second derivative grows as T² (β), as T (a key turned), or not (letters conjugated)",
    says=r"Independent uniform letters, $B=0$, orthogonal $A(x)$ that generate a finite group, $h_T$ the state, and $D_T$ its derivative along $A(x)+\varepsilon X_x$. The mean squared loss of the last state has the second derivative $2\,\mathbb E|D_T|^2$ at $\varepsilon=0$. Let $f(g,x)=g^{-1}A(x)^{-1}X_xgh_0$, with the mean $\bar f$ over the group and the letters. "
    r"If $\bar f\ne0$, then $\mathbb E|D_T|^2/T^2\to|\bar f|^2$. If $\bar f=0$, it is of order $T$, or bounded: bounded iff $f(g,x)=F(A(x)g)-F(g)$ for some $F$. So the $\beta$ of a reflection grows it as $T^2$ if its key is not orthogonal to all states. For rotations or turned keys it is $T$ at most if the representation is irreducible of real type, and $T^2$ for a turn of the plane by another angle. Conjugating the letters alone leaves it bounded. "
    r"For $S_4$ by the nine mirrors of the cube: exactly $T^2$, $T$, $1$.",
    hypotheses=("squared loss at the last position; the readout is an isometry; start and readout stay fixed",),
    known="additive functionals of finite Markov chains by Poisson's equation (Gordin 1969), from memory. The three laws for compiled recurrent layers have no source that we know.",
    construction="lemmata.constructions.automata.layers.perturbed.limits",
    sabotages={
        "keys that change their length": {"directions": lambda chosen: _longer_keys(chosen)},
        "the frame does not move": {"limits_of": lambda maps, directions, start: limits([A @ A for A in maps], directions, start)},
        "the derivative of the last letter only": {"moments": lambda *given: second_moments(*given)[:1] * (given[3] + 1)},
    },
)
def three_laws(
    proof: Proof,
    directions: Callable[[dict[str, tuple[Perturbed, int]]], dict[str, tuple[Perturbed, int]]] = lambda chosen: chosen,
    limits_of: Callable[..., perturbed.Limits] = limits,
    moments: Callable[..., list[Any]] = second_moments,
) -> None:
    r"""Write $g_t=A(x_t)\cdots A(x_1)$, a walk on the finite group $\Gamma$ of the maps.

    1. $D_T=g_T\sum_tg_{t-1}^{-1}A(x_t)^{-1}X_{x_t}g_{t-1}h_0=g_T\sum_tf(g_{t-1},x_t)$, and $g_T$ keeps lengths. The loss is $\varepsilon^2\mathbb E|D_T|^2+O(\varepsilon^3)$. [prose]
    2. The walk is irreducible and keeps the uniform distribution. So $(1-K)\phi=\mathbb E_xf(\cdot,x)-\bar f$ has a solution, and $f(g,x)-\bar f+\phi(A(x)g)-\phi(g)$ has mean $0$ after each $g$. The sum is $T\bar f$, a martingale $M_T$ and a bounded rest. [prose]
    3. $\mathbb E|M_T|^2$ is a sum of the means of squared increments: it is $T\sigma^2+o(T)$, where $\sigma^2$ is their mean over $\Gamma$ and the letters, and every pair $(g,x)$ occurs with a positive frequency. So $\sigma^2=0$ makes $M=0$, and $f-\bar f=F(A(x)g)-F(g)$ with $F=-\phi$. [prose]
    4. $\beta$: with the projection $p$ on a key, $(1-2p)^{-1}(-p)=p$, so $\langle\bar f,h_0\rangle$ is a mean of squares $(k^\top gh_0)^2/|k|^2$. It is positive if a key is not orthogonal to all states. [checked: "the step size's direction is a projection"] [prose]
    5. Directions that keep $A(x)$ orthogonal have a skew $A(x)^{-1}X_x$. The mean of its conjugates over $\Gamma$ is skew and commutes with $\Gamma$: it is $0$ if only multiples of $1$ commute with $\Gamma$. In the plane all rotations commute. [prose]
    6. Conjugation: $A^{-1}(ZA-AZ)=A^{-1}ZA-Z$, so $f=F(A(x)g)-F(g)$ with $F(g)=g^{-1}Zgh_0$. [prose]
    7. $\mathbb E|D_T|^2$ satisfies a recurrence of degree $3n^2$ at most, so its first values decide the order of growth for all $T$: the multiplicity of the root $1$. [checked: "the least recurrence has the root 1 as often"; "all other roots are smaller"]
    8. The limits of steps 2 and 3 from the group agree with it. [checked: "drift and variance say the same power"]
    """
    p = sympy.Symbol("p")
    proof.symbolically("the step size's direction is a projection: modulo p^2 = p", (1 - 2 * p) * -p - p, 2 * (p**2 - p), free="p")
    chosen = directions(cases())
    for name in proof.every("S_4 by nine mirrors, Z_4 by a quarter turn, parity", chosen, limited=False):
        (maps, moved, start), power = chosen[name]
        found, settled = growth(maps, moved, start)
        proof.exactly("the least recurrence has the root 1 as often as the law says, less one", found, power)
        proof.holds("all other roots are smaller than 1 in modulus, or -1 once", settled)
        proof.exactly("drift and variance say the same power of T", power_of(limits_of(maps, moved, start)), power)
    with proof.beside():
        for name in proof.each("the same directions, all words of length 3, float64", chosen):
            (maps, moved, start), _ = chosen[name]
            wanted = 2 * float(moments(maps, moved, start, 3)[3])
            proof.closely(
                "twice the second moment is the loss's second difference", abs(second_difference(maps, moved, start, 3) - wanted), 1e-4
            )
    exact_limits = {name: limits(*case) for name, (case, _) in chosen.items()}
    proof.exhibit(
        "the square of the drift, and the variance", **{name: ((l.drift @ l.drift), l.variance) for name, l in exact_limits.items()}
    )


def second_difference(maps: list[Array], directions: list[Array], start: Array, length: int, step: float = 1e-4) -> float:
    """The second difference at 0 of the mean squared distance of the last state from the unperturbed one, over all words, in float64."""
    A, X, h = (np.array([exact.as_float(M) for M in given]) for given in (maps, directions, [start]))
    losses = []
    for e in (-step, step):
        moved = A + e * X
        total = 0.0
        for word in product(range(len(A)), repeat=length):
            near, far = h[0], h[0]
            for x in word:
                near, far = A[x] @ near, moved[x] @ far
            total += float(((near - far) ** 2).sum())
        losses.append(total / len(A) ** length)
    return sum(losses) / step**2


def _longer_keys(chosen: dict[str, tuple[Perturbed, int]]) -> dict[str, tuple[Perturbed, int]]:
    (maps, moved, start), power = chosen["S_4, one key"]
    return chosen | {"S_4, one key": ((maps, [moved[0] + step_size(key_of(maps[0])), *moved[1:]], start), power)}


# -- parity: the loss in closed form --------------------------------------------------------------------------------------------


def ones_moment(r: Any, T: Any) -> Any:
    """The mean of r^n, n the number of ones in a random word of length T."""
    return ((1 + r) / 2) ** T


def entropy(s: Any, n: Any, delta: Any) -> Any:
    """The cross-entropy of a word with n ones at the logit s times the state, with beta = 2 - delta: its right sign times (1 - delta)^n."""
    return sympy.log(1 + sympy.exp(-s * (1 - delta) ** n))


@claim(
    "new.automata.hessian.parity",
    place="after grazzi25 Theorem 3",
    title="parity: second derivative (T² + T)/2 in β for squared loss; for cross-entropy compiled weights are not critical",
    says=r"For $h_t=(1-\beta x_t)h_{t-1}$ at $\beta=2-\delta$ and uniform words of length $T$ the mean squared loss is $1-2(1-\delta/2)^T+((1+(1-\delta)^2)/2)^T$, with second derivative $(T^2+T)/2$ at $\delta=0$: there gradient descent is stable for steps below $4/(T^2+T)$. "
    r"With logits $\pm s$, cross-entropy has the derivative $sn\,\sigma(-s)$ at a word with $n$ ones, positive for every $n\ge1$: no finite $s$ makes $\beta=2$ critical. Its second derivative is $sn\,\sigma(-s)(sn\,\sigma(s)-n+1)$.",
    hypotheses=("letters 0 and 1, independent and uniform; gradient descent on beta alone, not Adam",),
    known="that steps above 2 over the curvature leave a minimum is standard. The closed forms have no source that we know.",
    construction="lemmata.constructions.automata.layers.perturbed.second_moments",
    sabotages={
        "a mean over letters 1 only": {"moment": lambda r, T: r**T},
        "the logit is left out of the chain rule": {"loss": lambda s, n, delta: entropy(1, n, delta)},
    },
)
def parity_in_closed_form(
    proof: Proof, moment: Callable[[Any, Any], Any] = ones_moment, loss: Callable[[Any, Any, Any], Any] = entropy
) -> None:
    r"""A word with $n$ ones has the state $\pm(1-\delta)^n$, the sign being right.

    1. The squared loss of a word is $(1-(1-\delta)^n)^2$; the mean of $r^n$ is $((1+r)/2)^T$. [checked: "the mean of r^n"] [prose]
    2. Its first derivative vanishes at $\delta=0$, its second is $(T^2+T)/2$. [checked: "the gradient is 0"; "the second derivative is (T^2 + T)/2"]
    3. A step of size $\eta$ multiplies a small $\delta$ by $1-\eta(T^2+T)/2$. [prose]
    4. The derivatives of $\log(1+e^{-s(1-\delta)^n})$ at $\delta=0$ are as said. [checked: "cross-entropy: the first derivative"; "cross-entropy: the second derivative"]
    """
    T, n, s, r = sympy.symbols("T n s r", positive=True)
    d = sympy.Symbol("delta", real=True)
    proof.symbolically("the mean of r^n: one letter more", moment(r, T + 1), moment(r, T) * (1 + r) / 2, free="r, T")
    mean = 1 - 2 * moment(1 - d, T) + moment((1 - d) ** 2, T)
    proof.symbolically("the gradient is 0", sympy.diff(mean, d).subs(d, 0), 0, free="T")
    proof.symbolically("the second derivative is (T^2 + T)/2", sympy.diff(mean, d, 2).subs(d, 0), (T**2 + T) / 2, free="T")
    sigma = 1 / (1 + sympy.exp(-s))
    first, second = (sympy.diff(loss(s, n, d), d, k).subs(d, 0) for k in (1, 2))
    proof.symbolically("cross-entropy: the first derivative", first, s * n * (1 - sigma), free="s, n")
    proof.symbolically("cross-entropy: the second derivative", second, s * n * (1 - sigma) * (s * n * sigma - n + 1), free="s, n")
    one = exact.identity(1)
    with proof.beside():
        for length in proof.each("T <= 64", (1, 2, 3, 8, 64)):
            closed = fmpq(length * length + length, 4)
            proof.exactly("by transfer operators", second_moments([one, -one], [one * 0, one], one, length)[length], closed)
            curvature = (length**2 + length) / 2
            proof.holds(
                "steps below the bound return, steps above it leave",
                descends(length, 1.9 / curvature) and not descends(length, 2.1 / curvature),
            )


def descends(T: int, step: float, start: float = 1e-6, steps: int = 60) -> bool:
    """Whether gradient descent on delta comes nearer to 0 in float64."""
    delta = start
    for _ in range(steps):
        gradient = T * (1 - delta / 2) ** (T - 1) - T * ((1 + (1 - delta) ** 2) / 2) ** (T - 1) * (1 - delta)
        delta -= step * gradient
    return abs(delta) < start
