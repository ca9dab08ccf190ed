"""Edits of a layer, the smallest first: each gives the step of an edited copy, so that a probe can say what it changes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch

from .graph import SCALE, Graph
from .intervals import Interval, point
from .operations import name_of
from .ranges import Range
from .report import Findings
from .steps import SHORT, Earlier, Refused, Step, Weights

UNIT, TWICE = Interval(point(0).low, point(1).low), Interval(point(0).low, point(2).low)

#: arguments of layers of flash-linear-attention that change a class of transitions: the name, and the next value
OPTIONS: dict[str, Callable[[Any], Any]] = {
    "allow_neg_eigval": lambda now: True if now is False else None,
    "use_short_conv": lambda now: True if now is False else None,
    "num_householder": lambda now: now + 1 if isinstance(now, int) else None,
}

#: operations that bound what they are given first
CLAMPS = ("clamp", "clip", "clamp_min", "clamp_max", "hardtanh", "minimum", "maximum")

#: what multiplies the erased part: numbers of :class:`~.ranges.Range`, by the kind of matrix
STRENGTHS = {"a (I - beta k k^T)": ("beta",), "diagonal plus rank one": ("beta", "b", "a"), "a I - beta k p^T": ("beta",)}

DELTA = "a (I - beta k k^T)"


@dataclass(frozen=True)
class Edit:
    """An edit of a layer.

    Attributes:
        says: What to change, in a line.
        step: Makes the step of an edited copy; raises :class:`~.steps.Refused` or ``TypeError`` where the copy cannot be made.
    """

    says: str
    step: Callable[[], Step]


def edits(found: Findings) -> Iterator[Edit]:
    """Edits that may change the class of a layer, the smallest first: an option, a number in its code, a delay, one more factor."""
    if not found.is_affine or found.driver is not None:
        return
    options = list(_options(found.step))
    shorter = [e for e in options if "num_householder" not in e.says]
    yield from shorter
    if found.graph is not None and not found.step.factors:
        yield from _in_the_graph(found.step, found.graph, found.ranges or [])
    if not found.step.earlier and not shorter[-1:] and _layer_of(found.step) is None:
        yield from _delay(found.step)
    yield from (e for e in options if e not in shorter)
    if found.kinds == {DELTA} and not found.step.factors:
        yield from _one_more_factor(found.step)


# -- options of a class ----------------------------------------------------------------------------------------------------------------


def _options(step: Step) -> Iterator[Edit]:
    from .flash import step_of_layer

    layer = _layer_of(step)
    if layer is None:
        return
    hidden: Any = step.module
    for name, following in OPTIONS.items():
        value = following(getattr(layer, name, None))
        if value is not None:
            yield Edit(
                f"set {name}={value}",
                lambda name=name, value=value: step_of_layer(rebuilt(layer, {name: value}), hidden.hidden, step.dtype, step.name),
            )


def _layer_of(step: Step) -> torch.nn.Module | None:
    """The layer of flash-linear-attention that a step stands for."""
    from .cached import Cached
    from .flash import Contracted

    return step.module.layer if isinstance(step.module, Contracted | Cached) else None


def rebuilt(layer: torch.nn.Module, changes: Mapping[str, Any]) -> torch.nn.Module:
    """A layer made anew by its class, from the arguments that it keeps as attributes, with some of them changed; its weights are drawn.

    Raises :class:`~.steps.Refused` if these arguments do not give weights of the layer's own shapes.
    """
    kind: Any = type(layer)
    names = [n for n in inspect.signature(kind.__init__).parameters if n not in ("self", "args", "kwargs")]
    kept = {n: getattr(layer, n) for n in names if hasattr(layer, n) and not isinstance(getattr(layer, n), torch.nn.Module | torch.Tensor)}
    same: torch.nn.Module = kind(**kept)
    shapes = [{n: w.shape for n, w in m.named_parameters()} for m in (layer, same)]
    if shapes[0] != shapes[1]:
        raise Refused(f"expected a layer that its attributes give again, got weights of other shapes: {type(layer).__name__}")
    return kind(**(kept | dict(changes))).eval()


# -- numbers in the code ----------------------------------------------------------------------------------------------------------------


def _in_the_graph(step: Step, graph: Graph, ranges: list[Range]) -> Iterator[Edit]:
    """Changes of one node of the traced graph."""
    nodes = {n.name: n for n in graph.nodes}
    for r in ranges:
        node = nodes.get(r.node)
        if node is None:
            continue
        # a node may hold the negative of the number
        sign = 1 if graph.values[node].entries == r.interval else -1
        if name_of(node) in CLAMPS:
            yield Edit(f"drop the bound of {r.name} (node {r.node})", lambda n=r.node: _edited(step, graph, n, None))
        if r.name in STRENGTHS.get(r.kind, ()) and _within(r.interval, UNIT):
            yield Edit(f"multiply {r.name} by 2 (node {r.node})", lambda n=r.node: _edited(step, graph, n, lambda v: 2 * v))
        if r.name in STRENGTHS.get(r.kind, ()) and _within(r.interval, TWICE) and not _within(r.interval, UNIT):
            yield Edit(f"halve {r.name} (node {r.node})", lambda n=r.node: _edited(step, graph, n, lambda v: 0.5 * v))
        if r.name == "diagonal entries" and _within(r.interval, UNIT):
            says = f"put 2 a - 1 in place of the diagonal entries a (node {r.node})"
            yield Edit(says, lambda n=r.node, s=sign: _edited(step, graph, n, lambda v: 2 * v - s))
        if r.name == "|k|^2" and not _within(r.interval, UNIT):
            says = f"divide the keys by their norm (node {r.node})"
            yield Edit(says, lambda n=r.node: _edited(step, graph, n, lambda v: torch.nn.functional.normalize(v, dim=-1)))


def _within(x: Interval, y: Interval) -> bool:
    return y.low <= x.low and x.high <= y.high


def _edited(step: Step, graph: Graph, name: str, change: Callable[[torch.Tensor], torch.Tensor] | None) -> Step:
    """The step with another value of a node; with what the node is given first, for no change."""

    class Edited(torch.fx.Interpreter):
        def run_node(self, n: torch.fx.Node) -> Any:
            if n.name == name:
                return self.fetch_args_kwargs_from_env(n)[0][0] if change is None else change(super().run_node(n))
            return super().run_node(n)

    def call(weights: Weights, state: torch.Tensor, x: Any) -> torch.Tensor:
        return Edited(graph.module).run(*(weights[n] for n in graph.names), state.reshape(-1), x)

    return replace(step, call=call, many=None)


# -- more of the same layer -------------------------------------------------------------------------------------------------------------


def _delay(step: Step) -> Iterator[Edit]:
    """A short convolution of two tokens before the layer, channel by channel."""
    x = step.draw(torch.Generator().manual_seed(0))
    if isinstance(x, torch.Tensor) and x.is_floating_point() and x.ndim:
        yield Edit("read the token before as well, by a short convolution of width 2", lambda: delayed(step, tuple(x.shape)))


def delayed(step: Step, shape: tuple[int, ...]) -> Step:
    """The step of a layer behind a short convolution of width 2, whose input is the token before and the token (2, *shape)."""
    name = "convolution"
    taps = torch.full((2, *shape), 0.5, dtype=step.dtype)

    def call(weights: Weights, state: torch.Tensor, x: Any) -> torch.Tensor:
        rest = {n: w for n, w in weights.items() if n != name}
        return step(rest, state.reshape(-1), (weights[name] * x).sum(0))

    def draw(generator: torch.Generator) -> torch.Tensor:
        return torch.stack([step.draw(generator), step.draw(generator)])

    made = replace(step, weights=step.weights | {name: taps}, draw=draw, call=call, many=None)
    return replace(made, earlier=(Earlier(1, (SHORT,)),)) if _reads_the_first(made) else made


def _reads_the_first(step: Step) -> bool:
    generator = torch.Generator().manual_seed(5)
    x, y, state = step.draw(generator), step.draw(generator), torch.zeros(step.size, dtype=step.dtype)
    with torch.no_grad():
        return not torch.equal(step(step.weights, state, x), step(step.weights, state, torch.stack([y[0], x[1]])))


def _one_more_factor(step: Step) -> Iterator[Edit]:
    """The layer twice for each token, with weights of its own the second time, or with an input of its own if it has no weights."""
    x = step.draw(torch.Generator().manual_seed(0))
    if step.weights or isinstance(x, torch.Tensor):
        yield Edit("take one more factor: a second key and beta for each token", lambda: doubled(step))


def doubled(step: Step) -> Step:
    """The step of two micro-steps."""

    def call(weights: Weights, state: torch.Tensor, x: Any) -> torch.Tensor:
        first, second = ({n: weights[f"{part}.{n}"] for n in step.weights} for part in ("first", "second"))
        inputs = (x, x) if step.weights else (x[0], x[1])
        return step(second, step(first, state.reshape(-1), inputs[0]), inputs[1])

    both = {"first": step.weights, "second": step.drawn_weights(torch.Generator().manual_seed(6), SCALE)}
    weights = {f"{part}.{n}": w for part, own in both.items() for n, w in own.items()}
    draw = step.draw if step.weights else lambda generator: torch.stack([step.draw(generator), step.draw(generator)])
    return replace(step, weights=weights, draw=draw, call=call, many=None, factors=(step, step))
