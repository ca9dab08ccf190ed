"""Drawings of compiled networks: the cascade behind one, and the states that its layers reach."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ..constructions.automata import Cascade, Network
from ..constructions.automata.levels.repaired import vertex
from ..constructions.automata.prove.closure import LayerClosure
from ..numerics.exact import as_float
from ..theorems.files import write_whole
from . import style

#: layers drawn, and classes of sets; what is left out is said in the title
MOST_LAYERS, MOST_CLASSES = 6, 60


def draw_network(network: Network, path: Path) -> None:
    """The cascade above the states of the layers, or the states alone, as a PNG or SVG file, by its name.

    Raises ``ValueError`` for another kind of file.
    """
    write_whole(path, drawn(network, picture_kind(path)))


def drawn(network: Network, kind: str) -> bytes:
    """The picture in a format of matplotlib's."""
    buffer = BytesIO()
    with style.styled():
        picture(network).savefig(buffer, format=kind, dpi=160)
    return buffer.getvalue()


def picture_kind(path: Path) -> str:
    """ "png" or "svg", by the name of a file. Raises ``ValueError`` for another ending."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in ("png", "svg"):
        raise ValueError(f"expected a name ending in .png or .svg, got {str(path)!r}")
    return kind


@style.styled()
def picture(network: Network) -> Figure:
    """The figure that :func:`draw_network` writes."""
    layers = network.proof[:MOST_LAYERS]
    shown = f", the first {len(layers)} drawn" if len(layers) < len(network.proof) else ""
    plural = "s" * (len(network.widths) > 1)
    title = (
        f"{_count(network.automaton.n, 'state')} in {_count(len(network.proof), 'layer')} of width{plural} {_few(network.widths)}{shown}"
    )
    cascade = network.cascade if network.cascade and network.cascade.skeleton and len(network.cascade.sizes) > 0 else None
    columns = min(len(layers), 3)
    rows = -(-len(layers) // columns)
    height = min(1.1 * len(cascade.sizes) + 1, 12) if cascade else 0
    figure = style.new_figure(title, max(3.6 * columns, 7.5), 3.4 * rows + height)
    grid = figure.add_gridspec(rows + bool(cascade), columns, height_ratios=[*([height] if cascade else []), *([3.4] * rows)])
    if cascade:
        draw_cascade(cascade, figure.add_subplot(grid[0, :]))
    for k, closure in enumerate(layers):
        draw_states(closure, figure.add_subplot(grid[bool(cascade) + k // columns, k % columns]), f"layer {k + 1}")
    return figure


def draw_cascade(cascade: Cascade, ax: Axes) -> None:
    """The skeleton as a graph: a box for each class of sets, one row for each level, arrows to the classes of its tiles.

    A box names a representative, how many sets are equivalent to it, and the order of the holonomy group that permutes its tiles.
    Raises ``ValueError`` for a cascade that was not found by holonomy.
    """
    skeleton = cascade.skeleton
    if skeleton is None:
        raise ValueError("expected a cascade by krohn_rhodes, got one without a skeleton")
    groups, number = skeleton.groups(), {X: members[0] for members in skeleton.classes for X in members}
    rows: dict[int, list] = {}
    for members in skeleton.classes[:MOST_CLASSES]:
        rows.setdefault(cascade.level(members[0]), []).append(members)
    positions = {m[0]: ((i + 0.5) / len(row), -level) for level, row in rows.items() for i, m in enumerate(row)}
    graph = nx.DiGraph((X, number[T]) for X in positions for T in skeleton.tiles[X] if number[T] in positions)
    for near in (True, False):
        # arrows that pass a level bend around its boxes
        edges = [(X, Y) for X, Y in graph.edges if (cascade.level(Y) - cascade.level(X) == 1) == near]
        look = {"connectionstyle": "arc3" if near else "arc3,rad=0.3", "min_source_margin": 11, "min_target_margin": 13, "arrowsize": 9}
        nx.draw_networkx_edges(graph, positions, edges, ax=ax, edge_color="#888888", width=0.9, hide_ticks=False, node_size=0, **look)
    for members in skeleton.classes[:MOST_CLASSES]:
        X = members[0]
        order = int(groups[X].order()) if X in groups else 1
        colour = style.BLUE if order > 1 else "#555555"
        more = f" ~ {len(members) - 1} more" if len(members) > 1 else ""
        text = f"{_set(cascade, X)}{more}" + (f"\ngroup of order {order}" if order > 1 else "")
        ax.text(
            *positions[X], text, ha="center", va="center", fontsize=9, color=colour, bbox={"boxstyle": "round", "fc": "white", "ec": colour}
        )
    top = len(cascade.sizes)
    ax.set(xlim=(0, 1), ylim=(-top - 0.5, 0.5), xticks=[], yticks=[-k for k in range(top + 1)])
    ax.set_yticklabels([*(f"level {k + 1}: {size} states" for k, size in enumerate(cascade.sizes)), "single states"])
    ax.tick_params(length=0)
    ax.grid(False)
    ax.spines[:].set_visible(False)
    left_out = len(skeleton.classes) - MOST_CLASSES
    ax.set_title(
        "sets of states, the tiles that cover them, and the groups that permute tiles"
        + (f" ({left_out} classes left out)" if left_out > 0 else "")
    )


def draw_states(closure: LayerClosure, ax: Axes, title: str) -> None:
    """The states that a layer reaches, and how its affine maps move them.

    A level of a cascade is drawn with its simplex as a polygon: the corner is the level's state, the distance from the centre the
    spare coordinate, which holds the old one. Other states are seen along their two principal axes. Maps with B = 0 move, others reset.
    """
    plane, axes = _polygon(closure) or _principal_axes(closure)
    kinds: dict[str, set[tuple[int, int]]] = {}
    for (i, f), j in closure.move.items():
        kinds.setdefault("reset" if any(x != 0 for x in closure.maps[f][1].flat) else "move", set()).add((i, j))
    colours = {"move": style.BLUE, "reset": style.VERMILION}
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(plane)))
    for kind, found in kinds.items():
        edges = sorted(e for e in found if e[0] != e[1])
        look = {"width": 1.0 if len(edges) < 100 else 0.4, "arrowsize": 7, "alpha": 0.7, "connectionstyle": "arc3,rad=0.12"}
        nx.draw_networkx_edges(
            graph, dict(enumerate(plane)), edges, ax=ax, edge_color=colours[kind], node_size=50, hide_ticks=False, **look
        )
    ax.scatter(*plane.T, s=26 if len(plane) < 80 else 10, color="black", zorder=3)
    ax.scatter(*plane[0], s=110, facecolors="none", edgecolors=style.GREEN, linewidths=2, zorder=4)
    handles = [Line2D([], [], marker="o", mfc="none", mec=style.GREEN, mew=2, ls="", label="start")]
    handles += [Line2D([], [], color=colours[kind], label=kind) for kind in colours if kind in kinds]
    ax.legend(handles=handles, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=3)
    ax.set(xlabel=axes[0], ylabel=axes[1], title=f"{title}: {_count(len(plane), 'state')}, {_count(len(closure.maps), 'map')}")
    ax.margins(0.15)
    ax.set_aspect("equal", adjustable="datalim")
    # directions, not lengths, are what is drawn
    ax.set(xticks=[], yticks=[])


def _polygon(closure: LayerClosure) -> tuple[np.ndarray, tuple[str, str]] | None:
    """Positions of the states of a level, which are v_q + s 1; None for states of another kind."""
    m = len(closure.states[0])
    placed = []
    for H in closure.states:
        spare = sum(H[:, 0]) / m
        corner = [q for q in range(m) if np.array_equal(H - spare, vertex(m, q))]
        if m < 2 or not corner:
            return None
        if m == 2:
            placed.append((2.0 * corner[0] - 1, 2 * float(spare)))
            continue
        # the spare codes lie strictly between -1 and 1
        radius, angle = 1 + 0.6 * float(spare), 2 * np.pi * corner[0] / m + np.pi / 2
        placed.append((radius * np.cos(angle), radius * np.sin(angle)))
    return np.array(placed), ("left, right: the state", "spare coordinate") if m == 2 else (
        "corner: state of the level",
        "radius: spare coordinate",
    )


def _principal_axes(closure: LayerClosure) -> tuple[np.ndarray, tuple[str, str]]:
    points = np.array([as_float(H)[:, 0] for H in closure.states])
    centred = points - points.mean(0)
    axes = np.linalg.svd(centred, full_matrices=False)[2][:2]
    # a reproducible picture: the largest entry of each axis counts as positive
    axes = axes * np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(1)])[:, None]
    plane = np.zeros((len(points), 2))
    plane[:, : len(axes)] = centred @ axes.T
    return plane, ("first principal axis", "second")


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"


def _set(cascade: Cascade, X: frozenset[int]) -> str:
    names = [str(cascade.automaton.name(q)) for q in sorted(X)]
    text = "{" + ", ".join(names) + "}"
    return text if len(text) <= 24 else f"{len(X)} states"


def _few(widths: list[int]) -> str:
    return ", ".join(map(str, widths)) if len(widths) <= 8 else ", ".join(map(str, widths[:7])) + ", ..."
