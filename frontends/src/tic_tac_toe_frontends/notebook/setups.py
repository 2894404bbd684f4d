"""What game a notebook asks for: by arguments in Python, or by the menus of the page."""

from __future__ import annotations

from collections.abc import Container

from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.opponents.registry import BRAIN_PREFIX, Opponents

from ..table.setup import Setup, opponents_for
from ..words.rules_text import PLAYERS, STARTERS


def chosen_setup(chosen: dict[str, object], present: Rules, opponents: Opponents) -> Setup | None:
    """Return the game that the page's menus ask for, ``None`` for one that none of them lists.

    Args:
        present: the game that an empty name stands for, which may be in no menu.
        opponents: whose programs the menus list as well.
    """
    players = (*PLAYERS, *opponents.brains)
    menus: dict[str, Container[object]] = {
        "variant": ("", *VARIANTS),
        "x": players,
        "o": players,
        "starting": STARTERS,
    }
    if chosen.keys() != menus.keys() or any(chosen[name] not in menus[name] for name in menus):
        return None
    variant, x, o, starting = (str(chosen[name]) for name in menus)
    return Setup(VARIANTS.get(variant, present), x, o, starting)


def setup_of(variant: str | Rules, x: str, o: str, starting: str, state: GameState | None) -> Setup:
    """Return what a game is to be, or raise in words that say what there is to choose from."""
    for name, choices in ((x, PLAYERS), (o, PLAYERS), (starting, STARTERS)):
        if name not in choices and (choices is STARTERS or not name.startswith(BRAIN_PREFIX)):
            raise ValueError(f"{name!r} is not among {', '.join(choices)}")
    if state is not None:
        return Setup(state.rules, x, o, starting)
    return Setup(find_rules(variant) if isinstance(variant, str) else variant, x, o, starting)


def with_programs(opponents: Opponents, setup: Setup) -> Opponents:
    """Return the computer players with the programs that a setup names in Python.

    Raises:
        InvalidStrategy: a program cannot be run.
    """
    new = [name for name in setup.players.values() if name not in opponents.brains]
    found = opponents_for(new, opponents.think)
    return Opponents(opponents.think, {**opponents.brains, **found.brains})
