"""Events as plain data and as one line of JSON, and back; the format is versioned.

Version 1 is every game so far. A reader knows all versions up to its own and refuses later ones.
A new kind of event, field or rule option is a new version; what an old event lacks is a default.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from scoring import events as ev
from scoring.errors import LogError, ScoringError
from scoring.hogcall import Call
from scoring.rulefile import rules_from_data, rules_to_data
from scoring.throw import AnyThrow, Contact, DiceThrow, Mishap, MishapKind, Pose, Throw

VERSION = 1


def event_to_data(event: ev.Event) -> dict[str, Any]:
    """Return the event as plain data, ready for JSON."""
    name, write = _WRITERS[type(event)]
    return {"v": VERSION, "type": name, **write(event)}


def event_from_data(data: Mapping[str, Any]) -> ev.Event:
    """Read an event; `LogError` says what is wrong with it."""
    if not isinstance(data, Mapping):
        raise LogError(f"an event is an object, got {data!r}")
    version = data.get("v")
    if type(version) is not int or version < 1:
        raise LogError(f"an event has a version v from 1 up, got {version!r}")
    if version > VERSION:
        raise LogError(
            f"this event was written in format {version}, and this program reads up to "
            f"{VERSION}: please update it"
        )
    name = data.get("type")
    read = _READERS.get(name) if isinstance(name, str) else None
    if read is None:
        raise LogError(f"unknown event {name!r}; known are {', '.join(_READERS)}")
    try:
        return read(data)
    except KeyError as error:
        raise LogError(f"the event {name} lacks {error}") from error
    except (TypeError, ValueError, ScoringError) as error:
        raise LogError(f"the event {name} is broken: {error}") from error


def encode(event: ev.Event) -> str:
    """Return the event as one line of JSON."""
    return json.dumps(event_to_data(event), ensure_ascii=False, separators=(",", ":"))


def decode(line: str) -> ev.Event:
    """Read an event from one line of JSON."""
    try:
        data = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise LogError(f"an event is one line of JSON: {error}") from error
    return event_from_data(data)


def throw_to_data(throw: AnyThrow) -> dict[str, Any]:
    """Return a throw as plain data: `{poses, contact}`, `{dice}` or `{mishap}`."""
    if isinstance(throw, Throw):
        return {"poses": list(throw.poses), "contact": throw.contact}
    if isinstance(throw, DiceThrow):
        return {"dice": list(throw.faces)}
    return {"mishap": throw.kind}


def throw_from_data(data: Mapping[str, Any]) -> AnyThrow:
    """Read a throw; `ThrowError`, `TypeError` or `KeyError` when it is none."""
    if "dice" in data:
        return DiceThrow(tuple(data["dice"]))
    if "mishap" in data:
        return Mishap(MishapKind(data["mishap"]))
    return _pigs(tuple(data["poses"]), data.get("contact", Contact.APART))


@lru_cache(maxsize=256)
def _pigs(poses: tuple[Any, ...], contact: str) -> Throw:
    return Throw(poses, Contact(contact))


def _call_to_data(call: Call) -> dict[str, Any]:
    return {"points": call.points} if call.poses is None else {"poses": list(call.poses)}


def _call_from_data(data: Mapping[str, Any]) -> Call:
    if "points" in data:
        return Call(points=data["points"])
    first, second = data["poses"]
    return Call(poses=(Pose(first), Pose(second)))


def _int(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"expected a whole number, got {value!r}")
    return value


def _str(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected text, got {value!r}")
    return value


_WRITERS: dict[type[ev.Event], tuple[str, Callable[[Any], dict[str, Any]]]] = {
    ev.GameStarted: (
        "game_started",
        lambda e: {"rules": rules_to_data(e.rules), "players": list(e.players)},
    ),
    ev.ThrowMade: (
        "throw_made",
        lambda e: {"player": e.player, "throw": throw_to_data(e.throw), "source": e.source},
    ),
    ev.Banked: ("banked", lambda e: {"player": e.player}),
    ev.HogCalled: ("hog_called", lambda e: {"caller": e.caller, "call": _call_to_data(e.call)}),
    ev.Stopped: ("stopped", lambda _: {}),
    ev.ThrowCorrected: (
        "throw_corrected",
        lambda e: {"id": e.id, "throw": throw_to_data(e.throw), "later": e.later},
    ),
    ev.Removed: ("removed", lambda e: {"id": e.id, "later": e.later}),
    ev.ThrowAdded: (
        "throw_added",
        lambda e: {
            "before": e.before,
            "throw": throw_to_data(e.throw),
            "source": e.source,
            "later": e.later,
        },
    ),
    ev.BankAdded: ("bank_added", lambda e: {"before": e.before, "later": e.later}),
    ev.PlayerRenamed: ("player_renamed", lambda e: {"player": e.player, "name": e.name}),
    ev.Undone: ("undone", lambda e: {"id": e.id}),
    ev.Redone: ("redone", lambda e: {"id": e.id}),
}
_READERS: dict[str, Callable[[Mapping[str, Any]], ev.Event]] = {
    "game_started": lambda d: ev.GameStarted(
        rules_from_data(d["rules"]), tuple(_str(p) for p in d["players"])
    ),
    "throw_made": lambda d: ev.ThrowMade(
        _int(d["player"]), throw_from_data(d["throw"]), ev.Source(d["source"])
    ),
    "banked": lambda d: ev.Banked(_int(d["player"])),
    "hog_called": lambda d: ev.HogCalled(_int(d["caller"]), _call_from_data(d["call"])),
    "stopped": lambda _: ev.Stopped(),
    "throw_corrected": lambda d: ev.ThrowCorrected(
        _int(d["id"]), throw_from_data(d["throw"]), ev.Later(d["later"])
    ),
    "removed": lambda d: ev.Removed(_int(d["id"]), ev.Later(d["later"])),
    "throw_added": lambda d: ev.ThrowAdded(
        _int(d["before"]),
        throw_from_data(d["throw"]),
        ev.Source(d["source"]),
        ev.Later(d["later"]),
    ),
    "bank_added": lambda d: ev.BankAdded(_int(d["before"]), ev.Later(d["later"])),
    "player_renamed": lambda d: ev.PlayerRenamed(_int(d["player"]), _str(d["name"])),
    "undone": lambda d: ev.Undone(_int(d["id"])),
    "redone": lambda d: ev.Redone(_int(d["id"])),
}
