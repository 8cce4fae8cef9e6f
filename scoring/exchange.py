"""Games as files: JSON and CSV hold the whole log and are read back to the same game."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

from scoring.codec import decode, encode, event_from_data, event_to_data
from scoring.errors import LogError
from scoring.events import Event
from scoring.game import replay
from scoring.notation import format_call, format_throw
from scoring.record import Record
from scoring.state import Entry, GameState
from scoring.story import turns

FORMAT = "sooee-game"
VERSION = 1
COLUMNS = (
    "seq", "at", "what", "player", "turn", "throw", "outcome", "points", "counted", "pads",
    "event",
)  # fmt: skip


def to_json(game_id: str, records: Sequence[Record]) -> str:
    """Return a game as JSON: the log, and beside it the result for people and programs."""
    state = replay(r.event for r in records)
    return json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "id": game_id,
            "result": _result(state),
            "events": [{"seq": r.seq, "at": r.at, **event_to_data(r.event)} for r in records],
        },
        ensure_ascii=False,
        indent=1,
    )


def to_csv(records: Sequence[Record]) -> str:
    """Return a game as CSV: a row an event, readable columns first, the event itself last.

    `turn`, `outcome`, `points`, `counted` say what the event means in the game as it counts now,
    corrections worked in; `pads` are the scores after its turn.
    """
    state = replay(r.event for r in records)
    entries = {e.id: e for e in state.history}
    pads = {e.id: t.pads for t in turns(state) for e in t.entries}
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for record in records:
        row = {"seq": record.seq, "at": record.at, "event": encode(record.event)}
        row["what"] = event_to_data(record.event)["type"]
        entry = entries.get(record.seq)
        if entry is not None:
            row |= _entry_columns(state, entry)
            row["pads"] = " ".join(map(str, pads.get(entry.id, ())))
        writer.writerow(row)
    return out.getvalue()


def from_text(text: str) -> tuple[Event, ...]:
    """Read a game from JSON or CSV, whichever it is, and check that it can be played through."""
    stripped = text.lstrip("\ufeff \r\n\t")
    numbered = list(_from_json(stripped) if stripped.startswith("{") else _from_csv(stripped))
    for expected, (seq, _) in enumerate(numbered, start=1):
        if seq != expected:
            kind = "a duplicate" if isinstance(seq, int) and 1 <= seq < expected else "a gap"
            raise LogError(f"the log has {kind}: expected event {expected}, got {seq!r}")
    events = tuple(event for _, event in numbered)
    replay(events)
    return events


def _from_json(text: str) -> Iterator[tuple[object, Event]]:
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise LogError(f"a game file is JSON or CSV: {error}") from error
    if data.get("format") != FORMAT:
        raise LogError(f"a game file has format {FORMAT!r}, got {data.get('format')!r}")
    version = data.get("version")
    if version != VERSION:
        raise LogError(
            f"this game file is of version {version!r}, and this program reads {VERSION}"
        )
    events = data.get("events")
    if not isinstance(events, list):
        raise LogError(f"a game file has a list of events, got {events!r}")
    for event in events:
        yield _seq(event), event_from_data(event)


def _seq(event: Any) -> object:
    return event.get("seq") if isinstance(event, dict) else None


def _from_csv(text: str) -> Iterator[tuple[object, Event]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        rows = list(reader)
    except csv.Error as error:
        raise LogError(f"a game file is JSON or CSV: {error}") from error
    if not {"seq", "event"} <= set(reader.fieldnames or ()):
        raise LogError(f"a game's CSV has the columns {', '.join(COLUMNS)}")
    for row in rows:
        seq = row["seq"] or ""
        yield int(seq) if seq.isdecimal() else seq, decode(row["event"] or "")


def _result(state: GameState) -> dict[str, Any]:
    return {
        "players": [
            {"name": p.name, "score": p.score, "eliminated": p.eliminated} for p in state.players
        ],
        "over": state.over,
        "ending": state.ending,
        "winners": [state.players[i].name for i in state.winners],
    }


def _entry_columns(state: GameState, entry: Entry) -> dict[str, Any]:
    columns: dict[str, Any] = {
        "player": _harmless(state.players[entry.player].name),
        "turn": entry.turn + 1,
        "counted": "yes" if entry.counted else "no",
    }
    if entry.throw is not None:
        columns["throw"] = format_throw(entry.throw)
    if call := getattr(entry.event, "call", None):
        columns["throw"] = format_call(call)
    if entry.outcome is not None:
        columns |= {"outcome": entry.outcome.landing, "points": entry.outcome.points}
    return columns


def _harmless(name: str) -> str:
    """Keep a spreadsheet from taking a name for a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@")) else name
