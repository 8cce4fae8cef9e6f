"""What a frame shows of the table without knowing pigs: motion, hands, bumps, light."""

from __future__ import annotations

from dataclasses import dataclass

from vision.capture.area import Area
from vision.capture.bump import Warp
from vision.capture.foreground import Foreground, Rebased
from vision.capture.gesture import OpenHand
from vision.capture.health import blindness
from vision.capture.light import ANY, Change
from vision.capture.settle import Settle
from vision.capture.small import Mask, Small


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """One frame's scene.

    `moving`: something does. `hand`: something reaches in. `quiet_s` and `quiet_frames`: for how
    long nothing moved. `rebased`: the table was taken anew, with the `warp` of a bump (small
    pixels). `blind`: why the picture shows nothing, or empty. `open_hand_s`: for how long an
    open hand has been held still. `change`: what counts as one under
    the camera's noise. `reach`: where a hand is over the table, in small pixels.
    `index` and `time_s` are the frame's.
    """

    index: int
    time_s: float
    moving: bool
    hand: bool
    quiet_s: float
    quiet_frames: int
    rebased: Rebased | None = None
    warp: Warp | None = None
    blind: str = ""
    open_hand_s: float = 0.0
    change: Change = ANY
    reach: Mask | None = None


class SceneWatcher:
    """Judges frames one after another; with an `area`, only what happens inside it."""

    def __init__(self, area: Area | None = None) -> None:
        self._settle = Settle(area)
        self._foreground = Foreground(area)
        self._gesture = OpenHand()

    def look(self, small: Small) -> Scene:
        """Judge the next frame; one that shows nothing leaves the table as it was."""
        blind = blindness(small.grey)
        if blind:
            return Scene(small.index, small.time_s, False, False, 0.0, 0, blind=blind)
        motion = self._settle.look(small)
        over = self._foreground.look(small, motion)
        return Scene(
            index=small.index,
            time_s=small.time_s,
            moving=motion.moving,
            hand=over.hand,
            quiet_s=motion.quiet_s,
            quiet_frames=motion.quiet_frames,
            rebased=over.rebased,
            warp=over.warp,
            open_hand_s=self._gesture.look(over.outline, small.time_s),
            change=motion.change,
            reach=over.reach,
        )
