"""How a camera's driver is talked to: a size is asked for, focus and exposure are held still.

Drivers accept settings and ignore them, or take them and turn the picture black. So what is
asked for is judged by what comes back: the frames.
"""

from __future__ import annotations

from typing import Any, Protocol

_WARM_UP = 8
# Brightness may differ by this factor after a lock; more means that the driver did as it liked.
_SAME = 1.25
# A held exposure that is off by this factor, so often in a row, no longer fits the light.
_FITS = 1.8
_CHECK_EVERY, _MISFITS = 30, 3


class Driver(Protocol):
    """The part of `cv2.VideoCapture` that is used."""

    def get(self, propId: int, /) -> float:  # noqa: N803
        """Give a setting."""
        ...

    def set(self, propId: int, value: float, /) -> bool:  # noqa: N803
        """Ask for a setting; the answer says little."""
        ...

    def read(self) -> tuple[bool, Any]:
        """Give the next frame, BGR."""
        ...


def ask_for(driver: Driver, width: int, height: int, fps: int) -> tuple[int, int]:
    """Ask for a size in pixels and a rate; gives the size that the driver really delivers.

    The packing comes first, since drivers forget it after the size; uncompressed pictures of
    this size fit through USB 2 only a few times a second. Raises nothing: (0, 0) is no picture.
    """
    import cv2

    driver.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    driver.set(cv2.CAP_PROP_FRAME_WIDTH, width)
    driver.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
    driver.set(cv2.CAP_PROP_FPS, fps)
    driver.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    read, bgr = driver.read()
    return (int(bgr.shape[1]), int(bgr.shape[0])) if read else (0, 0)


class Steady:
    """Holds a camera's focus and exposure where its automatic left them.

    `focus` and `exposure` say what is held, as far as the pictures show. When the light changes
    so much that the held exposure no longer fits, the automatic may try again.
    """

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._frames = 0
        self._misfits = 0
        self._brightness = 0.0
        self._automatic = 0.0
        self.focus = self.exposure = False
        self._hold()

    def frame(self, bgr: Any) -> None:
        """Take each frame read; now and then its brightness is looked at."""
        self._frames += 1
        if not self.exposure or self._frames % _CHECK_EVERY:
            return
        ratio = (_mean(bgr) + 1) / (self._brightness + 1)
        self._misfits = 0 if 1 / _FITS < ratio < _FITS else self._misfits + 1
        if self._misfits >= _MISFITS:
            self._misfits = 0
            self._hold()

    def _hold(self) -> None:
        import cv2

        driver = self._driver
        if self.exposure:
            driver.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._automatic)
        before = _settled(driver)
        focus_at = driver.get(cv2.CAP_PROP_FOCUS)
        driver.set(cv2.CAP_PROP_AUTOFOCUS, 0)
        if focus_at > 0:
            driver.set(cv2.CAP_PROP_FOCUS, focus_at)
        self.focus = driver.get(cv2.CAP_PROP_AUTOFOCUS) == 0
        self._automatic = driver.get(cv2.CAP_PROP_AUTO_EXPOSURE)
        exposure_at = driver.get(cv2.CAP_PROP_EXPOSURE)
        # Video4Linux says 1 for manual and 3 for automatic; the others 0.25 and 0.75.
        manual = 1.0 if self._automatic >= 1 else 0.25
        driver.set(cv2.CAP_PROP_AUTO_EXPOSURE, manual)
        driver.set(cv2.CAP_PROP_EXPOSURE, exposure_at)
        self.exposure = driver.get(cv2.CAP_PROP_AUTO_EXPOSURE) == manual
        self._brightness = _settled(driver)
        if not 1 / _SAME < (self._brightness + 1) / (before + 1) < _SAME:
            driver.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._automatic)
            self.exposure = False


def _settled(driver: Driver) -> float:
    """Let the automatic settle, and give the brightness of the last frame."""
    mean = 0.0
    for _ in range(_WARM_UP):
        read, bgr = driver.read()
        if read:
            mean = _mean(bgr)
    return mean


def _mean(bgr: Any) -> float:
    return float(bgr[::8, ::8].mean())
