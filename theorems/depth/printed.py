"""Misprints of lizaire26 on linear networks: the end of App. A.4, the times of Eq. 7, the sizes of data sets, a theorem's number."""

from __future__ import annotations

from collections.abc import Callable

from flint import fmpq

from ...constructions.depth import as_one_layer, copy_network
from ..claim import claim
from ..evidence import Proof
from .copying import network_data
from .units import states


@claim(
    "lizaire26.thm6.blocks",
    place="App. A.4 (end of the proof; its footnote)",
    flaw="misprint",
    extracted=True,
    quotes=("leads to a contradiction, proving that",),
    title="the last line of App. A.4 denies what its first part proves: it speaks of h in place of h-tilde",
    says=r"The contradiction proves that $h\notin\mathcal H_{RNN}(nL,1)$ for $h\in\mathcal H^{(\|)}_{RNN}(n,L)$; and the blocks are those of $l\in[2,l]$.",
    reading="as printed; meant is that h-tilde is not in the class of L layers, and [2, L]. The extraction may have lost the tildes",
    letter="At the end of App. A.4 the contradiction shows that h-tilde is not in the class of L layers. Printed is that h is not in H_RNN(nL, 1), which the inclusion before refutes. "
    "In the text and in the footnote [2, l] should be [2, L].",
    sabotages={"another layer": {"joined": lambda network: as_one_layer(copy_network(2, 2, 1))}},
)
def joint_states_are_one_layer(proof: Proof, joined: Callable = as_one_layer) -> None:
    """n = 2, L = 2, d = 1: the joint states of the register of Lemma 2 are those of one layer of 4 units, so this h is in the class that the line denies it."""
    network = copy_network(2, 2, 2)
    one = joined(network)
    ((U, V),) = one.layers
    inputs = [1, 2, 3]
    both = [states(each, inputs) for each in (network, one)]
    proof.counterexample(
        given={"n": 2, "L": 2, "U of one layer": U, "V of one layer": V, "inputs": inputs, "states": both[0]},
        words={"layers": len(network.layers) == 2, "joint": both[0] == both[1] and any(any(h) for h in both[0])},
        minimal="n = 2, L = 2, d = 1",
    )
    proof.certificate("witness", "n = 2, L = 2", layers=network_data(network)["layers"], U=U, V=V, inputs=[[fmpq(x)] for x in inputs])


@claim(
    "lizaire26.lemma3.start",
    place="App. A.3, Eqs. 7 and 8",
    flaw="misprint",
    weight="proof",
    quotes=("Since this inequality is true for any time step t, we can sum up these inequalities",),
    title="the first p times have fewer than p earlier inputs, so the lower bound p of the first sum holds from p + 1 on only",
    says=r"$\sum_{l=1}^L\sum_{i=1}^{t-1}f^\to_{i,t-1,l}\ge p$ for every $t\ge1$.",
    reading="as printed, for all t >= 1; the sum has t - 1 inputs i, and p of them need t > p",
    letter="Eq. 7 bounds the first double sum by p for all t >= 1. At t = 1 that sum is empty, since no input came before. There are p earlier inputs from t = p + 1 on. Summing from there changes Eq. 8 by terms that do not grow with K, and the conclusion stays. The flows are defined for l < L and summed up to L.",
    sabotages={"later times": {"times": range(2, 5)}},
)
def no_input_before_the_first(proof: Proof, times: range = range(1, 5)) -> None:
    """p = 1 and t = 1: i runs from 1 to 0, so the sum is empty, and 0 < 1. From t = p + 1 on the inputs t - p, ..., t - 1 are there."""
    p = 1
    found = proof.smallest("t", times, lambda t: len(range(1, t)) < p)
    if found:
        t = found[0]
        proof.counterexample(
            given={"p": p, "t": t, "inputs i of the sum": list(range(1, t))},
            words={"time": t >= 1 and p >= 1, "empty": not range(1, t)},
            minimal="p = 1, t = 1",
        )
        proof.certificate("witness", "t = 1", p=p, t=t)


@claim(
    "lizaire26.appB1.test-sets",
    place="Sec. 4.1, second paragraph; App. B.1",
    of="lizaire26.memory",
    flaw="misprint",
    extracted=True,
    quotes=("validation and test sets each contain 2000 sequences.", "the validation and test sets each contain 200 sequences."),
    title="Sec. 4.1 gives the copy task validation and test sets of 2000 sequences, App. B.1 of 200",
    says="The validation and test sets of the copy task hold 2000 sequences each, and 200 each.",
    reading="as printed at both places; the parity task has 2000 in App. B.2",
    letter="For the copy task Sec. 4.1 gives validation and test sets of 2000 sequences each, and App. B.1 gives 200. The parity task has 2000 in App. B.2.",
    sabotages={"one number": {"appendix": 2000}},
)
def two_sizes(proof: Proof, section: int = 2000, appendix: int = 200) -> None:
    """2000 is not 200."""
    proof.counterexample(
        given={"Sec. 4.1": section, "App. B.1": appendix},
        words={"differ": section != appendix},
        minimal="the sizes of the test sets",
    )
    proof.certificate("witness", "two sizes", section=section, appendix=appendix)


@claim(
    "lizaire26.sec4.2.inclusion",
    place="Sec. 4.2, last sentence",
    of="lizaire26.thm2",
    flaw="misprint",
    extracted=True,
    quotes=("parity is not among the functions behind the strict inclusion in Theorem 2.",),
    title="Theorem 2 compares numbers of parameters; the strict inclusions are in Theorems 1, 3 and 4",
    says="Theorem 2 states a strict inclusion of two sets of functions.",
    reading="Theorem 1 may be meant, or the functions of Theorem 2, for which fewer layers need more parameters",
    letter="The end of Sec. 4.2 speaks of the strict inclusion in Theorem 2. Theorem 2 compares numbers of parameters; strict inclusions are in Theorems 1, 3 and 4. "
    "Is Theorem 1 meant, or the functions of Theorem 2 that need more parameters in fewer layers?",
    sabotages={"Theorem 1": {"theorem": 1}},
)
def another_theorem(proof: Proof, theorem: int = 2, inclusions: tuple[int, ...] = (1, 3, 4)) -> None:
    """2 is none of 1, 3 and 4."""
    given = {"theorem": theorem, "theorems of the main text with a strict inclusion": list(inclusions)}
    words = {"differ": theorem not in inclusions}
    proof.counterexample(given, words=words, minimal="the number of the theorem", witness="theorem")
