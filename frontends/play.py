"""The smallest example: you against the computer, on the console.

With nothing installed: ``python3 play.py``, from this folder.
"""

import _checkout  # noqa: F401  (makes the packages of the checkout importable)
from tic_tac_toe.game.engine import TicTacToe
from tic_tac_toe.game.players import MinimaxComputerPlayer
from tic_tac_toe.logic.models import Mark
from tic_tac_toe_frontends.console.players import ConsolePlayer
from tic_tac_toe_frontends.console.renderers import ConsoleRenderer

if __name__ == "__main__":
    player1 = ConsolePlayer(Mark("X"))
    player2 = MinimaxComputerPlayer(Mark("O"))
    TicTacToe(player1, player2, ConsoleRenderer()).play()
