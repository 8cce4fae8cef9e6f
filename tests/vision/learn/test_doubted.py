"""Hard crops: only what shows no pig is cut, each thing once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.capture.frame import Image
from vision.learn.doubted import cut_doubted
from vision.recognize.locate import Locator
from vision.recognize.manifest import Role, load_manifest
from vision.recognize.runtime import open_network

PIG = (6.0, 26.0, 18.0, 38.0)
PART_OF_IT = (6.0, 26.0, 12.0, 32.0)
THING = (44.0, 26.0, 56.0, 38.0)


class OneLook(Locator):
    """Looks once: the tiny network finds the same rows at every scale."""

    def scales(self, image: Image) -> tuple[float, ...]:  # noqa: ARG002
        """Give the picture's own scale."""
        return (1.0,)


@pytest.fixture
def frames(tmp_path: Path) -> Path:
    """Two frames with one labelled pig each."""
    images = tmp_path / "frames" / "images"
    images.mkdir(parents=True)
    picture = np.full((64, 64, 3), 90, np.uint8)
    picture[26:38, 44:56] = 240
    for name in ("1-0000000", "1-0000001"):
        cv2.imwrite(str(images / f"{name}.jpg"), picture)
        (images / f"{name}.json").write_text(json.dumps({"pigs": [{"box": PIG}]}))
    return images.parent


def test_what_is_no_pig_becomes_a_crop_of_other(
    tiny_models: Any, frames: Path, tmp_path: Path
) -> None:
    rows = [(*PIG, 0.9), (*THING, 0.6), (*PART_OF_IT, 0.5)]
    manifest = load_manifest(tiny_models(rows))
    entry = manifest.need(Role.LOCATOR)
    locator = OneLook(open_network(manifest, entry), entry)
    crops = tmp_path / "train"
    assert list(cut_doubted(locator, frames, crops)) == [1, 1]
    cut = sorted((crops / "6_other").iterdir())
    assert [p.name for p in cut] == [f"doubted-1-000000{i}-0.jpg" for i in range(2)]
    picture = cv2.imread(str(cut[0]))
    assert picture is not None
    assert picture.shape == (128, 128, 3)
    assert picture[64, 64].min() > 230, "the thing is in its middle"
    assert list(cut_doubted(locator, frames, tmp_path / "none", most=0)) == [0, 0]
