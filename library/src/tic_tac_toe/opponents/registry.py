"""The computer players of a program, by the names that its screens know them by."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tic_tac_toe.game.strategies import Strategy, within
from tic_tac_toe.limits import Limits, Tell
from tic_tac_toe.logic.rules.catalogue import names_object

if TYPE_CHECKING:
    from .brain import BrainPlayer, FunctionPlayer

#: What stands before the path of a program that speaks Gomocup's protocol.
BRAIN_PREFIX = "gomocup:"


@dataclass(frozen=True)
class Opponents:
    """The strategies, and the programs and functions that the person at this machine has named.

    Screens pass names on that may come from records, links and clients: a name that is not here
    runs nothing. Immutable but for the processes of the programs, which start and end as needed.

    Args:
        think: seconds that strategies take for each move; ``None``: what they are made for.
        own: the programs and functions by name.
    """

    think: float | None = None
    own: Mapping[str, BrainPlayer | FunctionPlayer] = field(default_factory=dict)

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
        return within(name, Limits(self.think, cancelled=stop, progress=tell))

    def keep(self, seated: Collection[str]) -> None:
        """End the processes of the programs soon, except for those of some names."""
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
