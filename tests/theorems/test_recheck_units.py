"""Topics bistable and automata: the certificates speak of the instances that the checker lists or draws, and of no others."""

import copy
import random
from fractions import Fraction

import pytest
from lemmata.theorems import automata, bistable, verify
from lemmata.theorems.ledger import entries
from lemmata.theorems.recheck.exact import Rejected
from lemmata.theorems.recheck.registry import INSTANCES, check_certificates, require_instances

TOPICS = {e.id for e in entries() if e.topic in ("bistable", "automata")}
LISTED = sorted(key for key in INSTANCES if key[0] in TOPICS)

#: claims whose certificates are drawn with a seed, quick to check
DRAWN = ("degeeter26.eq11", "degeeter26.appB.thm3", "new.bistable.copy-first", "new.automata.settled")

#: claims whose certificates must be about more than zeros, and a certificate that is not
EMPTY = {
    "new.automata.bistable-band": {"gates": [[0, 0], [0, 0]], "candidates": [[1, -1], [-1, 1]]},
    "new.automata.settled": {"letters": [{"A": [["0", "0"], ["0", "0"]], "b": ["1", "0"]}] * 3, "states": [["0", "0"], ["1", "0"]]},
    "lizaire26.sec3.3.weighted-automata": {
        "slices": [[[1, 0], [0, 1]], [[1, 0], [0, 1]]],
        "start": [1, -1],
        "word": [0, 1, 1, 0, 1],
        "states": [["1", "-1"]] * 5,
    },
}


def changed(x):
    """The same with one number, word or truth changed."""
    if isinstance(x, dict):
        name = next(iter(x))
        return {**x, name: changed(x[name])}
    if isinstance(x, list | tuple):
        return [changed(x[0]), *x[1:]] if x else [1]
    if isinstance(x, bool):
        return not x
    return x + 1 if isinstance(x, int | Fraction) else x + "a"


@pytest.mark.parametrize(("claim", "kind"), LISTED)
def test_other_instances_are_refused(claim, kind):
    expected = [dict(fields) for fields in INSTANCES[claim, kind]()]
    require_instances(INSTANCES[claim, kind](), expected, kind)
    for name in expected[-1]:
        other = copy.deepcopy(expected)
        other[-1][name] = changed(other[-1][name])
        with pytest.raises(Rejected, match=f"another {name} than the claim's"):
            require_instances(INSTANCES[claim, kind](), other, kind)
    with pytest.raises(Rejected, match="expected"):
        require_instances(INSTANCES[claim, kind](), expected[:-1], kind)


class Shifted(random.Random):
    """A generator whose seed is another one."""

    def __init__(self, seed):
        super().__init__(seed + 1000)


@pytest.mark.parametrize("claim", DRAWN)
def test_the_draws_of_another_seed_are_refused(claim, monkeypatch):
    for topic in (automata, bistable):
        for name in topic.__all__:
            monkeypatch.setattr(getattr(topic, name), "Random", Shifted, raising=False)
    (record,) = verify([claim])
    certificates = [{"kind": c.kind, "data": c.data} for c in record.certificates]
    with pytest.raises(Rejected, match="than the claim's"):
        check_certificates(claim, certificates)
    monkeypatch.undo()
    (record,) = verify([claim])
    check_certificates(claim, [{"kind": c.kind, "data": c.data} for c in record.certificates])


@pytest.mark.parametrize("claim", EMPTY)
def test_data_that_show_nothing_are_refused(claim):
    how_many = len(list(INSTANCES[claim, "witness"]()))
    with pytest.raises(Rejected, match="than the claim's"):
        require_instances(INSTANCES[claim, "witness"](), [EMPTY[claim]] * how_many, "witness")
