"""The other software, wrapped just enough to be asked the same questions.

Nothing is imported before it is asked for: `Unavailable` says that a peer is not installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from benchmarks.measurement import Unavailable, load
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.shapes import Shape, layout

#: More plies than a game of 3x3 has: easyAI then searches to the end.
DEPTH = 9


# -- easyAI ----------------------------------------------------------------------------------------


def easyai_class() -> Any:
    """Return easyAI's own tic-tac-toe, with the table key that it leaves to its users."""
    game = load("easyAI.games").TicTacToe
    return type("TicTacToe", (game,), {"ttentry": lambda self: tuple(self.board)})


def easyai_game(game_class: Any, position: Position) -> Any:
    """Return easyAI's game at a 3x3 position that cross began."""
    game = game_class([None, None])
    for side, stones in enumerate(position.stones):
        for cell in layout(Shape()).cells(stones):
            game.board[cell] = side + 1
    game.current_player = position.turn + 1
    return game


def easyai_table(games: Iterable[Any]) -> Any:
    """Return a transposition table that knows a best move of each of these games.

    It is filled the fastest when the games that have gone farthest come first.
    """
    table = load("easyAI").TranspositionTable()
    player = easyai_player(table)
    for game in games:
        player(game)
    return table


def easyai_player(table: Any) -> Any:
    """Return what searches a game to its end, and looks into a table first."""
    return load("easyAI").Negamax(DEPTH, tt=table)


def easyai_random_game(game_class: Any, rng: Random) -> int | None:
    """Play one random game and return the winner."""
    game, random = game_class([None, None]), rng.random
    while not game.is_over():
        moves = game.possible_moves()
        game.make_move(moves[int(random() * len(moves))])
        game.switch_player()
    return 2 - int(game.current_player) if game.lose() else None


# -- OpenSpiel -------------------------------------------------------------------------------------


def openspiel_game(name: str) -> Any:
    """Return a game of OpenSpiel; raises `Unavailable` where the version does not have it."""
    pyspiel = load("pyspiel")
    if name.partition("(")[0] not in pyspiel.registered_names():
        raise Unavailable("does not have this game")
    return pyspiel.load_game(name)


def openspiel_solver(name: str) -> Any:
    """Return OpenSpiel's solver, that has solved a game."""
    solver = load("open_spiel.python.algorithms.minimax_solver").MinimaxSolver(name)
    solver.solve()
    return solver


def openspiel_states(game: Any) -> list[Any]:
    """Return every state of a small game that is not final."""
    all_states = load("open_spiel.python.algorithms.get_all_states").get_all_states
    return list(all_states(game, -1, False, False, to_string=str).values())


def openspiel_position(state: Any) -> Position:
    """Return the position that a state of OpenSpiel's tic-tac-toe shows."""
    cells = str(state).split("Current", 1)[0].replace("\n", "")
    stones = [sum(1 << cell for cell, sign in enumerate(cells) if sign == own) for own in "xo"]
    return Position((stones[0], stones[1]), state.current_player())


def openspiel_random_game(game: Any, rng: Random) -> int | None:
    """Play one random game, each move chosen in Python, and return the winner."""
    state, random = game.new_initial_state(), rng.random
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(random() * len(actions))])
    return openspiel_winner(state.returns())


def openspiel_winner(returns: list[float]) -> int | None:
    """Return the winner by the returns of both sides."""
    return None if returns[0] == returns[1] else int(returns[1] > returns[0])


def openspiel_bots(name: str) -> Callable[[int], int | None]:
    """Return what lets OpenSpiel's uniformly random bots play one game, from a seed, in C++."""
    pyspiel, game = load("pyspiel"), openspiel_game(name)
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in (0, 1)]

    def play(seed: int) -> int | None:
        returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return openspiel_winner(returns)

    return play
