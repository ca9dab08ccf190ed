"""Exact vectors: right kernels return them in every format and chunk length, wrong ones do not; the audit refuses what is not exact."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from lemmata.kernels import VECTORS, audit, check, vector
from lemmata.kernels.audit import Audit, criterion, heads, triangular_inverse
from lemmata.kernels.chunked import Chunked
from lemmata.kernels.finding import shortened
from lemmata.kernels.gradients import GRADIENTS
from lemmata.kernels.other_rules import OTHER_RULES
from lemmata.kernels.recurrence import in_fractions, in_integers
from lemmata.kernels.vectors import RULES, STEPS, step
from lemmata.kernels.writing import CHECKER, audited, contents, save

#: rules whose state is a matrix of keys and values, all updated alike
MATRICES = tuple(rule for rule in RULES if rule not in OTHER_RULES)

#: a feature of each of these rules, and more of the delta rule
SHORT = [
    *((rule, "every split") for rule in MATRICES),
    *(("delta", feature) for feature in ("grouped heads", "scale", "left padding", "swap")),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Some short vectors of every rule; fewer lengths than users get, to be quick."""
    path = tmp_path_factory.mktemp("vectors")
    for key in (*((rule, "packed sequences") for rule in MATRICES), ("delta", "norm in the kernel"), ("gated-delta", "gate 1")):
        save(shortened(vector(*key)), path)
    return path


@pytest.mark.parametrize("rule", MATRICES)
@pytest.mark.parametrize(("fmt", "chunk", "splits"), [("bfloat16", 64, True), ("float16", 32, False), ("float32", 16, False)])
def test_a_right_kernel_passes(folder, rule, fmt, chunk, splits):
    assert check(Chunked(rule, fmt, chunk), folder, rule, fmt, splits=splits) == []


