"""Many look at the camera's picture: one that takes its time waits alone."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from websockets.sync.client import ClientConnection, connect


def picture(viewer: ClientConnection) -> Any:
    """The next picture that a viewer is sent."""
    data = viewer.recv(timeout=120, decode=False)
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def test_a_viewer_that_takes_its_time_slows_nobody_and_goes_on_with_the_newest(
    open_house: Any, live_table: Any, colours: Any, until: Any
) -> None:
    house = open_house(colours, feeds={"table": lambda: live_table})
    house.start()
    house.place.cameras.choose("table")
    url = house.url.replace("http", "ws") + "ws/camera"
    with connect(url, open_timeout=120) as slow, connect(url, open_timeout=120) as quick:
        before = picture(slow)  # and it is never told that this was taken
        for _ in range(10):
            assert picture(quick).shape == before.shape
            quick.send("taken")
        live_table.throw("trotter", "snouter")
        until(lambda: house.game["turn_points"] == 15)
        for _ in range(10):
            now = picture(quick)
            quick.send("taken")
        with pytest.raises(TimeoutError):
            slow.recv(timeout=0)
        slow.send("taken")
        late = picture(slow)
    far = [float(np.abs(late.astype(float) - p).mean()) for p in (now, before)]
    assert far[0] < far[1]  # the pigs are there: nothing in between was kept for it
