"""All that the tests ask of flash-linear-attention, by Triton's interpreter, as one JSON object: to import it takes as long as to run it. Run by conftest.py."""

import json
import runpy
import sys
import warnings
from importlib import import_module
from itertools import product
from pathlib import Path
from random import Random

warnings.filterwarnings("ignore")

import torch  # noqa: E402
from fla.layers.delta_net import DeltaNet  # noqa: E402
from fla.layers.gated_deltaproduct import GatedDeltaProduct  # noqa: E402
from fla.ops.delta_rule import fused_recurrent_delta_rule  # noqa: E402
from lemmata.constructions.automata import compile_automaton, compile_group, compile_regex  # noqa: E402
from lemmata.constructions.automata.read.sources import named_group  # noqa: E402
from lemmata.constructions.automata.read.tasks import TASKS  # noqa: E402
from lemmata.constructions.automata.run.delta_rule import run_delta_rule  # noqa: E402
from lemmata.constructions.automata.run.flash_layers import FlashLayer, module_arguments  # noqa: E402
from lemmata.experiments import flash_layers  # noqa: E402
from lemmata.experiments.layers import FLASH, Model  # noqa: E402
from lemmata.numerics.floating_point import BINARY32  # noqa: E402
from test_rounded_delta import WORD, floats, layers  # noqa: E402
from triton.runtime.autotuner import Autotuner  # noqa: E402

# there is no device whose speed could choose among block sizes: the first will do
Autotuner._bench = lambda self, *args, **kwargs: [0.0, 0.0, 0.0]


def right(network, make, length=12) -> bool:
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
    "DeltaProduct, a cascade of three layers": (compile_regex("(ab|c)*d?", construction="holonomy"), fitting(GatedDeltaProduct, True)),
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


def delta_kernel() -> list[dict]:
    """The benchmark of the fused kernel, in small; longer words: make benchmark."""
    benchmark = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "delta_rule_kernel.py"))
    return [benchmark["measure"](*point, "cpu") for point in product(("S5", "parity", "Z60"), (1, 12), ("float32", "bfloat16"))]


def chunk_borders() -> dict[str, object]:
    """The benchmark of chunks, in small: two cuts of S5 in the chunk kernel, and what is said if the expected state is another one."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
    benchmark = import_module("chunk_kernels")
    row = benchmark.at_borders("S₅", "bfloat16", "kernel", 16, (1, 17))
    after = benchmark.after
    benchmark.after = lambda x: after(x) + 1
    try:
        benchmark.at_borders("S₅", "bfloat16", "reference", 16, (1,))
    except ArithmeticError as error:
        return {"row": row, "wrong": str(error), "refusal": benchmark.refusal()}
    return {"row": row, "wrong": "", "refusal": benchmark.refusal()}


def unit_keys() -> dict[str, int]:
    """How far the fused kernel is right on S5 with unit keys and beta = 2, of 12 letters."""
    benchmark = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "delta_rule_kernel.py"))
    network = benchmark["network_of"]("S5")
    word, expected = benchmark["random_word"](network, 12)
    return {
        dtype: benchmark["right_up_to"](
            run_delta_rule(network.document(), word, fused_recurrent_delta_rule, getattr(torch, dtype), unit_keys=True)[0], expected
        )
        for dtype in ("float32", "bfloat16")
    }


def interpreter() -> dict:
    """Of the patch that rounds bfloat16, and of the implementations that lemmata.check knows."""
    # a Triton kernel needs a file of its own, imported by name
    sys.path.insert(0, str(Path(__file__).parents[1] / "kernels"))
    return import_module("run_interpreter").found()


def house() -> dict[str, list[bool]]:
    """Of the training house's kinds: negative eigenvalues if asked; of some also: finite answers, by no later letter and by earlier ones."""
    flash_layers.require = lambda name, device: None
    words = torch.tensor([[0, 1, 2, 1], [0, 1, 2, 2], [1, 1, 2, 1]])
    found = {}
    for kind in FLASH:
        torch.manual_seed(0)
        model = Model(kind, letters=3, answers=2, width=8).eval()
        found[kind] = [model.layers[0].layer.allow_neg_eigval == ("[-1" in kind)]
        if "[-1" in kind and "_4" not in kind:
            with torch.no_grad():
                said, after, before = model(words)
            found[kind] += [bool(said.isfinite().all()), bool((said == after)[:3].all()), bool((said != before)[3].all())]
    return found


def parity() -> list[tuple[list[float], list[float]]]:
    """Outputs and last state of the fused kernel with the weights whose rounding keeps the parity."""
    word, found = torch.tensor(WORD[:60], dtype=torch.float32), []
    for layer in layers(BINARY32):
        k, even = (torch.from_numpy(floats(x)).float() for x in (layer.k, layer.even))
        beta, v = floats([layer.beta, layer.v]).tolist()
        query = torch.zeros(1, len(word), 1, len(k))
        query[..., 0] = 1
        keys = k.expand(1, len(word), 1, len(k)).contiguous()
        values, steps = (v * word)[None, :, None, None].contiguous(), (beta * word)[None, :, None].contiguous()
        start = even[None, None, :, None].contiguous()
        o, last = fused_recurrent_delta_rule(query, keys, values, steps, scale=1.0, initial_state=start, output_final_state=True)
        found.append((o.flatten().double().tolist(), last.flatten().double().tolist()))
    return found


def main() -> None:
    said = {
        "modules": {name: right(network, make) for name, (network, make) in CASES.items()},
        "refused": {
            "eigenvalues": refused(DEFAULTS | {"allow_neg_eigval": False}),
            "width": refused(DEFAULTS | {"head_dim": 3, "expand_v": 1}),
            "letters": refused(DEFAULTS | {"hidden_size": 2}),
            "factors": refused({"hidden_size": 16, "num_heads": 1, "allow_neg_eigval": True}, DeltaNet),
        },
        "kernel": delta_kernel(),
        "unit keys": unit_keys(),
        "chunks": chunk_borders(),
        "interpreter": interpreter(),
        "house": house(),
        "parity": parity(),
        "probe": import_module("run_contracts").found(),
        "layers": import_module("run_fla_layers").found(),
    }
    print(json.dumps(said))


if __name__ == "__main__":
    sys.exit(main())
