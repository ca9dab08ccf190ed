"""Data for the page "Type a language": properties, the rows that tie them to models, and the ladder of classes, as the package has them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ...cli.titles import set_text
from ...constructions.languages import PROPERTIES
from ...constructions.languages.ladder import LADDER, Rung
from ...constructions.languages.properties import implied
from ...constructions.languages.property import Property
from ..knowledge import KINDER, PRECISIONS
from ..languages import GRADES, OWN, Row, exactly, row_data, table
from .pages import SHORT

#: names that a module gives to the sentences of its witnesses
FORMS = ("SAYS", "ORDER", "COUNT", "NO_PERIOD", "TRANSIENT")

#: (address below the site, what the button says)
EXAMPLES = (
    ("regex=a*b*", "a*b*"),
    ("regex=(ab)*", "(ab)*"),
    ("regex=(aa)*", "(aa)*"),
    ("regex=(b*ab*a)*b*", "parity of a"),
    ("regex=(a|b)*aba(a|b)*", "contains aba"),
    ("regex=(a|b)*a(a|b)", "last letter but one is a"),
    ("regex=(a{9})*", "length divisible by 9"),
    ("letters=s,c&table=1.0.2.3.4-1.2.3.4.0&accepting=", "S₅ on five points"),
)


def data() -> dict[str, Any]:
    """All that the page knows."""
    rows = [{**_row(row), "arithmetic": row.arithmetic, "layers": row.layers} for row in table().rows]
    return {
        "precisions": PRECISIONS,
        "kinder": KINDER,
        "own": OWN,
        "grades": GRADES,
        "properties": {id: {"name": set_text(p.name), "means": set_text(p.means), "says": sentences(p)} for id, p in PROPERTIES.items()},
        "models": [
            {"id": s.id, "name": set_text(s.name), "names": [set_text(name) for name in s.names]} for s in table().subjects.values()
        ],
        "rows": rows,
        "ladder": [[rung_data(rung) for rung in level] for level in LADDER],
    }


def sentences(p: Property) -> dict[str, str]:
    """What its witnesses say, with names in braces, by the names of these sentences in its module."""
    module = vars(sys.modules[p.decide.__module__])
    return {form: module[form] for form in FORMS if form in module}


def rung_data(rung: Rung) -> dict[str, Any]:
    """A rung with the models that are exactly as strong, and the rungs below it."""
    below = [small for level in LADDER for small in level if small != rung and implied(small) >= set(rung)]
    return {"properties": rung, "any": exactly(rung, "any", "exact"), "one": exactly(rung, "1", "exact"), "below": below}


def _row(row: Row) -> dict[str, Any]:
    """A row without the addresses of what it cites, which the page of a model has."""
    sources = [table().publications[key] for key in row.cites]
    cited = [f"arXiv {s.arxiv}" if s.arxiv else s.text.split(":")[0] for s in sources]
    known = row_data(row)
    assert known is not None
    return {
        "models": row.models,
        "relation": known["relation"],
        "properties": row.alternatives,
        "most": row.most,
        "grade": row.grade,
        "claims": row.claims,
        "cites": cited,
        "argument": row.argument,
        "needs": row.needs,
        "swaps": row.swaps,
        "unless": row.unless,
        "build": row.build,
    }


def files(page: Callable[..., str]) -> Iterator[tuple[str, str]]:
    """(path, text) of the page and of its data; ``page`` renders a template."""
    yield "language/index.html", page("language.html", "../", examples=EXAMPLES, choices=SHORT)
    yield "language/known.js", script()


def script() -> str:
    """The data as a file that a page loads from a folder as well."""
    return f"const KNOWN = {json.dumps(data(), ensure_ascii=False, separators=(',', ':'))};\n"
