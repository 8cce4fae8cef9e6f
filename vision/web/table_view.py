"""Everything a page shows of the table, in one value that is sent whole at each change."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.rules import Rules
from vision.recognize.reading import Reading
from vision.web.camera_view import NO_CAMERA, CameraView
from vision.web.news import NewsView
from vision.web.question import Option, QuestionKind, doubt
from vision.web.reasons import ReasonView, reason_of
from vision.web.sights import Sight, SightPig
from vision.web.views import GameView


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A throw that a person must name, and why; `sight` is the number of its pictures."""

    id: int
    kind: QuestionKind
    options: tuple[Option, ...]
    sight: int
    pigs: tuple[SightPig, ...]
    gap_mm: float | None
    reason: ReasonView | None = None


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything a page shows; `version` grows with every change.

    `waiting` counts the throws seen behind an open question; `idle` says why the camera's last
    throw did not count (`no_game`, `over`, `dice`); `trouble` why nothing can be written.
    """

    version: int = 0
    game: GameView | None = None
    question: QuestionView | None = None
    waiting: int = 0
    idle: str | None = None
    trouble: str | None = None
    camera: CameraView = NO_CAMERA
    news: NewsView | None = None
    viewers: int = 0


def question_view(
    number: int, reading: Reading, rules: Rules, sight_number: int, sight: Sight | None
) -> QuestionView:
    """Return the question that a reading puts to people."""
    asked = doubt(reading, rules)
    return QuestionView(
        id=number,
        kind=asked.kind,
        options=asked.options,
        sight=sight_number,
        pigs=() if sight is None else sight.pigs,
        gap_mm=None if reading.contact is None else reading.contact.gap_mm,
        reason=reason_of(reading.reason),
    )
