"""Compiled layers in flash-linear-attention's own modules, DeltaNet and GatedDeltaProduct."""


def test_the_modules_of_flash_linear_attention_compute_the_automaton(flash):
    assert list(flash["modules"].values()) == [True] * 6, flash["modules"]


def test_modules_that_do_not_fit_are_refused(flash):
    said = flash["refused"]
    assert said["eigenvalues"] == "expected allow_neg_eigval=True for a layer with beta above 1, got False"
    assert said["width"] == "expected heads with keys of 4 entries and values of 2 or more, got 3 and 3"
    assert said["letters"].startswith("expected a hidden size of at least 3, ")
    assert said["factors"].endswith("take GatedDeltaProduct with num_householder=2")


def test_the_training_house_wraps_its_layers(flash):
    assert sorted(map(len, flash["house"].values())) == [1] * 5 + [4] * 3
    assert all(map(all, flash["house"].values())), flash["house"]
