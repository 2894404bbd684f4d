"""The typed commands of online play: moves, offers, chat, changes between games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from gettext import NullTranslations

from tic_tac_toe.logic.exceptions import InvalidMove, InvalidNotation
from tic_tac_toe.logic.notation import move_name, parse_move
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe.protocols.online.addresses import is_address
from tic_tac_toe.protocols.online.client import ONLINE, WATCHERS, Client
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import (
    DRAW,
    KEEP_CHAT,
    REMATCH,
    SEATS,
    SIDES,
    TAKE_BACK,
    Said,
)
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.judge import objection
from tic_tac_toe.protocols.online.messages import CHAT_LENGTH, OPPONENT_NAME
from tic_tac_toe.protocols.online.replies import TalkLine
from tic_tac_toe.protocols.online.requests import WIN, Create

from ...program.process import Refused
from ...program.terminal import Terminal
from ...words.clock_text import parse_clock
from ...words.game_text import describe_reading, menu_choices, setup_menus
from ...words.online_text import describe_line, describe_muted, describe_reason, opponent_menu
from ...words.translation import as_sentence, join_sentences, localise
from ..commands import (
    IN_GAME,
    IN_LOBBY,
    describe_command_meant,
    describe_refusal,
    parse_command,
    translated_words,
)
from ..players import show_help
from ..saving import Saving
from .args import OnlineArgs
from .own_seats import OwnSeats
from .terminal import OnlineTerminal
from .view import LobbyList, OnlineView

#: The offers by their words after “accept”, “decline” and “withdraw”.
OFFER_WORDS = {"draw": DRAW, "undo": TAKE_BACK, "rematch": REMATCH, "keep": KEEP_CHAT}


def answer_offer(
    client: Client, word: str, language: NullTranslations, *, accepts: bool = True
) -> None:
    """Accept or decline the opponent's offer that a word names; without a word, the only one.

    Raises:
        Refused: there is no such offer, or there are several and no word.
    """
    what = _offer_named(client, word, language, own=False)
    if not what:
        raise Refused(describe_reason("no_offer", language))
    answer = client.accept if accepts else client.decline
    answer(what)


def withdraw_offer(client: Client, word: str, language: NullTranslations) -> None:
    """Withdraw the client's offer that a word names, or the only one; see `answer_offer`."""
    what = _offer_named(client, word, language, own=True)
    if not what:
        raise Refused(language.gettext("You have offered nothing that could be taken back."))
    client.decline(what)


def _offer_named(client: Client, word: str, language: NullTranslations, *, own: bool) -> str:
    """Return the offer that a word names; empty without a word and an offer."""
    _, game = language.gettext, client.game
    offers = () if game is None else game.offers
    offered = sorted(what for seat, what in offers if (seat == client.seat) == own)
    words = translated_words(language, IN_GAME)
    wanted = {words[ours]: what for ours, what in OFFER_WORDS.items()} | OFFER_WORDS
    if word and word not in wanted:
        raise Refused(_("Answer to one of: {words}").format(words=", ".join(OFFER_WORDS)))
    if not word and len(offered) > 1:
        names = ", ".join(words[ours] for ours, what in OFFER_WORDS.items() if what in offered)
        raise Refused(_("There are several offers. Say which: {words}").format(words=names))
    return wanted[word] if word else next(iter(offered), "")


