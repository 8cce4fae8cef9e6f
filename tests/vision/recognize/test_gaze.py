"""How pigs are looked at: their colour found, and moved to what the network knows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.learn.shots import Shots
from vision.learn.teach import teach
from vision.recognize.gaze import VIEWS, Gaze, Recolour, look, pig_colour
from vision.recognize.linear import log_softmax
from vision.recognize.profile import (
    TaughtPose,
)


class FleshOnly:
    """A network that knows a pose, written in the table's grey, only where the pig is flesh."""

    size, sha256 = 24, "c" * 64
    stances = ()

    def __call__(self, crops: Any) -> tuple[Any, Any]:
        logs = []
        for crop in np.asarray(crops, float):
            middle = crop[8:16, 8:16].mean(axis=(0, 1))
            pose = round((crop[:3].mean() - 20) / 30)
            logs.append((4.0 if middle[0] - middle[2] > 30 else 0.0) * np.eye(7)[pose])
        return np.zeros((len(crops), 3)), log_softmax(np.array(logs))

    def see(self, crops: Any) -> tuple[Any, Any, None]:
        return (*self(crops), None)


class TestGaze:
    def test_a_blue_pig_becomes_flesh_and_the_table_stays(self) -> None:
        image = np.full((64, 64, 3), (120, 110, 100), np.uint8)
        image[16:48, 16:48] = (60, 80, 200)
        image[16:48, 32:48] = (45, 60, 150)
        colour = pig_colour([image])
        seen = Recolour(colour, 15.0, 1.0)(image)
        assert seen[20, 20, 0] > seen[20, 20, 2] + 40, "red above blue, as flesh is"
        assert int(seen[20, 20].sum()) > int(seen[20, 40].sum()), "the shaded half stays darker"
        assert np.abs(seen[2, 2].astype(int) - image[2, 2]).max() <= 12

    def test_views_turn_and_scale_and_never_mirror(self) -> None:
        image = np.zeros((40, 40, 3), np.uint8)
        image[5:15, 25:35] = 255  # upper right
        for view in {v for views in VIEWS.values() for v in views}:
            seen = look(image, view, 30)
            assert seen.shape == (30, 30, 3)
            ys, xs = np.nonzero(seen[..., 0] > 128)
            dx, dy = xs.mean() - 14.5, 14.5 - ys.mean()
            angle = np.degrees(np.arctan2(dy, dx)) - 45
            assert (angle - view[0] + 180) % 360 - 180 == pytest.approx(0, abs=3)
        marked = np.zeros((40, 40, 3), np.uint8)
        marked[5, 5], marked[5, 34], marked[34, 34] = (255, 0, 0), (0, 255, 0), (0, 0, 255)
        corners = [tuple(c) for c in (marked[5, 5], marked[5, 34], marked[34, 34], marked[34, 5])]
        for turn in (90.0, 180.0, 270.0):
            seen = look(marked, (turn, 1.0), 40)
            found = [tuple(c) for c in (seen[5, 5], seen[5, 34], seen[34, 34], seen[34, 5])]
            assert any(found == corners[n:] + corners[:n] for n in range(4)), "turned, not mirrored"

    def test_a_gaze_gives_one_look_a_view(self) -> None:
        crop = np.random.default_rng(0).integers(0, 255, (32, 32, 3), dtype=np.uint8)
        for name, views in VIEWS.items():
            looks = Gaze(None, name)(crop, 24)
            assert len(looks) == len(views)
            assert {x.shape for x in looks} == {(24, 24, 3)}
        with pytest.raises(ValueError, match="expected views"):
            Gaze(None, "mirrored")

    def test_recolouring_is_chosen_where_it_helps(self) -> None:
        labels = np.tile(np.arange(6), 8)
        crops = []
        for pose in labels:
            crop = np.full((32, 32, 3), 20 + 30 * int(pose), np.uint8)
            crop[8:24, 8:24] = (60, 80, 190)
            crops.append(crop)
        names = tuple(f"session {n}" for n in range(4))
        embedder: Any = FleshOnly()
        lesson = teach(Shots(tuple(crops), labels, np.arange(48) // 12, names), embedder, "blue")
        assert lesson.gaze.recolour is not None
        assert (lesson.before, lesson.after) == (8, 48)
        assert lesson.profile is not None
        taught = TaughtPose(embedder, lesson.profile)
        assert (taught(crops).argmax(axis=1) == labels).all()
