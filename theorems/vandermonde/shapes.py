"""Shapes, indices and names that are printed wrongly (orvieto24, Sec. 2, 3.1, 3.2, App. C, E.2)."""

from __future__ import annotations

from flint import fmpq

from ...constructions.vandermonde import clock_and_memory, recall_matrix
from ...numerics import exact
from ..claim import claim
from ..evidence import Proof


@claim(
    "orvieto24.sec2.shapes",
    place="Sec. 2, after Eq. 2",
    of="orvieto24.sec2.diagonal",
    flaw="misprint",
    quotes=(r"is such that $R_{\Lambda, B} = Q \circ R_{\Lambda, B}$, where $Q$ is applied tokenwise",),
    extracted=True,
    title="the dense recurrence is Q after the diagonal one; its inputs have H entries, the outputs S",
    says=r"$R_{\Lambda,B}:\mathbb R^{N\times L}\to\mathbb C^{N\times L}$, $R_{\Lambda,B}=Q\circ R_{\Lambda,B}$, and $g:\mathbb R^{2N}\to\mathbb R^P$.",
    reading="R_(A,B) = Q R_(Lambda,Q^-1 B), from R^(H x L), and S for P; extraction may have changed an index",
    letter="After Eq. 2 the left side of R = Q o R should be R_(A,B). With N = 1, Lambda = 0, B = u = 1 and Q = 2 the printed equation says 1 = 2. The inputs are in R^(H x L), and g maps to R^S.",
    sabotages={"Q = 1": {"q": 1}},
)
def recurrence_on_both_sides(proof: Proof, q: int = 2) -> None:
    """One step of the diagonal recurrence from 0 gives x = B u, which is not Q x."""
    state = fmpq(1) * 1
    proof.counterexample(
        given={"N = H = L": 1, "Lambda": 0, "B = u": 1, "Q": q, "R(u)": state, "Q R(u)": q * state},
        words={"invertible": q != 0, "differ": state != q * state},
        minimal="N = L = 1",
    )
    proof.certificate("witness", "one unit", B=1, u=1, Q=q)


@claim(
    "orvieto24.sec3.1.2.rows",
    place="Sec. 3.1.2, before Eq. 6 and after Eq. 7",
    of="orvieto24.thm3",
    flaw="misprint",
    quotes=(
        r"denote the first $k$ columns of $\Psi$",
        r"we consider instead its real/imaginary inputs representation in $\mathbb{R}^{2N \times N}$",
    ),
    extracted=True,
    title="Ψₖ is the first k rows of Ψ, not columns; Ωₖ on real and imaginary parts is k × 2N, not 2N × N",
    says=r"$\Psi_k\in\mathbb R^{k\times P}$ denotes the first $k$ columns of $\Psi\in\mathbb R^{L\times P}$; $\Omega_k$ acts in $\mathbb R^{2N\times N}$.",
    reading="'columns' is a word, so no slip of the extraction; the shape of Omega_k may be one",
    letter="In Sec. 3.1.2 Psi_k is the first k rows of Psi, where 'columns' is printed. For L = 2 and P = k = 1 the first column has 2 entries, and Psi_k has 1. Omega_k on real and imaginary parts has the shape k x 2N, where 2N x N is printed.",
    sabotages={"a square basis, all of it": {"sizes": (1, 1, 1)}},
)
def columns_for_rows(proof: Proof, sizes: tuple[int, int, int] = (2, 1, 1)) -> None:
    """The first k columns of an L x P matrix are an L x k matrix."""
    length, p, k = sizes
    basis = exact.rationals([[1] * p] * length)
    n = 1
    proof.counterexample(
        given={
            "L": length,
            "P": p,
            "k": k,
            "N": n,
            "first k columns": list(basis[:, :k].shape),
            "Psi_k": [k, p],
            "Omega_k as printed": [2 * n, n],
            "Omega_k": [k, 2 * n],
        },
        words={"sizes": k <= length and k <= p, "rows": basis[:, :k].shape != (k, p), "omega": (2 * n, n) != (k, 2 * n)},
        minimal="L = 2, P = k = N = 1",
    )
    proof.certificate("witness", "sizes", L=length, P=p, k=k, N=n)


