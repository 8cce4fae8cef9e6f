"""Any story of a table: as many throws are logged as were thrown, whatever happens between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.throw import Pose, Throw

if TYPE_CHECKING:
    from tests.vision.table.conftest import Pig, Play, Stage

Happening = Callable[["Stage"], "Stage"]


def _black(stage: Stage) -> Stage:
    gain = stage.now.gain
    return stage.hold(0.4, gain=0.0).hold(0.6, gain=gain)


HAPPENINGS: dict[str, Happening] = {
    "nothing": lambda s: s.hold(0.8),
    "a hand passes": lambda s: s.reach().hold(0.3).withdraw().hold(0.7),
    "a hand aside": lambda s: s.reach(x=80, depth=0.3).hold(0.6).withdraw().hold(0.7),
    "a shadow passes": lambda s: s.change(1.5, lambda k, d: replace(k, shadow=-200 + 900 * d)).hold(
        0.6, shadow=None
    ),
    "lamp down": lambda s: s.hold(0.8, gain=0.6),
    "lamp up": lambda s: s.hold(0.8, gain=1.3),
    "nudge": lambda s: s.hold(0.8, shift=(s.now.shift[0] + 3, s.now.shift[1] - 2)),
    "focus hunts": lambda s: s.hold(0.4, blur=3.0).hold(0.7, blur=0.0),
    "black": _black,
    "pigs out of sight": lambda s: s.hold(0.4, pigs=()).hold(0.7, pigs=s.now.pigs),
    "night": lambda s: s.hold(1.2, noise=6.0),
}


places = st.tuples(st.integers(80, 560), st.integers(70, 290))
poses = st.sampled_from([*Pose])


@st.composite
def throws(draw: st.DrawFn) -> tuple[tuple[int, int, Pose, float], ...]:
    """Draw two pigs that lie apart."""
    first = draw(places)
    second = draw(places.filter(lambda p: abs(p[0] - first[0]) > 70 or abs(p[1] - first[1]) > 70))
    return tuple((*p, draw(poses), draw(st.floats(0, 180))) for p in (first, second))


stories = st.lists(
    st.tuples(throws(), st.lists(st.sampled_from(sorted(HAPPENINGS)), max_size=3)),
    min_size=1,
    max_size=3,
)


@given(stories)
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_each_throw_is_logged_once_in_any_story(
    stage: Stage,
    play: Play,
    pig: type[Pig],
    story: list[tuple[tuple[tuple[int, int, Pose, float], ...], list[str]]],
) -> None:
    stage.looks.clear()
    stage.now = replace(stage.now, pigs=(), gain=1.0, shift=(0.0, 0.0), noise=1.5)
    stage.hold(0.6)
    for pigs, happenings in story:
        stage.throw(*(pig(*p) for p in pigs), seconds=0.4).hold(1.3)
        for name in happenings:
            HAPPENINGS[name](stage)
        stage.pick_up().hold(0.5)
    told = play(stage)
    expected = [Throw((pigs[0][2], pigs[1][2])) for pigs, _ in story]
    assert [t.reading.throw for t in told.throws] == expected
