"""What players say of the throws of a game, and how an event changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.events import Redone, Removed, ThrowCorrected, Undone
from scoring.state import GameState
from scoring.throw import AnyThrow

if TYPE_CHECKING:
    from scoring.ledger import News  # brings the database, which a table without a game lacks

_CHANGING = (ThrowCorrected, Removed, Undone, Redone)


@dataclass(frozen=True, slots=True)
class Said:
    """What stands in the log for a throw, and whether a correction put it there.

    Without a correction it is what the camera read, or what a person answered when asked;
    whoever kept the reading knows which. `throw` is None when there is no such throw any more.
    """

    throw: AnyThrow | None
    corrected: bool = False


def changes(news: News) -> Mapping[int, Said]:
    """Give what is now said of each throw that a correction, a removal or an undo changed.

    By looking at the game itself: what an undo takes back may be any of these, or an answer.
    """
    if not any(isinstance(event, _CHANGING) for event in news.events):
        return {}
    before, after = _said(news.before), _said(news.after)
    gone = dict.fromkeys(before.keys() - after.keys(), Said(None))
    return gone | {n: said for n, said in after.items() if before.get(n) != said}


def _said(state: GameState) -> dict[int, Said]:
    corrected = {event.id for _, event in state.done if isinstance(event, ThrowCorrected)}
    return {e.id: Said(e.throw, e.id in corrected) for e in state.throws}
