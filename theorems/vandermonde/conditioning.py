"""How well a diagonal recurrence remembers: condition numbers of its Vandermonde matrix (orvieto24, Sec. 4.1)."""

from __future__ import annotations

from random import Random

import numpy as np
import sympy
from flint import arb, fmpq, fmpz_poly

from ...constructions.vandermonde import recall_matrix
from ...numerics import exact
from ...numerics.aliases import Exact
from ...numerics.cyclotomic import root_of_unity
from ...numerics.enclosures import certified_condition_number
from ..claim import claim
from ..evidence import Proof
from .real_inputs import geometric_sums
from .recall import adjoint

# -- roots of unity --------------------------------------------------------------------------------------------------------


@claim(
    "orvieto24.sec4.1.roots",
    place="Sec. 4.1; App. E.1, Figure 8",
    title="with the N-th roots of unity as eigenvalues the condition number of Vₖ is exactly 1, for every k ≤ N",
    says=r"$V_k^*V_k=N\,I$ for $\lambda_j=e^{2\pi ij/N}$ and $k\le N$, so $\kappa(V_k)=1$.",
    sabotages={
        "one input too many": {"longest": lambda n: n + 1},
        "one input too many, which the kernel refutes": {"theorem": "conditioning.roots_condition_one_input_more"},
    },
)
def roots_of_unity(proof: Proof, longest=lambda n: n, theorem: str = "conditioning.roots_condition") -> None:
    r"""Different powers are orthogonal: the sum of the $d$-th powers of all $N$-th roots of unity is $0$ unless $N$ divides $d$.

    1. The entry of $V_k^*V_k$ in columns $a,b$ is $\sum_{j<N}\lambda_j^{a-b}$ up to the order of the columns, as $\bar\lambda_j=\lambda_j^{-1}$: a geometric sum with $q=e^{2\pi id/N}$, $d=a-b$.
       [checked: "a geometric sum"]
    2. For $d=0$ it is $N$. For $0<|d|<k\le N$, $q\ne1$ and $q^N=e^{2\pi id}=1$, so it is $(1-q^N)/(1-q)=0$. [checked: "exp(2 pi i d) = 1"; "|1 - exp(2 i t)|^2"; "second opinion"]
    """
    proof.formally("the kernel: V* V = N I", "conditioning.roots_are_orthogonal")
    proof.formally(
        "the kernel: the condition number is 1",
        theorem,
        whole="every N and 0 < k <= N",
        differs="any algebraically closed field with a norm, and any primitive N-th root of unity for exp(2 pi i / N); the condition number as the largest quotient of two factors by which V stretches vectors",
    )
    geometric_sums(proof)
    same, inverse = [], []
    for n in range(1, 9):
        inverse += [root_of_unity(n, j).conjugate() == root_of_unity(n, j) ** -1 for j in range(n)]
        for k in range(1, longest(n) + 1):
            V = recall_matrix([root_of_unity(n, j) for j in range(n)], k)
            same.append(np.array_equal(adjoint(V) @ V, exact.identity(k) * n))
    proof.exactly("second opinion: V* V = N I for N <= 8 and all k <= N", same, [True] * len(same))
    proof.exactly("second opinion: the conjugate of a root of unity is its inverse, N <= 8", inverse, [True] * 36)
    for n in (3, 8):
        proof.certificate("witness", f"N = {n}", field=n, nodes=[root_of_unity(n, j).coefficients for j in range(n)], length=n)


# -- real nodes ------------------------------------------------------------------------------------------------------------


def chebyshev_coefficients(n: int) -> list[int]:
    """The coefficients of T_n, constant first: T_(n+1) = 2 x T_n - T_(n-1)."""
    a, b = fmpz_poly([1]), fmpz_poly([0, 1])
    for _ in range(n):
        a, b = b, fmpz_poly([0, 2]) * b - a
    return [int(c) for c in a.coeffs()]


