"""Teaching the pose network how a pig is turned, beside its pose: Ultralytics' parts, widened.

The renderer knows each pig's attitude (`vision/synth/attitude.py`). A second linear layer on the
same embedding learns it; crops without one, photographs among them, leave that layer alone.
Imported only to train, or by torch to load a checkpoint: it needs the `train` extra.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional
from ultralytics.data import ClassificationDataset
from ultralytics.nn.modules.head import Classify

from vision.learn.augment import Strained
from vision.learn.evaluate_sets import crop_notes

SIZE = 6
"""Numbers of an attitude: the pig's nose and its back, in the axes of sight."""


class AttitudeHead(Classify):  # type: ignore[misc]
    """A classifying head that also gives the pig's attitude, [N, 6]."""

    @classmethod
    def over(cls, head: Classify) -> Self:
        """Widen a head, its weights kept."""
        made = cls(head.conv.conv.in_channels, head.linear.out_features)
        made.conv, made.pool, made.drop, made.linear = head.conv, head.pool, head.drop, head.linear
        for name in ("i", "f", "type", "np"):  # what Ultralytics notes of each layer
            setattr(made, name, getattr(head, name))
        return made

    def __init__(self, c1: int, c2: int, *args: Any) -> None:
        super().__init__(c1, c2, *args)
        self.attitude = nn.Linear(self.linear.in_features, SIZE)

    def forward(self, x: Any) -> Any:
        """As Ultralytics' head, the attitude beside the logits or the probabilities."""
        if isinstance(x, list):
            x = torch.cat(x, 1)
        embedding = self.drop(self.pool(self.conv(x)).flatten(1))
        logits, attitude = self.linear(embedding), self.attitude(embedding)
        if self.training:
            return logits, attitude
        shares = logits.softmax(1)
        return (shares, attitude) if self.export else (shares, (logits, attitude))


def widen(network: Any) -> Any:
    """Give a classifier of Ultralytics a head for attitudes, if it has none yet."""
    head = network.model[-1]
    if not isinstance(head, AttitudeHead):
        network.model[-1] = AttitudeHead.over(head)
    return network


class AttitudeLoss:
    """Cross entropy of the class, and `weight` times the squared error of the attitude."""

    def __init__(self, weight: float) -> None:
        self.weight = weight

    def __call__(self, preds: Any, batch: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Give the loss and its two parts, as Ultralytics' trainer takes them."""
        logits, attitude = preds[1] if isinstance(preds[1], tuple) else preds
        named = functional.cross_entropy(logits, batch["cls"])
        truth = batch["attitude"].to(logits.device)
        known = ~truth.isnan().any(1)
        error = ((attitude.float() - truth.nan_to_num()) ** 2).sum(1)
        turned = (error * known).sum() / known.sum().clamp(min=1)
        parts = {"loss": named.detach(), "attitude": turned.detach()}
        return named + self.weight * turned, parts


class TurnedCrops(ClassificationDataset):  # type: ignore[misc]
    """Crops with the attitude of their pig, [6], NaN where none is known."""

    def __init__(self, root: str, args: Any, *, strained: Strained | None, **named: Any) -> None:
        super().__init__(root, args, **named)
        self._strained = strained
        known = attitudes_of(Path(root))
        unknown = np.full(SIZE, np.nan, np.float32)
        self._attitudes = np.stack(
            [known.get(Path(sample[0]).name, unknown) for sample in self.samples]
        )

    def __getitem__(self, i: int) -> dict[str, Any]:
        """Give a crop's tensor, its class, and its attitude turned as the crop was."""
        if self._strained is None:
            return {**super().__getitem__(i), "attitude": torch.from_numpy(self._attitudes[i])}
        stored = self.img_cache[i] if self.cache_ram else self.imread(self.samples[i][0])
        picture, turn = self._strained.vary(np.ascontiguousarray(stored[..., ::-1]))
        turned = turn_attitude(self._attitudes[i], turn)
        return {
            "img": self.torch_transforms(picture),
            "cls": self.samples[i][1],
            "attitude": torch.from_numpy(turned),
        }


def turn_attitude(attitude: NDArray[np.float32], turn_rad: float) -> NDArray[np.float32]:
    """Turn an attitude [6] as a picture is turned: from x, to the right, towards y, down."""
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    return np.asarray((attitude.reshape(2, 3) @ turn.T).ravel(), np.float32)


def attitudes_of(root: Path) -> dict[str, NDArray[np.float32]]:
    """Read the attitudes that `sooee render` noted of a set, by the crops' file names."""
    return {
        Path(image).name: np.array(note["attitude"], np.float32)
        for image, note in crop_notes(root).items()
        if note.get("attitude") is not None
    }
