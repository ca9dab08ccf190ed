"""Stored numbers are those that torch holds, bit for bit."""

import pytest
import torch
from lemmata.constructions.automata import compile_group, compile_regex
from lemmata.constructions.automata.read.sources import named_group
from lemmata.constructions.automata.rounding.stored_numbers import STORED, stored_numbers
from lemmata.constructions.automata.run.delta_rule import DeltaRuleLayer
from lemmata.constructions.automata.run.torch_module import TorchNetwork

NETWORKS = {
    "three layers": lambda: compile_regex("(a|b)*abb", construction="holonomy"),
    "a rotation": lambda: compile_group(named_group("Z5"), polygons=True),
}


def numbers(found):
    """Lists of [m, e] as a tensor in float64."""
    if found and isinstance(found[0], int):
        return torch.tensor(found[0] * 2.0 ** found[1], dtype=torch.float64)
    return torch.stack([numbers(x) for x in found])


@pytest.mark.parametrize("dtype", STORED)
@pytest.mark.parametrize("name", NETWORKS)
def test_they_are_the_buffers_of_the_module(name, dtype):
    document = NETWORKS[name]().document()
    stored = stored_numbers(document, dtype)
    module = TorchNetwork(document, getattr(torch, dtype))
    for layer, holds in zip(stored["layers"], module.layers, strict=True):
        assert torch.equal(numbers(layer["start"]), holds.initial[:, 0].double())
        assert layer["following"] == holds.following.tolist()
        assert [f for *_, f in layer["letters"]] == holds.map_of.tolist()
        for f, m in enumerate(layer["maps"]):
            assert torch.equal(numbers(m["A"]), holds.A[f].double())
            assert torch.equal(numbers(m["B"]), holds.B[f, :, 0].double())
            codes = torch.tensor([[x * 2.0 ** m["unit"] for x in code] for code in m["codes"]], dtype=torch.float64)
            assert torch.equal(codes, holds.codes[f, : len(codes)])
            assert torch.isinf(holds.codes[f, len(codes) :]).all()


@pytest.mark.parametrize("dtype", STORED)
def test_micro_steps_are_the_inputs_of_the_delta_rule(dtype):
    document = NETWORKS["three layers"]().document()
    for layer, described in zip(stored_numbers(document, dtype)["layers"], document["layers"], strict=True):
        rule = DeltaRuleLayer(described, document["field"])
        for y, (*_, f) in enumerate(described["letters"]):
            inputs = rule.inputs(torch.tensor([[y]]), getattr(torch, dtype))
            for j, step in enumerate(layer["maps"][f]["steps"]):
                assert torch.equal(numbers(step["key"]), inputs.k[0, j, 0].double())
                assert torch.equal(numbers(step["strength"]), inputs.beta[0, j, 0].double())
                assert torch.equal(numbers(step["value"]), inputs.v[0, j, 0, 0].double())


def test_other_data_types_are_refused():
    with pytest.raises(ValueError, match="expected a data type among float32, float16, bfloat16, got 'float64'"):
        stored_numbers(NETWORKS["three layers"]().document(), "float64")
