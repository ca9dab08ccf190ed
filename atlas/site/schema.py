"""The JSON Schema of ``ledger.json``."""

from __future__ import annotations

from typing import Any

from ...theorems.ledger import FLAWS, KINDS, PAPERS, TOPICS, VERDICTS, WEIGHTS
from ..built import FORMATS, PATHS
from ..inference import DEPTHS, GRADES
from ..knowledge import EVERY, PRECISIONS, knowledge

HOWS = ("formal", "symbolic", "exhaustive", "exact", "certified", "float", "statistical")


def _one_of(names, says: str) -> dict[str, Any]:
    return {"enum": list(names), "description": says}


def _text(says: str) -> dict[str, Any]:
    return {"type": "string", "description": says}


def _maybe(kind: dict[str, Any]) -> dict[str, Any]:
    """The same, or null."""
    return {"enum": [*kind["enum"], None], **_said(kind)} if "enum" in kind else {"type": [kind["type"], "null"], **_said(kind)}


def _said(kind: dict[str, Any]) -> dict[str, Any]:
    return {"description": kind["description"]}


def _texts(says: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}, "description": says}


def _ids(says: str) -> dict[str, Any]:
    return {"type": "array", "items": {"$ref": "#/$defs/id"}, "uniqueItems": True, "description": says}


