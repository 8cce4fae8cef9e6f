"""How crops are varied while a network trains on them: never flipped, never cropped.

Light, colour and blur vary in renders already, but each crop is shown many times: varied again it
teaches the pose instead of itself.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.learn.training import Training

_LUMA = (0.299, 0.587, 0.114)


def crop_transforms(training: Training) -> Any:
    """Turn a crop into the network's input as run time does: resized, 0 to 1."""
    import torchvision.transforms as T  # noqa: N812 - its documentation's own name

    return T.Compose([T.Resize((training.image_px,) * 2, antialias=True), T.ToTensor()])


def crop_augmentations(training: Training) -> Any:
    """Turn, shift and patch crops; with `strain` also bend, tint, blur and roughen them."""
    import torchvision.transforms as T  # noqa: N812

    erase = T.RandomErasing(training.erase, scale=(0.02, 0.12))
    if training.attitude:  # `TurnedCrops` strains them itself: it must know how they are turned
        return T.Compose([T.ToTensor(), erase])
    if training.strain:
        return T.Compose([strained(training), T.ToTensor(), erase])
    affine = T.RandomAffine(
        training.turn_deg, translate=(0.04, 0.04), scale=(0.93, 1.08),
        interpolation=T.InterpolationMode.BILINEAR, fill=(118, 112, 104),
    )  # fmt: skip
    return T.Compose(
        [
            T.Resize((training.image_px,) * 2, antialias=True),
            T.RandomApply([affine], 0.6),
            T.RandomGrayscale(0.06),
            T.ToTensor(),
            erase,
        ]
    )


def strained(training: Training) -> Strained:
    """Give the variation of crops that a training asks for."""
    return Strained(training.image_px, training.turn_deg, training.strain)


class Strained:
    """Turns, scales, shifts and bends a crop in one warp, then changes its colours, blur and noise.

    `strain` scales all of it but the turn; 1 bends a corner by a twentieth of the side and changes
    the exposure by a quarter (both standard deviations).
    """

    def __init__(self, side: int, turn_deg: float, strain: float) -> None:
        self._side, self._turn, self._strain = side, turn_deg, strain

    def __call__(self, crop: Any) -> NDArray[np.uint8]:
        """Give a crop, RGB, as uint8[side, side, 3], varied anew at each call."""
        return self.vary(crop)[0]

    def vary(self, crop: Any) -> tuple[NDArray[np.uint8], float]:
        """Give a crop varied, and how far it was turned: radians, from x towards y."""
        import cv2

        # Torch seeds this generator in every process that loads crops.
        rng = np.random.default_rng(random.getrandbits(62))
        shown = np.asarray(crop)
        turn = float(np.radians(rng.uniform(-self._turn, self._turn)))
        warped = cv2.warpPerspective(
            shown, self.warp(rng, shown.shape[0], turn), (self._side, self._side),
            flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        return self._photographed(rng, np.asarray(warped, np.float32)), turn

    def warp(self, rng: np.random.Generator, side: int, turn: float) -> NDArray[np.float64]:
        """Draw the 3x3 matrix from the pixels of a crop of this side to the input's."""
        import cv2

        strain = self._strain
        scale = np.exp(rng.normal(0, 0.06 * strain))
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64) - 0.5
        rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        moved = scale * corners @ rotation.T + rng.normal(0, 0.025 * strain, 2)
        moved += rng.normal(0, 0.05 * strain, (4, 2))
        start = ((corners + 0.5) * side).astype(np.float32)
        return np.asarray(
            cv2.getPerspectiveTransform(start, ((moved + 0.5) * self._side).astype(np.float32))
        )

    def _photographed(
        self, rng: np.random.Generator, picture: NDArray[np.float32]
    ) -> NDArray[np.uint8]:
        import cv2

        strain = self._strain
        gain = np.exp(rng.normal(0, 0.25 * strain) + rng.normal(0, 0.06 * strain, 3))
        grey = 1.0 if rng.random() < 0.1 * strain else min(abs(rng.normal(0, 0.25 * strain)), 1.0)
        colours = ((1 - grey) * np.eye(3) + grey * np.array(_LUMA)) * gain
        contrast = np.exp(rng.normal(0, 0.15 * strain))
        matrix = np.c_[contrast * colours, np.full(3, 128 * (1 - contrast))]
        picture = np.asarray(cv2.transform(picture, matrix), np.float32)
        if rng.random() < 0.15 * strain:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.2)))
        if rng.random() < 0.3 * strain:
            grain = rng.standard_normal((*picture.shape[:2], 1), np.float32)
            picture = picture + np.float32(rng.uniform(1, 10)) * grain
        return np.clip(picture, 0, 255).astype(np.uint8)
