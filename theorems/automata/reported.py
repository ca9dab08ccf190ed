"""Tables of grazzi25, the sentences about them, and the listings of App. E.4.1: numbers as the text at hand has them, compared with no other rendering."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import sympy
from flint import fmpq

from ..claim import claim
from ..evidence import Proof

#: Table 3, best of three runs: parity, modular arithmetic without and with brackets, in thousandths
BEST = {
    "Transformer": (22, 31, 67),
    "mLSTM": (87, 40, 114),
    "sLSTM": (1000, 787, 178),
    "Mamba [0, 1]": (0, 95, 123),
    "Mamba [-1, 1]": (1000, 241, 116),
    "DeltaNet [0, 1]": (17, 314, 194),
    "DeltaNet [-1, 1]": (1000, 971, 260),
}

#: Table 5, left, the medians of the same three columns
MEDIAN = {
    "Transformer": (3, 18, 64),
    "mLSTM": (18, 27, 114),
    "sLSTM": (1000, 124, 163),
    "Mamba [0, 1]": (0, 66, 116),
    "Mamba [-1, 1]": (1000, 214, 98),
    "DeltaNet [0, 1]": (10, 214, 162),
    "DeltaNet [-1, 1]": (999, 826, 227),
}

#: Table 4, FineWeb, in tenths: LMB, PIQA, Hella., Wino., ARC-e, ARC-c, and what is printed as their average
ACCURACIES = {
    "DeltaNet 340M [0, 1]": ((337, 703, 451, 513, 500, 261), 461),
    "DeltaNet 340M [-1, 1]": ((340, 699, 446, 519, 500, 244), 458),
    "Mamba 370M [0, 1]": ((356, 706, 484, 512, 534, 248), 473),
    "Mamba 370M [-1, 1]": ((362, 705, 478, 533, 547, 267), 482),
}


@claim(
    "grazzi25.table3",
    place="Table 3; Table 5, left",
    title="the extended range raises five of the six scores of Table 3, and the best of three runs is never below the median",
    says="In Table 3 the best score of Mamba and DeltaNet rises with the range [-1, 1] in every column, but for Mamba on modular arithmetic with brackets, where it falls; no best score lies below its median in Table 5.",
    reading="numbers as extracted; the training behind them is not repeated here",
    sabotages={
        "the two ranges are exchanged": {"order": ("[-1, 1]", "[0, 1]")},
        "medians for the best": {"best": {k: tuple(x - 1 for x in v) for k, v in MEDIAN.items()}},
    },
)
def scores_of_table_three(proof: Proof, order: tuple[str, str] = ("[0, 1]", "[-1, 1]"), best=BEST) -> None:
    r"""The two tables are compared, cell by cell.

    1. Of three runs the best is at least the median. [checked: "the best is not below the median"]
    2. Five of the six differences between the ranges are positive. [checked: "which scores rise"]
    """
    for model in proof.every("all cells of Table 3, as extracted", best):
        proof.holds("the best is not below the median", all(x >= y for x, y in zip(best[model], MEDIAN[model], strict=True)))
    rises = {
        name: tuple(y > x for x, y in zip(best[f"{name} {order[0]}"], best[f"{name} {order[1]}"], strict=True))
        for name in ("Mamba", "DeltaNet")
    }
    for name, expected in proof.every("both models", [("Mamba", (True, True, False)), ("DeltaNet", (True, True, True))]):
        proof.exactly("which scores rise", rises[name], expected)


def _decimals(numbers: Sequence[fmpq], places: int) -> str:
    """The numbers as a table has them, rounded to so many places."""
    return ", ".join(f"{float(x):.{places}f}" for x in numbers)


@claim(
    "grazzi25.sec5.1.mamba",
    place="Sec. 5.1, Results",
    of="grazzi25.table3",
    flaw="overstatement",
    weight="wording",
    quotes=(
        "For both modular arithmetic tasks, this expansion led to substantial performance improvements for Mamba and especially DeltaNet",
    ),
    title="on modular arithmetic with brackets Mamba does not improve: its score falls, in the best run and in the median",
    says="On both modular arithmetic tasks the scores of Mamba and DeltaNet are higher with the range [-1, 1].",
    reading="numbers of Tables 3 and 5 as extracted",
    extracted=True,
    letter="Sec. 5.1 says that Mamba improves on both modular arithmetic tasks. With brackets Table 3 has 0.123 before and 0.116 after, and Table 5 0.116 and 0.098. For DeltaNet and without brackets the sentence holds.",
    sabotages={"without brackets only": {"tasks": ("without brackets",)}},
)
def one_score_falls(proof: Proof, tasks: Sequence[str] = ("without brackets", "with brackets")) -> None:
    """Mamba with brackets: 0.123 falls to 0.116 in the best of three runs, 0.116 to 0.098 in the median."""
    column = {"without brackets": 1, "with brackets": 2}

    def falls(case: tuple[str, str]) -> bool:
        name, task = case
        return all(table[f"{name} [-1, 1]"][column[task]] < table[f"{name} [0, 1]"][column[task]] for table in (BEST, MEDIAN))

    found = proof.smallest("both models, the two tasks", ((name, task) for name in ("DeltaNet", "Mamba") for task in tasks), falls)
    if found:
        name, task = found[0]
        best, median = ([fmpq(table[f"{name} {span}"][column[task]], 1000) for span in ("[0, 1]", "[-1, 1]")] for table in (BEST, MEDIAN))
        proof.counterexample(
            given={
                "model": name,
                "task": f"modular arithmetic {task}",
                "best, [0, 1] and [-1, 1]": _decimals(best, 3),
                "median, [0, 1] and [-1, 1]": _decimals(median, 3),
            },
            words={"best": best[1] < best[0], "median": median[1] < median[0]},
            minimal=f"{name}, {task}",
        )
        proof.certificate("witness", "scores for [0, 1] and [-1, 1]", best=best, median=median)


@claim(
    "grazzi25.table4",
    place="Table 4, FineWeb, 340M and 370M",
    title="the column Avg. of Table 4 is the mean of the six accuracies",
    says="In the four FineWeb rows with 340M and 370M parameters 'Avg.' is the mean of the six accuracies, rounded to a tenth.",
    reading="numbers as extracted; in the rows with 1.3B parameters the text at hand has lost the names of the models",
    remarks=(
        "Sec. 5.3 names two of the three retrieval tasks, SWDE and SQUAD, on which DeltaNet gains; on the third, FDA, it falls from 11.8 to 6.6.",
    ),
    sabotages={"five columns": {"columns": 5}},
)
def averages_of_table_four(proof: Proof, columns: int = 6) -> None:
    r"""The means are formed.

    1. Six times the printed average differs from the sum by three tenths at most, which is half a tenth for each of six. [checked: "the mean, rounded"]
    """
    for values, printed in proof.every("the four rows, as extracted", list(ACCURACIES.values())):
        proof.holds("the mean, rounded", abs(sum(values[:columns]) - columns * printed) * 2 <= columns)


@claim(
    "grazzi25.sec5.3.average",
    place="Sec. 5.3, second paragraph of the results",
    of="grazzi25.table4",
    flaw="misprint",
    quotes=("Mamba in the second subset of tasks (+2.1% average accuracy)",),
    title="+2.1 % is Mamba's gain on Winogrande alone: no average over two or more of the six tasks reaches it",
    says="On some two or more of the six tasks of Table 4, Mamba's average accuracy rises by 2.1 percentage points.",
    reading="numbers of Table 4 as extracted; rounded to a tenth, an average of 2.05 would do",
    extracted=True,
    letter="In Sec. 5.3, '+2.1% average accuracy' for Mamba is its gain on Winogrande alone. The average over Winogrande, ARC-e and ARC-c is 1.8, over all six tasks 0.9. No two or more tasks of Table 4 average 2.1.",
    sabotages={"single tasks too": {"least": 1}},
)
def gain_of_one_task(proof: Proof, least: int = 2) -> None:
    """The gains are 0.6, -0.1, -0.6, 2.1, 1.3 and 1.9: the largest average of two is (2.1 + 1.9)/2 = 2.0."""
    before, after = ACCURACIES["Mamba 370M [0, 1]"][0], ACCURACIES["Mamba 370M [-1, 1]"][0]
    gains = [fmpq(y - x, 10) for x, y in zip(before, after, strict=True)]
    means = [sum(chosen, fmpq(0)) / size for size in range(least, 7) for chosen in combinations(gains, size)]
    proof.counterexample(
        given={
            "gains of LMB, PIQA, Hella., Wino., ARC-e, ARC-c": _decimals(gains, 1),
            "largest average of two or more": _decimals([max(means)], 1),
            "average of the last three, of all six": _decimals([sum(gains[-3:], fmpq(0)) / 3, sum(gains, fmpq(0)) / 6], 2),
        },
        words={"single": fmpq(21, 10) in gains, "averages": max(means) < fmpq(205, 100)},
        minimal="57 choices of two or more tasks",
    )
    proof.certificate(
        "witness", "accuracies for [0, 1] and [-1, 1], in percent", before=[fmpq(x, 10) for x in before], after=[fmpq(x, 10) for x in after]
    )


@claim(
    "grazzi25.appE1.rates",
    place="App. E.1.1",
    of="grazzi25.table3",
    flaw="misprint",
    quotes=("using 3 different learning rates (1e-2, 1e-3, 5e-4 1e-4)",),
    title="three learning rates are announced and four are listed",
    says="The list 1e-2, 1e-3, 5e-4, 1e-4 has three entries.",
    extracted=True,
    letter="App. E.1.1 announces three learning rates and lists four: 1e-2, 1e-3, 5e-4, 1e-4. A comma is missing before the last.",
    sabotages={"the last two are one": {"listed": ("1/100", "1/1000", "1/2000")}},
)
def four_rates(proof: Proof, listed: Sequence[str] = ("1/100", "1/1000", "1/2000", "1/10000")) -> None:
    """The list is counted."""
    proof.counterexample(given={"listed": list(listed)}, words={"count": len(set(listed)) != 3}, minimal="the list itself")
    proof.certificate("witness", "the rates", rates=list(listed))


@claim(
    "grazzi25.appE2.tokens",
    place="App. E.2.1, S_5 with 4 tokens per transition",
    of="grazzi25.sec5.2.four-tokens",
    flaw="misprint",
    quotes=(
        r"For $i > 3$, $y_{i+3}$ is the product of the permutations corresponding to $x_1, \dots, x_i$",
        r"$y_i = 0$ for $i \in \{1, 2, 3\}$",
    ),
    title="the labels y₄, y₅ and y₆ of the task with four tokens are not defined",
    says=r"$y_i=0$ for $i\le3$ and the products $y_{i+3}$ for $i>3$ define $y_i$ for all $i\ge1$.",
    extracted=True,
    letter="In App. E.2.1 the labels of the task with four tokens are given for i = 1, 2, 3 and from i = 7 on. For y_4, y_5, y_6 the bound 'i > 3' should read 'i > 0'.",
    sabotages={"from i = 1 on": {"after": 0}},
)
def undefined_labels(proof: Proof, after: int = 3) -> None:
    """y_1 to y_3 are 0, and y_{i+3} for i = 4, 5, ... begins with y_7."""
    defined = lambda j: 1 <= j <= 3 or j - 3 > after  # noqa: E731
    found = proof.smallest("labels y_1, ..., y_12", range(1, 13), lambda j: not defined(j))
    if found:
        missing = [j for j in range(1, 13) if not defined(j)]
        proof.counterexample(given={"undefined": missing}, words={"missing": not any(map(defined, missing))}, minimal=f"y_{found[0]}")
        proof.certificate("witness", "labels that are not defined", missing=missing)


# -- App. E.4.1 ----------------------------------------------------------------------------------------------------------------


@claim(
    "grazzi25.appE4.backward",
    place="App. E.4.1, Fig. 11 and 12",
    title="the listings' derivatives by Δ and A, and the state hi, are right for the decay 2 exp(ΔA) − 1",
    says=r"For $h=(2s-1)h'+\Delta uB$, $s=e^{\Delta A}$, the listing's $a=(\bar a+1)h'$, $\bar a=2s-1$, gives $\partial h/\partial\Delta=Aa+uB$ and $\partial h/\partial A=\Delta a$; its hi is $h$, and $\partial(Ch)/\partial C=h$.",
    reading="the lines of Fig. 12 around the changed ones as in state-spaces/mamba at commit 1200d6e, where a is multiplied by A and by delta. One state, one time, real numbers",
    sabotages={"the derivative of exp alone": {"slope": lambda decay: decay}, "the decay not extended": {"extend": lambda s: s}},
)
def listed_derivatives(proof: Proof, slope: Callable = lambda decay: decay + 1, extend: Callable = lambda s: 2 * s - 1) -> None:
    r"""Differentiation.

    1. $\partial(2s-1)/\partial\Delta=2sA=(\bar a+1)A$, and the same with $\Delta$ for $A$. [checked: "the derivative by delta"; "the derivative by A"]
    2. $hi=\bar ah'+\Delta uB$ is the new state, and $y=C\,h$. [checked: "hi is the state"; "the derivative by C"]
    3. The lines of the listing are those of Fig. 12, read as formulas. [prose]
    """
    delta, A, u, B, C, before = sympy.symbols("Delta A u B C h", real=True)
    h = (2 * sympy.exp(delta * A) - 1) * before + delta * u * B
    decay = extend(sympy.exp(delta * A))
    a, hi = slope(decay) * before, decay * before + delta * u * B
    free = "Delta, A, u, B, C, h"
    proof.symbolically("the derivative by delta", A * a + u * B, sympy.diff(h, delta), free)
    proof.symbolically("the derivative by A", delta * a, sympy.diff(h, A), free)
    proof.symbolically("hi is the state", hi, h, free)
    proof.symbolically("the derivative by C", sympy.diff(C * h, C), hi, free)


@claim(
    "grazzi25.appE4.listing",
    place="App. E.4.1, Fig. 12, line 297",
    of="grazzi25.appE4.backward",
    flaw="misprint",
    quotes=("dBC_val += dout_vals[i] * thread_data[i].y;", "ExclusiveScan("),
    title="one line of Fig. 12 still takes the scan's value for the state: with a fixed C the gradient is that of the state before",
    says="With the exclusive scan of Fig. 12, thread_data[i].y is the state after letter i, as line 297 takes it where C is fixed and B varies.",
    reading="line 297, printed in red and in green with the same words; lines 294 and 303 have hi, the state after the letter",
    extracted=True,
    letter="In Fig. 12 line 297, for a fixed C and a varying B, should read 'dout_vals[i] * hi'. After the exclusive scan thread_data[i].y is the state before the letter. Mamba varies both, so it does not run this line.",
    sabotages={"hi, as in the lines beside it": {"taken": lambda before, hi: hi}},
)
def state_before_the_letter(proof: Proof, taken: Callable[[fmpq, fmpq], fmpq] = lambda before, hi: before) -> None:
    """One letter from the state 0: the state is then Delta u B = 1, the derivative of C h by C is 1, and the line adds 0."""
    before, decay, written = fmpq(0), fmpq(0), fmpq(1)
    hi = decay * before + written
    proof.counterexample(
        given={
            "state before": before,
            "2 exp(Delta A) - 1": decay,
            "Delta u B": written,
            "state after": hi,
            "line 297": taken(before, hi),
            "d(C h)/dC": hi,
        },
        words={"gradient": taken(before, hi) != hi},
        minimal="one letter, one state",
    )
    proof.certificate("witness", "the state before, the decay and what is written", before=before, decay=decay, written=written)
