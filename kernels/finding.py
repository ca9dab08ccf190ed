"""Which tests find which faults: exact vectors, and five suites of random inputs with a tolerance. ``python -m lemmata.kernels.finding`` writes the table.

The first four suites are as kernels are usually tested: normal queries and values, keys of norm 1, beta = sigmoid and log gates = logsigmoid of uniform
numbers, rtol = atol = 1e-2. The fifth has better random inputs. A suite finds a fault if one output or final state is not close.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ..theorems.files import write_whole
from .chunked import Chunked, stored
from .exact_vectors import check
from .faults import FAULTS, FLA, Fault, Thread
from .vectors import VECTORS, Vector, vector
from .writing import save

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "faults.json"
PAGE = ROOT / "docs" / "reference" / "faults.md"
COMMAND = "python -m lemmata.kernels.finding"

#: vectors are cut to so many steps
STEPS = 130

#: of them these lengths are run, and the last one
LENGTHS = (1, 17, 33, 64, 65, 127)

FORMAT = "bfloat16"
SEEDS = (1, 2, 3, 4, 5)
TOLERANCE = 1e-2


# -- exact vectors -----------------------------------------------------------------------------------------------------------


def shortened(made: Vector) -> Vector:
    """The first ``STEPS`` steps of a vector that is not packed, with the final states of ``LENGTHS`` and the last step."""
    x, m = dict(made.arrays), made.micro
    if len(x["cu_seqlens"]):
        return made
    T = min(x["q"].shape[1], STEPS)
    rows = [row for row, n in enumerate(x["lengths"].tolist()) if n in LENGTHS or n == T]
    cut = {name: x[name][:, : T * (m if name in ("k", "v", "beta") else 1)] for name in ("q", "k", "v", "beta", "gate", "g", "o")}
    return replace(made, arrays=x | cut | {"lengths": x["lengths"][rows], "states": x["states"][rows]})


def write_short(folder: Path, rule: str) -> None:
    """The shortened vectors of a rule."""
    for key in VECTORS:
        if key[0] == rule:
            save(shortened(vector(*key)), folder)


def named(found: Fault | None, folder: Path, rule: str) -> list[str]:
    """The features that exact vectors name for a kernel with a fault, or for the right one."""
    kernel = (found.kernel if found else Chunked)(rule, FORMAT)
    faults = check(kernel, folder, rule, FORMAT, stress=bool(found and found.stress), splits=False)
    return sorted({line.partition(":")[0] for line in faults})


# -- suites of random inputs -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Suite:
    """Random inputs. ``cuts``: borders of packed sequences, with initial states and two value heads to a key head; ``slow`` divides log gates."""

    name: str
    T: int
    cuts: tuple[int, ...] = ()
    slow: float = 1.0
    better: bool = False


SUITES = (
    Suite("plain", 256),
    Suite("partial chunk", 300),
    Suite("packed", 500, (0, 15, 100, 300, 500)),
    Suite("slow gates", 500, (0, 15, 100, 300, 500), 16.0),
    Suite("better", 300, (), 16.0, better=True),
)


def drawn(suite: Suite, seed: int, found: Fault | None) -> dict[str, Any]:
    """The inputs of a suite, rounded to the format; for a fault of products with three updates a step, for one of the norm with keys of any length."""
    rng = np.random.default_rng([seed, *suite.name.encode()])
    micro, norm = (3 if found and found.rule == "products" else 1), bool(found and "norm in the kernel" in found.names)
    B, H, HV = (1, 2, 4) if suite.cuts else (2, 2, 4 if suite.better else 2)
    T, K, V = suite.T, 128 if suite.better else 64, 64
    k = rng.standard_normal((B, T * micro, H, K))
    g = np.log(1 / (1 + np.exp(-rng.random((B, T, HV))))) / suite.slow
    beta = 1 / (1 + np.exp(-rng.random((B, T * micro, HV))))
    if suite.better:
        # betas up to 2, gates that are 1 or nearly 0 at some steps, a scale of the caller's
        beta = 2 * rng.random(beta.shape)
        g = np.where(rng.random(g.shape) < 0.3, 0.0, np.where(rng.random(g.shape) < 0.02, -100.0, g))
    x = {
        "q": rng.standard_normal((B, T, H, K)),
        "k": k if norm else k / np.linalg.norm(k, axis=-1, keepdims=True),
        "v": rng.standard_normal((B, T * micro, HV, V)),
        "beta": beta,
    }
    x = {name: stored(a, FORMAT) for name, a in x.items()}
    starts = rng.standard_normal((len(suite.cuts) - 1 if suite.cuts else B, HV, K, V))
    h0 = (starts if suite.cuts or suite.better else 0 * starts).astype(np.float32)
    cuts = np.array(suite.cuts) if suite.cuts else None
    scale = 0.2 if suite.better else K**-0.5
    return x | {"g": g.astype(np.float32), "h0": h0, "scale": scale, "cu_seqlens": cuts, "micro": micro, "normalise": norm}


def in_float64(q, k, v, beta, g, h0, scale, cu_seqlens, micro, normalise) -> tuple[np.ndarray, np.ndarray]:
    """The recurrence step by step in double precision, all heads at once: what a usual test compares with."""
    q, k, v, beta, g, S0 = (np.asarray(a, dtype=np.float64) for a in (q, k, v, beta, g, h0))
    if normalise:
        q, k = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in (q, k))
    groups = v.shape[2] // q.shape[2]
    q, k = np.repeat(q, groups, axis=2), np.repeat(k, groups, axis=2)
    o, states = np.zeros((*q.shape[:3], v.shape[3])), S0.copy()
    spans = [(b, 0, q.shape[1]) for b in range(len(q))] if cu_seqlens is None else [(0, a, e) for a, e in pairwise(cu_seqlens)]
    for n, (b, first, last) in enumerate(spans):
        S = S0[n]
        for t in range(first, last):
            S = S * np.exp(g[b, t])[:, None, None]
            for i in range(t * micro, t * micro + micro):
                error = beta[b, i, :, None] * (v[b, i] - np.einsum("hk,hkv->hv", k[b, i], S))
                S = S + k[b, i][:, :, None] * error[:, None]
            o[b, t] = scale * np.einsum("hk,hkv->hv", q[b, t], S)
        states[n] = S
    return o, states


def misses(kernel: Chunked, inputs: dict[str, Any], expected: tuple[np.ndarray, np.ndarray]) -> bool:
    """Whether an output or a final state is not within rtol = atol = 1e-2."""
    got = kernel(**inputs)
    with np.errstate(all="ignore"):
        return not all(np.allclose(a, b, rtol=TOLERANCE, atol=TOLERANCE) for a, b in zip(got, expected, strict=True))


def kinds(faults: list[Fault | None]) -> list[list[Fault | None]]:
    """Faults that run on the same inputs, together."""
    apart = {"products": [], "norm": [], "": []}
    for found in faults:
        apart["products" if found and found.rule == "products" else "norm" if found and "norm in the kernel" in found.names else ""].append(
            found
        )
    return [group for group in apart.values() if group]


def by_suites(
    faults: list[Fault | None], seeds: tuple[int, ...] = SEEDS, suites: tuple[Suite, ...] = SUITES
) -> Iterator[tuple[Fault | None, str, int]]:
    """(fault, suite, seed) of every find; None stands for the right kernel.

    The suite with better inputs runs in float32, so that a rounding is no find; the others in the format.
    """
    for group in kinds(faults):
        for suite in suites:
            for seed in seeds:
                inputs = drawn(suite, seed, group[-1])
                expected = in_float64(**inputs)
                for found in group:
                    rule = "products" if found and found.rule == "products" else "gated-delta"
                    if misses((found.kernel if found else Chunked)(rule, "float32" if suite.better else FORMAT), inputs, expected):
                        yield found, suite.name, seed


# -- the table ---------------------------------------------------------------------------------------------------------------

#: what follows this does not change what is found
TABLE = "# -- the table -"


def fingerprint() -> str:
    """The text of the kernel, the faults and the suites, without the table's: what was found holds for it."""
    room = Path(__file__).parent
    texts = [path.read_text(encoding="utf-8") for path in (room / "chunked.py", *sorted((room / "faults").glob("*.py")))]
    return hashlib.sha256("".join([*texts, Path(__file__).read_text(encoding="utf-8").partition(TABLE)[0]]).encode()).hexdigest()


