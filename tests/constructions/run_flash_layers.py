"""Compiled layers in the modules of flash-linear-attention, by Triton's interpreter; a line for each network and module. Run by a test."""

import sys
import warnings
from random import Random

warnings.filterwarnings("ignore")

import torch  # noqa: E402
from fla.layers.delta_net import DeltaNet  # noqa: E402
from fla.layers.gated_deltaproduct import GatedDeltaProduct  # noqa: E402
from lemmata.constructions.automata import compile_automaton, compile_group, compile_regex  # noqa: E402
from lemmata.constructions.automata.flash_layers import FlashLayer, module_arguments  # noqa: E402
from lemmata.constructions.automata.sources import named_group  # noqa: E402
from lemmata.constructions.automata.tasks import TASKS  # noqa: E402
from triton.runtime.autotuner import Autotuner  # noqa: E402

# there is no device whose speed could choose among block sizes: the first will do
Autotuner._bench = lambda self, *args, **kwargs: [0.0, 0.0, 0.0]


def right(network, make, length=24) -> bool:
    """Whether the stack of modules outputs the automaton's states on a random word. ``make(layer)`` is the module for a layer."""
    document, letters, rng = network.document(), network.automaton.letters, Random(3)
    word = [rng.randrange(len(letters)) for _ in range(length)]
    handed = torch.tensor([word])
    with torch.no_grad():
        for layer in document["layers"]:
            handed = FlashLayer(layer, document["field"], make(layer, document["field"]).eval())(handed)
    return handed.tolist() == [network.automaton.run([letters[i] for i in word])]


def fitting(module, product):
    return lambda layer, field: module(**module_arguments(layer, field, product))


S3 = compile_group(named_group("S3"))
DEFAULTS = {"hidden_size": 16, "head_dim": 8, "num_heads": 2, "expand_v": 2, "num_householder": 3}
CASES = {
    "DeltaNet, parity": (compile_group([(1, 0)]), fitting(DeltaNet, False)),
    "DeltaProduct, S5": (compile_group(named_group("S5")), fitting(GatedDeltaProduct, True)),
    "DeltaProduct, a cascade of three layers": (compile_regex("(ab|c)*d?"), fitting(GatedDeltaProduct, True)),
    "DeltaProduct, modular arithmetic": (compile_automaton(TASKS["modular-arithmetic"]()), fitting(GatedDeltaProduct, True)),
    "DeltaNet with gate, convolutions and four heads": (
        compile_group([(1, 0)]),
        lambda layer, field: DeltaNet(hidden_size=16, num_heads=4, allow_neg_eigval=True, mode="fused_recurrent", use_gate=True),
    ),
    "DeltaProduct with gates, convolutions and two heads": (S3, lambda layer, field: GatedDeltaProduct(**DEFAULTS)),
}


def refused(arguments, kind=GatedDeltaProduct) -> str:
    document = S3.document()
    try:
        FlashLayer(document["layers"][0], document["field"], kind(**arguments))
    except ValueError as error:
        return str(error)
    return "accepted"


def main() -> None:
    for name, (network, make) in CASES.items():
        print(name, "right" if right(network, make) else "WRONG", flush=True)
    print("eigenvalues", refused(DEFAULTS | {"allow_neg_eigval": False}))
    print("width", refused(DEFAULTS | {"head_dim": 3, "expand_v": 1}))
    print("letters", refused(DEFAULTS | {"hidden_size": 2}))
    print("factors", refused({"hidden_size": 16, "num_heads": 1, "allow_neg_eigval": True}, DeltaNet))


if __name__ == "__main__":
    sys.exit(main())
