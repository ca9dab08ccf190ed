"""Ends of a diagonal's range that are limits for some weights, by the graph alone: then an eigenvalue at such an end is proved to be reached at the closure."""

from __future__ import annotations

from typing import Any

import torch

from .graph import Graph
from .intervals import Interval
from .operations import MOVING, name_of

#: functions that increase or decrease strictly on all real numbers, and tend to the ends of their values
MONOTONE = ("sigmoid", "tanh", "exp", "softplus", "log_sigmoid", "atan", "expm1", "neg", "log_sigmoid_forward")

#: operations with one number, that keep what is monotone
WITH_A_NUMBER = ("add", "sub", "rsub", "mul", "div", "true_divide")


def sharp(graph: Graph) -> Interval | None:
    """The range of a diagonal transition whose two ends are limits of one entry, for some weights; None where the graph does not show it.

    The state is multiplied once, by a strictly monotone function of a sum with a weight that nothing else reads: a bias, which may be any number.
    """
    if not graph.is_affine or not graph.direct.is_all or len(graph.multipliers) != 1:
        return None
    moved = [n for n in graph.nodes if n.op == "call_function" and graph.degrees[n] != 0]
    # a value that is read twice may cancel: then the ends of its interval are no limits
    if any(len(n.users) > 1 or name_of(n) == "where" for n in moved):
        return None
    node = graph.multipliers[0]
    return graph.direct.factor if node is not None and _is_free(graph, node) else None


def _is_free(graph: Graph, node: Any) -> bool:
    """Whether a node takes all values between the ends of its interval, or comes near them, whatever its other arguments are."""
    if not isinstance(node, torch.fx.Node) or node.op != "call_function":
        return False
    name, arguments = name_of(node), list(node.args)
    if name in ("add", "addmm"):
        terms = arguments[:1] if name == "addmm" else arguments[:2]
        if any(_is_bias(graph, t) for t in terms) and not node.kwargs:
            return True
    if (name in MOVING or name in MONOTONE) and len(node.all_input_nodes) == 1 and not (name == "getitem" and arguments[1] != 0):
        return _is_free(graph, node.all_input_nodes[0])
    if name in WITH_A_NUMBER and len(node.all_input_nodes) == 1 and not node.kwargs:
        number = next((a for a in arguments if isinstance(a, int | float)), 0)
        return number != 0 and _is_free(graph, node.all_input_nodes[0])
    return False


def _is_bias(graph: Graph, node: Any) -> bool:
    """Whether a node is a weight that is read at one place."""
    while isinstance(node, torch.fx.Node) and node.op == "call_function" and name_of(node) in MOVING and len(node.users) == 1:
        node = node.args[0]
    is_weight = isinstance(node, torch.fx.Node) and node.op == "placeholder" and node in graph.weights
    return is_weight and len(node.users) == 1
