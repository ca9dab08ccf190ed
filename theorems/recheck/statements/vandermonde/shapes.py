"""What the claims of topic vandermonde demand of their certificates: shapes, indices and names that are printed wrongly."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...exact import natural, number
from ...registry import instances, statement
from ...schema import Fields, Natural, Rational
from ...typed import Data, Decided


def printed(claim: str, **data: int | str) -> None:
    """The certificate of this claim holds the counterexample that the ledger prints."""

    @instances(claim, "witness")
    def one() -> Iterable[Data]:
        yield data


def sizes(*names: str) -> Fields:
    """Natural numbers, 1 or 2."""
    of: dict[str, Any] = {name: Natural(1, 2) for name in names}
    return Fields(**of)


def read(data: Data, *names: str) -> list[int]:
    return [natural(data[name]) for name in names]


@statement(
    "orvieto24.sec2.shapes",
    "witness",
    sizes("B", "u", "Q"),
    hypotheses={"invertible": "Q is invertible"},
    violates={"differ": "R(u) is not Q R(u)"},
)
def one_step(data: Data) -> Decided:
    """R = Q o R for R(u) = B u after one step; refuted."""
    b, u, q = read(data, "B", "u", "Q")
    return {"invertible": q != 0, "differ": b * u != q * b * u}


@statement(
    "orvieto24.sec3.1.2.rows",
    "witness",
    sizes("L", "P", "k", "N"),
    hypotheses={"sizes": "k is at most L and at most P"},
    violates={"rows": "the first k columns are no k x P matrix", "omega": "2N x N is not k x 2N"},
)
def first_columns(data: Data) -> Decided:
    """The first k columns of an L x P matrix are L x k."""
    length, p, k, n = read(data, "L", "P", "k", "N")
    return {"sizes": k <= length and k <= p, "rows": (length, k) != (k, p), "omega": (2 * n, n) != (k, 2 * n)}


@statement(
    "orvieto24.sec3.2.clock",
    "witness",
    Fields(node=Rational(4), token=Natural(0, 0)),
    hypotheses={"clock": "coordinate 0 is k"},
    violates={"memory": "coordinate 1 is not k"},
)
def state_after_one_token(data: Data) -> Decided:
    """From 0 the state (clock, memory) after one token v is (1 * 0 + 1, node * 0 + v), and k = 1."""
    node, token = number(data["node"]), natural(data["token"])
    clock, memory = 0 + 1, node * 0 + token
    return {"clock": clock == 1, "memory": memory != 1}


@statement(
    "orvieto24.appC.one",
    "witness",
    sizes("M", "k", "N"),
    hypotheses={"sizes": "N' >= k >= 1"},
    violates={"differ": "columns and entries differ"},
)
def columns_against_entries(data: Data) -> Decided:
    """M blocks of k columns, and the vector (1, vec(v))."""
    m, k, n = read(data, "M", "k", "N")
    return {"sizes": n >= k >= 1, "differ": m * k != len([1, *([0] * (k * m))])}


@statement(
    "orvieto24.appE2.names",
    "witness",
    sizes("N", "P", "k"),
    hypotheses={"sizes": "k >= 1"},
    violates={"differ": "V_k Psi_k and Omega_k have different shapes"},
)
def shapes_of_gamma_and_omega(data: Data) -> Decided:
    """V_k Psi_k is N x P, Omega_k is k x N."""
    n, p, k = read(data, "N", "P", "k")
    return {"sizes": k >= 1, "differ": (n, p) != (k, n)}


printed("orvieto24.sec2.shapes", B=1, u=1, Q=2)
printed("orvieto24.sec3.1.2.rows", L=2, P=1, k=1, N=1)
printed("orvieto24.sec3.2.clock", node="1/2", token=0)
printed("orvieto24.appC.one", M=1, k=1, N=1)
printed("orvieto24.appE2.names", N=2, P=1, k=1)
