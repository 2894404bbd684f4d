"""Readers of sentences about moves, each made from the templates of one language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from gettext import NullTranslations
from typing import NamedTuple

from tic_tac_toe.insight.facts import KINDS
from tic_tac_toe.logic.models import MARKS
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe_frontends.words.rules_text import Drawn, side_title

#: A cell by its name, with its layer or small board or the letter placed there, else a column.
CELL = r"[XO]?\d*[A-Z]+\d+|\d+"
NAMES = (
    "column {column}",
    "row {row} from the bottom of column {column}",
    "the swap",
    "{mark} {move}",
)
LINES = ("a line of {count}",)
JOINTS = ("{first}, or {last}", "{first} or {last}", "{first} and {last}", "{first}, {last}")
SIDES, NUMBERS = ("side", "other", "mark"), ("count", "good", "row", "column")


class Reading(NamedTuple):
    """What a sentence says: the code of its fact, and its parameters by their places."""

    code: str
    parts: Mapping[str, tuple[str, ...]]


class Reader:
    """Reads sentences by the templates of a language alone.

    Args:
        language: whose templates they are.
        rules: of the game, for the names of its sides.
        drawn: the board, for the same.
    """

    def __init__(self, language: NullTranslations, rules: Rules, drawn: Drawn) -> None:
        self._language = language
        self._sides = [side_title(rules, mark, language, drawn.look) for mark in MARKS]
        self._kinds = {
            code: self._pattern(language.gettext(kind.sentence)) for code, kind in KINDS.items()
        }
        self._names = {text: self._pattern(language.gettext(text)) for text in (*NAMES, *LINES)}
        self._joints = {self._joint(text): text for text in JOINTS}
        longest_first = sorted(map(re.escape, self._joints), key=len, reverse=True)
        self._between = re.compile("|".join(longest_first))

    def read(self, sentence: str) -> list[Reading]:
        """Return all that a sentence can mean: just one thing, if it is well said."""
        return list(self._readings(sentence))

    def _readings(self, sentence: str) -> Iterator[Reading]:
        begun = f"{sentence[:1].lower()}{sentence[1:]}"  # where it begins with a column
        for code, pattern in self._kinds.items():
            for found in filter(None, map(pattern.fullmatch, {sentence, begun})):
                parts = {name: self._part(name, text) for name, text in found.groupdict().items()}
                if all(parts.values()):
                    yield Reading(code, parts)

    def _part(self, name: str, text: str) -> tuple[str, ...]:
        """Return a parameter as names and the joints between them; empty if it is none."""
        if name in SIDES:
            return (str(self._sides.index(text)),)
        if name in NUMBERS:
            return (text,)
        if name == "line":
            return tuple(self._named(text, LINES, rf"({CELL})-({CELL})"))
        joints = [self._joints[each] for each in self._between.findall(text)]
        names = [self._name(each) for each in self._between.split(text)]
        if not all(names):
            return ()
        return tuple(each for pair in zip(names, [*joints, ""]) for each in pair if each)

    def _name(self, text: str) -> str:
        """Return the name of a move or a cell in English; empty if it is none."""
        found = self._named(text, NAMES, CELL)
        return found[0] if len(found) == 1 else ""

    def _named(self, text: str, templates: Iterable[str], plain: str) -> list[str]:
        """Return what a text can mean: messages in English with their parts, or the text itself."""
        found = [text] if re.fullmatch(plain, text) else []
        for template in templates:
            if match := self._names[template].fullmatch(text):
                parts = {name: self._part(name, told) for name, told in match.groupdict().items()}
                found += [template.format(**{name: told[0] for name, told in parts.items()})]
        return found

    def _joint(self, template: str) -> str:
        return self._language.gettext(template).format(first="", last="")

    def _pattern(self, template: str) -> re.Pattern[str]:
        """Return the pattern of a template, in which a place that comes again has the same text."""
        sides = "|".join(map(re.escape, self._sides))
        made, seen = "", set[str]()
        for i, part in enumerate(re.split(r"\{(\w+)\}", template)):
            if i % 2 == 0:
                made += re.escape(part)
            elif part in seen:
                made += f"(?P={part})"
            else:
                seen.add(part)
                form = sides if part in SIDES else r"\d+" if part in NUMBERS else ".+"
                made += f"(?P<{part}>{form})"
        return re.compile(made)
