"""Nonnegative eigenvalues and finitely many states, held exactly: such layers take a repeated letter for one, as bistable units do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from ...constructions.recurrence import Recurrence, Stack
from ...numerics import exact
from ...numerics.finite_precision import FiniteSet
from ..claim import claim
from ..evidence import Proof

LETTERS = ("a", "b", "c")

#: rational orthonormal bases of the plane, whose vectors are keys
BASES = tuple(exact.rationals([[c, s], [-s, c]]) for c, s in ((1, 0), (fmpq(3, 5), fmpq(4, 5)), (fmpq(-5, 13), fmpq(12, 13))))


def delta_step(key: np.ndarray, beta: Any, value: Any) -> tuple[np.ndarray, np.ndarray]:
    """A and b of the delta rule h -> (I - beta k k^T) h + beta v k, for a key of length 1."""
    k = key[:, None]
    return exact.identity(len(key)) - fmpq(beta) * (k @ k.T), fmpq(beta) * fmpq(value) * k


def random_stack(rng: Random, beta: int) -> Stack:
    """Two DeltaNet layers of width 2 with finitely many states: each letter that a layer reads writes at one of two orthonormal keys, or nowhere.

    The second layer reads the letter and the first one's new state. ``beta`` is 1; 2 turns the component at a key round.
    """

    def layer(decode: Callable[[Any, Any], Any]) -> Recurrence:
        basis, table = rng.choice(BASES), {}

        def step(letter: Any) -> tuple[np.ndarray, np.ndarray]:
            if letter not in table:
                table[letter] = delta_step(rng.choice(list(basis)), rng.choice((0, beta)), rng.choice((-1, 0, 1)))
            return table[letter]

        return Recurrence(lambda x: step(x)[0], lambda x: step(x)[1], exact.zeros(2, 1), decode)

    return Stack((layer(lambda H, x: (x, exact.freeze(H))), layer(lambda H, x: exact.freeze(H))))


def reached(stack: Stack, letters: Sequence[Any], limit: int = 500) -> list[tuple[np.ndarray, ...]] | None:
    """The states that words lead to; None if there are more than ``limit``."""
    found = {tuple(map(exact.freeze, stack.initial)): stack.initial}
    for states in (waiting := [stack.initial]):
        for x in letters:
            new = stack.step(states, x)[0]
            if found.setdefault(tuple(map(exact.freeze, new)), new) is new:
                waiting.append(new)
        if len(waiting) > limit:
            return None
    return waiting


def frozen(states: tuple[np.ndarray, ...]) -> tuple:
    """The states of all layers as something that can be compared."""
    return tuple(map(exact.freeze, states))


@claim(
    "new.automata.settled",
    place="after grazzi25 Theorem 1; degeeter26 Eq. 11",
    title="with finitely many exact states, stacks of diagonalisable layers with spectrum in [0, ∞) are invariant under stuttering",
    says=r"Let all transitions of all layers be diagonalisable over $\mathbb R$ with eigenvalues $\ge0$, and let words lead each layer to finitely many states, held exactly. Then each letter acts on these states as it does twice, "
    r"and the outputs after $uxv$ and $uxxv$ agree for all letters $x$ and words $u,v$, $v$ empty or not: so no such stack tells whether two ones have come.",
    hypotheses=("every layer reads what the layer below makes of its new state and of what it read; decoders are any functions",),
    known="for bistable units, where eigenvalues are 0 and 1, new.bistable.stutter. Grazzi et al. (Theorem 1) and Sarrof, Veitsman, Hahn (arXiv 2405.17394) exclude parity for such spectra; the latter recognise all star-free languages with diagonal ones, "
    "in a model of precision that reads rounded states, and so sees yesterday's letter (new.automata.settled.cast). That exact states do not was not found.",
    remarks=(
        r"Diagonal transitions with entries $\ge0$ (Mamba, GLA), $I-\beta kk^\top$ with $\beta\|k\|^2\le1$ (DeltaNet [0, 1]), with or without a gate in $[0,1]$, are such.",
        "The premise is strong: in the eigenbasis of a letter, a coordinate that takes two reached values is overwritten (eigenvalue 0) or held (eigenvalue 1). "
        "A decay strictly between 0 and 1 that moves a state reaches infinitely many. So Mamba, GLA and DeltaNet are covered for such weights only, and without a short convolution before the layer.",
        r"Diagonalisable is needed: the delay $\begin{pmatrix}0&0\\1&0\end{pmatrix}$ has the eigenvalue $0$ alone, and remembers yesterday's letter. So is the sign: $h\mapsto1-h$.",
    ),
    uses=("new.bistable.stutter",),
    sabotages={
        "eigenvalues -1": {"beta": 2},
        "signs settle too, which the kernel refutes": {"theorem": "settled.signs_settle"},
    },
)
def settled(proof: Proof, beta: int = 1, theorem: str = "settled.stutter_blind") -> None:
    r"""A monotone map of a finite set of numbers that is one-to-one moves nothing.

    1. In the eigenbasis of $A(x)$ a letter $x$ acts on coordinate $j$ as $f(h)=ah+b$ with $a\ge0$, and the coordinates of the reached states are a finite set that repeating $x$ does not leave. [prose]
    2. If $a=0$, $f$ is constant. If $a>0$, $f$ is strictly increasing: were $f(h)>h$, then $h<f(h)<f(f(h))<\dots$ would be infinitely many values, and likewise for $f(h)<h$; so $f(h)=h$. Either way $f(f(h))=f(h)$. [checked: "the kernel: no stack"]
    3. So layer 1 does not move at the second $x$, and hands on what it handed on before: the next layer reads the same again. By induction no layer moves. [checked: "the kernel: no stack"]
    4. The kernel has all steps, for every width, depth and decoder. Beside it, random DeltaNet stacks of two layers with all their states. [checked: "each letter acts"; "some letter writes"]
    """
    proof.formally(
        "the kernel: no stack of such layers sees a letter repeated",
        theorem,
        whole="every width, depth, decoder and finite set of states",
        differs="any ordered field for the reals; one column of states for each layer; that a layer's states are finitely many is said of the words from one start",
    )
    proof.formally("the kernel: each letter acts as it does twice", "settled.letters_act_idempotently")
    proof.formally("the kernel: no such stack tells whether two ones have come", "settled.no_second_one")
    rng = Random(20)
    count = proof.pick(4, 12, 60)
    for _ in proof.each(f"{count} random stacks of two DeltaNet layers of width 2 over three letters, seed 20", range(count)):
        stack = random_stack(rng, beta)
        states = reached(stack, LETTERS) or []
        after = [(q, x, stack.step(q, x)[0]) for q in states for x in LETTERS]
        proof.holds("each letter acts as it does twice", all(frozen(stack.step(new, x)[0]) == frozen(new) for _, x, new in after))
        if len(proof.certificates) < 3 and any(frozen(new[:1]) != frozen(q[:1]) for q, _, new in after):
            low, lows = stack.layers[0], {frozen(q[:1]): q[0][:, 0] for q in states}
            steps = [{"A": low.transition(x), "b": low.inputs(x)[:, 0]} for x in LETTERS]
            proof.certificate("witness", f"a first layer with {len(lows)} states", letters=steps, states=list(lows.values()))
    proof.exactly("some letter writes in three of them", len(proof.certificates), 3)


#: the words that end in 11 are those whose state is read as 3/2
READINGS = FiniteSet([0, 1, fmpq(3, 2)])


@claim(
    "new.automata.settled.cast",
    place="after grazzi25 Eq. 4 (the cast model)",
    title="cast when it is read, one scalar with eigenvalue 1/3 sees the letter before: it tells whether a word ends in 11",
    says=r"Let $h_t=\frac13h_{t-1}+x_t$, $x_t\in\{0,1\}$, $h_0=0$, and let states be cast onto $\mathbb D=\{0,1,\frac32\}$ when they are read. After every word the reading is $0$ if the last letter is $0$, $\frac32$ if the word ends in $11$, "
    r"and $1$ otherwise. So the cast model computes, with eigenvalues in $[0,1]$, what no stack with such eigenvalues and finitely many exact states does (new.automata.settled).",
    known="that rounded readings of decaying states show the last letters is how Sarrof, Veitsman, Hahn (arXiv 2405.17394) recognise star-free languages by nonnegative diagonal recurrences; here it is the smallest case, with the gap between the models of precision",
    sabotages={"the eigenvalue is 1/2": {"a": fmpq(1, 2)}, "D is coarser": {"D": FiniteSet([0, 1, 2])}},
)
def settled_cast(proof: Proof, a: fmpq = fmpq(1, 3), D: FiniteSet = READINGS) -> None:
    r"""Three intervals that the words stay in, each with its own reading.

    1. Let $I_0=[0,\frac12)$, $I_{01}=[1,\frac76)$, $I_{11}=[\frac43,\frac32)$. The start is in $I_0$; $h\mapsto\frac13h$ maps all three into $I_0$; $h\mapsto\frac13h+1$ maps $I_0$ into $I_{01}$, and $I_{01}$ and $I_{11}$ into $I_{11}$. The maps are
       increasing and affine, so the ends of the half-open intervals decide. [checked: "each letter maps each interval"; "the start"] [prose]
    2. By induction on the word $h_t$ lies in $I_0$, $I_{01}$ or $I_{11}$ as it ends in $0$ (or is empty), in $1$ but not in $11$, or in $11$. [checked: "each letter maps each interval"] [prose]
    3. $\mathrm{cast}$ is constant on each interval, as it is nondecreasing, and equal at the lower end and just below the upper one. [checked: "one reading"] [prose]
    4. A stack of diagonalisable transitions with eigenvalues $\ge0$ and finitely many exact states answers alike after $1$ and after $11$. Here the readings are $1$ and $\frac32$.
       [uses: new.automata.settled]
    """
    ends = {"0": (fmpq(0), fmpq(1, 2)), "01": (fmpq(1), fmpq(7, 6)), "11": (fmpq(4, 3), fmpq(3, 2))}
    goes = {("0", 0): "0", ("01", 0): "0", ("11", 0): "0", ("0", 1): "01", ("01", 1): "11", ("11", 1): "11"}
    for h in proof.every("the start", [fmpq(0)], limited=False):
        proof.holds("the start lies in the first interval", ends["0"][0] <= h < ends["0"][1])
    for (name, x), target in proof.every("three intervals, two letters", goes.items(), limited=False):
        low, high = (a * end + x for end in ends[name])
        proof.holds(
            "each letter maps each interval into the one that the word's end names", ends[target][0] <= low and high <= ends[target][1]
        )
    for name, reading in proof.every("three intervals", (("0", 0), ("01", 1), ("11", fmpq(3, 2))), limited=False):
        low, high = ends[name]
        # cast takes the smaller element at a tie, so its value at the upper end is that just below it
        proof.exactly("one reading on each interval", [D.cast_scalar(low), D.cast_scalar(high)], [fmpq(reading)] * 2)
    proof.certificate("witness", "three intervals", a=a, D=D.values, intervals=[ends[name] for name in ("0", "01", "11")])
