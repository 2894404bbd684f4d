"""The computer players of a program, by the names that its screens know them by."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tic_tac_toe.game.strategies import Strategy, within
from tic_tac_toe.limits import Limits, Tell

if TYPE_CHECKING:
    from .brain import BrainPlayer

#: What stands before the path of a program that speaks Gomocup's protocol.
BRAIN_PREFIX = "gomocup:"


@dataclass(frozen=True)
class Opponents:
    """The strategies, and the programs that the person at this machine has named.

    Screens pass names on that may come from records, links and clients: a name that is not here
    runs nothing. Immutable but for the processes of the programs, which start and end as needed.

    Args:
        think: seconds that strategies take for each move; ``None``: what they are made for.
        brains: the programs by name.
    """

    think: float | None = None
    brains: Mapping[str, BrainPlayer] = field(default_factory=dict)

    def strategy(
        self, name: str, stop: Callable[[], bool] | None = None, tell: Tell | None = None
    ) -> Strategy:
        """Return the player of a name.

        Args:
            stop, tell: end a thought, and are told of it; programs take no notice of them.

        Raises:
            KeyError: there is none.
        """
        if name in self.brains:
            return self.brains[name]
        return within(name, Limits(self.think, cancelled=stop, progress=tell))

    def keep(self, seated: Collection[str]) -> None:
        """End the processes of the programs soon, except for those of some names."""
        for name, brain in self.brains.items():
            if name not in seated:
                brain.leave()

    def close(self) -> None:
        """End the processes of the programs, and wait until they have ended."""
        for brain in self.brains.values():
            brain.close()


def public_name(name: str) -> str:
    """Return what records and screens call a player: a program by its file, without the folders.

    Characters that records and terminals do not take are replaced.
    """
    if not name.startswith(BRAIN_PREFIX):
        return name
    path = name[len(BRAIN_PREFIX) :].replace("\\", "/").rstrip("/")
    file = path.rpartition("/")[2] or name
    return "".join(sign if sign.isprintable() else "?" for sign in file)
