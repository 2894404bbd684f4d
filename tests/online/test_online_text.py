"""What is said of a game that is played online: every kind of event, end, refusal and clock."""

from __future__ import annotations

from dataclasses import replace
from gettext import NullTranslations

import pytest

from tests.protocols.games import happening
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE, find_rules
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import KINDS, OFFERS, Event, GameSetup, Player
from tic_tac_toe.protocols.online.game import ENDS, End, OnlineGame, begin, replay
from tic_tac_toe.protocols.online.replies import REASONS, Answer, Notice, OpenGame, Presence
from tic_tac_toe_frontends.words.clock_text import clock_face, describe_clocks, duration
from tic_tac_toe_frontends.words.online_text import (
    describe_end,
    describe_event,
    describe_loss,
    describe_notice,
    describe_offers,
    describe_open_game,
    describe_players,
    describe_presence,
    describe_reason,
    describe_refusal,
    describe_turn,
)
from tic_tac_toe_frontends.words.translation import load

ENGLISH = NullTranslations()
ADDRESS = "A" * 22
HOSTILE = "\x1b[2J\nO plays\u202e"


def created(
    crosses: Player | None, naughts: Player | None = None, variant: str = "tic-tac-toe"
) -> Event:
    setup = GameSetup(variant, players=(crosses, naughts))
    return happening(ADDRESS, 1, "create", "", 0, setup=setup)


def played(*more: tuple[str, str, int | None, str]) -> OnlineGame:
    """Return Ann's game with a computer after events of a kind, seat, cell and text."""
    events = [created(Player("Ann"), Player("", strategy="minimax"))]
    for kind, seat, cell, text in more:
        events.append(happening(ADDRESS, len(events) + 1, kind, seat, 0, cell=cell, text=text))
    game = replay(events)
    assert game is not None
    return game


#: The kinds of events that are about an offer.
ABOUT_OFFERS = ("offer", "accept", "decline", "withdraw")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_event_has_words_of_its_own(kind: str) -> None:
    game = played()
    for text in (*OFFERS, "hello"):
        event = happening(ADDRESS, 2, kind, "X", 0, cell=0, text=text, setup=game.setup)
        told = describe_event(event, game, ENGLISH)
        assert told
        assert ("does not know" in told) == (text == "hello" and kind in ABOUT_OFFERS)


@pytest.mark.parametrize("kind", ["accept", "decline", "withdraw"])
@pytest.mark.parametrize("what", OFFERS)
def test_a_player_is_told_of_own_answers_as_you(kind: str, what: str) -> None:
    event = happening(ADDRESS, 2, kind, "X", 0, text=what)
    assert describe_event(event, played(), ENGLISH, "X").startswith("You ")
    assert describe_event(event, played(), ENGLISH, "O").startswith("Ann (X) ")


def test_what_an_operator_does_is_told() -> None:
    removed = happening(ADDRESS, 2, "chat", "X", 0, removed=True)
    ended = happening(ADDRESS, 2, "expire", "", 0, text="operator")
    over = played(("expire", "", None, "operator"))

    assert describe_event(removed, played(), ENGLISH) == "Ann (X): (this line was removed)"
    assert "operator" in describe_event(ended, played(), ENGLISH)
    assert describe_end(over, ENGLISH) == ["The game was aborted; it counts for nobody."]


def test_a_notice_of_an_operator_is_told_on_one_line_or_by_its_reason() -> None:
    hostile = describe_notice(Notice(HOSTILE), ENGLISH)

    assert hostile.startswith("The operator of the server says: ")
    assert hostile.isprintable()
    assert describe_notice(Notice(reason="stopping"), ENGLISH) == "The server is about to stop."
    assert "unknown" not in describe_notice(Notice("later", "unknown"), ENGLISH)


def test_every_end_is_told_with_its_reason() -> None:
    winners = dict.fromkeys(("resign", "time", "left", "board"), "O")
    told = {
        reason: describe_end(replace(played(), end=End(winners.get(reason, ""), reason)), ENGLISH)
        for reason in ENDS
    }

    assert told == {
        "board": ["Perfect (O) wins."],
        "resign": ["Ann (X) resigns.", "Perfect (O) wins."],
        "time": ["The time of Ann (X) has run out.", "Perfect (O) wins."],
        "left": ["Ann (X) has left the game.", "Perfect (O) wins."],
        "aborted": ["The game was aborted; it counts for nobody."],
        "agreed": ["The players have agreed on a draw."],
        "expired": ["The game was ended because nobody played on."],
        "closed": ["The game was closed before it began."],
    }
    assert describe_end(replace(played(), end=End("", "board")), ENGLISH) == ["It is a draw."]
    assert describe_end(played(), ENGLISH) == []


def test_names_and_chat_come_out_on_one_line_without_anything_harmful() -> None:
    game = begin(created(Player(HOSTILE)))
    chat = happening(ADDRESS, 2, "chat", "X", 0, text=HOSTILE * 100)
    lobby = OpenGame(ADDRESS, HOSTILE, HOSTILE, HOSTILE, HOSTILE, None, 0)

    told = [
        describe_event(chat, game, ENGLISH),
        describe_players(game, ENGLISH),
        describe_open_game(lobby, ENGLISH),
        describe_refusal(Answer("1", "illegal", reason=HOSTILE, text=HOSTILE), ENGLISH),
    ]

    assert all(text.isprintable() for text in told)
    assert all(len(text) < 1_000 for text in told)


