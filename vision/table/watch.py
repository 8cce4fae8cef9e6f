"""The table's watch: scenes and readings in, states and each throw, once, out.

It holds no camera, no model and no clock: `see` takes the scene of each frame, `read` the
reading it asked for (`wants_reading`), and both give what is to be told. So it runs the same
over a live table, a file and a recorded trace.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace

from vision.capture.area import Area
from vision.capture.foreground import Rebased
from vision.capture.scene import Scene
from vision.capture.small import Small
from vision.recognize.reading import Decision, Reading
from vision.table.before import Before
from vision.table.beginning import Beginning, First
from vision.table.closer import Closer
from vision.table.countdown import CountDown
from vision.table.known import Known
from vision.table.laid import Laid
from vision.table.looks import HARD_TO_SEE, Looks, doubted
from vision.table.lying import Lying, LyingPig
from vision.table.novelty import Novelty, sort_out
from vision.table.patience import Patience
from vision.table.state import Noticed, StateChanged, TableEvent, TableState, ThrowSeen
from vision.table.verdict import Verdict

LAY_HERE = "these pigs lay here before; the next throw counts"
MAY_LAY_HERE = "these pigs may have lain here before"
ONLY_ONE = "only one of the two pigs was thrown; throw both together"
CAME_LATE = "one pig was thrown later than the other; throw both together"
ONE_MISSING = "one pig is missing"
OFF_TABLE = "a pig lies outside the throwing area: off the table"
ONE_UNREAD = "two pigs were thrown, but only one can be made out"
MOVED = "the pigs may have been moved, not thrown"
CHANGED = "a pig lies differently from how it was logged; if it fell like that, correct the throw"
HAND_STAYS = "something reaches in for long; a throwing area would leave out what is no hand"
BUMPED = "the camera or the table was moved; nothing is logged for that"
RELIT = "the light changed"

_NO_THROW = (ONLY_ONE, CAME_LATE, ONE_MISSING, OFF_TABLE)
_UNSETTLED = (TableState.NO_CAMERA, TableState.MOVING, TableState.HAND)


class TableWatch:
    """Follows one table.

    `armed`: whether the pigs first seen count as thrown. In a file they do; at a live table, and
    after a reset, they lay there before. `area`: pigs outside it are off the table.
    `bank_by_hand`: an open hand held still over the table, beside the pigs, banks the turn.
    """

    def __init__(
        self,
        *,
        armed: bool,
        area: Area | None = None,
        bank_by_hand: bool = False,
        patience: Patience | None = None,
    ) -> None:
        self._area = area
        self._count_down = CountDown() if bank_by_hand else None
        self._patience = patience or Patience()
        self._state: TableState | None = None
        self._reason = ""
        self._armed_at_start = armed
        self._beginning = Beginning(armed=armed)
        self._shape: tuple[int, ...] | None = None
        self._known = Known()
        self._before = Before(area)
        self._laid = Laid()
        self._looks = Looks()
        self._settled = False
        self._next_s = float("-inf")
        self._again_s = self._patience.again_s
        self._wants = False
        self._index = 0
        self._hand_s: float | None = None
        self._requests: deque[Callable[[Scene], list[TableEvent]]] = deque()

    @property
    def state(self) -> TableState | None:
        """The state told last; None before the first frame."""
        return self._state

    @property
    def reason(self) -> str:
        """Why the table is in its state, in words, or nothing."""
        return self._reason

    @property
    def wants_reading(self) -> int:
        """How many frames should be read together now, the one just seen the newest; mostly 0.

        The others are those that readings were wanted of since the table came to rest.
        """
        return self._looks.wanted if self._wants else 0

    @property
    def closer(self) -> Closer | None:
        """How the frames wanted should be looked at, if not as they are."""
        return self._looks.closer

    def reset(self, scene: Scene) -> list[TableEvent]:
        """Forget what lies on the table: the way out of every state.

        Pigs that lie there now count as seen; the next throw is logged again.
        """
        self._begin_anew()
        self._known, self._beginning = Known(), Beginning(armed=False)
        self._before = Before(self._area)
        return self._into(TableState.SETTLING, scene, "reset")

    def request_reset(self) -> None:
        """Reset before the next frame; any thread may ask."""
        self._requests.append(self.reset)

    def request_answered(self) -> None:
        """Take note, before the next frame, that a person said what lies there; from any thread."""
        self._requests.append(self._answered)

    def see(self, scene: Scene, small: Small) -> list[TableEvent]:
        """Take the scene of the next frame, and its small picture."""
        self._wants, self._index = False, scene.index
        self._fit(small)
        events = self._rebase(scene, small)
        while self._requests:
            events += self._requests.popleft()(scene)
        self._beginning.see(scene, small)
        self._laid.see(scene, small)
        if self._count_down is not None:
            # Never while pigs are picked up: both must be seen lying as they were logged.
            allowed = scene.hand and self._known.lie_in(small)
            events += self._count_down.see(scene, allowed=allowed)
        disturbed = _disturbance(scene)
        if disturbed is not None:
            self._before.moved(judged=self._settled)
            self._begin_anew()
            self._known.lifted |= scene.hand
            return events + self._into(disturbed, scene, scene.blind or self._long_hand(scene))
        wait = self._patience
        if scene.quiet_s < wait.settle_s or scene.quiet_frames < wait.settle_frames:
            # A pig that rocks is quiet for a frame or two at a time; that is not worth telling.
            if self._state is None or (self._state in _UNSETTLED and scene.quiet_s >= wait.calm_s):
                events += self._into(TableState.SETTLING, scene)
            return events
        self._before.rests(small, scene.change)
        if not self._settled and not self._known.lifted and self._known.lie_in(small):
            events += self._still_the_same(scene)
        else:
            self._wants = scene.time_s >= self._next_s
        return events

    def lost(self, reason: str, time_s: float) -> list[TableEvent]:
        """Take note that the camera gives no pictures; what lies on the table is remembered."""
        self._wants = False
        self._known.lifted = True  # for all that anybody saw
        self._before.moved(judged=self._settled)
        self._begin_anew()
        return self._tell(TableState.NO_CAMERA, self._index, time_s, reason)

    def read(self, reading: Reading, scene: Scene, small: Small) -> list[TableEvent]:
        """Take the reading of the frame just seen, or of several that were wanted together."""
        self._wants = False
        self._next_s = scene.time_s + self._patience.apart_s
        relied = self._looks.take(reading, lambda r: self._sorted(r, small))
        if relied is None:
            return []
        events = self._conclude(relied, scene, small)
        self._laid.begin()
        return events

    def _sorted(self, reading: Reading, small: Small) -> Novelty:
        return sort_out(reading, small, self._before, self._known.lying)

    def _conclude(self, reading: Reading, scene: Scene, small: Small) -> list[TableEvent]:
        """Make up one's mind about a still table."""
        self._settled = True
        self._looks.clear()
        self._next_s = float("inf")
        novelty = self._sorted(reading, small)
        if not novelty.pigs:
            return self._nothing(scene, small)
        self._known.seen()
        if len(novelty.pigs) != 2:
            return self._not_two(reading, novelty, scene, small)
        here = Lying.of(novelty.pigs, small)
        first = self._beginning.judge(here, changed=bool(self._before.then()))
        self._beginning.armed = True
        if first is First.LAY_HERE:
            self._known.lying = here
            return self._into(TableState.STILL, scene, LAY_HERE)
        if first is First.DOUBT:
            return self._throw(doubted(reading, MAY_LAY_HERE), scene, here, small)
        return self._two(reading, novelty, scene, small)

    def _two(
        self, reading: Reading, novelty: Novelty, scene: Scene, small: Small
    ) -> list[TableEvent]:
        """Judge two pigs, of which one may have been waiting there for the other."""
        here = Lying.of(novelty.pigs, small)
        verdict = self._known.verdict(novelty.pigs, small)
        if verdict in (Verdict.SAME, Verdict.NUDGED):
            self._known.still(here, reading, verdict)
            return self._still_the_same(scene)
        if verdict is Verdict.ONE or novelty.waiting == 1:
            reason = ONLY_ONE if verdict is Verdict.ONE else CAME_LATE
            return self._into(TableState.ASKING, scene, reason)
        if verdict is Verdict.DOUBT or self._laid.all_laid(here):
            reading = doubted(reading, MOVED)
        if novelty.waiting == 2 or novelty.things:
            # They lay there, unread, before something else changed, or things lie in the way.
            reading = doubted(reading, HARD_TO_SEE)
        return self._throw(reading, scene, here, small)

    def _throw(
        self, reading: Reading, scene: Scene, lying: Lying, small: Small
    ) -> list[TableEvent]:
        if self._area is not None and not all(_lies_in(self._area, p, small) for p in lying.pigs):
            return self._into(TableState.ASKING, scene, OFF_TABLE)
        self._known.told(lying.told(reading))
        asking = reading.decision is Decision.ASK
        state = TableState.ASKING if asking else TableState.STILL
        told = self._into(state, scene, reading.reason if asking else "")
        return [*told, ThrowSeen(scene.index, scene.time_s, reading)]

    def _nothing(self, scene: Scene, small: Small) -> list[TableEvent]:
        """Pigs do not vanish without a hand: for a while they may only be out of sight."""
        self._beginning.armed = True
        self._try_again(scene)
        if self._known.lie_in(small):
            return self._told_before(scene)
        self._known.unseen(scene.time_s, self._patience.gone_s)
        return self._into(TableState.EMPTY, scene)

    def _not_two(
        self, reading: Reading, novelty: Novelty, scene: Scene, small: Small
    ) -> list[TableEvent]:
        if novelty.unread is not None and self._beginning.armed:
            lying = Lying.of(novelty.pigs, small).with_unread(novelty.unread.box, small)
            # Even where a thing beside the pig made it look like a sure throw.
            asked = replace(reading, decision=Decision.ASK, reason=ONE_UNREAD)
            return self._throw(asked, scene, lying, small)
        self._try_again(scene)
        if len(novelty.pigs) == 1:
            self._beginning.one_lies()
            return self._into(TableState.ASKING, scene, ONE_MISSING)
        reason = f"{len(reading.pigs)} pigs are seen where there should be two"
        return self._into(TableState.ASKING, scene, reason)

    def _answered(self, scene: Scene) -> list[TableEvent]:
        lying = self._known.lying
        if lying is None or self._reason in _NO_THROW:
            return []
        self._known.lying = lying.said()
        return self._told_before(scene) if self._state is TableState.ASKING else []

    def _try_again(self, scene: Scene) -> None:
        """Read the same still table again after a while, each time a longer one."""
        self._next_s = scene.time_s + self._again_s
        self._again_s = min(2 * self._again_s, self._patience.longest_again_s)

    def _still_the_same(self, scene: Scene) -> list[TableEvent]:
        self._settled = True
        self._next_s = float("inf")
        self._known.lifted = False
        self._laid.begin()
        return self._told_before(scene)

    def _told_before(self, scene: Scene) -> list[TableEvent]:
        """Tell that pigs lie there that were told before, and if they lie otherwise now."""
        if self._known.lying is not None and self._known.lying.otherwise:
            return self._into(TableState.ASKING, scene, CHANGED)
        return self._into(TableState.STILL, scene)

    def _long_hand(self, scene: Scene) -> str:
        """Say what may help against a hand that never leaves."""
        if not scene.hand:
            self._hand_s = None
            return ""
        if self._hand_s is None:
            self._hand_s = scene.time_s
        return HAND_STAYS if scene.time_s - self._hand_s >= self._patience.hand_s else ""

    def _fit(self, small: Small) -> None:
        """Begin anew when the pictures change their size: nothing can be compared."""
        if self._shape not in (None, small.grey.shape):
            self._begin_anew()
            self._known = Known()
            self._beginning = Beginning(armed=self._armed_at_start)
            self._before = Before(self._area)
        self._shape = small.grey.shape

    def _rebase(self, scene: Scene, small: Small) -> list[TableEvent]:
        if scene.warp is not None:
            self._before.bumped(scene.warp)
            if self._known.lying is not None:
                self._known.lying = self._known.lying.warped(scene.warp, small)
        told = {Rebased.BUMP: BUMPED, Rebased.LIGHT: RELIT}
        if scene.rebased not in told:
            return []
        return [Noticed(scene.index, scene.time_s, told[scene.rebased])]

    def _begin_anew(self) -> None:
        self._looks.clear()
        self._settled = False
        self._next_s = float("-inf")
        self._again_s = self._patience.again_s

    def _into(self, state: TableState, scene: Scene, reason: str = "") -> list[TableEvent]:
        return self._tell(state, scene.index, scene.time_s, reason)

    def _tell(self, state: TableState, index: int, time_s: float, reason: str) -> list[TableEvent]:
        if (state, reason) == (self._state, self._reason):
            return []
        self._state, self._reason = state, reason
        return [StateChanged(index, time_s, state, reason)]


def _disturbance(scene: Scene) -> TableState | None:
    """Say what keeps a scene from being read, if anything does."""
    if scene.blind:
        return TableState.NO_CAMERA
    if scene.hand:
        return TableState.HAND
    return TableState.MOVING if scene.moving else None


def _lies_in(area: Area, pig: LyingPig, small: Small) -> bool:
    height, width = small.grey.shape
    x0, y0, x1, y1 = pig.box
    return area.holds((x0 + x1) / 2 / width, (y0 + y1) / 2 / height)
