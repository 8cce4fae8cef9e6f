"""The real `sooee` program with a recognizer that reads drawn pigs by their colour.

Run as `python blobs.py watch clip.avi …`; everything else is the program as it is shipped, but
that it leaves a camera of the network as much time as a busy machine takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from scoring.throw import Pose
from vision.capture.frame import Frame
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    Decision,
    PigDetection,
    Reading,
)

# Hues of OpenCV, 0 to 179, far enough apart to survive video compression.
HUES = {pose: 5 + 28 * i for i, pose in enumerate(Pose)}


def colour(pose: str) -> tuple[int, int, int]:
    """Give the colour of a drawn pig, RGB."""
    hsv = np.array([[[HUES[Pose(pose)], 255, 255]]], np.uint8)
    red, green, blue = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0]
    return int(red), int(green), int(blue)


class BlobReader:
    """Reads every strongly coloured blob as a pig; blobs of 1000 pixels or more are none."""

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Read the newest frame."""
        hsv = cv2.cvtColor(frames[-1].image, cv2.COLOR_RGB2HSV)
        mask = cv2.inRange(hsv, np.array([0, 180, 150]), np.array([179, 255, 255]))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
        pigs = []
        for label in range(1, count):
            x, y, w, h, area = (int(v) for v in stats[label])
            if 200 <= area <= 4000:
                hue = float(np.median(hsv[..., 0][labels == label]))
                pose = min(HUES, key=lambda p: abs(HUES[p] - hue))
                sure = {c: float(c == pose) for c in POSE_CLASSES}
                pigs.append(PigDetection((x, y, x + w, y + h), 0.9, sure))
        apart = ContactEvidence({c: float(c == "apart") for c in CONTACT_CLASSES})
        two = len(pigs) == 2
        return Reading(
            tuple(pigs),
            apart if two else None,
            Decision.ACCEPT if two else Decision.ASK,
            f"{len(pigs)} blobs",
            time_s=frames[-1].time_s,
        )


def main(argv: list[str] | None = None) -> None:
    """Run the program with this reader."""
    from vision.capture import supervise
    from vision.capture.sources import stream
    from vision.cli import main as sooee
    from vision.recognize import manifest
    from vision.recognize.recognizer import Recognizer

    def load(*_: Any) -> BlobReader:
        return BlobReader()

    Recognizer.load = load  # type: ignore[method-assign, assignment]
    manifest.load_manifest = lambda *_: manifest.Manifest(Path(), ())
    stream._REACH_S = stream._OPEN_S = 60.0
    supervise.Patience = partial(supervise.Patience, first_s=60.0)  # type: ignore[misc, assignment]
    sooee(argv)


if __name__ == "__main__":
    main()
