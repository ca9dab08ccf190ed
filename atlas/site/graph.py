"""A topic's claims and what they rest on, drawn in layers: what is used stands left of what uses it (Sugiyama's method, with networkx)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import networkx as nx

from ...theorems.ledger import Entry, ledger

#: pixels: of a letter of the larger line, of a claim's box, between boxes, between layers
LETTER, HEIGHT, GAP, BETWEEN = 6.7, 34, 8, 56

#: how often the order within the layers is improved
SWEEPS = 12

#: an id, or a bend of an edge: (from, to, layer)
Node = str | tuple[str, str, int]


@dataclass(frozen=True)
class Box:
    """A claim in the drawing; ``foreign`` if it belongs to another topic."""

    entry: Entry
    x: float
    y: float
    width: float
    foreign: bool


@dataclass(frozen=True)
class Arrow:
    """From what is used to what uses it: ``path`` is an SVG path, ``kind`` "uses", "about" or "repairs"."""

    kind: str
    path: str


@dataclass(frozen=True)
class Drawing:
    """Boxes and arrows, and the claims that nothing connects."""

    width: float
    height: float
    boxes: list[Box]
    arrows: list[Arrow]
    alone: list[Entry]


def connections(topic: str) -> dict[tuple[str, str], str]:
    """(what is used, what uses it) -> "uses", "about" (a finding of its statement) or "repairs", for the claims of a topic."""
    out: dict[tuple[str, str], str] = {}
    for e in ledger().values():
        if e.topic == topic:
            related = [(e.of, "about"), (e.amends, "repairs"), *((id, "uses") for id in e.uses)]
            out |= {(id, e.id): kind for id, kind in related if id}
    return out


def drawing(topic: str) -> Drawing:
    """The graph of a topic."""
    edges = connections(topic)
    plan = layout(edges, _width)
    boxes = [Box(ledger()[id], x, y, _width(id), ledger()[id].topic != topic) for id, (x, y) in plan.places.items()]
    arrows = [Arrow(edges[edge], path) for edge, path in plan.paths.items()]
    alone = [e for e in ledger().values() if e.topic == topic and e.id not in plan.places]
    return Drawing(plan.width, plan.height, boxes, arrows, alone)


@dataclass(frozen=True)
class Layout:
    """Where boxes of a graph stand, by their upper left corners, and the SVG path of each edge."""

    width: float
    height: float
    places: dict[str, tuple[float, float]]
    paths: dict[tuple[str, str], str]


def layout(edges: Iterable[tuple[str, str]], width: Callable[[str], float]) -> Layout:
    """Places for what the edges connect, its connected parts below each other, the largest first; ``width`` is that of a box."""
    edges = list(edges)
    parts = sorted(nx.weakly_connected_components(nx.DiGraph(edges)), key=lambda part: (-len(part), min(part)))
    places, paths, top, widest = {}, {}, 0.0, 0.0
    for part in parts:
        inner = nx.DiGraph([(a, b) for a, b in edges if a in part])  # in the order given, which a view of the graph would not keep
        corners, bends = _arranged(inner, width)
        below = max(y for points in [corners.values(), *bends.values()] for _, y in points) + HEIGHT
        places |= {id: (x, y + top) for id, (x, y) in corners.items()}
        paths |= {edge: _path([(x, y + top) for x, y in points]) for edge, points in bends.items()}
        top, widest = top + below + 2 * GAP, max(widest, *(x + width(id) for id, (x, _) in corners.items()))
    return Layout(widest + 2, top, places, paths)


def words_of(e: Entry) -> tuple[str, str]:
    """The two lines of a box: the id without its paper, then the paper and the verdict or the class of what is wrong."""
    return e.id.removeprefix(f"{e.paper}."), f"{e.paper} · {e.verdict}{f', {e.fault}' if e.fault else ''}"


@cache
def _width(id: str) -> float:
    first, second = words_of(ledger()[id])
    return round(max(len(first) * LETTER, len(second) * 6.2) + 16)


def _arranged(
    part: nx.DiGraph, width: Callable[[str], float]
) -> tuple[dict[str, tuple[float, float]], dict[tuple[str, str], list[tuple[float, float]]]]:
    """Upper left corners of the boxes, and the points that each edge goes through."""
    level = _levels(part)
    layers: list[list[Node]] = [[] for _ in range(max(level.values()) + 1)]
    for id in part:
        layers[level[id]].append(id)
    chains = {}
    for a, b in part.edges:
        inner = [(a, b, k) for k in range(level[a] + 1, level[b])]
        for bend in inner:
            layers[bend[2]].append(bend)
        chains[a, b] = [a, *inner, b]
    beside: dict[Node, list[Node]] = {x: [] for layer in layers for x in layer}
    for chain in chains.values():
        for x, y in pairwise(chain):
            beside[x].append(y)
            beside[y].append(x)
    heights = _heights(layers, beside)
    widths = [max(width(x) if isinstance(x, str) else 0 for x in layer) for layer in layers]
    starts = [sum(widths[:k]) + k * BETWEEN + 1 for k in range(len(layers))]
    places = {id: (starts[level[id]], heights[id]) for id in part}
    bends = {}
    for (a, b), chain in chains.items():
        if level[a] >= level[b]:  # closes a circle: straight back
            bends[a, b] = [(places[a][0], heights[a] + HEIGHT / 2), (places[b][0] + width(b), heights[b] + HEIGHT / 2)]
            continue
        # along its row to the end of the layer first, so that it crosses no box below
        points = [(places[a][0] + width(a), heights[a] + HEIGHT / 2), (starts[level[a]] + widths[level[a]], heights[a] + HEIGHT / 2)]
        for x in chain[1:-1]:
            points += [(starts[x[2]], heights[x] + HEIGHT / 2), (starts[x[2]] + widths[x[2]], heights[x] + HEIGHT / 2)]
        bends[a, b] = [*points, (places[b][0], heights[b] + HEIGHT / 2)]
    return places, bends


def _levels(part: nx.DiGraph) -> dict[str, int]:
    """The layer of each claim: one more than the deepest that it rests on; one that rests on nothing stands just before what uses it.

    An edge that would close a circle points back and does not count.
    """
    dag = nx.DiGraph()
    dag.add_nodes_from(part)
    for a, b in part.edges:
        if not nx.has_path(dag, b, a):
            dag.add_edge(a, b)
    level = {id: k for k, layer in enumerate(nx.topological_generations(dag)) for id in layer}
    return level | {id: min(level[x] for x in dag.successors(id)) - 1 for id in dag if dag.in_degree(id) == 0}


def _heights(layers: list[list[Node]], beside: dict[Node, list[Node]]) -> dict[Node, float]:
    """Upper edges, such that neighbours stand near each other and nothing overlaps."""
    at: dict[Node, float] = {x: i * (HEIGHT + GAP) for layer in layers for i, x in enumerate(layer)}
    for sweep in range(SWEEPS):
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            wanted = {x: sum(at[y] for y in beside[x]) / len(beside[x]) if beside[x] else at[x] for x in layer}
            layer.sort(key=lambda x: (wanted[x], str(x)))
            at |= zip(
                layer, _apart([wanted[x] for x in layer], [HEIGHT + GAP if isinstance(x, str) else 3 * GAP for x in layer]), strict=True
            )
    least = min(at.values())
    return {x: round(y - least + 1, 1) for x, y in at.items()}


def _apart(wanted: list[float], needs: list[float]) -> list[float]:
    """Places in this order, each at least its need above the next, near what is wanted: the mean of pushing down and pushing up."""
    down, up = wanted[:], wanted[:]
    for i in range(1, len(wanted)):
        down[i] = max(down[i], down[i - 1] + needs[i - 1])
    for i in reversed(range(len(wanted) - 1)):
        up[i] = min(up[i], up[i + 1] - needs[i])
    return [(a + b) / 2 for a, b in zip(down, up, strict=True)]


def _path(points: list[tuple[float, float]]) -> str:
    """A line through the points that leaves and enters every box sideways."""
    out: list[str] = [f"M{points[0][0]:g} {points[0][1]:g}"]
    curve: Callable[[float, float, float, float], str] = lambda x, y, u, v: f"C{(x + u) / 2:g} {y:g} {(x + u) / 2:g} {v:g} {u:g} {v:g}"  # noqa: E731
    for (x, y), (u, v) in pairwise(points):
        out.append(f"H{u:g}" if y == v else curve(x, y, u, v))
    return "".join(out)
