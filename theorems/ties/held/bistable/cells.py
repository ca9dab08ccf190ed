"""Cells, row by row: hysteresis with whole numbers, units that complex numbers pass through or not, maps of solutions, modules on many words."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from flint import arb, fmpq

from .....constructions.bistable import cell, closure, scan
from .....constructions.bistable.units import Layer
from .....numerics.scan import sequential_scan
from ....claim import tie
from ....evidence import Proof
from .. import POSITIVE, hold, hold_refusals, integers


def near(x: arb, y: arb) -> bool:
    return bool(x.overlaps(y)) and float(x.rad()) < 1e-6


@tie("degeeter26.eq11")
def hysteresis_of_whole_numbers(proof: Proof) -> None:
    """Whole beta up to 13: the steady input, folds of either sign, zeros counted between -13 and 13, slopes by their sign alone."""
    for beta in proof.tied("beta 1 to 13, three states", POSITIVE):
        for p in (fmpq(-1, 2), fmpq(0), fmpq(3, 4)):
            h = arb(p)
            proof.certified("steady_input", near(cell.steady_input(h, beta), ((1 + h) / (1 - h)).log() / 2 - h * (beta + 1)))
    for beta in proof.tied("beta 1 to 13", POSITIVE):
        if beta > 1:
            proof.certified("fold_state: beta below -1", near(cell.fold_state(-beta), (arb(beta) / (beta - 1)).sqrt()))
        x, b = arb(1) / 50, arb(beta)
        h = cell.fold_state(beta)
        for low, high, slope in ((-arb(1), -h, 1), (-h, h, -1), (h, arb(1), 1)):
            found = [cell._bisect(x, b, arb(low), arb(high), slope * factor, 1e-9) for factor in (1, beta)]
            solved = all(bool((cell.steady_input(y, beta) - x).contains(0)) for y in found)
            proof.exactly("_bisect: solutions, whatever the size of the slope", (solved, bool(found[0].overlaps(found[1]))), (True, True))
        # zeros at whole numbers, and the derivative by the product rule
        roots = [2 * k - beta for k in range(beta % 7 + 1)]

        def polynomial(u: arb, roots: list[int] = roots) -> arb:
            total = arb(1)
            for root in roots:
                total = total * (u - root)
            return total

        def slope_of(u: arb, roots: list[int] = roots) -> arb:
            total = arb(0)
            for i in range(len(roots)):
                term = arb(1)
                for j, root in enumerate(roots):
                    term = term * (u - root) if i != j else term
                total = total + term
            return total

        def unknown(u: arb) -> arb:
            return arb(0, 1)

        def turning(u: arb) -> arb:
            return arb((u.mid() < 0) - (u.mid() > 0))

        for low, high in ((-14, 14), (-14, 0 if beta % 2 else 1), (13, 14)):
            counted = sum(low < root < high for root in roots)
            inside = low not in roots and high not in roots
            found = cell.count_zeros(polynomial, slope_of, low, high, 4000)
            proof.exactly("count_zeros", found if inside else None, counted if inside else None)
            proof.exactly(
                "count_zeros: slopes of both signs side by side, and no sign between", cell.count_zeros(unknown, turning, -1, 1), None
            )
            proof.exactly("count_zeros: no pieces", cell.count_zeros(polynomial, slope_of, -14, 14, 0) if len(roots) > 1 else None, None)
    hold_refusals(proof, "complex numbers have no sign", [(f, (x,)) for f in (cell.sign, cell.heaviside) for x in (1j, -2 + 0j)])


@tie("degeeter26.eq11")
def complex_units(proof: Proof) -> None:
    """Layers with complex weights: candidates, thresholds and gates by their sums; no sign of a candidate."""
    rng = Random(441)
    for n in proof.tied("1 to 13 units", POSITIVE):
        W, V = (integers(rng, n, 3) + 1j * integers(rng, n, 3) for _ in range(2))
        b, c, alpha = (integers(rng, n, 1)[:, 0] * (1 - 1j) for _ in range(3))
        layer, x = cell.BMRU(W, b, V, c, alpha), np.array([1 + 1j, -2, 3j], dtype=object)
        candidate = [sum(W[i, j] * x[j] for j in range(3)) + b[i] for i in range(n)]
        threshold = [abs(sum(V[i, j] * x[j] for j in range(3)) + c[i]) for i in range(n)]
        proof.exactly("candidate, threshold", (list(layer.candidate(x)), list(layer.threshold(x))), (candidate, threshold))
        proof.exactly("gate", list(layer.gate(x)), [int(abs(h) >= t) for h, t in zip(candidate, threshold, strict=True)])
        proof.exactly("recurrence: its start", layer.recurrence(alpha).initial.tolist(), [[a] for a in alpha])
        hold_refusals(proof, "what is written has no sign", [(layer.written, (x,)), (layer.recurrence(alpha).run, ([x],))])
    hold_refusals(
        proof,
        "candidates that are complex",
        [(cell.gradients, ([1j], [1.0], 1.0, 1.0, lambda u: u)), (cell.gradients, ([-2j, 1j], [1.0, 1.0], 1, 1))],
    )
    for n in proof.tied("a step of up to 13 units for 13 rows at once, whole numbers of each type", POSITIVE):
        W, V = integers(rng, n, 2).astype(int), integers(rng, n, 2).astype(int)
        b, c, start = (integers(rng, n, 1)[:, 0].astype(int) for _ in range(3))
        start = np.where(start >= 0, 1, -1)
        inputs, states = integers(rng, 13, 2).astype(int), np.where(integers(rng, 13, n).astype(int) >= 0, 1, -1)
        layers = [Layer(cell.BMRU(W, b, V, c, np.ones(n, dtype=int)), (), start)]
        wanted = []
        for x, h in zip(inputs.tolist(), states.tolist(), strict=True):
            row = list(x)
            for i in range(n):
                u = sum(int(W[i, j]) * x[j] for j in range(2)) + int(b[i])
                t = abs(sum(int(V[i, j]) * x[j] for j in range(2)) + int(c[i]))
                row.append((1 if u >= 0 else -1) if abs(u) >= t else h[i])
            wanted.append(row)
        for one in (1, 1.0, 1 + 0j):
            proof.exactly("step", closure.step(layers, inputs * one, states * one).tolist(), wanted)


@tie("new.bistable.varying-scan")
def maps_of_solutions(proof: Proof) -> None:
    """Maps composed row by row, up to 13 of 13 values of each type; where many states go among three solutions."""
    rng = Random(442)
    for n in proof.tied("1 to 13 values", POSITIVE):
        first = np.array([[rng.randrange(n) for _ in range(n)] for _ in range(13)])
        for then in (
            integers(rng, 13, n),
            integers(rng, 13, n).astype(float),
            integers(rng, 13, n) * (1 - 1j),
            integers(rng, 13, n) * fmpq(-1, 2),
        ):
            wanted = [[then[t, i] for i in row] for t, row in enumerate(first)]
            proof.exactly("compose_maps", scan.compose_maps(first, then).tolist(), wanted)
            batch = scan.compose_maps(first.reshape(1, 13, 1, n), then.reshape(1, 13, 1, n))
            proof.exactly("compose_maps: in batches", batch.tolist(), [[[row] for row in wanted]])
        rows = [[rng.randrange(n) for _ in range(n)] for _ in range(13)]
        images, i = [], 0
        for row in rows:
            i = row[i]
            images.append(i)
        proof.exactly("scanned", (scan.scanned(rows), scan.scanned(rows, sequential_scan)), (images, images))
        x, beta = fmpq(1, 20), fmpq(n)
        found = scan.solutions(x, beta, 1e-12)
        starts = [fmpq(k, 7) - 1 for k in range(1, 14)]
        middle = float(found[len(found) // 2])
        inside = len(found) == 3
        proof.exactly(
            "step_map: below and above the middle solution",
            scan.step_map([arb(h) for h in starts], x, beta, found),
            [2 * int(int(h.p) / int(h.q) > middle) if inside else 0 for h in starts],
        )
        proof.exactly("step_map: the same input", scan.step_map([arb(h) for h in starts], x, beta, found, True), list(range(len(found))))
    hold(proof, "no inputs", lambda: scan.convergent_states([], fmpq(1)), list, [()], "convergent_states")
    one, three, again = [arb(-2)], [arb(-2), arb(fmpq(1, 3)), arb(5)], [arb(-3), arb(0), arb(3)]
    rows = [(h, x, found) for h in (fmpq(-7), fmpq(0), fmpq(9)) for x in (fmpq(-1), fmpq(0), fmpq(1, 9)) for found in (one, three, again)]
    rows = [(h, x, found) for h, x, found in rows if found is not again or h or not x]
    wanted = [
        1 if len(found) > 1 and not h and not x else 2 * int(len(found) > 1 and h > fmpq(int(found is three), 3)) for h, x, found in rows
    ]
    for (h, x, found), where in proof.tied("states below, on and above the middle solution", zip(rows, wanted, strict=True)):
        proof.exactly("limit_of", scan.limit_of(arb(h), x, found), where)
    for h, x in proof.tied("states that touch the middle solution", [(arb(0), fmpq(1)), (arb(0, 1), fmpq(0)), (arb(0.5, 1), fmpq(1, 9))]):
        proof.exactly("limit_of: not told", _not_told(h, x, again), True)


def _not_told(h: arb, x: fmpq, found: list[arb]) -> bool:
    try:
        scan.limit_of(h, x, found)
    except ArithmeticError:
        return True
    return False


@tie("degeeter26.eq11")
def modules_on_many_words(proof: Proof) -> None:
    """Thirteen words at once: steps and their slopes, units and linear units by the scan, step by step and by their last state."""
    generator = np.random.default_rng(443)
    for torch in proof.extra("torch"):
        from .....constructions.bistable import torch as modules

        x = torch.tensor(
            [-3.0, -1.0, -0.25, 0.0, 0.5, 1.0, 2.0, -12.0, 7.0, 0.125, -0.5, 4.0, -2.0], dtype=torch.float64, requires_grad=True
        )
        for function, low, sharpness in ((modules.heaviside, 0.0, 1.0), (modules.sign, -1.0, 3.0)):
            found = function(x, sharpness)
            proof.exactly("heaviside, sign", found.tolist(), [1.0 if u >= 0 else low for u in x.tolist()])
            upstream = torch.tensor([(-1.0) ** (k + 1) * (k + 1) for k in range(13)], dtype=torch.float64)
            (slopes,) = torch.autograd.grad(found, x, upstream)
            wanted = [g * (1 - low) / (1 + (sharpness * np.pi * u) ** 2) for g, u in zip(upstream.tolist(), x.tolist(), strict=True)]
            proof.closely("their slopes", max(abs(a - b) for a, b in zip(slopes.tolist(), wanted, strict=True)), 1e-12)
        for n, inputs in ((1, 2), (5, 3), (13, 2)):
            unit = modules.BMRU(inputs, n).double()
            words = torch.tensor(generator.integers(-3, 4, (13, 14, inputs)) - 0.5)
            W, b = unit.candidate.weight.detach().numpy(), unit.candidate.bias.detach().numpy()
            V, c = unit.threshold.weight.detach().numpy(), unit.threshold.bias.detach().numpy()
            before = torch.tensor(generator.choice([-1.0, 1.0], (13, n)))
            for initial in (None, before):
                h, states = (-np.ones((13, n)) if initial is None else before.numpy()), []
                for t in range(14):
                    hat, beta = words[:, t].numpy() @ W.T + b, np.abs(words[:, t].numpy() @ V.T + c)
                    h = np.where(np.abs(hat) >= beta, np.where(hat >= 0, 1.0, -1.0), h)
                    states.append(h)
                wanted = np.stack(states, 1)
                for by_scan in (True, False):
                    proof.exactly("BMRU", unit(words, by_scan, initial).tolist(), wanted.tolist())
                proof.exactly("BMRU: the last state", unit.last_state(words, initial).tolist(), wanted[:, -1].tolist())
            z, a = torch.tensor(wanted) * 2, torch.ones(n, dtype=torch.float64) * 3
            wide = modules.bmru_states(z, torch.ones_like(z), a, -a)
            proof.exactly("bmru_states: always written", wide.tolist(), (np.sign(wanted) * 3).tolist())
            proof.exactly("BMRU: its sharpness, unless another is given", unit.sharpness, 1.0)
            if n < 6:
                gradients(proof, torch, modules.bmru_states, torch.tensor(generator.normal(size=(2, 9, n))))
            torch.manual_seed(n)
            linear = modules.LRU(inputs, n).double()
            torch.manual_seed(n)
            again = modules.LRU(inputs, n, r_min=0.0, r_max=0.99).double()
            same = [bool((x == y).all()) for x, y in zip(linear.parameters(), again.parameters(), strict=True)]
            proof.exactly("LRU: the ring it is drawn from, unless another is given", all(same), True)
            eigenvalues, gain = linear.eigenvalues().detach().numpy(), np.exp(linear.log_gamma.detach().numpy())
            B = linear.B.detach().numpy()
            drive = words.numpy() @ (B[0] + 1j * B[1]).T * gain
            proof.closely("LRU: drive", float(np.abs(linear.drive(words).detach().numpy() - drive).max()), 1e-6)
            begin = generator.standard_normal((13, 2 * n))
            for initial in (None, torch.tensor(begin)):
                h, states = np.zeros((13, n)) * 1j if initial is None else begin[:, :n] + 1j * begin[:, n:], []
                for t in range(14):
                    h = eigenvalues * h + drive[:, t]
                    states.append(np.concatenate([h.real, h.imag], -1))
                wanted = np.stack(states, 1)
                largest = float(np.abs(wanted).max())
                for by_scan in (True, False):
                    proof.closely("LRU", float(np.abs(linear(words, by_scan, initial).detach().numpy() - wanted).max()) / largest, 1e-5)
                proof.closely(
                    "LRU: the last state", float(np.abs(linear.last_state(words, initial).numpy() - wanted[:, -1]).max()) / largest, 1e-5
                )


@tie("degeeter26.eq11")
def what_is_left_out(proof: Proof) -> None:
    """Widths, pieces and bits that need not be given; signs of balls that touch 0."""
    signs = [(arb(0), 0), (arb(1, 1), 0), (arb(-1, 1), 0), (arb(0, 1), 0), (arb(2, 1), 1), (arb(-2, 1), -1)]
    for ball, wanted in proof.tied("balls that touch 0, hold it and do not", signs):
        proof.exactly("_sign", cell._sign(ball), wanted)
    for x, beta in proof.tied(
        "inputs on both sides of the folds", [(x, b) for x in (-0.3, -0.01, 0.0, 0.02, 1.5) for b in (-0.5, 1.0, 3.0)]
    ):
        left_out, given = cell.equilibria(x, beta), cell.equilibria(x, beta, width=1e-12)
        proof.exactly("equilibria", [(y.mid(), y.rad()) for y in left_out], [(y.mid(), y.rad()) for y in given])


@tie("degeeter26.eq11")
def other_types(proof: Proof) -> None:
    """Numbers between words: what complex inputs of surrogates give, balls for rationals."""
    rows: list[tuple[Any, ...]] = [(fmpq(k, 2), fmpq(3)) for k in range(-6, 7)]
    hold(
        proof,
        "rationals of either sign",
        lambda u, s: near(cell.surrogate_slope(u, s), 1 / (1 + (arb(s) * arb.pi() * arb(u)) ** 2)),
        lambda u, s: True,
        rows,
        "surrogate_slope",
    )


def gradients(proof: Proof, torch: Any, states: Any, candidates: Any) -> None:
    """The gradients of a weighted sum of states, back in time by hand; H' = 1 / (1 + (pi x)^2), S' = 2 H'."""
    n = candidates.shape[-1]
    given = [
        x.clone().requires_grad_(True)
        for x in (candidates, 0.2 + 0.1 * candidates.abs(), torch.arange(1.0, n + 1).double(), candidates[0, 0])
    ]
    weights = torch.cos(torch.arange(candidates.numel()).double()).reshape(candidates.shape)
    c, beta, alpha, start = (x.detach().numpy() for x in given)
    z, s, slope = np.abs(c) >= beta, np.where(c >= 0, 1.0, -1.0), lambda x: 1 / (1 + (np.pi * x) ** 2)
    h = [np.broadcast_to(start, c[:, 0].shape)]
    for t in range(c.shape[1]):
        h.append(np.where(z[:, t], s[:, t] * alpha, h[-1]))
    of_c, of_beta, of_alpha, back = np.zeros(c.shape), np.zeros(c.shape), np.zeros(n), np.zeros(c[:, 0].shape)
    for t in reversed(range(c.shape[1])):
        back = back + weights[:, t].numpy()
        of_z = back * (s[:, t] * alpha - h[t]) * slope(np.abs(c[:, t]) - beta[:, t])
        of_c[:, t] = of_z * s[:, t] + back * z[:, t] * alpha * 2 * slope(c[:, t])
        of_beta[:, t] = -of_z
        of_alpha += (back * z[:, t] * s[:, t]).sum(0)
        back = back * ~z[:, t]
    for by_scan, sharpness in ((True, {"sharpness": 1.0}), (False, {"sharpness": 1.0}), (True, {}), (False, {})):
        found = torch.autograd.grad((weights * states(*given, scan=by_scan, **sharpness)).sum(), given)
        for name, x, wanted in zip(
            ("candidates", "thresholds", "alpha", "start"), found, (of_c, of_beta, of_alpha, back.sum(0)), strict=True
        ):
            proof.closely(f"bmru_states: the gradient by {name}", float(np.abs(x.numpy() - wanted).max()), 1e-12)