@claim(
    "orvieto24.sec4.1.real",
    place="Sec. 4.1, Crucial role of complex numbers",
    title="for real eigenvalues in [−1, 1] the condition number of Vₖ grows exponentially with k, for every width N ≥ k",
    says=r"For any $N\ge k$ real $\lambda_i\in[-1,1]$, $\kappa(V_k)\ge\|c\|_2\ge\frac{\|c\|_1}{\sqrt{\lceil k/2\rceil}}$, $c$ the coefficients of the Chebyshev polynomial $T_{k-1}$, and "
    r"$\|c\|_1=\frac12\big((1+\sqrt2)^{k-1}+(1-\sqrt2)^{k-1}\big)$; in particular for $N=k$.",
    hypotheses=("all |lambda| <= 1, as in every stable recurrence",),
    reading="'grows exponentially with N' is meant for N = k, as in the paper that is cited (Gautschi and Inglese 1987); see the finding for tall matrices",
    sabotages={
        "twice the bound": {"factor": 2},
        "a bound larger by a fifth": {"factor": 1.2},
        "polynomials of the second kind": {"chebyshev": lambda z, n: (z ** (n + 1) - z ** (-n - 1)) / (z - 1 / z)},
        "twice the bound, which the kernel refutes": {"theorem": "chebyshev.real_condition_twice"},
    },
)
def chebyshev_polynomials_are_hidden(
    proof: Proof, factor: int = 1, chebyshev=lambda z, n: (z**n + z**-n) / 2, theorem: str = "chebyshev.real_condition_grows"
) -> None:
    r"""$V_kc$ holds the values of $T_{k-1}$ at the nodes, at most $1$ in modulus, while $|c|$ is exponentially large.

    1. $T_n$ is given by $T_0=1$, $T_1=x$, $T_{n+1}=2xT_n-T_{n-1}$. With $x=(z+1/z)/2$ it is $(z^n+z^{-n})/2$: both satisfy the recursion and start alike. For $z=e^{i\theta}$ that is $\cos n\theta$, so
       $|T_n|\le1$ on $[-1,1]$. [checked: "T_0 and T_1"; "the recursion of T_n"; "on the circle"]
    2. So $|V_kc|\le\sqrt N$ and $\sigma_{\min}(V_k)\le\sqrt N/|c|$. The column of ones gives $\sigma_{\max}(V_k)\ge\sqrt N$. Hence $\kappa\ge|c|$, with equality for the nodes $1,-1$ and $k=2$. [checked: "second opinion: |V c|^2 <= N"; "second opinion: kappa"; "second opinion: equality"]
    3. Let $t_0=1$, $t_1=x$, $t_{n+1}=2xt_n+t_{n-1}$, polynomials with coefficients that are not negative. $T_n(ix)=i^nt_n(x)$, by the same recursion. So the coefficients of $t_n$ are the moduli of those of
       $T_n$, and $\|c\|_1=t_{k-1}(1)$, which obeys $a_{n+1}=2a_n+a_{n-1}$ from $1,1$, as does the formula. [checked: "the moduli"; "their sum"]
    4. $T_n(-x)=(-1)^nT_n(x)$, so at most $\lceil k/2\rceil$ of the $k$ coefficients of $T_{k-1}$ are not $0$, and $\|c\|_1\le\sqrt{\lceil k/2\rceil}\,\|c\|_2$ by Cauchy and Schwarz. [checked: "the parity"; "second opinion: half of"]
    """
    proof.formally(
        "the kernel: all three bounds",
        theorem,
        whole="every N, k and real eigenvalues in [-1, 1]",
        differs="any algebraically closed field with a norm for the complex numbers; the condition number as the largest quotient of two factors by which V stretches vectors; every N, not only N >= k",
    )
    z, n, x, a, b, i = *sympy.symbols("z n x a b"), sympy.I
    half = (z + 1 / z) / 2
    proof.symbolically("T_0 and T_1", chebyshev(z, 0) + x * chebyshev(z, 1), 1 + x * half, free="z, x")
    proof.symbolically("the recursion of T_n in z", chebyshev(z, n + 1), 2 * half * chebyshev(z, n) - chebyshev(z, n - 1), free="z, n")
    theta = sympy.symbols("theta", real=True)
    proof.symbolically(
        "on the circle it is cos(n theta)",
        ((sympy.exp(i * n * theta) + sympy.exp(-i * n * theta)) / 2).rewrite(sympy.cos),
        sympy.cos(n * theta),
        free="n, theta",
    )
    # T_n(ix) = i^n t_n(x): with t_n = a and t_(n-1) = b the recursions agree, divided by i^n
    proof.symbolically(
        "the moduli: the recursion of T_n(ix) is that of i^n t_n", i * (2 * x * a + b), 2 * (i * x) * a - b / i, free="x, t_n, t_(n-1)"
    )
    s = sympy.sqrt(2)
    total = lambda m: ((1 + s) ** m + (1 - s) ** m) / 2  # noqa: E731
    proof.symbolically("their sum: the formula obeys a_(n+1) = 2 a_n + a_(n-1)", total(n + 1), 2 * total(n) + total(n - 1), free="n")
    proof.exactly("their sum starts with 1, 1", [total(0), sympy.simplify(total(1))], [1, 1])
    # the sign of T_n(-x): with T_n -> a, T_(n-1) -> b, reflected they are s a and -s b
    sign = sympy.symbols("s")
    proof.symbolically(
        "the parity: the recursion at -x", 2 * (-x) * (sign * a) - (-sign * b), -sign * (2 * x * a - b), free="x, T_n, T_(n-1)"
    )
    coefficients = [chebyshev_coefficients(m) for m in range(40)]
    sums = [sum(map(abs, c)) for c in coefficients]
    proof.exactly("second opinion: the sums for n < 40", [sums[m] - 2 * sums[m - 1] - sums[m - 2] for m in range(2, 40)], [0] * 38)
    proof.holds(
        "second opinion: half of the coefficients are 0, n < 40",
        all(sum(v != 0 for v in c) <= m // 2 + 1 for m, c in enumerate(coefficients)),
    )
    rng = Random(88)
    bounded = []
    for _ in range(12):
        k = rng.randint(3, 8)
        nodes = [fmpq(rng.randint(-64, 64), 64) for _ in range(rng.randint(k, 20))]
        c = np.array([fmpq(v) for v in reversed(chebyshev_coefficients(k - 1))], dtype=object)
        values, previous, current = recall_matrix(nodes, k) @ c, [fmpq(1)] * len(nodes), nodes
        for _ in range(k - 2):
            previous, current = current, [2 * v * a - b for v, a, b in zip(nodes, current, previous, strict=True)]
        bounded.append(list(values) == current and all(-1 <= v <= 1 for v in values))
        if len(proof.certificates) < 5:
            proof.certificate("witness", f"N = {len(nodes)}, k = {k}", nodes=nodes, length=k)
    proof.holds("second opinion: |V c|^2 <= N, V c the values of T_(k-1), for 12 random sets of rational nodes", all(bounded))
    two, line = recall_matrix([fmpq(1), fmpq(-1)], 2), chebyshev_coefficients(1)
    attained = np.array_equal(two.T @ two, exact.identity(2) * 2) and sum(v * v for v in line) * factor**2 == 1
    proof.holds("second opinion: equality for k = 2 and the nodes 1, -1, where V^T V = 2 I and |c| = 1", attained)
    largest = []
    for k in range(2, 8):
        norm = arb(sum(v * v for v in chebyshev_coefficients(k - 1))).sqrt() * factor
        families = [np.cos((2 * np.arange(m) + 1) * np.pi / (2 * m)) for m in (k, 3 * k)] + [
            np.random.default_rng(k).uniform(-1, 1, m) for m in (k, 3 * k)
        ]
        families += [np.array([-1.0, 0.0, 1.0])] if k == 3 else []
        largest += [bool(certified_condition_number(nodes, k) >= norm) for nodes in families]
    proof.certified("second opinion: kappa >= |c| for Chebyshev and random nodes, k <= 7, N = k and 3k", all(largest))
    proof.exhibit("three real units, k = 3: T_2 = 2 x^2 - 1 is hidden", nodes=[-1, 0, 1], inputs=[2, 0, -1], state=[1, -1, 1])


@claim(
    "orvieto24.sec4.1.real.width",
    place="Sec. 4.1, Crucial role of complex numbers",
    flaw="overstatement",
    quotes=(r"If $\Lambda$ is real the condition number of $V_k$ grows exponentially with $N$",),
    weight="hypothesis",
    title="for real eigenvalues the condition number does not grow with the width N: for two inputs it can stay below 2",
    says=r"If $\Lambda$ is real, $\kappa(V_k)$ grows exponentially with $N$.",
    reading="N grows and k stays, as it is printed: N for the width, k for the inputs",
    letter="For real eigenvalues the condition number of V_k grows exponentially with the number k of inputs, at every width N. It need not grow with N: for k = "
    "2 and the nodes (2i + 1 - N)/N it stays at most 2. For N = k the sentence is right.",
    sabotages={"k = N": {"inputs": lambda n: n}, "the nodes close up": {"node": lambda i, n: (2 * i + 1 - n) / n**2}},
)
def wide_real_recurrences(proof: Proof, inputs=lambda n: 2, node=lambda i, n: (2 * i + 1 - n) / n) -> None:
    r"""For two inputs and the nodes $(2i+1-N)/N$, $i<N$, $V^\top V=\operatorname{diag}\big((N^2-1)/3N,\,N\big)$, so $\kappa^2=3N^2/(N^2-1)$, which falls from 4 at $N=2$ to 3."""
    i, n = sympy.symbols("i N", integer=True, positive=True)
    square = sympy.summation(sympy.expand(node(i, n) ** 2), (i, 0, n - 1))
    proof.symbolically("the sum of the nodes", sympy.summation(sympy.expand(node(i, n)), (i, 0, n - 1)), 0, free="N")
    proof.symbolically("the sum of their squares", square, (n**2 - 1) / (3 * n), free="N")
    sizes = (2, 4, 8, 16, 32)
    families = {
        m: [fmpq(*(int(p) for p in sympy.Rational(node(sympy.Integer(v), sympy.Integer(m))).as_numer_denom())) for v in range(m)]
        for m in sizes
    }
    grams = {m: (lambda V: V.T @ V)(recall_matrix(nodes, inputs(m))) for m, nodes in families.items()}
    flat = {m: bool(G.shape == (2, 2) and G[0, 1] == 0 and G[1, 0] == 0 and G[1, 1] <= 4 * G[0, 0]) for m, G in grams.items()}
    proof.counterexample(
        given={"k": 2, "nodes": "(2i + 1 - N) / N, i < N", "V^T V for N = 4": grams[4], "kappa^2": "3 N^2 / (N^2 - 1)"},
        words={"nodes": all(len(set(nodes)) == m for m, nodes in families.items()), "condition": all(flat.values())},
        minimal="k = 2 inputs, every N >= 2",
    )
    proof.certificate("witness", "N = 2, 4, ..., 32", families=list(families.values()))


@claim(
    "new.vandermonde.recency",
    place="after orvieto24, Sec. 4.1 and Figure 3 ('only the recent past')",
    title="inputs are forgotten at the rate of the largest eigenvalue: κ(Vₖ) ≥ r¹⁻ᵏ for all |λ| ≤ r < 1",
    says=r"If $|\lambda_i|\le r$ for all $i$, the column of $V_k$ for an input $j$ steps ago has norm at most $\sqrt N\,r^j$, and $\kappa(V_k)\ge r^{-(k-1)}$, whatever the width, with equality for $r$ times the $N$-th roots of unity, $N\ge k$.",
    known="the paper says that a state forgets at the rate of its eigenvalue; the bound on kappa is elementary",
    sabotages={"the rate of the smallest eigenvalue": {"rate": min}, "a bound of r^-k": {"lost": lambda k: k}},
)
def old_inputs_fade(proof: Proof, rate=max, lost=lambda k: k - 1) -> None:
    r"""Two columns of very different length.

    1. Let $0\le x\le r$. If $x^j\le r^j$, then $r^{j+1}-x^{j+1}=r(r^j-x^j)+x^j(r-x)\ge0$: so $|\lambda|^j\le r^j$ for all $j$. [checked: "powers keep the order"] [prose]
    2. The column for an input $j$ steps ago has the entries $\lambda_i^j$, so its norm is at most $\sqrt N\,r^j$; that of the last input is all ones, of norm $\sqrt N$. [checked: "second opinion: columns"] [prose]
    3. $\sigma_{\max}(V_k)$ is at least the norm of the last column, $\sigma_{\min}(V_k)$ at most that of the first: $\kappa\ge\sqrt N/(\sqrt N\,r^{k-1})$. [checked: "the quotient"; "second opinion: kappa"] [prose]
    4. For $r$ times the roots of unity $V_k=V'_k\operatorname{diag}(r^{k-1},\dots,1)$ with $V_k'^*V'_k=NI$, so the singular values are $\sqrt N\,r^j$ and $\kappa=r^{-(k-1)}$. [uses: orvieto24.sec4.1.roots] [checked: "an entry of V"; "second opinion: equality"] [prose]
    """
    proof.formally(
        "the kernel: the bound on kappa", "conditioning.inside_condition", differs="not the norms of the columns, nor that it is attained"
    )
    x, r, j, n, k = sympy.symbols("x r j N k", positive=True)
    proof.symbolically("powers keep the order", r ** (j + 1) - x ** (j + 1), r * (r**j - x**j) + x**j * (r - x), free="x, r, j")
    proof.symbolically("the quotient of the norms", sympy.sqrt(n) / (sympy.sqrt(n) * r ** (k - 1)), r ** -lost(k), free="N, r, k")
    w = sympy.symbols("w")
    proof.symbolically("an entry of V for the node r w is that for w, times r^j", (r * w) ** j, r**j * w**j, free="w, r, j")
    with proof.beside():
        attained = []
        for size in (3, 4, 6):
            V = recall_matrix([root_of_unity(size, i) / 2 for i in range(size)], size)
            diagonal: list[Exact] = [fmpq(size, 4 ** (size - 1 - i)) for i in range(size)]
            attained.append(
                np.array_equal(adjoint(V) @ V, np.diag(diagonal) + exact.zeros(size, size))
                and diagonal[-1] / diagonal[0] == fmpq(4) ** lost(size)
            )
        proof.exactly("second opinion: equality for half the roots of unity, N = k = 3, 4, 6", attained, [True] * 3)
    rng = Random(91)
    fading = []
    for _ in range(30):
        nodes = [fmpq(rng.randint(-9, 9), 10) for _ in range(rng.randint(2, 12))]
        k, largest = rng.randint(2, 8), rate(abs(v) for v in nodes)
        squares = [sum(v * v for v in column) for column in recall_matrix(nodes, k).T]
        fading.append(
            squares[-1] == len(nodes) and all(square <= len(nodes) * largest ** (2 * (k - 1 - i)) for i, square in enumerate(squares))
        )
        if len(proof.certificates) < 5 and len(set(nodes)) >= k:
            proof.certificate("witness", f"N = {len(nodes)}, k = {k}", nodes=nodes, length=k)
    with proof.beside():
        proof.holds("second opinion: columns of 30 random sets of up to 12 rational nodes, k <= 8", all(fading))
        large = []
        for k in range(2, 8):
            draws = np.random.default_rng(k)
            nodes = 0.5 * np.sqrt(draws.uniform(0, 1, 2 * k)) * np.exp(2j * np.pi * draws.uniform(0, 1, 2 * k))
            # moduli rounded up to 1/2 at most, so the bound is 2^(k-1)
            large.append(bool(certified_condition_number(nodes * (1 - 1e-12), k) >= arb(2) ** (k - 1)))
        proof.certified("second opinion: kappa >= 2^(k-1) for random nodes in the disc of radius 1/2, k <= 7", all(large))


@claim(
    "orvieto24.complex",
    place="Abstract; Sec. 1, contributions; Sec. 4.1",
    title="complex eigenvalues on the unit circle keep inputs that stable real ones, or small ones, lose exponentially",
    says=r"For every $k\le N$ there are $N$ complex eigenvalues on the unit circle with $\kappa(V_k)=1$; for real ones in $[-1,1]$, $\kappa(V_k)\ge2^{k-2}$ for $k\ge2$; for any of modulus at most $r<1$, "
    r"$\kappa(V_k)\ge r^{-(k-1)}$.",
    reading="'complex eigenvalues near unit disk greatly help the RNN in storing information', as a statement about condition numbers, which Section 4.1 makes of it",
    sabotages={
        "a leading coefficient of 3^(n-1)": {"leading": lambda n: 3 ** (n - 1)},
        "real eigenvalues do as well, which the kernel refutes": {"theorem": "conditioning.complex_is_better_nor_real"},
    },
)
def complex_is_better(proof: Proof, leading=lambda n: 2 ** (n - 1), theorem: str = "conditioning.complex_is_better") -> None:
    r"""Three bounds side by side.

    1. The $N$-th roots of unity have $\kappa=1$. [uses: orvieto24.sec4.1.roots]
    2. For real nodes in $[-1,1]$, $\kappa(V_k)\ge|c|$ with the coefficients $c$ of $T_{k-1}$, so at least its leading one, which is $2^{k-2}$, since $T_1=x$ and $T_{n+1}=2xT_n-T_{n-1}$ doubles it.
       [uses: orvieto24.sec4.1.real] [checked: "the leading coefficient doubles"; "second opinion"]
    3. For moduli at most $r$, $\kappa\ge r^{-(k-1)}$. [uses: new.vandermonde.recency]
    """
    proof.formally(
        "the kernel: all three bounds",
        theorem,
        whole="every N, k and eigenvalues",
        differs="any algebraically closed field with a norm for the complex numbers; r > 0; the condition number as the largest quotient of two factors by which V stretches vectors",
    )
    n = sympy.symbols("n")
    proof.symbolically("the leading coefficient doubles", leading(n + 1), 2 * leading(n), free="n")
    proof.exactly("the leading coefficient of T_1 is 1", leading(1), 1)
    proof.exactly(
        "second opinion: leading coefficients of T_1 to T_19",
        [chebyshev_coefficients(m)[-1] for m in range(1, 20)],
        [leading(m) for m in range(1, 20)],
    )
    rng = Random(92)
    for k in (3, 5, 8):
        nodes = [fmpq(v, 32) for v in rng.sample(range(-32, 33), k + 2)]
        proof.certificate(
            "witness",
            f"k = {k}, N = {k + 2}",
            length=k,
            real=nodes,
            field=k + 2,
            nodes=[root_of_unity(k + 2, j).coefficients for j in range(k + 2)],
        )


@claim(
    "orvieto24.sec4.1.pinv",
    place="Sec. 4.1, 'a numerical issue'; App. E.2, on Figure 9",
    title="in the unit disc ‖V⁺‖ lies between κ(V)/√(Nk) and κ(V)/√N; κ(Ω) is the most by which a relative error of the state grows",
    says=r"For $|\lambda_i|\le1$ and $V_k$ of full column rank $\kappa(V_k)/\sqrt{Nk}\le\|V_k^+\|\le\kappa(V_k)/\sqrt N$. For $\Omega$ of full column rank, $x=\Omega\alpha\ne0$ and an error $\delta$ of $x$, "
    r"$\frac{|\Omega^+\delta|}{|\alpha|}\le\kappa(\Omega)\frac{|\delta|}{|x|}$, and equality occurs.",
    reading="'ill-conditioned, so that the norm of the pseudoinverse tends to infinity' as: at fixed N and k the one is unbounded iff the other is. App. E.2 plots kappa(Omega^T Omega), the square",
    sabotages={
        "eigenvalues outside the disc": {"outside": 2},
        "columns in the other order": {"last": 0},
        "the square for the condition number": {"kappa": lambda s, t: (s / t) ** 2},
    },
)
def what_a_condition_number_says(proof: Proof, outside: int = 1, last: int = -1, kappa=lambda s, t: s / t) -> None:
    r"""$\kappa(V)=\|V\|\|V^+\|$, and $\sqrt N\le\|V\|\le\sqrt{Nk}$.

    1. All $Nk$ entries have modulus at most $1$, so $\|V\|\le\|V\|_F\le\sqrt{Nk}$. [checked: "the squared Frobenius norm is at most N k"]
    2. The last column is $(1,\dots,1)$, so $\|V\|\ge\sqrt N$. [checked: "the last column has N ones"]
    3. $|\Omega^+\delta|\le\|\Omega^+\||\delta|$ and $|x|\le\|\Omega\||\alpha|$; the product of the two is $\kappa$. [prose]
    4. With singular values $s\ge t$: $\alpha=e_1$, $\delta$ along the second singular vector. [checked: "equality"]
    """
    rng = Random(305)
    for _ in proof.each("20 sets of N <= 5 rational nodes in [-1, 1], k <= 4, seed 305", range(20)):
        count, k = rng.randint(1, 5), rng.randint(1, 4)
        nodes = [fmpq(-outside), *(fmpq(rng.randint(-9, 9), rng.randint(9, 12)) for _ in range(count))]
        V = recall_matrix(nodes, k)
        proof.holds("the squared Frobenius norm is at most N k", sum((x * x for x in V.ravel()), fmpq(0)) <= len(nodes) * k)
        proof.exactly("the last column has N ones", list(V[:, last]), [1] * len(nodes))
    s, t, e = sympy.symbols("s t e", positive=True)
    relative = (e / t) / 1 / (e / s)  # |Omega^+ delta| / |alpha| over |delta| / |x|
    proof.symbolically("equality: alpha = e_1, delta = e along the second", relative, kappa(s, t), free="s, t, e")
