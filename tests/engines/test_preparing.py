"""Compiled code is made aside, and thoughts tell how far they have come."""

from __future__ import annotations

import os
import random
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, pairwise
from typing import Any

import pytest

from tic_tac_toe.engines import choice
from tic_tac_toe.engines.choice import CODE_VARIABLE, PLAIN, Engine, engine_for, is_ready, main
from tic_tac_toe.engines.lines import CompiledLines
from tic_tac_toe.engines.plain import LookingAhead, PlainLines, PlainPlayouts
from tic_tac_toe.engines.playouts import CompiledPlayouts
from tic_tac_toe.game.evaluate import evaluate
from tic_tac_toe.game.strategies import STRATEGIES, within
from tic_tac_toe.limits import PARTS, Limits, Progress, Reporter
from tic_tac_toe.logic.models import GameState
from tic_tac_toe.logic.notation import play_moves
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.rules.line import LineRules

GAME = "mnk:6,5,4"


class Part:
    """What is compiled when it is asked for."""

    ready = False

    def is_ready(self) -> bool:
        return self.ready

    def prepare(self) -> None:
        self.ready = True


@pytest.fixture
def part(monkeypatch: pytest.MonkeyPatch) -> Iterator[Part]:
    part = Part()
    monkeypatch.delenv(CODE_VARIABLE)
    monkeypatch.setattr(choice, "parts_of", lambda _rules: [part])
    choice._is_ready.cache_clear()
    yield part
    choice._is_ready.cache_clear()


def test_code_that_is_not_there_is_made_in_another_process_and_not_used_in_this_one(
    part: Part, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands, called = list[Any](), threading.Event()

    def run(command: Any, **_options: Any) -> None:
        commands.append(command)
        called.set()

    monkeypatch.setattr(subprocess, "run", run)
    rules = find_rules(GAME)

    assert not is_ready(rules)
    assert called.wait(60)
    part.ready = True
    assert not is_ready(rules)
    assert [command[-1] for command in commands] == [GAME]


def test_code_that_is_there_is_used_unless_plain_python_is_asked_for(
    part: Part, monkeypatch: pytest.MonkeyPatch
) -> None:
    part.ready = True
    assert is_ready(find_rules(GAME))
    monkeypatch.setenv(CODE_VARIABLE, PLAIN)
    assert not is_ready(find_rules(GAME))


@pytest.mark.parametrize(
    ("name", "engine"),
    [("renju", CompiledLines), ("ultimate", CompiledPlayouts), ("qubic", PlainLines)],
)
def test_code_that_is_there_plays_where_it_is_the_strongest(
    part: Part, monkeypatch: pytest.MonkeyPatch, name: str, engine: type[Engine]
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_arguments, **_options: None)
    assert not isinstance(engine_for(find_rules(name)), (CompiledLines, CompiledPlayouts))
    choice._is_ready.cache_clear()
    part.ready = True
    assert isinstance(engine_for(find_rules(name)), engine)


def test_the_code_for_rules_of_ones_own_is_made_at_once(part: Part) -> None:
    rules: Rules = type("Own", (type(find_rules(GAME)),), {})()
    assert is_ready(rules)
    assert part.ready


def test_the_other_process_makes_the_code_of_the_games_that_are_named(
    part: Part, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "nice", lambda _by: 0, raising=False)
    main([GAME])
    assert part.ready


GOMOKU = VARIANTS["gomoku"]
assert isinstance(GOMOKU, LineRules)
QUIET = play_moves(GameState.new(GOMOKU), "H8 I9 H9")
ENGINES: list[tuple[Engine, GameState]] = [
    (PlainLines(GOMOKU), QUIET),
    (PlainPlayouts(VARIANTS["ultimate"]), GameState.new(VARIANTS["ultimate"])),
    (LookingAhead(VARIANTS["connect-four"]), GameState.new(VARIANTS["connect-four"])),
]
engines = pytest.mark.parametrize(
    ("engine", "state"), ENGINES, ids=[type(engine).__name__ for engine, _ in ENGINES]
)
LITTLE = Limits(work=0.02)


@pytest.mark.medium
@engines
def test_a_listener_changes_nothing_and_hears_shares_that_never_go_back_and_legal_moves(
    engine: Engine, state: GameState
) -> None:
    told: list[Progress] = []
    heard = engine.think(state.position, Limits(work=0.1, progress=told.append), random.Random(1))
    assert heard == engine.think(state.position, Limits(work=0.1), random.Random(1))
    for before, after in pairwise(told):
        assert before.share <= after.share
        assert before.depth <= after.depth
        assert before.nodes <= after.nodes
    assert all(0 <= now.share <= 1 for now in told)
    assert {now.best for now in told} <= {None, *state.legal_moves}
    assert told[-1].best is not None


@engines
def test_a_thought_without_end_ends_when_it_is_stopped(engine: Engine, state: GameState) -> None:
    told: list[Progress] = []

    def is_found() -> bool:
        return any(now.best is not None for now in told)

    limits = Limits(cancelled=is_found, progress=told.append)
    found = engine.think(state.position, limits, random.Random(1))

    assert set(found.best) <= set(state.legal_moves)


def test_a_listener_hears_each_part_of_the_work_once_and_each_new_best_move() -> None:
    told: list[Progress] = []
    reporter = Reporter(Limits(progress=told.append), 10 * PARTS)
    for nodes in range(100):
        reporter.spent(nodes)
    reporter.found(7, 100, 2)
    reporter.found(7, 101, 2)
    assert [now.nodes for now in told] == [*range(10, 100, 10), 100]
    assert told[-1] == Progress(nodes=100, share=0.1, depth=2, best=7)


@pytest.mark.medium
def test_by_a_clock_the_share_is_that_of_the_time() -> None:
    told: list[Progress] = []
    ticks = count()
    evaluate(QUIET, Limits(400, clock=lambda: next(ticks), progress=told.append))
    assert 0 < told[0].share <= told[-1].share <= 1


@pytest.mark.parametrize("name", STRATEGIES)
def test_each_strategy_moves_the_same_when_it_is_watched(name: str) -> None:
    state = play_moves(GameState.new(), "B2 A1")
    strategy = within(name, Limits(cancelled=lambda: False, progress=lambda _now: None))
    assert strategy(state, random.Random(5)) == STRATEGIES[name](state, random.Random(5))


@pytest.mark.parametrize("name", ["minimax", "hard", "trickster", "mcts"])
def test_each_strategy_that_thinks_moves_at_once_when_it_is_stopped(name: str) -> None:
    strategy = within(name, Limits(1e9, cancelled=lambda: True))
    move = strategy(QUIET, random.Random(5))
    assert move is not None
    assert move.number in QUIET.legal_moves


def test_solving_and_thinking_share_one_bar() -> None:
    told: list[Progress] = []
    state = play_moves(GameState.new(VARIANTS["4x4"]), "A1 B2")
    evaluate(state, replace(LITTLE, progress=told.append))
    shares = [now.share for now in told]
    assert shares == sorted(shares)
