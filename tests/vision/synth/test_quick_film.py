"""The quick film shows the table as the slow one does, where it matters."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.capture.frame import Frame
from vision.capture.small import shrink
from vision.synth.degrade import Imperfection, degrade
from vision.synth.film import Filming
from vision.synth.overlay import blurred
from vision.synth.quick_film import QuickFilming
from vision.synth.reach import apart, part_of
from vision.synth.renderers import Renderer
from vision.synth.session import Session, plan_session
from vision.synth.session_recipe import SessionRecipe
from vision.synth.wear import Wear

SIZE = (640, 360)
FAULTS = Imperfection(
    focus_px=0.7, gain=(1.1, 1.0, 0.9), contrast=1.1, lift=0.02, saturation=0.8, noise=3.0,
    colour_noise=2.0, sharpen=0.6, jpeg=97,
)  # fmt: skip


@cache
def session() -> Session:
    return plan_session(SessionRecipe("t", 41, 1, size=SIZE))


@pytest.fixture(scope="module")
def quick(renderer: Renderer) -> QuickFilming:
    made = session()
    return QuickFilming(made.plan.script, made.film_set, renderer, made.recipe.seed)


@pytest.fixture(scope="module")
def slow(renderer: Renderer) -> Filming:
    made = session()
    return Filming(made.plan.script, made.film_set, renderer, made.recipe.seed)


def test_a_part_of_a_picture_has_the_pixels_of_the_whole(slow: Filming) -> None:
    scene = slow.scene(session().truth.throws[0].rest_s + 0.3)
    whole = slow.renderer.render(scene, 1.5)
    part = slow.renderer.render(scene, 1.5, (100, 60, 333, 222))
    np.testing.assert_array_equal(part, whole[60:222, 100:333])
    np.testing.assert_array_equal(slow.renderer.render(scene, 1.5), whole)


@pytest.mark.parametrize("after_s", [-0.05, 0.3])
def test_only_what_stands_there_is_rendered_and_nothing_is_missed(
    after_s: float, quick: QuickFilming, slow: Filming
) -> None:
    time_s = session().truth.throws[0].rest_s + after_s
    shot = quick.shot(time_s, 3)
    assert shot.full is not None
    scene = slow.scene(time_s)
    whole = slow.renderer.render(scene, slow._exposure_of(scene))
    assert quick._kept.image is not None
    np.testing.assert_array_equal(quick._kept.image, whole)
    parts = apart([part_of(scene, p) for p in scene.pigs])
    area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in parts)
    assert 0 < area < 0.5 * SIZE[0] * SIZE[1], "or nothing is saved"


def test_a_moving_hand_is_where_the_slow_film_has_it(quick: QuickFilming, slow: Filming) -> None:
    truth = session().truth
    a, b = truth.hands[-1]
    off = []
    for time_s in np.linspace(a, b, 5)[1:-1]:
        shot = quick.shot(float(time_s), 3)
        assert shot.full is None
        real = shrink(Frame(slow.picture(float(time_s), 3), 0, 0.0, "")).grey
        empty = quick.shot(0.0, 3).grey
        hand = np.abs(real.astype(int) - empty) > 30
        assert hand.mean() > 0.01
        off.append(float((np.abs(real.astype(int) - shot.grey)[hand] > 30).mean()))
    assert max(off) < 0.25, "edges, and shading"


def test_the_same_seed_films_the_same_and_each_picture_has_its_own_noise(
    quick: QuickFilming, renderer: Renderer
) -> None:
    made = session()
    again = QuickFilming(made.plan.script, made.film_set, renderer, made.recipe.seed)
    for time_s in (0.1, made.truth.throws[0].rest_s - 0.5):
        np.testing.assert_array_equal(quick.shot(time_s, 3).grey, again.shot(time_s, 3).grey)
    assert not np.array_equal(quick.shot(0.1, 3).grey, quick.shot(0.1, 4).grey)


@pytest.mark.slow
def test_a_session_gives_small_pictures_with_full_ones_of_a_still_table(
    renderer: Renderer,
) -> None:
    made = session()
    shots = list(made.shots(renderer))
    assert len(shots) == made.truth.frames
    assert {small.grey.shape for small, _ in shots} == {(180, 320)}
    throw = made.truth.throws[0]
    for small, full in shots:
        if throw.rest_s + 0.1 < small.time_s < throw.rest_s + 0.8:
            assert full is not None, "no hand comes so soon, nor its shadow"
            assert full.shape == (360, 640, 3)
        elif throw.start_s < small.time_s < throw.start_s + 0.2:
            assert full is None


# --- the camera's faults -----------------------------------------------------------------------


def picture() -> NDArray[np.uint8]:
    rng = np.random.default_rng(5)
    coarse = rng.integers(60, 180, (23, 40, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(coarse, SIZE, interpolation=cv2.INTER_CUBIC), np.uint8)


def test_without_noise_a_film_s_faults_are_a_picture_s() -> None:
    clean = replace(FAULTS, noise=0.0, colour_noise=0.0)
    one = degrade(picture(), clean, np.random.default_rng(1)).astype(int)
    film = Wear(clean, SIZE, 1).picture(picture(), clean, 7).astype(int)
    assert np.abs(one - film).max() <= 1


def strength(picture: NDArray[np.float64]) -> float:
    return float((picture - picture.mean(axis=(0, 1))).std())


@pytest.mark.parametrize("divisor", [1, 2])
def test_noise_is_as_strong_as_a_picture_s_and_never_the_same(divisor: int) -> None:
    small = (SIZE[0] // divisor, SIZE[1] // divisor)
    flat = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
    shrunk = np.full((small[1], small[0], 3), 120, np.uint8)
    wear = Wear(FAULTS, SIZE, 1, divisor)
    films = [wear.picture(shrunk, FAULTS, i).astype(float) for i in range(4)]
    one = degrade(flat, FAULTS, np.random.default_rng(1))
    one = np.asarray(cv2.resize(one, small, interpolation=cv2.INTER_AREA))
    assert strength(films[0]) == pytest.approx(strength(one.astype(float)), rel=0.1)
    assert films[0].mean() == pytest.approx(float(one.mean()), abs=1.0)
    for film in films[1:]:
        assert strength(film - films[0]) == pytest.approx(strength(films[0]) * 2**0.5, rel=0.1)


def test_faults_that_no_film_has_are_refused() -> None:
    with pytest.raises(ValueError, match="no motion"):
        Wear(replace(FAULTS, motion_px=3.0), SIZE, 1)


def test_a_layer_is_blurred_along_its_way() -> None:
    layer = np.zeros((41, 41, 4), np.uint8)
    layer[20, 20] = 200
    assert blurred(layer, 0.5, 0.5) is layer
    smeared = blurred(layer, 12.0, 0.0)[..., 3]
    assert (smeared[20] > 0).sum() == 13
    assert (smeared.sum(axis=1) > 0).sum() == 1


def test_parts_that_overlap_become_one() -> None:
    assert sorted(apart([(0, 0, 5, 5), None, (20, 0, 25, 5), (4, 4, 9, 9)])) == [
        (0, 0, 9, 9),
        (20, 0, 25, 5),
    ]
    assert apart([None]) == []
