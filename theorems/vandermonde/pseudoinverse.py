"""The map back from the state to the inputs (orvieto24, Eq. 5 and 7, Sec. 4.1)."""

from __future__ import annotations

from random import Random

import numpy as np

from ...constructions import samples
from ...constructions.vandermonde import complex_rank, diagonal_recurrence, recall_matrix
from ...numerics import exact
from ...numerics.cyclotomic import Cyclotomic, gaussian, parts, root_of_unity
from ...numerics.exact import Array
from ..claim import claim
from ..evidence import Proof
from .recall import adjoint, pairs, random_inputs, random_nodes


@claim(
    "orvieto24.pseudoinverse",
    place="Sec. 4.1; Eq. 5 and 7",
    title="(V* V)⁻¹ V*, with conjugate transposes, is the pseudoinverse of V for L inputs, and recovers them",
    says=r"If at least $L$ nodes are distinct, $V^*V$ is invertible and $(V^*V)^{-1}V^*=V^+$: all four Penrose conditions hold, and $V^+V=I$.",
    reading="conjugate transposes, where plain ones are printed; see the finding",
    sabotages={
        "plain transposes": {"star": lambda V: V.T},
        "plain transposes, which the kernel refutes": {"theorem": "conditioning.reconstruction_by_plain_transposes"},
    },
)
def conjugate_transposes(proof: Proof, star=adjoint, theorem: str = "conditioning.reconstruction") -> None:
    r"""$V^*V$ is positive definite.

    1. $V$ is injective, and $x^*V^*Vx=|Vx|^2>0$ for $x\ne0$, so $V^*V$ is invertible. [uses: orvieto24.prop1.amended] [checked: "W V = 1"; "it recovers the inputs"]
    2. $W=(V^*V)^{-1}V^*$ has $WV=1$, so $VWV=V$, $WVW=W$ and $WV$ is Hermitian. [checked: "W V = 1"]
    3. $VW=V(V^*V)^{-1}V^*$ is Hermitian, as $V^*V$ is. [checked: "V W is Hermitian"]
    4. The instances illustrate it; the kernel has it for all nodes. [checked: "the kernel"]
    """
    proof.formally(
        "the kernel: (V* V)^-1 V* is the pseudoinverse and a left inverse",
        theorem,
        whole="every N, L and nodes, at least L of them distinct",
        differs="any algebraically closed field with a norm for the complex numbers",
    )
    rng = Random(85)
    count = proof.pick(6, 20, 60)
    for _ in proof.each(f"{count} random sets of N <= 5 Gaussian-rational nodes, L <= 3, seed 85", range(count)):
        nodes: list[Cyclotomic] = []
        draws = samples.tries("three different nodes")
        while len(set(nodes)) < 3:
            next(draws)
            nodes = random_nodes(rng, rng.randint(3, 5))
        V = recall_matrix(nodes, rng.randint(1, 3))
        W = inverse(star(V) @ V) @ star(V) if complex_rank(star(V) @ V) == V.shape[1] else star(V) * 0
        proof.exactly("W V = 1", W @ V, exact.identity(V.shape[1]))
        real, imaginary = parts(V @ W)
        proof.exactly(
            "V W is Hermitian: its real part is symmetric, its imaginary part antisymmetric",
            np.vstack([real, imaginary]),
            np.vstack([real.T, -imaginary.T]),
        )
        u = random_inputs(rng, V.shape[1])
        proof.exactly("it recovers the inputs from the state", list(W @ diagonal_recurrence(nodes).run(u)[-1][:, 0]), u)
        if len(proof.certificates) < 4:
            proof.certificate("witness", f"N = {len(nodes)}, L = {V.shape[1]}", nodes=pairs(nodes), length=V.shape[1], inverse=pairs(W))


def inverse(G: Array) -> Array:
    """The inverse of an invertible matrix over Q(i), by its real form."""
    real, imaginary = parts(G)
    inverted = exact.inverse(np.block([[real, -imaginary], [imaginary, real]]))
    n = len(G)
    return np.array([[gaussian(inverted[i, j], inverted[n + i, j]) for j in range(n)] for i in range(n)], dtype=object).reshape(n, n)


def _transposed_gram(V: Array) -> Array:
    return V.T @ V


@claim(
    "orvieto24.pseudoinverse.transpose",
    place="Sec. 4.1 and footnote 9; Eq. 7",
    flaw="misprint",
    quotes=(r"By contradiction, assume $V_L^\top V_L$ has the zero eigenvalue",),
    weight="proof",
    extracted=True,
    title="Vᵀ V with plain transposes can be singular for distinct complex nodes and N ≥ L",
    says=r"If the $\lambda_i$ are distinct and $N\ge L$, $V_L^\top V_L\in\mathbb C^{L\times L}$ is invertible, because $V_L$ has full column rank.",
    reading="transposes without conjugation, as printed; footnote 9 takes x^T V^T V x for |V x|^2, which is false for complex V x",
    letter="Section 4.1, its footnote 9 and Eq. 7 print plain transposes for complex V. But x^T V^T V x is not |V x|^2, and V^T V is singular for the cube roots "
    "of unity and L = 2. With conjugate transposes everything is right.",
    sabotages={"conjugate transposes": {"gram": lambda V: adjoint(V) @ V}},
)
def transposes_without_conjugation(proof: Proof, gram=_transposed_gram) -> None:
    r"""For the cube roots of unity the nodes and their squares add up to 0, so $V_2^\top V_2$ has a row of zeros. (For the nodes i, 1, 2 it is invertible, and $(V^\top V)^{-1}V^\top$ is a left
    inverse, but $V(V^\top V)^{-1}V^\top$ is not Hermitian.)"""

    def breaks(case):
        n, length = case
        V = recall_matrix([root_of_unity(n, k) for k in range(n)], length)
        G = gram(V)
        # a row of zeros is enough here
        return [G] if any(all(x == 0 for x in row) for row in G) else []

    cases = [(n, length) for n in range(1, 5) for length in range(1, n + 1)]
    found = proof.smallest("n-th roots of unity, n, then L", cases, breaks)
    if found:
        (n, length), (G,) = found
        nodes = [root_of_unity(n, k) for k in range(n)]
        V = recall_matrix(nodes, length)
        minor = V[0, 0] * V[1, 1] - V[0, 1] * V[1, 0]
        proof.counterexample(
            given={"nodes": nodes, "L": length, "V^T V": G},
            words={"rank": minor != 0, "wide": n >= length, "zeros": any(all(x == 0 for x in row) for row in G)},
            minimal=f"N = {n}, L = {length}",
        )
        proof.certificate("witness", f"the {n}-th roots of unity", field=n, nodes=[[0] * k + [1] for k in range(n)], length=length)
