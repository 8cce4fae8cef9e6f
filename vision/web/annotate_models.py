"""What the annotation page and its server say to each other."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from vision.photos.labels import MAX_NAME, MAX_PIGS, Labels
from vision.photos.photo_set import Entry, Photo
from vision.photos.proposer import ProposerStatus
from vision.recognize.reading import CONTACT_CLASSES, POSE_CLASSES

Number = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
Name = Annotated[str, Field(max_length=MAX_NAME)]
Client = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
PhotoId = Annotated[int, Field(ge=1, le=2**53)]

PoseName = Literal[
    "dot_up", "dot_down", "razorback", "trotter", "snouter", "leaning_jowler", "other"
]
ContactName = Literal["apart", "touching", "stacked"]


class Strict(BaseModel):
    """Nothing unknown, nothing guessed."""

    model_config = ConfigDict(extra="forbid")


class PigModel(Strict):
    """One pig: box (x0, y0, x1, y1) in pixels of the upright picture."""

    box: tuple[Number, Number, Number, Number]
    pose: PoseName | None
    source: Literal["hand", "model", "correction"] = "hand"


class LabelsModel(Strict):
    """What is said about a photograph."""

    pigs: list[PigModel] = Field(max_length=MAX_PIGS)
    contact: ContactName | None = None
    reviewed: bool = False
    reviewed_by: Name = ""
    unsure: bool = False
    left_out: bool = False

    def labels(self) -> Labels:
        """Give the labels; raises `LabelError` where the parts do not go together."""
        return Labels.from_json(self.model_dump(mode="json"))


class SaveModel(Strict):
    """New labels, and the revision that they change."""

    labels: LabelsModel
    revision: int = Field(ge=0, le=2**53)
    client: Client
    who: Name = ""


class ClientModel(Strict):
    """Whose undo it is."""

    client: Client


class OriginModel(Strict):
    """When and with what photographs were taken."""

    photos: list[PhotoId] = Field(max_length=10_000)
    session: Annotated[str, Field(max_length=80)] | None = None
    camera: Annotated[str, Field(max_length=80)] | None = None


def photo_answer(photo: Photo) -> dict[str, Any]:
    """Give a photograph as the page takes it."""
    return {
        "id": photo.id,
        "name": photo.name,
        "width": photo.width,
        "height": photo.height,
        "sha256": photo.sha256,
        "session": photo.session,
        "camera": photo.camera,
        "origin": photo.origin,
        "missing": photo.missing,
        "labels": None if photo.labels is None else photo.labels.to_json(),
        "revision": photo.revision,
        "proposal": None if photo.proposal is None else photo.proposal.to_json(),
        "disagrees": photo.disagrees,
    }


def entry_answer(entry: Entry) -> dict[str, Any]:
    """Give a line of the list, with short names: there may be thousands."""
    return {
        "id": entry.id,
        "name": entry.name,
        "session": entry.session,
        "flags": "".join(
            letter
            for letter, holds in (
                ("b", entry.begun),
                ("r", entry.reviewed),
                ("u", entry.unsure),
                ("x", entry.left_out),
                ("m", entry.missing),
                ("d", entry.disagrees),
            )
            if holds
        ),
        "poses": "".join("?" if p is None else str(POSE_CLASSES.index(p) + 1) for p in entry.poses),
        "contact": "" if entry.contact is None else entry.contact[0],
        "sure": None if entry.confidence is None else round(entry.confidence, 4),
        "rev": entry.revision,
    }


def status_answer(status: ProposerStatus) -> dict[str, Any]:
    """Give how far the model is."""
    return {
        "state": status.state.value,
        "model": status.model,
        "left": status.left,
        "reason": status.reason,
    }


VOCABULARY = {"poses": list(POSE_CLASSES), "contacts": list(CONTACT_CLASSES)}
