"""``lemmata figures``: what can be drawn is drawn."""

import sys

from lemmata import figures


def test_what_can_be_drawn_is_drawn_and_the_rest_names_its_extra(run, tmp_path, monkeypatch):
    # two figures: one needs scikit-learn, the other nothing
    chosen = {"orvieto24.fig8": figures.FIGURES["orvieto24.fig8"], "grazzi25.fig2": figures.FIGURES["grazzi25.fig2"]}
    monkeypatch.setattr(figures, "FIGURES", chosen)
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    code, out, err = run("figures", "--out", str(tmp_path))
    assert code == 2
    assert "grazzi25.fig2.png" in out
    assert err == "lemmata: orvieto24.fig8 was not drawn: expected the package sklearn, install lemmata[figures]\n"
    assert not list(tmp_path.glob("orvieto24*"))


def test_a_figure_that_nobody_knows(run):
    code, out, err = run("figures", "nope")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("lemmata: expected a known figure, got 'nope'")
