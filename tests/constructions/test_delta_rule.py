"""Compiled networks through the delta rule: micro-steps, and flash-linear-attention's own kernel."""

from random import Random

import pytest
from lemmata.constructions.automata import compile_automaton, compile_group, compile_one_hot, compile_regex
from lemmata.constructions.automata.read.families import full_transformations
from lemmata.constructions.automata.read.sources import from_regex, named_group
from lemmata.constructions.automata.read.tasks import TASKS

torch = pytest.importorskip("torch", reason="needs the extra 'torch'")

from lemmata.constructions.automata.run.delta_rule import DeltaRuleLayer, delta_rule, run_delta_rule  # noqa: E402


@pytest.mark.parametrize(
    "network",
    [
        compile_group(named_group("S5")),
        compile_group(named_group("Z60")),
        compile_automaton(full_transformations(4)),
        compile_automaton(TASKS["modular-arithmetic"]()),
        compile_regex("(ab|c)*d?"),
        compile_automaton(TASKS["parity"]()),
    ],
    ids=["S5", "Z60", "T4", "arithmetic", "regex", "parity"],
)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_the_delta_rule_step_by_step(network, dtype):
    document = network.document()
    words = [[Random(seed).randrange(len(document["letters"])) for _ in range(300)] for seed in range(3)]
    expected = [network.automaton.run([network.automaton.letters[i] for i in word]) for word in words]
    # a batch of words with different numbers of micro-steps
    assert run_delta_rule(document, torch.tensor(words), delta_rule, dtype).tolist() == expected


def test_eigenvalues_lie_between_minus_one_and_one():
    document = compile_automaton(full_transformations(4)).document()
    for layer in document["layers"]:
        rule = DeltaRuleLayer(layer, document["field"])
        x = rule.inputs(torch.arange(len(layer["letters"]))[None], torch.float64)
        eigenvalues = 1 - x.beta * (x.k * x.k).sum(-1)
        assert ((eigenvalues >= -1 - 1e-12) & (eigenvalues <= 1 + 1e-12)).all()
        assert ((x.k * x.k).sum(-1) <= 2).all()
        assert x.q.shape == x.k.shape
        assert int(x.reads[0, -1, -1]) == x.q.shape[1] - 1
        assert rule.margin > 0


def test_permutations_are_moved_by_keys_of_small_integers():
    document = compile_group(named_group("S5")).document()
    x = DeltaRuleLayer(document["layers"][0], document["field"]).inputs(torch.tensor([[0, 1]]), torch.bfloat16)
    assert set(x.k.unique().tolist()) <= {-1.0, 0.0, 1.0}
    assert set(x.beta.unique().tolist()) == {0.0, 1.0}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_unit_keys_find_a_kernel_that_clamps_beta(dtype):
    """With the keys e_i - e_j every beta is 1, and a clamp passes; with unit keys a swap has beta = 2."""
    network = compile_group(named_group("S5"))
    document, word = network.document(), [Random(3).randrange(2) for _ in range(200)]
    expected = [network.automaton.run([network.automaton.letters[i] for i in word])]

    def clamped(q, k, v, beta, scale, initial_state):
        return delta_rule(q, k, v, beta.clamp(max=1), scale, initial_state)

    assert run_delta_rule(document, torch.tensor([word]), clamped, dtype).tolist() == expected
    assert run_delta_rule(document, torch.tensor([word]), delta_rule, dtype, unit_keys=True).tolist() == expected
    assert run_delta_rule(document, torch.tensor([word]), clamped, dtype, unit_keys=True).tolist() != expected
    x = DeltaRuleLayer(document["layers"][0], document["field"]).inputs(torch.tensor([word]), dtype).with_unit_keys()
    assert set((x.k * x.k).sum(-1)[x.beta != 0].tolist()) == {1.0}
    assert set(x.beta.unique().tolist()) == {0.0, 2.0}


def test_keys_of_other_lengths_are_no_unit_keys():
    document = compile_group(named_group("Z60")).document()
    with pytest.raises(ValueError, match="squared length 2"):
        run_delta_rule(document, torch.tensor([[0]]), delta_rule, unit_keys=True)


def test_the_empty_word_and_one_letter():
    document = compile_group(named_group("S3")).document()
    assert run_delta_rule(document, torch.zeros((1, 0), dtype=torch.long), delta_rule).tolist() == [[]]
    assert run_delta_rule(document, torch.tensor([[1]]), delta_rule).tolist() == [[document["automaton"]["table"][1][0]]]


def test_transitions_that_are_no_contraction_are_refused():
    document = compile_one_hot(from_regex("ab*")).document()
    with pytest.raises(ValueError, match="products of GH factors"):
        run_delta_rule(document, torch.tensor([[0]]), delta_rule)


def test_the_kernel_of_flash_linear_attention_is_right_as_long_as_it_must_be(flash):
    """The fused kernel itself, in Triton's interpreter, which takes a millisecond for a micro-step."""
    rows = flash["kernel"]
    seen = {(row["network"], row["length"], row["dtype"]) for row in rows}
    assert seen == {(n, t, d) for n in ("S5", "parity", "Z60") for t in (1, 12) for d in ("float32", "bfloat16")}
    for row in rows:
        for path, found in (("fused", row["kernel_right_up_to"]), ("delta", row["step_by_step_right_up_to"])):
            promised = row["guaranteed"][path]
            assert found >= (row["length"] if promised == "every length" else min(promised, row["length"])), row
    assert {row["network"] for row in rows if row["guaranteed"]["fused"] == "every length"} == {"S5", "parity"}
    assert flash["unit keys"] == {"float32": 12, "bfloat16": 12}


def test_the_chunk_kernel_is_exact_at_borders(flash):
    """Two cuts of the benchmark; a wrong state is noticed; and the kernel still refuses float32, as the page says."""
    found = flash["chunks"]
    assert found["row"] == {"network": "S₅", "dtype": "bfloat16", "run": "kernel", "chunk": 16, "cuts": [1, 17], "equal": True}
    assert "expected no difference at a border: S₅, bfloat16, reference, 16, 1" in found["wrong"]
    assert "does not support float32" in found["refusal"]


def test_triton_s_interpreter_rounds_bfloat16_with_the_patch_alone(flash):
    """Each operation as torch rounds it, products of matrices within the bound of float32; and the interpreter needs the patch."""
    found = flash["interpreter"]
    assert found["patched"] == [True] * 7
    assert found["unpatched"] == [False] * 7
    assert not found["still patched"]
    assert found["dot"] <= 1
    assert "patched()" in found["refused"]


def test_the_chunked_kernel_errs_less_than_a_recurrence_in_bfloat16(flash):
    """On random inputs, against float64: the kernel keeps its sums in float32."""
    assert 0 < flash["interpreter"]["chunk"] < flash["interpreter"]["steps"]


def test_known_implementations_return_exact_vectors(flash):
    found = [flash["interpreter"]["kernel"], flash["interpreter"]["rwkv7"], *flash["interpreter"]["naive"].values()]
    assert all(one["right"] for one in found)
    assert len(found) == 5


def test_the_findings_in_libraries_are_reproduced(flash):
    """The reports of docs/how-to/vectors.md: if a new version mends one, the page says so."""
    found = flash["interpreter"]["findings"]
    assert found["half"].startswith("expected m1 and m2 to have the same dtype")
    assert "BFloat16" in found["dplr"]
    assert found["decay"] == [0.5, 0.50001597, 0.50000072]
