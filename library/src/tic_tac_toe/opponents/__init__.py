"""Computer players by name: strategies, programs that speak Gomocup's protocol, and functions."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from tic_tac_toe.game.strategies import STRATEGIES, Strategy, within
from tic_tac_toe.limits import Kept, Limits, Tell
from tic_tac_toe.logic.exceptions import (
    BrainError,
    InvalidStrategy,
    Message,
    message,
    quoted,
    reason_of,
    require,
)
from tic_tac_toe.logic.models import GameState, Move
from tic_tac_toe.logic.registry import closest
from tic_tac_toe.logic.rules.catalogue import names_object

if TYPE_CHECKING:
    from .brain import BrainPlayer

#: What stands before the path of a program that speaks Gomocup's protocol.
BRAIN_PREFIX = "gomocup:"


@dataclass(frozen=True)
class Opponents:
    """The strategies, and the programs and functions that the person at this machine has named.

    Screens pass names on that may come from records, links and clients: a name that is not here
    runs nothing. Immutable but for the processes of the programs, which start and end as needed,
    and for what strategies keep of their games.

    Args:
        think: seconds that strategies take for each move; ``None``: what they are made for.
        own: the programs and functions by name.
    """

    think: float | None = None
    own: Mapping[str, BrainPlayer | FunctionPlayer] = field(default_factory=dict)
    _kept: dict[str, Kept] = field(default_factory=dict, init=False, compare=False, repr=False)

    def strategy(
        self, name: str, stop: Callable[[], bool] | None = None, tell: Tell | None = None
    ) -> Strategy:
        """Return the player of a name.

        Args:
            stop, tell: end a thought, and are told of it; programs take no notice of them.

        Raises:
            KeyError: there is none.
        """
        if name in self.own:
            return self.own[name]
        kept = self._kept.setdefault(name, Kept()) if name in STRATEGIES else None
        return within(name, Limits(self.think, cancelled=stop, progress=tell, kept=kept))

    def keep(self, seated: Collection[str]) -> None:
        """End the processes of the programs soon, except for those of some names.

        What strategies of other names have kept is dropped.
        """
        for name in self._kept.keys() - set(seated):
            del self._kept[name]
        for name, player in self.own.items():
            if name not in seated:
                player.leave()

    def close(self) -> None:
        """End the processes of the programs, and wait until they have ended."""
        for player in self.own.values():
            player.close()


def is_own(name: str) -> bool:
    """Return whether a name has the form of a program's or a function's, ``module:function``."""
    return name.startswith(BRAIN_PREFIX) or names_object(name)


def public_name(name: str) -> str:
    """Return what records and screens call a player: a program by its file, without the folders.

    Characters that records and terminals do not take are replaced.
    """
    if not is_own(name):
        return name
    if not name.startswith(BRAIN_PREFIX):
        return name.replace("\\", "/").rpartition("/")[2]
    path = name[len(BRAIN_PREFIX) :].replace("\\", "/").rstrip("/")
    file = path.rpartition("/")[2] or name
    return "".join(sign if sign.isprintable() else "?" for sign in file)


def find_strategy(text: str, *, think: float | None = None) -> Strategy:
    """Return the computer player that a text names.

    That is a name of `STRATEGIES`; ``module:function`` or ``file.py:function`` for a player of
    one's own, see `loading.as_strategy`; or ``gomocup:PATH`` for a program, with arguments if it
    likes: a `BrainPlayer`, whose ``close`` must be called at the end. Pass only texts that the
    person at this machine has typed: the module and the program are run.

    Args:
        think: seconds for each move. Unless given, strategies take what they are made for, and
            programs have a second.

    Raises:
        InvalidStrategy: the message says what is wrong with the text.
    """
    require(text, str, "the name of a computer player, such as 'medium'")
    if text.startswith(BRAIN_PREFIX):
        return find_brain(text, think=think)
    if names_object(text):
        from tic_tac_toe.loading import find_player  # which the page has not

        return find_player(text)
    if text in STRATEGIES:
        return STRATEGIES[text] if think is None else within(text, Limits(think))
    names = ", ".join((*STRATEGIES, "module:function", f"{BRAIN_PREFIX}PATH"))
    if close := closest(text, STRATEGIES):
        raise InvalidStrategy(
            "no computer player is called {text}; did you mean {close}? Else choose from {names}",
            "misspelt_strategy",
            text=quoted(text),
            close=close,
            names=names,
        )
    raise InvalidStrategy(
        "no computer player is called {text}; choose from {names}",
        "unknown_strategy",
        text=quoted(text),
        names=names,
    )


class FunctionPlayer:
    """A function of one's own at a table: its faults become a `BrainError`.

    Args:
        name: what screens call it.
        choose: the function.
    """

    def __init__(self, name: str, choose: Strategy) -> None:
        self._name, self._choose = name, choose

    def __call__(self, state: GameState, rng: Random | None = None, /) -> Move | None:
        """Return the move that the function chooses.

        Raises:
            BrainError: it fails, or returns no legal move.
        """
        try:
            move = self._choose(state, rng)
        except Exception as error:
            raise self._failure(reason_of(error)) from error
        if move is None or move.number not in state.legal_moves:
            raise self._failure(message("it returned no legal move", "no_legal_move"))
        return move

    def _failure(self, reason: str | Message) -> BrainError:
        return BrainError(
            "{player} failed: {reason}", "player_failed", player=self._name, reason=reason
        )

    def leave(self) -> None:
        """Do nothing: a function has no process to end."""

    close = leave


def find_own(text: str, *, think: float | None = None) -> BrainPlayer | FunctionPlayer:
    """Return the program or function that the person at this machine has named; see `is_own`.

    Raises:
        InvalidStrategy: there is none, or it may not be run.
    """
    if text.startswith(BRAIN_PREFIX):
        return find_brain(text, think=think)
    return FunctionPlayer(public_name(text), find_strategy(text))


def find_brain(text: str, *, think: float | None = None) -> BrainPlayer:
    """Return the program that ``gomocup:PATH`` names; see `find_strategy`.

    Raises:
        InvalidStrategy: there is no such program, or it may not be executed.
    """
    from .brain import USUAL_SECONDS, BrainPlayer  # rarely asked for, and not in a browser

    seconds = USUAL_SECONDS if think is None else think
    command = _command_of(text.removeprefix(BRAIN_PREFIX))
    return BrainPlayer(command, seconds, name=public_name(text))


def _command_of(text: str) -> list[str]:
    """Return the program and the arguments that stand after the prefix.

    A text that is the path of a file is that file, blanks included. Else it is read as a shell
    reads it, and a program without a folder is looked for where the shell looks.
    """
    if not text.strip():
        raise InvalidStrategy(
            "the path of a program is missing after {prefix}", "brain_path", prefix=BRAIN_PREFIX
        )
    command = [text] if Path(text).is_file() else _split(text)
    program = command[0]
    if not os.path.dirname(program) and (found := shutil.which(program)):  # noqa: PTH120
        return [found, *command[1:]]
    path = Path(os.path.expanduser(program))  # noqa: PTH111  # that of Path raises without a home
    if not path.is_file():
        raise InvalidStrategy("there is no file {path}", "brain_missing", path=quoted(program))
    if not os.access(path, os.X_OK):
        raise InvalidStrategy(
            "the file {path} may not be executed", "brain_not_executable", path=quoted(program)
        )
    return [str(path.absolute()), *command[1:]]


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text, posix=os.name == "posix") or [text]
    except ValueError:  # a quotation mark without its other one
        return [text]
