"""What the full screen says around the board."""

from __future__ import annotations

from collections.abc import Collection
from gettext import NullTranslations

from rich.cells import cell_len
from rich.text import Text
from textual.dom import DOMNode
from textual.widgets import Static

from tic_tac_toe.logic.rules.traits import Traits, traits_of

from ..table.driver import Driver, LongThought
from ..table.looking_back import LookingBack, tell_past
from ..table.move_list import rows_of
from ..table.table import Table
from ..table.telling import tell_below, tell_status
from ..words.game_text import describe_score
from ..words.rules_text import describe_rules, variant_title
from ..words.translation import in_a_row
from .choices import choice_line, has_choices
from .keys import key_line
from .words import describe_players, describe_values, lines_of

#: The columns that stay free in the line with the game and the players.
SPACE = 4


class Readout:
    """Writes the words on a screen.

    Args:
        screen: what holds the parts.
        past: how people look back at the game.
        thought: the computer's, which is measured if it is long.
        wide: screens of at least so many columns have the rules beside the name of the game.
    """

    def __init__(
        self,
        screen: DOMNode,
        table: Table,
        driver: Driver,
        past: LookingBack,
        thought: LongThought,
        wide: int,
    ) -> None:
        self._screen = screen
        self._table = table
        self._driver = driver
        self._past = past
        self._thought = thought
        self._wide = wide

    def show(self, language: NullTranslations, width: int, useless: Collection[str]) -> None:
        """Write everything as it is now.

        Args:
            width: the columns of the screen.
            useless: actions of keys that would do nothing now.
        """
        table, advice = self._table, self._driver.advice
        choice = self._screen.query_one("#choice", Static)
        choice.display = has_choices(table.state.rules)
        choice.update(choice_line(table, advice, language, width), layout=False)
        self._write("title", self._title(language, width))
        self._write("players", self._players(language, width))
        signs = describe_values(table.state.rules, language)
        reviewed = [*filter(None, [table.remark]), *self._past.tell(language)]
        if table.replay.ply is not None:
            status, words = tell_past(table.match, table.replay, language), reviewed
        else:
            status = tell_status(table, language)
            if self._thought.share is not None:
                status = f"{status} {self._thought.share:.0%}"
            told = tell_below(table, advice, language, signs, table.remark)
            words = reviewed if self._past.review.is_on else told
        self._write("words", Text("\n\n").join([Text(status, "bold"), *map(Text, words)]))
        self._write("line", Text.assemble((status, "bold"), "  ", in_a_row(words, language)))
        self._write("score", Text(describe_score(table.score, table.state.rules, language)))
        moment = None if table.replay.ply is None else table.replay.moment(table.match)
        moves = lines_of(rows_of(table.match, moment), self._past.review.signs)
        self._write("moves", Text(moves or language.gettext("No moves yet.")))
        if moment is None:
            self._screen.query_one("#history").scroll_end(animate=False)
        keys = key_line(language, width, useless)
        self._screen.query_one("#keys", Static).update(keys, layout=False)

    def _write(self, name: str, text: Text) -> None:
        """Write only what has changed, because each update costs a layout."""
        part = self._screen.query_one(f"#{name}", Static)
        if part.content != text:
            part.update(text)

    def _title(self, language: NullTranslations, width: int) -> Text:
        rules = self._table.state.rules
        title = Text(variant_title(rules, language), style="bold")
        if width >= self._wide:
            title.append(f"  {describe_rules(rules, language)}", style="not bold")
        return title

    def _players(self, language: NullTranslations, width: int) -> Text:
        """Return the players; nothing where their names would leave no room for the game's."""
        rules = self._table.state.rules
        players = Text(describe_players(self._table, language))
        taken = cell_len(variant_title(rules, language)) + players.cell_len
        is_long = traits_of(rules).sides != Traits().sides and taken + SPACE > width
        return Text() if is_long else players
