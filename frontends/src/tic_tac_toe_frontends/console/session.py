"""One game at the console: the game's loop, driven by what is typed at the prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from gettext import NullTranslations

from tic_tac_toe.game.engine import TicTacToe, Turn
from tic_tac_toe.game.match import Match
from tic_tac_toe.game.players import Player
from tic_tac_toe.logic.exceptions import InvalidMove
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.notation import move_name
from tic_tac_toe.logic.records import Record

from ..program.process import Refused
from ..program.record_files import RecordFiles
from ..words.game_text import describe_end
from ..words.messages import localise
from .commands import Command
from .players import ConsolePlayer
from .renderers import ConsoleRenderer


class Session:
    """A game whose people may take moves back, play them again, save the game and give up.

    Args:
        game: the players and the renderer.
        match: the authority that every move passes through; it may have begun.
        tags: who plays, for saved games.
    """

    def __init__(
        self,
        game: TicTacToe,
        match: Match,
        renderer: ConsoleRenderer,
        tags: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self.match = match
        self._game = game
        self._renderer = renderer
        self._terminal = renderer.terminal
        self._language: NullTranslations = renderer.language
        self._tags = tags
        self._saved_to: set[str] = set()
        self._people = {
            player.mark
            for player in (game.player1, game.player2)
            if isinstance(player, ConsolePlayer)
        }
        self._commands: Mapping[str, Callable[[ConsolePlayer, str], bool]] = {
            "undo": self._undo,
            "redo": self._redo,
            "moves": self._list_moves,
            "save": self._save,
            "resign": self._resign,
        }

    def play(self) -> None:
        """Play until the game is over; `match` then knows how it ended.

        Raises:
            Left: a person left the game.
        """
        turns, state = self._game.turns(self.match.state), None
        while not self.match.resigned:
            try:
                turn = turns.send(state)
            except StopIteration:
                return
            state = self._take(turn)
        _ = self._language.gettext
        self._terminal.show(_("{mark} resigns.").format(mark=self.match.resigned))
        self._terminal.show(describe_end(self.match.winner, self._language))

    @property
    def record(self) -> Record:
        """The game so far as it is written to files."""
        return self.match.record(self._tags)

    def _take(self, turn: Turn[Player]) -> GameState:
        """Return the state after a turn."""
        player, state = turn.player, turn.state
        if isinstance(player, ConsolePlayer):
            return self._consult(player, state)
        if self._terminal.fancy:
            message = self._language.gettext("{mark} is thinking …")
            self._terminal.show(message.format(mark=player.mark))
        move = player.get_move(state)
        if move is None:
            raise InvalidMove("No more possible moves", "no_moves")
        return self.match.submit(player.mark, move.cell_index).after_state

    def _consult(self, player: ConsolePlayer, state: GameState) -> GameState:
        """Answer a person's commands until the game has changed."""
        while True:
            request = player.read(state)
            if isinstance(request, Move):
                return self.match.submit(player.mark, request.cell_index).after_state
            try:
                if self._obey(player, request, state):
                    return self.match.state
            except (InvalidMove, Refused) as refusal:
                self._terminal.show(localise(self._language, refusal))

    def _obey(self, player: ConsolePlayer, command: Command, state: GameState) -> bool:
        """Do what a command asks for; return whether the game has changed."""
        if command.word in self._commands:
            return self._commands[command.word](player, command.argument)
        player.answer(command, state)
        return False

    def _undo(self, _player: ConsolePlayer, _argument: str) -> bool:
        """Take moves back until it is a person's turn again."""
        taken = self.match.take_back(self._people)
        message = self._language.gettext("Taken back: {moves}.")
        self._renderer.note(message.format(moves=_list(taken)))
        return True

    def _redo(self, _player: ConsolePlayer, _argument: str) -> bool:
        """Play again what was taken back, until it is a person's turn."""
        played = self.match.play_again(self._people)
        message = self._language.gettext("Played again: {moves}.")
        self._renderer.note(message.format(moves=_list(played)))
        return True

    def _list_moves(self, _player: ConsolePlayer, _argument: str) -> bool:
        moves = self.match.history
        text = _list(moves) if moves else self._language.gettext("No moves yet.")
        self._terminal.show_wrapped(text)
        return False

    def _save(self, _player: ConsolePlayer, argument: str) -> bool:
        _ = self._language.gettext
        if not argument:
            raise Refused(_("Name a file: save FILE"))
        overwrite = argument in self._saved_to
        RecordFiles(self._language).write(argument, [self.record], overwrite=overwrite)
        self._saved_to.add(argument)
        self._terminal.show(_("Saved to {file}.").format(file=argument))
        return False

    def _resign(self, player: ConsolePlayer, _argument: str) -> bool:
        self.match.resign(player.mark)
        return True


def _list(moves: Iterable[Move]) -> str:
    """Return moves one after the other, each with its mark."""
    return ", ".join(
        f"{move.mark} {move_name(move.before_state, move.cell_index)}" for move in moves
    )
