"""The traced graph of a step: the degree of its values in the state, and where they lie for all weights and inputs."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.fx.node import map_arg

from .intervals import Interval, point
from .operations import BILINEAR, LINEAR, ORDERED, RANDOM, SHAPED, is_in_place, name_of, shape_of
from .remembered import changed, remembered
from .rules import RULES
from .steps import Refused, Step
from .values import ANYTHING, Value, value_of

#: draws on which a graph must give what its step gives
AGREEING = 3

#: of the weights drawn: larger ones saturate gates, and a transition with zeros looks like one of another kind
SCALE = 0.3


@dataclass(frozen=True)
class Direct:
    """What multiplies each entry of the state on the ways that keep the entry in its place.

    Attributes:
        factor: Where the sum over these ways lies, for all weights and inputs.
        is_all: Whether the state has no other way to this node: then its transition is diagonal.
    """

    factor: Interval
    is_all: bool


#: operations that move entries, and that truth values can be moved by
PICKING = (
    *("view", "reshape", "_unsafe_view", "clone", "slice", "select", "index_select", "cat", "squeeze", "unsqueeze"),
    *("split", "split_with_sizes", "unsafe_split", "unbind", "chunk", "getitem"),
)

NOTHING, OTHERWISE = Direct(point(0), True), Direct(point(0), False)


@dataclass(frozen=True)
class Graph:
    """What PyTorch traced of ``(weights, state, input) -> state``.

    Attributes:
        module: The graph.
        names: The weights, in the order of the placeholders.
    """

    module: torch.fx.GraphModule
    names: tuple[str, ...]

    @cached_property
    def nodes(self) -> list[torch.fx.Node]:
        return list(self.module.graph.nodes)

    @cached_property
    def state(self) -> torch.fx.Node:
        """The placeholder of the state."""
        return self._placeholders[len(self.names)]

    @cached_property
    def weights(self) -> list[torch.fx.Node]:
        """The placeholders of the weights."""
        return self._placeholders[: len(self.names)]

    @cached_property
    def _placeholders(self) -> list[torch.fx.Node]:
        return [n for n in self.nodes if n.op == "placeholder"]

    @cached_property
    def output(self) -> torch.fx.Node:
        """The node that is returned."""
        return next(n for n in self.nodes if n.op == "output").all_input_nodes[0]

    @cached_property
    def degrees(self) -> dict[torch.fx.Node, int | None]:
        """The degree of each node in the state, 0 or 1; None where it is not known to be at most 1."""
        found: dict[torch.fx.Node, int | None] = {}
        reads: dict[torch.fx.Node, Any] = {}
        for node in self.nodes:
            if node.op in ("placeholder", "get_attr"):
                found[node] = 1 if node is self.state else 0
            elif node.op == "call_function":
                found[node] = _degree(node, found)
                if found[node] != 0 and name_of(node) in PICKING:
                    reads[node] = self._picked(node, found, reads)
                    # what is picked may be all from beside the state
                    found[node] = found[node] if _any(reads[node]) else 0
        return found

    def _picked(self, node: torch.fx.Node, degrees: dict[torch.fx.Node, int | None], reads: dict[torch.fx.Node, Any]) -> Any:
        """Which entries of a node that only moves entries may depend on the state: the operation, run on truth values."""

        def entries(n: torch.fx.Node) -> Any:
            if n.op == "get_attr":
                return _attribute(self.module, str(n.target))
            return reads[n] if n in reads else torch.full(shape_of(n), degrees[n] != 0)

        move: Any = node.target
        return move(*map_arg(node.args, entries), **map_arg(node.kwargs, entries))

    @property
    def bends(self) -> str:
        """The first node whose degree in the state is not known to be at most 1; empty if there is none."""
        return next((n.name for n in self.nodes if n in self.degrees and self.degrees[n] is None), "")

    @property
    def is_affine(self) -> bool:
        """Whether the graph proves that the step is affine in its state. It never proves the contrary."""
        return not self.in_place and self.degrees.get(self.output) is not None

    @cached_property
    def constants(self) -> dict[str, Any]:
        """The tensors that the graph takes as they were when it was traced."""
        return {str(n.target): _attribute(self.module, str(n.target)) for n in self.nodes if n.op == "get_attr"}

    @cached_property
    def in_place(self) -> list[str]:
        """Operations that change what they are given, after which no value of the graph is trusted."""
        return sorted({name_of(n) for n in self.nodes if n.op == "call_function" and is_in_place(name_of(n))})

    @cached_property
    def values(self) -> dict[torch.fx.Node, Any]:
        """What is known of each node that does not depend on the state, for all weights and inputs; buffers and constants are as they are."""
        found: dict[torch.fx.Node, Any] = {}
        for node in self.nodes:
            if node.op == "placeholder":
                found[node] = ANYTHING
            elif node.op == "get_attr":
                found[node] = value_of(_attribute(self.module, str(node.target)))
            elif node.op == "call_function":
                found[node] = ANYTHING if self.in_place or self.degrees[node] != 0 else _value(node, found)
        return found

    @cached_property
    def direct(self) -> Direct:
        """What multiplies entries of the state that stay in their places, from the state to the output: bounds, without draws."""
        found: dict[torch.fx.Node, Direct] = {}
        for node in self.nodes:
            if node.op == "call_function":
                found[node] = self._direct(node, found) if self.degrees[node] == 1 else NOTHING
            else:
                found[node] = Direct(point(1), True) if node is self.state else NOTHING
        return OTHERWISE if self.in_place else found[self.output]

    def _direct(self, node: torch.fx.Node, known: dict[torch.fx.Node, Direct]) -> Direct:
        name, given = name_of(node), node.args
        ways = [known[a] if isinstance(a, torch.fx.Node) else NOTHING for a in given]
        if prod(shape_of(node)) != prod(shape_of(self.state)):
            return OTHERWISE
        if name in ORDERED or name == "neg":
            return ways[0] if name != "neg" else Direct(-ways[0].factor, ways[0].is_all)
        if not all(self._is_whole(a) for a in given):
            return OTHERWISE
        if name in ("add", "sub", "rsub"):
            first, second = ways[:2] if name != "rsub" else ways[1::-1]
            scaled = second.factor * value_of(node.kwargs.get("alpha", 1)).entries
            factor = first.factor + scaled if name == "add" else first.factor - scaled
            return Direct(factor, first.is_all and second.is_all)
        if name == "where":
            return Direct(ways[1].factor.hull(ways[2].factor), ways[1].is_all and ways[2].is_all)
        if name in ("mul", "div", "true_divide"):
            i = 0 if isinstance(given[0], torch.fx.Node) and self.degrees[given[0]] == 1 else 1
            by = given[1 - i]
            times = value_of(self.values[by] if isinstance(by, torch.fx.Node) else by).entries
            return Direct(ways[i].factor * (times if name == "mul" else times.inverse()), ways[i].is_all)
        return OTHERWISE

    def _is_whole(self, argument: Any) -> bool:
        """Whether an argument, if it depends on the state, has as many entries as the state: no entry of it is repeated."""
        depends = isinstance(argument, torch.fx.Node) and self.degrees[argument] == 1
        return not depends or prod(shape_of(argument)) == prod(shape_of(self.state))

    @cached_property
    def multipliers(self) -> list[torch.fx.Node | None]:
        """The nodes that multiply values that depend on the state; None for an operation that is no product, sum or move."""
        found: list[torch.fx.Node | None] = []
        for node in self.nodes:
            if node.op != "call_function" or self.degrees[node] == 0 or name_of(node) in LINEAR:
                continue
            if name_of(node) not in (*BILINEAR, "addmm", "addmv", "baddbmm", "div", "true_divide"):
                found.append(None)
                continue
            found += [a for a in node.all_input_nodes if self.degrees[a] == 0]
        return found

    @cached_property
    def unknown(self) -> list[str]:
        """Operations without a rule, whose values may be anything."""
        names = {name_of(n) for n in self.nodes if n.op == "call_function" and self.degrees[n] == 0}
        return sorted(n for n in names if n not in RULES and n not in BILINEAR)

    def run(self, weights: dict[str, torch.Tensor], state: torch.Tensor, x: Any) -> dict[torch.fx.Node, torch.Tensor]:
        """The value of every node that does not depend on the state."""
        seen: dict[torch.fx.Node, torch.Tensor] = {}
        degrees = self.degrees

        class Recorder(torch.fx.Interpreter):
            def run_node(self, n: torch.fx.Node) -> Any:
                value = super().run_node(n)
                if n.op == "call_function" and degrees[n] == 0 and isinstance(value, torch.Tensor) and value.is_floating_point():
                    seen[n] = value.detach().clone()
                return value

        with torch.no_grad():
            Recorder(self.module).run([weights[n] for n in self.names], state, x)
        return seen


def traced(step: Step, seed: int = 0) -> Graph | None:
    """The graph of a step; None where PyTorch cannot trace it.

    Raises :class:`~.steps.Refused` if the step branches on a value, or draws random numbers.
    """
    if step.is_black_box:
        return None
    generator = torch.Generator().manual_seed(seed)
    names = tuple(step.weights)

    def function(weights: list[torch.Tensor], state: torch.Tensor, x: Any) -> torch.Tensor:
        return step(dict(zip(names, weights, strict=True)), state, x)

    state = torch.randn(step.size, generator=generator, dtype=torch.float64).to(step.dtype)
    arguments = ([step.weights[n] for n in names], state, step.draw(generator))
    try:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            module = make_fx(torch.func.functionalize(function))(*arguments)
    except RuntimeError as why:
        if "get value out of a tracing tensor" in str(why) or "data-dependent" in str(why):
            raise Refused(
                f"expected a step without a branch on a value, got {step.name}, which reads one: probe one letter at a time"
            ) from why
        return None
    drawn = sorted({name_of(n) for n in module.graph.nodes if n.op == "call_function"} & set(RANDOM))
    if drawn:
        raise Refused(f"expected a step without random numbers, got {', '.join(drawn)} in {step.name} (in train mode? try eval())")
    graph = Graph(module, names)
    _require_the_same(step, graph, generator)
    return graph


def _require_the_same(step: Step, graph: Graph, generator: torch.Generator) -> None:
    """On other weights, states and inputs the graph gives what the step gives, and no call changes what is constant in the graph."""
    before = remembered(graph.constants)
    for _ in range(AGREEING):
        weights, x = step.drawn_weights(generator, SCALE), step.draw(generator)
        state = torch.randn(step.size, generator=generator, dtype=torch.float64).to(step.dtype)
        with torch.no_grad():
            wanted = step(weights, state, x)
            got = torch.fx.Interpreter(graph.module).run(*(weights[n] for n in graph.names), state, x)
        if not torch.allclose(got, wanted, rtol=1e3 * torch.finfo(step.dtype).eps, equal_nan=True):
            raise Refused(f"expected a step that its traced graph repeats, got another state on a draw: {step.name} branches unseen")
    if changed(before, remembered(graph.constants)):
        raise Refused(f"expected constants that no call changes, got a call of {step.name} that changes one")


def _attribute(module: Any, path: str) -> Any:
    for part in path.split("."):
        module = getattr(module, part)
    return module


def _arguments(node: torch.fx.Node) -> list[torch.fx.Node]:
    return list(node.all_input_nodes)


def _degree(node: torch.fx.Node, known: dict[torch.fx.Node, int | None]) -> int | None:
    name, degrees = name_of(node), [known[a] for a in _arguments(node)]
    if name in SHAPED or all(d == 0 for d in degrees):
        return 0
    if None in degrees:
        return None
    if name in LINEAR:
        return 1
    if name in BILINEAR:
        return _product(node.args[:2], known)
    if name in ("addmm", "addmv", "baddbmm"):
        return _product(node.args[1:3], known)
    if name in ("div", "true_divide"):
        below = node.args[1]
        divides = isinstance(below, torch.fx.Node) and known[below] != 0
        return None if divides or node.kwargs.get("rounding_mode") else 1
    if name == "where":
        condition = node.args[0]
        return None if isinstance(condition, torch.fx.Node) and known[condition] != 0 else 1
    return None


def _any(entries: Any) -> bool:
    return any(map(_any, entries)) if isinstance(entries, tuple | list) else bool(entries.any())


def _product(factors: Any, known: dict[torch.fx.Node, int | None]) -> int | None:
    total = sum(known[f] or 0 for f in factors if isinstance(f, torch.fx.Node))
    return total if total <= 1 else None


def _value(node: torch.fx.Node, known: dict[torch.fx.Node, Any]) -> Any:
    apply = RULES.get(name_of(node))
    if apply is None:
        return ANYTHING
    given = map_arg(node.args, lambda n: known[n])
    options = {k: v for k, v in node.kwargs.items() if k in ("alpha", "min", "max", "rounding_mode")}
    if any(isinstance(v, torch.fx.Node) for v in options.values()):
        return ANYTHING
    first = given[0] if given else None
    if not isinstance(first, Value | tuple | list | int | float) and first is not None:
        return ANYTHING
    return apply(*given, **options, node=node)