def _object(properties: dict[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "required": required, "additionalProperties": False, "properties": properties}


CLAIM = _object(
    {
        "id": {"$ref": "#/$defs/id", "description": "the name, which stays"},
        "topic": _one_of(TOPICS, "the topic"),
        "paper": _one_of(PAPERS, "the key of the paper; new for what is nobody's"),
        "place": _text("where in the paper"),
        "source": _text("the paper in words, and the place"),
        "kind": _one_of(KINDS, "a statement of the paper, a finding beside one, its repair, or new"),
        "title": _text("in one line, without formulas"),
        "says": _text("the statement, or what is printed; formulas between dollar signs"),
        "hypotheses": _texts("what is assumed, one by one"),
        "reading": _maybe(_text("how the statement is read, where that is in question")),
        "verdict": _one_of(VERDICTS, "what the evidence came to"),
        "how": _one_of(("", *HOWS), "the weakest kind of evidence that was needed; empty where there is none"),
        "scope": _text("what was gone through"),
        "flaw": _maybe(_one_of(FLAWS, "the class of a finding")),
        "fault": _maybe(_one_of(FLAWS, "the class under which it is refuted; null if it is not")),
        "quotes": _texts("the phrases judged, word for word from the paper"),
        "weight": _maybe(_one_of(WEIGHTS, "what a finding changes")),
        "root": _maybe(_text("the id of the finding of which this one is the same slip")),
        "extracted": {"type": "boolean", "description": "whether a misprint was seen in extracted text alone"},
        "answers": _texts("what the authors answered"),
        "of": _maybe(_text("of a finding: the id of the statement that it hangs on")),
        "amends": _maybe(_text("of a repair: the id of what it repairs")),
        "uses": _ids("what the argument rests on"),
        "findings": _ids("what is wrong beside it"),
        "repairs": _ids("what repairs it"),
        "letter": _maybe(_text("what would be written to the author")),
        "known": _maybe(_text("what is known beside it")),
        "remarks": _texts("remarks"),
        "argument": _text("the proof in prose: Markdown with numbered steps, each with what carries it in brackets"),
        "domain": {
            "type": "array",
            "description": "what the loops of the check went through, in their order",
            "items": _object(
                {
                    "kind": _one_of(("instances", "all cases"), "chosen instances, or all cases of a finite set"),
                    "limited": {"type": "boolean", "description": "whether this is a part of the domain of the claim"},
                    "count": {"type": "integer", "minimum": 0, "description": "how many cases"},
                }
            ),
        },
        "citations": _texts("outside theorems that it rests on"),
        "reasons": _texts("what is missing"),
        "formal": {
            "type": "array",
            "description": "theorems that a kernel checked",
            "items": _object(
                {
                    "theorem": _text("module and name"),
                    "file": _text("the source file"),
                    "line": {"type": "integer", "minimum": 1, "description": "where in it"},
                    "statement": _text("the statement in the kernel's language"),
                    "differs": _text("how it differs from the claim; empty if it does not"),
                }
            ),
        },
        "certificates": _texts("kinds of the certificates that the check writes, one for each"),
        "construction": _maybe(_text("the dotted name of what builds the promised object")),
        "check": _text("the dotted name of the check"),
        "sabotages": {**_texts("changes that the check must notice"), "minItems": 1},
    }
)

CELL = _object(
    {
        "model": _one_of(knowledge().models, "the class of models"),
        "task": _one_of(knowledge().tasks, "the task"),
        "layers": _one_of(DEPTHS, "with one layer, or with as many as one likes"),
        "precision": _one_of(PRECISIONS, "the arithmetic"),
        "answer": _one_of(("yes", "no", "open"), "whether the model can"),
        "grade": _one_of(GRADES, "the verdict of the weakest claim of the chain"),
        "unless": _maybe(_text("a conjecture whose failure would change the answer")),
        "place": _maybe(_text("where it stands in the publications")),
        "rounding": _maybe(_text("of a rounded answer: the format and the order of operations")),
        "assumes": _maybe(_text("of an answer over the reals: what is assumed besides")),
        "even if cast": {
            "type": "boolean",
            "description": "whether a no stands even if exact states are cast onto a finite set when they are read",
        },
        "claims": _ids("claims that the answer rests on"),
        "cites": _texts("publications that it rests on and that are not checked here"),
        "enough layers": _maybe(_text("of a yes: how many layers do it")),
        "width": _maybe(_text("of a yes: which width does")),
        "command": _maybe(_text("of a yes: the command that builds it, if one does")),
        "built": {
            "type": "array",
            "items": _object(
                {
                    "command": _text("what builds it"),
                    "instance": _maybe(_text("of a task that stands for many: for which one")),
                    "layers": {"type": "integer", "minimum": 1, "description": "how many layers it has"},
                    "widths": {
                        "type": "array",
                        "items": {"type": "integer", "minimum": 1},
                        "description": "of the layers, without a clock",
                    },
                    "run": _one_of(PATHS, "how a layer of the model is run"),
                    "right up to": {
                        "type": "object",
                        "description": "way to run it, data type, a length up to which rounding leaves every word right",
                        "propertyNames": {"enum": list(PATHS)},
                        "additionalProperties": {
                            "type": "object",
                            "propertyNames": {"enum": list(FORMATS)},
                            "additionalProperties": {"anyOf": [{"const": EVERY}, {"type": "integer", "minimum": 0}]},
                        },
                    },
                }
            ),
            "description": "of a yes: networks that commands build, with what is proved of them",
        },
        "length": _maybe(_text("of a yes: data type and length of what is built, or what the claims promise")),
        "chain": _texts("why, a line for each link"),
    },
    optional=(
        "grade",
        "unless",
        "claims",
        "cites",
        "place",
        "rounding",
        "assumes",
        "even if cast",
        "enough layers",
        "width",
        "command",
        "built",
        "length",
        "chain",
    ),
)

SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "lemmata ledger",
    "description": "All claims in the order of the ledger, and the table of who can do what",
    **_object(
        {
            "version": _text("the version of lemmata"),
            "claims": {"type": "array", "items": {"$ref": "#/$defs/claim"}, "description": "all claims"},
            "cells": {
                "type": "array",
                "items": {"$ref": "#/$defs/cell"},
                "description": "the cells of the table; an open one has the question and the answer alone",
            },
        }
    ),
    "$defs": {"id": {"type": "string", "pattern": rf"^({'|'.join(PAPERS)})(\.[A-Za-z0-9_-]+)+$"}, "claim": CLAIM, "cell": CELL},
}
