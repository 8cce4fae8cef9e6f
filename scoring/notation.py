"""Throws and calls in words: one short text each, read and written in pairs.

`trotter snouter` is two pigs, `trotter snouter touching` says how they lie to each other,
`3 4` is dice, `off_table`, `leaning` and `late` are mishaps, `15 points` is a call.
"""

from __future__ import annotations

from scoring.errors import CallError
from scoring.hogcall import Call
from scoring.throw import AnyThrow, Contact, DiceThrow, Mishap, MishapKind, Pose, Throw, ThrowError


def format_throw(throw: AnyThrow) -> str:
    """Return the throw in words that `parse_throw` reads back."""
    if isinstance(throw, Mishap):
        return str(throw.kind)
    if isinstance(throw, DiceThrow):
        return " ".join(map(str, throw.faces))
    poses = " ".join(throw.poses)
    return poses if throw.contact is Contact.APART else f"{poses} {throw.contact}"


def parse_throw(text: str) -> AnyThrow:
    """Read a throw in words; a `ThrowError` says what was expected."""
    words = text.lower().replace("-", "_").replace(",", " ").split()
    if words and all(word.isdecimal() for word in words):
        return DiceThrow(tuple(int(word) for word in words))
    if len(words) == 1 and words[0] in tuple(MishapKind):
        return Mishap(MishapKind(words[0]))
    contact = Contact.APART
    if words and words[-1] in tuple(Contact):
        contact = Contact(words.pop())
    if len(words) != 2 or not all(word in tuple(Pose) for word in words):
        raise ThrowError(
            f"a throw is two of {', '.join(Pose)}, perhaps with touching or stacked; "
            f"or dice like 3 4; or {', '.join(MishapKind)}; got {text!r}"
        )
    return Throw((Pose(words[0]), Pose(words[1])), contact)


def format_call(call: Call) -> str:
    """Return the call in words that `parse_call` reads back."""
    return f"{call.points} points" if call.poses is None else " ".join(call.poses)


def parse_call(text: str) -> Call:
    """Read a call in words: two poses, or a number of points."""
    words = text.lower().split()
    if len(words) in (1, 2) and words[0].isdecimal() and words[1:] in ([], ["points"]):
        return Call(points=int(words[0]))
    throw = parse_throw(text)
    if not isinstance(throw, Throw) or throw.contact is not Contact.APART:
        raise CallError(f"a call names two poses or a number of points, got {text!r}")
    return Call(poses=throw.poses)
