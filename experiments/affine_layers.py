"""Layers H_t = A(x_t) H_(t-1) + B(x_t) with matrices A and B, and the one whose A is any matrix (grazzi25, App. E.2.1)."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from .recurrences import matrix_recurrence


class Affine(nn.Module):
    """A layer with a state of shape (n, c) that ``maps`` moves: inputs (batch, T, inputs) to what ``read`` makes of the states."""

    initial: torch.Tensor

    def maps(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(A, B) of each letter: (batch, T, n, n), (batch, T, n, c)."""
        raise NotImplementedError

    def looped(self, x: torch.Tensor) -> torch.Tensor:
        """The states (batch, T, n, c), step by step as the layer is defined."""
        raise NotImplementedError

    def read(self, states: torch.Tensor) -> torch.Tensor:
        """States (batch, T, n, c) as they are handed on, (batch, T, n c)."""
        return states.flatten(-2)

    def spectrum(self, x: torch.Tensor) -> torch.Tensor:
        """The eigenvalues of the transitions, (batch, T, n), complex."""
        return torch.linalg.eigvals(self.maps(x)[0])

    def forward(self, x: torch.Tensor, scan: bool = True) -> torch.Tensor:
        return self.read(matrix_recurrence(*self.maps(x), self.initial) if scan else self.looped(x))

    def of_letters(self, words: torch.Tensor, letters: torch.Tensor) -> torch.Tensor:
        """``forward`` of the rows of ``letters`` (letters, inputs) that ``words`` (batch, T) names: each letter's maps are made once."""
        A, B = (functional.embedding(words, m[0].flatten(1)).unflatten(-1, m.shape[-2:]) for m in self.maps(letters[None]))
        return self.read(matrix_recurrence(A, B, self.initial))


class FullMatrix(Affine):
    """H_t = A(x_t) H_(t-1), H_0 = I, any matrix A for a letter; the state is handed on projected to the unit ball. Norms are not bounded.

    The baseline of grazzi25, App. E.2.1, which does not say how A begins: here as a random orthogonal matrix for each letter.
    """

    def __init__(self, inputs: int, n: int):
        super().__init__()
        self.n, self.outputs = n, n * n
        self.transition = nn.Linear(inputs, n * n, bias=False)
        with torch.no_grad():
            for column in range(inputs):
                self.transition.weight[:, column] = nn.init.orthogonal_(torch.empty(n, n)).flatten()
        self.register_buffer("initial", torch.eye(n))

    def maps(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        A = self.transition(x).unflatten(-1, (self.n, self.n))
        return A, torch.zeros_like(A)

    def looped(self, x: torch.Tensor) -> torch.Tensor:
        H, steps = self.initial, []
        for A in self.maps(x)[0].unbind(1):
            H = A @ H
            steps.append(H)
        return torch.stack(steps, dim=1)

    def read(self, states: torch.Tensor) -> torch.Tensor:
        flat = states.flatten(-2)
        return flat / flat.norm(dim=-1, keepdim=True).clamp(min=1)
