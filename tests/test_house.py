"""The house: one version everywhere, a citation that is valid, and every file, page and package where those who look for it find it."""

import ast
import json
import re
import subprocess
import tomllib
from fnmatch import fnmatch
from functools import cache
from pathlib import Path, PurePosixPath

import jsonschema
import lemmata
import pytest
import yaml
from lemmata.cli.citation import with_references
from lemmata.papers import papers
from lemmata.theorems.ledger import ledger

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ENTRANCES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
PAGES = [*ENTRANCES, ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]

PERSONS = {
    "type": "array",
    "minItems": 1,
    "items": {
        "oneOf": [
            {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}, "additionalProperties": False},
            {
                "type": "object",
                "required": ["given-names", "family-names"],
                "properties": {"given-names": {"type": "string"}, "family-names": {"type": "string"}},
                "additionalProperties": False,
            },
        ]
    },
}
#: what of the Citation File Format 1.2.0 we use, with its names and types; cffconvert, which knows all of it, needs jsonschema 3
CITATION = {
    "type": "object",
    "required": [
        "cff-version",
        "message",
        "type",
        "title",
        "version",
        "license",
        "authors",
        "abstract",
        "keywords",
        "preferred-citation",
        "references",
    ],
    "properties": {
        "cff-version": {"const": "1.2.0"},
        "type": {"const": "software"},
        "message": {"type": "string", "minLength": 1},
        "title": {"type": "string", "minLength": 1},
        "version": {"type": "string"},
        "license": {"const": "Apache-2.0"},
        "abstract": {"type": "string", "minLength": 1},
        "keywords": {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"type": "string", "minLength": 1}},
        "authors": PERSONS,
        "preferred-citation": {
            "type": "object",
            "required": ["type", "title", "authors", "version", "year"],
            "properties": {
                "type": {"const": "software"},
                "title": {"type": "string", "minLength": 1},
                "authors": PERSONS,
                "version": {"type": "string"},
                "year": {"type": "integer"},
            },
            "additionalProperties": False,
        },
        "references": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["type", "title", "authors", "year", "url", "notes"],
                "properties": {
                    "type": {"const": "article"},
                    "title": {"type": "string"},
                    "authors": PERSONS,
                    "year": {"type": "integer"},
                    "url": {"type": "string", "pattern": r"^https://arxiv\.org/abs/\d{4}\.\d{5}(v\d+)?$"},
                    "notes": {"type": "string"},
                },
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}


