"""What the state knows of the inputs and of the time: one reconstruction for all steps, subspaces, biases (orvieto24, Sec. 3.1, Remark 2)."""

from __future__ import annotations

from random import Random

import numpy as np
import sympy
from flint import fmpq

from ...constructions import samples
from ...constructions.universality.maps import invariant_model, recall
from ...constructions.universality.networks import Network
from ...constructions.vandermonde import recall_matrix
from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .sequences import as_data, positive_nodes

# -- the reconstruction map ----------------------------------------------------------------------------------------------------------


@claim(
    "orvieto24.eq7",
    place="Eq. 7, Sec. 3.1.2",
    of="orvieto24.thm2",
    flaw="gap",
    quotes=(
        r"Under the assumption that $\Gamma_k := V_k \Psi_k$ is full rank",
        "We therefore get",
    ),
    weight="hypothesis",
    title="Ωₖ inverts a singular matrix at the first P − 1 steps",
    says=r"For $\Gamma_k=V_k\Psi_k$ of full rank $\Omega_k=\Psi_k(\Gamma_k^\top\Gamma_k)^{-1}\Gamma_k^\top$ recovers $v_{1:k}$, for every $k=1,\dots,L$, as Theorem 2 needs.",
    reading="'full rank' cannot be rank P here, which is more than k; with rank k the inverse does not exist",
    letter="In Eq. 7 Gamma_k has rank at most k. So the P x P matrix Gamma_k^T Gamma_k is singular, and Omega_k undefined, for the first P - 1 steps, which "
    "Theorem 2 needs too. The pseudoinverse repairs it: Omega_k = Psi_k Gamma_k^+ recovers v_(1:k) if and only if rank V_k Psi_k = rank Psi_k.",
    sabotages={"at the last step": {"k": 2}},
)
def singular_at_first(proof: Proof, k: int = 1) -> None:
    """For L = P = 2, Psi = I and the nodes 1/2 and 1/3 the matrix Gamma_1 is ((1, 0), (1, 0)), and Gamma_1^T Gamma_1 = ((2, 0), (0, 0))."""
    nodes, basis = [fmpq(1, 2), fmpq(1, 3)], exact.identity(2)
    gamma = recall_matrix(nodes, k) @ basis[:k]
    gram = gamma.T @ gamma
    proof.counterexample(
        given={"L = P = N": 2, "nodes": nodes, "Psi": basis, "k": k, "Gamma_k": gamma, "Gamma_k^T Gamma_k": gram},
        words={"nodes": len(set(nodes)) == 2, "rank": exact.rank(gamma) == k, "singular": exact.rank(gram) < len(gram)},
        minimal="L = P = 2, k = 1",
    )
    proof.certificate("witness", "a basis, nodes and an early step", nodes=nodes, basis=basis, k=k)


def pseudoinverse(M: Array) -> Array:
    """M^+ of an exact real matrix, from a rank factorisation M = F G."""
    columns: list[int] = []
    for j in range(M.shape[1]):
        if exact.rank(M[:, [*columns, j]]) > len(columns):
            columns.append(j)
    if not columns:
        return exact.zeros(M.shape[1], M.shape[0])
    F = M[:, columns]
    left = exact.multiply(exact.inverse(F.T @ F), F.T)
    G = left @ M
    return exact.multiply(G.T, exact.inverse(G @ G.T), left)