@dataclass(frozen=True)
class PeopleActions:
    """The commands about other people at a game.

    Attributes:
        save_seat: called after a change of the stored seat.
        shown_lines: returns the shown lines of other people, the newest last.
    """

    args: OnlineArgs
    terminal: Terminal
    client: Client
    save_seat: Callable[[], None]
    shown_lines: Callable[[], Sequence[Said | TalkLine]]

    def commands(self) -> Mapping[str, Callable[[str], object]]:
        """Return the functions of the commands, which take the argument."""
        return {
            "mute": self._mute,
            "unmute": lambda _argument: self._unmute(),
            "report": self._report,
            "block": lambda _argument: self.client.block(),
            "unblock": lambda _argument: self.client.block(on=False),
        }

    def _mute(self, argument: str) -> None:
        client, game = self.client, self.client.game
        client.mute(self._person_named(argument) if argument else self._other)
        self.save_seat()
        if game is not None:
            how = self.args.language.gettext("Type unmute to see it again.")
            message = describe_muted(game, client.muted, self.args.language)
            self.terminal.show_wrapped(f"{message} {how}")

    def _unmute(self) -> None:
        client = self.client
        for who in client.muted:
            client.mute(who, on=False)
        self.save_seat()
        self.terminal.show_wrapped(self.args.language.gettext("You see what everybody says."))

    def _report(self, argument: str) -> None:
        """Report a name, or a line by its number, 1 for the newest."""
        client, game, language = self.client, self.client.game, self.args.language
        word, _, rest = argument.partition(" ")
        if word in ("name", language.pgettext("command", "name")):
            client.report_name(self._person_named(rest) if rest else self._other)
            return
        if argument and not argument.isdecimal():
            message = language.gettext("Type report, report 2 for the line before, or report name.")
            raise Refused(message)
        lines = self.shown_lines()
        number = int(argument[:9]) if argument else 1
        if game is None or not lines:
            raise Refused(language.gettext("Nobody else has said anything here."))
        if not 0 < number <= len(lines):
            raise Refused(describe_reason("nothing_to_report", language))
        self.terminal.show_wrapped(describe_line(lines[-number], game, language))
        client.report_line(lines[-number])

    @property
    def _other(self) -> str:
        """The opponent's seat; watchers must name one."""
        if not self.client.seat:
            raise Refused(self.args.language.gettext("Say whom: X, O or watchers."))
        return SEATS[1 - SIDES[self.client.seat]]

    def _person_named(self, word: str) -> str:
        language, seat = self.args.language, word.upper()
        if seat in SIDES and seat != self.client.seat:
            return seat
        if word.casefold() in ("watchers", language.pgettext("command", "watchers").casefold()):
            return WATCHERS
        raise Refused(language.gettext("Say whom: X, O or watchers."))


