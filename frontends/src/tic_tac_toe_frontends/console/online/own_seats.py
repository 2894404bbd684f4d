"""A person's games at a server: the stored seats, the code that finds them, and a list."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from tic_tac_toe.protocols.online.addresses import is_address, new_token
from tic_tac_toe.protocols.online.client import ONLINE, Client
from tic_tac_toe.protocols.online.seat_book import Seat, muted_in

from ...program.process import Refused
from ...words.online_text import (
    describe_code_taken,
    named_variant,
    no_code,
    opponent_name,
    standing_word,
)
from ...words.own_code import warn_of_own_code
from ...words.translation import labelled
from .args import OnlineArgs
from .seats import SeatFile, usual_path
from .terminal import OnlineTerminal

#: The maximum length of the list, which has the newest games.
SEATS_LISTED = 20


@dataclass(frozen=True)
class OwnSeats:
    """Stores and lists the seats of a client."""

    args: OnlineArgs
    terminal: OnlineTerminal
    client: Client
    file: SeatFile

    def load_code(self) -> None:
        """Give the client the stored code, or a new one, which is stored with the first seat.

        Raises:
            Refused: the file of seats cannot be used.
        """
        code = self.file.book().codes.get(self.args.address.base)
        self.client.code = code or new_token(self.client.rng)

    def find(self, game: str) -> Seat | None:
        """Return the seat in a game, if any."""
        return self.file.book().find(game, self.args.address.base)

    def describe_return(self, game: str) -> str:
        """Return the command that returns to a game; empty if the file has no seat in it.

        Changes that could not be written before are written now. If that fails again, return the
        reason and the command that finds all games by the person's code.
        """
        _, args = self.args.language.gettext, self.args
        path = self.file.path
        options = "" if path == usual_path() else f" --seat-file {shlex.quote(str(path))}"
        command = f"tic-tac-toe online {args.address.base}{options}"
        try:
            self.file.save()
            seat = self.find(game)
        except Refused as refusal:
            code = self.client.code
            with contextlib.suppress(Refused):
                if self.file.saved().codes.get(args.address.base) == code:
                    message = _(
                        "Not all is saved: {reason}. To come back: {command}, and type games."
                    )
                    return message.format(reason=refusal, command=command)
            message = _(
                "Not all is saved: {reason}. To come back: {command} --code, type the code {code},"
                " and then games."
            )
            return message.format(reason=refusal, command=command, code=code)
        if seat is None or seat.token != self.client.token:
            return ""
        command = f"tic-tac-toe online {args.address.address_of(game)}{options}"
        return _("Your seat stays yours. To come back: {command}").format(command=command)

    def unfinished(self) -> list[Seat]:
        """Return the seats in unfinished games, the newest last."""
        return [seat for _number, seat in self.numbered() if seat.is_unfinished]

    def save_seat(self, variant: str = "") -> None:
        """Store the client's seat. Called before the request is sent, so that no seat is lost."""
        client, game = self.client, self.client.game
        if not client.token:
            return
        base = self.args.address.base
        seat = Seat(client.address, client.token, base, variant=variant)
        if game is not None:
            seat = seat.learned(game, client.seat)
        code, muted = client.code, muted_in(client)
        with self._reporting_failure():
            self.file.change(
                lambda book: book.add(seat, code).mute(muted, seat.game, base), base, seat.game
            )

    def restore_muted(self) -> None:
        """Mute those that the person has muted earlier in the client's game."""
        self.file.book().restore_muted(self.client, self.args.address.base)

    def delete(self, game: str) -> None:
        """Delete a seat that the server does not know."""
        base = self.args.address.base
        with self._reporting_failure():
            self.file.change(lambda book: book.delete(game, base), base, game)

    @contextlib.contextmanager
    def _reporting_failure(self) -> Iterator[None]:
        try:
            yield
        except Refused as refusal:
            message = self.args.language.gettext(
                "Your seats are not saved yet: {reason}. The program tries again with each change"
                " and at its end."
            )
            self.terminal.show_wrapped(message.format(reason=refusal))

    def request_list(self) -> None:
        """Request the games of the person's code; the answer shows the list."""
        self.client.ask_for_own_games()
        if self.client.connection != ONLINE:
            self.list_all()

    def merge_server_games(self, token: str) -> None:
        """Store the server's list of a token's games, and list all games."""
        base, games = self.args.address.base, self.client.own_games
        with self._reporting_failure():
            self.file.change(lambda book: book.merge(games, token, base), base, "games of", token)
        try:
            self.list_all()
        except Refused as refusal:
            self.terminal.show_wrapped(str(refusal))

    def list_all(self) -> None:
        """List the games of this person, the newest last."""
        language = self.args.language
        lines = [
            f"  {number}. {self._describe(seat)}"
            for number, seat in self.numbered()[-SEATS_LISTED:]
        ]
        if not lines:
            raise Refused(language.gettext("You have no seat in a game here."))
        self.terminal.show_lines([language.gettext("Your games:"), *lines])

    def _describe(self, seat: Seat) -> str:
        language = self.args.language
        variant = named_variant(seat.variant, language)
        standing = standing_word(seat.standing, language)
        if not seat.opponent and not seat.strategy:
            return labelled(variant, standing, language)
        message = language.gettext("{variant} against {name}: {standing}")
        name = opponent_name(seat.opponent, seat.strategy, language)
        return message.format(variant=variant, name=name, standing=standing)

    def numbered(self) -> list[tuple[int, Seat]]:
        """Return all seats with their numbers in the list."""
        return [*enumerate(self.file.book().at(self.args.address.base), 1)]

    def use_code(self, text: str) -> None:
        """Take the typed code, or that of a link; without either show the person's code."""
        client, language = self.client, self.args.language
        code = text.rpartition("code=")[2]
        if code and not is_address(code):
            raise Refused(no_code(language))
        base = self.args.address.base
        is_new, known = bool(code), code or client.code
        with self._reporting_failure():
            self.file.change(
                lambda book: book.with_code(known, base, anew=is_new), base, "code", is_new
            )
        client.code = self.file.book().codes[base]
        if code:
            self.terminal.show_wrapped(describe_code_taken(language))
            return
        self.terminal.show(f"  {client.code}")
        self.terminal.show(f"  {self.args.address.page_of_code(client.code)}")
        self.terminal.show_wrapped(warn_of_own_code(language))
