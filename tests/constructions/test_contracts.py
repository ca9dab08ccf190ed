"""What a probe takes the fused kernels of flash-linear-attention to compute is what they compute; and what it says of their layers."""

SPECTRA = {
    "DeltaNet": ("real, in (0, 1]", "delta-nonnegative-convolution"),
    "DeltaNet, signed": ("real, in (-1, 1]", "delta-signed-convolution"),
    "DeltaNet, no beta": ("real, in (0, 1]", "delta-nonnegative-convolution"),
    "GatedDeltaProduct": ("complex, of modulus in [0, 1)", "gated-householder-2-convolution"),
    "KDA": ("real, in (0, 1)", "channel-gated-delta-convolution"),
    "KDA, signed": ("real, in (-1, 1)", "diagonal-minus-rank-one-convolution"),
    # keys and queries turn with the position: a complex diagonal, in coordinates that turn back
    "RetNet": ("complex, of modulus in [0.96875, 0.984375]", "diagonal-complex"),
    # read before its gate acts: a - beta p.k, with p a nonnegative multiple of k
    "Comba": ("real, in (-1, 1)", "rwkv-7-shift"),
    "SimpleGLA": ("real, in (0, 1)", "open-diagonal-convolution"),
    # its erasing gate has an entry for each channel, as that of RWKV-7: not in the row of KDA
    "GDN2": ("real, in (0, 1)", "rwkv-7-shift"),
    "GDN2, signed": ("real, in (-1, 1)", "diagonal-minus-rank-one-convolution"),
    "RWKV-7": ("real, in (-0.454761, 1)", "rwkv-7-shift"),
    "GSA": ("real, in (0, 1)", "open-diagonal"),
    # a slot that is not routed to is kept
    "Raven": ("real, in (0, 1]", "diagonal-nonnegative"),
    # e^-32 and e^32
    "ABC": ("real, in [1.26642e-14, 7.8963e+13]", None),
    "MesaNet": ("real, in (0, 1)", "open-diagonal-convolution"),
    # no row has layers with a driver
    "LightNet": ("real, in (0, 1)", None),
    "Rodimus": ("real, in (0, 1)", "open-diagonal-convolution"),
    "YOCO": ("complex, of modulus in (0, 1)", "diagonal-complex"),
    # written along m k, with m below 3/2: a (1 - beta m k^2)
    "PrecondGDN": ("real, in (-0.5, 1)", None),
    "PrecondGDN, signed": ("real, in (-2, 1)", None),
    "PrecondKDA": ("real, in (-0.5, 1)", None),
    "PrecondKDA, signed": ("real, in (-2, 1)", None),
}

#: layers whose kernel rounds to float16
HALVES = {"MesaNet": 2.0**-9}


def said(data):
    """What is printed, in one line."""
    return " ".join(data["text"].split())


def test_contracts_hold_on_draws(flash):
    """Over several tokens from a random state; without its first micro-step a contract is far off."""
    assert len(flash["probe"]["contracts"]) == 31
    for name, (kernel, gap, off) in flash["probe"]["contracts"].items():
        assert gap < HALVES.get(name, 1e-4), (name, kernel)
        assert off > 1e-2, (name, kernel)


def test_a_kernel_that_breaks_its_contract_is_refused(flash):
    assert flash["probe"]["broken"].startswith("expected a kernel that keeps its contract, got states ")
    for data in flash["probe"]["probed"].values():
        assert data["held"] == "compared with the kernel on a draw"


def test_keys_turn_as_the_library_turns_them(flash):
    gap, off = flash["probe"]["rotary"]
    assert gap < 1e-5
    assert off > 0.1


def test_what_is_said_of_comba_in_the_table_of_findings(flash):
    """docs/how-to/vectors.md: one naive function reads after the gate; the inner decay leaves the state where it is."""
    found = flash["probe"]["comba"]
    assert found.pop("use_inner_decay") < 1e-4
    assert found == {"fused_recurrent_comba": -0.5, "naive_chunk_comba": -0.5, "naive_recurrent_comba": 0.0}


def test_comba_comes_near_minus_one(flash):
    reaches = {r["eigenvalue"]: r["answers"] for r in flash["probe"]["probed"]["Comba"]["reaches"]}
    assert reaches[-1]["closure"] == "yes"
    assert reaches[-1]["architecture"] == "no"


def test_spectra_and_rows_of_released_layers(flash):
    found = flash["probe"]["probed"]
    assert {name: (data["spectrum"] and data["spectrum"]["says"], data["row"]) for name, data in found.items()} == SPECTRA
    for data in found.values():
        assert data["contract"] in said(data)
        assert "if the contract holds" in said(data)


def test_what_reads_earlier_tokens_is_named(flash):
    found = flash["probe"]["probed"]
    assert "a window of 4 tokens, by a short convolution" in said(found["DeltaNet"])
    assert "a window of 2 tokens, by a token shift" in said(found["RWKV-7"])


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


def test_a_text_that_abc_continues_from_its_cache_has_other_outputs(flash):
    """docs/how-to/vectors.md: the sum of the weights so far is not in the cache. Others carry on what they need; MesaNet rounds keys to float16."""
    found = flash["probe"]["cut"]
    assert found.pop("ABC") > 0.01
    assert found.pop("MesaNet") < 2e-3
    assert max(found.values()) < 1e-5


def test_states_of_the_preconditioned_delta_rule_grow_below_minus_one(flash):
    """docs/how-to/vectors.md: x = 1.5 keeps eigenvalues above -1/2 for beta up to 1, and lets them come to -2 for beta up to 2."""
    assert flash["probe"]["grown"]["1"] <= 1
    assert flash["probe"]["grown"]["2"] > 1e10


def test_a_kernel_leaves_the_states_of_the_probe_alone(flash):
    """A second call gives the same state, and the state that was given is as it was; the kernel moves it."""
    twice, given, moved = flash["probe"]["left alone"]
    assert (twice, given) == (0, 0)
    assert moved > 0.1
