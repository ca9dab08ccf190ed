"""Pages of the proofs in Rocq: words tied to statements, definitions, goals of the sources as they are, and a blueprint for each paper."""

import re
import shutil
from html import unescape

import pytest

pytest.importorskip("latex2mathml", reason="needs the extra 'atlas'")

from lemmata.atlas.site import blueprint, rocq, search
from lemmata.atlas.site.build import HERE, renderer
from lemmata.atlas.site.graph import HEIGHT
from lemmata.formal import goals, script, seal
from lemmata.papers import papers
from lemmata.theorems.ledger import ledger, repairs_of

WHOLE = [e for e in ledger().values() if e.how == "formal"]


def page(template, **data):
    return renderer({})(template, "../", **data)


def kernel_section(id):
    return page("kernel.html", kernel=rocq.kernel_part(ledger()[id]))


def numbers(html):
    return {int(k) for group in re.findall(r'data-c="([\d ]+)"', html) for k in group.split()}


def test_each_clause_is_tied_on_both_sides():
    for e in WHOLE:
        kernel, clauses = rocq.kernel_part(e), seal.clauses()[e.id]
        words = numbers("".join([kernel["words"], *kernel["hypotheses"]]))
        statements = numbers("".join(t["statement"] for t in kernel["theorems"]))
        otherwise = {k for k, _ in kernel["differs"]}
        assert words == set(range(1, len(clauses) + 1)), e.id
        assert otherwise == {k for k, (_, part) in enumerate(clauses, 1) if part.startswith("differs: ")}, e.id
        assert statements | otherwise == words, e.id
        assert not statements & otherwise, e.id


def test_a_tied_part_is_the_part_of_the_clause():
    kernel = rocq.kernel_part(ledger()["grazzi25.thm4"])
    statement = re.sub(r'<a [^>]*>|</a>|<span class="k">(.*?)</span>', r"\1", kernel["theorems"][0]["statement"])
    for k, (_, part) in enumerate(seal.clauses()["grazzi25.thm4"], 1):
        pieces = re.findall(rf'<span class="tie" data-c="(?:[\d ]+ )?{k}(?: [\d ]+)?" tabindex="0">(.*?)</span>', statement, re.DOTALL)
        said = unescape(" ".join(pieces))
        assert "".join(said.split()) == "".join(part.split())


def test_there_is_a_rule_for_every_clause():
    style = (HERE / "static" / "pages.css").read_text(encoding="utf-8")
    assert all(f'[data-c~="{k}"]' in style for k in range(1, 1 + max(map(len, seal.clauses().values()))))


def test_every_definition_is_shown_as_it_is_made():
    table = {used for e in WHOLE for name in e.theorems for used in seal.unfolded(name)}
    assert all(script.item(name) for name in table)
    section = kernel_section("grazzi25.thm1")
    assert 'id="def-models.cast"' in section
    assert "Definition</span> " in section
    # the statement leads to it, and so do the definitions above it
    assert section.count('href="#def-models.stack"') >= 2
    made = [script.item(name) for name in ("models.Above", "models.stack")]
    assert made[0] == made[1]


def test_goals_stand_below_their_sentences():
    section = kernel_section("grazzi25.thm5")
    steps = re.findall(r'<summary><code class="code rocq">(.*?)</code></summary><pre class="goal">(.*?)</pre>', section, re.DOTALL)
    module, _, short = "automata.every_automaton_is_a_cascade".partition(".")
    proof = script.items(module)[short].proof
    text = script.sentences(script.source(module))
    kept = goals.goals(module)
    assert len(steps) == sum(k in kept for k in proof)
    assert "⊢ " in steps[0][1]
    assert steps[-1][1] == "Nothing is left to prove here."
    assert f"{text[proof[1]].text}".split()[0] in unescape(steps[1][0])


