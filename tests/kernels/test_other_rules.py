"""Rules with inputs of their own, and gradients: kernels written from the papers pass, wrong ones are named, and fractions agree with integers."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from lemmata.kernels import check, listing, vector
from lemmata.kernels.audit import audit, heads
from lemmata.kernels.backward import audit_gradients
from lemmata.kernels.controls import CONTROLS, control, refusal
from lemmata.kernels.gradients import GRADIENTS, RETURNED, early, late, loss_in_fractions
from lemmata.kernels.gradients import spans as gradient_spans
from lemmata.kernels.recurrence import in_integers, with_transitions
from lemmata.kernels.vectors import VECTORS
from lemmata.kernels.writing import audited, save


def spans(cuts, rows, T):
    return [(b, 0, T) for b in range(rows)] if cuts is None else [(0, a, b) for a, b in pairwise(cuts)]


def mamba2(x, dt, A, B, C, h0, cu_seqlens, fault=None):
    y, states, groups = np.zeros_like(x), h0.copy(), x.shape[2] // B.shape[2]
    for n, (b, first, last) in enumerate(spans(cu_seqlens, *x.shape[:2])):
        for h in range(x.shape[2]):
            for t in range(first, last):
                write = np.outer(x[b, t, h], B[b, t, h // groups]) * (1 if fault == "dt not in the write" else dt[b, t, h])
                states[n, h] = np.exp(dt[b, t, h] * A[h]) * states[n, h] + write
                y[b, t, h] = states[n, h] @ C[b, t, h % B.shape[2] if fault == "tiled" else h // groups]
    return y, states


def rwkv7(r, w, k, v, a, b, scale, h0, cu_seqlens, fault=None):
    o, states = np.zeros_like(v), h0.copy()
    for n, (row, first, last) in enumerate(spans(cu_seqlens, *r.shape[:2])):
        for h in range(r.shape[2]):
            S = states[n, h]
            for t in range(first, last):
                at = (row, t, h)
                S[:] = np.exp(w[at])[:, None] * S + np.outer(b[at], a[at] @ S) + np.outer(k[at], v[at])
                o[at] = (1 if fault == "no scale" else scale) * (r[at] @ S)
    return o, states


def complex_diagonal(a, u, h0, cu_seqlens, fault=None):
    """By doubling, as a scan goes; packed sequences one by one."""
    o, states = np.zeros_like(u), np.zeros_like(h0)
    for n, (b, first, last) in enumerate(spans(cu_seqlens, *u.shape[:2])):
        turn, added, step = a[b, first:last].copy(), u[b, first:last].copy(), 1
        while step < len(turn):
            added[step:] = added[step:] + turn[step:] * (added[:-step].conj() if fault == "conjugate" else added[:-step])
            turn[step:] = turn[step:] * turn[:-step].copy()
            step *= 2
        o[b, first:last] = turn * h0[n] + added
        states[n] = o[b, last - 1]
    return o, states


KERNELS = {"mamba2": mamba2, "rwkv7": rwkv7, "complex-diagonal": complex_diagonal}
FEATURES = {
    "mamba2": ("packed sequences", "grouped heads", "sum", "left padding"),
    "rwkv7": ("packed sequences", "scale", "swap"),
    "complex-diagonal": ("packed sequences", "constant transition"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("others")
    for rule, features in FEATURES.items():
        for feature in features:
            made = vector(rule, feature)
            # two lengths are enough here
            rows = [-1] if len(made.arrays["cu_seqlens"]) else [4, -1]
            save(replace(made, arrays={**made.arrays, **{name: made.arrays[name][rows] for name in ("lengths", "states")}}), path)
    return path


@pytest.mark.parametrize("rule", KERNELS)
def test_a_kernel_from_the_paper_passes(folder, rule):
    assert check(KERNELS[rule], folder, rule) == []


@pytest.mark.parametrize(
    ("rule", "fault", "features"),
    [
        ("mamba2", "dt not in the write", {"sum", "packed sequences", "grouped heads", "left padding"}),
        ("mamba2", "tiled", {"grouped heads"}),
        ("rwkv7", "no scale", {"scale"}),
        ("complex-diagonal", "conjugate", {"packed sequences", "constant transition"}),
    ],
)
def test_a_wrong_one_is_named(folder, rule, fault, features):
    found = check(lambda **x: KERNELS[rule](**x, fault=fault), folder, rule, splits=False)
    assert {line.partition(":")[0] for line in found} == features


@pytest.mark.parametrize(("rule", "features"), FEATURES.items())
def test_the_audit_holds(rule, features):
    for feature in features[:2]:
        assert set(VECTORS[rule, feature].formats) <= set(audit(vector(rule, feature), 32).formats)


def test_fractions_agree_on_two_keys():
    """RWKV-7's transition as a matrix, I + b a^T, in fractions."""
    made = vector("rwkv7", "scale")
    head = next(iter(heads(made)))
    exact = [[Fraction(float(x)) for x in row] for row in np.eye(16)]
    steps = range(5)
    A = [
        [[exact[i][j] + Fraction(float(head.b[t, i])) * Fraction(float(head.a[t, j])) for j in range(16)] for i in range(16)] for t in steps
    ]
    W = [[[Fraction(float(head.k[t, i])) * Fraction(float(head.v[t, c])) for c in range(16)] for i in range(16)] for t in steps]
    outputs, _ = with_transitions(head.q[:5], A, W, head.start, made.scale)
    assert [[Fraction(float(x)) for x in row] for row in head.o[:5]] == outputs


