"""Mathematics in titles: set, and no title that holds any as it is typed."""

import pytest
from lemmata.cli.titles import RAW, set_text
from lemmata.theorems.ledger import entries


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("S_5 and A_10", "S₅ and A₁₀"),
        ("on 1^k, beta <= 1, H_0", "on 1ᵏ, β ≤ 1, H₀"),
        ("2^(i-1) and h_(t-1) and x^{n+1}", "2ⁱ⁻¹ and hₜ₋₁ and xⁿ⁺¹"),
        ("(I - MM^T)^-1 in [-1, 1]", "(I − MMᵀ)⁻¹ in [−1, 1]"),
        ("a spectrum in [0, inf), or in (-inf, 0]", "a spectrum in [0, ∞), or in (−∞, 0]"),
        ("||A|| >= sqrt 2, f o g", "‖A‖ ≥ √2, f ∘ g"),
        ("sum alpha_i < 1, and the sum of all", "∑ αᵢ < 1, and the sum of all"),
        ("the delta rule, DeltaNet, and Delta", "the delta rule, DeltaNet, and Δ"),
        # words with hyphens are words
        ("a star-free language of 3-cycles", "a star-free language of 3-cycles"),
        # no letter of Unicode for it: as it is typed, and noticed
        ("V_L", "V_L"),
        ("", ""),
    ],
)
def test_what_is_typed_and_what_is_read(typed, read):
    assert set_text(typed) == read
    assert set_text(read) == read
    assert bool(RAW.search(read)) == ("_" in read)


@pytest.mark.parametrize("typed", ["S_5", "1^k", "a <= b", "a >= b", "a -> b", "beta", "sqrt 2", "1, ..., n", "+-1"])
def test_mathematics_as_it_is_typed_is_noticed(typed):
    assert RAW.search(typed)


def test_no_title_shows_mathematics_as_it_is_typed():
    raw = {e.id: e.title for e in entries() if RAW.search(e.title) or set_text(e.title) != e.title}
    assert raw == {}
