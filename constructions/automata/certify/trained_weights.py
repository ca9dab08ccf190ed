"""The weights of a trained model (``trainable.TrainableNetwork``) as a machine: finitely many letters for each layer, whatever training did.

A layer hands on one row of ``following``, that of the pair whose score is largest, so the next layer reads finitely many vectors, and the
first one reads rows of the embedding. For each of them its affine map and its part of the scores are fixed numbers. Only numpy is used here;
reading a file needs the ``torch`` extra.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..automaton import brief

#: parameters of a layer beside its maps, and how many dimensions they have
PARTS = {"select": 2, "initial": 2, "read_state": 2, "read_letter": 2, "read_bias": 1, "following": 2}
#: parameters of the maps, by parametrisation
MAPS = {"dense": {"A": 3, "B": 3}, "delta": {"keys": 3, "beta": 2, "write": 2}}


class Undecided(ArithmeticError):
    """Two answers score alike."""


@dataclass(frozen=True)
class Decision:
    """The pair that scores most, and how far the state may be off before another kind of answer does: in every entry, and Euclidean."""

    pair: int
    entry: float
    euclidean: float


class TrainedLayer:
    """One layer on the vectors ``rows`` (letters, entries) that it can read.

    ``A`` (letters, n, n) and ``B`` (letters, n) are the map of each letter, ``initial`` (n,) the first state, ``following`` (pairs, handed on),
    ``kind`` (pairs,) tells apart what is handed on. All are float64.
    """

    def __init__(self, parts: Mapping[str, np.ndarray], parametrisation: str, rows: np.ndarray):
        self.initial, self.following = parts["initial"][:, 0], parts["following"]
        self.read_state = parts["read_state"]
        self.parametrisation = parametrisation
        weights = rows @ parts["select"]
        self.A, self.B = _dense(parts, weights) if parametrisation == "dense" else _delta(parts, weights)
        self.constant = rows @ parts["read_letter"].T + parts["read_bias"]
        terms = 6 + rows.shape[1] + len(self.initial)
        self._unit = terms * 2.0**-52
        self._size = np.abs(rows) @ np.abs(parts["read_letter"]).T + np.abs(parts["read_bias"])
        _, kinds = np.unique(self.following, axis=0, return_inverse=True)
        self.kind = kinds.reshape(-1)

    @property
    def width(self) -> int:
        return len(self.initial)

    def scores(self, states: np.ndarray, letters: np.ndarray) -> np.ndarray:
        """The scores (..., pairs) of all pairs in ``states`` (..., n) after ``letters`` (...)."""
        return states @ self.read_state.T + self.constant[letters]

    def decide(self, state: np.ndarray, letter: int) -> Decision:
        """The decision in an exact state, given in float64, each entry within a relative 2^-52 or within 2^-60.

        Raises :class:`Undecided` if rounding in float64 could matter.
        """
        scores = self.scores(state, np.asarray(letter))
        error = self._unit * (np.abs(self.read_state) @ (np.abs(state) + 2.0**-8) + self._size[letter])
        best = int(scores.argmax())
        others = self.kind != self.kind[best]
        gap = (scores[best] - scores - error - error[best])[others]
        if (gap <= 0).any():
            raise Undecided("two answers of a decoder score alike")
        apart = self.read_state[best] - self.read_state[others]
        lengths = np.abs(apart).sum(1), np.sqrt((apart**2).sum(1))
        with np.errstate(divide="ignore"):
            entry, euclidean = (float((gap / length).min(initial=np.inf)) for length in lengths)
        return Decision(best, entry, euclidean)


class TrainedNetwork:
    """All layers of a state dict. ``answers[pair]`` is the state that the last layer's pair says, -1 where two are equal.

    Raises ``ValueError`` for what is no state dict of ``TrainableNetwork``, shapes that do not fit together, and weights that are not finite.
    """

    def __init__(self, weights: Mapping[str, np.ndarray]):
        count, parametrisation = _form(weights)
        _require_shapes(weights, count, parametrisation)
        rows, self.layers = weights["embedding"], []
        for k in range(count):
            parts = {name.rsplit(".", 1)[1]: x for name, x in weights.items() if name.startswith(f"layers.{k}.")}
            self.layers.append(TrainedLayer(parts, parametrisation, rows))
            rows = self.layers[-1].following
        self.letters, self.states, self.parametrisation = len(weights["embedding"]), rows.shape[1], parametrisation
        logits = rows * np.sign(weights["scale"])
        best = logits.argmax(1)
        alone = (logits == logits.max(1, keepdims=True)).sum(1) == 1
        self.answers = np.where(alone, best, -1)
        # what the last layer hands on matters by what it says only
        self.layers[-1].kind = np.where(alone, best, self.states + np.arange(len(best)))

    def run(self, words: np.ndarray) -> np.ndarray:
        """The states that the weights themselves say, in float64, after every letter of ``words`` (batch, length): as the module, step by step."""
        letters = words
        for layer in self.layers:
            H = np.tile(layer.initial, (len(words), 1))
            handed = np.empty_like(letters)
            for t in range(letters.shape[1]):
                y = letters[:, t]
                H = (layer.A[y] @ H[..., None])[..., 0] + layer.B[y]
                handed[:, t] = layer.scores(H, y).argmax(-1)
            letters = handed
        return self.answers[letters]

    def states_after(self, word: Sequence[int]) -> list[int]:
        """:meth:`run` on one word of letter indices."""
        return self.run(np.array([word])).tolist()[0]


def load(path: Path) -> TrainedNetwork:
    """The network of a checkpoint: what ``torch.save(model.state_dict(), path)`` wrote, or a dictionary with it under "state_dict" or "model".

    Nothing but weights is read: a file that wants to run code is refused. Raises ``ValueError``.
    """
    from .reading_weights import read_checkpoint, state_dict_of

    return of_state_dict(state_dict_of(read_checkpoint(path), repr(str(path))))


def of_state_dict(weights: Mapping[str, Any]) -> TrainedNetwork:
    """The network of tensors by name, without wrappers' prefixes. Raises ``ValueError``."""
    return TrainedNetwork({name: x.detach().double().numpy() for name, x in weights.items()})


