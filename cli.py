"""The command line: ``lemmata verify | list | show | witness | recheck | figures | compile | sweep``.

Tables go to standard output, progress to standard error; ``--json`` prints JSON only. Exit codes: 0 as expected, 1 a verdict
differs from the pinned one, 2 bad input or a rejected certificate, 130 interrupted (what was done is printed and kept).
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
from collections import Counter
from enum import StrEnum
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.markup import escape
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from .constructions.automata import (
    Cascade,
    Network,
    compile_cascade,
    compile_cyclic,
    compile_group,
    compile_one_hot,
    excluded_states,
    krohn_rhodes,
)
from .constructions.automata.precision import DATA_TYPES, guaranteed_length, precision
from .constructions.automata.sources import from_json, from_regex, named_group
from .constructions.automata.tasks import TASKS
from .theorems import TOPICS, claims, to_json, verify
from .theorems.certificates import write_certificates
from .theorems.claim import Claim
from .theorems.files import write_whole
from .theorems.ledger import ledger
from .theorems.recheck import Rejected, check_file, files_of
from .theorems.records import Record, pin

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="The theory of linear recurrent networks as claims that are checked, attacked and re-checked.",
)
out = Console()
err = Console(stderr=True)

STYLE = {"PROVED": "bold green", "CHECKED": "green", "REFUTED": "magenta", "CITED": "blue", "OPEN": "yellow"}


class Effort(StrEnum):
    """How many and how large the instances are."""

    quick = "quick"
    standard = "standard"
    thorough = "thorough"


Ids = Annotated[list[str] | None, typer.Argument(help="Claim ids; all claims if none is given.", show_default=False)]
Papers = Annotated[list[str] | None, typer.Option("--paper", help="Only claims of this paper; may be repeated.")]
Topics = Annotated[list[str] | None, typer.Option("--topic", help="Only claims of this topic; may be repeated.")]
EffortOption = Annotated[Effort, typer.Option(help="Number and size of the instances.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]


@app.command("verify")
def verify_command(
    ids: Ids = None,
    paper: Papers = None,
    topic: Topics = None,
    effort: EffortOption = Effort.standard,
    jobs: Annotated[int, typer.Option(min=1, help="Number of processes.")] = 1,
    sabotage: Annotated[bool, typer.Option("--sabotage", help="Also break every claim on purpose and see that it is noticed.")] = False,
    certificates: Annotated[Path | None, typer.Option(help="Write certificates into this directory.")] = None,
    as_json: Json = False,
) -> None:
    """Check claims and compare their verdicts with the pinned ones; exit 0 only if all agree."""
    if certificates is not None and certificates.exists() and not certificates.is_dir():
        raise ValueError(f"expected a directory for certificates, got the file {str(certificates)!r}")
    chosen = claims(ids, paper, topic)
    records: list[Record] = []
    interrupted = False
    with progress("verifying", len(chosen)) as advance:

        def keep(one: Record) -> None:
            records.append(one)
            if certificates is not None:
                write_certificates(one, certificates)
            advance(one.id)

        try:
            verify([c.id for c in chosen], effort.value, jobs=jobs, sabotage=sabotage, on_record=keep)
        except KeyboardInterrupt:
            interrupted = True
    order = [c.id for c in chosen]
    records.sort(key=lambda r: order.index(r.id))
    if as_json:
        print(to_json(records))
    else:
        print_ledger(records, sabotage)
        if certificates is not None:
            count = sum(len(r.certificates) for r in records)
            out.print(f"{count} certificates in {escape(str(certificates))}; check them with: lemmata recheck {escape(str(certificates))}")
    if interrupted:
        print(f"interrupted: {len(records)} of {len(chosen)} claims were decided", file=sys.stderr, flush=True)
        sys.stdout.flush()
        # leave at once: CPython's own clean-up of a stopped process pool can fail noisily at exit
        os._exit(130)
    raise typer.Exit(0 if all(r.as_expected for r in records) else 1)


def print_ledger(records: list[Record], sabotage: bool) -> None:
    """The table of records with a summary line, and the reasons for whatever was not expected."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in ("claim", "says", "verdict", "how", "scope"):
        table.add_column(name, overflow="fold", ratio={"claim": 4, "says": 9, "verdict": None, "how": None, "scope": 6}[name])
    if sabotage:
        table.add_column("sabotages")
    table.add_column("time", justify="right")
    for r in records:
        verdict = Text(r.verdict, STYLE[r.verdict]) if r.as_expected else Text(f"{r.verdict}, not {r.expected}", "bold red")
        cells = [Text(r.id), Text(r.title), verdict, Text(r.how), Text(r.scope)]
        if sabotage:
            caught = sum(bool(x) for x in r.sabotages.values())
            cells.append(Text(f"{caught}/{len(r.sabotages)} caught", "" if caught == len(r.sabotages) else "bold red"))
        table.add_row(*cells, f"{r.seconds:.2f} s")
    out.print(table)
    for r in records:
        if not r.as_expected:
            reasons = r.reasons + [f"sabotage not noticed: {name}" for name, caught in r.sabotages.items() if caught is False]
            reasons = reasons or [f"pinned as {r.expected}, {r.expected_how}; came out as {r.verdict}, {r.how}"]
            err.print(Text(f"{r.id}: " + "; ".join(reasons), "red"))
    counts = {v: sum(r.verdict == v for r in records) for v in STYLE}
    summary = ", ".join(f"{n} {v}" for v, n in counts.items() if n)
    agree = "all as expected" if all(r.as_expected for r in records) else f"{sum(not r.as_expected for r in records)} NOT as expected"
    out.print(f"\n{len(records)} claims: {summary or 'none'}; {agree}; {sum(r.seconds for r in records):.1f} s")


