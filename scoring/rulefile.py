"""Rules from TOML and from plain data, checked key by key, and back to plain data."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from scoring.effects import Effect
from scoring.rules import OPTION_KINDS, OPTIONS, DicePoints, PigPoints, Rules, RulesError

SCHEMA = 1
ENDLESS = "endless"
_DEFAULT_TARGETS: tuple[int | None, ...] = (50, 100, 200, None)
_TOP_KEYS = ("schema", "title", "targets", "options", "pigs", "dice")
_PIG_KEYS = ("sider", "razorback", "trotter", "snouter", "leaning_jowler", "double")
_DICE_KEYS = ("dice", "losing_face", "doubles", "double_losing")


@dataclass(frozen=True, slots=True)
class Variant:
    """A game to choose: its rules, its name by language code, and the targets a dialog offers.

    A target of None is an endless game.
    """

    rules: Rules
    title: tuple[tuple[str, str], ...]
    targets: tuple[int | None, ...] = _DEFAULT_TARGETS

    @property
    def name(self) -> str:
        """The name in commands and files."""
        return self.rules.variant

    def title_in(self, language: str) -> str:
        """Return the name for people; English where the language is missing."""
        titles = dict(self.title)
        return titles.get(language, titles.get("en", self.name))


@cache
def variant_names() -> tuple[str, ...]:
    """Name every game that comes with the program, in alphabetical order."""
    folder = files("scoring") / "variants"
    return tuple(sorted(p.name[:-5] for p in folder.iterdir() if p.name.endswith(".toml")))


def load_variant(name: str) -> Variant:
    """Read a game by name, or by the path of a TOML file; `RulesError` names key and line."""
    if name in variant_names():
        return _shipped(name)
    path = Path(name)
    if path.suffix != ".toml":
        raise RulesError(
            f"no game {name!r}; games are {', '.join(variant_names())}, or a path to a .toml file"
        )
    try:
        # With or without the mark that older editors of Windows begin a file with.
        return parse_variant(path.read_text(encoding="utf-8-sig"), path.stem, str(path))
    except OSError as error:
        raise RulesError(f"cannot read the rule file {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise RulesError(f"the rule file {path} is no text: {error.reason}") from error


@cache
def _shipped(name: str) -> Variant:
    text = (files("scoring") / "variants" / f"{name}.toml").read_text(encoding="utf-8")
    return parse_variant(text, name, f"{name}.toml")


def load_rules(name: str = "classic", **options: object) -> Rules:
    """Return the rules of a game by name or path, some of its options changed."""
    rules = load_variant(name).rules
    return rules.with_options(**options) if options else rules


def parse_variant(text: str, name: str, source: str) -> Variant:
    """Read one game from TOML text; `source` is what errors call it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"{source}: not TOML: {error}") from error

    def fail(key: str, message: str) -> RulesError:
        line = _line_of(text, key)
        return RulesError(f"{source}, line {line}: {message}" if line else f"{source}: {message}")

    _only(data, _TOP_KEYS, "", fail)
    schema = data.get("schema")
    if type(schema) is not int or schema != SCHEMA:  # True is 1, and so is 1.0
        raise fail("schema", f"schema is {SCHEMA}, got {schema!r}")
    title = data.get("title", {})
    if not isinstance(title, dict) or not all(isinstance(v, str) for v in title.values()):
        raise fail("title", f"title is a table of language = text, got {title!r}")
    targets = data.get("targets", [t or ENDLESS for t in _DEFAULT_TARGETS])
    if not isinstance(targets, list) or not targets:
        raise fail("targets", f"targets is a list, got {targets!r}")
    return Variant(
        rules=_rules(data, name, fail),
        title=tuple(title.items()),
        targets=tuple(_target(t, "targets", fail) for t in targets),
    )


def rules_to_data(rules: Rules) -> dict[str, Any]:
    """Return plain data that `rules_from_data` reads back; what games carry in their log."""
    options = {name: getattr(rules, name) for name in OPTIONS}
    options["target"] = rules.target or ENDLESS
    table = "dice" if rules.uses_dice else "pigs"
    return {"variant": rules.variant, "options": options, table: asdict(rules.points)}


def rules_from_data(data: Mapping[str, Any]) -> Rules:
    """Read rules from plain data, as strictly as from a file."""

    def fail(_key: str, message: str) -> RulesError:
        return RulesError(f"rules: {message}")

    if not isinstance(data, Mapping):
        raise RulesError(f"rules: expected a table, got {data!r}")
    _only(data, ("variant", "options", "pigs", "dice"), "", fail)
    name = data.get("variant")
    if not isinstance(name, str):
        raise fail("variant", f"variant is a name, got {name!r}")
    return _rules(data, name, fail)


_Fail = Callable[[str, str], RulesError]
_T = TypeVar("_T")


def _rules(data: Mapping[str, Any], name: str, fail: _Fail) -> Rules:
    if ("pigs" in data) == ("dice" in data):
        raise fail("pigs", "expected either a [pigs] or a [dice] table")
    points: PigPoints | DicePoints
    if "pigs" in data:
        points = _checked(PigPoints, _table(data, "pigs", _PIG_KEYS, fail), "pigs", fail)
    else:
        values = _table(data, "dice", _DICE_KEYS, fail)
        if values.get("double_losing") in tuple(Effect):
            values["double_losing"] = Effect(values["double_losing"])
        points = _checked(DicePoints, values, "dice", fail)
    options = _table(data, "options", OPTIONS, fail)
    if "target" in options:
        options["target"] = _target(options["target"], "options.target", fail)
    return _checked(Rules, {"variant": name, "points": points, **options}, "options", fail)


def _table(
    data: Mapping[str, Any], name: str, keys: tuple[str, ...], fail: _Fail
) -> dict[str, Any]:
    table = data.get(name, {})
    if not isinstance(table, Mapping):
        raise fail(name, f"{name} is a table, got {table!r}")
    _only(table, keys, f"{name}.", fail)
    return dict(table)


def _only(data: Mapping[str, Any], keys: tuple[str, ...], prefix: str, fail: _Fail) -> None:
    for key in data:
        if key not in keys:
            raise fail(f"{prefix}{key}", f"unknown key {key}; expected {', '.join(keys)}")


def _target(value: object, key: str, fail: _Fail) -> int | None:
    if value == ENDLESS:
        return None
    if type(value) is not int or value < 1:
        raise fail(key, f"a target is a whole number above 0 or {ENDLESS!r}, got {value!r}")
    return value


def _checked(kind: type[_T], values: dict[str, Any], table: str, fail: _Fail) -> _T:
    """Make the type, turning its own error into one that knows the key's line."""
    try:
        return kind(**values)
    except RulesError as error:
        key = str(error).split(" ", 1)[0]
        raise fail(f"{table}.{key}", str(error)) from error


def _line_of(text: str, key: str) -> int | None:
    """Find the line of `key` or `table.key`, counted from 1; None where it is not written."""
    table, _, name = key.rpartition(".")
    current = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if heading := re.match(r"\s*\[+\s*([^\]\s]+)\s*\]+", line):
            current = heading[1]
            if key == current:
                return number
        elif current == table and re.match(rf"\s*[\"']?{re.escape(name)}[\"']?\s*=", line):
            return number
    return None


__all__ = [
    "ENDLESS",
    "OPTION_KINDS",
    "Variant",
    "load_rules",
    "load_variant",
    "parse_variant",
    "rules_from_data",
    "rules_to_data",
    "variant_names",
]
