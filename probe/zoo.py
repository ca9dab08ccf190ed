"""The zoo: what a probe says of layers that libraries ship, as a table in Markdown: ``python -P -m lemmata.probe.zoo > docs/reference/zoo.md``."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import groupby
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ..numerics.processes import workers
from .animals import FLASH, OWN, TORCH, TRANSFORMERS, WIDTH, ZOO, Animal

if TYPE_CHECKING:
    from .report import Findings

#: packages whose versions the table names
PACKAGES = ("torch", "triton", "flash-linear-attention", "transformers")

#: what is imported of libraries that may be missing
DISTRIBUTIONS = {FLASH: "fla", TRANSFORMERS: "transformers"}

#: processes that probe
JOBS = 2

#: how many numbers an input of a cell has
INPUTS = 5


@dataclass(frozen=True)
class Row:
    """A row of the table: what a probe says of a layer; where it is refused, its reason is the transition."""

    layer: str
    transition: str
    eigenvalues: str = ""
    minus_one: str = ""
    earlier: str = ""
    row: str = ""
    how: str = ""
    advice: str = ""
    remark: str = ""

    @property
    def data(self) -> dict[str, str]:
        return asdict(self)


HEADER = (
    *("layer", "transition", "eigenvalues, for all weights", "-1: architecture, closure", "earlier tokens", "row of the table"),
    *("how it was run", "advice", "remarks"),
)


def made(animal: Animal) -> Any:
    """The layer, with random weights."""
    import torch

    torch.manual_seed(0)
    if animal.library == TRANSFORMERS:
        from transformers import AutoModel

        configuration = getattr(import_module(f"{animal.module}.configuration_{animal.module.rpartition('.')[2]}"), animal.configuration)
        model = AutoModel.from_config(configuration(**animal.options)).eval()
        return next(layer for layer in model.modules() if type(layer).__name__ == animal.name)
    kind = getattr(import_module(animal.module), animal.name)
    if animal.library == FLASH:
        return kind(hidden_size=WIDTH, layer_idx=0, **animal.options).eval()
    return kind(INPUTS, WIDTH) if animal.library == TORCH else kind(**animal.options)


def step(animal: Animal) -> Any:
    """The step of a layer, in float64 where its code can compute in it.

    Raises :class:`~.steps.Refused` for a layer without one, and what a library raises for what it lacks.
    """
    import torch

    from .flash import step_of_layer
    from .mixers import step_of_mixer
    from .steps import MapsStep, step_of

    layer = made(animal)
    if animal.library == FLASH:
        return step_of_layer(layer, WIDTH, torch.float64, animal.name)
    if animal.library == TRANSFORMERS:
        return step_of_mixer(layer, WIDTH, torch.float64, animal.name)
    if animal.library == OWN:
        whole = MapsStep(layer)
        return step_of(whole, whole.shape, INPUTS, name=animal.name)
    parts = (2,) if "LSTM" in animal.name else ()
    layers = () if animal.name.endswith("Cell") else (1,)
    return step_of(layer, (*parts, *layers, WIDTH), INPUTS, name=animal.name)


def row(animal: Animal) -> Row:
    """What a probe says of a layer; the reason, if it is refused."""
    from .report import findings
    from .steps import Refused

    if animal.library in DISTRIBUTIONS and find_spec(DISTRIBUTIONS[animal.library]) is None:
        return Row(animal.title, f"refused: {animal.library} is not installed", remark=animal.remark)
    try:
        f = findings(step(animal))
    except Refused as why:
        return Row(animal.title, f"refused: {animal.reason or why}", remark=animal.remark)
    except Exception:
        # what a library says of what it lacks is put in plain words
        if not animal.reason:
            raise
        return Row(animal.title, f"refused: {animal.reason}", remark=animal.remark)
    if not f.is_affine:
        return Row(animal.title, "nonlinear", row=str(f.row), remark=animal.remark)
    (reach,) = (r for r in f.reaches if r.target == -1)
    kinds = ", ".join(sorted(f.kinds)) + ("" if f.driver is None else "; " + str(f.driver).partition(":")[0])
    held = f"contract, {f.step.held}" if f.step.contract else f.step.held or "traced"
    return Row(
        animal.title,
        kinds,
        str(f.spectrum or "not decided"),
        f"{reach.answers['architecture']}, {reach.answers['closure']}",
        "; ".join(map(str, f.step.earlier)) or "none",
        f.row or "none",
        held,
        _advised(f),
        animal.remark,
    )


def _advised(found: Findings) -> str:
    """The smallest edit that changes a cell, applied to a copy that was probed again, and the first cells that it turns into a yes."""
    from .advice import NAMED, advice

    advised = advice(found)
    if advised is None:
        return "none"
    more = len(advised.cells) - NAMED
    return f"{advised.edit}. Becomes a yes: {'; '.join(advised.cells[:NAMED])}" + (f"; and {more} more cells" if more > 0 else "")


def rows(jobs: int = JOBS) -> Iterator[tuple[Animal, Row]]:
    """The rows of all layers, by some processes."""
    with workers(jobs, _begin) as pool:
        for animal, (found, seconds) in zip(ZOO, pool.map(_timed, ZOO), strict=True):
            print(f"{animal.title}: {seconds:.1f} s", file=sys.stderr, flush=True)
            yield animal, found


def _timed(animal: Animal) -> tuple[Row, float]:
    start = perf_counter()
    return row(animal), perf_counter() - start


def _begin() -> None:
    """What a process has to do first: few threads, as matrices are small, and no remarks of libraries."""
    import torch

    torch.set_num_threads(1)
    warnings.simplefilter("ignore")


def versions() -> str:
    """The versions of the libraries."""
    return ", ".join(f"{p} {_version(p)}" for p in PACKAGES)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def page() -> Iterator[str]:
    """The lines of the page."""
    yield "<!-- Generated by `python -P -m lemmata.probe.zoo`; do not edit. -->\n"
    yield "# Layers that libraries ship\n"
    yield "For everybody who asks what a released layer can reach. `lemmata probe` says the same of one layer, with reasons.\n"
    yield "An advice is the smallest edit that was found to change a cell of the table. It was applied to a copy, which was probed again.\n"
    yield f"Versions: {versions()}.\n"
    for library, of_library in groupby(rows(), lambda found: found[0].library):
        yield f"## {library}\n"
        for cells in (HEADER, ("---",) * len(HEADER)):
            yield f"| {' | '.join(cells)} |"
        for _, found in of_library:
            yield f"| {' | '.join(str(cell).replace('|', chr(92) + '|').replace('<', chr(92) + '<') for cell in astuple(found))} |"
        yield ""


def main() -> int:
    """Print the page, line by line."""
    os.environ.setdefault("TRITON_INTERPRET", "1")
    lines = list(page())
    print("\n".join(lines).rstrip("\n"), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
