"""The pigs that were told last: where they lie, and whether a hand may have had them since."""

from __future__ import annotations

from collections.abc import Sequence

from vision.capture.small import Small
from vision.recognize.reading import PigDetection, Reading
from vision.table.lying import Lying
from vision.table.verdict import Verdict, judge, returned


class Known:
    """Remembers the pigs told last, also while they are out of sight.

    `lifted`: a hand came since, or the camera was lost, and anything may have been done to them.
    """

    def __init__(self) -> None:
        self.lying: Lying | None = None
        self.lifted = False
        self._gone: Lying | None = None
        self._gone_s: float | None = None

    def told(self, lying: Lying) -> None:
        """Take pigs that lie there from now on."""
        self.lying, self._gone, self.lifted = lying, None, False

    def lie_in(self, small: Small) -> bool:
        """Tell whether every pig lies as it did."""
        return self.lying is not None and self.lying.all_lie_in(small)

    def verdict(self, pigs: Sequence[PigDetection], small: Small) -> Verdict:
        """Say what two pigs are to those told last."""
        if self.lying is not None:
            return judge(pigs, self.lying, small, lifted=self.lifted)
        return Verdict.THROWN if self._gone is None else returned(pigs, self._gone, small)

    def still(self, here: Lying, reading: Reading, verdict: Verdict) -> None:
        """Take the same pigs as they lie now."""
        last = self.lying or self._gone
        if last is not None:
            nudged = verdict is Verdict.NUDGED
            self.lying = last.nudged(here, reading) if nudged else last.again(here, reading)

    def seen(self) -> None:
        """Take note that pigs are in sight."""
        self._gone_s = None

    def unseen(self, time_s: float, patience_s: float) -> None:
        """Take note that no pig is; without a hand they may only be out of sight for a while."""
        if self._gone_s is None:
            self._gone_s = time_s
        if self.lifted or time_s - self._gone_s >= patience_s:
            self._gone = self.lying or self._gone
            self.lying, self.lifted = None, False
