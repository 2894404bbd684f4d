"""The game on the full screen of a terminal: what people do there."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType

from tic_tac_toe.logic.exceptions import InvalidMove

from ..program.process import INTERRUPTED
from ..program.record_files import RecordFiles
from ..table.looking_back import check_present
from ..table.setup import setup_of_record
from ..table.table import offer_after
from ..words.translation import N_, load, localise
from .board import Board
from .face import Face
from .keys import KEYS, LETTER_KEYS, MORE_KEYS, SPECIAL_KEYS
from .screens import Answer, Choice, Dialog, FileScreen, HelpScreen, SetupScreen, ThemeScreen


class GameApp(Face):
    """One game after the other on the full screen of a terminal; its arguments are `Face`'s."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key.key, key.action, show=False) for key in (*KEYS, *MORE_KEYS)),
        *(
            Binding(f"{key},{key.upper()}", f"{action}('{name}')", show=False)
            for action, keys in (("choose", LETTER_KEYS), ("special", SPECIAL_KEYS))
            for name, key in keys.items()
        ),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]

    # -- what people do --------------------------------------------------------------------------

    def on_board_chosen(self, message: Board.Chosen) -> None:
        """Play a cell."""

        def drop() -> None:
            check_present(self.table)
            self.table.drop(message.cell)

        self._try(drop)

    def action_choose(self, letter: str) -> None:
        """Place this letter from now on, in games in which people choose."""
        self.table.choose(letter)

    def action_special(self, name: str) -> None:
        """Make a move that places nothing, while it is legal."""
        number = self.table.state.special_moves.get(name)
        if number is not None and self.table.replay.ply is None:
            self._try(lambda: self.table.place(number))

    def action_undo(self) -> None:
        """Take back, to a person's turn."""
        self._try(self.table.take_back)

    def action_redo(self) -> None:
        """Play again what was taken back."""
        self._try(self.table.play_again)

    def action_new_game(self) -> None:
        """Begin the same game again."""
        self._try(self.table.begin)

    def action_hint(self) -> None:
        """Look for the best moves."""
        self.advice.ask_hint()

    def action_analysis(self) -> None:
        """Show what each move leads to, or no longer."""
        self.advice.analyse(not self.advice.analysing)

    def action_resign(self) -> None:
        """Give up at the second time: a key is soon pressed by mistake."""
        question = self.language.gettext("Press f once more to give up this game.")
        if self._possible["resign"] and self.table.remark != question:
            self._say(question)
        else:
            self._try(self.table.resign)

    def action_step(self, name: str) -> None:
        """Make a step through the moves, of `Replay.steps`, if it leads somewhere."""
        self.past.step(name)

    def action_film(self) -> None:
        """Show the moves one after the other, or stop."""
        self.past.film.toggle()

    def action_review(self) -> None:
        """Find out what the moves of the finished game were worth."""
        self.past.start_review()

    def action_fault(self, direction: int) -> None:
        """Go to the next mistake, or to the one before (-1)."""
        self.past.step_to_fault(direction)

    def action_play_on(self) -> None:
        """Begin a game from the position on the screen."""
        self.past.play_on()

    def action_move_now(self) -> None:
        """Let the computer end its thought, and make the move that looks best so far."""
        self._game.move_now()

    def action_next_level(self) -> None:
        """Play against the level above the one that a person has beaten."""
        if offer := offer_after(self.table):
            self.table.begin(offer.setup)

    def action_save(self) -> None:
        """Ask for a file, and save the game there."""

        def write(name: str) -> None:
            RecordFiles(self.language).write(name, [self.table.record], overwrite=False)

        self._open(FileScreen(N_("Save game"), write, self.language), self._tell_saved)

    def action_open(self) -> None:
        """Ask for a file, and go on with its last game."""
        self._open(FileScreen(N_("Open game"), self._read, self.language))

    def action_look(self) -> None:
        """Draw the board in another way."""
        self.looks.turn(self.table.state.rules)
        self._arrange()

    def action_names(self) -> None:
        """Name rows and columns, or do so no more."""
        self.names_wanted = not self.names_wanted
        self.show()

    def action_moves(self) -> None:
        """Show the list of moves, or no longer."""
        self.moves_wanted = not self.query_one("#panel").display
        self._arrange()

    def action_setup(self) -> None:
        """Ask for the players and the game, and begin it."""
        self._open(
            SetupScreen(self.table.setup, self.language, self.table.opponents.brains), self._begin
        )

    def action_theme(self) -> None:
        """Ask for the colours."""
        self._open(ThemeScreen(self.language.gettext("Theme")))

    def action_help(self) -> None:
        """Tell the rules and the keys."""
        self._open(HelpScreen(self.table.state.rules, self._board.plan, self.language))

    def action_interrupt(self) -> None:
        """Leave at Ctrl-C."""
        self.exit(return_code=INTERRUPTED)

    def _open(
        self, dialog: Dialog[Answer], ended: Callable[[Answer | None], None] | None = None
    ) -> None:
        """Open a dialog, unless one is open: two keys may come at once."""
        if len(self.screen_stack) == 1:
            self.push_screen(dialog, ended)

    def _read(self, name: str) -> None:
        record = RecordFiles(self.language).last(name)
        setup = setup_of_record(record, self.table.setup)
        self.table.begin(setup, state=record.initial_state, moves=record.moves)

    def _tell_saved(self, name: str | None) -> None:
        if name is not None:
            self._say(self.language.gettext("Saved to {file}.").format(file=name))

    def _begin(self, choice: Choice | None) -> None:
        if choice is not None:
            self.language = load(choice.language, {})
            self._try(lambda: self.table.begin(choice.setup))
            self._arrange()

    # -- the machinery ------------------------------------------------------------------------

    def _try(self, request: Callable[[], object]) -> None:
        """Do what a person asks of the table, or say why it cannot be."""
        try:
            request()
        except InvalidMove as refusal:
            self.bell()
            self._say(localise(self.language, refusal))

    def _say(self, words: str) -> None:
        """Show words until the game goes on."""
        self.table.remark = words
        self.show()
