"""Contracts of fused kernels beside the kernels themselves, in Triton's interpreter, and what a probe says of layers. Run by run_flash.py."""

import inspect
from importlib import import_module
from math import log
from unittest.mock import patch

import fla.layers as fla
import lemmata as lm
import torch
from fla.layers.simple_gla import SimpleGatedLinearAttention
from lemmata.probe.flash import Contracted, _rotated
from lemmata.probe.held import gap_to_kernel

HIDDEN = 16
HEADS = {"hidden_size": HIDDEN, "num_heads": 2, "layer_idx": 0}
WIDE = {"hidden_size": HIDDEN, "head_dim": 8, "layer_idx": 0}

#: by the name in a report: the class and its options
LAYERS = {
    "DeltaNet": (fla.DeltaNet, HEADS),
    "DeltaNet, signed": (fla.DeltaNet, HEADS | {"allow_neg_eigval": True}),
    "DeltaNet, no beta": (fla.DeltaNet, HEADS | {"use_beta": False}),
    "GatedDeltaNet": (fla.GatedDeltaNet, WIDE | {"num_heads": 2, "expand_v": 1}),
    "GatedDeltaProduct": (fla.GatedDeltaProduct, WIDE | {"num_heads": 1, "expand_v": 1, "num_householder": 2}),
    "KDA": (fla.KimiDeltaAttention, WIDE | {"num_heads": 2}),
    "KDA, signed": (fla.KimiDeltaAttention, WIDE | {"num_heads": 2, "allow_neg_eigval": True}),
    "RWKV-7": (fla.RWKV7Attention, WIDE | {"num_hidden_layers": 2}),
    "RWKV-6": (fla.RWKV6Attention, HEADS),
    "GLA": (fla.GatedLinearAttention, HEADS),
    "LinearAttention": (fla.LinearAttention, HEADS),
    "RetNet": (fla.MultiScaleRetention, HEADS),
    "Comba": (fla.Comba, WIDE | {"num_heads": 2, "expand_v": 1}),
    "Comba, grouped": (fla.Comba, WIDE | {"num_heads": 2, "num_v_heads": 4, "expand_v": 1}),
    "GatedDeltaNet, grouped": (fla.GatedDeltaNet, WIDE | {"num_heads": 2, "num_v_heads": 4, "expand_v": 1}),
    "HGRN": (fla.HGRNAttention, {"hidden_size": HIDDEN, "layer_idx": 0}),
    "SimpleGLA": (SimpleGatedLinearAttention, HEADS),
    "GDN2": (fla.GatedDeltaNet2, WIDE | {"num_heads": 2}),
    "GDN2, signed": (fla.GatedDeltaNet2, WIDE | {"num_heads": 2, "allow_neg_eigval": True}),
    "HGRN2": (fla.HGRN2Attention, HEADS | {"expand_ratio": 8}),
}

#: those that are probed too
PROBED = (
    *("DeltaNet", "DeltaNet, signed", "DeltaNet, no beta", "GatedDeltaProduct", "KDA", "KDA, signed", "RWKV-7", "RetNet", "Comba"),
    *("SimpleGLA", "GDN2", "GDN2, signed"),
)


def made(name):
    torch.manual_seed(0)
    kind, options = LAYERS[name]
    return kind(**options).eval()


def apart(name) -> list:
    """The kernel, the largest distance of its last state from the contract's, and that of a contract without its first micro-step."""
    step = Contracted(made(name), HIDDEN)
    return [step.kernel, gap_to_kernel(step), gap_to_kernel(step, first=1)]


def broken() -> str:
    """What is said of a layer whose kernel takes half of beta."""
    module = import_module("fla.layers.delta_net")
    kernel = module.fused_recurrent_delta_rule

    def halved(q, k, v, beta, **options):
        return kernel(q=q, k=k, v=v, beta=beta / 2, **options)

    halved.__signature__ = inspect.signature(kernel)
    with patch.object(module, "fused_recurrent_delta_rule", halved):
        try:
            return str(lm.probe_layer(made("DeltaNet"), HIDDEN))
        except ValueError as why:
            return str(why)


def turned_apart() -> list:
    """How far keys turned in PyTorch are from those that the library's embedding turns, and from keys that are not turned."""
    embedding = made("RetNet").rotary
    q, k = torch.randn(2, 1, 5, 2, 8, generator=torch.Generator().manual_seed(3))
    with torch.no_grad():
        plain, library = _rotated(embedding, q, k), embedding(q, k)
    return [float(max((x - y).abs().max() for x, y in zip(plain, there, strict=True))) for there in (library, (q, k))]


def comba() -> dict:
    """One step from the state 1 with q = k = p = beta = 1, v = 0 and gate 1/2, by each function; and how far the option ``use_inner_decay`` moves a state."""
    from fla.ops.comba import fused_recurrent_comba
    from fla.ops.comba.naive import naive_chunk_comba, naive_recurrent_comba

    one, gate = torch.ones(1, 1, 1, 1), torch.full((1, 1, 1), log(0.5))
    given = {"q": one, "k": one, "p": one, "v": 0 * one, "beta": one[..., 0], "g": gate, "initial_state": one, "output_final_state": True}
    functions = (fused_recurrent_comba, naive_chunk_comba, naive_recurrent_comba)
    steps = {f.__name__: float(f(scale=1.0, **given)[1]) for f in functions}
    moved = []
    for decay in (0.0, 3.0):
        layer = made("Comba")
        layer.decay.data.fill_(decay)
        step = Contracted(layer, HIDDEN)
        x = torch.randn(step.window, HIDDEN, generator=torch.Generator().manual_seed(4))
        moved.append(step(torch.ones(step.shape), x))
    return steps | {"use_inner_decay": float((moved[0] - moved[1]).abs().max())}


def probed(name) -> dict:
    found = lm.probe_layer(made(name), HIDDEN, name=name)
    return found.data | {"text": str(found)}


def found() -> dict:
    return {
        "contracts": {name: apart(name) for name in LAYERS},
        "probed": {name: probed(name) for name in PROBED},
        "broken": broken(),
        "rotary": turned_apart(),
        "comba": comba(),
    }