def _form(weights: Mapping[str, Any]) -> tuple[int, str]:
    """(layers, parametrisation), from the names alone."""
    if any(name.endswith(".codes") for name in weights):
        raise ValueError("expected trained weights, got those of a compiled network: certify the JSON file beside them")
    numbers = {int(m[1]) for name in weights if (m := re.fullmatch(r"layers\.([0-9]{1,4})\..*", name))}
    parametrisation = "delta" if "layers.0.maps.keys" in weights else "dense"
    names = {"embedding", "scale"}
    for k in range(max(numbers, default=0) + 1):
        names |= {f"layers.{k}.{part}" for part in PARTS} | {f"layers.{k}.maps.{part}" for part in MAPS[parametrisation]}
    missing, more = sorted(names - set(weights)), sorted(set(weights) - names)
    if missing or more:
        what = [f"without {missing[0]}"] if missing else []
        what += [f"with {brief(more[0])}"] if more else []
        raise ValueError(
            f"expected the weights of lemmata's trainable network (docs/how-to/training.md), got a state dict {' and '.join(what)} ({len(weights)} names)"
        )
    return len(numbers), parametrisation


def _require_shapes(weights: Mapping[str, np.ndarray], count: int, parametrisation: str) -> None:
    def require(name: str, *shape: int | None) -> tuple[int, ...]:
        found = weights[name].shape
        if len(found) != len(shape) or any(want is not None and want != got for want, got in zip(shape, found, strict=True)) or 0 in found:
            wanted = ", ".join("any" if want is None else str(want) for want in shape)
            raise ValueError(f"expected {name} of shape ({wanted}), got {tuple(found)}")
        if not np.isfinite(weights[name]).all():
            raise ValueError(f"expected finite weights, got nan or inf in {name}")
        return found

    require("scale")
    _, letters = require("embedding", None, None)
    for k in range(count):
        name = f"layers.{k}."
        _, maps = require(f"{name}select", letters, None)
        n, _ = require(f"{name}initial", None, 1)
        if parametrisation == "dense":
            require(f"{name}maps.A", maps, n, n)
            require(f"{name}maps.B", maps, n, 1)
        else:
            _, factors, _ = require(f"{name}maps.keys", maps, None, n)
            require(f"{name}maps.beta", maps, factors)
            require(f"{name}maps.write", maps, factors)
        pairs, _ = require(f"{name}read_state", None, n)
        require(f"{name}read_letter", pairs, letters)
        require(f"{name}read_bias", pairs)
        _, letters = require(f"{name}following", pairs, None)


def _dense(parts: Mapping[str, np.ndarray], weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.einsum("yf,fij->yij", weights, parts["A"]), np.einsum("yf,fi->yi", weights, parts["B"][..., 0])


def _delta(parts: Mapping[str, np.ndarray], weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As ``trainable.DeltaMaps``: keys are normalised and strengths clamped after they are mixed."""
    keys = np.einsum("yf,fjn->yjn", weights, parts["keys"])
    keys = keys / np.maximum(np.linalg.norm(keys, axis=-1, keepdims=True), 1e-12)
    beta, write = (weights @ parts["beta"]).clip(0, 2), weights @ parts["write"]
    n = keys.shape[-1]
    A, B = np.tile(np.eye(n), (len(weights), 1, 1)), np.zeros((len(weights), n))
    for j in range(keys.shape[1]):
        k, strength = keys[:, j], beta[:, j, None]
        A = A - strength[..., None] * k[:, :, None] * np.einsum("yi,yij->yj", k, A)[:, None, :]
        B = B - strength * k * np.einsum("yi,yi->y", k, B)[:, None] + write[:, j, None] * k
    return A, B
