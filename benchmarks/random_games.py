"""Random games, move by move and by shortcut, from Python.

OpenSpiel throws the dice in Python too, and where its cells are numbered as here, the same dice
make the same games: that is checked before anything is measured. Its rows "by its bots" leave the
whole game to C++, with dice of its own. The row of the compiled engine counts the random games of
its search from the empty board, whose moves are not all random, with all that the search does
besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from random import Random
from typing import NamedTuple

from benchmarks import peers
from benchmarks.measurement import Contestant, Effort, Sampler, alternate, repeated
from benchmarks.report import GAMES, AtLeast, Section
from tic_tac_toe.engines.playouts import CompiledPlayouts
from tic_tac_toe.limits import Limits
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.logic.search.mcts import random_playout, walk_randomly

#: How many games are compared where the same dice are to make the same games.
COMPARED = 20
SEED = 20
#: What one search of the compiled engine may cost.
SEARCH = Limits(work=0.1)

#: How many times the speed of the first peer is wanted.
GOALS: Mapping[str, float] = {"tic-tac-toe": 1, "gomoku": 10}
#: The same for the compiled engine: OpenSpiel's own bots, in C++, play random games faster by these
#: factors than OpenSpiel does when Python calls it.
COMPILED_GOALS: Mapping[str, float] = {"connect-four": 1.55, "ultimate": 2.2}

COMPILED = "`CompiledPlayouts`, with its search"
WALK, PLAYOUT = "`walk_randomly`, move by move", "`random_playout`"

#: Plays one game and returns the winner.
Game = Callable[[Random], "int | None"]


class Peer(NamedTuple):
    """Another way to the same games.

    Attributes:
        make: returns what plays one game; raises `Unavailable`.
        same_dice: whether it makes the same games of the same dice.
    """

    make: Callable[[], Game]
    same_dice: bool = False


def measure(effort: Effort, variants: Iterable[str] | None = None) -> list[Section]:
    """Return the figures of random games, variant by variant."""
    others = {
        "tic-tac-toe": _openspiel("tic_tac_toe", True) | {"easyAI": Peer(_easyai, True)},
        "gomoku": (
            _openspiel("mnk(m=15,n=15,k=5)", True) | _openspiel("gomoku(size=15,connect=5)", True)
        ),
        # Moves there are columns, and boards of ultimate are chosen before cells: other dice.
        "connect-four": _openspiel("connect_four"),
        "ultimate": _openspiel("ultimate_tic_tac_toe"),
    }
    return [_measure_variant(variant, others[variant], effort) for variant in variants or others]


def winners(game: Game) -> list[int | None]:
    """Return who wins each of some games, all from the same dice."""
    rng = Random(SEED)
    return [game(rng) for _ in range(COMPARED)]


def _measure_variant(variant: str, others: Mapping[str, Peer], effort: Effort) -> Section:
    rules = VARIANTS[variant]
    own = {WALK: Peer(lambda: _walk(rules)), PLAYOUT: Peer(lambda: _play_out(rules))}
    expected = winners(_walk(rules))

    def prepare(name: str, peer: Peer) -> Sampler:
        game = peer.make()
        if peer.same_dice and winners(game) != expected:
            raise RuntimeError(f"{name} does not play the same {variant}")
        # Dice of its own from here on: ultimate remembers boards, and must not meet a game again
        # that another contestant has just played.
        rng = Random(name)

        def play() -> int:
            for _ in range(COMPARED):
                game(rng)
            return COMPARED

        return repeated(play, effort.seconds)

    contestants = [
        Contestant(name, partial(prepare, name, peer))
        for name, peer in (own | dict(others)).items()
    ]
    if variant in COMPILED_GOALS:
        contestants.append(Contestant(COMPILED, partial(_search, rules, effort)))
    goals = {WALK: GOALS.get(variant), PLAYOUT: GOALS.get(variant)}
    goals[COMPILED] = COMPILED_GOALS.get(variant)
    return Section(
        f"random games of {variant}",
        alternate(contestants, effort.rounds),
        GAMES,
        reference=next(iter(others)),
        goals={name: AtLeast(goal) for name, goal in goals.items() if goal},
    )


def _search(rules: Rules, effort: Effort) -> Sampler:
    """Return what counts the random games of searches from the empty board."""
    engine, rng = CompiledPlayouts(rules), Random(SEED)
    engine.prepare()
    return repeated(lambda: engine.think(Position(), SEARCH, rng).nodes, effort.seconds)


def _walk(rules: Rules) -> Game:
    return lambda rng: walk_randomly(rules, Position(), rng)


def _play_out(rules: Rules) -> Game:
    return lambda rng: random_playout(rules, Position(), rng)


def _easyai() -> Game:
    game_class = peers.easyai_class()
    return lambda rng: peers.easyai_random_game(game_class, rng)


def _openspiel(name: str, same_dice: bool = False) -> dict[str, Peer]:
    """Return OpenSpiel's game driven from Python, and played by its own bots."""

    def drive() -> Game:
        game = peers.openspiel_game(name)
        return lambda rng: peers.openspiel_random_game(game, rng)

    def leave_to_bots() -> Game:
        play = peers.openspiel_bots(name)
        return lambda rng: play(rng.getrandbits(30))

    return {
        f"OpenSpiel `{name}`": Peer(drive, same_dice),
        f"OpenSpiel `{name}`, by its bots": Peer(leave_to_bots),
    }
