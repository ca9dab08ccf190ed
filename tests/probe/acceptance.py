"""The acceptance table: layers of width 16, and words that must be said of each within 20 seconds. ``python tests/probe/acceptance.py`` prints it with seconds."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

#: seconds that a row may take on two cores, without imports
MOST = 20

WIDTH = 16


@dataclass(frozen=True)
class Row:
    """A layer and what must be said of it.

    Attributes:
        name: What it is called.
        layer: ``own:CLASS`` of layers.py, ``torch:CLASS`` or ``fla:CLASS``.
        options: Its arguments, beside the width.
        words: What must be in the report, or in the refusal.
        row: The row of the table; "refused" if it must be.
        fails: What ``assert_reaches(layer, -1)`` must say; empty if it must pass; None if it isn't asked.
    """

    name: str
    layer: str
    options: dict[str, Any] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    row: str | None = None
    fails: str | None = None


HEADS, WIDE = {"num_heads": 2}, {"head_dim": 8}

TABLE = (
    Row("DeltaNet", "fla:DeltaNet", HEADS, ("beta in (0, 1)", "a window of 4 tokens"), "delta-nonnegative-convolution", "got no"),
    Row(
        "DeltaNet, allow_neg_eigval",
        "fla:DeltaNet",
        HEADS | {"allow_neg_eigval": True},
        ("beta in (0, 2)", "a window of 4 tokens"),
        "delta-signed-convolution",
        "",
    ),
    Row("DeltaNet, use_beta=False", "fla:DeltaNet", HEADS | {"use_beta": False}, ("beta = 1",), "delta-nonnegative-convolution", "got no"),
    Row(
        "GatedDeltaProduct, r = 2",
        "fla:GatedDeltaProduct",
        WIDE | {"num_heads": 1, "expand_v": 1, "num_householder": 2},
        ("a (I - rank r)", "factors = 2", "beta of a factor in (0, 2)", " a in (0, 1)", "a of a factor in (0, 1]"),
        "gated-householder-2-convolution",
    ),
    Row(
        "RWKV-7",
        "fla:RWKV7Attention",
        WIDE | {"num_hidden_layers": 2},
        ("w in (0.545239, 1)", "real, in (-0.454761, 1)", "warning: norm can exceed 1"),
        "rwkv-7-shift",
        "got no",
    ),
    Row("FoX", "fla:ForgettingAttention", HEADS, ("a state of fixed size, got one that grows: attn_state",), "refused"),
    Row(
        "Mamba-2 of fla",
        "fla:Mamba2",
        {"state_size": 4, "head_dim": 8},
        ("diagonal entries in (0, 1)", "fallback"),
        "open-diagonal-convolution",
    ),
    Row("RWKV-7, top 2", "own:RWKV7", {"top": 2.0}, ("warning: below -1",), "diagonal-minus-rank-one", ""),
    Row("Mamba-2", "own:Mamba2", {}, ("diagonal entries in (0, 1)",), "open-diagonal", "got no"),
    Row("minGRU", "own:MinGRU", {}, ("diagonal entries in (0, 1)",), "open-diagonal", "got no"),
    # its input gate is as large as e^40
    Row("mLSTM, unstabilised", "own:MLSTM", {}, ("diagonal entries in (0, 1)", "real, in (0, 1)"), "open-diagonal", "got no"),
    Row("mLSTM, stabilised", "own:Stabilised", {}, ("linear, driven by a scalar block", "diagonal entries in (0, 1]")),
    Row("angle and state", "own:Angle", {}, ("linear, driven by a scalar block", "diagonal entries in (0, 1)")),
    Row("LSTM", "torch:LSTMCell", {}, ("nonlinear in the state",), "nonlinear"),
    Row("GRU", "torch:GRUCell", {}, ("nonlinear in the state",), "nonlinear"),
    Row(
        "DeltaNet, beta clamped at 1 against its comment",
        "own:Delta",
        {"top": 2, "clamp": 1.0},
        ("beta in (0, 1]", "node clamp"),
        "delta-nonnegative",
        "node clamp",
    ),
    Row("sin(h / 1000)", "own:Wave", {}, ("nonlinear in the state",), "nonlinear"),
)


def said(row: Row) -> dict[str, Any]:
    """What a probe says of a row: text, row of the table, what the assertion says, and seconds."""
    import lemmata as lm
    import torch
    from lemmata.probe.asserting import assert_reaches

    torch.manual_seed(0)
    library, _, kind = row.layer.partition(":")
    if library == "fla":
        import fla.layers

        layer = getattr(fla.layers, kind)(hidden_size=WIDTH, layer_idx=0, **row.options).eval()
        probe = lambda: lm.probe_layer(layer, WIDTH)  # noqa: E731
    elif library == "torch":
        layer = getattr(torch.nn, kind)(5, WIDTH)
        probe = lambda: lm.probe_step(layer, (2, WIDTH) if kind == "LSTMCell" else WIDTH, 5)  # noqa: E731
    else:
        import layers

        layer = getattr(layers, kind)(width=WIDTH, **row.options)
        probe = lambda: lm.probe_step(layer, layer.shape, 5)  # noqa: E731
    start = time.perf_counter()
    try:
        found = probe()
    except ValueError as why:
        return {"text": str(why), "row": "refused", "fails": None, "seconds": time.perf_counter() - start}
    fails = None
    if row.fails is not None:
        try:
            assert_reaches(found, -1)
            fails = ""
        except AssertionError as why:
            fails = str(why)
    return {"text": " ".join(str(found).split()), "row": found.row, "fails": fails, "seconds": time.perf_counter() - start}


def wrong(row: Row, data: dict[str, Any]) -> list[str]:
    """What is missing from what was said of a row."""
    missing = [f"not said: {w}" for w in row.words if w not in data["text"]]
    if data["row"] != row.row:
        missing.append(f"row {data['row']} in place of {row.row}")
    if row.fails is not None and (row.fails not in data["fails"] if row.fails else data["fails"]):
        missing.append(f"assertion: {data['fails']}")
    if data["seconds"] > MOST:
        missing.append(f"{data['seconds']:.0f} seconds")
    return missing


def main() -> int:
    """Print the table; 1 if a row is wrong."""
    os.environ.setdefault("TRITON_INTERPRET", "1")
    sys.path.insert(0, str(Path(__file__).parent))
    failed = 0
    for row in TABLE:
        if row.layer.startswith("fla:") and find_spec("fla") is None:
            print(f"{'':8} {row.name}: needs the extra 'fla'")
            continue
        data = said(row)
        missing = wrong(row, data)
        failed += bool(missing)
        print(f"{data['seconds']:6.1f} s {row.name}: {'; '.join(missing) or 'as it must'}", flush=True)
    return min(1, failed)


if __name__ == "__main__":
    sys.exit(main())
