"""Average the weights of two checkpoints of one training: average_weights.py A B OUT.

Two ends of a training that lie in one valley read better halfway (Wortsman et al. 2022).
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch


def average(first: Path, second: Path, out: Path) -> None:
    """Write a checkpoint of Ultralytics' form whose float weights are the mean of both."""
    one, two = (torch.load(p, map_location="cpu", weights_only=False) for p in (first, second))
    model, other = (c.get("ema") or c["model"] for c in (one, two))
    mine, theirs = model.float().state_dict(), other.float().state_dict()
    mean = {
        name: (value + theirs[name]) / 2 if value.is_floating_point() else value
        for name, value in mine.items()
    }
    model.load_state_dict(mean)
    one["model"], one["ema"] = model, None
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(one, out)


if __name__ == "__main__":
    average(*(Path(p) for p in sys.argv[1:4]))
