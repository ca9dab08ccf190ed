"""What a probe takes the fused kernels of flash-linear-attention to compute is what they compute; and what it says of their layers."""

SPECTRA = {
    "DeltaNet": ("real, in (0, 1]", "delta-nonnegative-convolution"),
    "DeltaNet, signed": ("real, in (-1, 1]", "delta-signed-convolution"),
    "DeltaNet, no beta": ("real, in (0, 1]", "delta-nonnegative-convolution"),
    "GatedDeltaProduct": ("complex, of modulus in [0, 1)", None),
    "KDA": ("real, in (0, 1)", "channel-gated-delta-convolution"),
    "KDA, signed": ("real, in (-1, 1)", None),
    "RWKV-7": ("real, in (-0.454761, 1)", "rwkv-7-shift"),
}


def said(data):
    """What is printed, in one line."""
    return " ".join(data["text"].split())


def test_contracts_hold_on_draws(flash):
    """Over several tokens from a random state; without its first micro-step a contract is far off."""
    assert len(flash["probe"]["contracts"]) == 13
    for name, (kernel, gap, off) in flash["probe"]["contracts"].items():
        assert gap < 1e-4, (name, kernel)
        assert off > 1e-2, (name, kernel)


def test_spectra_and_rows_of_released_layers(flash):
    found = flash["probe"]["probed"]
    assert {name: (data["spectrum"]["says"], data["row"]) for name, data in found.items()} == SPECTRA
    for data in found.values():
        assert data["contract"] in said(data)
        assert "if the contract holds" in said(data)


def test_what_reads_earlier_tokens_is_named(flash):
    found = flash["probe"]["probed"]
    assert "the 3 tokens before, by a short convolution" in said(found["DeltaNet"])
    assert "the token before, by a token shift" in said(found["RWKV-7"])


def test_factors_have_ranges_of_their_own(flash):
    known = {r["name"]: r["range"] for r in flash["probe"]["probed"]["GatedDeltaProduct"]["ranges"]}
    assert known == {
        "factors": "[2, 2]",
        # the fused kernel gives the second micro-step the gate 1: a token's gate is that of the first alone
        "a": "(0, 1)",
        "a of a factor": "(0, 1]",
        "beta of a factor": "(0, 2)",
        "|k|^2 of a factor": "[0, 1)",
    }
