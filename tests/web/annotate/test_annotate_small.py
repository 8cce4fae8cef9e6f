"""Small boxes on a small screen: the pig is seen, and every name can be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vision.photos.photo_set import PhotoSet
from vision.photos.proposal import Proposal

MakeSet = Callable[..., tuple[Path, list[int]]]
BOXES = [(1010.0, 560.0, 1110.0, 650.0), (690.0, 530.0, 780.0, 600.0)]
NEAR = [(1010.0, 560.0, 1110.0, 650.0), (900.0, 560.0, 990.0, 650.0)]

# Names, handles and boxes as they lie on the screen; the handles of the chosen pig only.
DRAWN = """async () => {
    const {canvas} = await import('/static/annotate/canvas.js');
    const edges = node => { const {x, y, width, height} = node.getClientRect({skipStroke: true});
        return [x, y, x + width, y + height]; };
    const {boxes, handles, stage} = canvas.value;
    return {
        names: boxes.find('Label').map(edges),
        pigs: boxes.find('Rect').filter(r => r.id()).map(edges),
        chosen: handles.nodes().map(edges)[0] ?? null,
        handles: handles.find('Rect').filter(r => r.hasName('_anchor') && r.visible()).map(edges),
        view: [0, 0, stage.width(), stage.height()],
    };
}"""


def shared(a: list[float], b: list[float]) -> float:
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    return max(0.0, width) * max(0.0, height)


@pytest.mark.parametrize("boxes", [BOXES, NEAR], ids=["apart", "near"])
@pytest.mark.parametrize("size", [(390, 844), (640, 400)], ids=str)
@pytest.mark.parametrize("locale", ["en-GB", "da-DK"])
def test_neither_handles_nor_names_hide_a_pig(
    make_set: MakeSet,
    serve: Callable[..., Any],
    open_page: Callable[..., Any],
    propose: Callable[..., Proposal],
    size: tuple[int, int],
    locale: str,
    boxes: list[tuple[float, float, float, float]],
) -> None:
    folder, (photo_id,) = make_set(1, size=(1920, 1080))
    with PhotoSet.open(folder) as photos:
        pigs = list(zip(boxes, ("trotter", "dot_down"), strict=True))
        photos.propose(photo_id, propose(pigs, "apart"))
    width, height = size
    desk = open_page(serve(folder).url, locale=locale, viewport={"width": width, "height": height})
    desk.at(photo_id)
    for chosen in range(2):
        desk.press("e")
        desk.page.wait_for_selector(".panel .pig[aria-pressed=true]", state="attached")
        drawn = desk.page.evaluate(DRAWN)
        names, view = drawn["names"], drawn["view"]
        assert len(names) == len(drawn["pigs"]) == 2
        assert shared(*names) == 0, (chosen, names)
        for name in names:
            assert all(shared(name, pig) == 0 for pig in drawn["pigs"]), (chosen, name)
            inside = shared(name, view)
            assert inside == pytest.approx((name[2] - name[0]) * (name[3] - name[1]))
        x0, y0, x1, y1 = drawn["chosen"]
        assert drawn["handles"]
        hidden = sum(shared(handle, drawn["chosen"]) for handle in drawn["handles"])
        assert hidden < 0.1 * (x1 - x0) * (y1 - y0)
