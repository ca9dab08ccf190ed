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


def both_equations(sequence: list[int], constant: int, length: int) -> bool:
    """C_(t-d) h_(t-d) = C_t h_(t-d), which constants satisfy, and C_t (B_(t-d+1) x_(t-d+1) + ... + B_(t-1) x_(t-1)) = -C_t B_t x_t, for B = C = ``constant``."""
    return all(constant**2 * sum(sequence[t - length + 1 : t]) == -(constant**2) * sequence[t] for t in range(length, len(sequence)))


@claim(
    "movahedi25.appC.2",
    topic="gating",
    place="App. C.2, the two conditions",
    title="position encodings that repeat need B_t and C_t that depend on the previous hidden state",
    says=r"For $h_t=h_{t-1}+B_tx_t^\top$ on $x_1,\dots,x_\delta,x_s,x_1,\dots,x_{\delta-1}$, $p_t=C_t^\top h_t$ can satisfy $p_{t-\delta}=p_t$ only if $B_t$ and $C_t$ are functions of $h_{t-1}$.",
    reading="encodings other than 0, different at different positions",
    sabotages={"the delimiter is a token like others": {"delimiters": (0,)}, "no encoding at all": {"constant": 0, "lengths": (2,)}},
)
def encodings_without_the_state(proof: Proof, delimiters=(-2, -1, 0), constant: int = 1, lengths=(2, 3, 4)) -> None:
    """Constants do, for tokens that cancel: B = C = 1 on 1, 1, -1, 1 counts 1, 2, 1, 2. And for any one sequence of different tokens, as unit vectors, keys and queries
    that depend on the current token alone: the query of token j has the products 2^(j-i) with the keys i <= j, 1 with the next, 0 with all others."""
    layer = gating.linear_attention(*[lambda x: exact.rationals([constant])] * 2, lambda x: exact.rationals([x]), 1, 1)

    def encodings(tokens: tuple[int, ...]) -> list:
        return layer.run(gating.copying_sequence(tokens[:-1], tokens[-1]))

    candidates = [(*t, s) for t in product((0, 1), repeat=2) for s in delimiters[::-1]]
    found = proof.smallest("two tokens and a delimiter", candidates, lambda c: _repeats(e := encodings(c), 2) and e[0] != e[1])
    if found:
        tokens = found[0]
        p = encodings(tokens)
        proof.counterexample(
            given={"B = C": constant, "x_1, x_2, x_s, x_1": gating.copying_sequence(tokens[:-1], tokens[-1]), "p": p},
            hypotheses={},
            violates={
                "p repeats with period 2": _repeats(p, 2),
                "both printed equations hold": both_equations(gating.copying_sequence(tokens[:-1], tokens[-1]), constant, 2),
                "and p tells the positions apart": bool(p[0] != p[1]),
            },
            minimal="delta = 2, one channel, one row of state",
        )
    for length in lengths:
        one_layer, sequence = gating.one_sequence_layer(length)
        p = one_layer.run(sequence)
        proof.counterexample(
            given={"delta": length, "sequence": sequence, "p": p},
            hypotheses={"the tokens are different": len(set(sequence)) == length + 1},
            violates={"p repeats": _repeats(p, length), "and tells the positions apart": len({exact.freeze(x) for x in p}) == length},
            minimal=f"delta = {length}, different tokens as unit vectors, keys and queries of the current token",
        )


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
    "movahedi25.appC.2.amended",
    topic="gating",
    place="App. C.2, the two conditions",
    kind="amended",
    amends="movahedi25.appC.2",
    title="B_t and C_t of the current token alone give no encoding for all sequences at once; with the hidden state one layer even copies",
    says=r"Let $\delta\ge2$ and the tokens and the delimiter be linearly independent. If $B_t=B(x_t)$, $C_t=C(x_t)$ and $p_{t-\delta}=p_t$ on every sequence of different tokens, then $p_t=0$ throughout. With $B_t$, $C_t$ functions of $h_{t-1}$, $p_t=x_{((t-1)\bmod\delta)+1}$ on every sequence, which is the copy itself: no second layer is needed.",
    reading="one B and C for all sequences, which is what the argument in the text needs and does not say",
    sabotages={
        "one sequence only": {"some": lambda sequences: sequences[:1]},
        "the state is not read": {"positions": lambda sequence, length: list(np.cumsum(sequence, axis=0))},
    },
)
def encodings_for_all_sequences(proof: Proof, some=lambda sequences: sequences, positions=gating.state_dependent_copy) -> None:
    """With G[x, y] = C(x).B(y): p_1 = p_(delta+1) gives G[s, x] = 0 for x = x_2, so for every token x, and G[x, x] = G[s, x] = 0 for x = x_1. Then p_2 = p_(delta+2)
    gives G[x_1, x_2] = G[x_2, x_2] = 0 for all pairs. With the state, the filled rows of h count the steps."""
    largest = proof.pick(3, 4, 5)
    cases = [(length, tokens) for tokens in range(2, largest + 1) for length in range(2, tokens + 1)]
    for length, tokens in proof.every(f"2 <= delta <= number of tokens <= {largest}, all sequences of different tokens", cases):
        sequences = some(list(permutations(range(1, tokens + 1), length)))
        equations, encodings = token_equations(length, tokens, sequences)
        conditions = exact.rank(exact.rationals(equations))
        proof.exactly("the conditions force every p_t to be 0", exact.rank(exact.rationals(equations + encodings)), conditions)
        one = exact.identity(tokens + 1)
        for chosen in sequences:
            p = positions([one[x] for x in gating.copying_sequence(chosen, 0)], length)
            proof.exactly("with the state p is the copy", [list(x) for x in p], [list(one[x]) for x in (*chosen, *chosen)])


def with_its_own_token(length: int, tokens: int) -> Recurrence:
    """Linear attention as it is: the current token is stored before it is read."""
    layer, names = gating.copy_with_positions(length, tokens), exact.identity(tokens)
    return Recurrence(layer.transition, layer.inputs, layer.initial, lambda H, x: layer.decode(H, x) + names[x[1]])


@claim(
    "movahedi25.appC.2.copy",
    topic="gating",
    place="App. C.2, Specifically",
    title="from shifted position encodings a second layer of linear attention copies, if the current token is taken off",
    reading="tokens and encodings in complementary subspaces",
    says=r"On $(x_1,p_1),\dots,(x_\delta,p_\delta),(x_s,p_1),(x_1,p_2),\dots,(x_{\delta-1},p_\delta)$ with orthonormal $p_i$, $y_t=h_t^\top p_t-x_t$, $h_t=h_{t-1}+p_tx_t^\top$, is $x_1,\dots,x_\delta$ at $t=\delta+1,\dots,2\delta$.",
    construction="lemmata.constructions.gating.copy_with_positions",
    sabotages={"the current token stays": {"layer": with_its_own_token}},
)
def copying_by_positions(proof: Proof, layer: Callable[[int, int], Recurrence] = gating.copy_with_positions) -> None:
    """Position p_j holds x_j and, once it is read a second time, the token that is read then: linear attention alone returns x_j + x_(j-1)."""
    longest, tokens = proof.pick((3, 3), (4, 3), (5, 4))
    for length in proof.every(f"all sequences of up to {longest} of {tokens - 1} tokens", range(1, longest + 1)):
        for chosen in product(range(1, tokens), repeat=length):
            word = [(t % length, x) for t, x in enumerate(gating.copying_sequence(chosen, 0))]
            copied = layer(length, tokens).run(word)[length:]
            proof.exactly("the tokens come out", [list(y) for y in copied], [list(exact.identity(tokens)[x]) for x in chosen])