@cache
def tracked() -> list[str]:
    """The files that git tracks; skips in a tree without git."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a checkout with git")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).exists()]


def citation() -> dict:
    return yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def matches(name: str, pattern: str) -> bool:
    """As setuptools reads patterns: a star does not cross folders."""
    name_parts, pattern_parts = name.split("/"), pattern.split("/")
    return len(name_parts) == len(pattern_parts) and all(map(fnmatch, name_parts, pattern_parts))


def packages() -> set[str]:
    """Folders of the packages that are installed, relative to the root."""
    return {name.replace(".", "/").removeprefix("lemmata").removeprefix("/") for name in PROJECT["tool"]["setuptools"]["packages"]}


def is_installed(name: str) -> bool:
    folder, suffix = name.rpartition("/")[0], PurePosixPath(name).suffix
    data = PROJECT["tool"]["setuptools"]["package-data"]["lemmata"]
    return (suffix == ".py" and folder in packages()) or any(matches(name, pattern) for pattern in data)


def test_one_version():
    version = PROJECT["project"]["version"]
    assert lemmata.__version__ == version
    assert citation()["version"] == version
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_citation_is_valid_and_names_the_papers():
    jsonschema.validate(citation(), CITATION)
    assert [r["notes"].split()[0] for r in citation()["references"]] == list(papers())
    for reference, paper in zip(citation()["references"], papers().values(), strict=True):
        assert (reference["title"], reference["year"], reference["url"]) == (paper.title, paper.year, paper.link)
        assert tuple((a["given-names"], a["family-names"]) for a in reference["authors"]) == paper.authors
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert with_references(text) == text, "write it anew: lemmata pin"
    assert citation()["authors"] == PROJECT["project"]["authors"]
    assert citation()["keywords"] == PROJECT["project"]["keywords"]
    preferred = citation()["preferred-citation"]
    assert {name: preferred[name] for name in ("type", "title", "authors", "version")} == {
        name: citation()[name] for name in ("type", "title", "authors", "version")
    }


@pytest.mark.parametrize(
    "broken", [{"type": "softwar"}, {"cff-version": "2"}, {"authors": []}, {"authors": ["me"]}, {"licence": "Apache-2.0"}]
)
def test_a_wrong_citation_is_noticed(broken):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(citation() | broken, CITATION)


def test_verdicts_of_the_newest_changes_are_todays():
    newest = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    rows = re.findall(r"^\| \w+ \| `([^`]+)` \| ([A-Z]+) \|", newest, re.MULTILINE)
    lines = re.findall(r"^- (`[^:]+`): (?:[A-Z]+ -> )+([A-Z]+)\.", newest, re.MULTILINE)
    changed = rows + [(name, verdict) for names, verdict in lines for name in re.findall(r"`([^`]+)`", names)]
    assert len(changed) >= len(lines) + len(rows) > 1
    assert [(name, ledger()[name].verdict) for name, _ in changed] == changed
    assert not [name for name in re.findall(r"`((?:new|[a-z]+\d\d)\.[^`]+)`", newest) if name not in ledger()]


def test_development_needs_what_the_extras_say():
    extras = PROJECT["project"]["optional-dependencies"]
    assert sorted(PROJECT["dependency-groups"]["dev"]) == sorted(extras["test"] + extras["lint"] + extras["mutants"])


def test_every_direct_dependency_is_pinned():
    pinned = {line.split("==")[0].lower().replace("_", "-") for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").split()}
    wanted = PROJECT["project"]["dependencies"] + [d for extra in PROJECT["project"]["optional-dependencies"].values() for d in extra]
    missing = {name for name in (re.split(r"[<>=;! ]", d)[0].lower() for d in wanted) if name not in pinned}
    assert missing <= {"cupy-cuda12x"}  # it is chosen by the machine's CUDA


def test_the_lock_is_the_pins_with_digests():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", text, re.MULTILINE))
    blocks = re.split(r"\n(?=[\w.-]+==)", "\n".join(line for line in text.splitlines() if not line.startswith("#")))
    assert len(blocks) == len(locked) > 50
    for block in blocks:
        assert "--hash=sha256:" in block, block
    pinned = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE))
    plain = lambda name: name.lower().replace("_", "-").replace(".", "-")  # noqa: E731
    pinned = {plain(name): version for name, version in pinned.items()}
    # what other systems need beside stands in no list of pins
    assert {name for name in locked if plain(name) not in pinned} <= {"colorama", "appnope", "pywin32", "tzdata"}
    assert all(pinned.get(plain(name), version) == version for name, version in locked.items())
    core = {plain(re.split(r"[<>=;! ]", need)[0]) for need in PROJECT["project"]["dependencies"]}
    assert core <= {plain(name) for name in locked}


def test_every_package_is_installed():
    rooms = {"tests", "benchmarks", "docs", "notebooks"}  # what is no part of the import package
    found = {str(PurePosixPath(name).parent) for name in tracked() if PurePosixPath(name).name == "__init__.py"}
    assert {"" if folder == "." else folder for folder in found if folder.split("/")[0] not in rooms} == packages()
    for name in tracked():
        if name.endswith(".py") and name.split("/")[0] not in rooms:
            assert is_installed(name), f"{name} is in no package of pyproject.toml"


def test_every_data_file_is_installed():
    for name in tracked():
        if "/" in name and name.split("/")[0] in {folder.split("/")[0] for folder in packages() if folder}:
            assert is_installed(name), f"{name} is not in package-data of pyproject.toml"
    for name in ("formal/record.json", "formal/parity.v", "theorems/pins/parity.json", "atlas/knowledge/facts.toml", "py.typed"):
        assert is_installed(name)
    assert not is_installed("docs/reference/formats.md")


def test_the_source_distribution_is_complete():
    grafts, files = [], ["pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"]  # setuptools takes these by itself
    lines = (ROOT / "MANIFEST.in").read_text(encoding="utf-8").splitlines()
    for word, *names in (line.split() for line in lines if line.strip()):
        grafts += names if word == "graft" else []
        files += names if word == "include" else []
    for name in tracked():
        assert name in files or name.split("/")[0] in grafts or is_installed(name), f"{name} is in no line of MANIFEST.in"


def headings(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_links_lead_somewhere_and_to_every_page():
    led_to = set()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for target, heading in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)", text):
            there = (page.parent / target).resolve() if target else page
            assert there.exists(), f"{page.name} links to {target}"
            assert not heading or heading in headings(there), f"{page.name} links to {target}#{heading}"
            led_to.add(there)
    assert set(PAGES) - set(ENTRANCES) <= led_to


#: folders of some machine, and hosts of package registries: nobody else has them
ELSEWHERE = re.compile(
    r"(?<![\w.~}])/(?:tmp|work|root|home|opt|Users)/\w|(?:pypi|pythonhosted|npmjs|yarnpkg|crates|rubygems)\.(?:org|com|io)|deb\.debian|artifactory"
)


def test_nothing_points_into_one_machine():
    for name in tracked():
        if not name.startswith("tests/"):
            text = (ROOT / name).read_bytes().decode("utf-8", errors="replace")
            found = ELSEWHERE.search(text)
            assert not found, f"{name} names {found[0]}"
    assert ELSEWHERE.search("see /tmp/x")
    assert ELSEWHERE.search("https://pypi.org/simple")
    assert not ELSEWHERE.search("a/work/b")


def test_no_letter_became_a_control_character():
    r"""A string that is not raw turns \alpha into a bell, \frac into a form feed and \theta into a tab."""
    # kept data are compressed
    for name in (n for n in tracked() if not n.endswith(".xz")):
        found = re.search(rb"[\x00-\x08\x0b-\x1f]", (ROOT / name).read_bytes())
        assert not found, f"{name}: {found[0]!r} at byte {found.start()}"
    for entry in ledger().values():
        assert not re.search(r"[\x00-\x09\x0b-\x1f]", f"{entry.says} {entry.argument} {entry.title}"), entry.id


#: the one line with which a notebook sets how its pictures look
STYLE = 'plt.rcParams.update(SETTINGS | {"figure.dpi": 110})'


def own_style(code: str) -> list[str]:
    """What a notebook's code sets by itself: colours, and settings of matplotlib beside the house's."""
    named = r"\"#[0-9A-Fa-f]{3,8}\"|\"(?:C\d|tab:\w+)\"|^(?:BLUE|VERMILION|GREEN|ORANGE|PURPLE|SKY|BLACK|PALE)\b[^=\n]*=|style\.use"
    return re.findall(named, code, re.MULTILINE) + [line for line in code.splitlines() if "rcParams" in line and line != STYLE]


def test_no_notebook_sets_colours_of_its_own():
    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))
    assert notebooks
    for path in notebooks:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        assert STYLE in code.splitlines(), path.name
        assert "from lemmata.figures.style import " in code, path.name
        assert own_style(code) == [], path.name
    for wrong in (
        'ax.plot(x, color="#0072B2")',
        'BLUE, ORANGE = "b", "r"',
        'plt.rcParams["font.size"] = 10',
        "ax.plot(x, 'o', color=\"C1\")",
    ):
        assert own_style(wrong), wrong


def test_a_test_that_is_marked_exact_compares_no_floats():
    # everything else in the rooms that compute with floats runs under every kernel (tests/conftest.py)
    marked = 0
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and any(ast.unparse(d) == "pytest.mark.exact" for d in node.decorator_list):
                marked += 1
                assert not re.search(r"approx\(|allclose|isclose|assert_close|[0-9]e-[0-9]|torch|float", ast.unparse(node)), (
                    f"{path.name}: {node.name}"
                )
    assert marked


# -- the stages of the compiler ------------------------------------------------------------------------------------------------------

AUTOMATA = ROOT / "constructions" / "automata"
#: each file imports these alone: what stands before its own stage, and its own
STAGES = (
    "automaton",
    "affine",
    "read",
    "algebra",
    "cascade",
    "layers",
    "levels",
    "choose",
    "prove",
    "rounding",
    "run",
    "compiler",
    "certify",
)


def stage_imports(path):
    """The stages that a file below constructions/automata imports from, for more than the names of types."""
    here, tree = path.relative_to(AUTOMATA).parts, ast.parse(path.read_text(encoding="utf-8"))
    types = {
        id(node) for block in ast.walk(tree) if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.dump(block.test) for node in block.body
    }
    for node in ast.walk(tree):
        if id(node) not in types and isinstance(node, ast.ImportFrom) and node.level == len(here):
            yield from [node.module.split(".")[0]] if node.module else [name.name for name in node.names]


def test_the_compiler_goes_one_way():
    places = {path.relative_to(AUTOMATA).parts[0].removesuffix(".py") for path in AUTOMATA.rglob("*.py")} - {"__init__"}
    assert places == set(STAGES)
    for path in AUTOMATA.rglob("*.py"):
        stage = path.relative_to(AUTOMATA).parts[0].removesuffix(".py")
        before = STAGES[: STAGES.index(stage)] if stage != "__init__" else STAGES
        assert set(stage_imports(path)) <= set(before), path
