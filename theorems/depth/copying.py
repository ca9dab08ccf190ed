"""Copying an input p steps forward: how many layers and units it takes (lizaire26, Lemmas 2 and 3, Theorem 1)."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
from flint import fmpq, fmpq_poly

from ...constructions import samples
from ...constructions.depth import (
    DeepLinear,
    as_one_layer,
    copy_network,
    hankel_rank,
    impulse_response,
    least_width,
    near_copy,
    printed_copy_network,
    resolvent,
)
from ...constructions.recurrence import Recurrence
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof


def _delay(p: int) -> fmpq_poly:
    """z^p."""
    return fmpq_poly([0] * p + [1])


def _copies(network: DeepLinear, p: int) -> bool:
    """The transfer function is exactly z^p I: the network copies every input sequence, of any length."""
    numerator, denominator = network.transfer()
    d = numerator.shape[1]
    return all(numerator[i, j] == (_delay(p) * denominator if i == j else 0) for i in range(d) for j in range(d))


def copy_data(network: DeepLinear, p: int) -> dict:
    """What ``lemmata recheck`` needs to see that the network copies p steps forward."""
    return {"layers": [{"U": U, "V": V} for U, V in network.layers], "readout": network.readout, "p": p}


def random_network(rng: Random, n: int, depth: int, d: int = 1) -> DeepLinear:
    """Integer matrices, some of them singular or nilpotent."""
    layers = []
    for level in range(depth):
        V = samples.integers(rng, n, n, bound=2)
        if rng.random() < 0.3:
            V = np.triu(V, 1) * fmpq(1)
        layers.append((samples.integers(rng, n, d if level == 0 else n, bound=2), V))
    return DeepLinear(tuple(layers), samples.integers(rng, d, n, bound=2))


# -- linear or affine ------------------------------------------------------------------------------------------------------


@claim(
    "lizaire26.prop2",
    topic="depth",
    place="Proposition 2, App. A.2",
    title="the hidden states of a linear RNN are linear functions of the inputs",
    says=r"For $h\in\mathcal H_{RNN}(n,L)$ linear, $(x_1,\dots,x_T)\mapsto h^{(L)}_t$ is linear.",
    reading="with the biases and initial states of Definition 1",
    sabotages={"no bias": {"bias": 0}},
)
def affine_not_linear(proof: Proof, bias: int = 1) -> None:
    """A bias makes the function affine: for inputs 0 the state is b, and h(x + y) = h(x) + h(y) - b."""
    layer = Recurrence(lambda x: exact.zeros(1, 1), lambda x: exact.rationals([[x + bias]]), exact.zeros(1, 1), lambda H, x: H[0, 0])
    found = proof.smallest(
        "n = L = T = 1, U = 1, V = 0", [(1, 2)], lambda c: layer.run([c[0] + c[1]])[0] != layer.run([c[0]])[0] + layer.run([c[1]])[0]
    )
    if found:
        x, y = found[0]
        values = {name: layer.run([v])[0] for name, v in (("h(x)", x), ("h(y)", y), ("h(x + y)", x + y))}
        proof.counterexample(
            given={"U": 1, "V": 0, "b": bias, "x": x, "y": y, **values},
            hypotheses={},
            violates={"h(x + y) differs from h(x) + h(y)": values["h(x + y)"] != values["h(x)"] + values["h(y)"]},
            minimal="n = L = T = 1",
        )


# -- Lemma 2 ---------------------------------------------------------------------------------------------------------------


@claim(
    "lizaire26.lemma2",
    topic="depth",
    place="Lemma 2, App. A.3",
    title="the printed network, read at its first component, copies p steps forward",
    says=r"With $U^{(1)}=e_n$, $U^{(l)}=e_ne_1^\top$, $V^{(l)}$ the shift, $L=\lceil p/(n-1)\rceil$ and $w(h)=[h]_1$, $w\circ h=f_p$.",
    reading="as printed; the text before has component 1 + L(n - 1) - p, which is 1 only if n - 1 divides p",
    sabotages={"p a multiple of n - 1": {"pairs": ((2, 1), (2, 2), (3, 2), (3, 4))}},
)
def first_component(proof: Proof, pairs=((2, 1), (2, 2), (3, 1), (3, 2))) -> None:
    """The first component is the oldest input of the register, x_(t - L(n-1))."""
    found = proof.smallest("n, then p", pairs, lambda c: not _copies(printed_copy_network(c[0], -(-c[1] // (c[0] - 1))), c[1]))
    if found:
        (n, p), _ = found
        depth = -(-p // (n - 1))
        outputs = [y[0] for y in printed_copy_network(n, depth).run([1, 2, 3, 4])]
        proof.counterexample(
            given={"n": n, "p": p, "L": depth, "inputs": [1, 2, 3, 4], "printed readout": outputs, "f_p": [0] * p + [1, 2, 3, 4][: 4 - p]},
            hypotheses={"n > 1, p >= 1, L = ceil(p / (n - 1))": n > 1 and p >= 1},
            violates={"the output is another": outputs != [0] * p + [1, 2, 3, 4][: 4 - p]},
            minimal=f"n = {n}, p = {p}, L = {depth}",
        )


@claim(
    "lizaire26.lemma2.amended",
    topic="depth",
    place="Lemma 2, App. A.3",
    kind="amended",
    amends="lizaire26.lemma2",
    title="d channels are copied p steps forward by L layers of width n whenever p d <= L (n - d)",
    says=r"For $pd\le L(n-d)$ there are a linear RNN of width $n$ and depth $L$ and a linear readout with transfer function $z^pI_d$; for $d=1$, $f_p$ for every $p\le L(n-1)$.",
    construction="lemmata.constructions.depth.copy_network",
    sabotages={"one delay is lost": {"steps": lambda p: p + 1}},
)
def registers(proof: Proof, steps=lambda p: p) -> None:
    """A layer passes each channel through a shift register; n - d of its units are delays, and the p d delays are dealt out over the layers.

    Exactly z^p I as rational functions, so for inputs of every length; the run on a word is checked besides."""
    widest, deepest = proof.pick((3, 2), (5, 4), (7, 5))
    cases = [
        (n, depth, p, d)
        for n, depth in product(range(1, widest + 1), range(1, deepest + 1))
        for d in range(1, n + 1)
        for p in range(depth * (n - d) // d + 1)
    ]
    for n, depth, p, d in proof.every(f"n <= {widest}, L <= {deepest}, all d <= n and p d <= L (n - d)", cases):
        network = copy_network(n, depth, p, d)
        proof.exactly("the transfer function is z^p I", _copies(network, steps(p)), True)
        word = [[fmpq(t * d + c + 1) for c in range(d)] for t in range(p + 3)]
        copied = [[fmpq(0)] * d] * p + word[:3]
        proof.exactly("a word is copied", [list(y) for y in network.run(word)], copied)
        if p == depth * (n - d) // d:
            proof.certificate("copy", f"n = {n}, L = {depth}, d = {d}, p = {p}", **copy_data(network, p))


# -- Lemma 3 ---------------------------------------------------------------------------------------------------------------


@claim(
    "lizaire26.lemma3",
    topic="depth",
    place="Lemma 3, App. A.3 (proof)",
    title="to be copied, an input must appear as a component of every hidden state on its way",
    says=r"If the information of $x_i$ flows through $h^{(l)}_t$ without loss, $x_i$ is one of the components of $h^{(l)}_t$.",
    reading="up to a factor",
    sabotages={"the register itself": {"basis": ((1, 0), (0, 1))}},
)
def mixed_components(proof: Proof, basis=((1, 1), (1, -1))) -> None:
    """In the basis x_t + x_(t-1), x_t - x_(t-1) the register still holds both inputs, but no component is a multiple of one of them.

    So the counting of components in the printed proof does not bound the memory; the polynomials of the amended claim do."""
    register, M = copy_network(2, 1, 1), exact.rationals(basis)
    ((U, V),) = register.layers
    inverse = exact.inverse(M)
    network = DeepLinear(((M @ U, M @ V @ inverse),), register.readout @ inverse)
    components = [[row[0], row[1]] for row in M]
    proof.counterexample(
        given={
            "U": network.layers[0][0],
            "V": network.layers[0][1],
            "readout": network.readout,
            "components of h_t in (x_t, x_(t-1))": components,
        },
        hypotheses={"the network copies one step forward": _copies(network, 1)},
        violates={"no component is a multiple of one input": all(a != 0 and b != 0 for a, b in components)},
        minimal="n = 2, L = 1, p = 1",
    )


@claim(
    "lizaire26.lemma3.amended",
    topic="depth",
    place="Lemma 3, App. A.3",
    kind="amended",
    amends="lizaire26.lemma3",
    title="d channels can be copied p steps forward only if p d <= L (n - d), so for one channel p <= L (n - 1)",
    says=r"The transfer function is $N(z)/D(z)$ with $D=\prod_l\det(I-zV_l)$, $D(0)=1$, and the determinant of its $d\times d$ matrix is $N_d/D$ with $\deg N_d\le L(n-d)$. If it is $z^pI_d$, "
    r"$N_d=z^{pd}D$, hence $pd\le L(n-d)$.",
    uses=("lizaire26.lemma2.amended",),
    sabotages={"one degree less": {"bound": lambda n, depth, d: depth * (n - d) - 1}},
)
def degrees_of_polynomials(proof: Proof, bound=lambda n, depth, d: depth * (n - d)) -> None:
    """The d-th compound of a product is the product of the compounds (Cauchy and Binet), and a d x d minor of (I - zV)^-1 is, up to sign, the
    complementary minor of I - zV, of degree n - d at most, over det(I - zV) (Jacobi). So the determinant of the transfer function has a
    numerator of degree at most L(n - d) over D. On the way D(0) = 1 shows that z^pd D has degree pd at least."""
    count = proof.pick(10, 40, 120)
    rng = Random(95)
    for _ in proof.each(f"{count} random integer networks, n <= 4, L <= 3, d <= 2", range(count)):
        n, depth = rng.randint(1, 4), rng.randint(1, 3)
        d = rng.randint(1, min(n, 2))
        network = random_network(rng, n, depth, d)
        numerator, denominator = network.transfer()
        proof.exactly("D(0) = 1", denominator[0], fmpq(1))
        response = [impulse_response(numerator[i, j], denominator, 8) for i in range(d) for j in range(d)]
        runs = [
            [y[i] for y in network.run([exact.unit_vector(d, j), *([exact.unit_vector(d, j) * 0] * 7)])] for i in range(d) for j in range(d)
        ]
        proof.exactly("N / D is the impulse response", response, runs)
        # the determinant of the transfer matrix over D, not D^d: D^(d-1) divides the determinant of N
        determinant = numerator[0, 0] if d == 1 else numerator[0, 0] * numerator[1, 1] - numerator[0, 1] * numerator[1, 0]
        quotient, rest = divmod(determinant, denominator ** (d - 1))
        proof.exactly("D^(d-1) divides det N", rest == 0, True)
        proof.holds("the degree of det N / D^(d-1) is at most L (n - d)", quotient.degree() <= depth * (n - d))
    widest = proof.pick(3, 5, 6)
    for n, depth, d in proof.every(
        f"the networks that copy farthest, n <= {widest}, L <= 3, d <= 2",
        [(n, k, d) for n in range(1, widest + 1) for k in (1, 2, 3) for d in (1, 2) if d <= n],
    ):
        p = depth * (n - d) // d
        proof.holds("p d <= L (n - d)", p * d <= bound(n, depth, d))
        proof.exactly("they exist", _copies(copy_network(n, depth, p, d), p), True)
    for n in proof.every("n <= 6", range(1, 7)):
        V = samples.integers(Random(n), n, n)
        adjugate, determinant = resolvent(V)
        identity = (adjugate @ exact.map_entries(lambda x: fmpq_poly([x]), exact.identity(n))) - adjugate @ exact.map_entries(
            lambda x: fmpq_poly([0, x]), V
        )
        proof.exactly(
            "adj(I - zV) (I - zV) = det(I - zV) I",
            [[identity[i, j] == (determinant if i == j else 0) for j in range(n)] for i in range(n)],
            [[True] * n] * n,
        )
        proof.holds("and adj has degree at most n - 1", all(x.degree() <= n - 1 for x in adjugate.flat))


@claim(
    "new.depth.finite-length",
    topic="depth",
    place="after lizaire26, Lemma 3 and Sec. 4.1 (Figure 6)",
    kind="new",
    title="at lengths T <= 2p one layer of width p copies p steps as accurately as one likes, though not exactly; fewer than m d units cannot, m = min(p, T - p)",
    says=r"For $n=p$, $d=1$, $V$ the cyclic shift with one entry $1/\varepsilon$ and $w=\varepsilon e_1^\top$, the responses are $\varepsilon,0,\dots,0,1$ at $k=p$ and $0$ up to $k=2p-1$. For any network "
    r"the squared errors of the responses from times $\le p$ to times $>p$ add up to at least $md-nL$, $m=\min(p,T-p)$.",
    reading="the paper's experiment has T = 2p = 16; Lemma 3 is about every length, and exact",
    uses=("lizaire26.lemma3.amended",),
    sabotages={"one step more": {"horizon": lambda p: 2 * p + 1}, "a bound one higher": {"excess": 1}},
)
def nearly_copies(proof: Proof, horizon=lambda p: 2 * p, excess: int = 0) -> None:
    """The unwanted responses are epsilon at 0 and 1/epsilon at 2p, which a word of length 2p does not show. For the bound: the map from the inputs up to time p to
    the outputs after it has rank at most nL, the number of states, and the copy's has m d singular values 1, so Eckart and Young give the distance."""
    longest = proof.pick(4, 8, 16)
    for p, e in proof.every(f"p <= {longest}, epsilon = 1/10, 1/1000", product(range(1, longest + 1), (10, 1000))):
        network = near_copy(p, fmpq(1, e))
        responses = [y[0] for y in network.run([1] + [0] * (horizon(p) - 1))]
        proof.exactly("only the first response is wrong, by epsilon", responses, [fmpq(1, e)] + [int(k == p) for k in range(1, horizon(p))])
        proof.holds("fewer units than exactness needs", network.width < least_width(p, 1))
    rng = Random(97)
    count = proof.pick(5, 15, 40)
    networks = [
        (random_network(rng, rng.randint(1, 3), rng.randint(1, 3), 1 + k % 2), p, T)
        for k in range(count)
        for p, T in ((1, 2), (3, 5), (4, 8))
    ]
    networks = [(net, p, T) for net, p, T in networks if len(net.readout) <= net.width]
    networks += [(near_copy(p, fmpq(1, 10)), p, 2 * p) for p in (1, 2, 4)]
    for network, p, T in proof.each(
        f"{count} random integer networks, n, L <= 3, d <= 2, and the copies above; (p, T) = (1, 2), (3, 5), (4, 8)", networks
    ):
        d, units = len(network.readout), network.width * len(network.layers)
        block = _across(network, p, T)
        proof.holds("the rank of the map across time p is at most nL", exact.rank(block) <= units)
        error = block - _across(copy_network(d * (p + 1), 1, p, d), p, T)
        proof.holds("squared errors of at least m d - nL", (error * error).sum() >= min(p, T - p) * d - units + excess)