def results() -> dict[str, Any]:
    """Everything run: for each fault, and for the right kernel under "none", the features named and how many seeds of each suite find it."""
    rows: dict[str, Any] = {}
    with TemporaryDirectory() as folder:
        for rule in ("gated-delta", "delta", "products"):
            write_short(Path(folder), rule)
        none = [feature for rule in ("gated-delta", "delta", "products") for feature in named(None, Path(folder), rule)]
        rows["none"] = {"named": none, "suites": {suite.name: 0 for suite in SUITES}}
        for found in FAULTS.values():
            rows[found.name] = {"named": named(found, Path(folder), found.rule), "suites": {suite.name: 0 for suite in SUITES}}
    for found, suite, _ in by_suites([None, *FAULTS.values()]):
        rows[found.name if found else "none"]["suites"][suite] += 1
    return {"fingerprint": fingerprint(), "rows": rows}


def page(said: dict[str, Any]) -> str:
    """The table of faults, from what was found."""
    rows = said["rows"]
    theirs = [found for found in FAULTS.values() if found.theirs]
    ours = [found for found in FAULTS.values() if not found.theirs]
    logic = [found for found in FAULTS.values() if found.logic]
    usual = [suite.name for suite in SUITES if not suite.better]

    def count(chosen: list[Fault], *suites: str) -> int:
        return sum(any(rows[found.name]["suites"][suite] for suite in suites) for found in chosen)

    def exact(chosen: list[Fault]) -> int:
        return sum(bool(rows[found.name]["named"]) for found in chosen)

    parts = [
        f"<!-- Generated by `{COMMAND}`; do not edit. -->",
        "# Faults and the tests that find them",
        "For people who choose tests for a recurrent kernel. Each fault is one wrong step of our chunked kernel of the delta rule with gates. "
        "Exact vectors and five suites of random inputs look for it.",
        "```console\n$ " + COMMAND + "\n```",
        "## How many are found",
        _table(
            ["tests", f"faults of logic ({len(logic)})", f"other faults ({len(FAULTS) - len(logic)})"],
            [
                ["exact vectors", str(exact(logic)), str(exact(_others(logic)))],
                *([f"suite: {suite.name}", str(count(logic, suite.name)), str(count(_others(logic), suite.name))] for suite in SUITES),
                ["the four usual suites together", str(count(logic, *usual)), str(count(_others(logic), *usual))],
                [
                    "all five suites together",
                    *(str(count(chosen, *(suite.name for suite in SUITES))) for chosen in (logic, _others(logic))),
                ],
            ],
        ),
        "A suite counts as finding a fault if one of its five seeds does. For the right kernel exact vectors and suites report "
        f"{'nothing' if not rows['none']['named'] and not any(rows['none']['suites'].values()) else 'something'}.",
        "The usual suites draw normal queries and values, keys of norm 1, betas below 1 and gates of a sigmoid. They allow rtol = atol = 1e-2 in bfloat16. "
        "The better suite adds betas above 1, gates of 1 and gates near 0, and a scale of the caller's. "
        "It also has grouped heads in a batch, wide keys and initial states, and runs in float32.",
        f"So better random inputs find {count([f for f in logic if not count([f], *usual)], 'better')} faults of logic that the four usual suites miss.",
        "Exact vectors are not meant for lost precision. They stand beside tests with a tolerance.",
        f"## Faults of libraries ({len(theirs)})",
        _faults(theirs, rows),
        "## What the threads tell",
        _table(
            ["fault", "thread", "what it tells"],
            [[found.name, f"[{t.repository} {t.number}]({t.url})", t.says] for found in theirs for t in found.theirs],
        ),
        "Where a thread leaves something open, our choice is:",
        "\n".join(f"- {found.name}: {found.ours}" for found in theirs if found.ours),
        f"## Faults of the same kinds, ours ({len(ours)})",
        _faults(ours, rows),
        "## Not tried",
        f"[{_TAIL.repository} {_TAIL.number}]({_TAIL.url}): {_TAIL.says} No vector is that long.",
    ]
    return "\n\n".join(parts) + "\n"


