"""A camera's faults over a whole film: `degrade` for picture after picture, at a tenth of its cost.

Blur, tone and sharpening are linear, so a still picture goes through them once, and the noise
of the film through the sharpening once; each picture takes its noise from another place of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Image
from vision.synth.degrade import Imperfection

Floats = NDArray[np.float32]

_SPARE_PX = 128
_SHARPENED_PX = 1.2


@dataclass(frozen=True, slots=True, eq=False)
class _Prepared:
    """The picture that went through the optics last."""

    image: Image
    faults: Imperfection
    picture: Floats


class Wear:
    """One camera's faults for pictures of one size; the same seed wears them the same.

    With a `divisor` for pictures that are so much smaller than the camera's, shrunk before they
    are worn instead of after it.

    Faults that take a picture apart (motion, upscaling, JPEG) are none of a film's; raises
    ValueError for them.
    """

    def __init__(
        self, faults: Imperfection, size: tuple[int, int], seed: int, divisor: int = 1
    ) -> None:
        if faults.motion_px > 1.0 or faults.upscaled > 1.05 or faults.jpeg < 97:
            raise ValueError("a film's camera has no motion, upscaling or JPEG of its own")
        self._size = (size[0] // divisor, size[1] // divisor)
        self._seed = seed
        self._divisor = divisor
        self._grain = _noise(faults, size, seed, divisor)
        self._last: _Prepared | None = None

    def picture(self, image: Image, faults: Imperfection, index: int) -> Image:
        """Give picture number `index` as the camera makes it of uint8[H, W, 3] RGB.

        `faults` are the film's, but for the tone and the focus of this moment. An `image` that
        comes again must be the same object, and unchanged.
        """
        import cv2

        if self._last is None or self._last.image is not image or self._last.faults != faults:
            self._last = _Prepared(image, faults, _through(image, faults, self._divisor))
        rng = np.random.default_rng([self._seed, index])
        x, y = (int(v) for v in rng.integers(_SPARE_PX // self._divisor, size=2))
        width, height = self._size
        grain = self._grain[y : y + height, x : x + width]
        return np.asarray(cv2.add(self._last.picture, grain, dtype=cv2.CV_8U), np.uint8)


def _noise(faults: Imperfection, size: tuple[int, int], seed: int, divisor: int) -> Floats:
    """Make the noise of a film, larger than a picture: float32[H', W', 3] levels."""
    import cv2

    rng = np.random.default_rng([seed, 0xA0])
    width, height = (s + _SPARE_PX for s in size)
    grain = np.zeros((height, width, 3), np.float32)
    if faults.noise > 0.3:
        grain += faults.noise * rng.standard_normal((height, width, 1), np.float32)
    if faults.colour_noise > 0.3:
        half = rng.standard_normal((height // 2 + 1, width // 2 + 1, 3), np.float32)
        grain += faults.colour_noise * np.asarray(cv2.resize(half, (width, height)))
    grain = _sharpened(grain, faults.sharpen, 1)
    smaller = (width // divisor, height // divisor)
    return np.asarray(cv2.resize(grain, smaller, interpolation=cv2.INTER_AREA), np.float32)


def _through(image: Image, faults: Imperfection, divisor: int) -> Floats:
    """Take a picture through lens, tone and sharpening, without noise: float32[H, W, 3]."""
    import cv2

    picture: Floats = image.astype(np.float32)
    if faults.focus_px > 0.2:
        soft_px = faults.focus_px / divisor
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), soft_px), np.float32)
    toned = np.asarray(cv2.transform(picture, _tone(faults)), np.float32)
    return _sharpened(toned, faults.sharpen, divisor)


def _tone(faults: Imperfection) -> Floats:
    """Give the matrix float32[3, 4] of gain, saturation, contrast and lift together."""
    saturate = faults.saturation * np.eye(3) + (1.0 - faults.saturation) / 3.0
    matrix = faults.contrast * saturate @ np.diag(faults.gain)
    lift = 128.0 * (1.0 - faults.contrast) + 255.0 * faults.lift
    return np.hstack([matrix, np.full((3, 1), lift)]).astype(np.float32)


def _sharpened(picture: Floats, amount: float, divisor: int) -> Floats:
    import cv2

    if amount <= 0:
        return picture
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), _SHARPENED_PX / divisor), np.float32)
    return np.asarray(cv2.addWeighted(picture, 1.0 + amount, soft, -amount, 0.0), np.float32)
