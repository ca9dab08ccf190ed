"""A small ledger of hand-made entries."""

from dataclasses import fields, replace

import pytest
from lemmata.papers import papers
from lemmata.theorems import ledger
from lemmata.theorems.ledger import TOPICS, Entry, Evidence

EVIDENCE = {f.name for f in fields(Evidence)}


def entry(id, **facts):
    """An entry with plain words; what is not given is unremarkable."""
    standard = {
        "topic": "depth",
        "place": "Theorem 1",
        "title": f"the title of {id}",
        "says": r"For $n\ge1$ and $M\in\mathbb R^{n\times n}$, $\|M\|\le\frac{1}{n+1}$.",
        "verdict": "CHECKED",
        "how": "exact",
        "scope": "n <= 8",
    }
    given = Evidence(**{name: facts.pop(name) for name in EVIDENCE & facts.keys()})
    return Entry(id=id, given=given, **standard | facts)


COUNTEREXAMPLE = {
    "given": {"A": [[1, "-1/2"], [0, 12]], "x": [3, 4], "by letter": {"a": [0, 1]}, "far": list(range(100, 160))},
    "hypotheses": {"A is triangular": True},
    "violates": {"the norm is above 1, and by far more than what the statement allows for any vector": True},
    "minimal": "n = 2",
}

ARGUMENT = r"""Induction on $n$.

1. For $n=1$ it is $\lambda_1\le1$. [checked: "the base"]
2. The step: $h_t=\sum_{i=1}^{t}A^{t-i}x_i$. [uses: lizaire26.lemma1] [cited: Banach's theorem]
3. The rest follows for all $n$. [prose]
"""

BOOK = (
    entry(
        "lizaire26.thm1",
        argument=ARGUMENT,
        uses=["lizaire26.lemma1"],
        steps=[{"what": "the base of it", "how": "exact", "scope": "n <= 8", "limited": True, "count": 8}],
        certificates=["witness", "witness"],
        remarks=["a remark"],
        exhibits=[{"what": "the smallest network", "given": {"w": [1, 2]}}],
        construction="lemmata.theorems.ledger.Entry.fault",
        check="lemmata.theorems.recheck.check_file",
        sabotages=["a sign"],
    ),
    entry("lizaire26.lemma1", place="Lemma 1", verdict="PROVED", scope="all n"),
    entry("lizaire26.thm1.proof", of="lizaire26.thm1", flaw="gap", weight="proof", verdict="REFUTED", letter="The step $n=1$ is missing in the proof.", place="App. A"),
    entry("lizaire26.thm1.index", of="lizaire26.thm1", flaw="misprint", verdict="REFUTED", letter="The index should be i_1.", counterexamples=[COUNTEREXAMPLE]),
    entry("lizaire26.thm1.index.amended", amends="lizaire26.thm1.index", place="Eq. 3"),
    entry("lizaire26.thm2", weight="result", verdict="REFUTED", place="Theorem 2", letter="100% of *these* fail & so on: h_t < x^2.", counterexamples=[COUNTEREXAMPLE]),
    entry("lizaire26.thm2.amended", amends="lizaire26.thm2", verdict="PROVED", scope="all n"),
    entry("lizaire26.thm3", place="Theorem 3", verdict="CITED", how="", scope="the object itself", citations=["Banach's theorem"]),
    entry("lizaire26.thm4", place="Theorem 4", verdict="OPEN", reasons=["a proof for n = 3"]),
    entry("new.depth.one", known="Scherk 1950", place="after Theorem 1"),
)  # fmt: skip


@pytest.fixture
def book(monkeypatch):
    """The ledger holds BOOK, or the entries given to this fixture's value."""

    def use(entries=BOOK):
        tables = {topic: {e.id: replace(e) for e in entries if e.topic == topic} for topic in TOPICS}
        monkeypatch.setattr(ledger, "_read", tables.__getitem__)

    # no letter begins with findings that BOOK lacks
    for key, paper in papers().items():
        monkeypatch.setitem(papers(), key, replace(paper, first_page=()))
    use()
    return use
