"""``lemmata new``: a paper, a claim, a model, an experiment or a notebook, begun in a checkout so that its tests pass."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from .console import out
from .where import ROOT

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Begin a paper, a claim, a model, an experiment or a notebook (in a checkout)."
)

#: a name of a module or a notebook
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
#: an id: paper.place, or new.topic.name
ID = re.compile(r"[a-z]+\d*(\.[A-Za-z0-9_-]+)+")
#: longer lines are wrapped
WIDTH = 140


@app.command("paper")
def new_paper(
    key: Annotated[str, typer.Argument(help="The first author's family name and the year, such as yang24.")],
    title: Annotated[str, typer.Option(help="Its title.")],
    author: Annotated[
        list[str], typer.Option(help="Given and family name, the family name after the last space or in braces; once for each author.")
    ],
    link: Annotated[str, typer.Option(help="Such as https://arxiv.org/abs/2406.06484.")],
    about: Annotated[str, typer.Option(help="What it proves, in a sentence of at most 25 words.")],
) -> None:
    """Begin a paper: papers/KEY.toml, and the references of CITATION.cff."""
    _require_checkout()
    from ..papers import papers
    from ..theorems.files import write_whole
    from .citation import write_citation
    from .reference import write_pages

    people = [_person(name) for name in author]
    family = people[0][1].lower().replace(" ", "")
    if not re.fullmatch(rf"{re.escape(family)}\d\d", key):
        raise ValueError(f"expected the first author's family name and two digits of the year, such as {family}24, got {key!r}")
    if key in papers():
        raise ValueError(f"expected a new paper, got {key!r}, which is there already")
    if not link.startswith("https://"):
        raise ValueError(f"expected a link that starts with https://, got {link!r}")
    lines = [f"title = {_quoted(title)}", "authors = ["]
    lines += [f"    [{_quoted(given)}, {_quoted(name)}]," for given, name in people]
    lines += ["]", f"year = 20{key[-2:]}", f"link = {_quoted(link)}", f"about = {_quoted(about)}"]
    lines += ["# ids, without the key, of what the paper numbers: a test asks for a claim of each", "statements = []"]
    path = ROOT / "papers" / f"{key}.toml"
    write_whole(path, "\n".join(lines) + "\n")
    papers.cache_clear()
    _tell(path, *write_citation(), *write_pages())


@app.command("claim")
def new_claim(
    id: Annotated[str, typer.Argument(help="Such as yang24.lemma1, or new.parity.name.")],
    topic: Annotated[str, typer.Option(help="The topic, which is the folder of its check.")],
    title: Annotated[str, typer.Option(help="One plain line, which says no more than the statement.")],
    says: Annotated[str, typer.Option(help="The statement in your own words, with formulas between dollar signs.")],
    place: Annotated[str, typer.Option(help="Where it stands in the paper; of what is new: after what.")],
    known: Annotated[str | None, typer.Option(help="Of what is new: what is known beside it.")] = None,
    flaw: Annotated[
        str | None, typer.Option(help="Of a finding, which numbers refute: false, gap, overstatement, misprint or remark.")
    ] = None,
    of: Annotated[
        str | None, typer.Option(help="Of a finding: the statement it hangs on, if that is not its id without the last part.")
    ] = None,
    letter: Annotated[str | None, typer.Option(help="Of a finding: the sentence that you would send to the authors.")] = None,
) -> None:
    """Begin a claim: a module with its check, which is OPEN until it is written, and its pin.

    Of a finding it also begins what the re-checker demands.
    """
    _require_checkout()
    from ..theorems.files import write_whole
    from ..theorems.ledger import FLAWS, PAPERS, TOPICS, ledger, require_known
    from ..theorems.records import pin_claim
    from .documents import write_claims, write_findings, write_schemas
    from .reference import write_pages

    require_known("topic", [topic], TOPICS)
    require_known("paper", [id.split(".")[0]], list(PAPERS))
    if not ID.fullmatch(id) or id in ledger():
        raise ValueError(f"expected a new id such as yang24.lemma1, got {id!r}")
    if (known is not None) != id.startswith("new."):
        raise ValueError(f"expected --known for what is new, and for nothing else, got {known!r} for {id}")
    if (flaw is None) != (letter is None) or (of is not None and flaw is None):
        raise ValueError(f"expected --flaw and --letter together, and --of with them only, for a finding, got --flaw {flaw} for {id}")
    require_known("flaw", [flaw] if flaw else None, FLAWS)
    statement = of or id.rpartition(".")[0]
    require_known("statement, on which the finding hangs", [statement] if flaw else None, list(ledger()))
    module = _module(id)
    path, home = ROOT / "theorems" / topic / f"{module}.py", ROOT / "theorems" / topic / "__init__.py"
    demand = ROOT / "theorems" / "recheck" / "statements" / topic / f"{module}.py"
    for new in (path, demand):
        _require_new(new)
    words = {"place": place, "of": of, "flaw": flaw, "title": title, "says": says, "letter": letter, "known": known}
    facts = {"id": id, "title": title, "name": module}
    facts["words"] = "".join(f"    {name}={_literal(text)},\n" for name, text in words.items() if text is not None)
    write_whole(path, (FINDING if flaw else CLAIM).format(**facts))
    if flaw:
        write_whole(demand, DEMAND.format(**facts))
    write_whole(home, with_module(home.read_text(encoding="utf-8"), module))
    _tell(path, *([demand] if flaw else []), home, *pin_claim(id), *write_findings(), *write_claims(), *write_schemas(), *write_pages())
    out.print(f"it is OPEN: write the check, then lemmata pin --topic {topic} (docs/how-to/adding-a-claim.md)", soft_wrap=True)


@app.command("model")
def new_model(
    id: Annotated[str, typer.Argument(help="Such as delta-binary.")],
    name: Annotated[str, typer.Option(help="In words.")],
    transition: Annotated[str, typer.Option(help="A formula of its transitions, in LaTeX.")],
    says: Annotated[str, typer.Option(help="What its transitions are, in a sentence.")],
    called: Annotated[list[str], typer.Option(help="What people call it; may be repeated.")],
    inside: Annotated[str, typer.Option(help="The id of a model that holds every layer of it.")],
    because: Annotated[str, typer.Option(help="Why it does, in a sentence.")],
    holds: Annotated[str, typer.Option(help="The formula by which a compiled network is one (atlas/membership.py).")] = "never",
) -> None:
    """Begin a model of the table: its class of transitions, and a larger model that holds it; docs/reference/expressivity.md."""
    _require_checkout()
    from ..atlas.knowledge import FOLDER, Model, knowledge
    from ..atlas.membership import Facts, is_member
    from ..theorems.files import write_all
    from ..theorems.ledger import require_known
    from .documents import write_expressivity
    from .reference import write_pages

    known = knowledge()
    require_known("model", [inside], known.models)
    names = {word.lower() for m in known.models.values() for word in (m.id, m.name, *m.names)}
    if taken := [word for word in (id, name, *called) if word.lower() in names]:
        raise ValueError(f"expected names that no model has, got {', '.join(taken)}")
    if not re.fullmatch(r"[a-z][a-z0-9-]*", id):
        raise ValueError(f"expected an id of small letters, digits and hyphens, got {id!r}")
    is_member(Model(id=id, name=name, transition=transition, says=says, names=called, holds=holds), Facts())
    facts = {"id": id, "name": name, "transition": transition, "says": says, "names": called, "holds": holds}
    inclusion = {"small": id, "large": inside, "because": because}
    written = {FOLDER / "models.toml": _table("model", facts), FOLDER / "links.toml": _table("inclusion", inclusion)}
    write_all({path: path.read_text(encoding="utf-8") + text for path, text in written.items()})
    forget_table()
    _tell(*written, *_open_cells(id, name, inside), *write_expressivity(), *write_pages())


def _open_cells(id: str, name: str, inside: str) -> list[Path]:
    """Say why cells of a new model are open, in each arithmetic where some are; the file, if there are any."""
    from ..atlas.knowledge import FOLDER
    from ..atlas.undecided import unexplained
    from ..theorems.files import write_whole

    because = f"nothing is known of it yet but that {inside} holds it"
    groups = [_table("group", {"arithmetic": p, "name": name, "models": [id], "because": because}) for p in unexplained(id)]
    if not groups:
        return []
    path = FOLDER / "open.toml"
    write_whole(path, path.read_text(encoding="utf-8") + "".join(groups))
    forget_table()
    return [path]


@app.command("experiment")
def new_experiment(
    name: Annotated[str, typer.Argument(help="Such as yang24.fig2, or new.name.")],
    topic: Annotated[str, typer.Option(help="The topic whose theorems predict it.")],
    place: Annotated[str, typer.Option(help="Where in the paper it stands.")],
    finding: Annotated[str, typer.Option(help="The title of its picture, a sentence.")],
) -> None:
    """Begin an experiment: one declaration, which trains two layers on the parity until you write what it is about."""
    _require_checkout()
    from ..experiments import registered
    from ..theorems.files import write_whole
    from ..theorems.ledger import PAPERS, TOPICS, require_known
    from .experiments import write_experiments
    from .reference import write_pages

    require_known("topic", [topic], TOPICS)
    require_known("paper", [name.split(".")[0]], list(PAPERS))
    if not ID.fullmatch(name) or name in registered():
        raise ValueError(f"expected a new name such as yang24.fig2, got {name!r}")
    path = ROOT / "experiments" / f"{_module(name)}.py"
    _require_new(path)
    words = "".join(f"    {key}={_literal(text)},\n" for key, text in {"topic": topic, "place": place, "finding": finding}.items())
    write_whole(path, EXPERIMENT.format(name=name, finding=finding.rstrip("."), place=place, words=words))
    registered.cache_clear()
    _tell(path, *write_experiments(), *write_pages())


@app.command("notebook")
def new_notebook(
    name: Annotated[str, typer.Argument(help="The topic, or the topic, an underscore and more: parity_signs.")],
    title: Annotated[str, typer.Option(help="Its title, a sentence.")],
) -> None:
    """Begin a notebook: notebooks/NAME.ipynb, which shows the claims of its topic."""
    _require_checkout()
    from ..theorems.files import write_whole
    from ..theorems.ledger import TOPICS

    topic = max((t for t in TOPICS if name == t or name.startswith(f"{t}_")), key=len, default=None)
    if topic is None or not NAME.fullmatch(name):
        raise ValueError(f"expected a name that begins with a topic among {', '.join(TOPICS)}, got {name!r}")
    path = ROOT / "notebooks" / f"{name}.ipynb"
    _require_new(path)
    code = ["from lemmata.theorems import entries\n", "\n", f'[(e.id, e.verdict) for e in entries(topics=["{topic}"])][:5]']
    cells = [
        {"cell_type": "markdown", "id": "cell-00", "metadata": {}, "source": [f"# {title}"]},
        {"cell_type": "code", "execution_count": None, "id": "cell-01", "metadata": {}, "outputs": [], "source": code},
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    book = {"cells": cells, "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
    write_whole(path, json.dumps(book, indent=1, ensure_ascii=False) + "\n")
    _tell(path)


CLAIM = '''"""{id}: {title}."""

from ..claim import claim
from ..evidence import Proof


@claim(
    "{id}",
{words}    sabotages={{"an ingredient is off by one": {{"twice": lambda n: 2 * n + 1}}}},
)
def {name}(proof: Proof, twice=lambda n: 2 * n) -> None:
    r"""How it is shown, in a sentence; the arguments are its ingredients.

    1. The smallest cases. [checked: "the smallest cases"]
    2. The general argument is to be written. [prose]
    """
    for n in proof.every("n <= 3", range(1, 4)):
        proof.exactly("the smallest cases", twice(n), n + n)
    proof.lacks("a check of the statement")
'''

FINDING = '''"""{id}: {title}."""

from ..claim import claim
from ..evidence import Proof


@claim(
    "{id}",
{words}    sabotages={{"n = 2, where nothing is wrong": {{"n": 2}}}},
)
def {name}(proof: Proof, n: int = 1) -> None:
    """The numbers that refute it, in a sentence; the arguments are its ingredients."""
    proof.counterexample({{"n": n}}, words={{"larger": n + n > n * n}}, minimal="n = 1", witness="n")
    proof.lacks("numbers that refute the statement")
'''

DEMAND = '''"""What refutes {id}."""

from ...registry import refuted


@refuted("{id}", {{}}, {{"larger": "n + n exceeds n n"}}, n=1)
def {name}(n: int) -> dict[str, bool]:
    return {{"larger": n + n > n * n}}
'''

EXPERIMENT = '''"""{finding} ({name}; {place})."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
import xarray as xr