@claim(
    "orvieto24.sec3.2.clock",
    place="Sec. 3.2, before Step 2",
    of="orvieto24.clock",
    flaw="misprint",
    quotes=("based on the first coordinate in the hidden state $x_{k,1} = k$",),
    extracted=True,
    title="the clock is the coordinate 0 of the state, as in Sec. 3.1.1, not the coordinate 1",
    says=r"$x_{k,1}=k$.",
    letter="In Sec. 3.2 the clock is once x_(k,0) and once x_(k,1). Coordinate 1 holds the first unit that remembers: for L = k = 1 and v_1 = 0 it is 0, and the clock is 1.",
    sabotages={"a token that agrees with the clock": {"token": 1}},
)
def clock_at_coordinate_zero(proof: Proof, token: int = 0) -> None:
    """After one token v the state is (1, v, ..., v)."""
    state = clock_and_memory([fmpq(1, 2)]).run([fmpq(token)])[-1].reshape(-1)
    proof.counterexample(
        given={"nodes": [fmpq(1, 2)], "v_1": token, "k": 1, "state": state},
        words={"clock": state[0] == 1, "memory": state[1] != 1},
        minimal="N = k = 1",
    )
    proof.certificate("witness", "one unit beside the clock", node=fmpq(1, 2), token=token)


@claim(
    "orvieto24.appC.one",
    place="App. C, the display after the matrix B",
    flaw="misprint",
    quotes=("With this choice, the linear diagonal RNN output can be written as",),
    extracted=True,
    title="the vector that the block matrix multiplies has an entry 1 too many",
    says=r"$x_k=\tilde V_k\begin{pmatrix}1\\\operatorname{vec}(v_{\cdot,1:k})\end{pmatrix}$ with $\tilde V_k=\operatorname{diag}(V_{k,1},\dots,V_{k,M})$.",
    letter="In App. C the block matrix has kM columns, and the vector (1, vec(v)) has kM + 1 entries. Without the 1 the display is right.",
    sabotages={"the vector without the 1": {"extra": 0}},
)
def entry_too_many(proof: Proof, extra: int = 1) -> None:
    """One unit, one token, one input dimension: a 1 x 1 matrix and a vector of two entries."""
    k, m, n = 1, 1, 1
    V = recall_matrix([fmpq(1, 2)] * n, k)
    proof.counterexample(
        given={"M": m, "k": k, "N'": n, "columns": V.shape[1] * m, "entries": k * m + extra},
        words={"sizes": k >= 1 and n >= k, "differ": V.shape[1] * m != k * m + extra},
        minimal="M = k = N' = 1",
    )
    proof.certificate("witness", "sizes", M=m, k=k, N=n)


@claim(
    "orvieto24.appE2.names",
    place="App. E.2, on Figures 10 and 11",
    of="orvieto24.sec4.1.sparse",
    flaw="misprint",
    quotes=(r"Plotted is the rank of $V_k$, $\Psi_k$, $\Omega_k = V_k \Psi_k$ as $k$ increases (see notation in Sec. 3.1.2)",),
    extracted=True,
    title="App. E.2 calls Ωₖ what Sec. 3.1.2 calls Γₖ = Vₖ Ψₖ",
    says=r"$\Omega_k=V_k\Psi_k$, in the notation of Section 3.1.2.",
    letter="App. E.2 writes Omega_k = V_k Psi_k and refers to Sec. 3.1.2, where that is Gamma_k. There Omega_k is k x N, while V_k Psi_k is N x P: for k = P = 1 and N = 2, a row and a column.",
    sabotages={"as many units as steps and functions": {"sizes": (1, 1, 1)}},
)
def gamma_for_omega(proof: Proof, sizes: tuple[int, int, int] = (2, 1, 1)) -> None:
    """The reconstruction maps states to tokens, V_k Psi_k maps coefficients to states."""
    n, p, k = sizes
    gamma = recall_matrix([fmpq(1, j + 2) for j in range(n)], k) @ exact.rationals([[1] * p] * k)
    proof.counterexample(
        given={"N": n, "P": p, "k": k, "V_k Psi_k": list(gamma.shape), "Omega_k": [k, n]},
        words={"sizes": k >= 1, "differ": gamma.shape != (k, n)},
        minimal="N = 2, P = k = 1",
    )
    proof.certificate("witness", "sizes", N=n, P=p, k=k)