def test_lemmas_lead_to_their_place():
    shown = rocq.lemmas("chunks")
    assert shown["gh_product_rank"] == shown["householder.gh_product_rank"] == "../rocq/householder.html#def-gh_product_rank"
    assert "gh" not in shown
    assert 'id="def-gh_product_rank"' in page("rocq_file.html", **rocq.file_page("householder.v"))
    called = [
        step.text for step in rocq.file_page("few_factors.v")["parts"][0:] for step in step[1] if "../rocq/householder.html#" in step.text
    ]
    assert called


@pytest.mark.parametrize("name", seal.files())
def test_a_page_lists_its_definitions_with_links_that_lead_somewhere(name):
    shown = page("rocq_file.html", **rocq.file_page(name))
    lead = shown.split("<h1>")[1].split("<h2")[0]
    assert "<p>- [" not in lead
    assert all(f'id="def-{target}"' in shown for target in re.findall(r'href="#def-([^"]+)"', lead))


def test_intervals_and_other_names_are_no_links():
    (prose,), (first, second) = rocq._comment("(** * Title\n\n    In [0, 1].\n\n    - [f x]: a < b;\n    - [g]: of\n      [f]. *)", {"f"})
    assert prose == "In [0, 1]."
    assert first == '<a href="#def-f"><code>f x</code></a>: a &lt; b;'
    assert second == '[g]: of <a href="#def-f"><code>f</code></a>.'


def test_the_search_finds_sources_by_their_theorems():
    (weights,) = re.findall(r"var WEIGHT = \{(.*?)\}", (HERE / "static" / "search.js").read_text(encoding="utf-8"))
    assert set(re.findall(r"(\w+):", weights)) == search.KINDS.keys()
    assert "no_parity" in rocq.theorems("parity")
    assert [module for module, _ in rocq.files()] == [name.removesuffix(".v") for name in seal.files()]


def test_the_table_has_every_claim_theorem_and_axiom():
    shown = page("rocq.html", **rocq.index_page())
    for e in ledger().values():
        if e.formal:
            row = shown.split(f"<code>{e.id}</code>")[1].split("</tr>")[0]
            assert all(f"<code>{name}</code>" in row for name in [*e.theorems, *e.axioms])
            assert f"<td>{'whole' if e.how == 'formal' else 'in part'}</td>" in row
            assert e.axioms or "<td>none</td>" in row


def test_a_file_is_whole_on_its_page():
    for module in ("parity", "orders"):
        source = page("rocq_file.html", **rocq.file_page(f"{module}.v")).split('aria-labelledby="source">')[1].split("</section>")[0]
        shown = unescape(re.sub(r'<pre class="goal">.*?</pre>|<summary>Proof.*?</summary>|<[^>]*>', "", source, flags=re.DOTALL))
        expected = script.source(module)[script.sentences(script.source(module))[0].start :]
        assert "".join(shown.split()).endswith("".join(expected.split()))


# -- goals that are out of date -----------------------------------------------------------------------------------------------------


def test_the_goals_are_of_these_sources():
    for name in seal.files():
        assert goals.is_current(name), f"goals/{name.removesuffix('.v')}.json is out of date: python3 -m formal.goals"
        module = name.removesuffix(".v")
        found = script.sentences(script.source(module))
        proving = {k for item in script.items(module).values() for k in item.proof[:-1] if not script.is_bullet(found[k].text)}
        assert goals.goals(module).keys() == proving
    assert {f"{path.stem}.v" for path in (seal.FOLDER / "goals").iterdir()} == set(seal.files())


