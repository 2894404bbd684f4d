"""A server's operator offers programs by name; clients see and ask for nothing but names."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.online.world import Guest, opened
from tests.opponents.brains import text_of
from tic_tac_toe.protocols.online.limits import PROTOCOL
from tic_tac_toe.protocols.online.requests import Create, Hello
from tic_tac_toe_frontends.server.args import parse_args
from tic_tac_toe_frontends.server.computers import Computers

pytestmark = pytest.mark.anyio



def offering(kind: str) -> Computers:
    """Return computers of which one is a program of a kind."""
    return Computers(programs={"friend": text_of(kind).removeprefix("gomocup:")})


@pytest.mark.parametrize("kind", ["honest", "crashing"])
async def test_an_offered_program_plays_and_simple_rules_do_where_it_fails(
    kind: str, world: World
) -> None:
    server = await world.open(computers=offering(kind))
    guest = Guest(server)
    await guest.create("gomoku", opponent="friend")
    assert (await guest.move(112)).status == "ok"
    await guest.until(lambda: guest.game is not None and len(guest.game.moves) == 2)
    game = guest.game
    assert game is not None
    if kind == "honest":
        assert game.moves[1] == 0
    player = game.player("O")
    assert player is not None
    assert (player.name, player.strategy) == ("friend", "friend")


@pytest.mark.parametrize(
    ("opponent", "variant", "starting"),
    [
        ("nobody", "gomoku", "X"),
        ("friend", "tic-tac-toe", "X"),
        ("friend", "renju", "O"),
    ],
)
async def test_a_player_that_is_not_offered_for_a_game_is_refused(
    opponent: str, variant: str, starting: str, world: World
) -> None:
    server = await world.open(computers=offering("honest"))
    guest = Guest(server)
    request = Create(guest.new_id(), guest.token, variant, opponent=opponent, starting=starting)
    answer = await guest.ask(request)
    assert (answer.status, answer.reason) == ("illegal", "no_opponent")


async def test_a_client_that_follows_no_game_is_told_the_names_and_no_path(world: World) -> None:
    server = await world.open(computers=offering("honest"))
    guest = Guest(server)
    welcome = await guest.answer(guest.send(Hello(guest.new_id(), PROTOCOL)))
    assert welcome.opponents == ("friend",)
    assert not any("brains.py" in text for text in guest.socket.texts)


async def test_the_command_line_names_programs_and_thinking_time() -> None:
    args = parse_args(["--brain", "friend=sh", "--brain", "other=sh -e", "--think", "3"], "serve")
    assert dict(args.brain) == {"friend": "sh", "other": "sh -e"}
    assert args.think == 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *(
            ("sh", "a name of letters and digits"),
            ("minimax=sh", "a name of letters and digits"),
            ("a/b=sh", "a name of letters and digits"),
        ),
        *(
            ("=sh", "a name of letters and digits"),
            ("friend=/no/file", 'there is no file "/no/file"'),
        ),
        ("friend=", "the path of a program is missing"),
    ],
)
async def test_a_program_without_a_name_of_its_own_or_a_file_is_refused(
    text: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse_args(["--brain", text], "serve")
    told = capsys.readouterr().err
    assert reason in told
