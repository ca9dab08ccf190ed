"""Stored networks through flash-linear-attention's own chunk kernel of the delta rule: ``python benchmarks/chunk_kernels.py [--check]``.

The micro-steps of ``chunk_words.py`` go into that library's Triton kernel, run by Triton's interpreter on a CPU, and into its reference in PyTorch. Outputs and last states are
compared with exact fractions and with this project's chunks, by value (0 = -0): on one word of 2,000 letters, and on cuts at the borders of chunks. The kernel's function refuses
float32; there the function beneath it is called. Written to ``results/chunk_kernels.json``, a table of ``docs/reference/benchmarks.md``; with ``--check`` nothing is written, and
the command fails if the numbers differ. Needs the extra ``fla`` and ``make verified``; some minutes of processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from fractions import Fraction
from importlib import metadata
from itertools import product
from pathlib import Path
from typing import Any

os.environ["TRITON_INTERPRET"] = "1"
warnings.filterwarnings("ignore", message="Triton is not supported on current platform")

import torch  # noqa: E402
from chunk_words import VARIANTS, Steps, accepted, drawn, in_chunks, layers_of, stored_variant  # noqa: E402
from compare import write_or_check  # noqa: E402
from lemmata.cli import verified  # noqa: E402
from lemmata.kernels.interpreter import patched  # noqa: E402

RESULTS = Path(__file__).parent / "results" / "chunk_kernels.json"

LETTERS = 2_000
#: letters of a network that the checker refuses, as in chunk_words
FEW = 100
#: micro-steps of a chunk, as the kernel allows
SIZES = (16, 32, 64)
#: micro-steps at and beside the borders of chunks
CUTS = (1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128)
#: networks that are cut there: keys e_i and beta 2; e_i - e_j and beta 1; halves and beta 2
CUT = ("parity", "S₅", "S₅, unit keys and β = 2")
DTYPES = ("bfloat16", "float16", "float32")
#: words at a time where they are cut
PAIR = 2

Found = tuple[torch.Tensor, torch.Tensor]


def by_kernel(x: Steps, size: int, dtype: str, start: torch.Tensor) -> Found:
    """The Triton kernel, in the interpreter: outputs (words, steps) and last states (words, n)."""
    from fla.ops.delta_rule import chunk, chunk_delta_rule

    beneath: Any = chunk.chunk_delta_rule_fwd  # decorators hide the parameters
    kernel: Any = chunk_delta_rule
    q, k, v, beta = _inputs(x, dtype)
    more: dict[str, Any] = {"scale": 1.0, "initial_state": start.float()[:, None, :, None], "output_final_state": True, "chunk_size": size}
    with patched(), torch.no_grad():
        if dtype == "float32":
            o, _, state = beneath(q, k, v, beta, **more)
        else:
            o, state = kernel(q, k, v, beta, **more)
    return o[:, :, 0, 0].double(), state[:, 0, :, 0].double()


def by_reference(x: Steps, size: int, dtype: str, start: torch.Tensor) -> Found:
    """The library's reference in PyTorch, which computes in float32, with log gates 0."""
    from fla.ops.gated_delta_rule.naive import naive_chunk_gated_delta_rule

    q, k, v, beta = _inputs(x, dtype)
    state = start.float()[:, None, :, None]
    reference: Any = naive_chunk_gated_delta_rule
    o, last = reference(q, k, v, torch.zeros_like(beta), beta, size, scale=1.0, initial_state=state, output_final_state=True)
    return o[:, :, 0, 0].double(), last[:, 0, :, 0].double()


RUNS = {"kernel": by_kernel, "reference": by_reference}


def _inputs(x: Steps, dtype: str) -> list[torch.Tensor]:
    """q, k (words, steps, 1, n), v (words, steps, 1, 1), beta (words, steps, 1)."""
    kind = getattr(torch, dtype)
    return [y.to(kind).contiguous() for y in (x.q[:, :, None], x.k[:, :, None], x.v[:, :, None, None], x.beta[:, :, None])]


def refusal() -> str:
    """What the kernel's function says of float32."""
    from fla.ops.delta_rule import chunk_delta_rule

    kernel: Any = chunk_delta_rule
    one = torch.ones(1, 1, 1, 1)
    try:
        kernel(one, one, one, one[..., 0])
    except AssertionError as why:
        return str(why)
    raise ArithmeticError("expected a refusal of float32, got outputs")


def same(found: Found, wanted: Found) -> bool:
    """Whether outputs and last states are equal, by value."""
    return all(map(torch.equal, found, wanted))


