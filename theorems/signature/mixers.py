"""The channel mixers of movahedi25, App. D.3.2: circulant matrices, and the cost of low rank."""

from __future__ import annotations

import numpy as np
import sympy

from ..claim import claim
from ..evidence import Proof

# -- circulant matrices ----------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.appD.circulant",
    place="App. D.3.2, before Theorem D.1",
    title="circulant transition matrices are no more expressive than complex diagonal ones: the Fourier matrix diagonalises all",
    says=r"$F^*CF/n$ is diagonal for every circulant $n\times n$ matrix $C$ and $F_{jk}=e^{2\pi ijk/n}$, so a circulant layer is a complex diagonal layer in another basis.",
    reading="diagonal over the complex numbers, in which circulant matrices are co-diagonalizable",
    remarks=(
        "Real diagonals, as the paper's own Lambda_t, do less: the cyclic shift of three coordinates counts modulo 3, which no layer of real diagonal transitions does in finite precision (grazzi25.thm2).",
    ),
    sabotages={
        "a shift that is not cyclic": {"turn": lambda j, n: j + n + 1},
        "half frequencies": {"angle": lambda j, k, n: sympy.pi * j * k / n},
    },
)
def fourier_diagonalises(proof: Proof, angle=lambda j, k, n: 2 * sympy.pi * j * k / n, turn=lambda j, n: j + n) -> None:
    r"""Shifts are a basis of the circulant matrices, and each Fourier vector is an eigenvector of every shift.

    1. $C=\sum_xc_xS_x$ with the cyclic shifts $(S_xf)_j=f_{j-x}$, indices modulo $n$. For $f_j=e^{2\pi ijk/n}$: $f_{j-x}=e^{-2\pi ikx/n}f_j$, and indices may be taken modulo $n$, since $f_{j+n}=f_j$ for integers $k$.
       [checked: "a shift multiplies the Fourier vector"; "indices modulo n"] [prose]
    2. So $Cf=(\sum_xc_xe^{-2\pi ikx/n})f$, by linearity, and $CF=FD$ with $D$ diagonal. [checked: "so does every combination of two shifts"] [prose]
    3. $F^*F=nI$: the entry at $(k,l)$ is $\sum_jq^j$ with $q=e^{2\pi i(l-k)/n}$, $q^n=1$; it is $n$ if $q=1$, and else $(q^n-1)/(q-1)=0$. [checked: "a telescoping sum"; "q^n = 1"] [prose]
    """
    j, k, x, y = sympy.symbols("j k x y", integer=True)
    n = sympy.symbols("n", integer=True, positive=True)
    f = lambda index: sympy.exp(sympy.I * angle(index, k, n))  # noqa: E731
    one, two = (sympy.exp(-2 * sympy.pi * sympy.I * k * z / n) for z in (x, y))
    proof.symbolically("a shift multiplies the Fourier vector", sympy.powsimp(sympy.expand(f(j - x) / f(j))), one, free="j, k, x, n")
    proof.symbolically("indices modulo n", sympy.powsimp(sympy.expand(f(turn(j, n)) / f(j))), 1, free="integers j, k, n")
    a, b = sympy.symbols("a b")
    what = "so does every combination of two shifts"
    proof.symbolically(
        what, sympy.powsimp(sympy.expand((a * f(j - x) + b * f(j - y)) / f(j))), a * one + b * two, free="a, b, j, k, x, y, n"
    )
    q = sympy.symbols("q")
    telescoping = sympy.expand(q * q**j - q**j - (q - 1) * q**j)
    proof.symbolically("a telescoping sum: q^(j+1) - q^j = (q - 1) q^j", telescoping, 0, free="q, j")
    proof.symbolically("q^n = 1", sympy.exp(2 * sympy.pi * sympy.I * (k - j) / n) ** n, 1, free="integers j, k, n")


# -- parameters ------------------------------------------------------------------------------------------------------------


