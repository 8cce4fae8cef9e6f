"""Whether people have said what lies on the table, by what they did to the log."""

from __future__ import annotations

from scoring import events as ev
from scoring.ledger import News
from scoring.state import GameState


def says_what_lies_there(news: News, newest: int) -> bool:
    """Tell whether somebody named the throw of event `newest`, or a later one, anew.

    Only throws do: a bank that is removed or undone, another name or a correction taken back
    says nothing of the pigs.
    """
    return any(_of_throw(event, news.before, newest) for event in news.events)


def _of_throw(event: ev.Event, before: GameState, newest: int) -> bool:
    if not isinstance(event, ev.ThrowCorrected | ev.Removed | ev.Undone) or event.id < newest:
        return False
    if isinstance(event, ev.Undone):
        done = (e for number, e in reversed(before.done) if number == event.id)
        return isinstance(next(done, None), ev.ThrowMade)
    entry = before.entry(event.id)
    return entry is not None and entry.throw is not None
