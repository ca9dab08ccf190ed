"""Theorem 2 without a unit for the clock: as many units as tokens, and a bias (after orvieto24, Sec. 2 and Theorem 2)."""

from __future__ import annotations

from random import Random

import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.universality.clocks import biased, biased_model, exceptional_steps, separating_head
from ...constructions.universality.networks import Network, settled
from ...constructions.vandermonde import recall_matrix
from ...numerics import exact
from ...numerics.aliases import Exact
from ..claim import claim
from ..evidence import Proof
from .sequences import as_data, positive_nodes, same_on_cube


def _random_head(rng: Random, k: int) -> Network:
    width = rng.randint(0, 2) if k > 2 else 1
    rows, bias, outer = (
        samples.integers(rng, width, k, bound=3),
        samples.integers(rng, width, bound=1),
        samples.integers(rng, width, bound=3),
    )
    if width:
        # the newest token alone, which the states of all steps show alike
        rows[0], bias[0], outer[0] = exact.unit_vector(k, k - 1) * 3, fmpq(k, 9), fmpq(k)
    return Network(rows.reshape(width, k), bias, outer, fmpq(rng.randint(-4, 4), 3))


@claim(
    "new.universality.bias.head",
    place="after orvieto24, Sec. 2 and Theorem 2",
    title="L units with a bias, none of them a clock: one head of at most 2 ∑ Dₖ + L − 1 steps equals L heads of Dₖ steps",
    says=r"Let $x_k=\Lambda x_{k-1}+\mathbf 1(\beta+v_k)$ from $x_0=0$, $|v_i|\le b<\beta$, and $\Omega V_L=I$. For any heads $g_k$ of $D_k$ steps on $v_{1:k}$, one head of $D_1+2\sum_{k\ge2}D_k+L-1$ steps on $x_k$ outputs exactly $g_k(v_{1:k})$ at every step $k\le L$, whatever the nodes.",
    known="Sec. 2 has a bias in the encoder, Theorem 2 a width of dim V; the clock of Sec. 3.1.1 is one unit more. That the state then knows the time is plain, not what the head costs.",
    remarks=(
        "So Theorem 2 holds with N = dim V = L as printed, and real nodes: the error of every step is that of its own head, in the mean square (orvieto24.thm1.amended) or in any other sense. For complex nodes a left inverse of the real and imaginary parts does, and L/2 units (new.vandermonde.half-circle).",
        "For dim V = P < L and N = P the state leaves no freedom for the second copies, and this does not settle that case.",
    ),
    construction="lemmata.constructions.universality.clocks.biased_model",
    sabotages={
        "a bias as large as the tokens": {"reach": lambda b, e: e},
        "one copy of each neuron": {"copies": lambda D, k: D(k)},
        "shifts that forget the weights": {"constant": lambda o, S, k: o(k)},
    },
)
def copies_cancel(
    proof: Proof,
    reach=lambda b, e: b + e,
    copies=lambda D, k: 2 * D(k),
    constant=lambda o, S, k: o(k) + S(k),
) -> None:
    r"""The state shows $z=\Omega x_k$ with $z_i=\beta+v_{k+1-i}$ for $i\le k$ and $z_i=0$ for $i>k$, $i$ counted from the newest. So $z_k\ge\beta-b>0$ from step $k$ on, and $z_k=0$ before: every entry is a clock for one step.

    1. $\Omega x_k=(0,\dots,0,\beta+v_1,\dots,\beta+v_k)$. [uses: new.universality.prefix]
    2. A neuron $[\sum_{i\le k}a_iv_{k+1-i}+c\ge0]$ of $g_k$ becomes two: $A=[\sum_{i\le k}a_i(z_i-\beta)+c+Wz_{k+1}\ge0]$ with its weight and $B=[\sum_{i<k}a_i(z_i-\beta)-a_k\beta+c+Wz_k\ge0]$ with the opposite one, $W(\beta-b)>\|a\|_1(b+\beta)+|c|$. (For $k=L$, $A$ has no last term.) [prose]
    3. Before step $k$ their arguments are the same: $z_k=z_{k+1}=0$. [checked: "before its step the copies are the same"]
    4. At step $k$ the argument of $A$ is the neuron's, and $B$ is on; after it both are on. So $A-B$ is the neuron less $1$ at step $k$, and $0$ at all others. [checked: "at its step the first copy is the neuron"; "the second copy is on from its step"; "the first copy is on after its step"] [prose]
    5. With $S_k$ the sum of the weights of $g_k$ and $o_k$ its offset, the constant at step $k$ must be $o_k+S_k$: the shifts $[z_k\ge\frac{\beta-b}2]$, $k\ge2$, take it from step to step. For $k=1$ the copy $B$ is always on: it goes into the offset, $o_1+S_1-S_1=o_1$.
       [checked: "a shift is off before its step"; "and on from it"; "the constants telescope"; "the offset"] [prose]
    6. The number of steps. [checked: "their number"; "the head, on the whole cube"]
    """
    b, e, A, c = sympy.symbols("b e A c", nonnegative=True)
    g = sympy.symbols("g", positive=True)
    beta = reach(b, g)
    W = (A * (b + beta) + c + g) / g
    a, i = sympy.Function("a"), sympy.symbols("i", integer=True)
    k, L = sympy.symbols("k L", integer=True, positive=True)
    zk, later, weight = sympy.symbols("z_k z_later W")
    first, second = a(k) * (zk - beta) + weight * later, -a(k) * beta + weight * zk
    proof.symbolically("before its step the copies are the same", (first - second).subs({zk: 0, later: 0}), 0, free="a, beta, W")
    entry = sympy.symbols("v_i")
    proof.symbolically(
        "at its step the first copy is the neuron, entry by entry", a(i) * ((beta + entry) - beta), a(i) * entry, free="a, v, beta"
    )
    # |sum a_i v| <= A b, |c| <= c and |a_k| beta <= A beta; the entry that switches is at least beta - b
    switched = beta - b + e
    proof.holds(
        "the second copy is on from its step",
        sympy.expand(sympy.simplify(-A * b - A * beta - c + W * switched)).is_positive,
        free="a, c, b, beta, v",
    )
    proof.holds(
        "the first copy is on after its step", sympy.expand(sympy.simplify(-A * b - c + W * switched)).is_positive, free="a, c, b, beta, v"
    )
    proof.holds("a shift is off before its step", (-(beta - b) / 2).is_negative, free="b, beta")
    proof.holds("and on from it", sympy.expand(switched - (beta - b) / 2).is_positive, free="b, beta, v")
    o, S, D = (sympy.Function(name) for name in ("o", "S", "D"))
    j, m = sympy.symbols("j m", integer=True, positive=True)
    shift = constant(o, S, j) - constant(o, S, j - 1)
    proof.symbolically("the constants telescope: from step j - 1 to step j", o(j - 1) + S(j - 1) + shift, o(j) + S(j), free="o, S, j")
    proof.symbolically("the offset", (o(1) + S(1)) - S(1), o(1), free="o, S")
    ones: Exact = sympy.Sum(1, (m, 2, L)).doit()
    number = D(1) + sympy.Sum(copies(D, m), (m, 2, L)) + ones
    sizes: Exact = sympy.Sum(D(m), (m, 2, L))
    proof.symbolically("their number", number, D(1) + 2 * sizes + L - 1, free="D_1, ..., D_L, L")
    with proof.beside():
        rng = Random(154)
        for case in range(proof.pick(3, 6, 20)):
            length = 1 + case % 4
            heads = [_random_head(rng, n) for n in range(1, length + 1)]
            proof.holds(
                "second opinion: heads that jump on the cube", all(settled(own, 1)[1] for own in heads if own.width) and heads[0].width == 1
            )
            nodes, bias = positive_nodes(length), fmpq(3, 2)
            model = biased_model(nodes, heads, bias, fmpq(1))
            proof.exactly(
                "second opinion: the steps of a head", model.head.width, heads[0].width + 2 * sum(h.width for h in heads[1:]) + length - 1
            )
            for n, own in enumerate(heads, 1):
                V = recall_matrix(exact.rationals(nodes), n)
                seen = model.head.inner @ V
                on_tokens = Network(seen, model.head.bias + bias * seen.sum(axis=1), model.head.outer, model.head.offset)
                same_on_cube(proof, "the head, on the whole cube: a second opinion", on_tokens, own)
            tokens = [fmpq(rng.randint(-6, 6), 6) for _ in range(length)]
            wanted = [own(exact.rationals(tokens[:n])) for n, own in enumerate(heads, 1)]
            proof.exactly("second opinion: a run", model.run(tokens), wanted)
            if length > 1:
                proof.certificate(
                    "witness",
                    f"L = {length}, case {case}",
                    nodes=nodes,
                    beta=bias,
                    head=as_data(model.head),
                    heads=[as_data(own) for own in heads],
                )


