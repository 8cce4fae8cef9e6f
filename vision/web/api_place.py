"""Joining, cameras and settings: what belongs to the place rather than to a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import Field

from vision.table.advice import Problem
from vision.web.audience import me as who_am_i
from vision.web.cameras import CameraChoice, found_cameras
from vision.web.errors import NotAllowedError
from vision.web.membership import COOKIE, COOKIE_SECONDS
from vision.web.parts import REFUSALS, Here, IsHost, MayScore, Who
from vision.web.settings import Guests, Settings
from vision.web.wire import Body, JoinBody

router = APIRouter(prefix="/api", responses=REFUSALS, tags=["place"])


@dataclass(frozen=True, slots=True)
class Me:
    """Who asks, and what they may do."""

    host: bool
    member: bool
    may_score: bool
    language: str | None
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Invitation:
    """How others join: addresses, none while the door is closed; QR codes as `data:` pictures.

    The code travels in the part of the address after `#`, which no server is sent or logs.
    """

    code: str
    urls: tuple[str, ...]
    qr: str | None
    phone_camera_urls: tuple[str, ...]
    phone_camera_qr: str | None
    fingerprint: str | None
    viewers: int


class CameraBody(Body):
    """A camera's number or address, `phone`, `demo` or `off`."""

    source: Annotated[str, Field(min_length=1, max_length=520)]


class SettingsBody(Body):
    """Settings to change; what is left out stays."""

    guests: Guests | None = None
    contact_automatic: bool | None = None
    keep_pictures: bool | None = None
    bank_by_hand: bool | None = None


Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class AreaBody(Body):
    """The throwing area's corners as shares of the picture's width and height; none forgets it."""

    corners: Annotated[tuple[tuple[Share, Share], ...], Field(min_length=3, max_length=12)] | None


@dataclass(frozen=True, slots=True)
class Hint:
    """Something wrong with the camera's picture; `problem` names it, `text` says what to do."""

    problem: Problem
    text: str


@router.get("/me", operation_id="me")
def me(place: Here, visitor: Who) -> Me:
    """Return who asks, and what they may do."""
    known: dict[str, Any] = who_am_i(visitor, place.settings)
    return Me(**known, language=place.language, languages=place.assets.languages)


@router.post("/join", operation_id="join", status_code=204)
def join(place: Here, body: JoinBody, visitor: Who) -> Response:
    """Join with the code on the host's screen; the answer's cookie is the ticket."""
    del visitor
    if not place.membership.accepts(body.code):
        raise NotAllowedError("that is not the code on the host's screen")
    answer = Response(status_code=204)
    answer.set_cookie(
        COOKIE,
        place.membership.ticket(),
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="strict",
    )
    return answer


@router.get("/invitation", operation_id="invitation")
def invitation(place: Here) -> Invitation:
    """Return how others join."""
    doors, code = place.doors, place.membership.code
    urls, secure = doors.lan_urls, doors.secure_urls
    return Invitation(
        code=code,
        urls=urls,
        qr=qr_picture(f"{urls[0]}#/join/{code}") if urls else None,
        phone_camera_urls=secure,
        phone_camera_qr=qr_picture(f"{secure[0]}#/phone/{code}") if secure else None,
        fingerprint=None if doors.secure is None else doors.secure.fingerprint,
        viewers=place.audience.count,
    )


@router.post("/invitation/open", operation_id="open_door", dependencies=[IsHost])
async def open_door(place: Here) -> Invitation:
    """Let phones and tablets in the house join."""
    await place.doors.open_lan()
    return invitation(place)


@router.post("/invitation/phone-camera", operation_id="phone_camera", dependencies=[IsHost])
async def open_phone_camera(place: Here) -> Invitation:
    """Let a phone hand over its camera, over HTTPS with a local certificate."""
    await place.doors.open_secure()
    return invitation(place)


@router.post("/invitation/renew", operation_id="renew_code", dependencies=[IsHost])
def renew(place: Here) -> Invitation:
    """Change the code; everybody has to join again."""
    place.membership.renew()
    return invitation(place)


@router.get("/cameras", operation_id="cameras")
def cameras() -> tuple[CameraChoice, ...]:
    """Return the cameras of the host computer."""
    return found_cameras()


@router.post("/camera", operation_id="choose_camera", status_code=204, dependencies=[IsHost])
def choose_camera(place: Here, body: CameraBody) -> Response:
    """Use another camera; how it goes is shown on the table."""
    place.cameras.choose_from_page(body.source)
    return Response(status_code=204)


@router.post(
    "/camera/again", operation_id="reopen_camera", status_code=204, dependencies=[MayScore]
)
def reopen_camera(place: Here) -> Response:
    """Open the camera in use anew; a clip begins from its start."""
    place.cameras.again()
    return Response(status_code=204)


@router.post("/camera/reset", operation_id="reset_camera", status_code=204, dependencies=[MayScore])
def reset_camera(place: Here) -> Response:
    """Forget what lies on the table."""
    place.cameras.reset()
    return Response(status_code=204)


@router.put("/camera/area", operation_id="set_area", status_code=204, dependencies=[IsHost])
def set_area(place: Here, body: AreaBody) -> Response:
    """Keep the throwing area of the camera in use; what lies outside is not looked at."""
    place.cameras.set_area(body.corners)
    return Response(status_code=204)


@router.get("/camera/advice", operation_id="camera_advice")
def camera_advice(place: Here) -> tuple[Hint, ...]:
    """Return what keeps the table from being read well, as the newest picture shows it."""
    return tuple(Hint(a.problem, a.text) for a in place.cameras.advice())


@router.get("/settings", operation_id="settings")
def settings(place: Here) -> Settings:
    """Return the settings of the host."""
    return place.settings.now


@router.patch("/settings", operation_id="change_settings", dependencies=[IsHost])
def change_settings(place: Here, body: SettingsBody) -> Settings:
    """Change some settings."""
    return place.settings.change(**body.model_dump(exclude_none=True))


def qr_picture(text: str) -> str:
    """Return a QR code as the address of an SVG picture, dark on light in every theme."""
    import segno

    return str(segno.make(text, error="m").svg_data_uri(scale=8, border=3, light="#fff"))
