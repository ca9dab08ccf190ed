"""Networks with activations in depth, row by row: steps written out, up to 13 units and layers, in each type of numbers."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import prod
from random import Random
from typing import Any

import numpy as np
from flint import fmpq

from .....constructions import activations
from .....constructions.activations import DepthOnly, DepthOnlyLayer, PiecewiseLinear
from .....constructions.depth import errors, networks, only
from .....numerics import exact
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold, hold_refusals, integers, products


def double(u: Any) -> Any:
    return u + u


@tie("lizaire26.lemma2")
def steps_written_out(proof: Proof) -> None:
    """States and outputs by their sums; one step back; what is counted; up to 12 layers of up to 13 units."""
    rng = Random(331)
    for n, depth in proof.tied("up to 13 units, up to 12 layers", [(1, 1), (1, 12), (2, 10), (3, 3), (7, 2), (9, 1), (13, 2)]):
        raw = []
        for k in range(depth):
            m = 1 if k == 0 else n
            V = np.triu(integers(rng, n, n, 1), 1) + np.diag([rng.choice((-1, 1)) for _ in range(n)])
            raw.append((V, integers(rng, n, m, 1), integers(rng, n, 1, 2)[:, 0], integers(rng, n, 1, 2)[:, 0]))
        readout, offset, inputs = integers(rng, 1, n), integers(rng, 1, 1)[0], [rng.randint(-2, 2) for _ in range(3)]
        states, outs, history = [list(start) for *_, start in raw], [], []
        history.append([list(h) for h in states])
        for x in inputs:
            y: Any = [x]
            for k, (V, U, b, _) in enumerate(raw):
                states[k] = [
                    sum(V[i, j] * states[k][j] for j in range(n)) + sum(U[i, j] * y[j] for j in range(len(y))) + b[i] for i in range(n)
                ]
                y = [2 * h for h in states[k]]
            outs.append(sum(readout[0, j] * y[j] for j in range(n)) + offset[0])
            history.append([list(h) for h in states])
        for one in (fmpq(1), 1.0, 1 + 0j):
            layers = tuple(DepthOnlyLayer(V * one, U * one, b * one, start * one, double) for V, U, b, start in raw)
            network = DepthOnly(layers, readout * one, offset * one)
            given = [x * one for x in inputs]
            proof.exactly("the states, the outputs", ([list(h) for h in network.states(given)], network.run(given)), (history[-1], outs))
            first = [np.array([x], dtype=object) for x in given]
            proof.exactly("_last", list(only._last(layers[0], layers[0].initial, first)), history[-1][0])
            after: Any = [layer.initial for layer in layers]
            for t, x in enumerate(given):
                before, after = after, only.step(network, after, x)
                proof.exactly("step", [list(h) for h in after], history[t + 1])
                if isinstance(one, fmpq):
                    proof.exactly("step_back", [list(h) for h in only.step_back(network, after, x)], [list(h) for h in before])
            h, y = layers[0].step(np.array(history[0][0], dtype=object), np.array(given[:1], dtype=object))
            proof.exactly("one layer", (list(h), list(y)), (history[1][0], [2 * u for u in history[1][0]]))
        counting = activations.counting_layer([k - 3 for k in range(n)], list(range(n)), double, growth=-2)
        h = counting.initial
        for x in inputs:
            h, _ = counting.step(h, np.array([x], dtype=object))
        wanted = list(range(n))
        for x in inputs:
            wanted = [-2 * u + (k - 3) * x for k, u in enumerate(wanted)]
        proof.exactly("counting_layer", list(h), wanted)
        keeper = only.remember_everything(n, min(depth, 3))
        _, derivative, _ = activations.joint_state_pieces(keeper, [fmpq(rng.randint(-3, 3)) for _ in range(n * min(depth, 3))])
        proof.exactly("remember_everything: as many inputs are told apart", exact.rank(derivative), n * min(depth, 3))


@tie("lizaire26.lemma2")
def piecewise_linear_functions(proof: Proof) -> None:
    """Slopes added up, with 0 to 13 knots of either sign; pieces by counting; states that are affine on a piece."""
    rng = Random(332)
    for n in proof.tied("0 to 13 knots", (0, *POSITIVE)):
        knots = sorted(rng.sample([fmpq(k, 2) for k in range(-20, 20)], n))
        slopes = [fmpq(rng.randint(1, 9), 3) * rng.choice((-1, 1)) for _ in range(n + 1)]
        f = PiecewiseLinear(tuple(knots), tuple(slopes))
        fine = [fmpq(k, 4) for k in range(-44, 45)]
        values = {fmpq(0): fmpq(0)}
        slope_at = lambda u, knots=knots, slopes=slopes: slopes[sum(u >= k for k in knots)]  # noqa: E731
        for u in fine[44:-1]:
            values[u + fmpq(1, 4)] = values[u] + slope_at(u) / 4
        for u in reversed(fine[1:45]):
            values[u - fmpq(1, 4)] = values[u] - slope_at(u - fmpq(1, 4)) / 4
        proof.exactly("values", [f(u) for u in fine], [values[u] for u in fine])
        proof.exactly("pieces", [f.piece(u) for u in fine], [sum(u >= k for k in knots) for u in fine])
        width, T = 1 + n % 3, 1 + n % 4
        layer = DepthOnlyLayer(
            integers(rng, width, width, 1) * fmpq(1),
            integers(rng, width, 1) * fmpq(1),
            integers(rng, width, 1)[:, 0] * fmpq(1),
            exact.zeros(width),
            f,
        )
        second = DepthOnlyLayer(
            integers(rng, width, width, 1) * fmpq(1), integers(rng, width, width, 1) * fmpq(1), exact.zeros(width), exact.zeros(width), f
        )
        network = DepthOnly((layer, second), exact.zeros(1, width), exact.zeros(1))
        inputs = [fmpq(rng.randint(-30, 30), 7) + fmpq(1, 1000 + i) for i in range(T)]
        state, derivative, pieces = activations.joint_state_pieces(network, inputs)
        proof.exactly("joint_state_pieces: the states", list(state), [x for h in network.states(inputs) for x in h])
        walked = [x for t in range(T) for h in network.states(inputs[: t + 1]) for x in h]
        proof.exactly("joint_state_pieces: the pieces", list(pieces), [sum(u >= k for k in knots) for u in walked])
        small = [fmpq(rng.randint(-3, 3), 10**12) for _ in range(T)]
        moved, _, same = activations.joint_state_pieces(network, [x + d for x, d in zip(inputs, small, strict=True)])
        if same == pieces:
            proof.exactly(
                "joint_state_pieces: affine on a piece",
                list(moved - state),
                [row[0] for row in products([derivative.tolist(), [[d] for d in small]])],
            )
        found = activations.collision(network, [abs(x) for x in inputs]) if 2 * width < T else None
        if found is not None:
            other, *_ = activations.joint_state_pieces(network, found)
            own, *_ = activations.joint_state_pieces(network, [abs(x) for x in inputs])
            proof.exactly(
                "collision: the same states, another product",
                (list(other), prod(found) == prod(abs(x) for x in inputs)),
                (list(own), False),
            )
    keeper = only.remember_everything(2, 1)
    letters_of_it = [fmpq(2), fmpq(3)]
    hold(proof, "states that tell all inputs", lambda: activations.collision(keeper, letters_of_it), lambda: None, [()], "collision")
    for letters in proof.tied("causal functions of 1 to 12 letters, words of up to 6", (1, 2, 3, 7, 12)):
        values_of = lambda w: fmpq(sum((i + 1) * x for i, x in enumerate(w)) % 7 - 3, 3)  # noqa: E731
        for _ in range(4):
            word = [rng.randrange(letters) for _ in range(6)]
            found = activations.causal_function(values_of, letters).run([fmpq(x) for x in word])
            proof.exactly("causal_function", found, [values_of(tuple(word[: t + 1])) for t in range(6)])
    tents = [(u,) for u in (*range(-13, 14), Fraction(-7, 2), Fraction(1, 3), -2.5, 6.25)]
    hold(proof, "numbers of each type, -13 to 13", activations.tent, lambda u: u + (abs((u % 4) - 2) - 1) / 4, tents)
    bad: list[Any] = [
        (activations.causal_function, (len, 0)),
        (activations.causal_function, (len, -2)),
        (PiecewiseLinear, ((fmpq(1), fmpq(0)), (fmpq(1),) * 3)),
        (PiecewiseLinear, ((), ())),
    ]
    bad += [
        (networks.copy_network, (-2, -2, -2)),
        (networks.copy_network, (2, 2, -1)),
        (networks.near_copy, (-2, fmpq(-1, 2))),
        (networks.printed_copy_network, (-2, -2)),
    ]
    bad += [(errors.lower_bound, (-2, -2, -2, -2)), (only.power_of_two, (fmpq(-1, 2),)), (only.logarithm_with_a_jump, (fmpq(-3),))]
    hold_refusals(proof, "no letters, no sizes, no logarithm", bad)


@tie("lizaire26.lemma2")
def cores_by_blocks(proof: Proof) -> None:
    """Matrices with a nilpotent and an invertible part, up to 12 rows: what is kept for ever, and after how many steps only that."""
    rng = Random(333)
    for r, nilpotent in proof.tied(
        "up to 12 rows, chains of up to 5",
        [(1, ()), (0, (1,)), (0, (3, 1)), (2, (2,)), (3, (1, 1)), (5, (4,)), (7, (5,)), (12, ()), (4, (3, 3, 2))],
    ):
        n = r + sum(nilpotent)
        inside = (
            np.triu(integers(rng, r, r, 1), 1) + np.diag([rng.choice((-2, 1)) for _ in range(r)]) if r else np.zeros((0, 0), dtype=object)
        )
        shifts = [np.eye(k, k=1, dtype=int).astype(object) for k in nilpotent]
        J = exact.block_diagonal([exact.rationals(B) for B in (inside, *shifts) if len(B)])
        P = exact.identity(n) + np.tril(integers(rng, n, n, 1), -1)
        V = exact.multiply(P, J, exact.inverse(P))
        C, W, index = only.core(V)
        proof.exactly("core: its size and index", (C.shape, W.shape, index), ((r, n), (r, r), max(nilpotent, default=0)))
        if r:
            proof.exactly("core: C V = W C", products([C.tolist(), V.tolist()]), products([W.tolist(), C.tolist()]))
            proof.exactly("core: W is invertible, C has full rank", (exact.rank(W), exact.rank(C)), (r, r))
            proof.exactly("right_inverse", products([C.tolist(), only.right_inverse(C).tolist()]), exact.identity(r).tolist())
        network = DepthOnly(
            (DepthOnlyLayer(V, exact.zeros(n, 1) + 1, exact.zeros(n), exact.zeros(n), only.IDENTITY),), exact.zeros(1, n), exact.zeros(1)
        )
        proof.exactly("settling_time", only.settling_time(network), max(nilpotent, default=0))
        start, target = [integers(rng, n, 1)[:, 0] * fmpq(1)], [integers(rng, r, 1)[:, 0] * fmpq(1)]
        before, after = only.with_core_after(network, start, target, fmpq(3), 4)
        states: Any = before
        for _ in range(4):
            states = only.step(network, states, fmpq(3))
        proof.exactly(
            "with_core_after: the states after, and their cores",
            ([list(h) for h in after], [list(C @ h) for h in after] if r else []),
            ([list(h) for h in states], [list(t) for t in target] if r else []),
        )
    hold(
        proof,
        "numbers of up to six digits in base 3",
        only.sign_of_digits,
        lambda m: 0 if "2" in np.base_repr(m, 3) else (-1) ** np.base_repr(m, 3).count("1"),
        ((m,) for m in range(0, 729, 5)),
    )
    hold(
        proof,
        "integers -13 to 13",
        only.power_of_two,
        lambda u: fmpq(1 << int(u.p)) if u >= 0 else 1 / fmpq(1 << -int(u.p)),
        ((fmpq(k),) for k in range(-13, 14)),
    )
    hold(
        proof,
        "powers of 2 of either sign, and 0",
        lambda s, k: only.logarithm_with_a_jump(s * fmpq(2) ** k),
        lambda s, k: fmpq(0) if s == 0 else fmpq(k + (s < 0)),
        [(s, k) for s in (-1, 0, 1) for k in range(-13, 14)],
        "logarithm_with_a_jump",
    )


@tie("lizaire26.lemma2")
def functions_of_many_knots(proof: Proof) -> None:
    """13 knots first, slope by slope from 0; layers and networks in each type of numbers; registers of up to 13 units; collisions of 13 inputs."""
    rng = Random(334)
    for n in proof.tied("13 to 0 knots", (*POSITIVE[::-1], 0)):
        knots = sorted(rng.sample([fmpq(k, 2) for k in range(-20, 20)], n))
        slopes = [fmpq(rng.randint(1, 9), 3) * rng.choice((-1, 1)) for _ in range(n + 1)]
        f = PiecewiseLinear(tuple(knots), tuple(slopes))
        ends = [fmpq(-1000), *knots, fmpq(1000)]
        for u in (fmpq(-30), fmpq(30), fmpq(0), fmpq(rng.randint(-60, 60), 7), *rng.sample(knots, min(n, 3))):
            # each slope times the length of its part between 0 and u
            low, high = min(u, fmpq(0)), max(u, fmpq(0))
            parts = [max(min(b, high) - max(a, low), fmpq(0)) for a, b in pairwise(ends)]
            area = sum((s * x for s, x in zip(slopes, parts, strict=True)), fmpq(0))
            proof.exactly("PiecewiseLinear", (f(u), f.piece(u)), (area if u >= 0 else -area, sum(k <= u for k in knots)))
            from_first = f._integral(u) - f._integral(ends[1] if n else fmpq(0))
            proof.exactly("_integral: from the first knot on", from_first, f(u) - f(ends[1] if n else fmpq(0)))
    for n in proof.tied("13 to 1 units", POSITIVE[::-1]):
        scales, start = [rng.randint(-3, 3) for _ in range(n)], [rng.randint(-3, 3) for _ in range(n)]
        kinds: tuple[Any, ...] = (fmpq(1), 1.0, 1 + 1j)
        for one in kinds:
            layer = activations.counting_layer([x * one for x in scales], [x * one for x in start], double, -one)
            h, y = layer.step(layer.initial, np.array([2], dtype=object))
            wanted = [-one * one * x + 2 * one * s for x, s in zip(start, scales, strict=True)]
            proof.exactly("counting_layer", (list(h), list(y)), (wanted, [2 * x for x in wanted]))
        for error in (fmpq(1), fmpq(-1, 3)):
            word = [1] + [0] * (2 * n)
            response = [error * (t == 0) + (t == n) + (t == 2 * n) / error for t in range(2 * n + 1)]
            proof.exactly("near_copy", [y[0] for y in networks.near_copy(n, error).run(word)], response)
        for scale in (fmpq(-2), fmpq(-1, 3)) if n < 9 else ():
            copying = networks.deep_near_copy(n, 2, scale)
            impulse = [y[0] for y in copying.run([1] + [0] * (4 * n - 1))]
            wanted = [1 / scale ** (2 * n), *[fmpq(0)] * (2 * n - 1), fmpq(1), *[fmpq(0)] * (2 * n - 1)]
            proof.exactly("deep_near_copy: of negative scale", impulse, wanted)
        depth = 1 + n % 3
        # the letter comes in at the last unit of a layer and leaves from the first, n - 1 steps later
        outs = [y[0] for y in networks.printed_copy_network(n, depth).run([1] + [0] * (n * depth))]
        proof.exactly("printed_copy_network", outs, [int(t == depth * (n - 1)) for t in range(n * depth + 1)])
    flat = PiecewiseLinear((fmpq(-50), fmpq(50)), (fmpq(1), fmpq(2), fmpq(3)))
    for T in proof.tied("collisions of 13 to 3 inputs", (13, 12, 9, 7, 5, 3)):
        layer = DepthOnlyLayer(exact.identity(2), exact.rationals([[1], [-2]]), exact.zeros(2), exact.zeros(2), flat)
        network, inputs = DepthOnly((layer,), exact.zeros(1, 2), exact.zeros(1)), [fmpq(rng.choice((-2, -1, 1, 3))) for _ in range(T)]
        other = activations.collision(network, inputs) or []
        proof.exactly("collision", (len(other), sum(other, fmpq(0)), prod(other) == prod(inputs)), (T, sum(inputs, fmpq(0)), False))
    hold(
        proof,
        "numbers of each type",
        only.relu,
        lambda u: max(u, 0),
        [(x,) for x in (*range(-13, 14), fmpq(-7, 2), fmpq(5, 3), -0.5, 6.25)],
    )
    calls: list[Any] = [(activations.tent, (1j,)), (only.relu, (1j,)), (only.relu, (-2 + 1j,)), (only.power_of_two, (fmpq(1, 3),))]
    hold_refusals(proof, "complex numbers, which have no order", calls)


@tie("new.depth.approximate-copies")
def errors_of_channels(proof: Proof) -> None:
    """Responses and errors of several channels by matrix powers and sums, also of complex networks."""
    rng = Random(335)
    for n, depth, d, T in proof.tied(
        "up to 7 units, 3 layers, 3 channels, 13 steps", [(7, 1, 3, 13), (3, 3, 2, 9), (2, 2, 1, 4), (1, 1, 1, 1)]
    ):
        for one in (1.0, 1j):
            raw = []
            for level in range(depth):
                raw += [integers(rng, n, n if level else d, 1), integers(rng, n, n, 1)]
            raw.append(integers(rng, d, n, 1))
            # channel by channel, state by state
            wanted = np.zeros((T, d, d), dtype=complex)
            for channel in range(d):
                states: list[list[Any]] = [[0] * n for _ in range(depth)]
                for t in range(T):
                    below: list[Any] = [int(t == 0 and c == channel) for c in range(d)]
                    for level in range(depth):
                        U, V = raw[2 * level : 2 * level + 2]
                        states[level] = below = [
                            sum(V[i, j] * states[level][j] for j in range(n)) + one * sum(U[i, j] * below[j] for j in range(len(below)))
                            for i in range(n)
                        ]
                    wanted[t, channel] = [sum(raw[-1][o, i] * below[i] for i in range(n)) for o in range(d)]
            weights = [M.astype(complex) * (one if k % 2 == 0 and k < 2 * depth else 1) for k, M in enumerate(raw)]
            found = errors.impulse_response([w if one == 1j else w.real for w in weights], depth, d, T)
            proof.exactly("impulse_response: whole numbers", found.tolist(), (wanted if one == 1j else np.real(wanted)).tolist())
        for p in sorted({0, T // 2, T - 1}):
            response = np.real(wanted) + np.imag(wanted)
            squares = [(T - k) * (response[k, i, j] - (k == p and i == j)) ** 2 for k in range(T) for i in range(d) for j in range(d)]
            proof.closely(
                "expected_error",
                abs(errors.expected_error(response, p) - sum(squares) / (T * d)),
                1e-15 * T * d * d * max(1.0, sum(squares)),
            )


@tie("lizaire26.lemma3")
def ranks_of_responses(proof: Proof) -> None:
    """Responses of 3 to 14 steps: drawn at random, sums of up to four geometric sequences, and zero."""
    rng = Random(433)
    for length in proof.tied("3 to 14 steps", range(3, 15)):
        half = (length - 1) // 2
        for rank in (0, 1, 2, 4):
            response = [sum((fmpq(k + 2) ** t for k in range(rank)), fmpq(0)) for t in range(length)]
            proof.exactly("hankel_rank: geometric sequences", networks.hankel_rank(response), min(rank, half))
        drawn = [fmpq(rng.randint(-(10**6), 10**6)) for _ in range(length)]
        proof.exactly("hankel_rank: as long as it may be", networks.hankel_rank(drawn), half)


@tie("new.depth.delayed-links")
def links_with_a_delay(proof: Proof) -> None:
    """All layers as one whose state is theirs, each reading what the one below had before: up to 13 units in 12 layers, one to three channels."""
    rng = Random(434)
    for n, depth, d in proof.tied(
        "up to 13 units, up to 12 layers", [(13, 1, 1), (2, 12, 1), (1, 9, 2), (5, 3, 3), (3, 5, 1), (2, 2, 2), (1, 1, 1)]
    ):
        layers = tuple((integers(rng, n, d if level == 0 else n, 2), integers(rng, n, n, 2)) for level in range(depth))
        readout, inputs = integers(rng, 2, n, 2), [integers(rng, d, 1, 3)[:, 0].tolist() for _ in range(depth + 4)]
        wide = networks.delayed_links(networks.DeepLinear(layers, readout))
        proof.exactly("delayed_links: one layer", (len(wide.layers), wide.width), (1, n * depth))
        states, outputs = [[0] * n for _ in range(depth)], []
        for x in inputs:
            below = [x, *states[:-1]]
            states = [
                [sum(V[i, j] * own[j] for j in range(n)) + sum(U[i, j] * read[j] for j in range(len(read))) for i in range(n)]
                for (U, V), own, read in zip(layers, states, below, strict=True)
            ]
            outputs.append([sum(readout[i, j] * states[-1][j] for j in range(n)) for i in range(2)])
        proof.exactly("delayed_links", [list(y) for y in wide.run(inputs)], outputs)
