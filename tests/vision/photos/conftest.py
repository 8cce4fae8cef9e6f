"""Photographs and photo sets made for a test."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from scoring.throw import Contact
from vision.photos import arrivals
from vision.photos.labels import Labels, PigLabel
from vision.photos.photo_set import Photo, PhotoSet
from vision.photos.proposal import Proposal
from vision.recognize.reading import (
    CONTACT_CLASSES,
    POSE_CLASSES,
    ContactEvidence,
    PigDetection,
)

MakePicture = Callable[..., bytes]


@pytest.fixture(scope="session")
def make_picture() -> MakePicture:
    """Give the bytes of a picture whose content depends on `seed`."""

    def make(
        seed: int = 0,
        *,
        size: tuple[int, int] = (64, 48),
        kind: str = "PNG",
        exif: dict[int, Any] | None = None,
    ) -> bytes:
        rng = np.random.default_rng(seed)
        small = rng.integers(0, 255, (6, 8, 3), dtype=np.uint8)
        image = Image.fromarray(small).resize(size, Image.Resampling.BICUBIC)
        extra: dict[str, Any] = {}
        if exif is not None:
            tags = Image.Exif()
            tags.update(exif)
            extra["exif"] = tags
        out = io.BytesIO()
        image.save(out, kind, **extra)
        return out.getvalue()

    return make


@pytest.fixture
def photos(tmp_path: Path) -> Iterator[PhotoSet]:
    """Give an empty photo set."""
    folder = tmp_path / "set"
    folder.mkdir()
    with PhotoSet.open(folder) as opened:
        yield opened


@pytest.fixture
def photo(photos: PhotoSet, make_picture: MakePicture) -> Photo:
    """Give the only photograph of the set."""
    return arrivals.add(photos, make_picture(1), "one.png")[0]


@pytest.fixture(scope="session")
def two_pigs() -> Labels:
    return Labels(
        (PigLabel((1.25, 2.5, 20.0, 30.75), "dot_up"), PigLabel((30, 5, 50, 25), "trotter")),
        contact=Contact.APART,
        reviewed=True,
        reviewed_by="Ada",
    )


@pytest.fixture(scope="session")
def propose() -> Callable[..., Proposal]:
    """Give a proposal of pigs `(box, pose, probability)` and a contact."""

    def make(
        *pigs: tuple[tuple[float, float, float, float], str, float], contact: str | None = None
    ) -> Proposal:
        def spread(label: str, sure: float, classes: tuple[str, ...]) -> dict[str, float]:
            rest = (1 - sure) / (len(classes) - 1)
            return {c: sure if c == label else rest for c in classes}

        return Proposal(
            "test-model",
            tuple(PigDetection(box, 0.95, spread(p, s, POSE_CLASSES)) for box, p, s in pigs),
            None
            if contact is None
            else ContactEvidence(spread(contact, 0.9, CONTACT_CLASSES), gap_mm=3.0),
        )

    return make