@dataclass(frozen=True)
class OnlineActions:
    """The commands in the lobby and in online games."""

    args: OnlineArgs
    terminal: OnlineTerminal
    client: Client
    seats: OwnSeats
    view: OnlineView
    lobby: LobbyList
    saving: Saving

    def run_command(self, line: str) -> None:
        """Run the command or make the move in a line.

        Raises:
            Refused: the line cannot be executed; the message says why.
        """
        game, language = self.client.game, self.args.language
        if not line.strip():
            if game is not None:
                self.view.show_turn(game)
            return
        meanings = IN_LOBBY if game is None else IN_GAME
        command = parse_command(line, language, meanings)
        if command is None and game is not None:
            self._move(game, line)
        elif command is None and line.strip().isdecimal():
            self._join(line.strip())
        elif command is None:
            meant = describe_command_meant(line, language, meanings)
            wanted = language.gettext("Type the number of a game, or help.")
            self.terminal.show_wrapped(join_sentences([meant, wanted], language))
        elif command.word == "help":
            show_help(self.terminal, language, meanings, None if game is None else game.state)
        else:
            actions = self._lobby_commands() if game is None else self._game_commands(game)
            before = self.client.pending
            actions[command.word](command.argument)
            is_asked = len(self.client.pending) > len(before)
            if is_asked and self.client.connection != ONLINE:
                self.confirm_queued()

    def confirm_queued(self) -> None:
        """Show that a line waits until the connection is back."""
        self.terminal.show_wrapped(
            self.args.language.gettext("This is done as soon as there is a connection.")
        )

    def _lobby_commands(self) -> Mapping[str, Callable[[str], None]]:
        return {
            "join": self._join,
            "watch": lambda argument: self.client.watch(self._number(argument)),
            "now": self._pair,
            "create": self._create,
            "back": self._back,
            "games": lambda _argument: self.seats.request_list(),
            **self._common_commands(),
            "list": lambda _argument: self.terminal.show_lines(self.lobby.lines()),
        }

    def _game_commands(self, game: OnlineGame) -> Mapping[str, Callable[[str], object]]:
        client, view, language = self.client, self.view, self.args.language
        return {
            "resign": lambda _argument: client.resign(),
            "abort": lambda _argument: self._abort(game),
            "claim": self._claim,
            "draw": lambda _argument: client.offer(DRAW),
            "undo": lambda _argument: client.offer(TAKE_BACK),
            "rematch": lambda _argument: client.offer(REMATCH),
            "keep": lambda _argument: client.offer(KEEP_CHAT),
            "accept": lambda what: answer_offer(client, what, language),
            "decline": lambda what: answer_offer(client, what, language, accepts=False),
            "withdraw": lambda what: withdraw_offer(client, what, language),
            "say": self._send_chat,
            **self._people_commands(),
            **self._common_commands(),
            "board": lambda _argument: view.show_board(game),
            "moves": lambda _argument: view.show_moves(game),
            "who": lambda _argument: view.show_who(game),
            "save": lambda name: self.saving.save(name, game.record),
            "leave": lambda _argument: self._leave(),
        }

    def _people_commands(self) -> Mapping[str, Callable[[str], object]]:
        keep, shown = self.seats.save_seat, self.view.lines_of_others
        return PeopleActions(self.args, self.terminal, self.client, keep, shown).commands()

    def _common_commands(self) -> Mapping[str, Callable[[str], None]]:
        return {"code": self.seats.use_code, "bell": self._set_bell}

    def _set_bell(self, argument: str) -> None:
        _ = self.args.language.gettext
        off = ("off", self.args.language.pgettext("command", "off"))
        self.terminal.has_bell = argument not in off
        self.terminal.show_wrapped(
            _("The bell rings.") if argument not in off else _("The bell is off.")
        )

    def _move(self, game: OnlineGame, line: str) -> None:
        _, client = self.args.language.gettext, self.client
        try:
            number = parse_move(game.state, line)
        except (InvalidMove, InvalidNotation) as error:
            self._refuse_typed(game, line, error)
            return
        self.terminal.show_wrapped(*describe_reading(game.state, line, number, self.args.language))
        refused = objection(game, client.seat, number)
        if refused is not None and refused.reason == "move":
            self._refuse_typed(game, line, InvalidMove(refused.text))
        elif refused is not None:
            language = self.args.language
            message = as_sentence(localise(language, refused.text), language)
            self.terminal.show_wrapped(message)
        elif (pending := client.pending_cell) is not None and pending != number:
            move = move_name(game.state, pending)
            message = _("Your move {move} counts; this one was not done.")
            self.terminal.show_wrapped(message.format(move=move))
        else:
            if pending is None:
                client.move(number)
            elif client.connection == ONLINE:
                self.terminal.show_wrapped(_("Your move is on its way."))
            if client.connection != ONLINE:
                self.terminal.show_wrapped(_("Your move is sent as soon as there is a connection."))

    def _refuse_typed(
        self, game: OnlineGame, line: str, error: InvalidMove | InvalidNotation
    ) -> None:
        message = describe_refusal(game.state, line, error, self.args.language, IN_GAME)
        self.terminal.show_wrapped(message)

    def _send_chat(self, text: str) -> None:
        _ = self.args.language.gettext
        if not text:
            raise Refused(_("Say something: say TEXT"))
        if len(text) > CHAT_LENGTH:
            raise Refused(_("A line has at most {count} characters.").format(count=CHAT_LENGTH))
        if self.client.seat:
            self.client.chat(text)
        else:
            self.client.talk_to_watchers(text, self.args.wishes.name)

    def _claim(self, what: str) -> None:
        language = self.args.language
        draw = {DRAW, translated_words(language, IN_GAME)["draw"]}
        if what and what not in draw:
            raise Refused(language.gettext("Type claim, or claim draw."))
        self.client.claim(DRAW if what else WIN)

    def _abort(self, game: OnlineGame) -> None:
        if game.waiting and self.client.seat:
            message = self.args.language.gettext(
                "Nobody has joined yet: to close the game type leave."
            )
            raise Refused(message)
        self.client.abort()

    def _leave(self) -> None:
        if self.client.leave() is None:  # otherwise wait for the answer
            self.enter_lobby()

    def cancel_request(self) -> None:
        """Cancel the request for a seat that a busy server refused."""
        self.seats.delete(self.client.address)
        self.client.leave()

    def enter_lobby(self) -> None:
        """Go to the lobby."""
        self.view.clear_game()
        self.lobby.reset()
        self.client.listen_to_lobby()
        if self.seats.unfinished():
            self.terminal.show_wrapped(
                self.args.language.gettext("You have a seat in a game here: type back.")
            )

    def _number(self, argument: str) -> str:
        if is_address(argument):
            return argument
        number = int(argument[:9]) if argument.isdecimal() else 0
        if number not in self.lobby.games:
            raise Refused(self.args.language.gettext("No game has this number. Type list."))
        return self.lobby.games[number].game

    def _join(self, argument: str) -> None:
        address = self._number(argument)
        seat = self.seats.find(address)
        if seat is not None:
            self.client.watch(address, seat.token)
            return
        self.client.join(address, self.args.wishes.name)
        self.seats.save_seat()

    def _back(self, argument: str) -> None:
        numbered, seats = self.seats.numbered(), self.seats.unfinished()
        if argument.isdecimal():
            seats = [seat for number, seat in numbered if number == int(argument[:9])]
            if not seats:
                raise Refused(self.args.language.gettext("No game has this number. Type games."))
        elif argument:
            seats = [seat for _number, seat in numbered if seat.game == argument]
            if not seats:
                raise Refused(describe_reason("unknown_game", self.args.language))
        if not seats and numbered:
            message = self.args.language.gettext(
                "No game of yours goes on. Type games, and back NUMBER opens one of the list."
            )
            raise Refused(message)
        if not seats:
            raise Refused(self.args.language.gettext("You have no seat in a game here."))
        self.client.watch(seats[-1].game, seats[-1].token)

    def _pair(self, argument: str) -> None:
        variant, clock, _opponent = self._wishes_of(argument)
        self.client.pair(variant, name=self.args.wishes.name, clock=clock)
        self.seats.save_seat(variant)

    def _create(self, argument: str) -> None:
        variant, clock, opponent = self._wishes_of(argument)
        self.create_game(
            replace(self.args.wishes, variant=variant, opponent=opponent, open=True, clock=clock)
        )

    def _wishes_of(self, argument: str) -> tuple[str, Clock | None, str]:
        """Return the typed game, clock and opponent, with defaults for missing ones."""
        language, wishes = self.args.language, self.args.wishes
        variant, *more = argument.split() or [next(iter(VARIANTS))]
        clock, opponent = wishes.clock, wishes.opponent
        try:
            for word in more:
                typed = parse_clock(word)
                clock, opponent = (clock, word) if typed is None else (typed, opponent)
        except InvalidNotation as error:
            raise Refused(localise(language, error)) from None
        is_listed = variant in VARIANTS
        if not is_listed or not OPPONENT_NAME.fullmatch(opponent):
            menus = setup_menus(language)["variant"], opponent_menu(language, self.client.offered)
            message = language.gettext("Choose from {names}")
            raise Refused(message.format(names=menu_choices(menus[is_listed], language)))
        return variant, clock, opponent

    def create_game(self, wishes: Create) -> None:
        """Ask for a new game; the client chooses its id and token."""
        self.client.create(
            wishes.variant,
            name=wishes.name,
            seat=wishes.seat,
            opponent=wishes.opponent,
            is_open=wishes.open,
            clock=wishes.clock,
        )
        self.seats.save_seat(wishes.variant)