@claim(
    "orvieto24.eq7.amended",
    place="Eq. 7, Sec. 3.1.2",
    amends="orvieto24.eq7",
    title="Ψₖ (Vₖ Ψₖ)⁺ recovers the first k tokens of every input if and only if rank Vₖ Ψₖ = rank Ψₖ",
    says=r"With $\Omega_k=\Psi_k\Gamma_k^+$, $\Gamma_k=V_k\Psi_k$: $\Omega_kV_kv=v$ for all $v\in\operatorname{range}\Psi_k$ iff $\operatorname{rank}\Gamma_k=\operatorname{rank}\Psi_k$; "
    r"for $N\ge P$ almost all eigenvalues have this at every $k\le L$.",
    sabotages={
        "the transposed matrix": {"invert": lambda M: M.T},
        "one coefficient is dropped": {"invert": lambda M: pseudoinverse(M) * (np.arange(M.shape[1])[:, None] > 0)},
        "every choice of eigenvalues, which the kernel refutes": {"theorem": "conditioning.equation7_every_choice"},
    },
)
def recall_of_prefixes(proof: Proof, invert=pseudoinverse, theorem: str = "conditioning.equation7_almost_all") -> None:
    r"""The pseudoinverse inverts $\Gamma_k$ on the orthogonal complement of its kernel.

    1. $\Gamma_k^+\Gamma_k$ is the orthogonal projection along $\ker\Gamma_k$. If the ranks agree, $\ker\Gamma_k=\ker\Psi_k$, so $\Psi_k\Gamma_k^+\Gamma_k=\Psi_k$: the tokens are recovered. [checked: "Omega_k V_k Psi_k = Psi_k"] [prose]
    2. If they do not, some $v=\Psi_k\alpha\ne0$ has the state $0$, which no map tells from the input $0$. [checked: "equal nodes lose an input"] [prose]
    3. The minors of $V_k\Psi_k$ of order $\operatorname{rank}\Psi_k\le P\le N$ are polynomials in the eigenvalues, not all zero (Cauchy and Binet: they are sums of minors of $\Psi_k$ times generalised Vandermonde determinants, which are linearly independent). The nodes of the scope are no exceptions. [checked: "these nodes keep the rank"] [prose]
    """
    proof.formally("the kernel: recovered iff the ranks agree", "conditioning.equation7")
    proof.formally("the kernel: a grid with more numbers a side than the degree has such a choice", "almost_all.good_on_grids")
    proof.formally(
        "the kernel: almost all eigenvalues keep the ranks at every k",
        theorem,
        whole="every L, P, Psi, k <= L and N >= P",
        differs="any algebraically closed field with a norm for the complex numbers; 'almost all': all but the zeros of a polynomial in the eigenvalues, not 0 everywhere and of degree at most P L (L - 1) / 2",
    )
    rng, cases, independent = Random(145), proof.pick(4, 12, 40), 0
    for case in proof.each(f"{cases} random rational bases, L <= 6, P <= 3, seed 145, N = P positive nodes, all k", range(cases)):
        L = rng.randint(2, 6)
        P = rng.randint(1, min(3, L))
        nodes, basis = positive_nodes(P), samples.integers(rng, L, P, bound=2)
        independent += exact.rank(basis) == P
        for k in range(1, L + 1):
            V, seen = recall_matrix(nodes, k), basis[:k]
            proof.exactly("these nodes keep the rank", exact.rank(V @ seen), exact.rank(seen))
            proof.exactly("Omega_k V_k Psi_k = Psi_k", seen @ invert(V @ seen) @ V @ seen, seen)
        if case < 5 and np.any(basis):
            proof.certificate("witness", f"L = {L}, P = {P}", nodes=nodes, basis=basis)
    for P in proof.each("N = P equal nodes, Psi = I, P = 2, 3", (2, 3)):
        V = recall_matrix([fmpq(1, 2)] * P, P)
        lost = exact.nullspace(V)
        proof.holds("equal nodes lose an input", lost.shape[1] > 0 and bool(np.any(lost[:, 0] != 0)) and not np.any(V @ lost))
    proof.holds("most bases have full rank", 2 * independent > cases)


@claim(
    "new.universality.prefix",
    place="after orvieto24, Sec. 3.1.1",
    title="one reconstruction serves every step: any left inverse of V for L inputs gives the first k tokens behind L − k zeros",
    says=r"If $\Omega V_L=I$ then $\Omega x_k=(0,\dots,0,v_1,\dots,v_k)$ for every $k\le L$: the reconstruction need not vary in time.",
    known="That a recurrence from the state 0 cannot tell leading zeros from nothing is plain; Sec. 3.1.1 calls the reconstruction V_k^+ time-variant, and a head that is to know the number of tokens needs the clock indeed.",
    sabotages={
        "the newest token comes first": {"power": lambda k, j: j - 1},
        "a state that does not start at 0": {"start": 1},
        "the zeros come last, which the kernel refutes": {"theorem": "vandermonde.one_decoder_gives_zeros_last"},
    },
)
def zeros_leave_no_trace(
    proof: Proof, power=lambda k, j: k - j, start=0, theorem: str = "vandermonde.one_decoder_serves_every_prefix"
) -> None:
    r"""A unit at a time: $x_k=\lambda x_{k-1}+v_k$ from $x_0=0$.

    1. $x_k=\sum_{j\le k}\lambda^{k-j}v_j$, by induction: $x_0=0$ is the empty sum, the step multiplies the old weights by $\lambda$ and gives the new token the weight $1$.
       [checked: "the start is the empty sum"; "the step: old weights gain a factor"; "the step: the new weight is 1"]
    2. The weight of $v_j$ at step $k$ is that of the token $L-k+j$ at step $L$: the last $k$ columns of $V_L$ are $V_k$. So $x_k=V_kv_{1:k}=V_L(0,\dots,0,v_{1:k})$, and $\Omega$ gives it back. [checked: "the last k columns of V_L are V_k"]
    """
    proof.formally(
        "the kernel: one decoder serves every prefix",
        theorem,
        whole="every N, L and field",
        differs="any field for the complex numbers",
    )
    lam = sympy.symbols("lambda", positive=True)
    k, j, L = sympy.symbols("k j L", integer=True)
    proof.symbolically("the start is the empty sum", start, 0, free="lambda")
    proof.symbolically("the step: old weights gain a factor", lam * lam ** power(k - 1, j), lam ** power(k, j), free="lambda, k, j")
    proof.symbolically("the step: the new weight is 1", lam ** power(k, k), 1, free="lambda, k")
    proof.symbolically("the last k columns of V_L are V_k", lam ** power(L, L - k + j), lam ** power(k, j), free="lambda, k, j, L")
    nodes = positive_nodes(4)
    omega = recall(nodes, 4)[:, 1:]
    proof.exhibit("one reconstruction for four steps", nodes=nodes, Omega=omega)
    proof.certificate("witness", "L = N = 4, and the tokens 1, -1, 2", nodes=nodes, omega=omega, tokens=[1, -1, 2])


