"""The page's smaller parts: questions, tickets, settings, certificate, phone, keeper."""

from __future__ import annotations

import io
import json
import ssl
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cryptography import x509
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from scoring.rulefile import load_rules
from scoring.throw import Contact, Pose, Throw
from vision.capture import health
from vision.capture.frame import Frame
from vision.capture.sources import open_source
from vision.errors import CaptureError
from vision.table import looks, watch
from vision.table.state import ThrowSeen
from vision.web.certificate import local_certificate
from vision.web.doors import Doors
from vision.web.errors import DoorError
from vision.web.keeper import Keeper, Kept
from vision.web.limits import Buckets
from vision.web.membership import CODE_LENGTH, LETTERS, Membership
from vision.web.phone import MOST_PICTURE, PhoneBox, PhoneSource, decode
from vision.web.question import QuestionKind, doubt
from vision.web.reasons import KEYS, reason_of
from vision.web.settings import Guests, Settings, SettingsFile
from vision.web.sights import Picture, Sight, Sights, take_sight

Reading = Callable[..., Any]
RULES = load_rules("classic")


def test_close_pigs_are_asked_about_their_contact(reading: Reading) -> None:
    touch = {"apart": 0.6, "touching": 0.37, "stacked": 0.03}
    asked = doubt(reading(("trotter", "snouter"), ask=True, touch=touch), RULES)
    assert asked.kind is QuestionKind.CONTACT
    assert [o.throw.contact for o in asked.options] == ["apart", "touching", "stacked"]
    assert [o.outcome.points for o in asked.options] == [15, 0, 0]


def test_stacked_is_not_offered_where_it_is_out_of_the_question(reading: Reading) -> None:
    touch = {"apart": 0.6, "touching": 0.395, "stacked": 0.005}
    asked = doubt(reading(("trotter", "snouter"), ask=True, touch=touch), RULES)
    assert [o.throw.contact for o in asked.options] == ["apart", "touching"]


def test_an_unsure_pose_gives_the_likeliest_throws_first(reading: Reading) -> None:
    second = dict.fromkeys(("dot_up", "dot_down", "razorback", "leaning_jowler", "other"), 0.02)
    poses = ("dot_up", "dot_down", "razorback", "trotter", "snouter", "leaning_jowler", "other")
    second = {p: second.get(p, {"trotter": 0.4, "snouter": 0.5}.get(p, 0)) for p in poses}
    asked = doubt(reading(("razorback", "snouter"), ask=True, second=second), RULES)
    assert asked.kind is QuestionKind.POSE
    throws = [Throw(o.throw.poses) for o in asked.options]
    assert throws[:2] == [
        Throw((Pose.RAZORBACK, Pose.SNOUTER)),
        Throw((Pose.RAZORBACK, Pose.TROTTER)),
    ]
    chances = [o.probability for o in asked.options]
    assert chances == sorted(chances, reverse=True)


@given(
    first=st.sampled_from(list(Pose)),
    second=st.sampled_from(list(Pose)),
    contact=st.sampled_from(list(Contact)),
)
def test_what_the_camera_thinks_is_always_among_the_answers(
    first: Pose, second: Pose, contact: Contact
) -> None:
    from vision.recognize.reading import (
        CONTACT_CLASSES,
        POSE_CLASSES,
        ContactEvidence,
        Decision,
        PigDetection,
        Reading,
    )

    def sure(label: str, classes: tuple[str, ...]) -> dict[str, float]:
        rest = 0.2 / (len(classes) - 1)
        return {c: 0.8 if c == label else rest for c in classes}

    pigs = tuple(
        PigDetection((x, 0, x + 10, 10), 0.9, sure(pose, POSE_CLASSES))
        for x, pose in ((0, first), (20, second))
    )
    evidence = ContactEvidence(sure(contact, CONTACT_CLASSES))
    asked = doubt(Reading(pigs, evidence, Decision.ASK, "why"), RULES)
    offered = {Throw(o.throw.poses, o.throw.contact) for o in asked.options}
    likeliest = Throw((first, second), Contact.APART)
    assert likeliest in offered or Throw((first, second), contact) in offered
    assert len(asked.options) <= 3


def test_no_two_pigs_no_offers(reading: Reading) -> None:
    from vision.recognize.reading import Decision, Reading

    asked = doubt(Reading((), None, Decision.ASK, "nothing"), RULES)
    assert (asked.kind, asked.options) == (QuestionKind.UNCLEAR, ())


def test_every_reason_of_the_table_has_a_key() -> None:
    texts = [
        getattr(module, name)
        for module in (watch, looks, health)
        for name in dir(module)
        if name.isupper() and not name.startswith("_") and isinstance(getattr(module, name), str)
    ]
    assert len(texts) >= 9
    for text in texts:
        reason = reason_of(text)
        assert reason is not None
        assert reason.key in KEYS
        assert reason.key != "other", text
    counted = reason_of("3 pigs are seen where there should be two")
    assert counted is not None
    assert (counted.key, counted.n) == ("count", 3)
    assert reason_of("") is None


