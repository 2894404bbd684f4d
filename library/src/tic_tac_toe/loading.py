"""Games and players of one's own: Python code that the person at this machine names.

Importing a module runs it. Pass to these functions what this person has typed, and never a text
from a record, a link or a client: for those `find_rules` knows what has been registered.
"""

from __future__ import annotations

import importlib.util
import inspect
import random
import sys
from collections.abc import Callable
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tic_tac_toe.logic.exceptions import (
    GameError,
    InvalidStrategy,
    InvalidVariant,
    message,
    quoted,
    reason_of,
    wrong_kind,
)
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.rules import Rules, is_rules
from tic_tac_toe.logic.rules.catalogue import find_rules, names_object, register

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tic_tac_toe.game.strategies import Strategy

#: The group of entry points by which installed packages declare games: names and ``module:NAME``.
ENTRY_POINTS = "tic_tac_toe.games"


def load_object(text: str, error: type[GameError]) -> object:
    """Return what ``module:name`` or ``file.py:name`` names; modules are looked for here first.

    Raises:
        GameError: of the class given, if there is no such module or name, or if it fails when it is
            imported; the message quotes the reason.
    """
    module, _, name = text.rpartition(":")
    try:
        with _from_this_folder():
            found = _run_file(Path(module)) if module.endswith(".py") else import_module(module)
        return getattr(found, name)
    except Exception as reason:
        told = message(
            "{text} cannot be loaded: {reason}",
            "not_loaded",
            text=quoted(text),
            reason=reason_of(reason),
        )
        raise error(told) from reason


def find_game(text: str) -> Rules:
    """Return the game that a person has typed the name of: `find_rules`, and games of their own.

    ``module:NAME`` and ``file.py:NAME`` are rules, or a class that makes them without arguments;
    any other name may be one of the entry points ``tic_tac_toe.games`` of an installed package.
    Such a game is registered by the text, so that its records can be written and read.

    Raises:
        InvalidVariant: there is no such game, or it cannot be loaded.
    """
    base, comma, flags = text.partition(",")
    base = base.strip()
    try:
        return find_rules(text)
    except InvalidVariant:
        place = object_named(base)
        if place is None:
            raise
    found, name = load_object(place, InvalidVariant), Path(base).name
    rules = found() if isinstance(found, type) else found
    if not is_rules(rules):
        raise InvalidVariant(
            "{text} is no game: it lacks members of Rules, see docs/how-to/own-game.md",
            "no_game",
            text=quoted(base),
        )
    register(name, cast("Rules", rules))
    return find_rules(f"{name}{comma}{flags}")


def find_player(text: str) -> Strategy:
    """Return the player that ``module:function`` or ``file.py:function`` names; see `as_strategy`.

    Raises:
        InvalidStrategy: there is no such function, or its module cannot be loaded.
    """
    found = load_object(text, InvalidStrategy)
    try:
        return as_strategy(found)
    except TypeError as error:
        raise InvalidStrategy(
            "{text} is no player: {reason}", "no_player", text=quoted(text), reason=str(error)
        ) from None


def as_strategy(function: object) -> Strategy:
    """Return the strategy that a function of one's own is.

    The function is given a `GameState`, and as second argument a `random.Random` if it has a
    parameter called ``rng`` there, or one without a default. It returns a move: a `Move`, a number
    or a name::

        >>> first = as_strategy(lambda state: state.legal_moves[0])
        >>> first(GameState.new(), random.Random(1)).name
        'A1'

    Raises:
        TypeError: the value cannot be called with a state.
    """
    if not callable(function) or isinstance(function, type):
        raise wrong_kind(function, "a function from a GameState to a move, or a player's name")
    choose = cast("Callable[..., Move | int | str | None]", function)
    takes_chance = _takes_chance(choose)

    def strategy(state: GameState, rng: random.Random | None = None, /) -> Move | None:
        answer = choose(state, rng or random.Random()) if takes_chance else choose(state)
        return answer if answer is None or isinstance(answer, Move) else state.move(answer)

    return strategy


def _takes_chance(function: Callable[..., object]) -> bool:
    """Return whether the second argument of a player is where chance comes from."""
    given = [
        parameter
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    if not given:
        raise TypeError("a player must take a GameState")
    second = given[1:2]
    return any(one.name == "rng" or one.default is one.empty for one in second)


def object_named(text: str) -> str | None:
    """Return the ``module:NAME`` that the name of a game stands for: itself, or an entry point."""
    if names_object(text):
        return text
    entries = entry_points(group=ENTRY_POINTS, name=text)
    return next((entry.value for entry in entries), None)


@contextmanager
def _from_this_folder() -> Iterator[None]:
    """Let imports look into the current folder first, as ``python -m`` does."""
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        yield
    finally:
        sys.path.remove(here)


def _run_file(path: Path) -> object:
    """Return the module that a file defines; its name is the path, which no other module has."""
    name = str(path.resolve())
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None or not path.is_file():
            raise FileNotFoundError(f"there is no file {path}")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # dataclasses look for it there
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]