def _across(network: DeepLinear, p: int, T: int) -> np.ndarray:
    """The map from the inputs at times 1 .. p to the outputs at times p + 1 .. T, shape ((T - p) d, p d)."""
    d = len(network.readout)
    responses = [network.run([exact.unit_vector(d, c), *[exact.unit_vector(d, c) * 0] * (T - 1)]) for c in range(d)]
    rows = [[responses[c][t - s][i] for s in range(1, p + 1) for c in range(d)] for t in range(p + 1, T + 1) for i in range(d)]
    return np.array(rows, dtype=object)


# -- Theorems 1 and 2 --------------------------------------------------------------------------------------------------------


def _cascade(n: int, depth: int) -> DeepLinear:
    """Layers with n different poles each, all different, every unit fed from the one below and the first reading all."""
    layers = []
    for level in range(depth):
        V = np.diag([fmpq(1, level * n + i + 2) for i in range(n)]) + exact.zeros(n, n)
        U = np.full((n, 1 if level == 0 else n), fmpq(1), dtype=object)
        layers.append((U, V))
    return DeepLinear(tuple(layers), np.full((1, n), fmpq(1), dtype=object))


@claim(
    "lizaire26.thm1",
    topic="depth",
    place="Theorem 1",
    title="each further layer computes functions that no linear RNN of the same width and one layer less does, for every n >= 1",
    says=r"$\mathcal H_{RNN}(n,L)\subsetneq\mathcal H_{RNN}(n,L+1)$ for all $n\ge1$: an identity layer gives the inclusion, and the responses of $L$ layers of width $n$ have Hankel rank at most $nL$, "
    r"of $L+1$ layers up to $n(L+1)$.",
    hypotheses=("the paper has n > 1, by copying",),
    sabotages={
        "the last layer repeats the poles' weights with 0": {
            "network": lambda n, depth: DeepLinear(_cascade(n, depth).layers, exact.zeros(1, n))
        }
    },
)
def hankel_ranks(proof: Proof, network=_cascade) -> None:
    """The Hankel matrix of a response factors through the joint state of all layers, nL numbers. With nL different poles, none of them cancelled,
    the rank is nL. (For n > 1 the copy f_p with p = (L + 1)(n - 1) tells the classes apart as well.)"""
    widest, deepest = proof.pick((2, 2), (3, 3), (4, 4))
    for n, depth in proof.every(f"n <= {widest}, L <= {deepest}", product(range(1, widest + 1), range(1, deepest + 1))):
        response = [y[0] for y in network(n, depth).run([1] + [0] * (2 * n * (depth + 1) + 2))]
        proof.exactly("a network with L layers and Hankel rank n L", hankel_rank(response), n * depth)
        rng = Random(100 * n + depth)
        random = [y[0] for y in random_network(rng, n, depth).run([1] + [0] * (2 * n * (depth + 1) + 2))]
        proof.holds("no network exceeds it", hankel_rank(random) <= n * depth)
        identity = DeepLinear((*network(n, depth).layers, (exact.identity(n), exact.zeros(n, n))), network(n, depth).readout)
        proof.exactly(
            "an identity layer changes nothing",
            [y[0] for y in identity.run([1, 2, 0, -1, 3])],
            [y[0] for y in network(n, depth).run([1, 2, 0, -1, 3])],
        )