def starts(x: Steps) -> torch.Tensor:
    """The first state of each word, (words, n)."""
    return x.start.expand(len(x.q), -1)


def whole_words(name: str, dtype: str, run: str, size: int, program: Path, letters: int) -> dict[str, Any]:
    """A row: whether a run equals exact arithmetic, and this project's chunks, in all layers. ``ArithmeticError`` if not, of an accepted network."""
    stored = stored_variant(name, dtype)
    holds = accepted(program, stored, dtype)
    letters = letters if holds else min(letters, FEW)
    layers = layers_of(stored, drawn(stored, 1, letters))
    exact = ours = True
    for x, outputs, last in layers:
        found = RUNS[run](x, size, dtype, starts(x))
        exact &= same(found, (outputs, last))
        ours &= same(found, in_chunks(x, size, getattr(torch, dtype)))
    if holds and not (exact and ours):
        raise ArithmeticError(f"expected no difference of an accepted network: {name}, {dtype}, {run}")
    steps = sum(x.v.shape[1] for x, *_ in layers)
    row = {"network": name, "dtype": dtype, "run": run, "chunk": size, "accepted": holds, "letters": letters, "micro-steps": steps}
    return row | {"equals exact": exact, "equals ours": ours}


def after(x: Steps) -> torch.Tensor:
    """The last states (words, n) of the micro-steps in exact fractions, as float64."""
    found = []
    for keys, values, strengths in zip(x.k.tolist(), x.v.tolist(), x.beta.tolist(), strict=True):
        state = [Fraction(e) for e in x.start.tolist()]
        for key, said, strength in zip(keys, values, strengths, strict=True):
            told = Fraction(strength) * (Fraction(said) - sum(Fraction(a) * e for a, e in zip(key, state, strict=True)))
            state = [e + Fraction(a) * told for a, e in zip(key, state, strict=True)]
        found.append([float(e) for e in state])
    return torch.tensor(found, dtype=torch.float64)


def filled(x: Steps) -> Steps:
    """The same with keys of entries -1, 0 and 1 and values from -3 to 3 where beta is 0: they must change nothing."""
    draw, idle = torch.Generator().manual_seed(1), x.beta == 0
    k = torch.randint(-1, 2, x.k.shape, generator=draw).double()
    v = torch.randint(-3, 4, x.v.shape, generator=draw).double()
    return Steps(x.q, torch.where(idle[..., None], k, x.k), torch.where(idle, v, x.v), x.beta, x.start, x.reads)


def at_borders(name: str, dtype: str, run: str, size: int, cuts: tuple[int, ...] = CUTS) -> dict[str, Any]:
    """A row: two words cut after so many micro-steps, and continued from the state that was returned, with and without keys and values where beta is 0.

    ``ArithmeticError`` if an output or a state differs from exact arithmetic.
    """
    stored = stored_variant(name, dtype)
    ((plain, outputs, _),) = layers_of(stored, drawn(stored, PAIR, max(cuts) + 1))
    end = max(cuts) + 1
    for x, cut in product((plain, filled(plain)), cuts):
        first = RUNS[run](x.cut(cut), size, dtype, starts(x))
        rest = Steps(x.q[:, cut:end], x.k[:, cut:end], x.v[:, cut:end], x.beta[:, cut:end], x.start, x.reads)
        second = RUNS[run](rest, size, dtype, first[1])
        if not same(first, (outputs[:, :cut], after(x.cut(cut)))) or not same(second, (outputs[:, cut:end], after(x.cut(end)))):
            raise ArithmeticError(f"expected no difference at a border: {name}, {dtype}, {run}, {size}, {cut}")
    return {"network": name, "dtype": dtype, "run": run, "chunk": size, "cuts": list(cuts), "equal": True}


def main() -> None:
    """Run, and write or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    torch.set_num_threads(1)
    program, rows, borders = verified.require_program(), [], []
    for name, dtype, run in product(VARIANTS, DTYPES, RUNS):
        if (dtype, run) != ("float16", "reference"):
            rows.append(whole_words(name, dtype, run, 64, program, LETTERS))
            print(json.dumps(rows[-1], ensure_ascii=False), file=sys.stderr, flush=True)
    for name, dtype, run, size in product(CUT, DTYPES, RUNS, SIZES):
        borders.append(at_borders(name, dtype, run, size))
        print(json.dumps(borders[-1], ensure_ascii=False), file=sys.stderr, flush=True)
    versions = {name: metadata.version(name) for name in ("flash-linear-attention", "torch", "triton")}
    write_or_check(RESULTS, {"versions": versions, "float32": refusal(), "rows": rows, "borders": borders}, check)


if __name__ == "__main__":
    main()
