"""The list of finished games on this device, with results by game and level."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from gettext import NullTranslations
from itertools import takewhile
from typing import Any

import js

from tic_tac_toe.game.match import Match
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules.catalogue import find_rules

from ....program.process import Refused
from ....table.table import Setup, Table
from ....words.game_text import describe_end, player_title
from ....words.rules_text import variant_title
from ....words.translation import N_, code_of
from ..dom import (
    ConfirmButton,
    Dialog,
    by_id,
    delete_item,
    load_item,
    make,
    on,
    options,
    save_item,
    set_text,
)
from ..history import FinishedGame, finished_at, read_history, results, write_history
from ..links import LinkedGame, read_link
from .settings import DELETE

#: The key of the games in the browser's storage.
KEPT = "history"
#: The results of games in the list.
OUTCOMES: Mapping[str, str] = {"win": N_("won"), "draw": N_("drawn"), "loss": N_("lost")}


class PastGames:
    """Stores, lists and reopens finished games."""

    def __init__(
        self, language: Callable[[], NullTranslations], open_game: Callable[[LinkedGame], object]
    ) -> None:
        self._language, self._open_game = language, open_game
        self._dialog = Dialog("past-games", "history-open", self.show)
        self._list = by_id("history")
        self._results = by_id("history-results")
        self._games = read_history(load_item(KEPT) or "")
        #: The listed games; empty before the list was opened.
        self._shown: list[FinishedGame] = []
        #: The last stored match, and its entry.
        self._match: Match | None = None
        self._last: FinishedGame | None = None
        by_id("history-open").hidden = not self._games
        on(self._list, "click", self._click)
        ConfirmButton("history-clear", DELETE, language, self._ask_to_delete)

    def add(self, table: Table) -> None:
        """Store the finished game at a table; one that ends again after an undo is replaced."""
        # Another tab may have stored games meanwhile.
        self._games = read_history(load_item(KEPT) or "") or self._games
        if table.match is self._match and self._games and self._games[0] == self._last:
            self._games.pop(0)
        self._match, self._last = table.match, finished_at(table, int(js.Date.now()))
        self._games.insert(0, self._last)
        save_item(KEPT, write_history(self._games))
        by_id("history-open").hidden = False

    def wins_in_a_row(self, table: Table) -> int:
        """Return the person's last wins in this game against this opponent, the present one too."""
        if table.outcome != "win":
            return 0
        now = finished_at(table, 0)
        before = self._games[1:] if table.match is self._match else self._games
        same = (game for game in before if (game.game, game.opponent) == (now.game, now.opponent))
        return 1 + sum(1 for _ in takewhile(lambda game: game.outcome == "win", same))

    def delete_all(self) -> None:
        """Delete all games."""
        delete_item(KEPT)
        self._games, self._last, self._match = [], None, None
        by_id("history-open").hidden = True

    def show(self) -> None:
        """Update the list."""
        by_id("history-open").hidden = not self._games
        self._shown = self._games[:]
        self._show_results()
        self._list.replaceChildren(*(self._item(at) for at in range(len(self._shown))))

    def _show_results(self) -> None:
        language = self._language()
        message = language.gettext("{game}, {level}: {won} won, {drawn} drawn, {lost} lost")
        lines = [
            message.format(
                game=variant_title(find_rules(game), language),
                level=player_title(level, language, find_rules(game)),
                won=counts["win"],
                drawn=counts["draw"],
                lost=counts["loss"],
            )
            for (game, level), counts in results(self._shown).items()
        ]
        self._results.replaceChildren(*(make("li", line) for line in lines))

    def _item(self, at: int) -> Any:
        """Return the element of a game."""
        game, language = self._shown[at], self._language()
        day = js.Intl.DateTimeFormat.new(
            code_of(language), options(dateStyle="medium", timeStyle="short")
        )
        words = [variant_title(game.rules, language), _opponent(game, language)]
        about = " · ".join([*words, _outcome(game, language), str(day.format(game.when))])
        item, text = make("li"), make("span", about, id=f"past-{at}")
        name = language.gettext("Open")
        button = make("button", name, type="button", id=f"past-open-{at}")
        button.dataset.past = at
        button.setAttribute("aria-labelledby", f"past-open-{at} past-{at}")
        item.append(text, button)
        return item

    def _click(self, event: Any) -> None:
        if at := event.target.getAttribute("data-past"):
            try:
                linked = read_link(self._shown[int(at)].link, Setup(), self._language())
            except Refused as refusal:  # another program wrote it
                set_text(by_id(f"past-{at}"), str(refusal))
            else:
                self._dialog.close()
                self._open_game(linked)

    def _ask_to_delete(self) -> None:
        self.delete_all()
        self._dialog.close()


def _opponent(game: FinishedGame, language: NullTranslations) -> str:
    if game.opponent:
        return player_title(game.opponent, language, game.rules)
    return " – ".join(player_title(name, language, game.rules) for name in (game.x, game.o))


def _outcome(game: FinishedGame, language: NullTranslations) -> str:
    if game.outcome:
        return language.gettext(OUTCOMES[game.outcome])
    winner = Mark(game.winner) if game.winner else None
    return describe_end(winner, game.rules, language, cheer=False).removesuffix(".")
