"""Position encodings that repeat, and copying by them (movahedi25, App. C.2)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product

import numpy as np

from ...constructions import gating
from ...constructions.recurrence import Recurrence
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof


def _repeats(outputs: list, length: int) -> bool:
    return all(np.array_equal(outputs[t], outputs[t + length]) for t in range(len(outputs) - length))


def token_equations(length: int, tokens: int, sequences: list[tuple[int, ...]]) -> tuple[list, list]:
    """(equations, encodings) as linear forms in the products G[x, y] = C(x).B(y), for token-only B and C and linearly independent tokens 1 .. ``tokens``, delimiter 0.

    Equations: every coefficient of p_t - p_(t+length) on every sequence; encodings: every coefficient of every p_t.
    """
    size = tokens + 1
    equations, encodings = [], []
    for chosen in sequences:
        sequence = gating.copying_sequence(chosen, 0)
        p = []
        for t, x in enumerate(sequence):
            forms = np.zeros((size, size * size), dtype=object)  # one linear form for each token in p_t
            for y in sequence[: t + 1]:
                forms[y, x * size + y] += 1
            p.append(forms)
        equations += [row for t in range(length) for row in p[t] - p[t + length] if row.any()]
        encodings += [row for forms in p for row in forms if row.any()]
    return equations, encodings


@claim(
    "movahedi25.appC.2",
    place="App. C.2, the two conditions",
    title="Bₜ and Cₜ of the current token alone give no encodings for all sequences; with the hidden state they do",
    says=r"Let $h_t=h_{t-1}+B_tx_t^\top$, $p_t=C_t^\top h_t$ on $x_1,\dots,x_\delta,x_s,x_1,\dots,x_{\delta-1}$, $\delta\ge2$, the tokens and the delimiter linearly independent. "
    r"If $B_t=B(x_t)$, $C_t=C(x_t)$ and $p_{t-\delta}=p_t$ on every sequence of different tokens, then $p_t=0$ throughout. With $B_t$, $C_t$ functions of $h_{t-1}$ one has "
    r"$p_t=x_{((t-1)\bmod\delta)+1}$ on every sequence, which is the copy itself.",
    reading="'B_t and C_t must be functions of h_(t-1)' against functions of the current token, one pair B and C for all sequences",
    remarks=(
        "For one sequence alone they need not: constants serve on 1, 1, -1, 1, where the tokens cancel, and for any one sequence of different tokens, as unit vectors, there are keys and queries of the "
        "current token (the query of token j has the products 2^(j-i) with the keys i <= j, 1 with the next, 0 with the others).",
        "With the state one layer copies outright, so the second layer of the construction is then not needed.",
    ),
    construction="lemmata.constructions.gating.state_dependent_copy",
    sabotages={
        "one sequence only": {"some": lambda sequences: sequences[:1]},
        "the state is not read": {"positions": lambda sequence, length: list(np.cumsum(sequence, axis=0))},
        "nothing is stored": {"positions": lambda sequence, length: [0 * x for x in sequence]},
    },
)
def encodings_for_all_sequences(proof: Proof, some=lambda sequences: sequences, positions=gating.state_dependent_copy) -> None:
    r"""With $G(x,y)=C(x)\cdot B(y)$ the coefficient of token $y$ in $p_t$ is $G(x_t,y)$ times the number of times that $y$ has been read; compare coefficients.

    1. $p_1=G(x_1,x_1)x_1$ and $p_{\delta+1}=\sum_iG(s,x_i)x_i+G(s,s)s$. So $G(s,x_i)=0$ for $i\ge2$, and $G(x_1,x_1)=G(s,x_1)$. Every token can stand in second place, hence
       $G(s,x)=0$ and $G(x,x)=0$ for all tokens $x$. [prose]
    2. $p_2=G(x_2,x_1)x_1+G(x_2,x_2)x_2$, and at $\delta+2$ the letter is $x_1$: the coefficients of $x_2$ and of $x_1$ give $G(x_1,x_2)=G(x_2,x_2)=0$ and $G(x_2,x_1)=2G(x_1,x_1)=0$, that
       of $s$ gives $G(x_1,s)=0$. Every pair of tokens can stand there, so all $p_t$ vanish. [prose]
    3. For small alphabets: the linear conditions of all sequences force every coefficient of every $p_t$ to be $0$. [checked: "the conditions force every p_t to be 0"]
    4. They do so only together: for one sequence alone there is a solution with $p\ne0$. [checked: "one sequence alone does not"; "keys and queries for one sequence"]
    5. With the state: $B_t$ is the unit vector of the first empty row of $h_{t-1}$, so that the filled rows count the steps, and $C_t$ reads the row of $\delta$ steps ago, if there is
       one, and the new row if not. [checked: "with the state p is the copy"] [prose]
    """
    largest = proof.pick(3, 4, 5)
    cases = [(length, tokens) for tokens in range(2, largest + 1) for length in range(2, tokens + 1)]
    for length, tokens in proof.every(f"2 <= delta <= number of tokens <= {largest}, all sequences of different tokens", cases):
        everything = list(permutations(range(1, tokens + 1), length))
        sequences = some(everything)
        equations, encodings = token_equations(length, tokens, sequences)
        conditions = exact.rank(exact.rationals(equations))
        proof.exactly("the conditions force every p_t to be 0", exact.rank(exact.rationals(equations + encodings)), conditions)
        alone, those = token_equations(length, tokens, everything[:1])
        proof.holds("one sequence alone does not", exact.rank(exact.rationals(alone + those)) > exact.rank(exact.rationals(alone)))
        one = exact.identity(tokens + 1)
        for chosen in everything:
            p = positions([one[x] for x in gating.copying_sequence(chosen, 0)], length)
            proof.exactly("with the state p is the copy", [list(x) for x in p], [list(one[x]) for x in (*chosen, *chosen)])
        proof.certificate(
            "witness", f"delta = {length}, {tokens} tokens", length=length, tokens=tokens, sequences=[list(x) for x in sequences]
        )
    for length in proof.each("delta = 2, 3, 4", (2, 3, 4)):
        layer, sequence = gating.one_sequence_layer(length)
        p = layer.run(sequence)
        proof.holds("keys and queries for one sequence repeat", _repeats(p, length))
        proof.exactly("keys and queries for one sequence tell the positions apart", len({exact.freeze(x) for x in p}), length)
    one_for_all = lambda x: exact.rationals([1])  # noqa: E731
    constant = gating.linear_attention(one_for_all, one_for_all, lambda x: exact.rationals([x]), 1, 1)
    proof.exhibit("constants B = C = 1 on 1, 1, -1, 1", p=[int(y[0]) for y in constant.run(gating.copying_sequence((1, 1), -1))])


def with_its_own_token(length: int, tokens: int) -> Recurrence:
    """Linear attention as it is: the current token is stored before it is read."""
    layer, names = gating.copy_with_positions(length, tokens), exact.identity(tokens)
    return Recurrence(layer.transition, layer.inputs, layer.initial, lambda H, x: layer.decode(H, x) + names[x[1]])


@claim(
    "movahedi25.appC.2.copy",
    place="App. C.2, Specifically",
    title="from shifted position encodings a second layer of linear attention copies, if the current token is taken off",
    reading="tokens and encodings in complementary subspaces; the text leaves open how the current token, which linear attention stores before it reads, is taken off",
    says=r"On $(x_1,p_1),\dots,(x_\delta,p_\delta),(x_s,p_1),(x_1,p_2),\dots,(x_{\delta-1},p_\delta)$ with orthonormal $p_i$, $y_t=h_t^\top p_t-x_t$, $h_t=h_{t-1}+p_tx_t^\top$, is $x_1,\dots,x_\delta$ at $t=\delta+1,\dots,2\delta$.",
    construction="lemmata.constructions.gating.copy_with_positions",
    sabotages={"the current token stays": {"layer": with_its_own_token}},
)
def copying_by_positions(proof: Proof, layer: Callable[[int, int], Recurrence] = gating.copy_with_positions) -> None:
    r"""Position $p_j$ holds $x_j$ and, once it is read a second time, the token that is read then.

    1. At $t=\delta+j$ the position is $p_j$, which was read at time $j$ and is read now, and at no other time; the encodings are orthonormal, so that
       $h_t^\top p_t=\sum_{\tau\le t,\,p_\tau=p_j}x_\tau=x_j+x_t$. [prose]
    2. Taking off the current token leaves $x_j$. [checked: "the tokens come out"]
    """
    longest, tokens = proof.pick((3, 3), (4, 3), (5, 4))
    for length in proof.every(f"all sequences of up to {longest} of {tokens - 1} tokens", range(1, longest + 1)):
        for chosen in product(range(1, tokens), repeat=length):
            word = [(t % length, x) for t, x in enumerate(gating.copying_sequence(chosen, 0))]
            copied = layer(length, tokens).run(word)[length:]
            proof.certificate("witness", f"{list(chosen)}", length=length, tokens=tokens, chosen=list(chosen), outputs=copied)
            proof.exactly("the tokens come out", [list(y) for y in copied], [list(exact.identity(tokens)[x]) for x in chosen])
