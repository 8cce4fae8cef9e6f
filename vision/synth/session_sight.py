"""What of a planned session can be seen: boxes of lying pigs, spans of hands and motion."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from vision.synth import disturb
from vision.synth.compose import projected_box
from vision.synth.disturb import Kind
from vision.synth.film import FilmSet, Script
from vision.synth.hand import HandAt, HandLook
from vision.synth.physics import Array
from vision.synth.rounds import Round, in_view
from vision.synth.scene import Camera
from vision.synth.session_plan import Plan
from vision.synth.session_recipe import SessionRecipe
from vision.synth.session_truth import (
    Happening,
    LyingTruth,
    SessionTruth,
    Span,
    ThrowTruth,
)

_STILL_MM_S = 8.0
_LOOK = HandLook()


def truth_of(recipe: SessionRecipe, film_set: FilmSet, plan: Plan) -> SessionTruth:
    """Say what a plan's camera sees when; spans are whole frames."""
    script, fps = plan.script, recipe.fps
    frames = round(script.seconds * fps)
    times = np.arange(frames) / fps
    hands = _spans(times, [_hand_seen(script, film_set.camera, float(t)) for t in times])
    moving = _spans(times, [_moves(script, film_set.camera, float(t)) for t in times])
    throws, lying = [], []
    for round_, counted in zip(script.rounds, plan.counted, strict=True):
        lying += _lying(round_, script, film_set.camera, hands)
        if counted:
            throws.append(_throw(round_, hands))
    return SessionTruth(
        name=recipe.name,
        fps=fps,
        size=recipe.size,
        frames=frames,
        throws=tuple(throws),
        lying=tuple(lying),
        hands=hands,
        moving=moving,
        happenings=tuple(Happening(*h) for h in plan.happenings),
    )


def _spans(times: Array, seen: list[bool]) -> tuple[Span, ...]:
    """Join the times at which something is so into spans, each up to the next other frame."""
    spans: list[Span] = []
    begin: float | None = None
    for time_s, yes in zip(times, seen, strict=True):
        if yes and begin is None:
            begin = float(time_s)
        elif not yes and begin is not None:
            spans.append((begin, float(time_s)))
            begin = None
    if begin is not None:
        spans.append((begin, float(times[-1])))
    return tuple((round(a, 4), round(b, 4)) for a, b in spans)


def _hand_seen(script: Script, camera: Camera, time_s: float) -> bool:
    return any(
        hand is not None and _hand_in_view(hand, camera)
        for hand in (path.at(time_s) for path in script.paths())
    )


def _moves(script: Script, camera: Camera, time_s: float) -> bool:
    """Whether a pig in view moves, or a hand is there: no hand is held still."""
    speeds = script.pig_speeds(time_s)
    for placed, speed in zip(script.placed(time_s), speeds, strict=True):
        if speed > _STILL_MM_S and in_view(camera, placed.world(placed.pig.shadow.vertices)):
            return True
    return _hand_seen(script, camera, time_s)


def _hand_in_view(hand: HandAt, camera: Camera) -> bool:
    return any(
        in_view(camera, thing.mesh.vertices @ thing.rotation.T + thing.position)
        for thing in hand.things(_LOOK, coarse=True)
    )


def first_hand_s(camera: Camera, round_: Round, step_s: float = 1 / 120) -> float:
    """When the hand that takes a round's pigs away first shows in the picture."""
    first, last = round_.hand.span_s
    for time_s in np.arange(first, last, step_s):
        hand = round_.hand.at(float(time_s))
        if hand is not None and _hand_in_view(hand, camera):
            return float(time_s)
    return last


def _throw(round_: Round, hands: tuple[Span, ...]) -> ThrowTruth:
    one, two = round_.labels
    until = min(until for _, until in round_.shown_s)
    covered = [a for a, _ in hands if a > round_.rest_s]
    return ThrowTruth(
        start_s=round(round_.shown_s[0][0], 4),
        rest_s=round(round_.rest_s, 4),
        until_s=round(min([until, *covered]), 4),
        poses=(one, two),
        contact=round_.thrown.contact.value,
        gap_mm=round(round_.thrown.gap_mm, 2),
    )


def _lying(
    round_: Round, script: Script, camera: Camera, hands: tuple[Span, ...]
) -> list[LyingTruth]:
    """Say in which box each pig lies from when to when; a nudge or a knock begins another box."""
    found = []
    for i, flight in enumerate(round_.flights):
        begin, end = float(flight.times[-1]), round_.shown_s[i][1]
        # A knock moves a pig that had come to rest; before it, it lay there too.
        begin = min(begin, _first_rest(round_, i))
        covered = [a for a, _ in hands if a > begin]
        end = min([end, *covered]) if covered and covered[0] < end else end
        cuts = [begin, *_cuts(script, begin, end), end]
        for a, b in pairwise(cuts):
            placed = [p for p in round_.placed(b - 1e-3) if p.pig is round_.pigs[i]]
            if not placed:
                continue
            seen = camera
            for d in script.disturbances:
                seen = disturb.move_camera(seen, d, b - 1e-3)
            index = min(i, len(placed) - 1)
            box = projected_box(seen, placed[index])
            if in_view(seen, placed[index].world(placed[index].pig.mesh.vertices)):
                rounded = (round(box[0], 1), round(box[1], 1), round(box[2], 1), round(box[3], 1))
                found.append(LyingTruth(round(a, 4), round(b, 4), rounded, placed[index].label))
    return found


def _first_rest(round_: Round, i: int) -> float:
    """When a pig first lay still: before a knock, which comes long after."""
    times = round_.flights[i].times
    pauses = np.flatnonzero(np.diff(times) > 0.2)
    return float(times[pauses[0]]) if len(pauses) else float(times[-1])


def _cuts(script: Script, begin: float, end: float) -> list[float]:
    """When the picture of lying pigs moves for good, and when it has: at a nudge or a knock."""
    moves = [d for d in script.disturbances if d.kind in (Kind.NUDGE, Kind.KNOCK)]
    times = [t for d in moves for t in (d.start_s, d.start_s + min(d.seconds, 0.5))]
    return sorted(t for t in times if begin < t < end)
