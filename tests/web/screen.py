"""A browser window on the page, and what a person does and finds there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.web.conftest import House

SIZES = {
    "phone": (360, 740),
    "laptop": (1280, 800),
    "television": (3840, 2160),
}

# A note is shown for six seconds: on a busy machine a test may look later.
NOTES_STAY = """
    const later = window.setTimeout;
    window.setTimeout = (act, ms, ...more) => later(act, ms === 6000 ? 600000 : ms, ...more);
"""


@dataclass
class Screen:
    """One browser window on the page."""

    page: Any

    def tap(self, what: str) -> None:
        """Press the button that does something."""
        self.page.click(f"[data-do='{what}']:visible")

    def pad(self, *poses: str, pad: str = "table") -> None:
        """Enter a throw of two pigs by its two rows of buttons."""
        for row, pose in enumerate(poses):
            self.page.click(f"[data-pad='{pad}'] .pad-row:nth-child({row + 1}) [data-pose={pose}]")

    def special(self, what: str, pad: str = "table") -> None:
        self.page.click(f"[data-pad='{pad}'] [data-special={what}]")

    def score(self, player: str) -> int:
        return int(self.page.inner_text(f"[data-player='{player}'] [data-score]"))

    def wait(self, player: str, score: int) -> None:
        """Wait until a player has a score."""
        self.page.wait_for_selector(f"[data-player='{player}'] [data-score]:text-is('{score}')")

    def wait_turn(self, points: int) -> None:
        """Wait until the running turn has so many points."""
        self.page.wait_for_selector(f"[data-turn-points]:text-is('{points}')")

    def go(self, place: str) -> None:
        self.page.evaluate("place => { location.hash = `#/${place}` }", place)
        self.page.wait_for_selector(f"main.screen-{place or 'table'}")
        self.page.wait_for_selector(".loading", state="detached")

    def settle(self, place: str) -> None:
        """Go to a screen and wait until everything on it is drawn."""
        self.go(place)
        if place == "stats":
            self.page.wait_for_selector(".figure svg")
        if place == "new":
            self.page.click("details.new-options summary")

    def seen(self, house: House) -> None:
        """Wait until what others did has been on the screen long enough to be acted upon."""
        self.page.wait_for_selector(f"html[data-seen='{house.game['seq']}']", state="attached")

    def width_of(self, picture: str) -> int:
        """Wait until the first such picture has arrived, then give its width in pixels."""
        shown = self.page.locator(picture).first
        shown.evaluate("i => i.decode()")
        return int(shown.evaluate("i => i.naturalWidth"))

    def sees(self, what: str) -> bool:
        """Whether nothing lies over the middle of something, and it is on the screen."""
        found = self.page.wait_for_selector(what)
        seen = """e => { const box = e.getBoundingClientRect();
            document.querySelectorAll('.toast-place').forEach(p => p.style.pointerEvents = 'auto');
            const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            document.querySelectorAll('.toast-place').forEach(p => p.style.pointerEvents = '');
            return e.contains(top) }"""
        return bool(found.evaluate(seen))

    def hears(self, text: str) -> bool:
        """Whether a live region that is in the accessibility tree says this, sooner or later."""
        regions = "[...document.querySelectorAll('[aria-live]')]"
        self.page.wait_for_function(f"t => {regions}.some(e => e.textContent === t)", arg=text)
        tree = self.page.context.new_cdp_session(self.page).send("Accessibility.getFullAXTree")
        return any(
            not node["ignored"] and node.get("name", {}).get("value") == text
            for node in tree["nodes"]
        )

    @property
    def focus(self) -> str:
        """What has the focus, as a selector."""
        return str(
            self.page.evaluate(
                """() => { const e = document.activeElement;
                for (const [name, value] of Object.entries(e.dataset))
                    if (name !== 'stay') return `${name}=${value}`;
                return e.id || e.tagName.toLowerCase() }"""
            )
        )

    def hears_last(self, text: str) -> None:
        """Wait until what the live region says ends so."""
        live = "document.querySelector('#live').textContent"
        self.page.wait_for_function(f"t => {live}.endsWith(t)", arg=text)

    @property
    def said(self) -> str:
        """What the live region says."""
        return str(self.page.text_content("#live"))
