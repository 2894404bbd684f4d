"""What the window shows of the game at its table."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from dataclasses import dataclass, field
from gettext import NullTranslations

from tic_tac_toe.game.looks import Look
from tic_tac_toe.game.signs import SIGNS

from ..table.driver import Driver, LongThought
from ..table.looking_back import LookingBack
from ..table.looks import Looks
from ..table.table import Offer, Table, offer_after
from ..table.telling import tell_analysis, tell_hint, tell_situation
from ..words.game_text import next_level_title
from ..words.rules_text import variant_title
from ..words.translation import in_a_row
from ..words.worth_text import VALUES_LEGEND
from .commands import COMMANDS, OFFERS, Group, groups_of
from .scene import Picture
from .view import View


@dataclass
class Settings:
    """What people chose besides the game.

    Attributes:
        theme: the colours, of `THEMES`.
        looks: how boards are drawn.
        moves, names: whether the moves are listed, and whether rows and columns have names.
    """

    language: NullTranslations
    theme: str
    looks: Looks = field(default_factory=Looks)
    moves: bool = False
    names: bool = True


class Showing:
    """Shows a table in a view.

    Args:
        past: how people look back at the game.
        variables: what is marked in menus, by the names of groups and switches.
    """

    def __init__(
        self,
        table: Table,
        driver: Driver,
        past: LookingBack,
        settings: Settings,
        variables: Mapping[str, tk.StringVar],
    ) -> None:
        self._table = table
        self._driver = driver
        self._past = past
        self._settings = settings
        self._variables = variables
        self._thought = LongThought(driver)

    @property
    def look(self) -> Look:
        """How the board is drawn."""
        return self._settings.looks.of(self._table.state.rules)

    def groups(self) -> dict[str, Group]:
        """Return what can be chosen, and what is."""
        table, settings = self._table, self._settings
        others = table.opponents.brains
        return groups_of(table.setup, settings.theme, self.look, settings.language, others)

    def show(self, view: View) -> None:
        """Show everything as it is now."""
        table, language, advice = self._table, self._settings.language, self._driver.advice
        match, replay = table.match, table.replay
        view.root.title(variant_title(table.state.rules, language))
        self.mark_switches(view)
        told, offer = self._told(), offer_after(table)
        possible = {
            **advice.possible,
            **self._past.possible,
            "resign": match.turn is not None and bool(table.people),
            "next": offer is not None,
            "now": self._thought.progress is not None,
        }
        view.show(table, self._past.review.signs, possible, self.groups(), self.look)
        view.offer({name: self._title(name, offer) for name in OFFERS if possible[name]})
        view.board.show(
            Picture(
                replay.state(match),
                replay.last_cell(match),
                self._past.better or advice.best,
                advice.values,
                self.look,
                self._settings.names,
            ),
            letter=table.letter,
            active=not match.over and table.thinker is None and replay.ply is None,
        )
        view.say(self._table.remark or in_a_row(told, language))

    def look_at_thought(self, view: View) -> None:
        """Show how far the computer's thought has come, and that it can be ended."""
        if self._thought.look():
            self.show(view)
        view.offers.measure(self._thought.share)

    def mark_switches(self, view: View) -> None:
        """Mark what is on, in the menus and at the buttons."""
        states = {
            "analysis": self._driver.advice.analysing,
            "moves": self._settings.moves,
            "names": self._settings.names,
        }
        for name, is_on in states.items():
            self._variables[name].set("on" if is_on else "")
        view.press(states)

    def _told(self) -> list[str]:
        """Return what stands below the status."""
        table, language, advice = self._table, self._settings.language, self._driver.advice
        if (told := self._past.tell(language)) or table.replay.ply is not None:
            return told
        hint = tell_hint(advice, table.state, language)
        legend = language.gettext(VALUES_LEGEND).format(**SIGNS)
        analysis = tell_analysis(advice, language, legend)
        sentences = [*(hint or tell_situation(table, language)), *analysis]
        return [*dict.fromkeys(sentences)]

    def _title(self, name: str, offer: Offer | None) -> str:
        """Return what the button of an offer says."""
        language = self._settings.language
        if name == "next" and offer is not None:
            return next_level_title(offer.level, language, offer.setup.rules)
        if name == "play-on" and self._past.has_own_fault:
            return language.gettext("Try another move")
        signs = {"fault-back": "< ?", "fault-on": "? >"}
        return signs.get(name) or language.gettext(COMMANDS[name].title)
