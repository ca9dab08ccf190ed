"""Copying through a linear attention whose keys and queries read the state, and nothing but the state."""

from __future__ import annotations

import numpy as np
from flint import fmpq

from ...constructions import gating
from ...numerics import exact
from ..claim import tie
from ..evidence import Proof


@tie("movahedi25.appC.2")
def reads_the_state_alone(proof: Proof) -> None:
    """What makes it an attention: an output is a query times a sum of outer products, and the query at time t is one row of the sum.

    On a sequence that is no copy the outputs differ from the position in the sequence: a row is filled at each step, and row (t - 1) mod length is read.
    """
    for length, tokens in proof.tied("length <= 9, at most 20 tokens read", [(1, 3), (2, 6), (3, 12), (5, 9), (9, 20)]):
        one = exact.identity(tokens)
        word = [one[(7 * t * t + 3) % tokens] * (t + 1) for t in range(tokens)]
        p = gating.state_dependent_copy(word, length)
        proof.exactly("the row of the first visit", [list(x) for x in p], [list(word[t % length]) for t in range(tokens)])
        for cut in {1, tokens // 2, tokens - 1}:
            # keys and queries that knew the time, or the tokens, would not go on from a state alone
            state = np.array([*word[:cut], *(tokens - cut) * [exact.zeros(tokens)]], dtype=object)
            rest = gating.state_dependent_copy(word[cut:], length, state)
            proof.exactly("from the state after some tokens it goes on", [list(x) for x in rest], [list(x) for x in p[cut:]])
            other = gating.state_dependent_copy(word[cut:], length, state * fmpq(5))
            wanted = [list(x * (5 if t % length < cut else 1)) for t, x in list(enumerate(p))[cut:]]
            proof.exactly("what is read is in the state", [list(x) for x in other], wanted)
        # linearity in the stored values with the same keys: the defining property of the attention
        doubled = gating.state_dependent_copy([2 * x for x in word], length)
        proof.exactly("outputs are linear in the values", [list(x) for x in doubled], [list(2 * x) for x in p])


@tie("movahedi25.appC.2.copy")
def copies_of_all_lengths(proof: Proof) -> None:
    """The second layer and its letters, on long sequences."""
    for length, tokens in proof.tied("length <= 12, 9 tokens", [(1, 2), (2, 3), (5, 4), (9, 9), (12, 5)]):
        chosen = [(3 * t * t + 1) % (tokens - 1) + 1 for t in range(length)]
        sequence = gating.copying_sequence(chosen, 0)
        proof.exactly("copying_sequence", sequence, [*chosen, 0, *chosen[: length - 1]])
        copied = gating.copy_with_positions(length, tokens).run([(t % length, x) for t, x in enumerate(sequence)])[length:]
        proof.exactly("the tokens come out", [list(y) for y in copied], [list(exact.identity(tokens)[x]) for x in chosen])
        layer, word = gating.one_sequence_layer(length)
        p = layer.run(word)
        proof.exactly("keys and queries for one sequence repeat", [list(x) for x in p[length:]], [list(x) for x in p[:length]])
