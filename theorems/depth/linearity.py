"""What a linear recurrent network computes: affine functions of its inputs, and one step of all layers at once (lizaire26, App. A.1.2, A.2)."""

from __future__ import annotations

import sympy

from ...numerics import exact
from ..claim import claim
from ..evidence import Proof


def _matrices(names: str) -> tuple[sympy.Symbol, ...]:
    """Symbols for matrices and vectors of any sizes that fit: they do not commute."""
    return sympy.symbols(names, commutative=False)


def _layer(V, before, U, below, b):
    """One step of a layer: V h_(t-1) + U h^(l-1)_t + b."""
    return V * before + U * below + b


#: two layers on two channels with biases and initial states, and two input words
EXAMPLE = {
    "layers": [
        {name: exact.rationals(part) for name, part in layer.items()}
        for layer in (
            {"U": [[1, 2], [0, 1]], "V": [[0, 1], [1, 1]], "b": [1, -1], "initial": [2, 0]},
            {"U": [[1, -1], [3, 0]], "V": [["1/2", 0], [1, 0]], "b": [0, 1], "initial": [1, 1]},
        )
    ],
    "inputs": exact.rationals([[1, 0], [2, -1], [0, 3]]),
    "others": exact.rationals([[0, 1], [1, 1], [-2, 5]]),
}


@claim(
    "lizaire26.prop2",
    place="Proposition 2, App. A.2",
    title="the hidden states of a linear RNN are affine functions of the inputs; linear ones without biases and initial states",
    says=r"For a linear RNN and input words $x,y$ of one length $h^{(l)}_t(ax+(1-a)y)=a\,h^{(l)}_t(x)+(1-a)\,h^{(l)}_t(y)$ for all real $a$, layers and times; "
    r"if all biases and initial states are $0$, also $h^{(l)}_t(ax+cy)=a\,h^{(l)}_t(x)+c\,h^{(l)}_t(y)$.",
    reading="affine where 'linear' is printed, since Definition 1 has biases and initial states",
    sabotages={
        "linear with biases, which the kernel refutes": {"theorem": "rnn.states_are_linear"},
        "a unit squares what it reads": {"layer": lambda V, before, U, below, b: V * before + U * below * below + b},
    },
)
def affine_states(proof: Proof, layer=_layer, theorem: str = "rnn.states_are_affine") -> None:
    r"""A state is an affine function of two things that are affine functions of the inputs, the state before and the state below.

    1. The inputs themselves combine as they should, and an initial state $h_0$ is the same for all inputs: $ah_0+(1-a)h_0=h_0$. [checked: "an initial state"]
    2. If $h^{(l)}_{t-1}$ and $h^{(l-1)}_t$ of the input $ax+(1-a)y$ are the combinations of those of $x$ and $y$, so is $Vh^{(l)}_{t-1}+Uh^{(l-1)}_t+b$, because
       the coefficients add up to $1$. Induction over $t$, and for each $t$ over $l$. [checked: "a step of a layer keeps affine combinations"]
    3. With $b=0$ and $h_0=0$ the coefficients need not add up to $1$. [checked: "without a bias it keeps linear ones"]
    """
    proof.formally(
        "the kernel: states are affine, and linear without biases and initial states",
        theorem,
        whole="every network, layer, time and words",
        differs="any field; words are infinite, and a state reads its prefix",
    )
    a, c = sympy.symbols("a c")
    U, V, b, h, k, g, f = _matrices("U V b h k g f")
    proof.symbolically("an initial state is its own combination", a * h + (1 - a) * h, h, free="a, h_0")
    proof.symbolically(
        "a step of a layer keeps affine combinations",
        layer(V, a * h + (1 - a) * k, U, a * g + (1 - a) * f, b),
        a * layer(V, h, U, g, b) + (1 - a) * layer(V, k, U, f, b),
        free="a, U, V, b, states before and below",
    )
    proof.symbolically(
        "without a bias it keeps linear ones",
        layer(V, a * h + c * k, U, a * g + c * f, 0),
        a * layer(V, h, U, g, 0) + c * layer(V, k, U, f, 0),
        free="a, c, U, V, states before and below",
    )
    proof.certificate("witness", "two layers with biases, a = 1/3", a="1/3", **EXAMPLE)


