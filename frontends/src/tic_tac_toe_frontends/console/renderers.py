"""Output of a game at the console: drawings on a screen, or plain text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from gettext import NullTranslations
from typing import TYPE_CHECKING

from tic_tac_toe.game.renderers import Renderer
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.pictures.letters import PLAIN, Style, draw, extent, fitting_style
from tic_tac_toe.pictures.shapes import ShownMark

from ..program.terminal import NORMAL, PALE, STAND_OUT, UNDERLINED, Terminal
from ..words.explanation_text import signs_of
from ..words.game_text import (
    describe_consequences,
    describe_decision,
    describe_end,
    describe_move,
)

if TYPE_CHECKING:
    from tic_tac_toe.insight.explain import Explanation

#: The minimum number of free lines below a drawing: the last move, its consequences, the prompt and
#: an empty line.
LINES_BELOW = 5


class ConsoleRenderer(Renderer):
    """Shows states on a terminal: drawings on a cleared screen, or plain text.

    Args:
        terminal: by default the standard streams.
        language: the messages, by default English.

    Attributes:
        end_text: returns how a game ended; by default it names the side.
    """

    def __init__(
        self, terminal: Terminal | None = None, language: NullTranslations | None = None
    ) -> None:
        self.terminal = terminal or Terminal.standard()
        self.language = language or NullTranslations()
        self.end_text: Callable[[GameState], str] = self._name_winner
        self._notes: list[str] = []
        self._pinned: list[str] = []
        self._shown: GameState | None = None

    def show_with_next_board(self, text: str) -> None:
        """Keep a line for the next state, whose drawing would clear it away now."""
        self._notes.append(text)

    def pin(self, text: str) -> None:
        """Show a line; on a cleared screen show it below every state until `unpin_all`."""
        if self.terminal.fancy:
            self._pinned.append(text)
        else:
            self.terminal.show(text)

    def unpin_all(self) -> None:
        """Drop the pinned lines."""
        self._pinned.clear()

    def render(self, game_state: GameState) -> None:
        """Show a state, its last move and its consequences."""
        words, lines = [*self._notes, *self._pinned], []
        if move := self._last_move(game_state):
            lines.append(describe_move(move, self.language))
        consequences = self._consequences(game_state)
        if game_state.game_over:
            consequences += filter(None, [self.end_text(game_state)])
        self._notes.clear()
        if self.terminal.fancy:
            self.terminal.clear()
            room = self._free_lines(game_state)
            below = self.terminal.wrapped([*words, *lines, *consequences])
            if 0 < room <= len(below):  # the text is too long: show some above the drawing
                self.terminal.show_wrapped(*words)
                words, below = [], self.terminal.wrapped([*lines, *consequences])
            self._draw(game_state, {})
            if room > len(below) + 1:  # one for the prompt
                self.terminal.show()
        self.terminal.show_wrapped(*words, *lines)
        if not self.terminal.fancy:
            self.show_board(game_state)
        self.terminal.show_wrapped(*consequences)
        self._shown = game_state

    def show_board(self, game_state: GameState, written: Mapping[int, str] | None = None) -> None:
        """Show only the board; after a drawing an empty line.

        Args:
            written: signs of empty cells.
        """
        if self.terminal.fancy:
            self._draw(game_state, written or {})
            self.terminal.show()
        else:
            self.terminal.show("\n".join(draw(game_state, PLAIN, written=written or {})))

    def show_signs(self, game_state: GameState, told: Explanation | None) -> None:
        """Show the board with the signs of an explanation, if that has any beside the move."""
        if told is not None and told.marks().written:
            self.show_board(game_state, signs_of(told))

    def show_next(self, game_state: GameState) -> None:
        """Show the board, with its last move highlighted, and its consequences."""
        self.show_board(game_state)
        self.terminal.show_wrapped(*self._consequences(game_state))
        self._shown = game_state

    def _style(self, rules: Rules) -> Style:
        columns, lines = self.terminal.size
        return fitting_style(rules, columns, lines - LINES_BELOW)

    def _free_lines(self, game_state: GameState) -> int:
        rules = game_state.rules
        return self.terminal.size[1] - extent(rules, self._style(rules))[1]

    def _draw(self, game_state: GameState, written: Mapping[int, str]) -> None:
        """Draw the board, small enough for `LINES_BELOW` below it if possible."""
        columns = self.terminal.size[0]
        style = self._style(game_state.rules)
        width, _height = extent(game_state.rules, style)
        if width > columns:
            message = self.language.gettext(
                "The board takes {width} columns and this screen has {columns}: "
                "make it wider and type board."
            )
            text = self.terminal.wrapped([message.format(width=width, columns=columns)])
            self.terminal.show("\n".join(text))
            return
        move = self._last_move(game_state)
        last = None if move is None else move.cell_index
        lines = draw(game_state, style, _emphasise, written, last)
        self.terminal.show("\n".join(lines), styled=True)

    def _name_winner(self, state: GameState) -> str:
        return describe_end(state.winner, state.rules, self.language)

    def _last_move(self, state: GameState) -> Move | None:
        """Return the move from the last shown state to this one, if there is one."""
        before = self._shown
        if before is None or before.rules != state.rules:
            return None
        here = state.position, state.starting_mark  # a declared draw is another state
        return next(
            (
                move
                for move in before.possible_moves
                if (move.after_state.position, move.after_state.starting_mark) == here
            ),
            None,
        )

    def _consequences(self, state: GameState) -> list[str]:
        """Return the consequences of a state, except those that a drawing highlights."""
        decision = describe_decision(state, self.language)
        consequences = describe_consequences(state, self.language, typed=True)
        lines = [line for line in consequences if line not in decision]
        return lines if self.terminal.fancy else [*lines, *decision]


def _emphasise(mark: ShownMark, text: str) -> str:
    if "won" in mark.roles:
        return f"{STAND_OUT}{text}{NORMAL}"
    codes = {"latest": UNDERLINED, "leaving": PALE, "lost": PALE}
    code = next((code for role, code in codes.items() if role in mark.roles), "")
    letter = text.strip()
    return text.replace(letter, f"{code}{letter}{NORMAL}") if code else text