@claim(
    "lizaire26.prop1",
    topic="depth",
    place="Proposition 1; Theorem 6, App. A.4",
    title="one layer of width nL holds all states of L layers of width n, and remembers longer for L > 1",
    says=r"The states of $L$ layers of width $n$, one above the other, are those of one layer of width $nL$; for $L>1$ the converse fails: one layer copies $nL-1>L(n-1)$ steps.",
    uses=("lizaire26.lemma2.amended", "lizaire26.lemma3.amended"),
    construction="lemmata.constructions.depth.as_one_layer",
    sabotages={"layers read the one below a step late": {"joined": lambda network: _one_step_late(network)}},
)
def joint_states(proof: Proof, joined=as_one_layer) -> None:
    """The joint state obeys a block-triangular recurrence. A register of nL units delays by nL - 1, which L layers of n units cannot (Lemma 3)."""
    rng = Random(96)
    count = proof.pick(10, 30, 100)
    for _ in proof.each(f"{count} random integer networks, n, L <= 3", range(count)):
        network = random_network(rng, rng.randint(1, 3), rng.randint(1, 3))
        left, right = network.transfer(), joined(network).transfer()
        proof.exactly("the transfer functions agree", left[0][0, 0] * right[1], right[0][0, 0] * left[1])
    for n, depth in proof.every("n <= 4, L = 2, 3", product(range(1, 5), (2, 3))):
        p = n * depth - 1
        proof.exactly("one layer copies nL - 1 steps", _copies(copy_network(n * depth, 1, p), p), True)
        proof.holds("which is more than L (n - 1)", p > depth * (n - 1))


def _one_step_late(network: DeepLinear) -> DeepLinear:
    """The joint recurrence without the part of the layer below that is of the same time."""
    joint = as_one_layer(network)
    ((U, V),) = joint.layers
    n = network.width
    late = U * 1
    late[n:] = late[n:] * 0
    return DeepLinear(((late, V),), joint.readout)
