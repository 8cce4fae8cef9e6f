"""From still frames to a `Reading`: locate, crop, pose and contact, fuse, decide."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np

from vision.capture.frame import Frame, Image
from vision.recognize.among import pigs_among
from vision.recognize.contact import ContactReader
from vision.recognize.decide import Policy, decide, probabilities, weigh
from vision.recognize.fuse import Look, fuse
from vision.recognize.locate import Locator
from vision.recognize.manifest import Manifest, Role, load_manifest
from vision.recognize.pose import Classifier, read_poses
from vision.recognize.reading import OTHER, POSE_CLASSES, PigDetection, Reading
from vision.recognize.runtime import open_network


class Recognizer:
    """Reads a still table; the models are loaded once, and any thread may call it."""

    def __init__(
        self,
        locator: Locator,
        pose: Classifier,
        policy: Policy | None = None,
        contact: ContactReader | None = None,
    ) -> None:
        self.locator = locator
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
        )

    def read(self, frames: Sequence[Frame]) -> Reading:
        """Read one or more frames of the same still table, the newest last."""
        fused = fuse([self._look(frame.image) for frame in frames])
        pigs = _detections(fused.look)
        decision, reason = decide(pigs, fused.look.contact, self.policy, fused.agreement)
        return Reading(
            pigs=pigs,
            contact=fused.look.contact,
            decision=decision,
            reason=reason,
            frames=len(frames),
            time_s=frames[-1].time_s,
        )

    def look(self, frame: Frame) -> tuple[PigDetection, ...]:
        """Give the pigs of one frame, the surest first, without judging them together."""
        return _detections(self._pigs(frame.image))

    def _look(self, image: Image) -> Look:
        look = self._pigs(image)
        if len(look.pigs) != 2:
            return look
        contact = self.contact(image, *(p.box for p in look.pigs))
        return Look(look.pigs, look.log_poses, contact)

    def _pigs(self, image: Image) -> Look:
        """Locate and read the pigs; what both models doubt is no pig."""
        located = self.locator(image)
        log_poses = read_poses(self.pose, image, [p.box for p in located])
        posed = 1.0 - np.exp(log_poses[:, POSE_CLASSES.index(OTHER)])
        kept = pigs_among(located, posed.tolist(), self.locator.threshold)
        return Look(tuple(located[i] for i in kept), log_poses[kept])


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