# -- inputs from a subspace: as many units as dimensions -----------------------------------------------------------------------------


@claim(
    "new.universality.bias.subspace",
    place="after orvieto24, Sec. 2 and Theorem 2",
    title="dim V units with a large bias, none a clock: ∑ (Dₖ + 1) − 1 steps, but for exceptional directions of neurons",
    says=r"Let $V=\operatorname{range}\Psi$ have dimension $P$, $|v_i|\le b$, and let $P$ positive nodes have $\operatorname{rank}V_k\Psi_k=\operatorname{rank}\Psi_k$ for $k\le L$; $c_k=V_k(1,\dots,1)$. If each neuron $[\langle a,v_{1:k}\rangle+c\ge0]$ of the heads $g_k$ has a $\nu$ with "
    r"$\langle\nu,V_kv\rangle=\langle a,v_{1:k}\rangle$ on $V$ and $\langle\nu,c_j-c_k\rangle\ne0$ for $j\ne k$, then for all large $\beta$ one head of $\sum_k(D_k+1)-1$ steps on $x_k=\Lambda x_{k-1}+\mathbf 1(\beta+v_k)$ outputs $g_k(v_{1:k})$ at every step, $v\in V$. "
    r"The condition excludes at most finitely many hyperplanes of directions $a\in\mathbb R^k$.",
    known="That P units with a large bias know the time is plain: the intervals of the first unit are disjoint. So is that hyperplanes in general position miss far sets.",
    remarks=(
        "So Theorem 2 has its printed width N = dim V with no clock, in the mean square: a small turn of the exceptional neurons costs as little as one likes if no hyperplane has mass. For dim V = L exceptions are dealt with by second copies (new.universality.bias.head); for dim V < L we do not know what they cost.",
    ),
    construction="lemmata.constructions.universality.clocks.separating_head",
    sabotages={
        "a small bias": {"bias": lambda beta: fmpq(1)},
        "stray constants are forgotten": {"build": lambda *given: _without_correction(*given)},
    },
)
def far_slices(proof: Proof, bias=lambda beta: beta, build=separating_head) -> None:
    r"""With a large bias the states of different steps lie far apart, and a hyperplane through those of one step misses the others, unless it is parallel to the way there.

    1. $\nu$ with $\langle\nu,V_kv\rangle=\langle a,v_{1:k}\rangle$ for $v\in V$ exists, as $\ker V_k\Psi_k=\ker\Psi_k$. [uses: orvieto24.eq7.amended] [checked: "at its step a head is itself"]
    2. The neuron $[\langle\nu,x\rangle+c-\beta\langle\nu,c_k\rangle\ge0]$ has at step $j$ the argument $\beta\langle\nu,c_j-c_k\rangle+\langle\nu,V_jv\rangle+c$: at $j=k$ its own, and for $\beta|\langle\nu,c_j-c_k\rangle|>b\|V_j^\top\nu\|_1+|c|$ of one sign otherwise. [checked: "the argument at step j"; "at its step a head is itself"]
    3. The first unit lies in $\beta s_k\pm bs_k$, $s_k=1+\lambda+\dots+\lambda^{k-1}$, apart for large $\beta$: $L-1$ shifts along it correct the constants from step to step, as they do for a clock. [uses: new.universality.waiting] [checked: "sum (D_k + 1) - 1 steps"; "a run"]
    4. If $c_j-c_k$ is not in the range of $V_k\Psi_k$, $\nu$ can be moved along the complement; if it is $V_k\Psi_k\alpha$, then $\langle\nu,c_j-c_k\rangle=\langle a,\Psi_k\alpha\rangle$, which is not $0$ for all $a$, since $c_j\ne c_k$ and so $\Psi_k\alpha\ne0$. [prose] [checked: "an exception: the newest of two free tokens"]
    """
    nu_c, nu_cj, nu_v, beta, c = sympy.symbols("nu_ck nu_cj nu_Vv beta c")
    proof.symbolically(
        "the argument at step j", (beta * nu_cj + nu_v) + c - beta * nu_c, beta * (nu_cj - nu_c) + nu_v + c, free="nu, beta, c, v"
    )
    rng = Random(156)
    for case in proof.each("random rational bases and heads, (L, P) = (2, 1), (3, 2), (4, 2), (5, 3), (4, 1), seed 156", range(5)):
        L, P = ((2, 1), (3, 2), (4, 2), (5, 3), (4, 1))[case]
        # the leading block is invertible, so Psi has rank P
        basis = samples.integers(rng, L, P, bound=2)
        basis[:P] = exact.identity(P) * 2
        nodes = [fmpq(1, 3), fmpq(1, 2), fmpq(3, 4)][:P]
        # exceptional directions are drawn again
        draws = ([_two_neurons(rng, k) for k in range(1, L + 1)] for _ in range(20))
        heads = next((drawn for drawn in draws if not exceptional_steps(nodes, basis, drawn)), None)
        proof.holds("one of 20 draws of heads has no exceptional direction", heads is not None)
        if heads is None:
            continue
        largest = max(sum(abs(x) for x in row) for row in basis)
        found, head = build(nodes, basis, heads, largest)
        used = bias(found)
        proof.exactly("sum (D_k + 1) - 1 steps", head.width, sum(own.width + 1 for own in heads) - 1)
        for k, own in enumerate(heads, 1):
            V = recall_matrix(exact.rationals(nodes), k)
            shown = head.inner @ V
            on_coordinates = Network(shown @ basis[:k], head.bias + used * shown.sum(axis=1), head.outer, head.offset)
            same_on_cube(
                proof, "at its step a head is itself, for all tokens with coordinates in [-1, 1]", on_coordinates, own.after(basis[:k])
            )
        coordinates = exact.rationals([fmpq(rng.randint(-4, 4), 4) for _ in range(P)])
        tokens = basis @ coordinates
        outputs = [head(state) for state in biased(nodes, used).run(list(tokens))]
        proof.exactly("a run", outputs, [own(tokens[:k]) for k, own in enumerate(heads, 1)])
        proof.certificate(
            "witness", f"L = {L}, P = {P}", nodes=nodes, basis=basis, beta=used, head=as_data(head), heads=[as_data(own) for own in heads]
        )
    # two free tokens and two units: nu is determined at step 2, and the way from step 1 is the first token's
    V, way = recall_matrix([fmpq(1, 3), fmpq(1, 2)], 2), exact.rationals([1, 0])
    proof.exactly(
        "an exception: the newest of two free tokens is the same along the way from step 1 to step 2",
        list(V @ way),
        [fmpq(1, 3), fmpq(1, 2)],
    )


def _two_neurons(rng: Random, k: int) -> Network:
    """A head of two steps on k tokens; the entries of its rows are no integers."""
    return Network(
        samples.integers(rng, 2, k, bound=4) + fmpq(k, 7), samples.integers(rng, 2, bound=1), exact.rationals([3, k]), fmpq(k, 2)
    )


def _without_correction(*given):
    beta, head = separating_head(*given)
    shifts = len(given[2]) - 1
    outer = exact.rationals(
        [*head.outer[: len(head.outer) - shifts], *(b.offset - a.offset for a, b in zip(given[2], given[2][1:], strict=False))]
    )
    return beta, Network(head.inner, head.bias, outer, head.offset)