@app.command("list")
def list_command(paper: Papers = None, topic: Topics = None, as_json: Json = False) -> None:
    """List the claims with their sources and pinned verdicts, without checking them."""
    chosen = claims(None, paper, topic)
    if as_json:
        print(json.dumps([_card(c) for c in chosen], indent=2, ensure_ascii=False))
        return
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in ("claim", "kind", "place", "says", "pinned"):
        table.add_column(name, overflow="fold")
    for c in chosen:
        verdict = ledger()[c.id].verdict
        table.add_row(Text(c.id), c.kind, Text(c.source.place), Text(c.title), Text(verdict, STYLE.get(verdict, "")))
    out.print(table)
    out.print(f"\n{len(chosen)} claims; why one holds: lemmata show ID; a counterexample: lemmata witness ID")


def _card(c: Claim) -> dict[str, Any]:
    verdict, how = ledger()[c.id].verdict, ledger()[c.id].how
    return {
        "id": c.id,
        "paper": c.paper,
        "topic": c.topic,
        "kind": c.kind,
        "source": str(c.source),
        "title": c.title,
        "says": c.says,
        "hypotheses": list(c.hypotheses),
        "uses": list(c.uses),
        "amends": c.amends,
        "reading": c.reading,
        "construction": c.construction,
        "argument": c.argument,
        "sabotages": list(c.sabotages),
        "pinned": {"verdict": verdict, "how": how},
    }


@app.command("show")
def show_command(
    id: Annotated[str, typer.Argument(help="A claim id; see lemmata list.")], effort: EffortOption = Effort.standard, as_json: Json = False
) -> None:
    """Show one claim: statement, source, hypotheses, the argument, what it uses, and the evidence (which is gathered now)."""
    (c,) = claims([id])
    (r,) = verify([id], effort.value)
    if as_json:
        print(json.dumps(_card(c) | {"record": r.to_json()}, indent=2, ensure_ascii=False))
        raise typer.Exit(0 if r.as_expected else 1)
    out.print(Text(c.id, "bold"), Text(f"{r.verdict}, {r.how}" if r.how else r.verdict, STYLE[r.verdict]))
    facts = {
        "says": c.title,
        "statement": c.says,
        "source": f"{c.source} ({c.kind})",
        "reading": c.reading,
        "hypotheses": "; ".join(c.hypotheses),
        "scope": r.scope,
        "argument": " ".join(c.argument.split()),
        "uses": ", ".join(c.uses),
        "amends": c.amends,
        "construction": _where(c.construction),
        "check": _where(f"{c.check.__module__}.{c.check.__name__}"),
        "sabotages": "; ".join(c.sabotages),
    }
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, value in facts.items():
        if value:
            table.add_row(name, Text(str(value)))
    out.print(table)
    out.print(_evidence_table(r))
    for reason in r.reasons:
        out.print(Text(f"missing: {reason}", "yellow"))
    if r.counterexamples:
        out.print(f"the counterexample: lemmata witness {c.id}")
    raise typer.Exit(0 if r.as_expected else 1)