def test_fractions_agree_on_mamba2():
    """From the file's own dt, A, B, C and x: the gate is 1 where dt A is 0, and 0 elsewhere."""
    made = vector("mamba2", "grouped heads")
    x, steps = made.arrays, range(6)
    for h in range(x["x"].shape[2]):
        dt, B = ([[Fraction(float(y)) for y in np.atleast_1d(row)] for row in a] for a in (x["dt"][0, :6, h], x["B"][0, :6, h // 2]))
        value = [[Fraction(float(y)) for y in row] for row in x["x"][0, :6, h]]
        gates = [int(dt[t][0] * Fraction(float(x["A"][h])) == 0) for t in steps]
        A = [[[Fraction(gates[t] * (i == j)) for j in range(16)] for i in range(16)] for t in steps]
        W = [[[dt[t][0] * B[t][i] * value[t][c] for c in range(16)] for i in range(16)] for t in steps]
        outputs, _ = with_transitions(x["C"][0, :6, h // 2], A, W, x["h0"][0, h].T, 1.0)
        assert [[Fraction(float(y)) for y in row] for row in x["o"][0, :6, h]] == outputs


def test_integers_agree_on_complex_diagonals():
    """Gaussian integers as pairs of Python's integers."""
    made = vector("complex-diagonal", "packed sequences")
    x = made.arrays
    for n, (first, last) in enumerate(pairwise(x["cu_seqlens"].tolist())):
        re, im = int(x["h0"][n, 0, 3].real), int(x["h0"][n, 0, 3].imag)
        for t in range(first, last):
            a, u = x["a"][0, t, 0, 3], x["u"][0, t, 0, 3]
            p, q = int(a.real), int(a.imag)
            assert p * p + q * q in (0, 1)
            re, im = p * re - q * im + int(u.real), p * im + q * re + int(u.imag)
            assert x["o"][0, t, 0, 3] == complex(re, im)
        assert x["states"][-1, n, 0, 3] == complex(re, im)


@pytest.mark.parametrize("rule", RETURNED)
def test_gradients_are_differences_in_fractions(rule):
    """L has degree at most 2 in each number, so central differences of width 1 are exact; a d/da is the derivative by the logarithm of a gate a."""
    made = GRADIENTS[rule, "packed sequences"].draw(rule, "packed sequences")
    x, m, delta = {name: a.astype(float) for name, a in made.arrays.items() if a.dtype.kind == "f"}, made.micro, "beta" in RETURNED[rule]
    # the first sequence has one step: take it, and the end of the last one
    for n, begin, first, last in ((0, 0, 0, 1), (4, 145, 159, 162)):
        rows = slice(begin * m, last * m)
        y = {name: x[name][0, rows, 0] for name in ("k", "v", "beta")} | {"q": late(x["q"][0, begin:last, 0], m)}
        y["gate"] = early(x["gate"][0, begin:last, 0], m)
        start, skipped = x["h0"][n, 0], (first - begin) * m
        if skipped:
            start = in_integers(y["q"], y["k"], y["v"], y["beta"], y["gate"], start, made.scale, delta)[1][skipped - 1]
        inputs = {name: whole[skipped:] for name, whole in y.items()}
        do, dht = late(x["do"][0, first:last, 0], m), x["dht"][n, 0]

        def loss(changed, inputs=inputs, start=start, do=do, dht=dht):
            z = {"start": start} | inputs | changed
            return loss_in_fractions(**z, scale=made.scale, delta=delta, do=do, last=dht)

        rng = np.random.default_rng(0)
        for name in RETURNED[rule]:
            if name == "h0" and first:
                continue
            place = {"g": "gate", "h0": "start"}.get(name, name)
            whole = start if name == "h0" else inputs[place]
            wanted = x["dh0"][n, 0] if name == "h0" else x[f"d{name}"][0, :, 0]
            wanted = {"q": late, "g": early}.get(name, lambda rows, _: rows)(wanted, m)
            wanted = wanted if name == "h0" else wanted[first * m : last * m]
            for _ in range(3):
                at = tuple(rng.integers(size) for size in whole.shape)
                if name == "g" and at[0] % m:
                    continue
                more, less = whole.copy(), whole.copy()
                more[at], less[at] = whole[at] + 1, whole[at] - 1
                factor = Fraction(float(whole[at])) if name == "g" else 1
                assert factor * (loss({place: more}) - loss({place: less})) / 2 == Fraction(float(wanted[at]))


KEYS = [
    ("linear-gradient", "scale"),
    ("delta-gradient", "hold"),
    ("scalar-gate-gradient", "gate 0"),
    ("channel-gate-gradient", "packed sequences"),
]
KEYS += [("gated-delta-gradient", "gate 1"), ("gated-delta-gradient", "packed sequences"), ("products-gradient", "scale")]


@pytest.mark.parametrize("key", KEYS, ids=".".join)
def test_torch_returns_the_gradients(key):
    """Autograd through this project's scan, in float32."""
    torch = pytest.importorskip("torch", reason="needs the extra 'torch'")
    from lemmata.kernels.own import scan

    made = GRADIENTS[key].draw(*key)
    for n, (b, first, last) in enumerate(gradient_spans(made.arrays)):
        steps, updates = slice(first, last), slice(first * made.micro, last * made.micro)
        at = {name: updates if name in ("k", "v", "beta") else steps for name in ("q", "k", "v", "beta", "g")}
        x = {name: torch.tensor(made.arrays[name][b : b + 1, rows]).requires_grad_() for name, rows in at.items()}
        x["h0"] = torch.tensor(made.arrays["h0"][n : n + 1]).requires_grad_()
        beta = x["beta"] if "beta" in RETURNED[made.rule] else None
        o, state = scan(x["q"], x["k"], x["v"], x["g"], made.scale, beta, x["h0"], num_householder=made.micro)
        do, dht = torch.tensor(made.arrays["do"][b : b + 1, steps]), torch.tensor(made.arrays["dht"][n : n + 1])
        ((do * o).sum() + (dht * state).sum()).backward()
        for name in RETURNED[made.rule]:
            wanted = made.arrays["dh0"][n : n + 1] if name == "h0" else made.arrays[f"d{name}"][b : b + 1, at[name]]
            assert np.array_equal(x[name].grad.numpy(), wanted), name


@pytest.mark.parametrize("key", KEYS, ids=".".join)
def test_gradients_survive_the_chunked_backward_pass(key):
    made = GRADIENTS[key].draw(*key)
    for chunk in (16, 64):
        assert set(made.formats) <= set(audit_gradients(made, chunk).formats)


@pytest.mark.parametrize("name", ["dq", "dk", "dv", "dbeta", "dg", "dh0"])
def test_another_gradient_is_refused(name):
    made = GRADIENTS["gated-delta-gradient", "gate 1"].draw("gated-delta-gradient", "gate 1")
    wrong = made.arrays[name].copy()
    wrong.flat[-1] += 1
    with pytest.raises(ArithmeticError, match=f"gradient of {name[1:]} from gated-delta-gradient.gate-1"):
        audit_gradients(replace(made, arrays={**made.arrays, name: wrong}), 64)


def test_a_wrong_gradient_is_named(tmp_path):
    """A backward pass that forgets the final state's gradient."""
    for feature in ("final state", "scale"):
        save(GRADIENTS["linear-gradient", feature].draw("linear-gradient", feature), tmp_path)

    def gradients(q, k, v, beta, g, scale, micro, normalise, do, dht, h0, cu_seqlens, forgets=False):
        dS, S = (0 * dht if forgets else dht).copy(), h0.copy()
        before = np.cumsum(np.einsum("bthk,bthv->bthkv", k, v), axis=1) + S[:, None]
        later = np.cumsum(np.einsum("bthk,bthv->bthkv", scale * q, do)[:, ::-1], axis=1)[:, ::-1] + dS[:, None]
        dq, dk = scale * np.einsum("bthkv,bthv->bthk", before, do), np.einsum("bthkv,bthv->bthk", later, v)
        return dq, dk, np.einsum("bthkv,bthk->bthv", later, k), later[:, 0]

    assert check(gradients, tmp_path, "linear-gradient") == []
    wrong = check(lambda **x: gradients(**x, forgets=True), tmp_path, "linear-gradient")
    assert wrong == [f"final state: gradient of {name} wrong" for name in ("k", "v", "h0")]


def test_the_page_of_all_files_is_fresh():
    rows = json.loads(listing.RESULTS.read_text(encoding="utf-8"))
    assert listing.PAGE.read_text(encoding="utf-8") == listing.page(rows), f"run: {listing.COMMAND}"
    plans = VECTORS | GRADIENTS
    assert [row["vector"] for row in rows] == [f"{rule}.{feature.replace(' ', '-')}" for rule, feature in plans]
    assert [tuple(row["required in"]) for row in rows] == [plan.formats for plan in plans.values()]
    # a share is audited anew
    for key in (("kda", "every split"), ("mamba2", "grouped heads"), ("linear-gradient", "scale")):
        assert listing.facts(audited(plans[key].draw(*key))) == rows[list(plans).index(key)]


@pytest.mark.parametrize("name", CONTROLS)
def test_controls_are_refused(name):
    """In bfloat16 at least, whatever the chunk; two of them although they meet the criterion."""
    assert all("bfloat16" not in refusal(name, chunk).formats for chunk in (16, 64))
    assert refusal(name).criterion is (name in ("halving often", "growing"))
    with pytest.raises(KeyError, match="expected one of"):
        control("none")
