"""Networks trained at once against one at a time: processor time for each token and network of a whole step, both in one run, turn by turn.

``python benchmarks/training.py [--networks 15] [--rounds 9] [--only LAYER] [--out FILE.json]`` with OMP_NUM_THREADS=1.
With ``--only`` the rows of other layers stay. A step draws words, and goes forward, backward and through
Adam. Times are the medians of the rounds. ``ratio`` is how many times less the stack takes.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import torch
from lemmata.experiments import copying
from lemmata.experiments.arena import Classifier
from lemmata.experiments.once import AnsweredOnce, asked_once
from lemmata.experiments.stacked import Adam, Member, Networks, Recipe, Stack
from lemmata.experiments.stacked import one_step as step_of_all
from lemmata.experiments.tasks import Task, task_named
from lemmata.experiments.training import Build, Run, fresh, loss_of, one_step, stacked
from torch import nn


def state_space(run: Run, task: Task) -> nn.Module:
    """Layers of S4D, each feature with 16 states, which answer once."""
    return AnsweredOnce(Classifier(len(task.letters), 0, len(task.answers), run.width, run.depth, 16))


#: what is trained -> task, layers, width, trained lengths, and which model: three layers on arithmetic, one that copies
ROWS: dict[str, tuple[str, int, int, tuple[int, int], Build]] = {
    "DeltaNet [-1, 1]": ("modular-arithmetic", 3, 8, (13, 41), stacked),
    "Mamba [-1, 1]": ("modular-arithmetic", 3, 8, (13, 41), stacked),
    "diagonal [-1, 1]": ("modular-arithmetic", 3, 8, (13, 41), stacked),
    "BMRU": ("modular-arithmetic", 3, 8, (13, 41), stacked),
    "S4D": ("modular-arithmetic", 3, 51, (13, 41), state_space),
    "lambda, Q, B, C": ("copying", 1, copying.STATES, (12, 40), copying.built),
}

#: the row of Table 2 of movahedi25 that is a Bedouin layer, as it is shown
SHOWN = {"lambda, Q, B, C": "Bedouin"}


def seconds(call: Callable[[], object], steps: int) -> float:
    """Processor time of a call, for each of so many steps."""
    start = time.process_time()
    for _ in range(steps):
        call()
    return (time.process_time() - start) / steps


def measure(kind: str, length: int, batch: int, networks: int, rounds: int) -> dict[str, object]:
    """One row: microseconds for each token and network, one at a time and all at once."""
    name, depth, width, _, build = ROWS[kind]
    task: Task = copying.copying() if name == "copying" else task_named(name)
    task = asked_once(task) if kind == "S4D" else task
    run = Run(
        name, copying.ROWS[kind].kind if name == "copying" else kind, 0, width, 1000, length, length, batch, 5e-3, depth, variant=kind
    )
    model = fresh(run, task, build)
    optimiser = torch.optim.AdamW(model.parameters(), run.rate, weight_decay=0.0, fused=True)
    # five seeds, as many rates as there are left
    stack = Stack(
        kind, tuple(Member(kind, i % 5, 5e-3) for i in range(networks)), Recipe(steps=1000, shortest=length, longest=length, batch=batch)
    )
    many = Networks(stack, task, lambda member, task: fresh(run, task, build))
    adam = Adam(many.theta, torch.full((networks,), 5e-3), stack.recipe)
    alone, together = [], []
    for i in range(rounds + 1):
        one = seconds(lambda i=i: one_step(run, task, model, optimiser, i, torch.device("cpu"), loss_of), 3)
        all_ = seconds(lambda: step_of_all(stack, task, many, adam), 1)
        # the first round warms up
        if i:
            alone.append(one)
            together.append(all_)
    tokens = 1e6 / (batch * length)
    found = {"alone": median(alone) * tokens, "together": median(together) * tokens / networks}
    return {
        "layer": SHOWN.get(kind, kind),
        "layers": depth,
        "length": length,
        "batch": batch,
        **found,
        "ratio": found["alone"] / found["together"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", type=int, default=15)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", choices=list(ROWS))
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "training.json")
    given = parser.parse_args()
    torch.set_num_threads(1)
    kept = json.loads(given.out.read_text(encoding="utf-8"))["rows"] if given.only else []
    rows = []
    for kind, (*_, lengths, _build) in ROWS.items():
        if given.only not in (None, kind):
            rows += [row for row in kept if row["layer"] == SHOWN.get(kind, kind)]
            continue
        for length in lengths:
            for batch in (32, 128):
                rows.append(measure(kind, length, batch, given.networks, given.rounds))
                print({k: round(v, 2) if isinstance(v, float) else v for k, v in rows[-1].items()}, flush=True)
    found = {"machine": platform.processor() or platform.machine(), "torch": torch.__version__, "networks": given.networks, "rows": rows}
    given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