@pytest.mark.parametrize(("key", "most"), [*((key, 5) for key in SHORT), (("delta", "negative eigenvalue"), 130)], ids=str)
def test_integers_and_fractions_agree(key, most):
    made = vector(*key)
    head = next(iter(heads(made)))
    steps = min(len(head.k), most * made.micro)
    few = [x[:steps] for x in (head.q, head.k, head.v, head.beta, head.gate)]
    outputs, states = in_integers(*few, head.start, made.scale, head.delta)
    exact, last = in_fractions(*few, head.start, made.scale, head.delta)
    assert [[Fraction(float(x)) for x in row] for row in outputs] == exact
    assert [[Fraction(float(x)) for x in row] for row in states[-1]] == last
    m = made.micro
    assert np.array_equal(outputs[m - 1 :: m], head.o[: steps // m])


@pytest.mark.parametrize("key", [key for key in SHORT if key[1] in ("scale", "left padding")], ids=".".join)
@pytest.mark.parametrize("chunk", [16, 64])
def test_audit_promises_every_format(key, chunk):
    found = audit(vector(*key), chunk)
    assert found.formats == ("float32", "float16", "bfloat16")
    assert max(found.summed.values()) <= 13


@pytest.mark.parametrize("key", [("delta", feature) for feature in ("swap", "long keys", "norm in the kernel")], ids=".".join)
def test_the_criterion_holds_for_every_head(key):
    assert all(criterion(head.k, head.beta) for head in heads(vector(*key)))


@pytest.mark.parametrize(
    ("keys", "betas", "meets"),
    [
        ([[1, -1]], [1], True),
        ([[1, -1]], [0.5], True),
        ([[1, -1], [1, 0]], [0.5, 1], False),
        ([[1, 0]], [0.5], False),
        ([[1, 0]], [2], True),
        ([[1, 0]], [2.5], False),
        ([[1, 0]], [-1], False),
        ([[2, 0]], [0.25], True),
        ([[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, -0.5, 0.5]], [2, 2], True),
        ([[0.5, 0.5, 0.5, 0.5], [1, 0, 0, 0]], [1, 1], False),
        ([[1, 0], [7, 7]], [1, 0], True),
        ([[0, 0]], [1], False),
    ],
)
def test_criterion(keys, betas, meets):
    assert criterion(np.array(keys, dtype=float), np.array(betas, dtype=float)) is meets


@pytest.mark.parametrize("seed", range(5))
def test_the_inverse_is_integer_and_bounded_where_the_criterion_holds(seed):
    """The bound of docs/how-to/vectors.md: |T_ij| <= 2 |k_j| / |k_i| for keys whose largest entry is 1, so at most 2 sqrt 2."""
    rng = np.random.default_rng(seed)
    drawn = [step(STEPS[rng.integers(len(STEPS))], rng, 6) for _ in range(64)]
    k, beta = np.array([key / np.abs(key).max() for key, _ in drawn]), np.array([b * np.abs(key).max() ** 2 for key, b in drawn])
    assert criterion(k, beta)
    T = triangular_inverse(Audit(), np.tril(beta[:, None] * k @ k.T, -1))
    assert np.array_equal(T, np.rint(T))
    assert np.array_equal(T @ (np.eye(64) + np.tril(beta[:, None] * k @ k.T, -1)), np.eye(64))
    norms = np.linalg.norm(k, axis=1)
    live = beta > 0
    assert (np.abs(T - np.eye(64)) <= 2 * norms[None] / norms[:, None] + 1e-12)[live].all()


def test_the_criterion_alone_does_not_bound_the_state():
    """Width 1, key 1, beta 2, values 7 and -7 in turn: the criterion holds, and the state leaves bfloat16."""
    v = np.where(np.arange(64) % 2 == 0, 7.0, -7.0)[:, None]
    k, beta = np.ones((64, 1)), np.full(64, 2.0)
    assert criterion(k, beta)
    _, states = in_integers(k, k, v, beta, np.ones(64), np.zeros((1, 1)), 1.0, True)
    found = Audit()
    found.store("state", states)
    assert "bfloat16" not in found.formats


def test_what_does_not_fit_is_refused():
    made = vector("delta", "write")
    arrays = dict(made.arrays)
    halves = arrays | {"beta": arrays["beta"] * np.float32(0.5)}
    with pytest.raises(ArithmeticError):
        audited(type(made)(made.rule, made.feature, halves, made.scale))


@pytest.mark.parametrize("kind", [*STEPS, "unit"])
def test_steps_permute_negate_or_clear(kind):
    rng = np.random.default_rng(1)
    for _ in range(20):
        k, beta = step(kind, rng, 8)
        M = np.eye(8) - beta * np.outer(k, k)
        if kind == "unit":
            M = M[:4, :4] + M[:4, 4:]  # on states whose halves are the same
        assert set(np.unique(M)) <= {-1.0, 0.0, 1.0}
        assert (np.abs(M).sum(axis=1) <= 1).all()


#: what the numbers of some vectors are
DIGESTS = {"delta": "eda76a148870ae86", "mamba2": "c627e3f9a7c1203d", "rwkv7": "3af09b7b0a8e8a8a", "linear-gradient": "f7146734be1feeb3"}


@pytest.mark.parametrize(
    "key", [("delta", "every split"), ("mamba2", "every split"), ("rwkv7", "every split"), ("linear-gradient", "scale")], ids=".".join
)
def test_the_same_bytes_every_time(tmp_path, key):
    plan = (VECTORS | GRADIENTS)[key]
    made = plan.draw(*key)
    one, two = save(made, tmp_path).read_bytes(), save(plan.draw(*key), tmp_path).read_bytes()
    assert one == two
    # the numbers themselves are those of any other day; how zlib packs them may change
    numbers = b"".join(name.encode() + a.tobytes() for name, a in sorted(contents(made).items()))
    assert hashlib.sha256(numbers).hexdigest()[:16] == DIGESTS[key[0]]


def test_the_checker_alone_in_an_empty_folder(tmp_path):
    """NumPy and the copied file hold a kernel of a dozen lines, written from the paper, to the vectors."""
    assert len(CHECKER.read_text(encoding="utf-8").splitlines()) <= 60
    (tmp_path / "exact_vectors.py").write_bytes(CHECKER.read_bytes())
    save(vector("delta", "swap"), tmp_path)
    (tmp_path / "mine.py").write_text(
        """
import numpy as np
from exact_vectors import check

def delta(q, k, v, beta, g, h0, scale, cu_seqlens, micro, normalise, most=9.0):
    S, o = h0.copy(), np.zeros(v.shape, dtype=np.float32)
    for t in range(q.shape[1]):
        for h in range(q.shape[2]):
            key, b = k[:, t, h], np.minimum(beta[:, t, h, None], most)
            S[:, h] += key[:, :, None] * (b * (v[:, t, h] - np.einsum("bk,bkv->bv", key, S[:, h])))[:, None]
            o[:, t, h] = scale * np.einsum("bk,bkv->bv", q[:, t, h], S[:, h])
    return o, S

assert check(delta, ".", "delta") == []
wrong = check(lambda **x: delta(**x, most=0.5), ".", "delta")
assert wrong and wrong[0].startswith("swap: first wrong at "), wrong
print("held")
""",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", "import sys; sys.path.insert(0, '.'); exec(open('mine.py').read())"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "held\n", done.stderr
