"""Whole simulated sessions: planned from a seed, filmed, and true to what is seen."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from scoring.outcome import judge
from scoring.rulefile import load_rules
from scoring.throw import Contact, Pose, Throw
from vision.artefacts import artefact_dir
from vision.synth.compose import projected_box
from vision.synth.disturb import Kind
from vision.synth.film import Filming
from vision.synth.renderers import Renderer
from vision.synth.session import Session, plan_session
from vision.synth.session_recipe import SessionRecipe

SIZE = (320, 180)


@cache
def session(kind: Kind | None, throws: int = 2) -> Session:
    recipe = SessionRecipe("t", 41, throws, size=SIZE, disturbance=kind, pig_px=24.0)
    return plan_session(recipe)


def test_throws_start_rest_and_are_taken_in_that_order() -> None:
    truth = session(None).truth
    assert len(truth.throws) == 2
    clock = 0.0
    for throw in truth.throws:
        assert clock < throw.start_s < throw.rest_s < throw.until_s
        assert throw.until_s - throw.rest_s > 1.0, "they lie long enough to be read"
        assert any(a <= throw.until_s + 0.05 and b > throw.until_s for a, b in truth.hands)
        clock = throw.until_s
    assert clock < truth.frames / truth.fps


def test_pigs_lie_inside_the_picture_in_boxes_of_their_size() -> None:
    truth = session(None).truth
    assert len(truth.lying) == 4
    for pig in truth.lying:
        x0, y0, x1, y1 = pig.box
        assert 0 <= x0 < x1 <= SIZE[0]
        assert 0 <= y0 < y1 <= SIZE[1]
        assert 10 < max(x1 - x0, y1 - y0) < 40


def test_the_same_seed_plans_the_same_session() -> None:
    recipe = session(None).recipe
    assert plan_session(recipe).truth == session(None).truth


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Kind.OFF_TABLE, Kind.LATE, Kind.ROLLING])
def test_a_throw_of_another_kind(kind: Kind) -> None:
    truth = session(kind).truth
    happening = next(h for h in truth.happenings if h.kind == kind)
    assert happening.from_s < happening.until_s
    if kind is Kind.ROLLING:
        assert len(truth.throws) == 2
        assert truth.throws[1].rest_s == pytest.approx(happening.until_s, abs=0.01)
        return
    assert len(truth.throws) == 1, "the other does not count"
    lying = [p for p in truth.lying if p.from_s > truth.throws[0].until_s]
    if kind is Kind.OFF_TABLE:
        assert len(lying) == 1
    else:
        first, late = sorted(p.from_s for p in lying)
        assert late - first > 1.0


def test_pigs_lie_where_the_camera_saw_them_before_its_nudge_and_after() -> None:
    made = session(Kind.NUDGE)
    nudge = next(h for h in made.truth.happenings if h.kind == Kind.NUDGE)
    ends = pytest.approx(nudge.from_s, abs=0.04)
    before = [p for p in made.truth.lying if p.until_s == ends]
    assert len(before) == 2
    for pig in before:
        camera, script = made.film_set.camera, made.plan.script
        boxes = [projected_box(camera, placed) for placed in script.placed(nudge.from_s - 0.01)]
        assert any(pig.box == pytest.approx(box, abs=0.1) for box in boxes)
        after = [p for p in made.truth.lying if p.pose == pig.pose and p.from_s > nudge.from_s]
        assert all(np.abs(np.subtract(pig.box, p.box)).max() > 0.5 for p in after)


@pytest.mark.slow
def test_a_phone_put_down_stays(renderer: Renderer) -> None:
    made = session(Kind.PHONE)
    assert [h.kind for h in made.truth.happenings] == ["phone"]
    assert len(made.plan.script.things) == 1
    assert made.plan.script.things[0].until_s > made.plan.script.seconds


def test_frames_show_the_pigs_where_the_truth_says(renderer: Renderer) -> None:
    made = session(None)
    throw = made.truth.throws[0]
    filming = Filming(made.plan.script, made.film_set, renderer, made.recipe.seed)
    times = (0.0, throw.rest_s + 0.4, throw.rest_s + 0.5)
    empty, still, again = (filming.picture(t, i).astype(int) for i, t in enumerate(times))
    assert still.shape == (SIZE[1], SIZE[0], 3)
    changed = np.abs(still - empty).max(axis=2) > 25
    for pig in [p for p in made.truth.lying if p.from_s < throw.until_s]:
        x0, y0, x1, y1 = (round(v) for v in pig.box)
        assert changed[y0:y1, x0:x1].mean() > 0.25
    assert changed.mean() < 0.06, "nothing else but pigs and their shadows"
    assert np.abs(still - again).mean() < 6.0, "at rest only the camera's noise changes"
    assert not np.array_equal(still, again)


def test_the_same_seed_films_the_same(renderer: Renderer) -> None:
    made = session(None)
    pictures = []
    for _ in range(2):
        frames = made.frames(renderer)
        pictures.append(next(f.image for f in frames if f.index == 3))
    first, second = pictures
    np.testing.assert_array_equal(first, second)


# --- the bundled clip ------------------------------------------------------------------------


def test_the_demos_truth_is_scored_as_the_rules_say() -> None:
    truth = json.loads((artefact_dir("datasets") / "demo" / "truth.json").read_text())
    rules = load_rules(truth["rules"])
    landings = []
    for throw in truth["throws"]:
        one, two = (Pose(p["pose"]) for p in throw["pigs"])
        outcome = judge(Throw((one, two), Contact(throw["contact"])), rules)
        assert (throw["outcome"], throw["points"]) == (outcome.landing, outcome.points)
        landings.append(outcome.landing.value)
        poses = {one, two}
        assert throw["contact"] == "apart"
        assert throw["start_frame"] < throw["rest_frame"] < throw["last_still_frame"]
        if Pose.SNOUTER in poses:
            landings.append("a snouter")
    assert len(truth["throws"]) == 10
    assert {"pig_out", "sider", "mixed_combo", "a snouter"} <= set(landings)
    assert any(name.startswith("double_") for name in landings)
    assert not truth["final"]["over"]


def test_the_demo_is_small_enough_to_ship() -> None:
    assert (artefact_dir("datasets") / "demo" / "demo.mp4").stat().st_size <= 4_000_000