def _evidence_table(r: Record) -> Group:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in ("step", "how", "scope"):
        table.add_column(name, overflow="fold")
    table.add_column("checked", justify="right")
    table.add_column("")
    for step in r.steps:
        mark = Text("held", "green") if step["held"] else Text("FAILED", "bold red")
        table.add_row(Text(step["what"]), step["how"], Text(step["scope"] or "-"), str(step["count"]), mark)
    return Group(Text("\nevidence", "bold"), Padding(table, (0, 0, 1, 2)))


def _where(dotted: str | None) -> str | None:
    """ "name (file:line)" of something in the package."""
    if dotted is None:
        return None
    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:cut]).replace("lemmata", __package__ or "lemmata", 1))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:]:
            found = getattr(found, name, None)
        if found is None:
            break
        file = Path(inspect.getsourcefile(found) or "")
        line = inspect.getsourcelines(found)[1] or 1
        return f"{dotted} ({os.path.relpath(file)}:{line})"
    return dotted


@app.command("witness")
def witness_command(id: Annotated[str, typer.Argument(help="The id of a refuted claim.")], as_json: Json = False) -> None:
    """Print the counterexample of a refuted claim, in numbers that a person can check by hand."""
    (c,) = claims([id])
    (r,) = verify([id])
    if not r.counterexamples:
        raise ValueError(f"expected a refuted claim, got {id!r}, whose verdict is {r.verdict}; refuted claims: lemmata list")
    if as_json:
        print(json.dumps({"id": c.id, "verdict": r.verdict, "counterexamples": r.counterexamples}, indent=2, ensure_ascii=False))
    else:
        out.print(Text(c.id, "bold"), Text(r.verdict, STYLE[r.verdict]))
        out.print(Text(f"The claim: {c.title}."))
        for k in r.counterexamples:
            out.print(Text(f"\nA counterexample ({k['minimal']})", "bold"))
            for name, value in k["given"].items():
                out.print(Padding(_grid(name, value), (0, 0, 0, 2)))
            for text, true in k["hypotheses"].items():
                out.print(Text(f"  given   {'✓' if true else '✗'} {text}", "green" if true else "red"))
            for text, true in k["violates"].items():
                out.print(Text(f"  but     {'✓' if true else '✗'} {text}", "magenta" if true else "red"))
        out.print(Text(f"\n{' '.join(c.argument.split())}"))
    raise typer.Exit(0 if r.as_expected else 1)


