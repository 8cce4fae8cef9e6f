"""A network that learnt goes on twice as wide, and begins by computing what it computed before.

The idea is Net2Net's (Chen, Goodfellow, Shlens, ICLR 2016): each channel gets a twin, and what
reads the two shares its weight between them. Unequal shares let the twins part as they learn.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]

_SHARE = (0.25, 0.75)
"""Range of what the first of two twins gets of a weight."""

_HEADS = re.compile(r"\.attn\.(qkv|pe)\.")
_AFTER_HEADS = re.compile(r"\.attn\.proj\.conv\.weight$")


def is_half(narrow: dict[str, Any], wide: dict[str, Any]) -> bool:
    """Whether one network's state has the names of the other's, and its first layer half of it."""
    first = next(iter(narrow), "")
    return narrow.keys() == wide.keys() and 2 * narrow[first].shape[0] == wide[first].shape[0]


def widened(
    narrow: dict[str, Any], wide: dict[str, Any], head_channels: int, seed: int = 0
) -> dict[str, Any]:
    """Give a state for the wide network that computes what the narrow one does.

    Both are states by name, of YOLO classifiers of which one is twice as wide (`is_half`).
    `head_channels` are those of one head of the narrow attention's values: heads are doubled as a
    whole, any other channel lies beside its twin.
    """
    rng = np.random.default_rng(seed)
    return {
        name: _grown(narrow[name], value.shape, name, head_channels, rng)
        for name, value in wide.items()
    }


def _grown(
    old: Any, shape: tuple[int, ...], name: str, head_channels: int, rng: np.random.Generator
) -> Any:
    import torch

    grown = old.float().numpy()
    if grown.ndim == 0:  # how many batches were seen
        return old
    if shape[0] != grown.shape[0]:
        grown = grown[_outputs(name, grown.shape[0], head_channels)]
    if len(shape) > 1 and shape[1] != grown.shape[1]:
        per_head = head_channels if _AFTER_HEADS.search(name) else 1
        grown = _shared(grown, per_head, rng)
    if grown.shape != shape:
        raise ValueError(f"{name} is {tuple(shape)} and not twice {tuple(old.shape)}")
    return torch.from_numpy(np.ascontiguousarray(grown, np.float32))


def _outputs(name: str, count: int, head_channels: int) -> Indices:
    """Give the old channel of each new one."""
    found = _HEADS.search(name)
    if found is None:
        return twins(count, 1)
    # A head's queries and keys are half as many as its values each.
    return twins(count, 2 * head_channels if found.group(1) == "qkv" else head_channels)


def twins(count: int, block: int) -> Indices:
    """Give each block of so many channels twice, one after the other: intp[2 * count]."""
    blocks = np.arange(count, dtype=np.intp).reshape(-1, 1, block)
    return np.repeat(blocks, 2, axis=1).reshape(-1)


def _shared(
    weight: NDArray[np.float32], block: int, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Share each weight of float32[out, in, ...] between an input's twins: in becomes 2 in."""
    out, ins, *rest = weight.shape
    share = rng.uniform(*_SHARE, (out, ins, *([1] * len(rest)))).astype(np.float32)
    both = np.stack([weight * share, weight * (1 - share)], axis=1)  # [out, 2, in, ...]
    blocks = both.reshape(out, 2, ins // block, block, *rest)
    return blocks.swapaxes(1, 2).reshape(out, 2 * ins, *rest)