@claim(
    "movahedi25.appD.parameters",
    place="App. D.3.2, after Theorem D.1",
    of="movahedi25.appD.mixer-cost",
    flaw="misprint",
    quotes=(r"the input-to-mixer mapping $x_t \to \mathbf{Q}_t$ requires only $\mathcal{O}(dr)$ instead of $\mathcal{O}(d^3)$ parameters",),
    weight="hypothesis",
    extracted=True,
    title="the map from the token to a mixer of rank r is said to take O(d r) parameters; it takes d r (d + 1)",
    says=r"With $Q_t=\sum_{i\le r}\alpha_{it}\bar u_{it}\bar u_{it}^\top$ the map $x_t\mapsto Q_t$ needs $O(dr)$ parameters.",
    reading="linear maps W_u_i of App. D.3.2 for the vectors, as for the d^3 of a full mixer; d channels in the token",
    letter="Benefit (1) before Theorem D.2 should read O(d^2 r). Each of the r vectors u_it = W_(u_i) x_t takes a d x d matrix. The O(d^3) of a full mixer counts "
    "a d x d^2 map in the same way. The mixing itself does take O(d r).",
    sabotages={"one number to a vector": {"per_vector": 1}},
)
def parameters_of_the_mixer(proof: Proof, per_vector=None) -> None:
    """Each of the r vectors has d entries, each a linear function of d inputs: r d^2, and r d for the coefficients. The mixing itself costs O(d r)."""
    d, r = sympy.symbols("d r", positive=True, integer=True)
    full = d * d**2
    low = d * (r * (d if per_vector is None else per_vector) + r)
    proof.counterexample(
        given={
            "outputs of the map": "r d + r numbers from d",
            "parameters": str(sympy.factor(low)),
            "of a full mixer": str(full),
            "d = 128, r = 4": int(low.subs({d: 128, r: 4})),
        },
        words={"full": full == d**3, "unbounded": sympy.limit(low / (d * r), d, sympy.oo) == sympy.oo},
        how="symbolic",
        minimal="every r >= 1",
    )
    proof.certificate(
        "witness",
        "for constants C a number of channels with more than C d r parameters",
        r=4,
        constants=[1, 10, 1000],
        channels=[1, 10, 1000],
    )


@claim(
    "movahedi25.appD.parameters.amended",
    place="App. D.3.2, after Theorem D.1, (1)",
    amends="movahedi25.appD.parameters",
    title="the map to a mixer of rank r takes d r (d + 1) parameters, O(d² r), against d³ for a full mixer",
    says=r"$x_t\mapsto(u_{it},\alpha_{it})_{i\le r}$, linear in $x_t\in\mathbb R^d$, has $dr(d+1)$ parameters.",
    sabotages={
        "without the coefficients, which the kernel refutes": {"theorem": "counts.counted_parameters_without_coefficients"},
        "the coefficients are forgotten": {"outputs": lambda d: d},
    },
)
def counted_parameters(proof: Proof, outputs=lambda d: d + 1, theorem: str = "counts.counted_parameters") -> None:
    r"""Count the entries of the linear maps.

    1. Each of the $r$ vectors has $d$ entries and one coefficient, and each of these $d+1$ numbers is a linear function of $d$ inputs. [prose]
    2. $\sum_{i=1}^rd(d+1)=dr(d+1)$. [checked: "the number of parameters"]
    3. The quotient with $d^2r$ tends to $1$. [checked: "the order is d^2 r"]
    """
    proof.formally(
        "the kernel: the dimension of these linear maps",
        theorem,
        whole="every d and r",
        differs="any field for the reals; parameters as the dimension of the matrices of r (d + 1) rows and d columns",
    )
    d, r, i = sympy.symbols("d r i", positive=True, integer=True)
    total = sympy.Sum(d * outputs(d), (i, 1, r)).doit()
    proof.symbolically("the number of parameters", total, d * r * (d + 1), free="d, r")
    proof.symbolically("the order is d^2 r", sympy.limit(total / (d**2 * r), d, sympy.oo), 1, free="r")


