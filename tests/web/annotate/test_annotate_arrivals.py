"""Pictures and videos come in by the page."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vision.photos.labels import Labels
from vision.photos.photo_set import PhotoSet

MakeSet = Callable[..., tuple[Path, list[int]]]
LabelsOf = Callable[[Path, int], Labels]


def test_pictures_and_videos_are_dropped_in(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    table_picture: Callable[..., bytes],
    tmp_path: Path,
    labels_of: LabelsOf,
) -> None:
    folder, _ = make_set(0)
    desk = open_page(serve(folder).url, may_fail=True)
    assert desk.page.locator(".empty").count() == 1
    made = tmp_path / "made"
    made.mkdir()
    film(made / "evening.mp4", table_picture)
    (made / "a.png").write_bytes(table_picture(1, []))
    (made / "twice.png").write_bytes(table_picture(1, []))
    (made / "broken.jpg").write_bytes(b"\xff\xd8\xffnothing")
    desk.page.get_by_role("button", name="Add pictures").first.click()
    desk.page.get_by_label("Session").fill("friday")
    desk.page.locator("input[type=file]").set_input_files(sorted(str(p) for p in made.iterdir()))
    desk.page.wait_for_selector("dialog .problems li:has-text('broken.jpg')")
    desk.page.wait_for_selector("dialog p:has-text('evening.mp4: 3 stills')")
    desk.press("Escape")
    desk.page.wait_for_selector(".view[data-photo]:not([data-photo=''])")
    with PhotoSet.open(folder) as photos:
        found = photos.photos()
        assert {p.session for p in found} == {"friday"}
        stills = [p for p in found if p.origin.startswith("video evening.mp4 at")]
        assert len(stills) == 3
        assert len(found) == 4
    assert list((folder / ".sooee-cache" / "videos").iterdir()) == []
    drop = """async ([data, name]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(data)], name, {type: 'image/png'}));
        const options = {dataTransfer: transfer, bubbles: true, cancelable: true};
        for (const kind of ['dragenter', 'dragover', 'drop'])
            window.dispatchEvent(new DragEvent(kind, options));
    }"""
    desk.page.evaluate(drop, [list(table_picture(77, [])), "dropped.png"])
    desk.page.wait_for_selector(".notice:has-text('1 picture added')")
    desk.page.wait_for_selector(".thumb[title^='dropped.png']")


def film(path: Path, table_picture: Callable[..., bytes]) -> None:
    """Make a video in which something lies still three times, with movement between."""
    import cv2
    import numpy as np
    from PIL import Image

    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 30, (320, 240))
    rng = np.random.default_rng(5)
    spots = [(40, 40), (200, 60), (120, 160)]
    for n, (x, y) in enumerate(spots):
        for k in range(45):
            shake = (15 - k) * 4 if k < 15 else 0
            at = (x + shake * (1 if k % 2 else -1) // 2 + 20, y + shake // 3)
            png = table_picture(9, [(at[0], at[1], at[0] + 50, at[1] + 36)], (320, 240))
            image = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))[:, :, ::-1]
            noise = rng.integers(-2, 3, image.shape)
            writer.write(np.clip(image.astype(int) + noise, 0, 255).astype(np.uint8))
        del n
    writer.release()
