"""Whether a camera's pictures show anything: black, blown out, or the same one for ever."""

from __future__ import annotations

import numpy as np

from vision.capture.frame import Frame
from vision.capture.small import Grey

BLACK = "the picture is black; is the light on, and is the lens free?"
WHITE = "the picture is blown out; is a lamp shining into the camera?"
FROZEN = "the picture has frozen; the camera is being opened again"

_STEP, _FAR = 4, 16
# Levels of 255. A sensor without light gives a few levels of noise.
_DARK, _DARKEST_SHARE = 24, 0.99
_BRIGHT, _BRIGHT_SHARE = 250, 0.95
# No sensor gives the same picture twice; the encoder of a network camera may, until it sends a
# whole picture again, every few seconds.
_FROZEN_S = 5.0
_LONGEST_FROZEN_S = 80.0


def blindness(grey: Grey) -> str:
    """Say why a small picture shows nothing of a table; empty when it shows something."""
    few = grey[::_STEP, ::_STEP]
    if float((few < _DARK).mean()) >= _DARKEST_SHARE:
        return BLACK
    if float((few >= _BRIGHT).mean()) >= _BRIGHT_SHARE:
        return WHITE
    return ""


class FreezeWatch:
    """Tells when a live camera gives one and the same picture for seconds.

    A picture that is really that still (a virtual camera, a still sent as a stream) is given
    twice as long each time, so that it is not opened again for ever.
    """

    def __init__(self) -> None:
        self._last: bytes = b""
        self._since_s = 0.0
        self._patience_s = _FROZEN_S

    def frozen(self, frame: Frame) -> bool:
        """Take the next frame; true once it has been the same for too long."""
        few = np.ascontiguousarray(frame.image[::_FAR, ::_FAR]).tobytes()
        if few != self._last:
            self._last, self._since_s = few, frame.time_s
            return False
        if frame.time_s - self._since_s < self._patience_s:
            return False
        self._since_s = frame.time_s
        self._patience_s = min(2 * self._patience_s, _LONGEST_FROZEN_S)
        return True
