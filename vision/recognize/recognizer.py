"""From still frames to a `Reading`: locate, crop, pose and contact, fuse, decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

import numpy as np

from vision.capture.frame import Frame, Image
from vision.recognize.among import pigs_among
from vision.recognize.contact import ContactReader
from vision.recognize.crop import Box
from vision.recognize.decide import Policy, decide, probabilities, weigh
from vision.recognize.fuse import Look, fuse
from vision.recognize.locate import Locator
from vision.recognize.manifest import Manifest, Role, load_manifest
from vision.recognize.pose import Classifier, see_poses
from vision.recognize.reading import OTHER, POSE_CLASSES, PigDetection, Reading
from vision.recognize.runtime import open_network
from vision.recognize.slant import Floats, Slant, hear
from vision.recognize.stances import Stance


class Recognizer:
    """Reads a still table; the models are loaded once, and any thread may call it."""

    def __init__(
        self,
        locator: Locator,
        pose: Classifier,
        policy: Policy | None = None,
        contact: ContactReader | None = None,
        stances: Sequence[Stance] = (),
        slant: Slant | None = None,
    ) -> None:
        self.locator = locator
        self.stances = tuple(stances)
        self.slant = Slant.unknown() if slant is None else slant
        """What a camera that stays where it is begins with (`FixedCamera`)."""
        self.pose = pose
        self.contact = contact or ContactReader()
        self.policy = Policy() if policy is None else policy

    @classmethod
    def load(cls, models_dir: Path | None = None, policy: Policy | None = None) -> Self:
        """Load the models of a folder, by default the shipped; `ModelError` if they are bad."""
        manifest = load_manifest(models_dir)
        locator, pose = manifest.need(Role.LOCATOR), manifest.need(Role.POSE)
        return cls(
            Locator(open_network(manifest, locator), locator),
            Classifier(open_network(manifest, pose), pose),
            policy,
            open_contact(manifest),
            pose.stances,
        )

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Read one or more frames of the same still table, the newest last."""
        return self.read_at(frames, lambda _boxes: Slant.unknown())[0]

    def read_at(
        self, frames: Sequence[Frame], believed: Callable[[Sequence[Box]], Slant]
    ) -> tuple[Reading, Floats | None]:
        """Read the same before a camera of which something is known; also gives the pigs' words.

        `believed` says what, told the boxes of the pigs. Words are the pigs' log-likelihoods of
        where up is, [N, DIRECTIONS], for `Slant.hearing`; None where the network does not say how
        pigs are turned.
        """
        fused = fuse([self._look(frame.image) for frame in frames])
        look, words = self.hear(fused.look, frames[-1].image, believed)
        pigs = _detections(look)
        decision, reason = decide(pigs, look.contact, self.policy, fused.agreement)
        reading = Reading(
            pigs=pigs,
            contact=look.contact,
            decision=decision,
            reason=reason,
            frames=len(frames),
            time_s=frames[-1].time_s,
        )
        return reading, words

    def look(self, frame: Frame) -> tuple[PigDetection, ...]:
        """Give the pigs of one frame, the surest first, without judging them together."""
        return _detections(self._pigs(frame.image))

    def hear(
        self, look: Look, image: Image, believed: Callable[[Sequence[Box]], Slant]
    ) -> tuple[Look, Floats | None]:
        """Weigh the poses with where up is, by what is believed of it and by the other pig."""
        if look.attitudes is None or not self.stances or not look.pigs:
            return look, None
        size = image.shape[1], image.shape[0]
        boxes = [p.box for p in look.pigs]
        slant = believed(boxes)
        heard = hear(look.log_poses, look.attitudes, boxes, size, slant, self.stances)
        return replace(look, log_poses=heard.log_poses), heard.words

    def _look(self, image: Image) -> Look:
        look = self._pigs(image)
        if len(look.pigs) != 2:
            return look
        return replace(look, contact=self.contact(image, *(p.box for p in look.pigs)))

    def _pigs(self, image: Image) -> Look:
        """Locate and read the pigs; what both models doubt is no pig."""
        located = self.locator(image)
        seen = see_poses(self.pose, image, [p.box for p in located])
        posed = 1.0 - np.exp(seen.logs[:, POSE_CLASSES.index(OTHER)])
        kept = pigs_among(located, posed.tolist(), self.locator.threshold)
        turned = None if seen.attitudes is None else seen.attitudes[kept]
        return Look(tuple(located[i] for i in kept), seen.logs[kept], attitudes=turned)


def open_contact(manifest: Manifest) -> ContactReader:
    """Load the contact model where there is one; without it outlines alone must do."""
    entry = manifest.get(Role.CONTACT)
    if entry is None:
        return ContactReader()
    return ContactReader(Classifier(open_network(manifest, entry), entry))


def _detections(look: Look) -> tuple[PigDetection, ...]:
    return tuple(
        PigDetection(pig.box, pig.confidence, probabilities(logs))
        for pig, logs in zip(look.pigs, weigh(look.log_poses), strict=True)
    )