def _grid(name: str, value: Any) -> Table:
    """``name = value``, a matrix written as aligned rows."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 0))
    rows = value if isinstance(value, list) and value and all(isinstance(row, list) for row in value) else None
    if rows is None or not all(isinstance(x, str | int) for row in rows for x in row):
        table.add_row(Text(f"{name} ="), Text(_flat(value)))
        return table
    for i, row in enumerate(rows):
        table.add_row(Text(f"{name} =" if i == 0 else ""), "[", *(Text(str(x), justify="right") for x in row), "]")
    return table


def _flat(value: Any) -> str:
    if isinstance(value, list):
        return "(" + ", ".join(_flat(x) for x in value) + ")"
    return str(value)


@app.command("pin")
def pin_command(topic: Topics = None) -> None:
    """Write the ledger anew from the checks (for maintainers): look hard at the difference."""
    with progress("pinning", len(topic or TOPICS)) as advance:
        for name in topic or TOPICS:
            for path in pin([name]):
                out.print(escape(os.path.relpath(path)))
            advance(name)


@app.command("recheck")
def recheck_command(
    directory: Annotated[
        Path, typer.Argument(metavar="PATH", help="What verify --certificates or compile --out wrote: a directory or a file.")
    ],
    as_json: Json = False,
) -> None:
    """Verify certificates with the independent checker (standard library only); exit 2 if one is rejected."""
    results: list[dict[str, Any]] = []
    try:
        files = files_of(directory)
    except Rejected as error:
        raise ValueError(str(error)) from None
    with progress("re-checking", len(files)) as advance:
        for path in files:
            try:
                claim_id, count = check_file(path)
                results.append({"file": path.name, "claim": claim_id, "certificates": count, "holds": True, "why": None})
            except Rejected as why:
                results.append({"file": path.name, "claim": None, "certificates": 0, "holds": False, "why": str(why)})
            advance(path.name)
    bad = [r for r in results if not r["holds"]]
    if as_json:
        print(json.dumps(results, indent=2, ensure_ascii=False))
    else:
        for r in results:
            if r["holds"]:
                out.print(Text.assemble(("holds ", "green"), f" {r['claim']} ({r['certificates']})"))
        for r in bad:
            err.print(Text(f"REJECTED {r['file']} {r['why']}", "red"))
        out.print(f"\n{sum(r['certificates'] for r in results)} certificates in {len(results)} files: {len(bad)} files rejected")
    raise typer.Exit(2 if bad else 0)


@app.command("figures")
def figures_command(
    names: Annotated[
        list[str] | None, typer.Argument(help="Figure names such as grazzi25.fig2; all if none is given.", show_default=False)
    ] = None,
    directory: Annotated[Path, typer.Option("--out", help="Directory for the PNG, SVG and CSV files.")] = Path("figures-out"),
    scale: Annotated[str, typer.Option(help="quick (seconds) or paper (the paper's sizes).")] = "quick",
    mnist: Annotated[Path | None, typer.Option(help="Folder with MNIST's IDX files; scikit-learn's 8 x 8 digits if not given.")] = None,
) -> None:
    """Regenerate figures of the papers: PNG and SVG, and the data behind them as CSV."""
    from . import figures

    chosen = names or list(figures.FIGURES)
    for name in chosen:
        figures.load(name)
    with progress("drawing", len(chosen)) as advance:
        for done, name in enumerate(chosen):
            tick = lambda fraction, name=name, done=done: advance(name, done + fraction)  # noqa: E731
            for path in figures.make(name, directory, scale, mnist, tick):
                out.print(escape(str(path)))
                if path.suffix == ".txt":
                    out.print(Text(f"  {path.read_text(encoding='utf-8').strip()}"))
            advance(name, done + 1)


class Construction(StrEnum):
    """How a network is built."""

    best = "best"
    holonomy = "holonomy"
    excluded = "excluded"
    one_hot = "one-hot"


@app.command("compile")
def compile_command(
    regex: Annotated[str | None, typer.Option(help="A regular expression: | & * + ? ( ), one character a letter.")] = None,
    group: Annotated[str | None, typer.Option(help="A permutation group such as S5, A5, Z60, D4: its word problem.")] = None,
    dfa: Annotated[Path | None, typer.Option(help="A JSON file with table {letter: [next states]}, start, accepting.")] = None,
    task: Annotated[str | None, typer.Option(help="parity, even-pairs, cycle-navigation or modular-arithmetic.")] = None,
    construction: Annotated[
        Construction,
        typer.Option(
            help="Cascade by holonomy or excluded states; one layer of norm > 1 (one-hot); best: a rotation if the letters are one, else holonomy."
        ),
    ] = Construction.best,
    target: Annotated[
        Path | None, typer.Option("--out", help="Write the network as JSON (docs/formats.md), and PyTorch weights (.pt) beside it.")
    ] = None,
    draw: Annotated[Path | None, typer.Option(help="Draw the cascade, or the states of a single layer, into this PNG or SVG file.")] = None,
    as_json: Json = False,
) -> None:
    """Compile an automaton into a stack of linear recurrent layers, and prove that it is right at every length."""
    network = _compiled(regex, group, dfa, task, construction)
    document = network.document()
    written = _write_network(network, document, target) if target is not None else []
    if draw is not None:
        from .figures.automata import draw_network

        draw_network(network, draw)
        written.append(str(draw))
    if as_json:
        print(json.dumps(_summary(network, document) | {"written": written}, indent=2, ensure_ascii=False))
        return
    _print_network(network, _summary(network, document))
    for path in written:
        out.print(f"written to {escape(path)}")


def _compiled(regex: str | None, group: str | None, dfa: Path | None, task: str | None, construction: Construction) -> Network:
    if sum(x is not None for x in (regex, group, dfa, task)) != 1:
        raise ValueError("expected exactly one of --regex, --group, --dfa and --task")
    if group is not None:
        if construction is not Construction.best:
            raise ValueError(f"expected no --construction {construction} with --group: a group is one layer")
        return compile_group(named_group(group))
    if task is not None and task not in TASKS:
        raise ValueError(f"expected a task among {', '.join(TASKS)}, got {task!r}")
    if regex is not None:
        automaton = from_regex(regex)
    else:
        automaton = TASKS[task]() if task is not None else from_json(dfa.read_text(encoding="utf-8"))  # type: ignore[union-attr]
    if construction is Construction.one_hot:
        return compile_one_hot(automaton)
    if construction is Construction.best and (network := compile_cyclic(automaton)):
        return network
    decompose = excluded_states if construction is Construction.excluded else krohn_rhodes
    cascade = decompose(automaton.reachable())
    with progress("proving", max(len(cascade.sizes), 1)) as advance:
        return compile_cascade(cascade, lambda done: advance(f"layer {done}"))


def _write_network(network: Network, document: dict[str, Any], target: Path) -> list[str]:
    write_whole(target, json.dumps(document, ensure_ascii=False) + "\n")
    try:
        import torch
    except ModuleNotFoundError:
        err.print("PyTorch weights were not written: they need the extra lemmata[torch]")
        return [str(target)]
    weights = target.with_suffix(".pt")
    torch.save(network.to_torch().state_dict(), weights)
    return [str(target), str(weights)]


def _summary(network: Network, document: dict[str, Any]) -> dict[str, Any]:
    """What compile prints, as plain data."""
    layers = []
    for closure, layer in zip(network.proof, document["layers"], strict=True):
        found = precision(layer, document["field"])
        steps = [m["steps"] for m in layer["maps"]]
        layers.append(
            {
                "width": found.width,
                "letters": len(layer["letters"]),
                "transitions": len({json.dumps(m["A"]) for m in layer["maps"]}),
                "gh_factors": None if None in steps else max(map(len, steps)),
                "contracting": found.contracts,
                "states": len(layer["states"]),
                "margin": found.margin,
                "pairs_closed": len(closure.place),
                "transitions_closed": closure.transitions,
            }
        )
    return {
        "states": network.automaton.n,
        "letters": document["letters"],
        "decomposition": _levels(network.cascade) if network.cascade else [],
        "layers": layers,
        "right_up_to": {d: _finite(guaranteed_length(document, d)) for d in DATA_TYPES},
    }


def _levels(cascade: Cascade) -> list[dict[str, Any]]:
    """The states of each level and, for a holonomy cascade, the groups of its classes of sets."""
    groups = cascade.skeleton.groups() if cascade.skeleton else {}
    return [
        {
            "states": size,
            "groups": [
                {"set": [str(cascade.automaton.name(q)) for q in sorted(X)], "tiles": len(cascade.tiles(X)), "order": int(g.order())}
                for X, g in groups.items()
                if cascade.level(X) == k
            ],
        }
        for k, size in enumerate(cascade.sizes)
    ]


def _finite(length: float) -> int | str:
    return "every length" if length == float("inf") else int(length)


def _print_network(network: Network, summary: dict[str, Any]) -> None:
    out.print(f"automaton: {summary['states']} reachable states, {len(summary['letters'])} letters")
    if any(level["groups"] for level in summary["decomposition"]):
        levels = _plain_table("level", "states", "classes of sets", "orders of their groups")
        for k, level in enumerate(summary["decomposition"], start=1):
            orders = Counter(g["order"] for g in level["groups"] if g["order"] > 1)
            text = ", ".join(f"{order}" + (f" x {count}" if count > 1 else "") for order, count in sorted(orders.items())) or "-"
            levels.add_row(str(k), str(level["states"]), str(len(level["groups"])), text)
        out.print(levels)
    layers = _plain_table("layer", "width", "letters", "transitions", "GH factors", "norm <= 1", "states", "margin")
    for i, layer in enumerate(summary["layers"], start=1):
        factors = f"<= {layer['gh_factors']}" if layer["gh_factors"] is not None else "none: no contraction"
        contracting = "yes" if layer["contracting"] else "no"
        counts = (str(layer[name]) for name in ("width", "letters", "transitions"))
        margin = "one state" if layer["margin"] == float("inf") else f"{layer['margin']:.3g}"
        layers.add_row(str(i), *counts, factors, contracting, str(layer["states"]), margin)
    out.print(layers)
    reach = "; ".join(f"{d} {n:,}" if isinstance(n, int) else f"{d} {n}" for d, n in summary["right_up_to"].items())
    out.print(f"length up to which rounding cannot make it wrong: {reach}")
    pairs, transitions = (sum(layer[name] for layer in summary["layers"]) for name in ("pairs_closed", "transitions_closed"))
    out.print(
        f"proved: {pairs} reachable pairs of place and state, {transitions} transitions, all right; so the output is right at every length"
    )


def _plain_table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in columns:
        table.add_column(name, justify="right")
    return table


class Which(StrEnum):
    """Where sweeps run."""

    auto = "auto"
    cpu = "cpu"
    cuda = "cuda"


@app.command("sweep")
def sweep_command(
    kind: Annotated[str, typer.Argument(help="conditioning, reconstruction or overlaps.")],
    directory: Annotated[Path, typer.Option("--out", help="Folder for the results; an unfinished sweep there goes on.")],
    nodes: Annotated[list[int], typer.Option("--nodes", "-N", help="Width N; may be repeated.")],
    r_min: Annotated[list[float] | None, typer.Option(help="Least modulus of the eigenvalues; may be repeated.")] = None,
    length: Annotated[list[int] | None, typer.Option("--length", "-L", help="Length L of the input; may be repeated.")] = None,
    r_max: Annotated[float, typer.Option(help="Largest modulus of the eigenvalues.")] = 1.0,
    basis: Annotated[
        list[str] | None, typer.Option(help="all, or haarP: inputs from the P coarsest Haar wavelets; may be repeated.")
    ] = None,
    rank: Annotated[list[int] | None, typer.Option(help="Rank of the matrices, for overlaps; may be repeated.")] = None,
    words: Annotated[list[str] | None, typer.Option(help="I:J, such as 1:111, for overlaps; may be repeated.")] = None,
    draws: Annotated[int, typer.Option(min=1, help="Random draws for each combination.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="The results depend on nothing else.")] = 0,
    device: Annotated[Which, typer.Option(help="auto takes CUDA if CuPy and a device are there.")] = Which.auto,
    as_json: Json = False,
) -> None:
    """A quantity over a grid and random draws: conditioning and reconstruction over r_min, N and L, overlaps of random low-rank equations over N, rank and words.

    Killed at any time, it goes on where it stopped.
    """
    from .gpu.devices import choose
    from .gpu.sweeps import MEASURES, sweep

    chosen = choose(device.value)
    if not as_json:
        err.print(f"on {chosen.describe}")
    given = {"r_min": r_min, "r_max": [r_max], "N": nodes, "L": length, "basis": basis or ["all"], "rank": rank, "words": words}
    wanted = MEASURES[kind].axes if kind in MEASURES else given
    axes = {name: given.get(name) or [] for name in wanted} | {"draw": list(range(draws))}
    with progress("sweeping", draws) as advance:
        data = sweep(kind, axes, directory, seed, chosen, lambda done, total: advance("", done, total))
    summary = MEASURES[kind].summary
    means = getattr(data, summary)("draw")
    varied = [name for name in axes if name not in ("draw", "r_max")]
    rows = [
        dict(zip(varied, values, strict=True))
        | {name: float(means[name].isel(dict(zip(varied, at, strict=True))).squeeze()) for name in data.data_vars}
        for at, values in zip(product(*(range(len(axes[n])) for n in varied)), product(*(axes[n] for n in varied)), strict=True)
    ]
    if as_json:
        print(json.dumps({"results": str(directory / "results.nc"), f"{summary}s": rows}, indent=2))
        return
    table = _plain_table(*rows[0])
    for row in rows:
        table.add_row(*(f"{x:.4g}" if isinstance(x, float) else str(x) for x in row.values()))
    out.print(f"{summary}s of {draws} draws")
    out.print(table)
    out.print(f"all of it: {escape(str(directory / 'results.nc'))}")


class progress:
    """A progress bar with ETA on standard error, for the time of a ``with`` block; silent if standard error is no terminal."""

    def __init__(self, what: str, total: int):
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self.bar = Progress(*columns, console=err, transient=True, disable=not err.is_terminal)
        self.task = self.bar.add_task(what, total=total)
        self.what = what

    def __enter__(self) -> Any:
        self.bar.start()
        return self.advance

    def advance(self, name: str, completed: float | None = None, total: int | None = None) -> None:
        """One more step done, or ``completed`` of them altogether, out of ``total`` if that is known only now."""
        step = {"advance": 1} if completed is None else {"completed": completed}
        step |= {} if total is None else {"total": total}
        self.bar.update(self.task, description=f"{self.what} {name}", **step)

    def __exit__(self, *exception: object) -> None:
        self.bar.stop()


def main() -> None:
    """Entry point: errors of the user's are one line and exit code 2."""
    try:
        app()
    except (ValueError, ArithmeticError) as error:
        print(f"lemmata: {error}", file=sys.stderr)
        sys.exit(2)
    except ModuleNotFoundError as error:
        print(f"lemmata: expected the package {error.name}, which is not installed: see the extras figures, torch and gpu", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f"lemmata: {error.strerror}: {error.filename}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