@claim(
    "lizaire26.prop2.bias",
    place="Proposition 2, App. A.2",
    flaw="misprint",
    quotes=("to (concatenations of) sequences of hidden states", "is linear."),
    title="with a bias the hidden states are affine in the inputs, not linear",
    says=r"With the biases and initial states of Definition 1 $(x_1,\dots,x_T)\mapsto h^{(L)}_t$ is linear.",
    letter="Proposition 2 says linear for the networks of Definition 1, which have biases and initial states. It should say affine, as the base case h_1 = U x_1 + V h_0 + b shows. It is linear where biases and initial states are 0. Nothing later depends on it.",
    sabotages={"no bias": {"bias": 0}},
)
def affine_not_linear(proof: Proof, bias: int = 1) -> None:
    r"""One unit with $U=1$, $V=0$, $b=1$ has $h(x)=x+1$: $h(1)+h(2)=5$ and $h(3)=4$."""
    x, y = 1, 2
    given = {"U": 1, "V": 0, "b": bias, "x": x, "y": y, "h(x)": x + bias, "h(y)": y + bias, "h(x + y)": x + y + bias}
    words = {"additive": given["h(x + y)"] != given["h(x)"] + given["h(y)"]}
    proof.counterexample(given, words=words, minimal="n = L = T = 1", witness="U V b x y")


@claim(
    "lizaire26.cor2",
    place="Corollary 2, App. A.1.2",
    title="a hidden state in terms of the input and the states of the layers up to it one step before",
    says=r"$h^{(l)}_t=P_{l,0}x_t+\sum_{j\le l}P_{l,j}\big(V^{(j)}h^{(j)}_{t-1}+b^{(j)}\big)$ with $P_{l,j}=U^{(l)}U^{(l-1)}\cdots U^{(j+1)}$.",
    reading="products with descending indices; in the printed order, ascending, the factors do not even fit where d differs from n",
    sabotages={
        "the products ascend, which the kernel refutes": {"theorem": "unrolled.linear_states_unrolled_ascending"},
        "the products ascend": {"further": lambda U, P: P * U},
    },
)
def one_step_of_all_layers(proof: Proof, further=lambda U, P: U * P, theorem: str = "unrolled.linear_states_unrolled") -> None:
    r"""Induction over the layers: what layer $l$ has, layer $l+1$ multiplies by its $U$, and adds its own past and bias.

    1. Layer $0$ is the input, with the empty product $P_{0,0}=I$. [checked: "layer 0"]
    2. By definition $P_{l+1,j}=U^{(l+1)}P_{l,j}$ and $P_{l+1,l+1}=I$. Term by term, $U^{(l+1)}h^{(l)}_t+V^{(l+1)}h^{(l+1)}_{t-1}+b^{(l+1)}$ is the formula for $l+1$: for the
       input, for one arbitrary term $j\le l$ of the sum, and for the new term: an induction over the layers. [checked: "layer l + 1"] [prose]
    """
    proof.formally(
        "the kernel: the states of every layer in terms of those one step before",
        theorem,
        whole="every network, layer, time and word",
        differs="any field for the reals; times from 0, layers from 0, so that U of the lowest is a factor of its own",
    )
    U, V, W, P, Q, x, h, k, b, c = _matrices("U V W P Q x h k b c")
    proof.symbolically("layer 0 is the input", sympy.Integer(1) * x, x, free="x")
    proof.symbolically(
        "layer l + 1 from layer l: the input, an arbitrary term of the sum, the new term",
        U * (P * x + Q * (V * h + b)) + W * k + c,
        further(U, P) * x + further(U, Q) * (V * h + b) + (W * k + c),
        free="U, V, V', P, Q, states, biases",
    )
    proof.certificate("witness", "two layers with biases, three steps", **{name: EXAMPLE[name] for name in ("layers", "inputs")})
