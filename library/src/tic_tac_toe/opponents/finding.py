"""Computer players by what people call them: a strategy, or the path of a program."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

from tic_tac_toe.game.strategies import STRATEGIES, Strategy, within
from tic_tac_toe.limits import Limits
from tic_tac_toe.loading import find_player
from tic_tac_toe.logic.exceptions import (
    InvalidStrategy,
    quoted,
    require,
)
from tic_tac_toe.logic.registry import closest
from tic_tac_toe.logic.rules.catalogue import names_object

from .brain import USUAL_SECONDS, BrainPlayer, FunctionPlayer
from .registry import BRAIN_PREFIX, public_name


def find_strategy(text: str, *, think: float | None = None) -> Strategy:
    """Return the computer player that a text names.

    That is a name of `STRATEGIES`; ``module:function`` or ``file.py:function`` for a player of
    one's own, see `loading.as_strategy`; or ``gomocup:PATH`` for a program, with arguments if it
    likes: a `BrainPlayer`, whose ``close`` has to be called in the end. Pass only texts that the
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


def find_own(text: str, *, think: float | None = None) -> BrainPlayer | FunctionPlayer:
    """Return the program or function that the person at this machine has named; see `is_own`.

    Raises:
        InvalidStrategy: there is none, or it may not be run.
    """
    is_program = text.startswith(BRAIN_PREFIX)
    return (
        find_brain(text, think=think)
        if is_program
        else FunctionPlayer(public_name(text), find_player(text))
    )


def find_brain(text: str, *, think: float | None = None) -> BrainPlayer:
    """Return the program that ``gomocup:PATH`` names; see `find_strategy`.

    Raises:
        InvalidStrategy: there is no such program, or it may not be executed.
    """
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
