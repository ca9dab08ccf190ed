"""What the claims of topic bilinear demand of their certificates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from ...exact import apply, matrix, natural, one, rank, require, times, transpose, vector
from ...registry import refuted, statement
from ...schema import Fields, Items, Matrix, Natural, Vector
from ...shapes import SECOND_ORDER_LAYER
from ...sparse import bilinear, degrees_at, generic_layers, inputs_of, is_bilinear, layers_of, run, tensor_of, total_degrees
from ...typed import Certificates, Data, Decided


def second_states(layers: Sequence[Any]) -> list[Any]:
    """h_2 of the last layer as polynomials in x_1 and x_2."""
    return run(layers, inputs_of(layers, 2))[1][-1]


def degrees_in_first(layers: Sequence[Any]) -> set[int]:
    """The degrees in x_1 of the monomials of h_2."""
    return set().union(*degrees_at(second_states(layers), 1))


# -- degrees and Theorem 3 --------------------------------------------------------------------------------------------------


@statement(
    "new.bilinear.degrees",
    "witness",
    Fields(
        layers=Items(
            SECOND_ORDER_LAYER,
            2,
            3,
        ),
        T=Natural(2, 3),
    ),
)
def binomial_degrees(data: Data) -> None:
    """h_T of a BIRNN with T >= 2 is not 0, and homogeneous in each x_s of degree C(T-s+L-1, L-1), in all of degree C(T+L-1, L)."""
    layers, T = layers_of(data["layers"]), natural(data["T"])
    L = len(layers)
    require(T >= 2 and all(map(is_bilinear, layers)), "layers with the product alone, two steps at least")
    state = run(layers, inputs_of(layers, T))[-1][-1]
    for s in range(1, T + 1):
        require(all(d == {comb(T - s + L - 1, L - 1)} for d in degrees_at(state, s)), f"the degree in x_{s}")
    require(all(d == {comb(T + L - 1, L)} for d in total_degrees(state)), "the total degree")


@statement(
    "lizaire26.abstract.degree",
    "witness",
    Fields(
        layers=Items(
            Fields(
                A=Items(Matrix((1, 3), (1, 3), 4), 1, 3),
                V=Matrix((1, 3), (1, 3), 4),
                U=Matrix((1, 3), (1, 3), 4),
                b=Vector((1, 3), 4),
                initial=Vector((1, 3), 4),
            ),
            1,
            4,
        )
    ),
)
def degree_is_depth_plus_one(data: Data) -> None:
    """The largest degree of h_2 is L + 1, with L of them in x_1."""
    layers = layers_of(data["layers"])
    require(max(set().union(*total_degrees(second_states(layers)))) == len(layers) + 1, "the total degree is L + 1")
    require(max(degrees_in_first(layers)) == len(layers), "the degree in x_1 is L")


@statement("lizaire26.abstract.degree")
def several_depths(certificates: Certificates) -> None:
    """At least three depths."""
    require(len({len(data["layers"]) for _, data in certificates}) >= 3, "three depths at least")


def no_common_degree(layers: Sequence[Any], deeper: int) -> dict[str, Any]:
    """Of a BIRNN and all BIRNNs of its size with ``deeper`` layers, whatever their parameters: h_2 is not 0, and no degree in x_1 is common."""
    require(all(map(is_bilinear, layers)) and deeper == len(layers) + 1, "BIRNNs, one a layer deeper")
    mine = degrees_in_first(layers)
    theirs = degrees_in_first(generic_layers(len(layers[-1][4]), deeper, len(layers[0][2][0])))
    return {"second": bool(mine), "deeper": bool(theirs), "degrees": not mine & theirs}


@statement(
    "lizaire26.thm3",
    "witness",
    Fields(
        layers=Items(
            Fields(A=Items(Matrix(1, 2, 4), 2, 2), V=Matrix(2, 2, 4), U=Matrix(2, 1, 4), b=Vector(2, 4), initial=Vector(2, 4)), 1, 1
        ),
        deeper=Natural(2, 2),
    ),
    hypotheses={"second": "h_2 is not 0", "deeper": "the deeper networks do not all vanish"},
    violates={"degrees": "no monomial of the deeper network has a degree of the function"},
)
def not_computed_one_layer_deeper(data: Data) -> dict[str, Any]:
    """A function of a BIRNN that no BIRNN with a layer more computes."""
    return no_common_degree(layers_of(data["layers"]), natural(data["deeper"]))


@statement(
    "lizaire26.cor1",
    "witness",
    Fields(factors=Items(Matrix((1, 2), 2, 4), 3, 3), initial=Items(Natural(1, 1), 2, 2), deeper=Natural(2, 2)),
    hypotheses={"second": "h_2 is not 0", "deeper": "the deeper networks do not all vanish"},
    violates={"degrees": "no monomial of the deeper network has a degree of the function"},
)
def not_computed_at_any_rank(data: Data) -> dict[str, Any]:
    """A CPBIRNN of one layer and rank R > 1; two layers of any rank do not compute it."""
    A, B, C = data["factors"]
    require(len(matrix(A)[0]) > 1 and len(matrix(A)) > 1, "n > 1 and R > 1")
    return no_common_degree([bilinear(tensor_of(A, B, C), vector(data["initial"]))], natural(data["deeper"]))


def identity_layer(n: int) -> tuple[Any, ...]:
    """U = I, all else 0."""
    zero = Fraction(0)
    return [[[zero] * n for _ in range(n)] for _ in range(n)], [[zero] * n for _ in range(n)], one(n), [zero] * n, [zero] * n


@statement(
    "lizaire26.thmA.7.1",
    "witness",
    Fields(
        layers=Items(
            SECOND_ORDER_LAYER,
            1,
            3,
        )
    ),
)
def identity_on_top(data: Data) -> None:
    """A second-order RNN that depends on x_1, of degree at most L in it; a layer with U = I on top changes nothing."""
    layers = layers_of(data["layers"])
    degrees = degrees_in_first(layers)
    require(0 < max(degrees) <= len(layers), "h_2 depends on x_1, with degree at most L")
    taller = [*layers, identity_layer(len(layers[-1][4]))]
    require(second_states(taller) == second_states(layers), "a layer with U = I hands on")


def grows_with_the_last_layer(layers: Sequence[Any]) -> None:
    """h_2 has degree L + 1 in x_1 with all L + 1 layers, and at most L without the last."""
    require(len(layers) >= 2, "two layers at least")
    require(max(degrees_in_first(layers)) == len(layers), "the degree is the number of layers")
    require(max(degrees_in_first(layers[:-1])) <= len(layers) - 1, "it is smaller without the last layer")


def is_residual(layer: tuple[Any, ...]) -> bool:
    """V = 0, b = 0 and U = I."""
    _, V, U, b, _ = layer
    return not any(any(row) for row in [*V, b]) and one(len(U)) == U


@statement(
    "lizaire26.thm3.residual",
    "witness",
    Fields(
        layers=Items(
            SECOND_ORDER_LAYER,
            2,
            4,
        )
    ),
)
def residual_connections(data: Data) -> None:
    """A first layer with the product alone, the others with a residual connection; the last one raises the degree."""
    layers = layers_of(data["layers"])
    require(is_bilinear(layers[0]) and all(map(is_residual, layers[1:])), "residual connections from the second layer on")
    grows_with_the_last_layer(layers)


def unfoldings(A: Sequence[Sequence[Sequence[Fraction]]]) -> Iterator[list[list[Fraction]]]:
    """The three ways to write a tensor as a matrix; each has at most the CP rank."""
    n, m, p = len(A), len(A[0]), len(A[0][0])
    yield [[A[i][j][k] for j in range(m) for k in range(p)] for i in range(n)]
    yield [[A[i][j][k] for i in range(n) for k in range(p)] for j in range(m)]
    yield [[A[i][j][k] for i in range(n) for j in range(m)] for k in range(p)]


@statement(
    "lizaire26.cor1.amended",
    "witness",
    Fields(
        layers=Items(
            Fields(A=Items(Matrix((1, 2), 2, 4), 2, 2), V=Matrix(2, 2, 4), U=Matrix(2, (1, 2), 4), b=Vector(2, 4), initial=Vector(2, 4)),
            2,
            3,
        ),
        rank=Natural(2, 3),
    ),
)
def depth_at_a_rank(data: Data) -> None:
    """Tensors whose unfoldings have rank at most R, all layers with the product alone or residual from the second on; the last layer raises the degree."""
    layers, R = layers_of(data["layers"]), natural(data["rank"])
    require(R >= 1 and all(rank(u) <= R for layer in layers for u in unfoldings(layer[0])), "rank at most R")
    require(is_bilinear(layers[0]), "the first layer multiplies")
    require(all(map(is_bilinear, layers[1:])) or all(map(is_residual, layers[1:])), "products, or residual connections")
    grows_with_the_last_layer(layers)


@statement(
    "lizaire26.appA6",
    "witness",
    Fields(
        layers=Items(
            SECOND_ORDER_LAYER,
            1,
            2,
        ),
        T=Natural(2, 3),
    ),
)
def degree_bound(data: Data) -> None:
    """h_T of a second-order RNN is not constant, of degree at most C(T+L-1, L) <= T^L."""
    layers, T = layers_of(data["layers"]), natural(data["T"])
    L = len(layers)
    degrees = set().union(*total_degrees(run(layers, inputs_of(layers, T))[-1][-1]))
    require(0 < max(degrees) <= comb(T + L - 1, L) <= T**L, "the bounds")


@refuted(
    "lizaire26.appA6.display",
    {"state": "h_1 = A h_0 x_1"},
    {"printed": "the printed contraction is another number"},
    A="1",
    h_0="2",
    x_1="3",
)
def contracted_twice(A: Fraction, h_0: Fraction, x_1: Fraction) -> Decided:
    ((state,),) = run([([[[A]]], [[Fraction(0)]], [[Fraction(0)]], [Fraction(0)], [h_0])], [[x_1]])[-1]
    return {"state": state == A * h_0 * x_1, "printed": (h_0 * A) * h_0 * x_1 != state}


@statement(
    "lizaire26.sec3.2.degree",
    "witness",
    Fields(
        networks=Items(
            Items(Fields(A=Items(Matrix(1, 1, 4), 1, 1), V=Matrix(1, 1, 4), U=Matrix(1, 1, 4), b=Vector(1, 4), initial=Vector(1, 4)), 1, 6),
            6,
            6,
        ),
        T=Natural(2, 2),
    ),
    hypotheses={"depths": "six depths were computed, or as many as stay small"},
    violates={"degree": "the degree is L + 1"},
)
def one_degree_a_layer(data: Data) -> Decided:
    """BIRNNs of 1, 2, 3, ... layers: at T = 2 the degree is L + 1, one more for each layer."""
    networks = [layers_of(x) for x in data["networks"]]
    require(natural(data["T"]) == 2, "T = 2")
    for L, layers in enumerate(networks, start=1):
        require(len(layers) == L and all(map(is_bilinear, layers)), "L layers with the product alone")
    degrees = [total_degrees(second_states(layers)) for layers in networks]
    return {"depths": len(networks) >= 6, "degree": all(d == {L + 1} for L, found in enumerate(degrees, start=1) for d in found)}


# -- Lemma 1 ----------------------------------------------------------------------------------------------------------------


def unrolled(
    layers: Sequence[Any], before: Sequence[Sequence[Fraction]], x: Sequence[Fraction], descending: bool = True
) -> Sequence[Fraction]:
    """h_t of the last layer from x_t and the states one step before: products of the U_bar, in descending or ascending order."""
    bars = [
        [[sum((A[i][j][k] * h[i] for i in range(len(h))), U[k][j]) for j in range(len(A[0]))] for k in range(len(h))]
        for (A, _, U, _, _), h in zip(layers, before, strict=True)
    ]

    def carried(factors: Sequence[Sequence[Sequence[Any]]], v: Sequence[Fraction]) -> Sequence[Fraction]:
        out = None
        for m in factors:
            out = m if out is None else times(m, out) if descending else times(out, m)
        return v if out is None else apply(out, v)

    total = carried(bars, x)
    for j, ((_, V, _, b, _), h) in enumerate(zip(layers, before, strict=True)):
        added = carried(bars[j + 1 :], [p + q for p, q in zip(apply(V, h), b, strict=True)])
        total = [p + q for p, q in zip(total, added, strict=True)]
    return total


def both_sides(data: Data, descending: bool = True) -> tuple[Any, ...]:
    """(layers, last state, unrolled formula) after the inputs."""
    layers, inputs = layers_of(data["layers"]), [vector(x) for x in data["inputs"]]
    states = [[layer[4] for layer in layers], *run(layers, inputs)]
    return layers, states[-1][-1], unrolled(layers, states[-2], inputs[-1], descending)


def has_tensor(layer: tuple[Any, ...]) -> bool:
    return any(any(row) for block in layer[0] for row in block)


@statement(
    "lizaire26.lemma1",
    "witness",
    Fields(
        layers=Items(
            SECOND_ORDER_LAYER,
            2,
            3,
        ),
        inputs=Matrix(2, (1, 2), 4),
    ),
)
def unrolls_over_the_layers(data: Data) -> None:
    """Two layers at least, with tensors that are not 0: the state is the sum of descending products."""
    layers, state, formula = both_sides(data)
    require(len(layers) >= 2 and all(map(has_tensor, layers)) and any(state), "layers with products, and a state that is not 0")
    require(state == formula, "the formula")


@statement(
    "lizaire26.lemma1.display",
    "witness",
    Fields(
        layers=Items(
            Fields(A=Items(Matrix(2, 2, 4), 2, 2), V=Matrix(2, 2, 4), U=Matrix(2, 2, 4), b=Vector(2, 4), initial=Vector(2, 4)), 2, 2
        ),
        inputs=Matrix(1, 2, 4),
    ),
    hypotheses={"zero": "V = 0, b = 0, A = 0"},
    violates={"state": "the printed product gives another state"},
)
def ascending_products_fail(data: Data) -> Decided:
    """The ascending products give another state."""
    layers, state, printed = both_sides(data, descending=False)
    nothing = not any(any(b) or any(map(any, V)) or has_tensor((A,)) for A, V, _, b, _ in layers)
    return {"zero": nothing, "state": state != printed}


# -- Theorem 4 --------------------------------------------------------------------------------------------------------------


@statement(
    "lizaire26.thm4",
    "witness",
    Fields(
        layers=Items(
            Fields(
                A=Items(Matrix((1, 3), (2, 3), 4), 2, 3),
                V=Matrix((2, 3), (2, 3), 4),
                U=Matrix((2, 3), (1, 3), 4),
                b=Vector((2, 3), 4),
                initial=Vector((2, 3), 4),
            ),
            1,
            3,
        ),
        rank=Natural(2, 3),
    ),
)
def fills_as_many_dimensions(data: Data) -> None:
    """One input channel, tensors whose unfoldings have rank at most R + 1 <= n: on 1, 1, ... the states span R + 1 dimensions, which rank R does not reach."""
    layers, R = layers_of(data["layers"]), natural(data["rank"])
    n = len(layers[-1][4])
    require(2 <= R <= n and all(map(is_bilinear, layers)) and len(layers[0][2][0]) == 1, "products, one channel, R + 1 <= n")
    require(all(rank(u) <= R for layer in layers for u in unfoldings(layer[0])), "rank at most R + 1")
    states = [h[-1] for h in run(layers, [[Fraction(1)]] * R)]
    require(rank(states) == R, "the states span R + 1 dimensions")  # pyright: ignore[reportArgumentType]


@statement(
    "lizaire26.thm4.proof",
    "witness",
    Fields(layers=Items(Fields(A=Matrix((2, 3), 2, 4), B=Matrix((1, 3), 2, 4), C=Matrix((2, 3), 2, 4), initial=Vector((2, 3), 4)), 1, 2)),
    hypotheses={"rank": "all factors have full rank and A^T h_0 has no zero"},
    violates={"dimension": "the image has a smaller dimension"},
)
def one_step_spans_less(data: Data) -> Decided:
    """Factors of full rank, A^T h_0 without a zero: x_1 -> h_1 has a smaller rank than the factors have columns."""
    out, R, full = None, 0, True
    for layer in data["layers"]:
        A, B, C = matrix(layer["A"]), matrix(layer["B"]), matrix(layer["C"])
        R = len(A[0])
        require(len(B[0]) == len(C[0]) == R >= 2, "factors of one rank, at least 2")
        weights = apply(transpose(A), vector(layer["initial"]))
        full = full and all(weights) and all(rank(m) == min(len(m), R) for m in (A, B, C))
        step = times(times(C, [[w if i == j else Fraction(0) for j in range(R)] for i, w in enumerate(weights)]), transpose(B))
        out = step if out is None else times(step, out)
    return {"rank": full, "dimension": out is not None and rank(out) < R}