@pytest.mark.parametrize(
    ("code", "turn", "move", "players"),
    [
        ("en", "A guest (O) to move.", "A guest (X) plays B2.", "a guest (X) against a guest (O)."),
        (
            "es",
            "Mueve un invitado (O).",
            "Un invitado (X) juega B2.",
            "(X) contra un invitado (O).",
        ),
        ("zh", "轮到 访客 (O) 走。", "访客 (X) 下在 B2。", "井字棋：访客 (X) 对 访客 (O)。"),
        (
            "ru",
            "Ходит гость (O).",
            "Гость (X) ходит B2.",
            "Крестики-нолики: гость (X) — гость (O).",
        ),
    ],
)
def test_people_without_a_name_are_guests(code: str, turn: str, move: str, players: str) -> None:
    language = load(code, {})
    event = happening(ADDRESS, 2, "move", "X", 0, cell=4)
    game = replay([created(Player(""), Player("")), event])
    assert game is not None

    assert describe_turn(game, "", language) == turn
    assert describe_event(event, game, language) == move
    assert describe_players(game, language).endswith(players)


@pytest.mark.parametrize(
    ("code", "seconds", "told"),
    [
        ("en", 24 * 3600, "1 day"),
        ("en", 3 * 24 * 3600, "3 days"),
        ("en", 300, "5 minutes"),
        ("en", 5401, "1 hour 30 minutes 1 second"),
        ("es", 24 * 3600, "1 día"),
        ("es", 1800, "30 minutos"),
        ("zh", 24 * 3600, "1 天"),
        ("zh", 3600, "1 小时"),
        ("ru", 24 * 3600, "1 день"),
        ("ru", 2 * 24 * 3600, "2 дня"),
        ("ru", 5 * 24 * 3600, "5 дней"),
        ("ru", 60, "1 минута"),
        ("ru", 180, "3 минуты"),
        ("ru", 11 * 60, "11 минут"),
        ("ru", 21, "21 секунда"),
    ],
)
def test_times_to_choose_from_are_told_in_words(code: str, seconds: int, told: str) -> None:
    assert duration(seconds, load(code, {})) == told


ALONE, GUESTS = begin(created(Player("Ann"))), begin(created(Player("Ann"), Player("")))
OFFER = played(("offer", "O", None, "draw"))
ANSWER = happening(ADDRESS, 3, "move", "O", 0, cell=0)
TOO_FAST = Answer("1", "busy", reason="too_fast", retry=2_000)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (describe_event(ANSWER, played(("move", "X", 4, "")), ENGLISH), "Perfect (O) plays A1."),
        (
            describe_event(happening(ADDRESS, 2, "riot", "Z", 0), played(), ENGLISH),
            "Something has happened that this program does not know.",
        ),
        (describe_turn(played(), "X", ENGLISH), "It is your turn: you play X."),
        (describe_turn(played(), "O", ENGLISH), "Ann (X) to move."),
        (describe_turn(played(), "", ENGLISH), "Ann (X) to move."),
        (describe_turn(ALONE, "X", ENGLISH), "Waiting for somebody to join."),
        (describe_players(ALONE, ENGLISH), "Tic-tac-toe: Ann (X) against nobody yet (O)."),
        (describe_offers(OFFER, "X", ENGLISH), ["Perfect (O) offers a draw."]),
        (describe_offers(OFFER, "O", ENGLISH), []),
        (
            describe_presence(GUESTS, Presence(ADDRESS, ("X",), 2), "X", ENGLISH),
            "A guest (O) is not connected. 2 people watch.",
        ),
        (
            describe_presence(GUESTS, Presence(ADDRESS, ("X", "O"), 1), "O", ENGLISH),
            "Ann (X) is connected. 1 person watches.",
        ),
        (describe_presence(played(), Presence(ADDRESS, ("X",), 0), "X", ENGLISH), ""),
        (describe_refusal(Answer("1", "ok"), ENGLISH), ""),
        (describe_refusal(Answer("1", "duplicate"), ENGLISH), ""),
        (
            describe_refusal(Answer("1", "stale"), ENGLISH),
            "The game has changed meanwhile; nothing was done. Look again.",
        ),
        (
            describe_refusal(TOO_FAST, ENGLISH),
            "That was too much at once; trying again in 2 s.",
        ),
        (
            describe_open_game(OpenGame(ADDRESS, "tic-tac-toe", "", "O", "X", None, 0), ENGLISH),
            "Tic-tac-toe, by a guest: O is free, X begins, no clock",
        ),
        (
            describe_open_game(
                OpenGame(ADDRESS, "connect-four", "Ann", "O", "X", Clock(300, 3), 0), ENGLISH
            ),
            "Connect Four, by Ann: O is free, X begins, "
            "5 minutes for each side, plus 3 seconds for every move",
        ),
        (describe_clocks((61_000, 0), TIC_TAC_TOE, ENGLISH), "Time left: X 1:01, O 0:00."),
        (
            describe_clocks((61_000, 0), find_rules("order-and-chaos"), ENGLISH),
            "Time left: Order 1:01, Chaos 0:00.",
        ),
        (describe_clocks(None, TIC_TAC_TOE, ENGLISH), ""),
        (describe_loss(0.2, ENGLISH), "Connection lost; trying again in 1 s …"),
    ],
)
def test_it_is_told_in_a_line(told: object, expected: object) -> None:
    assert told == expected


def test_every_refusal_is_told_by_its_reason_and_ends_as_sentences_do() -> None:
    chinese = load("zh", {})
    for reason, text in REASONS.items():
        told = describe_refusal(Answer("1", "illegal", reason=reason), ENGLISH)
        assert told == f"{text}."
        assert describe_reason(reason, chinese).endswith("。")


@pytest.mark.parametrize(
    ("milliseconds", "face"),
    [(0, "0:00"), (-5, "0:00"), (1, "0:01"), (59_001, "1:00"), (3_600_000, "1:00:00")],
)
def test_clocks_show_zero_only_when_no_time_is_left(milliseconds: int, face: str) -> None:
    assert clock_face(milliseconds) == face