@claim(
    "new.universality.invariant",
    place="after orvieto24, Theorem 2",
    title="a time-invariant map needs one head for all steps, with the neurons of one step: no clock and no factor L",
    says=r"If $T_k(v_{1:k})=T(0,\dots,0,v_{1:k})$ for one $T:\mathbb R^L\to\mathbb R$, $g$ is a head for $T$ and $\Omega V_L=I$, then the head $g\circ\Omega$ outputs $g(0,\dots,0,v_{1:k})$ at every step $k\le L$. "
    r"It has the neurons of $g$, and does not read a clock.",
    known="That a time-invariant causal map is one function of the past is classical (Boyd and Chua). Remark 2 expects fewer neurons under smoothness in time.",
    remarks=(
        "So r^2 C_T^2 / eps^2 steps are enough in the mean square at every step (orvieto24.thm1.amended). L is the price of maps that vary in time if the clock is one unit: L - 1 neurons for T_k = (-1)^k (orvieto24.rmk2), about L / eps for Lipschitz maps; more units lower it (new.universality.exchange).",
    ),
    construction="lemmata.constructions.universality.maps.invariant_model",
    sabotages={
        "Omega is no left inverse": {"recovers": False},
        "the newest token comes first": {"power": lambda k, j: j - 1},
        "states without a left inverse, which the kernel refutes": {"theorem": "universality.widths_agree_for_all_states"},
    },
)
def one_head_for_all_steps(
    proof: Proof, power=lambda k, j: k - j, recovers: bool = True, theorem: str = "universality.one_head_for_all_steps"
) -> None:
    r"""Leading zeros leave no trace in the state.

    1. $x_k=V_Lp$ with $p=(0,\dots,0,v_{1:k})$: the weight of $v_j$ at step $k$ is that of entry $L-k+j$ at step $L$, and zeros add nothing. [uses: new.universality.prefix] [checked: "the weight of a token is that of its place in p"; "zeros add nothing"]
    2. A neuron of $g\circ\Omega$ has the inner weights $\Omega^\top a$, and $\langle\Omega^\top a,V_Lp\rangle=\langle a,p\rangle$. [uses: orvieto24.prop2.amended] [checked: "a neuron on the state is the neuron on p"]
    """
    proof.formally(
        "the kernel: one head for all steps, as wide as g",
        theorem,
        whole="every N, L, head, activation and tokens",
        differs="any ordered field for the reals; that the head reads no clock is its type: it is a function of the states of these units alone",
    )
    lam = sympy.symbols("lambda", positive=True)
    k, j, length = sympy.symbols("k j L", integer=True)
    proof.symbolically(
        "the weight of a token is that of its place in p", lam ** power(length, length - k + j), lam ** (k - j), free="lambda, k, j, L"
    )
    zeros = sympy.Sum(lam ** power(length, j) * 0, (j, 1, length - k)).doit()
    proof.symbolically("zeros add nothing", zeros, 0, free="lambda, k, L")
    L, N = sympy.symbols("L N", integer=True, positive=True)
    a, p = sympy.MatrixSymbol("a", L, 1), sympy.MatrixSymbol("p", L, 1)
    omega, V = sympy.MatrixSymbol("Omega", L, N), sympy.MatrixSymbol("V", N, L)
    neuron: Exact = omega.T * a
    seen = (neuron.T * (V * p)).doit().subs(omega * V, sympy.Identity(L) if recovers else omega * V).doit()
    proof.holds("a neuron on the state is the neuron on p, of any sizes", seen == (a.T * p).doit())
    rng = Random(146)
    for case in range(proof.pick(4, 10, 30)):
        size, width = rng.randint(2, 5), rng.randint(1, 4)
        inner = samples.integers(rng, width, size, bound=3)
        # every neuron reads the first token and the newest, and jumps inside the cube
        inner[:, 0], inner[:, -1] = fmpq(2), fmpq(1)
        g = Network(inner, samples.integers(rng, width, bound=1), exact.rationals([2**i for i in range(width)]), fmpq(case))
        nodes = positive_nodes(size)
        heads = [as_data(g.after(exact.identity(size)[:, size - k_ :])) for k_ in range(1, size + 1)]
        model = invariant_model(nodes, g, size)
        proof.certificate("shared-head", f"L = {size}, {g.width} neurons", nodes=nodes, largest=1, head=as_data(model.head), heads=heads)


