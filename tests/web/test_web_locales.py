"""The languages and the vendored files: complete, consistent, unchanged."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from scoring.effects import Effect, Landing
from scoring.rulefile import load_variant, variant_names
from scoring.rules import OPTION_KINDS, MishapPolicy
from scoring.state import Ending
from scoring.throw import Pose
from vision.table.advice import Problem
from vision.table.state import TableState
from vision.web.annotate_troubles import KEYS as WHY
from vision.web.app import _STATUS
from vision.web.camera_view import CameraMode
from vision.web.errors import PageError
from vision.web.page import LOCALES, STATIC
from vision.web.question import QuestionKind
from vision.web.reasons import KEYS

CATALOGUES = {p.stem: json.loads(p.read_text(encoding="utf-8")) for p in LOCALES.glob("*.json")}
MINE = [p for p in STATIC.rglob("*.js") if "annotate" not in p.parts and "vendor" not in p.parts]
PLURAL = re.compile(r"_(zero|one|two|few|many|other)$")


def flat(code: str) -> dict[str, str]:
    """A catalogue as one mapping from whole key to text."""
    return {f"{s}.{k}": text for s, keys in CATALOGUES[code].items() for k, text in keys.items()}


def known(key: str) -> bool:
    """Whether English has the key, in itself or in its plural forms."""
    return key in flat("en") or f"{key}_other" in flat("en")


@pytest.mark.parametrize("code", sorted(set(CATALOGUES) - {"en"}))
def test_every_language_has_every_text_with_the_same_places_to_fill(code: str) -> None:
    english, other = flat("en"), flat(code)
    bare = {PLURAL.sub("", key) for key in english}
    assert bare == {PLURAL.sub("", key) for key in other}
    for key, text in other.items():
        assert text.strip(), key
        model = english.get(key) or english[PLURAL.sub("_other", key)]
        assert set(re.findall(r"{(\w+)}", text)) == set(re.findall(r"{(\w+)}", model)), key


def test_english_and_danish_differ_where_they_should() -> None:
    english, danish = flat("en"), flat("da")
    same = [k for k in english if english[k] == danish.get(k) and len(english[k]) > 14]
    assert [k for k in same if "{" not in english[k]] == []


@pytest.mark.parametrize("path", MINE, ids=lambda p: p.name)
def test_every_text_that_a_module_asks_for_is_there(path: Path) -> None:
    source = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    asked = re.findall(r"""\bt\(\s*["']([a-zA-Z]+\.[\w.]+)["']""", source)
    asked += re.findall(r"""["']((?:error|join|new|welcome|shell)\.[\w.]+)["']""", source)
    assert [key for key in asked if not known(key)] == []


@pytest.mark.parametrize("path", MINE, ids=lambda p: p.name)
def test_no_module_holds_words_of_its_own(path: Path) -> None:
    source = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    between = re.findall(r">\s*([A-Z][a-z]+(?: [a-z]+)*)\s*<", source)
    attributes = re.findall(
        r"""(?:aria-label|title|placeholder|alt)=["']([A-Z][^"']+)["']""", source
    )
    assert [w for w in between + attributes if w != "Sooee"] == []


def test_whatever_the_game_can_say_has_words() -> None:
    wanted = [f"landing.{x}" for x in Landing]
    wanted += [f"effect.{x}" for x in Effect]
    wanted += [f"end.{x}" for x in Ending]
    wanted += [f"common.pose.{x}" for x in Pose]
    wanted += [f"state.{x}" for x in TableState]
    wanted += [f"camera.mode.{x}" for x in CameraMode]
    wanted += [f"question.{x}" for x in QuestionKind]
    wanted += [f"reason.{x}" for x in KEYS if x != "other"]
    wanted += [f"error.{code}" for _, _, code in _STATUS]
    wanted += [f"aim.{x}" for x in Problem]
    wanted += [f"variant.{name}" for name in variant_names()]
    wanted += [f"option.{name}.{v}" for name, kind in OPTION_KINDS.items() for v in kind]
    wanted += [f"option.{name}.{v}.how" for name, kind in OPTION_KINDS.items() for v in kind]
    wanted += [f"news.throw.{x}" for x in (*Effect, "last")]
    wanted += [f"news.settled.{x}" for x in ("right", "wrong", "nothing")]
    wanted += [f"option.dieOff.{x}" for x in MishapPolicy]
    wanted += [f"annotate.why.{x}" for x in WHY]
    wanted += [f"error.{x.code}" for x in PageError.__subclasses__()]
    assert [key for key in wanted if not known(key)] == []


def test_danish_says_whom_pigs_touch_and_has_one_word_for_banking() -> None:
    danish = flat("da")
    touching = {k: text for k, text in danish.items() if re.search(r"\brør(?:er|te)\b", text)}
    assert len(touching) > 5
    assert [k for k, text in touching.items() if "hinanden" not in text] == []
    acts = [*(k for k in danish if k.startswith(("entry.", "news.", "advice.", "settings.")))]
    stops = [k for k in acts if re.search(r"\bstop(?:pe\w*|pet)?\b", danish[k].lower())]
    assert stops == []
    titles = [load_variant(name).title_in("da") for name in variant_names()]
    assert len({re.sub(r"\W", "", title).lower() for title in titles}) == len(titles)
    assert {"Kaste gris", "Kastegris"}.isdisjoint(titles)


def test_vendored_files_are_the_published_ones() -> None:
    folder = STATIC / "vendor"
    rows = re.findall(
        r"^\| (\S+) \| [^|]+ \| [^|]+ \| [^|]*\(\[text\]\((\S+)\)\) \| (\w{64}) \|",
        (folder / "VENDOR.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    listed = {name for name, _, _ in rows}
    there = {p.name for p in folder.iterdir() if p.is_file() and p.name != "VENDOR.md"}
    assert there == listed
    for name, licence, digest in rows:
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name
        assert (folder / licence).is_file(), licence


def test_the_page_asks_nobody_else() -> None:
    for path in [*MINE, *STATIC.glob("*.css"), STATIC / "index.html"]:
        addresses = re.findall(r"https?://[\w.-]+", path.read_text(encoding="utf-8"))
        assert [a for a in addresses if "w3.org" not in a] == [], path.name


def test_every_module_that_the_page_needs_first_is_announced() -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    announced = set(re.findall(r'modulepreload" href="/static/([^"]+)"', page))
    needed, waiting = set(), ["app.js"]
    while waiting:
        name = waiting.pop()
        if name in needed:
            continue
        needed.add(name)
        source = (STATIC / name).read_text(encoding="utf-8")
        waiting += re.findall(
            r'^import .*? from "/static/([^"]+)";', source, re.MULTILINE | re.DOTALL
        )
        waiting += re.findall(r'} from "/static/([^"]+)";', source)
    assert needed <= announced
