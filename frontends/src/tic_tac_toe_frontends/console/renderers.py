"""Showing a game at the console: drawn on a screen, or told in words."""

from __future__ import annotations

from collections.abc import Callable
from gettext import NullTranslations

from tic_tac_toe.game.drawing import PLAIN, Style, draw, extent, fitting_style
from tic_tac_toe.game.renderers import Renderer
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.traits import leaving_cells

from ..program.terminal import NORMAL, PALE, STAND_OUT, UNDERLINED, Terminal
from ..words.game_text import (
    describe_consequences,
    describe_decision,
    describe_end,
    describe_move,
)

#: Lines of a screen that are kept free below a drawing at least: the last move and what follows
#: from it, the prompt, and an empty one.
LINES_BELOW = 5


class ConsoleRenderer(Renderer):
    """Shows states on a terminal: a drawing on a cleared screen, or, where it is plain, words.

    Args:
        terminal: where to show; the standard streams unless given.
        language: the messages to speak with; English unless given.

    Attributes:
        tell_end: says how a game ended; by its sides unless replaced.
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
        """Keep a line of words for the next state: shown now it would be cleared away with it."""
        self._notes.append(text)

    def pin(self, text: str) -> None:
        """Show a line of words; on a screen it stands below every state until `unpin_all`."""
        if self.terminal.fancy:
            self._pinned.append(text)
        else:
            self.terminal.show(text)

    def unpin_all(self) -> None:
        """Drop the lines that were kept."""
        self._pinned.clear()

    def render(self, game_state: GameState) -> None:
        """Show a state, what led to it, and what follows from it."""
        words, told = [*self._notes, *self._pinned], []
        if move := self._last_move(game_state):
            told.append(describe_move(move, self.language))
        consequences = self._consequences(game_state)
        if game_state.game_over:
            consequences.append(self.end_text(game_state))
        self._notes.clear()
        if self.terminal.fancy:
            self.terminal.clear()
            room = self._free_lines(game_state)
            below = self.terminal.wrapped([*words, *told, *consequences])
            if 0 < room <= len(below):  # the drawing keeps its shape, however much there is to say
                self.terminal.show_wrapped(*words)
                words, below = [], self.terminal.wrapped([*told, *consequences])
            self._draw(game_state)
            if room > len(below) + 1:  # with the prompt
                self.terminal.show()
        self.terminal.show_wrapped(*words, *told)
        if not self.terminal.fancy:
            self.show_board(game_state)
        self.terminal.show_wrapped(*consequences)
        self._shown = game_state

    def show_board(self, game_state: GameState) -> None:
        """Show the board and nothing else; a drawing has an empty line below it."""
        if self.terminal.fancy:
            self._draw(game_state)
            self.terminal.show()
        else:
            self.terminal.show("\n".join(draw(game_state, PLAIN)))

    def show_next(self, game_state: GameState) -> None:
        """Show the board and what follows from it; the move since the last one stands out."""
        self.show_board(game_state)
        self.terminal.show_wrapped(*self._consequences(game_state))
        self._shown = game_state

    def _style(self, rules: Rules) -> Style:
        columns, lines = self.terminal.size
        return fitting_style(rules, columns, lines - LINES_BELOW)

    def _free_lines(self, game_state: GameState) -> int:
        rules = game_state.rules
        return self.terminal.size[1] - extent(rules, self._style(rules))[1]

    def _draw(self, game_state: GameState) -> None:
        """Draw the board so that there is room for `LINES_BELOW` below it, if that can be."""
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
        decisive, move = set(game_state.winning_cells), self._last_move(game_state)
        last = None if move is None else move.cell_index
        leaving = (
            () if game_state.game_over else leaving_cells(game_state.rules, game_state.position)
        )

        def emphasis(cell: int, text: str) -> str:
            mark = text.strip()
            if cell in decisive:
                return f"{STAND_OUT}{text}{NORMAL}"
            if cell == last:
                return text.replace(mark, f"{UNDERLINED}{mark}{NORMAL}")
            return text.replace(mark, f"{PALE}{mark}{NORMAL}") if cell in leaving else text

        self.terminal.show("\n".join(draw(game_state, style, emphasis)), styled=True)

    def _name_winner(self, state: GameState) -> str:
        return describe_end(state.winner, state.rules, self.language)

    def _last_move(self, state: GameState) -> Move | None:
        """Return the move that led from the state shown last to this one, if one did."""
        before = self._shown
        if before is None or before.rules != state.rules:
            return None
        here = state.position, state.starting_mark  # a state that is declared a draw is another
        return next(
            (
                move
                for move in before.possible_moves
                if (move.after_state.position, move.after_state.starting_mark) == here
            ),
            None,
        )

    def _consequences(self, state: GameState) -> list[str]:
        """Return what follows from a state, but for the cells that stand out in a drawing."""
        decision = describe_decision(state, self.language)
        consequences = describe_consequences(state, self.language, typed=True)
        lines = [line for line in consequences if line not in decision]
        return lines if self.terminal.fancy else [*lines, *decision]