from ..numerics.progress import Progress
from .experiment import Asked, Observation, Picture
from .grid import Size, agreement, lengths, reach, word_table
from .tasks import task_named
from .training import Run, accuracy, train
from .words import of_seeds

#: layer -> the class of transitions in the table of models and tasks
MODELS = {{"DeltaNet [0, 1]": "delta-nonnegative", "DeltaNet [-1, 1]": "delta-signed"}}

ASKED = {{"parity": Asked("parity", "parity")}}

SIZES = {{
    "smoke": Size(1, 2, 4, 8, 16, 2),
    "quick": Size(2, 150, 16, 64, 512, 4),
    "desk": Size(3, 700, 40, 256, 512, 4),
    "paper": Size(3, 30000, 40, 256, 8192, 16),
}}

#: learnt: so many answers are right past the trained length, in the best of the seeds
ENOUGH = 0.95


def run(size: Size, seed: int, task: str, layer: str) -> Run:
    """The run of a point."""
    return Run(task, layer, seed, size.width, size.steps, min(3, size.longest), size.longest, rate=3e-2)


def measure(run: Run, folder: Path | None, progress: Progress | None, device: torch.device | None, size: Size) -> dict[str, Any]:
    """Of one trained run: the accuracy at every length that is reported."""
    model = train(run, folder, progress, device)
    found = accuracy(lambda words: model(words.to(device)).argmax(-1), task_named(run.task), size.tested, size.words, run.seed)
    return {{"accuracy": found[np.array(lengths(size)) - 1].tolist()}}


