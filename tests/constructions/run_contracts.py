"""Contracts of fused kernels beside the kernels themselves, in Triton's interpreter, and what a probe says of layers. Run by run_flash.py."""

import inspect
from importlib import import_module
from math import log
from unittest.mock import patch

import fla.layers as fla
import lemmata as lm
import torch
from fla.layers.precond_gated_deltanet import PrecondGatedDeltaNet
from fla.layers.precond_kda import PrecondKDA
from fla.layers.rodimus import RodimusAttention
from fla.layers.simple_gla import SimpleGatedLinearAttention
from fla.layers.yoco import YOCOGatedRetention
from fla.models.utils import Cache
from fla.ops.precond_gated_delta_rule import fused_recurrent_precond_gated_delta_rule
from lemmata.kernels.interpreter import patched
from lemmata.probe.flash import Contracted, _rotated
from lemmata.probe.held import gap_to_kernel

HIDDEN = 16
HEADS = {"hidden_size": HIDDEN, "num_heads": 2, "layer_idx": 0}
WIDE = {"hidden_size": HIDDEN, "head_dim": 8, "layer_idx": 0}

SQUASHED = WIDE | {"num_heads": 2, "expand_v": 1}

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
    "GSA": (fla.GatedSlotAttention, HEADS | {"num_slots": 4}),
    "Raven": (fla.Raven, HEADS | {"num_slots": 4, "topk": 2, "add_gumbel_noise": False}),
    "ABC": (fla.ABCAttention, HEADS | {"num_slots": 4}),
    "MesaNet": (fla.MesaNet, WIDE | {"num_heads": 2}),
    "LightNet": (fla.LightNetAttention, HEADS | {"expand_ratio": 4}),
    "Rodimus": (RodimusAttention, {"hidden_size": HIDDEN, "layer_idx": 0, "expand_ratio": 4}),
    "YOCO": (YOCOGatedRetention, HEADS),
    "PrecondGDN": (PrecondGatedDeltaNet, SQUASHED),
    "PrecondGDN, signed": (PrecondGatedDeltaNet, SQUASHED | {"allow_neg_eigval": True}),
    "PrecondKDA": (PrecondKDA, WIDE | {"num_heads": 2}),
    "PrecondKDA, signed": (PrecondKDA, WIDE | {"num_heads": 2, "allow_neg_eigval": True}),
}

#: those that are probed too
PROBED = (
    *("DeltaNet", "DeltaNet, signed", "DeltaNet, no beta", "GatedDeltaProduct", "KDA", "KDA, signed", "RWKV-7", "RetNet", "Comba"),
    *("SimpleGLA", "GDN2", "GDN2, signed", "GSA", "Raven", "ABC", "MesaNet", "LightNet", "Rodimus", "YOCO"),
    *("PrecondGDN", "PrecondGDN, signed", "PrecondKDA", "PrecondKDA, signed"),
)

#: layers whose outputs for a text are compared with those for the text in two parts
CUT = ("ABC", "GSA", "LightNet", "MesaNet")


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


def cut(name) -> float:
    """How far the outputs for a text of 6 tokens are from those where the layer's cache carries it on after 3, beside the largest."""
    layer, x = made(name), torch.randn(1, 6, HIDDEN, generator=torch.Generator().manual_seed(4))
    cache = Cache()
    with torch.no_grad(), patched():
        whole = layer(x)[0]
        parts = torch.cat([layer(part, past_key_values=cache, use_cache=True)[0] for part in x.split(3, dim=1)], dim=1)
    return float((whole - parts).abs().max() / whole.abs().max())


def left_alone() -> list:
    """How far a second call of a kernel's own step is from the first, and from the state that it was given, which a kernel may overwrite."""
    from lemmata.probe.cached import Cached

    torch.manual_seed(0)
    layer = fla.MomentumDeltaNet(hidden_size=HIDDEN, head_dim=8, num_heads=1, expand_v=0.25, layer_idx=0)
    step = Cached(layer.eval(), HIDDEN)
    x = torch.randn(step.window, HIDDEN, generator=torch.Generator().manual_seed(6))
    given = torch.randn(step.shape, generator=torch.Generator().manual_seed(7))
    state = given.clone()
    first, second = step(state, x), step(state, x)
    return [float((first - second).abs().max()), float((state - given).abs().max()), float((first - given).abs().max())]


def grown(beta) -> float:
    """A state 1 after 40 steps of the kernel of PrecondGatedDeltaNet with its default x, along a key that the preconditioner has not seen."""
    number = lambda x: torch.full((1, 40, 1), float(x))  # noqa: E731
    key = torch.zeros(1, 40, 1, 4)
    key[..., 0] = 1
    given = {"q": key, "k": key, "v": 0 * key, "g": number(-1e-3), "beta": number(beta), "g_atk": number(-5), "beta_atk": number(1e-3)}
    options = {"x": 1.5, "eps": 1e-6, "log_atk_scale": torch.full((1,), -0.2), "use_qk_l2norm_in_kernel": True}
    starts = {"initial_state": torch.ones(1, 1, 4, 4), "initial_A_state": torch.zeros(1, 1, 4)}
    with torch.no_grad(), patched():
        return float(fused_recurrent_precond_gated_delta_rule(**given, **options, **starts, output_final_state=True)[1].abs().max())


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
        "cut": {name: cut(name) for name in CUT},
        "left alone": left_alone(),
        "grown": {top: grown(top - 2.0**-10) for top in (1, 2)},
    }
