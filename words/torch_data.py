"""Words for PyTorch: a data set from a file, and an endless stream that is drawn while a network trains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import Dataset, IterableDataset, get_worker_info

from ..constructions.automata.automaton import Automaton
from .drawing import draw, run


class Words(Dataset):
    """The words of one part of an .npz file that ``lemmata data`` wrote: (letters, states), both of shape (longest,), -1 as padding.

    ``path`` is the file, ``part`` is "train" or "test". Raises ``ValueError`` for a part that the file has not.
    """

    def __init__(self, path: str | Path, part: str = "train") -> None:
        with np.load(path, allow_pickle=False) as file:
            if f"{part}_letters" not in file:
                raise ValueError(f"expected a file with {part} words, got {path}: it holds {', '.join(file)}")
            self.letters, self.states = (torch.from_numpy(file[f"{part}_{field}"].astype(np.int64)) for field in ("letters", "states"))

    def __len__(self) -> int:
        return len(self.letters)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        return self.letters[index], self.states[index]


class WordStream(IterableDataset):
    """Batches of fresh words without end: (letters, states), both of shape (batch, length), the length drawn for each batch.

    The same seed gives the same batches; each worker of a loader has batches of its own. Words may come twice, and in a test set too: for words that
    are told apart use ``split``.
    """

    def __init__(self, automaton: Automaton, lengths: Sequence[int], batch: int = 64, seed: int = 0, over: str = "words") -> None:
        self.automaton, self.lengths, self.batch, self.seed, self.over = automaton, list(lengths), batch, seed, over

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        worker = get_worker_info()
        rng = np.random.default_rng([self.seed, 0 if worker is None else worker.id])
        while True:
            letters = draw(self.automaton, int(rng.choice(self.lengths)), self.batch, rng, self.over)
            states = run(self.automaton, letters)
            yield torch.from_numpy(letters.astype(np.int64)), torch.from_numpy(states.astype(np.int64))
