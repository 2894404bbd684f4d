"""Compiled code is made aside: until it is there, plain Python plays."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tic_tac_toe.engines import preparing
from tic_tac_toe.engines.choice import engine_for
from tic_tac_toe.engines.engine import Engine
from tic_tac_toe.engines.lines.engine import CompiledLines
from tic_tac_toe.engines.plain_lines import PlainLines
from tic_tac_toe.engines.playouts.engine import CompiledPlayouts
from tic_tac_toe.engines.preparing import CODE_VARIABLE, PLAIN, is_ready, main
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import find_rules

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
    monkeypatch.setattr(preparing, "parts_of", lambda _rules: [part])
    preparing._is_ready.cache_clear()
    yield part
    preparing._is_ready.cache_clear()


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
    preparing._is_ready.cache_clear()
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
