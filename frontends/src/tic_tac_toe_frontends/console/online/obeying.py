"""What a person types at a game server, done in its order and in the place where it was typed."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import REMATCH
from tic_tac_toe.protocols.online.link import OFFLINE, ONLINE
from tic_tac_toe.protocols.online.requests import Seating

from ...program.process import Refused
from ...words.foreign import harmless, shortened
from ...words.translation import as_sentence
from ..commands import IN_GAME, parse_command
from .actions import OnlineActions
from .args import OnlineArgs
from .terminal import OnlineTerminal


class Typed(NamedTuple):
    """A line, and the game that was shown when it was typed; empty for the lobby."""

    line: str
    place: str


@dataclass
class Obeying:
    """Does what is typed.

    At a terminal a line waits until it is known where the client is. It is not done if that is
    another place than the one in which it was typed; it ends the wait for a server that is too
    busy for a new game, unless it is empty or asks for help; and whoever wants to quit waits for
    nothing. The lines of a pipe are there from the beginning: each of them waits until it can be
    done, the last one too.

    Attributes:
        changed: set whenever the client, or what is shown, may be another.
        head: the version of the event that the last request has led to.
    """

    args: OnlineArgs
    terminal: OnlineTerminal
    client: Client
    actions: OnlineActions
    changed: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    head: int = field(default=0, init=False)
    _typed: deque[Typed] = field(default_factory=deque, init=False)
    _has_ended: bool = field(default=False, init=False)
    _quits: bool = field(default=False, init=False)

    async def obey_all(self, done: Callable[[], object]) -> None:
        """Do what is typed until the person wants no more or the input ends.

        Args:
            done: called after each line that was done: the client may have something to send.
        """
        if self.args.asks_for_code:
            await self._ask_for_code()
        reading = asyncio.ensure_future(self._read())
        try:
            while (typed := await self._next(done)) is not None:
                try:
                    self.actions.obey(typed.line)
                    done()
                except Refused as refusal:
                    self.terminal.show_wrapped(as_sentence(str(refusal), self.args.language))
                if not self.terminal.interactive:
                    await self._until(lambda: self._is_settled)
        finally:
            reading.cancel()
        if not self.terminal.interactive and not self._quits:
            await self._until(lambda: self._is_settled)
        elif self.client.is_put_off:  # whoever quits does not wait for it
            self.actions.give_up()

    async def _ask_for_code(self) -> None:
        """Take the code from another device from the first line of the input."""
        self.terminal.show_wrapped(self.args.language.gettext("Your code from another device:"))
        line = await self.terminal.lines.get()
        try:
            self.actions.seats.use_code((line or "").strip())
        except Refused as refusal:
            self.terminal.show_wrapped(str(refusal))

    async def _read(self) -> None:
        """Take the lines as they are typed, with their places."""
        while (line := await self.terminal.lines.get()) is not None:
            command = parse_command(line, self.args.language, IN_GAME)
            is_last = command is not None and command.word == "quit"
            if is_last:
                self._quits = True
                break
            self._typed.append(Typed(line, self.actions.view.place))
            is_kept = self.terminal.interactive and self.client.connection is OFFLINE
            if is_kept and not self._ready and not self._disturbs_nothing:
                self.actions.say_later()
            self.changed.set()
        self._has_ended = True
        self.changed.set()

    async def _next(self, done: Callable[[], object]) -> Typed | None:
        """Return the next line that can be done; ``None`` if nothing more is to be done."""
        is_person = self.terminal.interactive
        while True:
            await self._until(lambda: self._typed or self._has_ended)
            if not self._typed:
                return None
            await self._until(lambda: self._ready or (is_person and self._is_in_between))
            if not is_person:
                await self._until(lambda: self._has_turn(self._typed[0].line))
                return self._typed.popleft()
            if not self._ready and not self._has_ended and self._disturbs_nothing:
                return self._typed.popleft()
            if self.client.is_put_off and not self._has_ended:
                self.terminal.show_wrapped(self.args.language.gettext("The request is given up."))
                self.actions.give_up()
                self.actions.enter_lobby()
                done()
                continue
            if not self._ready:
                return None
            typed = self._typed.popleft()
            if typed.place == self.client.address:
                return typed
            message = self.args.language.gettext(
                "You are elsewhere now, so this was not done: {line}"
            )
            self.terminal.show_wrapped(message.format(line=harmless(shortened(typed.line))))

    @property
    def _disturbs_nothing(self) -> bool:
        """Whether the next line is empty, or asks for help."""
        line = self._typed[0].line
        command = parse_command(line, self.args.language, IN_GAME)
        return not line.strip() or (command is not None and command.word == "help")

    @property
    def _is_in_between(self) -> bool:
        """Whether a person need not wait any longer."""
        is_offline = self.client.connection is OFFLINE
        return self._has_ended or self.client.is_put_off or (is_offline and self._disturbs_nothing)

    @property
    def _ready(self) -> bool:
        """Whether it is known where the client is."""
        client = self.client
        if client.address:
            sits = not any(isinstance(request, Seating) for request in client.pending)
            return sits and client.game is not None
        is_told = self.actions.lobby.told and not client.is_asking_for_own_games
        return client.connection == ONLINE and not client.pending and is_told

    def _has_turn(self, line: str) -> bool:
        """Whether a line can be obeyed: a move from a pipe waits until it is one's turn."""
        game = self.client.game
        if game is None or not self.client.seat or not line.strip():
            return self._ready
        if parse_command(line, self.args.language, IN_GAME) is not None:
            return True
        if game.end is not None:  # after it there may be a rematch to move in
            return (self.client.seat, REMATCH) not in game.offers
        return game.turn == self.client.seat

    @property
    def _is_settled(self) -> bool:
        """Whether everything that was asked for is answered, and has been shown."""
        game = self.client.game
        shown = game is None or game.version >= self.head
        return self._ready and shown and not self.client.pending

    async def _until(self, condition: Callable[[], object]) -> None:
        while not condition():
            self.changed.clear()
            await self.changed.wait()