@pytest.fixture
def room(tmp_path, monkeypatch):
    """A copy of two sources, the second of which imports the first, with their goals."""
    for name in ("householder.v", "chunks.v", "goals/householder.json", "goals/chunks.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(seal.FOLDER / name, tmp_path / name)
    monkeypatch.setattr(seal, "FOLDER", tmp_path)
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def forget():
    for one in (seal, goals, script):
        one.forget()
    rocq.file_page.cache_clear()
    rocq.lemmas.cache_clear()


def test_goals_of_another_source_are_not_shown(room):
    with (room / "chunks.v").open("a", encoding="utf-8") as file:
        file.write("\n(* once more *)\n")
    forget()
    assert [goals.is_current(name) for name in ("householder.v", "chunks.v")] == [True, False]
    assert goals.goals("chunks") == {}
    assert goals.goals("householder") != {}
    shown = page("rocq_file.html", **rocq.file_page("chunks.v"))
    assert "recorded for another version of this source" in shown
    assert 'class="goal"' not in shown
    assert "chunk_inverse_is_integer_and_bounded" in shown


def test_goals_of_another_import_are_not_shown(room):
    with (room / "householder.v").open("a", encoding="utf-8") as file:
        file.write("\n(* once more *)\n")
    forget()
    assert goals.goals("chunks") == {}


def test_a_broken_seal_is_said(monkeypatch):
    def broken(name):
        raise LookupError(f"{name} differs")

    assert "The seal is broken" not in kernel_section("new.householder.chunk")
    monkeypatch.setattr(seal, "require_proof", broken)
    assert "The seal is broken: chunks.chunk_inverse_is_integer_and_bounded differs." in kernel_section("new.householder.chunk")


# -- the blueprint ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", papers())
def test_every_numbered_statement_is_a_node(paper):
    plan = blueprint.blueprint(paper)
    ids = [node.entry.id for node in plan.nodes]
    for place in papers()[paper].statements:
        id = f"{paper}.{place}"
        assert id in ids or (id not in ledger() and any(x.startswith(f"{id}.") for x in ids))
    assert len(set(plan.labels.values())) == len(ids)
    for node in plan.nodes:
        whole = node.entry.how == "formal"
        assert (node.extent == "whole") == whole
        assert (node.extent == "amended") == (not whole and any(e.how == "formal" for e in repairs_of(node.entry.id)))
        assert node.extent == "none" or node.proved
    shown = page("blueprint.html", plan=plan)
    picture = shown.split('class="graph blueprint"')[1].split("</svg>")[0]
    assert re.findall(r'<a href="../claims/([^"]*).html"', picture) == ids
    assert picture.count("<title>") == len(ids)
    assert picture.count('class="uses"') == len(plan.paths)
    assert shown.count('<tr><th scope="row"><a href="../claims/') == len(ids)


@pytest.mark.parametrize("paper", papers())
def test_boxes_do_not_overlap_and_what_is_used_stands_left(paper):
    plan = blueprint.blueprint(paper)
    for i, (_, x, y, width) in enumerate(plan.boxes):
        assert 0 <= x <= x + width <= plan.width
        assert 0 <= y <= y + HEIGHT <= plan.height
        assert all(x + width <= u or u + w <= x or abs(y - v) >= HEIGHT for _, u, v, w in plan.boxes[:i])
    left = {node.entry.id: x for node, x, _, _ in plan.boxes}
    assert all(left[used] < left[node.entry.id] for node in plan.nodes for used in node.uses)
    assert len(plan.paths) == sum(len(node.uses) for node in plan.nodes)


def test_edges_go_through_claims_without_a_number():
    node = {n.entry.id: n for n in blueprint.nodes_of("lizaire26")}
    assert set(node["lizaire26.thm1"].uses) == {"lizaire26.lemma2", "lizaire26.lemma3"}
    assert "lizaire26.lemma2" in ledger()["lizaire26.thm1"].uses
    assert "orvieto24.rmk1" in {u for n in blueprint.nodes_of("orvieto24") for u in n.uses}


def test_the_extent_is_said_without_colour():
    assert len({sign for sign, words in blueprint.EXTENTS.values()}) == 3
    assert len(set(blueprint.EXTENTS.values())) == 4


def test_what_numbers_no_statements_has_no_picture():
    assert blueprint.blueprint("new") is None
