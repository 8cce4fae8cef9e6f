"""The visible count-down of an open hand that banks a turn."""

from __future__ import annotations

from collections.abc import Sequence

from vision.capture.scene import Scene
from vision.table.state import HandHeld

HOLD_S = 2.0
_BEGIN_S = 0.4
_STEP_S = 0.5


class CountDown:
    """Counts down while an open hand is held still; one hand banks once."""

    def __init__(self) -> None:
        self._told: float | None = None
        self._done = False

    def see(self, scene: Scene, *, allowed: bool) -> Sequence[HandHeld]:
        """Take the next scene; `allowed`: the pigs of the counted throw lie there to be seen."""
        if not scene.hand:
            self._done = False
        held_s = scene.open_hand_s if allowed and not self._done else 0.0
        if held_s < _BEGIN_S:
            if self._told is None:
                return []
            self._told = None
            return [HandHeld(scene.index, scene.time_s, None)]
        left_s = max(0.0, HOLD_S - held_s)
        if left_s == 0.0:
            self._told, self._done = None, True
            return [HandHeld(scene.index, scene.time_s, 0.0)]
        step = -(-left_s // _STEP_S) * _STEP_S
        if step == self._told:
            return []
        self._told = step
        return [HandHeld(scene.index, scene.time_s, step)]