SAID = [
    ("rtsp://10.0.0.9/a does not answer; is it on, and on this network? (refused)", "no_answer"),
    ("rtsp://10.0.0.9/a answers, but gives no video; check the address's path", "no_video"),
    ("rtsp://10.0.0.9/a stopped sending; is it on, and on this network?", "stopped"),
    ("rtsp:///x names no host; an address is like rtsp://camera/stream", "no_address"),
    ("camera 0 does not open; another program may use it", "not_opened"),
    ("there is no camera 7 (there is 0); plug it in, or see 'sooee cameras'", "not_there"),
    ("'film.mp4' cannot be read as a video; it is broken", "broken_file"),
]


@pytest.mark.parametrize(("text", "key"), SAID)
def test_what_a_camera_says_has_a_key_and_its_name(text: str, key: str) -> None:
    reason = reason_of(text)
    assert reason is not None
    assert reason.key == key
    assert reason.name
    assert reason.name in text
    assert " does" not in reason.name


@pytest.mark.parametrize("address", ["rtsp://127.0.0.1:9/x", "rtsp:///x", "http://[", "7"])
def test_what_a_camera_really_says_has_a_key(address: str) -> None:
    with pytest.raises(CaptureError) as caught, open_source(address):
        pass
    reason = reason_of(str(caught.value))
    assert reason is not None
    assert reason.key != "other", caught.value


def test_codes_and_tickets_outlive_a_restart_and_end_with_a_new_secret(tmp_path: Path) -> None:
    first = Membership(tmp_path / "secret.json")
    again = Membership(tmp_path / "secret.json")
    ticket = first.ticket()
    assert first.code == again.code
    assert again.knows(ticket)
    assert len(first.code) == CODE_LENGTH
    assert set(first.code) <= set(LETTERS)
    again.renew()
    assert again.code != first.code
    assert not again.knows(ticket)
    assert stat.S_IMODE((tmp_path / "secret.json").stat().st_mode) == 0o600


def test_a_code_is_taken_as_people_type_it(tmp_path: Path) -> None:
    door = Membership(tmp_path / "secret.json")
    typed = f" {door.code[:3].lower()} - {door.code[3:].lower()} "
    assert door.accepts(typed)
    assert not door.accepts("")
    assert not door.accepts(door.code[:-1])


@given(text=st.text(max_size=60))
def test_no_text_is_a_ticket(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    door = Membership(tmp_path_factory.getbasetemp() / "door" / "secret.json")
    assert not door.knows(text)
    assert not door.accepts(text) or text.strip()


@pytest.mark.parametrize("content", ["", "{", "[]", '{"guests": "everybody"}', '{"x": 1}'])
def test_settings_that_cannot_be_read_are_the_defaults(tmp_path: Path, content: str) -> None:
    file = tmp_path / "settings.json"
    file.write_text(content)
    assert SettingsFile(file).now == Settings()


def test_settings_are_told_and_kept(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path / "deep" / "settings.json")
    told: list[Settings] = []
    file.subscribe(told.append)
    file.change(guests="watch")
    assert told == [Settings(guests=Guests.WATCH)]
    assert json.loads((tmp_path / "deep" / "settings.json").read_text())["guests"] == "watch"


def test_a_bucket_fills_again_with_time() -> None:
    now = [0.0]
    bucket = Buckets(2, 0.5, clock=lambda: now[0])
    assert [bucket.take("a") for _ in range(3)] == [True, True, False]
    assert bucket.take("b")
    now[0] = 2.0
    assert [bucket.take("a") for _ in range(2)] == [True, False]


def test_buckets_forget_old_keys() -> None:
    bucket = Buckets(1, 0.0, keys=10)
    for number in range(1000):
        bucket.take(str(number))
    assert len(bucket._left) == 10


def test_the_certificate_names_the_addresses_and_is_made_once(tmp_path: Path) -> None:
    first = local_certificate(tmp_path, ["127.0.0.1", "192.168.1.7"], ["localhost", "pig.local"])
    made = first.file.read_bytes()
    again = local_certificate(tmp_path, ["127.0.0.1"], ["localhost"])
    assert first.file.read_bytes() == made
    assert again.fingerprint == first.fingerprint
    elsewhere = local_certificate(tmp_path, ["10.0.0.9"], ["localhost"])
    assert elsewhere.fingerprint != first.fingerprint
    assert stat.S_IMODE(first.key.stat().st_mode) == 0o600
    found = x509.load_pem_x509_certificate(elsewhere.file.read_bytes())
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert [str(a) for a in names.get_values_for_type(x509.IPAddress)] == ["10.0.0.9"]
    ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(
        elsewhere.file, elsewhere.key
    )


def test_a_certificate_that_is_none_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "page.crt").write_text("nonsense")
    found = local_certificate(tmp_path, ["127.0.0.1"], ["localhost"])
    assert found.file.read_text().startswith("-----BEGIN CERTIFICATE-----")


