"""Pages of the proofs in Rocq in a real browser: ties light up on both sides, names unfold, goals fold out, also without scripts."""

import pytest

pytest.importorskip("latex2mathml", reason="needs the extra 'atlas'")
pytest.importorskip("selenium", reason="needs selenium, of the extra 'browser'")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

CLAIM = "claims/grazzi25.thm4.html"


@pytest.fixture(scope="module")
def site(atlas):
    return atlas / "site"


def lit(driver):
    """The numbers of the clauses that are lit, in the words and in the statements."""
    script = """return [...document.querySelectorAll(".ties > div")].map(side =>
      [...side.querySelectorAll(".tie")].filter(x => getComputedStyle(x).boxShadow !== "none").map(x => x.dataset.c))"""
    return driver.execute_script(script)


def test_a_clause_lights_up_on_both_sides(page):
    driver = page(CLAIM)
    assert lit(driver) == [[], []]
    clauses = driver.find_elements(By.CSS_SELECTOR, '.ties [data-c="3"]')
    assert len(clauses) == 2
    for clause in clauses:
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", clause)
        ActionChains(driver).move_to_element(clause).perform()
        assert lit(driver) == [["3"], ["3"]]
    # a click keeps it lit when the mouse has gone
    clauses[0].click()
    ActionChains(driver).move_to_element(driver.find_element(By.ID, "kernel")).perform()
    assert lit(driver) == [["3"], ["3"]]


def test_a_name_unfolds_its_definition(page):
    driver = page(CLAIM)
    name = driver.find_element(By.CSS_SELECTOR, ".ties .rocq a")
    definition = driver.find_element(By.ID, name.get_attribute("href").partition("#")[2])
    assert not definition.is_displayed()
    name.click()
    assert definition.is_displayed()


@pytest.mark.parametrize("path", [CLAIM, "rocq/householder.html"])
def test_goals_fold_out_one_by_one_and_together(path, page):
    driver = page(path)
    proof = driver.find_element(By.CSS_SELECTOR, "details.script")
    goals = proof.find_elements(By.CSS_SELECTOR, ".goal")
    assert not any(goal.is_displayed() for goal in goals)
    proof.find_element(By.TAG_NAME, "summary").click()
    proof.find_elements(By.CSS_SELECTOR, ".step > summary")[1].click()
    assert [goal.is_displayed() for goal in goals[:3]] == [False, True, False]
    button = proof.find_element(By.CSS_SELECTOR, "button.goals")
    button.click()
    assert all(goal.is_displayed() for goal in goals)
    button.click()
    assert not any(goal.is_displayed() for goal in goals)


def test_without_scripts_all_can_be_read(page, chromium):
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        driver = page(CLAIM)
        proof = driver.find_element(By.CSS_SELECTOR, "details.script")
        proof.find_element(By.TAG_NAME, "summary").click()
        proof.find_element(By.CSS_SELECTOR, ".step > summary").click()
        assert "⊢" in proof.find_element(By.CSS_SELECTOR, ".goal").text
        assert driver.find_elements(By.CSS_SELECTOR, "button.goals") == []
        driver = page("papers/grazzi25.html")
        assert len(driver.find_elements(By.CSS_SELECTOR, ".blueprint a")) > 10
    finally:
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
