"""Lets the model look at the photographs of a set, in the background, the wanted ones first."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from vision.capture.frame import Frame
from vision.errors import ModelError, VisionError
from vision.photos.photo_set import Photo, PhotoSet
from vision.photos.proposal import Proposal
from vision.recognize.reading import Reading

log = logging.getLogger(__name__)


class Reads(Protocol):
    """What reads a picture: the recognizer, or a stand-in."""

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Read frames of one still table."""


class ProposerState(StrEnum):
    """How far the model is: `missing` says that there is none to be had."""

    LOADING = "loading"
    WORKING = "working"
    IDLE = "idle"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class ProposerStatus:
    """What the page tells about the model: its state, name, and photographs still to look at."""

    state: ProposerState
    model: str = ""
    left: int = 0
    reason: str = ""


def load_recognizer() -> tuple[Reads, str]:
    """Load the models with the profile in use; gives the recognizer and its name.

    Raises `ModelError`.
    """
    from vision.recognize.manifest import load_manifest
    from vision.recognize.profile import load_taught

    recognizer, profile = load_taught()
    models = sorted(load_manifest().models, key=lambda m: m.role.value)
    names = [f"{m.role.value}-{m.sha256[:8]}" for m in models]
    return recognizer, " ".join(names if profile is None else [*names, f"taught {profile}"])


class Proposer:
    """One background thread that keeps proposals up to date with the model."""

    def __init__(
        self, photos: PhotoSet, load: Callable[[], tuple[Reads, str]] = load_recognizer
    ) -> None:
        self._photos = photos
        self._load = load
        self._wanted: deque[int] = deque(maxlen=32)
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._status = ProposerStatus(ProposerState.LOADING)
        self._failed: set[int] = set()
        self._thread = threading.Thread(target=self._run, name="proposer", daemon=True)

    @property
    def status(self) -> ProposerStatus:
        """How far it is."""
        return self._status

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End after the photograph in hand."""
        self._stop.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(timeout=30)

    def want(self, photo_id: int) -> None:
        """Look at this photograph next."""
        self._wanted.append(photo_id)
        self._wake.set()

    def _run(self) -> None:
        try:
            recognizer, model = self._load()
        except ModelError as error:
            self._status = ProposerStatus(ProposerState.MISSING, reason=str(error))
            return
        while not self._stop.is_set():
            waiting = self._photos.without_proposal(model)
            left = [i for i in waiting if i not in self._failed]
            if not left:
                self._status = ProposerStatus(ProposerState.IDLE, model)
                self._wake.wait(timeout=2.0)
                self._wake.clear()
                continue
            self._status = ProposerStatus(ProposerState.WORKING, model, len(left))
            self._look(self._next(left), recognizer, model)

    def _next(self, left: list[int]) -> int:
        while self._wanted:
            photo_id = self._wanted.pop()
            if photo_id in left:
                return photo_id
        return left[0]

    def _look(self, photo_id: int, recognizer: Reads, model: str) -> None:
        try:
            photo = self._photos.photo(photo_id)
            reading = recognizer.read([frame_of(self._photos, photo)])
            self._photos.propose(photo_id, Proposal.of(reading, model))
        except (VisionError, OSError) as error:
            # One bad file must not end the help with all others; it is not tried again.
            log.warning("no proposal for photograph %d: %s", photo_id, error)
            self._failed.add(photo_id)


def frame_of(photos: PhotoSet, photo: Photo) -> Frame:
    """Read a photograph as a frame."""
    from vision.recognize.picture import open_picture

    return Frame(open_picture(photos.path(photo)), 0, 0.0, photo.name)
