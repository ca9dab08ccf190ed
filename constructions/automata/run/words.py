"""Batches of words for the PyTorch modules: letter indices, -1 where there is no letter."""

from __future__ import annotations

import torch

#: where there is no letter
PADDING = -1


def as_batch(words: torch.Tensor, letters: int) -> tuple[torch.Tensor, torch.Tensor]:
    """(indices, there), both (batch, length): the words with 0 for :data:`PADDING`, and where there is a letter.

    ``words`` is (batch, length) or one word (length,). Raises ``ValueError`` for other shapes or data types, and for indices outside
    -1 .. letters - 1.
    """
    if words.dim() not in (1, 2) or words.dtype not in (torch.long, torch.int32, torch.int16, torch.int8):
        raise ValueError(
            f"expected integer letter indices of shape (batch, length) or (length,), got {words.dtype} of shape {tuple(words.shape)}"
        )
    batch = words.long() if words.dim() == 2 else words.long()[None]
    # a graph that is being exported, and a batch inside vmap, cannot look at values
    wrapped = torch._C._functorch.is_functorch_wrapped_tensor  # pyright: ignore[reportAttributeAccessIssue] # compiled, without a stub
    looks = not torch.compiler.is_compiling() and not wrapped(words)
    if looks and batch.numel() and not -1 <= int(batch.min()) <= int(batch.max()) < letters:
        raise ValueError(
            f"expected letter indices in 0 .. {letters - 1}, or -1 for no letter, got {int(batch.min())} .. {int(batch.max())}"
        )
    there = batch >= 0
    return batch.clamp(min=0), there