# -- what sizes cannot be avoided ----------------------------------------------------------------------------------------------------


@claim(
    "orvieto24.rmk2",
    place="Remark 2",
    title="fewer than L real entries of the state lose inputs, and L different maps can need L − 1 neurons",
    says=r"If the state has fewer than $L$ real entries ($2N<L$ for complex units, $N<L$ for real ones), two inputs of length $L$ have the same state, so no head serves both; and some $T$ needs $D\ge L-1$.",
    reading="part (a), unstructured inputs; part (b) for heads of steps on the states (k, V_k v). 'Reduced by temporal smoothness' is new.universality.invariant in the extreme case",
    remarks=(
        "On the states (k, V_k v) the heads T_k = (-1)^k, each of them constant, combine into one head of exactly L - 1 steps (orvieto24.thm2.amended).",
    ),
    sabotages={
        "as many units as tokens": {"units": lambda L: L},
        "no input is lost": {"lost": lambda V: exact.zeros(V.shape[1], 1)},
        "as many units as tokens, which the kernel refutes": {"theorem": "sizes.as_many_units_lose"},
    },
)
def sizes_of_the_right_order(proof: Proof, units=lambda L: L - 1, lost=exact.nullspace, theorem: str = "sizes.few_units_lose") -> None:
    r"""A linear map into fewer dimensions has a kernel, and $L$ maps need $L$ pieces.

    1. $x_L$ is a real-linear function of $v\in\mathbb R^L$ with fewer than $L$ real entries, so $V_Lv=0$ for some $v\ne0$; the inputs $v$ and $0$ end in one state. [checked: "an input that is lost"; "its state is that of the input 0"; "the units hold as many numbers as they are"; "complex units: twice as many numbers as they are, fewer than L"] [prose]
    2. For $T_k=(-1)^k$ and $v=0$ the states lie on a line, which $D$ steps cut into at most $D+1$ intervals; neighbouring steps need different ones, so $D\ge L-1$. [checked: "the kernel: (-1)^k needs L - 1 steps"]
    """
    proof.formally("the kernel: N < L real units lose an input", theorem)
    proof.formally("the kernel: 2N < L complex units lose a real input", "sizes.few_complex_units_lose")
    proof.formally(
        "the kernel: (-1)^k needs L - 1 steps",
        "sizes.alternating_needs_neurons",
        whole="every N, L, nodes and head",
        differs="an ordered field for the reals, and an algebraically closed field with a norm for the complex numbers; (b) for real units",
    )
    for L in proof.each(
        "L = 2, ..., 6; L - 1 real nodes, and (L - 1)/2 complex ones with rational real and imaginary parts", range(2, proof.pick(5, 7, 10))
    ):
        V = recall_matrix(positive_nodes(units(L)), L)
        proof.exactly("the units hold as many numbers as they are", exact.rank(V), L - 1)
        kernel = lost(V)
        v = kernel[:, 0] if kernel.shape[1] else exact.zeros(L)
        proof.holds("an input that is lost", bool(np.any(v != 0)))
        proof.holds("its state is that of the input 0", not np.any(V @ v))
        if np.any(v != 0):
            proof.certificate("witness", f"L = {L}, {L - 1} real units", nodes=positive_nodes(units(L)), tokens=list(v))
        stacked = complex_powers(
            [(fmpq(3, 5), fmpq(4, 5)), (fmpq(5, 13), fmpq(12, 13)), (fmpq(8, 17), fmpq(15, 17)), (fmpq(7, 25), fmpq(24, 25))][
                : (L - 1) // 2
            ],
            L,
        )
        if len(stacked):
            proof.exactly("complex units: twice as many numbers as they are, fewer than L", exact.rank(stacked), 2 * ((L - 1) // 2))


def complex_powers(nodes: list[tuple[fmpq, fmpq]], L: int) -> Array:
    """Real and imaginary parts of V_L, stacked, for nodes given as (real, imaginary)."""
    rows = []
    for a, b in nodes:
        re, im = [fmpq(1)], [fmpq(0)]
        for _ in range(L - 1):
            re, im = [*re, re[-1] * a - im[-1] * b], [*im, re[-1] * b + im[-1] * a]
        rows += [re[::-1], im[::-1]]
    return np.array(rows, dtype=object).reshape(len(rows), L)
