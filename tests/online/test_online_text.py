"""What is said of a game that is played online: every kind of event, end, refusal and clock."""

from __future__ import annotations

from gettext import NullTranslations

import pytest

from tests.protocols.games import after, happening
from tic_tac_toe.protocols.online.clocks import Clock
from tic_tac_toe.protocols.online.events import KINDS, OFFERS, Event, GameSetup, Player
from tic_tac_toe.protocols.online.game import OnlineGame, begin, replay
from tic_tac_toe.protocols.online.reasons import REASONS
from tic_tac_toe.protocols.online.replies import Answer, OpenGame, Presence
from tic_tac_toe.protocols.online.standing import ENDS, End
from tic_tac_toe_frontends.words.online_text import (
    clock_face,
    describe_clocks,
    describe_end,
    describe_event,
    describe_loss,
    describe_offers,
    describe_open_game,
    describe_players,
    describe_presence,
    describe_refusal,
    describe_turn,
    duration,
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


def played(*more: tuple[str, str, int | str | None]) -> OnlineGame:
    """Return Ann's game with a computer after events of a kind, seat, and cell or text."""
    return after(begin(created(Player("Ann"), Player("", strategy="minimax"))), *more)


def ended(end: End) -> OnlineGame:
    game = played()
    object.__setattr__(game, "end", end)
    return game


def test_moves_are_told_with_the_names_of_players() -> None:
    game = played(("move", "X", 4), ("move", "O", 0))

    move = happening(ADDRESS, 2, "move", "X", 0, cell=4)
    answer = happening(ADDRESS, 3, "move", "O", 0, cell=0)

    assert describe_event(move, game, ENGLISH) == "Ann (X) plays B2."
    assert describe_event(answer, game, ENGLISH) == "Perfect (O) plays A1."


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_event_has_words_of_its_own(kind: str) -> None:
    game, texts = played(), OFFERS if kind in ("offer", "accept", "decline") else ("hello",)

    for text in texts:
        told = describe_event(
            happening(ADDRESS, 2, kind, "X", 0, cell=0, text=text, setup=game.setup), game, ENGLISH
        )
        assert told
        assert "does not know" not in told


def test_an_event_that_is_unknown_is_told_as_such() -> None:
    told = describe_event(happening(ADDRESS, 2, "riot", "Z", 0), played(), ENGLISH)

    assert told == "Something has happened that this program does not know."


@pytest.mark.parametrize("reason", ENDS)
def test_every_end_has_its_reason(reason: str) -> None:
    winner = "O" if reason in ("resign", "time", "board") else ""

    told = describe_end(ended(End(winner, reason)), ENGLISH)

    assert told
    assert any("Perfect (O) wins" in line for line in told) == bool(winner)


def test_an_agreed_draw_and_a_full_board_are_told_apart() -> None:
    assert describe_end(ended(End("", "agreed")), ENGLISH) != describe_end(
        ended(End("", "board")), ENGLISH
    )


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
        (
            "en",
            "A guest (O) to move.",
            "A guest (X) plays B2.",
            "Tic-tac-toe: a guest (X) against a guest (O).",
        ),
        (
            "es",
            "Mueve un invitado (O).",
            "Un invitado (X) juega B2.",
            "Tres en raya: un invitado (X) contra un invitado (O).",
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
    assert describe_players(game, language) == players


def test_who_waits_in_the_lobby_without_a_name_is_a_guest() -> None:
    game = OpenGame(ADDRESS, "tic-tac-toe", "", "O", "X", None, 0)

    assert describe_open_game(game, ENGLISH) == (
        "Tic-tac-toe, by a guest: O is free, X begins, no clock"
    )


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


def test_a_turn_is_told_to_the_player_who_has_it_to_the_other_and_to_watchers() -> None:
    game = played()

    assert describe_turn(game, "X", ENGLISH) == "It is your turn: you play X."
    assert describe_turn(game, "O", ENGLISH) == "Ann (X) to move."
    assert describe_turn(game, "", ENGLISH) == "Ann (X) to move."


def test_a_game_with_a_free_seat_waits() -> None:
    game = begin(created(Player("Ann")))

    assert describe_turn(game, "X", ENGLISH) == "Waiting for somebody to join."
    assert describe_players(game, ENGLISH) == "Tic-tac-toe: Ann (X) against nobody yet (O)."


def test_offers_are_told_to_the_other_side_only() -> None:
    game = played(("offer", "O", "draw"))

    assert describe_offers(game, "X", ENGLISH) == ["Perfect (O) offers a draw."]
    assert describe_offers(game, "O", ENGLISH) == []


def test_presence_tells_of_people_and_not_of_oneself_or_computers() -> None:
    game = begin(created(Player("Ann"), Player("")))

    assert describe_presence(game, Presence(ADDRESS, ("X",), 2), "X", ENGLISH) == (
        "A guest (O) is not connected. 2 people watch."
    )
    assert describe_presence(game, Presence(ADDRESS, ("X", "O"), 1), "O", ENGLISH) == (
        "Ann (X) is connected. 1 person watches."
    )
    assert describe_presence(played(), Presence(ADDRESS, ("X",), 0), "X", ENGLISH) == ""


@pytest.mark.parametrize("reason", REASONS)
def test_every_refusal_is_told_by_its_reason(reason: str) -> None:
    told = describe_refusal(Answer("1", "illegal", reason=reason), ENGLISH)

    assert told == f"{REASONS[reason]}."


def test_what_was_done_is_no_refusal_and_what_is_stale_or_busy_is_one() -> None:
    assert describe_refusal(Answer("1", "ok"), ENGLISH) == ""
    assert describe_refusal(Answer("1", "duplicate"), ENGLISH) == ""
    assert "changed" in describe_refusal(Answer("1", "stale"), ENGLISH)
    busy = Answer("1", "busy", reason="too_fast", retry=2_000)
    assert describe_refusal(busy, ENGLISH) == "That was too much at once; trying again in 2 s."


@pytest.mark.parametrize(
    ("milliseconds", "face"),
    [(0, "0:00"), (-5, "0:00"), (1, "0:01"), (59_001, "1:00"), (3_600_000, "1:00:00")],
)
def test_clocks_show_zero_only_when_no_time_is_left(milliseconds: int, face: str) -> None:
    assert clock_face(milliseconds) == face


def test_an_open_game_is_told_in_a_line() -> None:
    game = OpenGame(ADDRESS, "connect-four", "Ann", "O", "X", Clock(300, 3), 0)

    assert describe_open_game(game, ENGLISH) == (
        "Connect Four, by Ann: O is free, X begins, "
        "5 minutes for each side, plus 3 seconds for every move"
    )


def test_clocks_and_a_lost_connection_are_told_in_a_line() -> None:
    assert describe_clocks((61_000, 0), ENGLISH) == "Time left: X 1:01, O 0:00."
    assert describe_clocks(None, ENGLISH) == ""
    assert describe_loss(0.2, ENGLISH) == "Connection lost; trying again in 1 s …"