@claim(
    "movahedi25.appD.mixer-cost",
    place="App. D.3.2, after Theorem D.1, (2)",
    title="applying a mixer of rank r takes (2d + 1) r multiplications, O(d r) instead of d²",
    says=r"$y\mapsto\sum_{i\le r}\alpha_iu_i(u_i^\top y)$ takes $(2d+1)r$ multiplications.",
    reading="the second of the two benefits that the paper names; the first is movahedi25.appD.parameters",
    sabotages={"the products u u^T are formed": {"mix": "dense"}},
)
def counted_mixer(proof: Proof, mix: str = "by vectors") -> None:
    r"""Numbers that count their own multiplications.

    1. $u_i^\top y$ takes $d$, the coefficient $1$ and $u_i$ times the result $d$ multiplications. [checked: "multiplications"; "one entry for each channel"]
    2. The same for all $d$ and $r$: the loop has no other step. [prose]
    """
    largest = proof.pick(3, 5, 8)
    for d in proof.every(f"d, r <= {largest}", range(1, largest + 1)):
        for r in range(1, largest + 1):
            count = [0]
            u, alpha, y = (np.array([_Counting(1, count) for _ in range(size)], dtype=object) for size in (d * r, r, d))
            for i in range(r):
                v = u[i * d : (i + 1) * d]
                result = v * (alpha[i] * (v @ y)) if mix == "by vectors" else np.outer(v, v) @ y * alpha[i]
                proof.exactly("one entry for each channel", len(result), d)
            proof.exactly("multiplications", count[0], (2 * d + 1) * r)


class _Counting:
    """A number that counts the multiplications it takes part in."""

    def __init__(self, value: int, count: list[int]):
        self.value, self.count = value, count

    def __mul__(self, other: _Counting) -> _Counting:
        self.count[0] += 1
        return _Counting(self.value * other.value, self.count)

    def __add__(self, other: _Counting) -> _Counting:
        return _Counting(self.value + other.value, self.count)


@claim(
    "movahedi25.appG.dense",
    place="App. G, before Proposition G.2",
    title="Gaussian matrices, those of low rank included, almost surely have no entry 0",
    says=r"For independent Gaussian entries all $N^2$ entries of $A$ are almost surely not $0$; so are those of $WM^\top$ with $r\ge1$ columns.",
    reading="'dense' as: no zero entry. Low rank is cheaper for another reason, 2Nr multiplications for N^2",
    sabotages={"an entry that is 0 half of the time": {"near": lambda e, s: sympy.Rational(1, 2) + sympy.erf(e / (s * sympy.sqrt(2))) / 2}},
)
def no_entry_is_zero(proof: Proof, near=lambda e, s: sympy.erf(e / (s * sympy.sqrt(2)))) -> None:
    r"""A normal variable misses a given number almost surely, and finitely many null sets are a null set.

    1. $P(|\xi|\le e)=\operatorname{erf}(e/(s\sqrt2))$ for $\xi\sim\mathcal N(0,s^2)$, [checked: "the density over [-e, e]"]
       and that tends to $0$ with $e$. [checked: "an entry is 0 with probability 0"]
    2. There are $N^2$ entries. [prose]
    3. Given the row $w$ of $W$, almost surely not $0$, an entry of $WM^\top$ is normal with the variance $|w|^2>0$; so step 1 holds for it. [prose]
    """
    e, s, x = sympy.symbols("e s x", positive=True)
    density = sympy.exp(-(x**2) / (2 * s**2)) / (s * sympy.sqrt(2 * sympy.pi))
    proof.symbolically("the density over [-e, e]", 2 * sympy.integrate(density, (x, 0, e)), near(e, s), free="e, s")
    proof.symbolically("an entry is 0 with probability 0", sympy.limit(near(e, s), e, 0), 0, free="s")
