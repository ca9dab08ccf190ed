"""Linear decoders for Theorem 4 (grazzi25, App. A.4.1): one number of each layer's state is enough, since the next layer's A and B are free functions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any

from ...constructions.automata import Automaton, krohn_rhodes
from ...constructions.automata.levels.repaired import repaired_stack
from ...constructions.automata.read.families import all_automata, random_automaton
from ...constructions.recurrence import Recurrence, Stack, reachable_with
from ...numerics import exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof


def _telling(states: Sequence[Array]) -> Array:
    """(1, t, t^2, ...), t the least number for which this row takes different values on the states."""
    n = len(states[0])
    rows = (exact.rationals([t**i for i in range(n)]) for t in range(1 + (n - 1) * len(states) ** 2))
    return next(c for c in rows if len({exact.freeze(c @ H) for H in states}) == len(states))


def _with_linear_decoders(
    stack: Stack, states: Sequence[Sequence[Array]], row: Callable[[Sequence[Array]], Array]
) -> tuple[Stack, Callable]:
    """The stack whose layers hand up (c H, what they read), and the function that finds the printed letters of the old one in it.

    Layer i reads (c_(i-1) H^(i-1), ..., c_1 H^(1), x) and finds in it what layer i of the old stack read: the states belong to the numbers.
    """
    rows = [row(found) for found in states]
    tables = [{exact.freeze(c @ H): H for H in found} for c, found in zip(rows, states, strict=True)]

    def letter(read: tuple, level: int) -> Hashable:
        *numbers, x = read
        for layer, table, number in zip(stack.layers[:level], tables, reversed(numbers), strict=False):
            x = layer.decode(table[(number,)], x)
        return x

    def layer(level: int) -> Recurrence:
        old, c = stack.layers[level], rows[level]
        read = lambda y: letter(y if level else (y,), level)  # noqa: E731
        return Recurrence(
            lambda y: old.transition(read(y)),
            lambda y: old.inputs(read(y)),
            old.initial,
            lambda H, y: ((c @ H)[0], *(y if level else (y,))),
        )

    return Stack(tuple(layer(i) for i in range(len(stack.layers)))), lambda y: letter(y, len(stack.layers))


@claim(
    "grazzi25.appA4.linear",
    place="App. A.4.1, last paragraph: the decoder of Theorem 4",
    title="linear decoders suffice for Theorem 4: each layer hands up one number of its state and what it read",
    says=r"The stacks of Theorem 4 keep working with $\mathrm{dec}^{(i)}(H,y)=(c_i^\top H,y)$ for suitable $c_i\in\mathbb N^{n_i}$: the outputs, of $s+1$ numbers, determine the automaton's state. One more layer, with $n=1$, $A=0$ and "
    r"$\mathrm{dec}(H,y)=H$, outputs whether a language holds the word.",
    reading="linear in the state and in what is read; the next layer's A and B, and the function that names the state in the end, are free",
    hypotheses=("the matrices of grazzi25.thm4, which are not the printed ones",),
    uses=("grazzi25.thm4",),
    sabotages={
        "the entries of the state are added up": {"row": lambda states: _telling(states) * 0 + 1},
        "every word is accepted": {"accepts": lambda q, R: True},
    },
)
def linear_decoders(
    proof: Proof, row: Callable[[Sequence[Array]], Array] = _telling, accepts: Callable[[int, frozenset], bool] = lambda q, R: q in R
) -> None:
    r"""A generic row tells a layer's finitely many states apart.

    1. Each layer of Theorem 4 has finitely many states. A row $c=(1,t,t^2,\dots)$ takes different values on them for some $t$, since each difference excludes at most $n-1$ numbers $t$.
       [uses: grazzi25.thm4] [checked: "different values on the states"]
    2. So $c_i^\top H^{(i)}$, handed up with all that was read, tells the next layer $H^{(i)}$; its $A$ and $B$ may first apply the old decoders. The last output determines the states of all layers and hence the
       automaton's state: closed, all words. [checked: "the output determines the automaton's state"] [prose]
    3. A layer with $A=0\in\mathcal M^1_1(\{0\})$ and $B(y)\in\{0,1\}$ has $H=B(y)$, which it hands up. [checked: "the last layer says whether the word is accepted"]
    4. The same for every automaton. [prose]
    """
    count = proof.pick(3, 10, 30)
    rng = Random(334)
    family = [*all_automata(2, 2), *(random_automaton(rng, rng.randint(2, 4), 2) for _ in range(count))]
    for a in proof.each(
        f"all automata with 2 states and 2 letters, {count} random ones with up to 4, seed 334; every word by closure", family
    ):
        automaton = a.reachable()
        R = frozenset({automaton.n - 1})
        stack = repaired_stack(krohn_rhodes(automaton))
        reached = reachable_with(stack, automaton.step, automaton.start, automaton.letters, lambda q: q)
        states = [_different(networks) for networks in zip(*(network for network, _ in reached.pairs), strict=True)]
        linear, state_of = _with_linear_decoders(stack, states, row)
        for found in states:
            proof.exactly("different values on the states", len({exact.freeze(row(found) @ H) for H in found}), len(found))
        proof.exactly(
            "the output determines the automaton's state",
            _first_mistake(Stack((*linear.layers, _named(state_of))), automaton, lambda q: q),
            None,
        )
        last = Recurrence(
            lambda y: exact.zeros(1, 1),
            lambda y, automaton=automaton, state_of=state_of, R=R: exact.rationals([[int(accepts(state_of(y), R))]]),
            exact.zeros(1, 1),
            lambda H, y: H[0, 0],
        )
        mistake = _first_mistake(Stack((*linear.layers, last)), automaton, lambda q, R=R: int(q in R))
        proof.exactly("the last layer says whether the word is accepted", mistake, None)


def _named(state_of: Callable[[Any], Any]) -> Recurrence:
    """What names the automaton's state in the end, as a layer without memory."""
    silent = exact.zeros(1, 1)
    return Recurrence(lambda y: silent, lambda y: silent, silent, lambda H, y: state_of(y))


def _first_mistake(stack: Stack, automaton: Automaton, output: Callable[[int], Any]) -> Any:
    """The shortest word after which the output is wrong; None if there is none."""
    found = reachable_with(stack, automaton.step, automaton.start, automaton.letters, output)
    return found.mismatch if found.closed else "not closed"


def _different(states: Sequence[Array]) -> list[Array]:
    return list({exact.freeze(H): H for H in states}.values())
