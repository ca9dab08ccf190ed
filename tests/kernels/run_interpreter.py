"""What Triton's interpreter computes in bfloat16, with and without the patch, and what some known implementations return. Run by tests/constructions/run_flash.py."""

import numpy as np
import torch
import triton
import triton.language as tl
from lemmata.api.check import check
from lemmata.kernels.interpreter import is_patched, patched


@triton.jit
def arithmetic(a_ptr, b_ptr, c_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    a, b, c = tl.load(a_ptr + i), tl.load(b_ptr + i), tl.load(c_ptr + i)
    tl.store(out_ptr + i, a + b)
    tl.store(out_ptr + N + i, a * b)
    tl.store(out_ptr + 2 * N + i, a - b)
    tl.store(out_ptr + 3 * N + i, c.to(tl.bfloat16))
    tl.store(out_ptr + 4 * N + i, -a)
    tl.store(out_ptr + 5 * N + i, tl.where(a < b, a, b))
    tl.store(out_ptr + 6 * N + i, tl.maximum(a, b))


@triton.jit
def products(a_ptr, b_ptr, out_ptr, N: tl.constexpr):
    i = tl.arange(0, N)
    at = i[:, None] * N + i[None, :]
    tl.store(out_ptr + at, tl.dot(tl.load(a_ptr + at), tl.load(b_ptr + at)))


def computed():
    """The kernel's results and torch's, which rounds each operation to nearest even."""
    draw = torch.Generator().manual_seed(1)
    a, b = (torch.randn(64, generator=draw).bfloat16() for _ in range(2))
    # ties on both sides, the largest that rounds down, infinity, NaN, a subnormal, zeros
    special = [1 + 2**-8, 1 + 3 * 2**-8, -1 - 2**-8, 1 + 2**-8 + 2**-20, 3.38e38, 3.4e38, np.inf, -np.inf, np.nan, 1e-40, 0.0, -0.0]
    c = torch.cat([torch.tensor(special, dtype=torch.float32), torch.randn(64 - len(special), generator=draw)])
    out = torch.empty(7, 64, dtype=torch.bfloat16)
    arithmetic[(1,)](a, b, c, out, 64)
    wanted = torch.stack([a + b, a * b, a - b, c.bfloat16(), -a, torch.where(a < b, a, b), torch.maximum(a, b)])
    same = (out == wanted) | (out.isnan() & wanted.isnan())
    x, y = (torch.randn(16, 16, generator=draw).bfloat16() for _ in range(2))
    product = torch.empty(16, 16)
    products[(1,)](x, y, product, 16)
    # 16 roundings of float32 to a sum of 16 exact products
    most = 16 * 2.0**-24 * (x.double().abs() @ y.double().abs())
    return [bool(row.all()) for row in same], float(((product.double() - x.double() @ y.double()).abs() / most).max())


def errors():
    """The errors of fla's chunked delta rule, and of the rule step by step with every number in bfloat16, against float64, on random inputs."""
    from fla.ops.delta_rule import chunk_delta_rule
    from lemmata.kernels.own import step_by_step

    draw = torch.Generator().manual_seed(2)
    q, k, v = (torch.randn(1, 130, 2, 16, generator=draw) for _ in range(3))
    q, k, v = (x.bfloat16() for x in (q, torch.nn.functional.normalize(k, dim=-1), v))
    beta = torch.rand(1, 130, 2, generator=draw).bfloat16()
    exact, _ = step_by_step(q.double(), k.double(), v.double(), beta.double(), scale=0.25)
    outputs = [f(q, k, v, beta, scale=0.25)[0] for f in (chunk_delta_rule, step_by_step)]
    return [float((o.double() - exact).abs().max()) for o in outputs]


def refusal(function, *inputs):
    """What a function says that cannot take these inputs; nothing if it can."""
    try:
        function(*inputs)
    except RuntimeError as error:
        return str(error)
    return ""


def findings():
    """The reports of docs/how-to/vectors.md on flash-linear-attention."""
    from fla.ops.delta_rule.naive import delta_rule_chunkwise
    from fla.ops.gated_delta_rule.naive import naive_chunk_gated_delta_rule, naive_recurrent_gated_delta_rule
    from fla.ops.generalized_delta_rule.dplr.naive import dplr_chunkwise

    ones = torch.ones(1, 1, 32, 1, dtype=torch.bfloat16)
    half = refusal(delta_rule_chunkwise, ones, ones, ones, ones[..., 0])
    dplr = refusal(dplr_chunkwise, ones, ones, ones, 0 * ones, 0 * ones, 0 * ones)
    q = k = torch.ones(1, 3, 1, 1)
    v, beta = torch.tensor([0.0, 1.0, 0.0]).view(1, 3, 1, 1), torch.tensor([0.0, 1.0, 0.0]).view(1, 3, 1)
    gates = [torch.tensor([0.0, reset, np.log(0.5)], dtype=torch.float32).view(1, 3, 1) for reset in (-1024.0, -64.0)]
    steps, _ = naive_recurrent_gated_delta_rule(q, k, v, beta, gates[0], scale=1.0)
    chunks = [naive_chunk_gated_delta_rule(q, k, v, g, beta, scale=1.0)[0] for g in gates]
    return {"half": half, "dplr": dplr, "decay": [round(float(o[0, -1, 0, 0]), 8) for o in (steps, *chunks)]}


def found():
    """All of it, as plain data."""
    plain, _ = computed()
    with patched():
        rounded, dot = computed()
        chunk, steps = errors()
        kernel = check("fla.ops.delta_rule.chunk_delta_rule", "delta", dtype="bfloat16", features=["unit keys"], lengths=[17], splits=False)
        # its kernels copy gather and convert a loop counter
        rwkv7 = check("fla.ops.rwkv7.chunk_rwkv7", "rwkv7", dtype="bfloat16", features=["swap"], lengths=[17], splits=False)
    naive = {
        name: check(name, rule, dtype="bfloat16", features=["swap", "scale"], lengths=[17], splits=False).data
        for name, rule in {
            "fla.ops.gated_delta_rule.naive.naive_chunk_gated_delta_rule": "delta",
            "fla.ops.delta_rule.naive.delta_rule_recurrence": "delta",
            "transformers.models.qwen3_next.modeling_qwen3_next.torch_chunk_gated_delta_rule": "delta",
        }.items()
    }
    try:
        check("fla.ops.delta_rule.chunk_delta_rule", "delta", dtype="bfloat16")
        refused = ""
    except ValueError as error:
        refused = str(error)
    return {
        "unpatched": plain,
        "patched": rounded,
        "dot": dot,
        "chunk": chunk,
        "steps": steps,
        "kernel": kernel.data,
        "rwkv7": rwkv7.data,
        "naive": naive,
        "refused": refused,
        "findings": findings(),
        "still patched": is_patched() or computed()[0] != plain,
    }
