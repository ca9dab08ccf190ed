"""How many complex diagonal layers a group needs: its derived length, which S_3 and S_4 attain."""

from __future__ import annotations

from collections.abc import Callable

from ...constructions.automata.layers.counter_stacks import Permutation, generated, inverse, product
from ...constructions.automata.layers.diagonal_stacks import diagonal_stack
from ...constructions.recurrence import Recurrence, Stack
from ...numerics import exact
from ..claim import claim
from ..closure import computes
from ..evidence import Proof


def derived_series(group: set[Permutation]) -> list[int]:
    """The orders of the derived subgroups, until they no longer fall."""
    orders = [len(group)]
    while True:
        commutators = {product(product(g, x), product(inverse(g), inverse(x))) for g in group for x in group}
        group = generated(sorted(commutators), len(next(iter(group))))
        if len(group) == orders[-1]:
            return orders
        orders.append(len(group))


def _one_layer_less(stack: Stack) -> Stack:
    """The last layer does nothing."""
    last = stack.layers[-1]
    idle = Recurrence(lambda x: last.transition(x) * 0 + exact.identity(len(last.initial)), last.inputs, last.initial, last.decode)
    return Stack((*stack.layers[:-1], idle))


@claim(
    "new.automata.derived-length",
    place="after grazzi25 Theorem 2",
    title="complex diagonal layers track S₃ in exactly two layers and S₄ in exactly three: the derived length is attained",
    says=r"With bounded states and a margin, $k$ complex diagonal layers track a finite group only if its derived length is at most $k$. For $S_3$ two layers of width 1 suffice, for $S_4$ three of widths 1, 1 and 2, with all elements as letters, transitions $\operatorname{diag}(\zeta^d)$ of modulus 1, no input, and finitely many exact states. So the least numbers are 2 and 3.",
    hypotheses=("as in new.automata.margin.complex-diagonal; a layer reads the letter and the states below after it",),
    known="at finite precision that k layers track a group iff it has a subnormal series of length k with abelian factors is Shakerinava, Khavari, Ravanbakhsh, Chandar (arXiv 2603.01959, abstract read); the bound here is over the reals with a margin. That a group of derived length k lies in an iterated wreath product of k abelian groups is Kaloujnine and Krasner (1951).",
    construction="lemmata.constructions.automata.layers.diagonal_stacks.diagonal_stack",
    sabotages={
        "the last layer stands still": {"change": lambda stack: _one_layer_less(stack)},
        "A_4 in place of its derived group": {"series": lambda group: [len(group), len(group) // 2, 1]},
    },
)
def derived_length_is_attained(
    proof: Proof, change: Callable[[Stack], Stack] = lambda stack: stack, series: Callable[[set[Permutation]], list[int]] = derived_series
) -> None:
    r"""The bound from abelian factors, and two stacks that are closed.

    1. If $G=N_0\ge N_1\ge\dots\ge N_k=1$ with $N_i$ normal in $N_{i-1}$ and abelian factors, then $G^{(i)}\le N_i$ by induction: $N_{i-1}/N_i$ is abelian, so $[N_{i-1},N_{i-1}]\le N_i$. So $k$ is at least the derived length. [uses: new.automata.margin.complex-diagonal] [prose]
    2. The derived series of $S_3$ has orders 6, 3, 1, that of $S_4$ 24, 12, 4, 1. [checked: "the derived series"]
    3. The stacks output the product of the letters after every word; their closure is finite. [checked: "the output is the product"; "two and three layers"]
    """
    for name, orders in proof.every(
        "S_3 and S_4, all elements as letters", {"S_3": [6, 3, 1], "S_4": [24, 12, 4, 1]}.items(), limited=False
    ):
        stack, letters = diagonal_stack(name)
        proof.exactly("the derived series", series(set(letters)), orders)
        proof.exactly("two and three layers", len(stack.layers), len(orders) - 1)
        computes(
            proof,
            "the output is the product of the letters, on all words",
            change(stack),
            lambda g, x: product(g, x),
            tuple(range(len(letters[0]))),
            letters,
            lambda g: g,
        )
