"""What `/online.json` offers can be had."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.online.world import ask_async
from tests.online.world import Guest, opened
from tic_tac_toe.logic.exceptions import InvalidVariant
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import find_rules, variant_name
from tic_tac_toe.logic.rules.flags import FLAGS
from tic_tac_toe.protocols.online.requests import Create
from tic_tac_toe_frontends.server.computers import Computers
from tic_tac_toe_frontends.server.game_server import GameServer
from tic_tac_toe_frontends.server.rate_limits import Allowance
from tic_tac_toe_frontends.server.web.app import App
from tic_tac_toe_frontends.server.web.offer import offer_of

pytestmark = pytest.mark.anyio


async def offer_at(server: GameServer) -> Any:
    """Return what a server says that it offers."""
    return json.loads((await ask_async(App(server).pages, "/online.json")).text)


def is_known(name: str) -> bool:
    """Return whether a game is called so."""
    try:
        find_rules(name)
    except InvalidVariant:
        return False
    return True


async def test_every_game_that_is_offered_has_this_board_and_goes_with_these_flags_only(
    server: GameServer,
) -> None:
    for variant in (await offer_at(server))["variants"]:
        name = variant["name"]
        rules = find_rules(name)
        assert variant_name(rules) == name
        has_two_moves_a_cell = max(rules.moves(Position())) >= rules.shape.cells
        assert (variant["rows"], variant["columns"]) == rules.shape
        assert has_two_moves_a_cell == variant["letters"]
        assert {flag for flag in FLAGS if is_known(f"{name},{flag}")} == {*variant["flags"]}


async def test_games_by_numbers_go_up_to_the_sizes_that_are_offered(server: GameServer) -> None:
    for family in (await offer_at(server))["families"]:
        name, (least, most) = family["name"], family["columns"]
        assert family["rows"] == family["length"] == [least, most]
        assert is_known(f"{name}:{least},{least},{least}")
        assert is_known(f"{name}:{most},{least},{most}")
        assert not is_known(f"{name}:{most + 1},{least},{least}")
        assert {flag for flag in FLAGS if is_known(f"{name}:6,5,4,{flag}")} == {*family["flags"]}


async def test_every_computer_player_that_is_offered_plays(world: World) -> None:
    computers = Computers(programs={"wine": "/nowhere/wine"})
    computers.consider = lambda *_: None  # type: ignore[method-assign]  # it need not move
    server = await world.open(computers=computers)
    offer, guest = await offer_at(server), Guest(server)
    assert offer["programs"] == ["wine"]
    for name in (*offer["strategies"], "wine"):
        assert await guest.create("gomoku", opponent=name)
    other = Create(guest.new_id(), guest.token, "gomoku", opponent="nobody")
    assert (await guest.ask(other)).reason == "no_opponent"


async def test_the_rates_are_those_of_the_operator_and_the_text_is_made_once(
    world: World,
) -> None:
    allowance = Allowance(messages=3.0, games=7)
    server = await world.open(allowance=allowance)
    rates = (await offer_at(server))["rates"]
    assert (rates["messages"], rates["games"]) == (3.0, 7)
    assert offer_of("/ws", (), Allowance()) is offer_of("/ws", (), Allowance())