def learnt(data: xr.Dataset) -> xr.DataArray:
    """Which layers have learnt which task, (task, layer)."""
    return reach(data.accuracy, ENOUGH) > data.attrs["longest"]


def rest(data: xr.Dataset) -> str:
    """How it was trained, and how many cells go as the table predicts."""
    return (
        f"trained up to length {{data.attrs['longest']}}, {{of_seeds('best', data.sizes['seed'])}}, {{data.attrs['steps']}} steps; "
        f"{{agreement(data, learnt(data))}}"
    )


EXPERIMENT = word_table(
    "{name}",
{words}    tasks=tuple(ASKED),
    layers=tuple(MODELS),
    models=MODELS,
    asked=ASKED,
    sizes=SIZES,
    run=run,
    measure=measure,
    observations=(
        Observation(
            "with eigenvalues in [-1, 1] the parity is learnt",
            "to be written",
            lambda data: learnt(data).sel(task="parity", layer="DeltaNet [-1, 1]"),
        ),
    ),
    rest=rest,
    picture=Picture({{"parity": "parity"}}, columns=1),
)
'''


def with_module(text: str, module: str) -> str:
    """The text of a package that imports one module more, at the end if its order is chosen, else in the order of the alphabet; also in ``__all__``.

    Raises ``ValueError`` for a package that has no such import or no ``__all__``.
    """
    tree = ast.parse(text)
    imports = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.level == 1 and n.module is None]
    listed = [n for n in tree.body if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name) and n.targets[0].id == "__all__"]
    if len(imports) != 1 or len(listed) != 1 or not isinstance(listed[0].value, ast.List):
        raise ValueError("expected a package with one import of its modules and a list __all__")
    lines = text.splitlines(keepends=True)
    place = lines[imports[0].lineno - 1 : imports[0].end_lineno]
    comment = f"  {place[-1][place[-1].index('# noqa') :].rstrip()}" if "# noqa" in place[-1] else ""
    names = [a.name for a in imports[0].names]
    order = [*names, module] if comment else sorted([*names, module])
    every = sorted([*ast.literal_eval(listed[0].value), module])
    lines[listed[0].lineno - 1 : listed[0].end_lineno] = [_wrapped("__all__ = [", [f'"{n}"' for n in every], "]")]
    lines[imports[0].lineno - 1 : imports[0].end_lineno] = [
        f"from . import {', '.join(order)}{comment}\n" if comment else _wrapped("from . import ", order, "", "(", ")")
    ]
    return "".join(lines)


def _wrapped(head: str, names: list[str], tail: str, left: str = "", right: str = "") -> str:
    """In one line, or a line for each where it would be too long."""
    line = f"{head}{', '.join(names)}{tail}\n"
    if len(line) <= WIDTH + 1:
        return line
    return f"{head}{left}\n" + "".join(f"    {name},\n" for name in names) + f"{tail or right}\n"


def forget_table() -> None:
    """Forget the table of models, since its files have changed."""
    from ..atlas import built, cells, inference, knowledge

    for cached in (knowledge.knowledge, built.above, built.built_for, built.networks, inference.answers, cells.models_answered):
        cached.cache_clear()


def _require_checkout() -> None:
    if not (ROOT / "pyproject.toml").is_file():
        raise ValueError(f"expected a checkout of lemmata, into which this writes, got an installed package in {str(ROOT)!r}")


def _require_new(path: Path) -> None:
    if path.exists():
        raise ValueError(f"expected no file {path.relative_to(ROOT)}, which is there already")


def _person(name: str) -> tuple[str, str]:
    """Given and family name: "Ada Byron", "Florent {De Geeter}"."""
    found = re.fullmatch(r"(.+?)\s+(?:\{(.+)\}|(\S+))", name.strip())
    if found is None:
        raise ValueError(f"expected a given and a family name, such as 'Florent {{De Geeter}}', got {name!r}")
    return found[1], found[2] or found[3]


def _module(id: str) -> str:
    """A name for a module: yang24_lemma1."""
    return re.sub(r"[^a-z0-9]+", "_", id.lower())


def _quoted(text: str) -> str:
    """A basic string of TOML."""
    return json.dumps(text, ensure_ascii=False)


def _literal(text: str) -> str:
    """A string of Python, as the formatter writes it; raw where it has formulas."""
    plain = '"' not in text and not text.endswith("\\")
    return f'r"{text}"' if "\\" in text and plain else _quoted(text)


def _table(name: str, facts: Mapping[str, str | list[str]]) -> str:
    """One more table of an array in TOML."""
    lines = [f"{k} = {json.dumps(v, ensure_ascii=False)}" for k, v in facts.items()]
    return "\n".join(["", f"[[{name}]]", *lines]) + "\n"


def _tell(*paths: Path) -> None:
    for path in paths:
        out.print(str(path.relative_to(ROOT) if path.is_absolute() else path), soft_wrap=True)
