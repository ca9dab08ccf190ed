"""``lemmata.probe_step``, ``lemmata.probe_scan`` and ``lemmata.probe_layer``: what is a layer's transition, and what can it reach?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from .result import Result

if TYPE_CHECKING:
    import torch

    from ..numerics.progress import Progress
    from ..probe.advice import Advice
    from ..probe.report import Findings
    from ..probe.steps import Draw, Step
    from .can import Answer
    from .languages import LanguageAnswer
    from .probe_closure import Closed
    from .probed import AnswerOfLayer

COLOURS = {"yes": "green", "no": "red", "not decided": "yellow"}


@dataclass(frozen=True, repr=False, eq=False)
class Probed(Result):
    """What a probe found: the kind of transition, where its eigenvalues lie, and the row of the table.

    Attributes:
        findings: What each stage found.
    """

    findings: Findings

    @property
    def name(self) -> str:
        """What the layer is called."""
        return self.findings.step.name

    @property
    def row(self) -> str | None:
        """The id of the row of the table that holds the layer, or None."""
        return self.findings.row

    @property
    def why_no_row(self) -> str:
        """Why no row is known, in a line; empty if one is."""
        found = self.findings
        if found.row is not None:
            return ""
        if found.driver is not None:
            return "no row has layers whose state has a driver"
        if found.graph is None:
            return "PyTorch cannot trace the step, so no range is known for all weights"
        if not found.graph.is_affine:
            return "the traced graph does not show that the step is affine for all weights"
        if found.ranges is None:
            return f"no range is known for {', '.join(sorted(found.kinds))}"
        if found.step.earlier:
            return "no row of layers that read these earlier tokens is known to have these ranges"
        return "no row has these ranges"

    def reaches(self, eigenvalue: int, scope: str = "closure") -> str:
        """Whether an eigenvalue is reached: "yes", "no" or "not decided".

        Args:
            eigenvalue: -1, 0 or 1.
            scope: "these weights", "architecture" or "closure".

        Raises:
            ValueError: Another eigenvalue or scope, or a step that is not affine.
        """
        for reach in self.findings.reaches:
            if reach.target == eigenvalue and scope in reach.answers:
                return reach.answers[scope]
        raise ValueError(
            f"expected -1, 0 or 1 and these weights, architecture or closure, of an affine step, got {eigenvalue} and {scope!r}"
        )

    def can(self, task: str) -> Answer | LanguageAnswer | None:
        """What the table says of stacks of the layer's row; None if no row is known.

        The row holds the layer and may hold more: a no is the layer's too, a yes is the row's.

        Args:
            task: A task of the table, such as "parity".

        Raises:
            ValueError: The task is not known.
        """
        from .can import Answer, can

        if self.row is None:
            return None
        answer = can(task, model=self.row)
        if not isinstance(answer, Answer):
            raise ValueError(f"expected a task of the table, such as parity, got {task!r}")
        return answer

    def ask(self, task: str | None = None, regex: str | None = None, closed: Closed | None = None) -> AnswerOfLayer:
        """Whether any number of such layers does a task of the table, or recognises a language; in each scope and arithmetic, with grades.

        A no follows from the layer's row or from its own range. A yes is the row's, if the layer reaches the eigenvalues that the row's networks use.

        Args:
            task: A task of the table, such as "parity".
            regex: A regular expression, in place of a task.
            closed: What :meth:`closure` found for the same question: a yes decides these weights in rounded arithmetic.

        Raises:
            ValueError: Neither or both are given, the task is not known, or the expression cannot be read.
        """
        from ..probe.tasks import Question, answers, attained
        from .probed import AnswerOfLayer

        question = Question(task, regex)
        found = answers(self.findings, question)
        if closed is not None and closed.says() == "yes":
            found = (attained(a, closed.reached.format, len(closed.reached.moves)) for a in found)
        return AnswerOfLayer(self.name, question, tuple(found))

    def closure(
        self,
        format: str = "float32",
        task: str | None = None,
        regex: str | None = None,
        *,
        letters: list[torch.Tensor] | None = None,
        start: torch.Tensor | None = None,
        most: int = 4096,
    ) -> Closed:
        """All states that letters reach at these weights, as a format rounds; with a task, whether the state tells its answer after every word.

        A range excludes nothing in rounded arithmetic. Where finitely many states are all that is reached, the question is decided at these weights.

        Args:
            format: "float64", "float32", "bfloat16" or "float16".
            task: What the layer should do: a task, a group or a regular expression, as for ``lemmata.compile``.
            regex: A regular expression, in place of a task.
            letters: An input for each letter; by default the unit vectors.
            start: The first state; by default zeros.
            most: The most states that are gone through.

        Raises:
            ValueError: A layer of a fused kernel, whose rounding no contract gives; one whose state has a driver; a state that is no number; or
                another number of letters.
        """
        from ..probe.steps import Refused
        from .probe_closure import closure

        if self.findings.driver is not None:
            raise Refused(f"expected a step whose state was probed as a whole, got one with a driver: {self.name}")
        return closure(self.findings.step, format, task, regex, letters, start, most)

    def advice(self, task: str | None = None, regex: str | None = None) -> Advice | None:
        """The smallest edit that changes a cell of the table: applied to a copy, which was probed again. None where no edit that is tried does.

        Args:
            task: Only an edit after which the answer to this task is yes.
            regex: Only an edit after which the answer to this language is yes.

        Raises:
            ValueError: As for :meth:`ask`.
        """
        from ..probe.advice import advice
        from ..probe.tasks import Question

        return advice(self.findings, None if task is None and regex is None else Question(task, regex))

    def draw(self, path: str | Path) -> Path:
        """Draw the eigenvalues that were seen, their bounds for all weights and the unit circle, into a PNG or SVG file.

        Args:
            path: The file.

        Raises:
            ValueError: The name has another ending, or the step is not affine.
        """
        from ..figures.probe import draw_probe

        draw_probe(self, Path(path))
        return Path(path)

    @property
    def data(self) -> dict[str, Any]:
        from ..probe.report import facts

        return facts(self.findings)

    def parts(self) -> Iterator[RenderableType]:
        found = self.findings
        shape = found.driver.shape if found.driver else found.step.shape
        yield Text.assemble((self.name, "bold"), f", state {tuple(shape)}, {self.data['format']}")
        if found.step.contract:
            yield Text(f"if the contract holds: the layer's kernel is taken to compute {found.step.contract} ({found.step.held})")
        elif found.step.held:
            yield Text(found.step.held)
        yield from (Text(str(e)) for e in found.step.earlier)
        if found.driver is not None:
            yield Text(f"nonlinear as a whole; {found.driver} (seen on the states tried)")
        yield Text(self._affine())
        off = found.affine.derivative
        if found.is_affine and off is not None and off > found.affine.bound:
            yield Text(f"the derivative that PyTorch gives is off by {off:.2g}: what trains on it trains another layer")
        if not found.is_affine:
            return
        for (n, copies, kind), count in Counter((len(b.matrix), b.copies, b.kind) for b in found.blocks).items():
            times = f"{copies} equal blocks of" if copies > 1 else "blocks of" if count > 1 else "a block of"
            yield Text(
                f"transition: {f'{count} times ' if count > 1 and copies > 1 else f'{count} ' if count > 1 else ''}{times} {n} x {n}, {kind}"
            )
        for r in found.ranges or ():
            yield Text(f"for all weights and inputs: {r}")
        if found.spectrum is not None:
            yield Text(f"eigenvalues: {found.spectrum}. {found.spectrum.lemma} ({found.grade}; {', '.join(found.spectrum.claims)})")
        table = Table(
            "eigenvalue" if found.driver is None else "eigenvalue of the rest",
            *found.reaches[0].answers,
            box=None,
            pad_edge=False,
            padding=(0, 2, 0, 0),
        )
        for reach in found.reaches:
            table.add_row(str(reach.target), *(Text(reach.grades[s].of(a), COLOURS[a]) for s, a in reach.answers.items()))
        yield table
        yield Text(
            "A no of a range holds in exact and margin arithmetic. In rounded arithmetic the eigenvalue is not excluded: --closure FORMAT follows letters there."
        )
        for reach in found.reaches:
            yield Text(f"{reach.target}, closure: {reach.reasons['closure']} ({reach.grades['closure']})")
        yield from (Text(f"warning: {w}", "yellow") for w in found.warnings)
        yield Text(f"row of the table: {self.row} ({found.grade})" if self.row else f"row of the table: none, {self.why_no_row}")
        if self.row:
            yield Text(f"what its layers can do: lemmata can --model {self.row}")

    def _affine(self) -> str:
        found = self.findings
        seen = f"the largest deviation from A(x) h + b(x) is {found.affine.deviation:.1e}, rounding gives up to {found.affine.bound:.1e}"
        if not found.is_affine:
            first = "" if found.graph is None or not found.graph.bends else f", first at the node {found.graph.bends}"
            return f"nonlinear in the state{first}: {seen}"
        if found.for_all_weights:
            return f"affine in the state for all weights, by the traced graph ({seen})"
        return f"affine in the state within rounding, on the states tried ({seen})"


def probe_step(
    step: Callable[..., Any],
    state: tuple[int, ...] | int,
    input: tuple[int, ...] | int | Draw,
    *,
    dtype: str | torch.dtype = "float64",
    name: str | None = None,
    progress: Progress | None = None,
) -> Probed:
    """Say what the transition of a recurrent step is, for all its weights where PyTorch can trace it.

    Args:
        step: A torch module or a function: (state, input) to the next state; or one of PyTorch's cells. An LSTM's state is (2, width): h, then c.
        state: The state's shape.
        input: The input's shape, drawn from the normal distribution, or a function that draws one from a torch generator.
        dtype: The format to compute in.
        name: What the layer is called; by default the name of its class.
        progress: Called with the stage, and how many are done out of how many.

    Returns:
        The kind of A(x), ranges of its numbers and of its eigenvalues, what is reached in three scopes, and the row of the table.

    Raises:
        ValueError: The step keeps something between calls, draws random numbers, branches on a value, or returns another shape.
        ModuleNotFoundError: PyTorch is not installed.

    Example:
        >>> import lemmata as lm
        >>> import torch
        >>> class Flip(torch.nn.Module):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.gate = torch.nn.Linear(3, 4)
        ...
        ...     def forward(self, h, x):
        ...         return torch.tanh(self.gate(x)) * h + x[0]
        >>> found = lm.probe_step(Flip(), state=4, input=3)
        >>> str(found.findings.spectrum)
        'real, in (-1, 1)'
        >>> found.reaches(-1), found.reaches(-1, "architecture"), found.row
        ('yes', 'no', 'diagonal-signed')
    """
    return _probed(step, state, input, dtype, name, progress)


def probe_scan(
    coefficients: Callable[..., Any],
    state: tuple[int, ...] | int,
    input: tuple[int, ...] | int | Draw,
    *,
    dtype: str | torch.dtype = "float64",
    name: str | None = None,
    progress: Progress | None = None,
) -> Probed:
    """Say what the transition of a scan is: h becomes a(x) h + b(x), for all weights where PyTorch can trace it.

    Args:
        coefficients: A torch module or a function: an input to the pair a, b. A matrix a of two axes multiplies the state's first axis; any other is taken entry by entry.
        state: The state's shape.
        input: The input's shape, drawn from the normal distribution, or a function that draws one from a torch generator.
        dtype: The format to compute in.
        name: What the layer is called; by default the name of its class.
        progress: Called with the stage, and how many are done out of how many.

    Returns:
        As :func:`probe_step` does.

    Raises:
        ValueError: As for :func:`probe_step`.
        ModuleNotFoundError: PyTorch is not installed.

    Example:
        >>> import lemmata as lm
        >>> import torch
        >>> found = lm.probe_scan(lambda x: (torch.sigmoid(x), x), state=4, input=4)
        >>> str(found.findings.spectrum), found.row
        ('real, in (0, 1)', 'open-diagonal')
    """

    from ..probe.steps import ScanStep

    return _probed(
        ScanStep(coefficients), state, input, dtype, name or getattr(coefficients, "__name__", type(coefficients).__name__), progress
    )


def probe_layer(
    layer: torch.nn.Module,
    hidden: int,
    *,
    dtype: str | torch.dtype = "float64",
    name: str | None = None,
    progress: Progress | None = None,
) -> Probed:
    """Say what the transition of a layer of flash-linear-attention is, if its fused kernel computes what its contract says; or of transformers.

    The layer's own code runs up to the kernel. From there on the contract of the kernel, in PyTorch, takes its place. A layer of transformers is
    run as it is, by its code in PyTorch.

    Args:
        layer: Such as ``fla.layers.DeltaNet(hidden_size=16, num_heads=2, layer_idx=0)``, or a recurrent layer of a model of transformers. It is copied.
        hidden: How many numbers a token has: the layer's ``hidden_size``.
        dtype: The format to compute in.
        name: What the layer is called; by default the name of its class.
        progress: Called with the stage, and how many are done out of how many.

    Returns:
        As :func:`probe_step` does. The report names the contract, and whether earlier tokens of the input are read.

    Raises:
        ValueError: Another library's layer, or one that calls no kernel with a contract; else as for :func:`probe_step`.
        ModuleNotFoundError: PyTorch is not installed.

    Example:
        >>> import lemmata as lm
        >>> import torch
        >>> lm.probe_layer(torch.nn.Linear(3, 3), hidden=3)
        Traceback (most recent call last):
        ...
        lemmata.probe.steps.Refused: expected a layer of flash-linear-attention, got Linear: use probe_step for a step
    """
    from ..probe.mixers import step_of_library

    return _found(lambda dtype: step_of_library(layer, hidden, dtype, name or type(layer).__name__), dtype, progress)


def _probed(step: Any, state: Any, input: Any, dtype: Any, name: str | None, progress: Progress | None) -> Probed:
    from ..probe.steps import step_of

    return _found(lambda dtype: step_of(step, state, input, dtype, name), dtype, progress)


def _found(step: Callable[[Any], Step], dtype: Any, progress: Progress | None) -> Probed:
    import torch

    from ..numerics.progress import silent
    from ..probe.report import findings
    from ..theorems.ledger import require_known

    if isinstance(dtype, str):
        require_known("format", [dtype], ["float64", "float32"])
        dtype = getattr(torch, dtype)
    threads = torch.get_num_threads()
    # matrices are small: more threads take ten times as long
    torch.set_num_threads(1)
    try:
        return Probed(findings(step(dtype), progress or silent))
    finally:
        torch.set_num_threads(threads)
