"""Gates, and copying through linear attention."""

from __future__ import annotations

from itertools import product

import numpy as np
from flint import arb, fmpq
from numpy.polynomial.hermite_e import hermegauss
from scipy.stats import norm

from ...constructions import gating
from ...numerics import exact
from ..claim import tie
from ..evidence import Proof
from .shared import refuses


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


@tie("movahedi25.thmC.1")
def expected_runs(proof: Proof) -> None:
    """Phi, the logit and expected runs, against SciPy's normal distribution and against sums of probabilities."""
    for x in proof.tied("x from -6 to 6", (-6, -2, fmpq(-1, 3), 0, fmpq(1, 7), 1, 5)):
        found = gating.normal_cdf(arb(x))
        proof.closely("normal_cdf", abs(float(found.mid()) / float(norm.cdf(float(arb(x).mid()))) - 1), 1e-12)
        proof.certified("to 30 digits of itself and its mirror image", bool(abs(found + gating.normal_cdf(-arb(x)) - 1) < arb(2) ** -40))
    for p in proof.tied("levels 1/1000 to 999/1000", (fmpq(1, 1000), fmpq(1, 3), fmpq(1, 2), fmpq(9, 10), fmpq(99, 100), fmpq(999, 1000))):
        # e^logit is the odds
        proof.certified("logit", bool(gating.logit(p).exp().contains(p / (1 - p))) and bool(gating.logit(p).rad() < 1e-10))
    for p in proof.tied("no levels", (fmpq(0), fmpq(1), fmpq(-1, 2), fmpq(3, 2))):
        proof.holds("are refused", refuses(gating.logit, p))
    cases = product((-3, 0, fmpq(5, 2), 12), (fmpq(1, 4), 1, 9), (gating.LEVEL, fmpq(1, 2), fmpq(1, 10)))
    for b, size, level in proof.tied("b from -3 to 12, |w| from 1/4 to 9, three levels", cases):
        a = (float(np.log(float(arb(level / (1 - level)).mid()))) - float(arb(b).mid())) / float(arb(size).mid())
        # a geometric run: the odds of an open step
        wanted = float(norm.logsf(a) - norm.logcdf(a))
        found = float(gating.expected_run(b, size, level).log().mid())
        proof.closely("expected_run, its logarithm", abs(found - wanted) / max(1.0, abs(wanted)), 1e-11)
    for level in proof.tied("the level of the paper", [gating.LEVEL]):
        proof.exactly("99 %", level, fmpq(99, 100))
        proof.certified("and it is taken", bool(gating.expected_run(1, 2).overlaps(gating.expected_run(1, 2, fmpq(99, 100)))))
        proof.holds("no run without weights", refuses(gating.expected_run, 1, 0) and refuses(gating.expected_run, 1, -2))


@tie("new.gating.mean")
@tie("new.gating.typical")
def gaussian_means(proof: Proof) -> None:
    """Integrals over a Gaussian against Gauss and Hermite's rule."""
    nodes, weights = hermegauss(100)
    weights = weights / np.sqrt(2 * np.pi)
    for power, wanted in proof.tied("powers up to the sixth", enumerate((1, 0, 1, 0, 3, 0, 15))):
        found = gating.gaussian_mean(lambda z, _, power=power: z**power, arb(20) ** power)
        proof.certified("moments", bool(abs(found - wanted) < 1e-12) and bool(found.rad() < 1e-12))
    for b, size in proof.tied("b from -3 to 4, |w| up to 2", product((-3, 0, fmpq(1, 2), 4), (0, fmpq(1, 3), 2))):
        u = float(arb(b).mid()) + float(arb(size).mid()) * nodes
        gates, logs = float(weights @ (1 / (1 + np.exp(-u)))), float(weights @ -np.log1p(np.exp(-u)))
        proof.closely("mean_gate", abs(float(gating.mean_gate(b, size).mid()) - gates), 1e-7)
        proof.closely("mean_log_gate", abs(float(gating.mean_log_gate(b, size).mid()) - logs), 1e-7)


@tie("movahedi25.appC.2")
def attentions(proof: Proof) -> None:
    """Linear attention as a sum of outer products, entry by entry, from 1 to 12 keys."""
    for n, d, steps in proof.tied(
        "keys of 1 to 12 entries, values of 1 to 9, up to 15 steps", [(1, 1, 3), (2, 5, 6), (12, 3, 9), (3, 9, 15)]
    ):
        key = lambda x: np.array([fmpq((i + 2) * x % 7 - 3) for i in range(n)], dtype=object)  # noqa: B023, E731
        query = lambda x: np.array([fmpq((3 * i + x) % 5 - 2, 3) for i in range(n)], dtype=object)  # noqa: B023, E731
        value = lambda x: np.array([fmpq(x * x + i, 2) for i in range(d)], dtype=object)  # noqa: B023, E731
        word = [t * t % 11 - 4 for t in range(steps)]
        wanted = []
        for t, x in enumerate(word):
            shares = [sum((a * b for a, b in zip(query(x), key(y), strict=True)), fmpq(0)) for y in word[: t + 1]]
            wanted.append([sum((s * value(y)[j] for s, y in zip(shares, word, strict=False)), fmpq(0)) for j in range(d)])
        layer = gating.linear_attention(key, query, value, n, d)
        proof.exactly("queries times keys, times values", [list(y) for y in layer.run(word)], wanted)
        proof.exactly(
            "it starts at 0 and forgets nothing",
            (layer.initial.tolist(), layer.transition(1).tolist()),
            ([[0] * d] * n, [[int(i == j) for j in range(n)] for i in range(n)]),
        )
    for length in proof.tied("length <= 12: products of queries and keys", (1, 2, 5, 12)):
        layer, word = gating.one_sequence_layer(length)
        proof.exactly("the sequence", word, [*range(1, length + 1), 0, *range(1, length)])
        keys = {x: layer.inputs(x) for x in range(length + 1)}
        for j in range(length + 1):
            # the output for a state that is one outer product of unit vectors is a product of query and key
            row = [[fmpq(2) ** (j - i) if i <= j else fmpq(int(i == j + 1)) for i in range(1, length + 1)]]
            found = [[layer.decode(keys[i], j)[i] for i in range(1, length + 1)]]
            proof.exactly("products", found, row)
        proof.exactly(
            "keys and values are unit vectors", [list(np.argwhere(M != 0).ravel()) for M in keys.values()], [[x, x] for x in keys]
        )
    for length in proof.tied("no length", (0, -2)):
        proof.holds("is refused", refuses(gating.one_sequence_layer, length))