#: a fault that no vector reaches
_TAIL = Thread(FLA, 906, "A kernel of RWKV-7 skips what lies beyond 65,536 steps.")


def _others(logic: list[Fault]) -> list[Fault]:
    return [found for found in FAULTS.values() if found not in logic]


def _faults(chosen: list[Fault], rows: dict[str, Any]) -> str:
    suites = [suite.name for suite in SUITES]

    def line(found: Fault) -> list[str]:
        row = rows[found.name]
        first = [feature for feature in found.names if feature in row["named"]]
        more = len(row["named"]) - len(first)
        exact = ", ".join(first) + (f" and {more} more" if more else "") if row["named"] else "not found"
        kind = "" if found.logic else " (rounding)"
        return [found.name + kind, found.what, exact, *(str(row["suites"][suite] or "") for suite in suites)]

    return _table(
        ["fault", "what is wrong", "exact vectors name", *(f"{suite}, of {len(SEEDS)} seeds" for suite in suites)], map(line, chosen)
    )


def _table(head: list[str], rows: Any) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


if __name__ == "__main__":
    RESULTS.write_text(json.dumps(results(), indent=1) + "\n", encoding="utf-8")
    write_whole(PAGE, page(json.loads(RESULTS.read_text(encoding="utf-8"))))
    print(PAGE)
