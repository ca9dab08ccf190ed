"""The pages of the package cover every room, and docstrings with sections become lists and code."""

from lemmata.atlas.site import api
from lemmata.cli.docstrings import sections
from lemmata.cli.where import ROOT


def test_every_room_has_its_pages():
    rooms = {folder.parent.name for folder in ROOT.glob("*/__init__.py")} - {"tests", "benchmarks"}
    assert rooms | {"lemmata"} == set(api.ROOMS)
    assert {m.room for m in api.modules().values()} == set(api.ROOMS)


def test_the_public_functions_are_found_from_the_package():
    import lemmata

    names = {name for name in lemmata.__all__ if not name.startswith("_")}
    assert names == set(api.modules()["lemmata"].exports)
    assert api.page_of("lemmata.can") == "api/lemmata.api.can.html#lemmata.api.can.can"
    for name in names:
        assert api.page_of(f"lemmata.{name}"), name


def test_sections_of_a_docstring():
    doc = "Say it.\n\nArgs:\n    a: The ``first``,\n        on two lines.\n    b: The second.\n\nReturns:\n    What.\n\nExample:\n    >>> 1\n    1"
    assert sections(doc) == (
        "Say it.\n\nArguments:\n\n- `a`: The `first`, on two lines.\n- `b`: The second.\n\nReturns: What.\n\n```pycon\n>>> 1\n1\n```"
    )
    (can,) = [n for n in api.modules()["lemmata.api.can"].names if n.name == "can"]
    assert "- `model`: " in can.doc
    assert "```pycon\n>>> import lemmata as lm\n" in can.doc


def test_a_property_with_a_setter_is_named_once():
    (console,) = [n for n in api.modules()["lemmata.cli.console"].names if n.name == "SafeConsole"]
    assert [n.name for n in console.members].count("size") == 1
