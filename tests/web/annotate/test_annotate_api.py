"""The annotation page's server: what it answers, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient

from vision.photos.photo_set import PhotoSet
from vision.photos.proposer import Proposer
from vision.photos.store import StoreFullError
from vision.recognize.reading import Decision, Reading
from vision.web.annotate_app import create_app

if TYPE_CHECKING:
    from tests.conftest import Until

MakeSet = Callable[..., tuple[Path, list[int]]]
CLIENT = "test-client"


@pytest.fixture
def photos(make_set: MakeSet) -> Iterator[PhotoSet]:
    folder, _ = make_set(2)
    with PhotoSet.open(folder) as opened:
        yield opened


def client_of(photos: PhotoSet, *, host: str = "127.0.0.1", **more: Any) -> TestClient:
    app = create_app(photos, **more)
    return TestClient(app, base_url="http://localhost:8766", client=(host, 50000))


def saying(revision: int = 0, **labels: Any) -> dict[str, Any]:
    return {"labels": {"pigs": []} | labels, "revision": revision, "client": CLIENT}


def test_a_save_is_answered_with_the_photograph_as_it_is_now(photos: PhotoSet) -> None:
    pig = {"box": [1, 2, 3.5, 4], "pose": "trotter", "source": "model"}
    with client_of(photos) as client:
        answer = client.put("/api/photos/1/labels", json=saying(pigs=[pig], reviewed=True))
        assert answer.status_code == 200
        assert answer.json()["revision"] == 1
        assert answer.json()["labels"]["pigs"] == [pig]
        stale = client.put("/api/photos/1/labels", json=saying(unsure=True))
        assert stale.status_code == 409
        assert stale.json()["photo"]["labels"]["reviewed"] is True
        assert client.post("/api/undo", json={"client": CLIENT}).json()["labels"] is None
        assert client.post("/api/undo", json={"client": CLIENT}).json() is None
        assert client.post("/api/redo", json={"client": CLIENT}).json()["labels"]["reviewed"]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (saying(contact="apart"), 422),
        (saying(pigs=[{"box": [1, 1, 1, 5], "pose": None}]), 422),
        (saying(pigs=[{"box": [1, 1, 9], "pose": None}]), 422),
        (saying(pigs=[{"box": [1, 1, 9, "NaN"], "pose": None}]), 422),
        (saying(pigs=[{"box": [1, 1, 9, 9], "pose": "flying"}]), 422),
        (saying(pigs=[{"box": [1, 1, 9, 9], "pose": None}], reviewed=True), 422),
        (saying(pigs=[{"box": [1, 1, 9, 9], "pose": None}] * 101), 422),
        (saying(revision=-1), 422),
        (saying() | {"client": "../../x"}, 422),
        (saying() | {"who": "x" * 81}, 422),
        (saying() | {"more": 1}, 422),
        ([], 422),
    ],
)
def test_labels_that_cannot_be_are_refused_and_change_nothing(
    photos: PhotoSet, said: Any, status: int
) -> None:
    before = photos.photos()
    with client_of(photos) as client:
        assert client.put("/api/photos/1/labels", json=said).status_code == status
    assert photos.photos() == before


def test_what_is_not_there(photos: PhotoSet) -> None:
    with client_of(photos) as client:
        for path in ("/api/photos/99", "/api/photos/99/picture", "/api/photos/99/thumb"):
            assert client.get(path).status_code == 404
        photos.path(photos.photo(1)).unlink()
        assert client.get("/api/photos/1/picture").status_code == 404
        assert client.get("/api/photos/1/thumb").status_code == 404
        for path in ("/static/../app.py", "/static/%2e%2e/page.py", "/locales/..%2fpage.py", "/x"):
            assert client.get(path).status_code == 404


def test_pictures_come_in_and_go_out(photos: PhotoSet, table_picture: Callable[..., bytes]) -> None:
    data = table_picture(50, [])
    with client_of(photos) as client:
        name = "../../etc/to%20grise.png"
        answer = client.post(f"/api/photos?name={name}&session=a%20%20b&camera=c", content=data)
        photo = answer.json()["photo"]
        assert (photo["name"], photo["session"], photo["camera"]) == ("to grise.png", "a b", "c")
        assert client.get(f"/api/photos/{photo['id']}/picture").content == data
        thumb = client.get(f"/api/photos/{photo['id']}/thumb")
        assert thumb.headers["content-type"] == "image/jpeg"
        assert client.post("/api/photos?name=again.png", content=data).json()["new"] is False
        assert client.post("/api/photos?name=a.png", content=b"nothing").status_code == 415
        assert client.post("/api/photos", content=data).status_code == 422
        assert client.post("/api/videos?name=a.txt", content=b"x").status_code == 415
        listing = client.get("/api/photos").json()
        assert [e["name"] for e in listing["photos"]][-1] == "to grise.png"
        assert client.get(f"/api/photos?since={listing['stamp']}").json()["photos"] == []
        said = {"photos": [photo["id"]], "session": "monday"}
        assert client.post("/api/origin", json=said).status_code == 200
        assert photos.photo(photo["id"]).session == "monday"
    assert not (photos.folder.parent.parent / "etc").exists()


def test_a_video_that_is_none_says_so(photos: PhotoSet, until: Until) -> None:
    with client_of(photos) as client:

        def video() -> Any:
            return client.get("/api/photos").json()["videos"][0]

        assert client.post("/api/videos?name=a.mp4", content=b"no video").status_code == 202
        until(lambda: video()["state"] == "done")
        assert "cannot be read as a video" in video()["problem"]
        assert str(photos.folder) not in video()["problem"], "no path of this machine"


def test_trouble_with_the_disk_is_told(photos: PhotoSet, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise StoreFullError("the disk is full; free some space")

    monkeypatch.setattr(PhotoSet, "save", full)
    with client_of(photos) as client:
        answer = client.put("/api/photos/1/labels", json=saying())
        assert answer.status_code == 507
        assert "disk is full" in answer.json()["detail"]


class TestGuard:
    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({}, 200),
            ({"origin": "http://localhost:8766"}, 200),
            ({"sec-fetch-site": "same-origin"}, 200),
            ({"origin": "http://evil.example"}, 403),
            ({"origin": "null"}, 403),
            ({"origin": "http://localhost:9999"}, 403),
            ({"sec-fetch-site": "cross-site"}, 403),
            ({"sec-fetch-site": "same-site"}, 403),
            ({"host": "evil.example"}, 400),
            ({"host": "evil.example:8766"}, 400),
            ({"host": ""}, 400),
            ({"host": "127.0.0.1:8766"}, 200),
            ({"host": "[::1]:8766"}, 200),
        ],
    )
    def test_only_this_page_writes(
        self, photos: PhotoSet, headers: dict[str, str], status: int
    ) -> None:
        with client_of(photos) as client:
            answer = client.put("/api/photos/1/labels", json=saying(), headers=headers)
        assert answer.status_code == status
        assert (photos.photo(1).labels is not None) is (status == 200)

    def test_other_machines_need_the_code(self, photos: PhotoSet) -> None:
        with client_of(photos, host="192.168.1.20", code="12345678") as client:
            assert client.get("/").status_code == 200
            assert client.get("/static/base.css").status_code == 200
            assert client.get("/api/photos").status_code == 401
            assert client.get("/api/photos/1/picture").status_code == 401
            client.post("/api/join", content="00000000")
            assert client.get("/api/photos").status_code == 401
            client.post("/api/join", content="12345678")
            assert client.get("/api/photos").status_code == 200
            client.cookies.clear()
            client.post("/api/join", content="00000000")
            answers = [client.get("/api/photos").status_code for _ in range(30)]
            assert answers[-1] == 429
        with client_of(photos, code="12345678") as client:
            assert client.get("/api/photos").status_code == 200, "this machine needs none"

    def test_bodies_have_a_limit(self, photos: PhotoSet) -> None:
        with client_of(photos) as client:
            long = b"x" * (256 * 1024 + 1)
            assert client.put("/api/photos/1/labels", content=long).status_code == 413

            def endless() -> Iterator[bytes]:
                for _ in range(40):
                    yield b"x" * 16384

            with pytest.raises((httpx.HTTPError, RuntimeError)):
                client.put("/api/photos/1/labels", content=endless()).raise_for_status()
        assert photos.photo(1).labels is None

    def test_headers_of_safety(self, photos: PhotoSet) -> None:
        with client_of(photos) as client:
            page = client.get("/")
            assert "script-src 'self' 'sha256-" in page.headers["content-security-policy"]
            assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
            for path in ("/", "/api/photos", "/api/photos/1/picture", "/static/base.css"):
                assert client.get(path).headers["x-content-type-options"] == "nosniff"


class _Blind:
    """A recognizer that sees nothing."""

    def read(self, frames: Any) -> Reading:
        del frames
        return Reading((), None, Decision.ASK, "nothing there")


def test_the_model_looks_while_the_page_is_open(photos: PhotoSet, until: Until) -> None:
    proposer = Proposer(photos, load=lambda: (_Blind(), "blind-1"))
    with client_of(photos, proposer=proposer) as client:
        until(lambda: client.get("/api/photos").json()["model"]["state"] == "idle")
        proposal = client.get("/api/photos/2").json()["proposal"]
        assert proposal == {"model": "blind-1", "pigs": [], "contact": None}
    assert photos.photo(1).labels is None


def test_the_document_of_the_interface_holds(photos: PhotoSet) -> None:
    """Whatever is sent by the document's own rules, and against them, no answer is a 500."""
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    app = create_app(photos)
    schema = schemathesis.openapi.from_asgi("/openapi.json", app, headers={"host": "localhost"})
    for operation in schema.get_all_operations():
        _try(operation.ok().as_strategy())


def _try(strategy: Any) -> None:
    from hypothesis import HealthCheck, Phase, given, settings

    @settings(
        max_examples=15,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        database=None,
    )
    @given(case=strategy)
    def never_breaks(case: Any) -> None:
        answer = case.call(headers={"host": "localhost"})
        assert answer.status_code < 500, (case, answer.text)

    never_breaks()
