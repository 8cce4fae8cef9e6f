"""What a model says about a photograph before any person has looked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from vision.photos.labels import Labels, PigLabel, Source, overlap
from vision.recognize.reading import ContactEvidence, PigDetection, Reading

SAME_PIG = 0.5
"""Boxes that overlap this much (intersection over union) are the same pig."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One model's reading of one photograph; `model` names the model and its version."""

    model: str
    pigs: tuple[PigDetection, ...]
    contact: ContactEvidence | None = None

    @classmethod
    def of(cls, reading: Reading, model: str) -> Self:
        """Keep of a reading what can be proposed."""
        return cls(model, reading.pigs, reading.contact)

    @property
    def confidence(self) -> float:
        """How sure the model is of its least sure statement, 0 to 1; 0 when it sees no pig."""
        if not self.pigs:
            return 0.0
        sure = [min(p.confidence, p.probability) for p in self.pigs]
        if self.contact is not None:
            sure.append(max(self.contact.probabilities.values()))
        return min(sure)

    def labels(self) -> Labels:
        """Give the likeliest labels, not reviewed, the model as their source."""
        pigs = tuple(PigLabel(p.box, p.pose, Source.MODEL) for p in self.pigs)
        return Labels(pigs, None if self.contact is None else self.contact.state)

    def disagrees(self, labels: Labels) -> bool:
        """Whether another number of pigs, another pose or another contact is labelled."""
        if len(labels.pigs) != len(self.pigs):
            return True
        left = list(self.pigs)
        for pig in labels.pigs:
            match = max(left, key=lambda p: overlap(p.box, pig.box))
            if overlap(match.box, pig.box) < SAME_PIG:
                return True
            if pig.pose is not None and pig.pose != match.pose:
                return True
            left.remove(match)
        if self.contact is None or labels.contact is None:
            return False
        return labels.contact is not self.contact.state

    def to_json(self) -> dict[str, Any]:
        """Give plain values for JSON; `from_json` reads them back."""
        contact = None
        if self.contact is not None:
            contact = {
                "probabilities": dict(self.contact.probabilities),
                "gap_mm": self.contact.gap_mm,
            }
        return {
            "model": self.model,
            "pigs": [
                {
                    "box": list(p.box),
                    "confidence": p.confidence,
                    "probabilities": dict(p.probabilities),
                }
                for p in self.pigs
            ],
            "contact": contact,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_json` gave."""
        pigs = tuple(
            PigDetection(tuple(p["box"]), p["confidence"], p["probabilities"]) for p in data["pigs"]
        )
        contact = data["contact"]
        evidence = None
        if contact is not None:
            evidence = ContactEvidence(contact["probabilities"], contact["gap_mm"])
        return cls(data["model"], pigs, evidence)
