"""Demands of the misprints of lizaire26 on linear networks (App. A.3, A.4, B.1)."""

from __future__ import annotations

from ...exact import matrix, natural, require, square
from ...registry import refuted, statement
from ...schema import Fields, Items, Matrix, Natural
from ...typed import Data, Decided
from .demands import layers_of, run, word


@statement(
    "lizaire26.thm6.blocks",
    "witness",
    Fields(
        layers=Items(Fields(U=Matrix(2, (1, 2), 4), V=Matrix(2, 2, 4)), 2, 2),
        U=Matrix(4, 1, 4),
        V=Matrix(4, 4, 4),
        inputs=Matrix(3, 1, 4),
    ),
    hypotheses={"layers": "h is computed by L layers"},
    violates={"joint": "the joint states, which are not 0, are those of one layer of n L units"},
)
def thm6_blocks(data: Data) -> Decided:
    """Two layers, and one layer with their joint states on a word."""
    layers, U, V = layers_of(data), matrix(data["U"]), square(matrix(data["V"]))
    inputs = word(data["inputs"], 1)
    require(len(U) == len(V) == sum(len(own) for _, own in layers), "one layer of n L units")
    joint = [[h for state in after for h in state] for after in run(layers, inputs)]
    return {"layers": len(layers) == 2, "joint": joint == [state for (state,) in run([(U, V)], inputs)] and any(map(any, joint))}


@statement(
    "lizaire26.lemma3.start",
    "witness",
    Fields(p=Natural(1, 1), t=Natural(1, 1)),
    hypotheses={"time": "p and t are at least 1"},
    violates={"empty": "no input came before t, so the sum is 0, which is below p"},
)
def lemma3_start(data: Data) -> Decided:
    """The sum over i from 1 to t - 1."""
    p, t = natural(data["p"]), natural(data["t"])
    return {"time": p >= 1 and t >= 1, "empty": t - 1 == 0 < p}


@statement(
    "lizaire26.appB1.test-sets",
    "witness",
    Fields(section=Natural(2000, 2000), appendix=Natural(200, 200)),
    violates={"differ": "the two places give different sizes"},
)
def appB1_test_sets(data: Data) -> Decided:
    """The sizes of Sec. 4.1 and of App. B.1."""
    return {"differ": natural(data["section"]) != natural(data["appendix"])}


@refuted("lizaire26.sec4.2.inclusion", {}, {"differ": "it is none of the theorems with a strict inclusion"}, theorem=2)
def no_inclusion(theorem: int) -> Decided:
    """Theorems 1, 3 and 4 of the main text state strict inclusions."""
    return {"differ": theorem not in (1, 3, 4)}
