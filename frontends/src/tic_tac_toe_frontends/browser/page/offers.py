"""Offers between the players of an online game: buttons and answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from gettext import NullTranslations

from tic_tac_toe.protocols.online.client import Client
from tic_tac_toe.protocols.online.events import KEEP_CHAT, OFFERS, REMATCH
from tic_tac_toe.protocols.online.game import OnlineGame
from tic_tac_toe.protocols.online.requests import CLAIMS, Accept, Claim, Decline

from ...words.online_text import describe_offers
from ...words.translation import labelled
from .dom import Confirmation, by_id, on_click, set_text
from .telling import offers_of
from .words import ONLINE_WORDS


class Offers:
    """The buttons below the board, and the opponent's offers above it.

    Args:
        on_request: called after a request has been handed to the client.
    """

    def __init__(
        self,
        client: Client,
        on_request: Callable[[], object],
        language: Callable[[], NullTranslations],
    ) -> None:
        self._client, self._on_request, self._language = client, on_request, language
        self._offered = ""
        self._confirmation = Confirmation()
        for what in OFFERS:
            on_click(f"offer-{what}", partial(self._offer_or_withdraw, what))
        on_click("resign", self._resign)
        on_click("abort", partial(self._request, client.abort))
        for what in CLAIMS:
            on_click(f"claim-{what}", partial(self._request, client.claim, what))
        on_click("accept", lambda: self._request(client.accept, self._offered))
        on_click("decline", lambda: self._request(client.decline, self._offered))

    def show(self, game: OnlineGame, language: NullTranslations) -> None:
        """Show the buttons that have an effect now."""
        seat, asked = self._client.seat, offers_of(self._client)
        goes_on, is_over = bool(seat and game.turn), game.end is not None
        self._show_offer(game, language)
        ended = bool(seat) and is_over and None not in game.players
        shown = {
            "offer-takeback": goes_on,
            "offer-draw": goes_on,
            "resign": goes_on and not game.can_be_aborted,
            # An offer that the opponent has made already is accepted, not made again.
            "offer-rematch": ended and not game.follower and self._offered != REMATCH,
            "offer-keepchat": ended and game.has_chat_to_keep and self._offered != KEEP_CHAT,
            "follow": bool(game.follower) and is_over,
            "abort": bool(seat) and game.can_be_aborted,
        }
        for name, is_shown in shown.items():
            button = by_id(name)
            button.hidden = not is_shown
            button.disabled = name.removeprefix("offer-") in asked
        for what in OFFERS:
            self._show_withdrawal(what, is_possible=(seat, what) in game.offers, language=language)
        if goes_on and game.ply_before_last_move_of(seat) is None:
            by_id("offer-takeback").disabled = True
        if not goes_on:
            self._confirmation.cancel()
        self.show_claims()

    def _show_withdrawal(self, what: str, *, is_possible: bool, language: NullTranslations) -> None:
        """Turn the button of a pending offer into one that withdraws it."""
        button = by_id(f"offer-{what}")
        title = language.gettext(ONLINE_WORDS[f"offer-{what}"])
        words = language.gettext("Withdraw") if is_possible else title
        set_text(button.querySelector("[data-word]") or button, words)
        label = labelled(words, title, language) if is_possible else title
        button.setAttribute("aria-label", label)
        if is_possible:
            is_asked = any(isinstance(each, Decline) for each in self._client.pending)
            button.disabled = is_asked

    def show_claims(self) -> None:
        """Show whether the game can be claimed by now, because the opponent is gone."""
        _, claimed = self._language().gettext, False
        for request in self._client.pending:
            claimed |= isinstance(request, Claim)
        can_claim = self._client.claim_left() == 0 and not claimed
        by_id("claim").hidden = not can_claim
        set_text(by_id("claim-text"), _("The other player is gone.") if can_claim else "")

    def _show_offer(self, game: OnlineGame, language: NullTranslations) -> None:
        """Show the opponent's offers until they are answered."""
        seat = self._client.seat
        theirs = [what for who, what in sorted(game.offers) if seat and who != seat]
        waiting = dict(zip(theirs, describe_offers(game, seat, language)))
        for request in self._client.pending:
            if isinstance(request, Accept | Decline):
                waiting.pop(request.what, None)
        self._offered, text = next(iter(waiting.items()), ("", ""))
        by_id("offer").hidden = not self._offered
        set_text(by_id("offer-text"), text)

    def _offer_or_withdraw(self, what: str) -> None:
        client, game = self._client, self._client.game
        is_offered = game is not None and (client.seat, what) in game.offers
        self._request(client.decline if is_offered else client.offer, what)

    def _resign(self) -> None:
        _ = self._language().gettext
        self._confirmation.ask(
            _("Do you want to give up this game?"),
            _("Resign"),
            partial(self._request, self._client.resign),
        )

    def confirm_leaving(self, leave: Callable[[], object]) -> None:
        """Leave the game; ask first if the player's clock would run on."""
        client, game, _ = self._client, self._client.game, self._language().gettext
        if not client.seat or game is None or not game.turn or game.setup.clock is None:
            leave()
            return
        question = _("Your clock runs on while you are away. Leave the game?")
        self._confirmation.ask(question, _("Leave"), leave)

    def _request(self, ask: Callable[..., object], *about: object) -> None:
        ask(*about)
        self._on_request()
