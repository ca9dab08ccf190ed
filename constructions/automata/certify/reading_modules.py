"""A PyTorch module as a program: by its graph where PyTorch traces it, else by its parts; then held to what the module itself says."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import fx, nn
from torch.nn import functional

from .programs import Program, answered
from .reading_parts import ELEMENTWISE, RECURRENT, Builder, NotRead, Reader, Tokens, Value, for_letters
from .verdicts import UNSAID

#: functions and methods that are operations of a program
FUNCTIONS: dict[Any, str] = {
    torch.relu: "relu",
    functional.relu: "relu",
    "relu": "relu",
    torch.tanh: "tanh",
    functional.tanh: "tanh",
    "tanh": "tanh",
    torch.sigmoid: "sigmoid",
    functional.sigmoid: "sigmoid",
    "sigmoid": "sigmoid",
    functional.silu: "silu",
    functional.gelu: "gelu",
    operator.add: "add",
    torch.add: "add",
    operator.sub: "sub",
    torch.sub: "sub",
    operator.mul: "mul",
    torch.mul: "mul",
}
#: what leaves values as they are
NOTHING = {"float", "double", "to", "contiguous", "long", functional.dropout}
#: prefixes of wrappers: distributed data parallel, torch.compile
WRAPPERS = ("module", "_orig_mod")

#: words on which the program is held to the module, and how far scores may differ, relatively
WORDS, LENGTH = 8, 7
DIFFERENCE = {"float64": 1e-6, "float32": 1e-3, "float16": 0.05, "bfloat16": 0.2}


def unwrapped(module: nn.Module) -> nn.Module:
    """A module without the wrappers of distributed training and of compilation."""
    for name in WRAPPERS * 3:
        inner = getattr(module, name, None)
        if isinstance(inner, nn.Module) and len(list(module.children())) == 1:
            module = inner
    return module


def read_module(
    module: nn.Module, tokens: Sequence[int], begin: Sequence[int] = (), readers: Sequence[Reader] = ()
) -> tuple[Program, Callable[[np.ndarray], np.ndarray] | None]:
    """(program, the module's own answers on words of letters, None if it has kernels of another library) of a module from words of tokens (batch, length) to scores.

    Letter x is ``tokens[x]``, and ``begin`` are tokens before every word. Raises ``ValueError`` for a module that cannot be read, or that says something
    else than what was read.
    """
    inner = unwrapped(module)
    was_training = inner.training
    inner.eval()
    try:
        dtype = _dtype(inner)
        known = list(dict.fromkeys([*tokens, *begin]))
        program = _built(inner, known, readers, dtype)
        program = for_letters(program, known, tokens, begin)
        scores = _scores(inner, tokens, begin)
        if program.kernels and not _kernels_run(scores):
            program.taken += ", held to no kernel: none runs here"
        else:
            _require_alike(program, scores, dtype, len(tokens))
    finally:
        inner.train(was_training)
    run = None if program.kernels else lambda words: _answers(inner, scores, words)
    return program, run


def _kernels_run(scores: Callable[[np.ndarray], torch.Tensor]) -> bool:
    """Whether the kernels of another library run on this machine."""
    try:
        scores(np.zeros((1, 2), dtype=np.int64))
    except Exception:  # without a device Triton raises whatever comes first
        return False
    return True


def _dtype(module: nn.Module) -> str:
    found = {str(p.dtype).removeprefix("torch.") for p in module.parameters()}
    if len(found) != 1 or not found <= set(DIFFERENCE):
        raise ValueError(f"expected weights of one type among {', '.join(DIFFERENCE)}, got {', '.join(sorted(found)) or 'none'}")
    return found.pop()


def _built(module: nn.Module, tokens: list[int], readers: Sequence[Reader], dtype: str) -> Program:
    builder, why = Builder(tokens, readers), ""
    try:
        graph = _Tracer().trace(module, concrete_args=_defaults(module))
    except Exception as error:  # the code of any module may raise anything when it is traced
        why = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    else:
        return builder.finished(_of_graph(builder, module, graph), dtype)
    try:
        return builder.finished(of_parts(builder, list(module.children())), dtype)
    except NotRead as error:
        raise ValueError(f"{error}: {type(module).__name__} cannot be traced either ({why})") from None


class _Tracer(fx.Tracer):
    """Recurrent layers, and layers of other libraries, stay whole."""

    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        return super().is_leaf_module(m, module_qualified_name) or type(m).__module__.startswith("fla.")


def _defaults(module: nn.Module) -> dict[str, Any] | None:
    """The arguments of ``forward`` after the first, at their defaults."""
    _, *others = inspect.signature(module.forward).parameters.values()
    return {p.name: p.default for p in others if p.default is not inspect.Parameter.empty} or None


def _of_graph(builder: Builder, module: nn.Module, graph: fx.Graph) -> Value:
    """The value of a traced graph's output."""
    found: dict[fx.Node, Any] = {}

    def known(x: Any) -> Any:
        return found[x] if isinstance(x, fx.Node) else type(x)(map(known, x)) if isinstance(x, tuple | list) else x

    for node in graph.nodes:
        values, options = [known(x) for x in node.args], {name: known(x) for name, x in node.kwargs.items()}
        if node.op == "placeholder":
            # the first is the word, others stay at their defaults
            found[node] = Tokens() if not found else None
        elif node.op == "get_attr":
            found[node] = builder.constant(operator.attrgetter(node.target)(module))
        elif node.op == "call_module":
            leaf = module.get_submodule(str(node.target))
            if any(v is not None for v in (*values[1:], *options.values())) and not type(leaf).__module__.startswith("fla."):
                raise ValueError(f"expected {node.target} to be called with one value, got more")
            called = builder.module(leaf, values[0])
            # layers give (outputs, states); states that are read are no outputs
            found[node] = (called, None) if isinstance(leaf, nn.RNNBase) or type(leaf).__module__.startswith("fla.") else called
        elif node.op == "output":
            result = values[0][0] if isinstance(values[0], tuple) else values[0]
            if not isinstance(result, Value):
                raise ValueError("expected a module that returns scores, got another value")
            return result
        else:
            found[node] = _called(builder, node.target, values, options)
    raise ValueError("expected a module that returns scores, got none")


def _called(builder: Builder, target: Any, values: list[Any], options: dict[str, Any]) -> Any:
    """What a function or method makes of values."""
    if target is functional.one_hot:
        return builder.letter(np.eye(int(values[1] if len(values) > 1 else options["num_classes"])))
    if target in NOTHING and isinstance(values[0], Value | Tokens):
        return values[0]
    if target in (torch.cat, torch.concat) and (options.get("dim", values[1] if len(values) > 1 else None)) in (-1, 2):
        return builder.cat(*values[0])
    if target is operator.getitem:
        return _item(values[0], values[1])
    if target in ("squeeze", torch.squeeze) and values[1:] == [-1] and values[0].size == 1:
        return values[0]
    if target in FUNCTIONS and all(isinstance(v, Value | int | float) for v in values) and not options.get("approximate"):
        return builder.entrywise(FUNCTIONS[target], *(v if isinstance(v, Value) else builder.constant([float(v)]) for v in values))
    raise ValueError(f"expected operations that can be read, got {getattr(target, '__name__', target)}")


def _item(value: Any, index: Any) -> Any:
    if isinstance(value, tuple):
        if value[index] is None:
            raise ValueError("expected a layer's outputs, got its last states")
        return value[index]
    if isinstance(value, Value) and _is_last(index):
        return value
    raise ValueError(f"expected a layer's outputs or those of the last letter, got the item {index}")


def _is_last(index: Any) -> bool:
    """Whether an index takes the last letter of every word."""
    return isinstance(index, tuple) and list(index[:2]) == [slice(None), -1]


def of_parts(builder: Builder, children: list[nn.Module]) -> Value:
    """The value of modules one after the other: an embedding or one-hot letters, one recurrent layer or cell, and a head."""
    while len(children) == 1 and not isinstance(children[0], RECURRENT):
        children = list(children[0].children())
    cores = [i for i, m in enumerate(children) if isinstance(m, RECURRENT)]
    if len(cores) != 1:
        raise NotRead(f"expected one recurrent layer or cell, got {len(cores)}")
    value: Any = Tokens()
    for i, module in enumerate(children):
        if i == cores[0] and isinstance(value, Tokens):
            value = builder.letter(np.eye(int(getattr(module, "input_size", 0))))
        value = builder.module(module, value)
    return value


def heads(weights: Sequence[tuple[torch.Tensor, torch.Tensor | None]], activation: str | None) -> list[nn.Module]:
    """Linear maps with an activation between them as modules."""
    kinds: dict[str, type[nn.Module]] = {kind: module for module, kind in ELEMENTWISE.items() if kind}
    if len(weights) > 1 and activation not in kinds:
        raise ValueError(f"expected an activation for a head of {len(weights)} linear maps among {', '.join(kinds)}, got {activation}")
    found: list[nn.Module] = []
    for weight, bias in weights:
        linear = nn.Linear(weight.shape[1], weight.shape[0], bias is not None, dtype=weight.dtype)
        linear.weight.data = weight
        if bias is not None:
            linear.bias.data = bias
        found += [*([kinds[activation or "relu"]()] if found else []), linear]
    return found


# -- the module itself --------------------------------------------------------------------------------------------------------


def _scores(module: nn.Module, tokens: Sequence[int], begin: Sequence[int]) -> Callable[[np.ndarray], torch.Tensor]:
    """The module's scores (batch, length, answers) on words of letter numbers, or (batch, 1, answers) if it says something after the last letter alone."""
    known, before = np.array(tokens), np.array(begin, dtype=np.int64)

    def called(words: np.ndarray) -> torch.Tensor:
        given = np.concatenate([np.tile(before, (len(words), 1)), known[words]], axis=1)
        with torch.no_grad():
            found: Any = module(torch.from_numpy(given))
            found = found[0] if isinstance(found, tuple) else getattr(found, "logits", found)
        size = given.shape
        if found.ndim == 2 and tuple(found.shape) == size:
            found = found[..., None]
        if found.ndim == 2 and len(found) == size[0]:
            found = found[:, None]
        if found.ndim != 3 or len(found) != size[0] or found.shape[1] not in (1, size[1]):
            raise ValueError(
                f"expected scores (batch, length, answers) of words (batch, length), got the shape {tuple(found.shape)} for {tuple(size)}"
            )
        return found[:, len(before) :] if found.shape[1] == size[1] else found

    return called


def _require_alike(program: Program, scores: Callable[[np.ndarray], torch.Tensor], dtype: str, letters: int) -> None:
    """Raises ``ValueError`` unless the program gives the module's scores on random words."""
    words = np.random.default_rng(0).integers(letters, size=(WORDS, LENGTH))
    theirs = scores(words).double().numpy()
    H, at, front = np.tile(program.first, (WORDS, 1)), np.zeros(WORDS, dtype=np.int64), np.array(program.front)
    ours = []
    for t in range(LENGTH):
        at, z = front[at, words[:, t]].T
        H, said = program.step(H, z)
        ours.append(said)
    mine = np.stack(ours, axis=1)[:, -theirs.shape[1] :]
    scale = max(1.0, float(np.abs(mine).max()))
    if mine.shape != theirs.shape or not float(np.abs(mine - theirs).max()) <= DIFFERENCE[dtype] * scale:
        raise ValueError(f"expected a module that does what its parts say ({program.says}), got other scores: it does more than was read")


def _answers(module: nn.Module, scores: Callable[[np.ndarray], torch.Tensor], words: np.ndarray) -> np.ndarray:
    """The module's answers after every letter; ``UNSAID`` where it says nothing."""
    training = module.training
    module.eval()
    try:
        found = scores(words).double().numpy()
    finally:
        module.train(training)
    batch, length, count = found.shape
    out = np.full(words.shape, UNSAID)
    out[:, -length:] = answered(found.reshape(-1, count)).reshape(batch, length)
    return out