def _jpeg(width: int = 32, height: int = 16) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (width, height), (200, 10, 10)).save(file, "JPEG")
    return file.getvalue()


def test_a_phones_picture_becomes_a_frame() -> None:
    image = decode(_jpeg())
    assert image is not None
    assert image.shape == (16, 32, 3)
    assert image[8, 8, 0] > 150 > image[8, 8, 2]


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xd8", b"GIF89a", _jpeg()[:40], b"\xff\xd8" + b"\0" * MOST_PICTURE,
     _jpeg(5000, 10)],
)  # fmt: skip
def test_what_is_no_picture_of_a_phone_is_left_out(data: bytes) -> None:
    assert decode(data) is None


def test_only_the_newest_picture_of_the_newest_phone_counts() -> None:
    box = PhoneBox()
    first = box.begin()
    assert box.put(first, b"1")
    assert box.put(first, b"2")
    assert box.take(0.1) == b"2"
    second = box.begin()
    assert not box.put(first, b"3")
    assert box.put(second, b"4")
    assert box.take(0.1) == b"4"
    assert box.take(0.01) is None


def test_a_silent_phone_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from vision.errors import CaptureError

    monkeypatch.setattr("vision.web.phone.SILENT_S", 0.05)
    box = PhoneBox()
    box.put(box.begin(), _jpeg())
    with PhoneSource(box) as frames, pytest.raises(CaptureError, match="no phone"):  # noqa: PT012
        for number, frame in enumerate(frames):
            assert (number, frame.index) == (0, 0)


def test_sights_keep_the_newest(reading: Reading) -> None:
    sights = Sights(keep=2)
    numbers = [sights.add(Sight({}, ())) for _ in range(3)]
    assert sights.get(numbers[0]) is None
    assert sights.get(numbers[2]) is not None


def test_boxes_of_a_sight_lie_inside_its_picture(reading: Reading) -> None:
    frame = Frame(np.zeros((360, 640, 3), np.uint8), 0, 0.0, "x")
    sight = take_sight(frame, reading(("trotter", "snouter")))
    assert set(sight.pictures) == set(Picture)
    for pig in sight.pigs:
        assert 0 <= pig.box[0] < pig.box[2] <= 1
        assert 0 <= pig.box[1] < pig.box[3] <= 1


def _kept(tmp_path: Path, keeper: Keeper, reading: Any, number: int | None) -> str | None:
    image = np.full((120, 320, 3), 90, np.uint8)
    keeper.frame(Frame(image, 0, 0.5, "x"))
    return keeper.keep("game", number, ThrowSeen(0, 0.5, reading))


def test_pictures_of_an_answered_question_lie_under_its_event(
    tmp_path: Path, reading: Reading
) -> None:
    keeper = Keeper(tmp_path)
    key = _kept(tmp_path, keeper, reading(("trotter", "snouter"), ask=True), None)
    assert key is not None
    keeper.answered(key, 7, Throw((Pose.TROTTER, Pose.TROTTER)))
    keeper.close()
    assert keeper.entries("game") == {7}
    facts = json.loads((tmp_path / "game" / "000007" / "throw.json").read_text())
    assert (facts["event"], facts["corrected"]["poses"]) == (7, ["trotter", "trotter"])
    for name in Kept:
        assert keeper.read("game", 7, name)
    assert keeper.read("game", 8, Kept.TABLE) is None


def test_switched_off_nothing_is_kept(tmp_path: Path, reading: Reading) -> None:
    keeper = Keeper(tmp_path / "evidence", on=False)
    assert _kept(tmp_path, keeper, reading(("trotter", "snouter")), 2) is None
    keeper.switch(on=True)
    assert keeper.keep("game", 2, ThrowSeen(0, 0.5, reading(("trotter", "snouter")))) is None
    keeper.close()
    assert not (tmp_path / "evidence").exists()


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    first = Doors("127.0.0.1", 0, tmp_path)
    bound = first.listen()
    try:
        with pytest.raises(DoorError, match="is sooee running already"):
            Doors("127.0.0.1", first.port, tmp_path).listen()
    finally:
        bound.close()


def test_the_page_goes_by_its_public_name(tmp_path: Path) -> None:
    doors = Doors("127.0.0.1", 0, tmp_path, "https://pigs.example.org:8443/play")
    assert "pigs.example.org" in doors.names
    assert doors.lan_urls == ("https://pigs.example.org:8443/play/",)
