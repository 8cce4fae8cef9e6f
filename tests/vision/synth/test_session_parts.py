"""The parts of simulated sessions: hands, flights, disturbances, truth, recipes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.throw import Contact
from vision.capture.frame import Frame
from vision.errors import RenderError
from vision.recognize.reading import Decision
from vision.synth import disturb
from vision.synth.camera import look_at
from vision.synth.disturb import Disturbance, Kind, lost_frames
from vision.synth.hand import STAGES, HandAt, HandLook, hand_mesh
from vision.synth.rounds import (
    Flight,
    HandPath,
    Keyframe,
    Seat,
    flights_of,
    in_view,
    pick_up_path,
)
from vision.synth.session_recipe import SessionRecipe, load_sessions
from vision.synth.session_truth import (
    Happening,
    LyingTruth,
    SessionTruth,
    ThrowTruth,
    TruthReader,
)
from vision.synth.throws import Thrown, Track

CAMERA = look_at(np.zeros(3), 40.0, 0.0, 0.0, 450.0, 720.0, (640, 360), (320.0, 180.0))


# --- hands -----------------------------------------------------------------------------------


def test_a_hand_goes_from_keyframe_to_keyframe_and_is_gone_outside() -> None:
    path = HandPath(
        (Keyframe(1.0, HandAt(0, 0, 3.0)), Keyframe(2.0, HandAt(100, 0, -3.0, 8.0, 1.0)))
    )
    assert path.at(0.99) is None
    assert path.at(2.01) is None
    middle = path.at(1.5)
    assert middle is not None
    assert (middle.x, middle.lift, middle.closed) == (50.0, 4.0, 0.5)
    assert abs(middle.heading_rad) > 3.0, "it turns the short way round"
    early = path.at(1.1)
    assert early is not None
    assert early.x < 10.0, "it starts gently"


def test_a_way_needs_keyframes_in_order() -> None:
    with pytest.raises(ValueError, match="in order"):
        HandPath((Keyframe(2.0, HandAt(0, 0, 0.0)), Keyframe(1.0, HandAt(0, 0, 0.0))))


def test_a_hand_comes_from_its_seat_covers_both_pigs_and_leaves() -> None:
    spots = (np.array([-40.0, 20.0, 0.0]), np.array([60.0, -30.0, 0.0]))
    for side in (0.0, 180.0, 250.0):
        path, closes = pick_up_path(5.0, spots, Seat(side), np.random.default_rng(1))
        first, last = path.span_s
        assert first == 5.0 < min(closes) < max(closes) < last < 9.0
        for end in path.span_s:
            hand = path.at(end)
            assert hand is not None
            assert hand.x**2 + hand.y**2 > 300.0**2, "outside of the picture"
        for spot, time_s in zip(spots, closes, strict=True):
            hand = path.at(time_s)
            assert hand is not None
            assert hand.covers(spot)
        seat = Seat(side).outward
        order = np.argsort([-float(s @ seat) for s in spots])
        assert closes[order[0]] < closes[order[1]], "the nearest is taken first"


def test_a_closed_hand_is_shorter_than_an_open_one() -> None:
    reach = [float(hand_mesh(stage).vertices[:, 0].max()) for stage in range(STAGES)]
    assert reach == sorted(reach, reverse=True)
    assert 90.0 < reach[0] < 115.0, "mm ahead of the middle of the palm"
    width = np.ptp(hand_mesh(0).vertices[:, 1])
    assert 75.0 < width < 130.0
    hand, sleeve = HandAt(10.0, 0.0, 0.0).things(HandLook())
    assert hand.colour != sleeve.colour


# --- flights ---------------------------------------------------------------------------------


def falling_track() -> Track:
    """Two pigs in free fall, turning."""
    times = np.arange(0, 0.1, 1 / 240)
    velocity = np.array([500.0, 0.0, 100.0])
    path = np.array([0.0, 0.0, 150.0]) + times[:, None] * velocity
    path = path + 0.5 * times[:, None] ** 2 * [0.0, 0.0, -9810.0]
    angle = 12.0 * times
    turns = np.zeros((len(times), 3, 3))
    turns[:, 0, 0] = turns[:, 1, 1] = np.cos(angle)
    turns[:, 1, 0], turns[:, 0, 1] = np.sin(angle), -np.sin(angle)
    turns[:, 2, 2] = 1.0
    return Track(
        times,
        np.stack([path, path + np.array([0.0, 30.0, 0.0])], 1),
        np.stack([turns, turns], 1),
        0.1,
    )


def test_a_flight_begun_earlier_is_the_same_free_fall() -> None:
    track = falling_track()
    thrown = Thrown(track, (None, None), Contact.APART, 5.0, settled=True)  # type: ignore[arg-type]
    plain = flights_of(thrown, (0.0, 0.0), 0.0)[0]
    early = flights_of(thrown, (0.0, 0.0), 0.1)[0]
    assert early.times[0] == pytest.approx(-0.1)
    for t in (0.0, 0.03, 0.08):
        np.testing.assert_allclose(early.at(t)[1], plain.at(t)[1], atol=1e-9)
    start = plain.at(0.0)[1]
    t = -0.08
    expected = start + t * np.array([500.0, 0.0, 100.0]) + [0, 0, 0.5 * -9810.0 * t * t]
    np.testing.assert_allclose(early.at(t)[1], expected, atol=0.35)
    rotation = early.at(t)[0]
    assert np.arctan2(rotation[1, 0], rotation[0, 0]) == pytest.approx(12.0 * t, abs=0.02)


def test_a_throw_is_moved_to_where_it_should_come_to_rest() -> None:
    thrown = Thrown(falling_track(), (None, None), Contact.APART, 5.0, settled=True)  # type: ignore[arg-type]
    one, two = flights_of(thrown, (33.0, -7.0), 0.0)
    middle = (one.positions[-1] + two.positions[-1]) / 2
    np.testing.assert_allclose(middle[:2], [33.0, -7.0])


def test_a_flight_stays_where_it_began_and_ended() -> None:
    flight = Flight(
        np.array([1.0, 2.0]), np.array([[0.0, 0, 0], [10.0, 0, 0]]), np.stack([np.eye(3)] * 2)
    )
    np.testing.assert_allclose(flight.at(0.0)[1], [0, 0, 0])
    np.testing.assert_allclose(flight.at(1.5)[1], [5, 0, 0])
    np.testing.assert_allclose(flight.at(9.0)[1], [10, 0, 0])
    assert flight.speed(1.5) == pytest.approx(10.0)
    assert flight.speed(3.0) == 0.0


def test_what_lies_behind_the_camera_is_not_in_view() -> None:
    assert in_view(CAMERA, np.zeros((1, 3)))
    assert not in_view(CAMERA, np.array([[900.0, 0.0, 0.0]]))
    assert not in_view(CAMERA, CAMERA.position[None] + [0.0, 0.0, 300.0])


# --- disturbances ----------------------------------------------------------------------------


def grey(level: int = 120) -> np.ndarray:
    return np.full((90, 160, 3), level, np.uint8)


def test_a_shadow_passes_over_the_picture_and_is_gone() -> None:
    d = Disturbance(Kind.SHADOW, 2.0, 1.0)
    for time_s in (1.9, 3.0, 4.0):
        np.testing.assert_array_equal(disturb.shade(grey(), d, time_s), grey())
    levels = [disturb.shade(grey(), d, 2.0 + s)[45, 80, 0] for s in np.linspace(0, 0.99, 12)]
    assert min(levels) < 80, "it darkens the middle on its way"
    assert levels[0] == 120
    dark = (disturb.shade(grey(), d, 2.5)[..., 0] < 100).mean()
    assert 0.1 < dark < 0.6, "a part of the picture at a time"


def test_a_lamp_goes_off_and_on_again_and_the_camera_follows() -> None:
    d = Disturbance(Kind.LAMP, 1.0, 3.0)
    assert disturb.tone(d, 0.9) == (1.0, 1.0, 1.0)
    off, adapted, on, after = (np.mean(disturb.tone(d, t)) for t in (1.02, 3.9, 4.02, 9.0))
    assert off < 0.75
    assert adapted > off
    assert on > 1.2
    assert after == pytest.approx(1.0, abs=0.01)


def test_exposure_and_focus_hunt_and_come_back() -> None:
    exposure, focus = (Disturbance(k, 1.0, 2.0) for k in (Kind.EXPOSURE, Kind.FOCUS))
    gains = [disturb.tone(exposure, 1.0 + t)[0] for t in np.linspace(0, 1.99, 40)]
    blurs = [disturb.focus_px(focus, 1.0 + t) for t in np.linspace(0, 1.99, 40)]
    assert max(gains) > 1.3
    assert min(gains) < 0.75
    assert max(blurs) > 3.0
    assert blurs[0] == 0.0
    assert disturb.focus_px(focus, 3.5) == 0.0


def test_a_nudged_camera_stays_elsewhere_and_a_knocked_one_comes_back() -> None:
    nudge, knock = (Disturbance(k, 1.0, 0.5, way_rad=0.4) for k in (Kind.NUDGE, Kind.KNOCK))
    assert disturb.move_camera(CAMERA, nudge, 0.9).position == pytest.approx(CAMERA.position)
    before, after = (
        disturb.move_camera(CAMERA, nudge, t).project(np.zeros((1, 3)))[0] for t in (0.5, 5.0)
    )
    assert 3.0 < np.linalg.norm(after - before) < 60.0, "pixels"
    rotation = disturb.move_camera(CAMERA, nudge, 5.0).rotation
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-12)
    shaken = disturb.move_camera(CAMERA, knock, 1.02)
    assert not np.allclose(shaken.position, CAMERA.position)
    assert disturb.move_camera(CAMERA, knock, 1.6) is CAMERA


@given(st.integers(1, 300), st.integers(0, 50))
def test_lost_frames_come_in_order_and_never_from_the_future(count: int, seed: int) -> None:
    sent = lost_frames(count, np.random.default_rng(seed))
    turns = [t for t, _ in sent]
    assert turns == sorted(set(turns))
    assert all(0 <= shown <= turn < count for turn, shown in sent)
    shown = [s for _, s in sent]
    assert shown == sorted(shown)


def test_some_frames_are_lost_and_some_come_twice() -> None:
    sent = lost_frames(600, np.random.default_rng(3))
    assert len(sent) < 590
    assert len({s for _, s in sent}) < len(sent) - 10


def test_a_disturbance_takes_time() -> None:
    with pytest.raises(ValueError, match="some time"):
        Disturbance(Kind.LAMP, 1.0, 0.0)


# --- truth -----------------------------------------------------------------------------------

TRUTH = SessionTruth(
    name="t", fps=30.0, size=(640, 360), frames=300,
    throws=(
        ThrowTruth(1.0, 2.0, 4.0, ("dot_up", "trotter"), "apart", 30.0),
        ThrowTruth(6.0, 7.0, 9.0, ("dot_up", "snouter"), "touching", 0.0),
    ),
    lying=(
        LyingTruth(1.9, 4.0, (10.0, 10.0, 40.0, 30.0), "dot_up"),
        LyingTruth(2.0, 4.3, (90.0, 10.0, 120.0, 30.0), "trotter"),
        LyingTruth(7.0, 9.0, (10.0, 10.0, 40.0, 30.0), "dot_up"),
        LyingTruth(7.0, 9.0, (45.0, 10.0, 70.0, 30.0), "snouter"),
    ),
    hands=((4.0, 5.0),), moving=((1.0, 2.0),), happenings=(Happening("late", 6.0, 7.0),),
)  # fmt: skip


def at(time_s: float) -> Frame:
    return Frame(np.zeros((4, 4, 3), np.uint8), 0, time_s, "t")


@pytest.mark.parametrize(
    ("time_s", "pigs", "decision"),
    [
        (0.5, 0, Decision.ASK),
        (1.95, 1, Decision.ASK),
        (3.0, 2, Decision.ACCEPT),
        (4.1, 1, Decision.ASK),
        (8.0, 2, Decision.ASK),
    ],
)
def test_the_truth_is_read_as_it_lies(time_s: float, pigs: int, decision: Decision) -> None:
    reading = TruthReader(TRUTH).read([at(time_s)])
    assert len(reading.pigs) == pigs
    assert reading.decision is decision
    if time_s == 8.0:
        assert reading.contact is not None
        assert reading.contact.state is Contact.TOUCHING


def test_truth_survives_the_disk(tmp_path: Path) -> None:
    TRUTH.save(tmp_path / "truth.json")
    assert SessionTruth.load(tmp_path / "truth.json") == TRUTH
    (tmp_path / "bad.json").write_text('{"name": "t"}')
    for name in ("bad.json", "none.json"):
        with pytest.raises(RenderError, match="no session's truth"):
            SessionTruth.load(tmp_path / name)


def test_truth_of_smaller_pictures_has_smaller_boxes() -> None:
    small = TRUTH.scaled(0.5, (320, 180))
    assert small.lying[1].box == (45.0, 5.0, 60.0, 15.0)
    assert small.size == (320, 180)
    assert replace(small, lying=TRUTH.lying, size=TRUTH.size) == TRUTH


# --- recipes ---------------------------------------------------------------------------------


def test_the_frozen_sessions_are_forty_with_every_disturbance() -> None:
    sessions = load_sessions("frozen")
    assert len(sessions) == 40
    assert sum(s.throws for s in sessions) >= 400
    assert len({s.seed for s in sessions}) == len({s.name for s in sessions}) == 40
    assert {s.disturbance for s in sessions} == {None, *Kind}
    assert {10.0, 60.0} <= {s.fps for s in sessions}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no \\[\\[session\\]\\]"),
        ("[[session]]\nname = 'a'", "seed"),
        ("[[session]]\nname = 'a'\nseed = 1\ncolour = 2", "unknown keys: colour"),
        ("[[session]]\nname = 'a'\nseed = 1\nfps = 5", "10 to 60"),
        ("[[session]]\nname = 'a'\nseed = 1\nthrows = 0", "at least one throw"),
        ("[[session]]\nname = 'a'\nseed = 1\ndisturbance = 'flood'", "flood"),
        ("[[session", "not TOML"),
    ],
)
def test_wrong_sessions_are_refused_by_name(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(RenderError, match=message):
        load_sessions(str(path))


def test_an_unknown_file_of_sessions_is_refused() -> None:
    with pytest.raises(RenderError, match="no sessions 'nonsense'"):
        load_sessions("nonsense")


def test_a_recipe_has_sane_defaults() -> None:
    recipe = SessionRecipe("mine", 3)
    assert (recipe.fps, recipe.disturbance, recipe.throws) == (30.0, None, 10)
