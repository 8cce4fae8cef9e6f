"""What the page refuses, each with the code that its words are found by."""

from __future__ import annotations

from vision.errors import VisionError


class PageError(VisionError):
    """Base of what the page refuses; `code` names it for programs and for the languages."""

    code = "page"
    status = 409


class MovedOnError(PageError):
    """Another game is on the table than the one that was acted upon."""

    code = "moved_on"


class QuestionError(PageError):
    """A question is open that must be answered first, or the one answered is gone."""

    code = "question"


class NotAllowedError(PageError):
    """Whoever asks may look only, or must be at the host computer."""

    code = "not_allowed"
    status = 403


class MissingError(PageError):
    """There is nothing of that name."""

    code = "missing"
    status = 404


class CameraWordError(PageError):
    """What was given names no camera."""

    code = "camera_word"
    status = 422


class NoCameraError(PageError):
    """There is no camera in use."""

    code = "no_camera"


class NoPictureError(PageError):
    """The camera gives no picture yet."""

    code = "no_picture"


class UnkeptError(PageError):
    """A setting holds, but cannot be written down."""

    code = "unkept"


class DoorError(PageError):
    """The server cannot listen where it was asked to."""

    code = "door"
