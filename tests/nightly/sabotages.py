"""Faults that are built into the sources one at a time, and the tests that have to see each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Sabotage(NamedTuple):
    """A change of the sources that breaks one promise.

    Attributes:
        promise: what is broken; the sabotage's name.
        changes: by the path of a file, below the folder of its package's sources: pieces of it, of
            which there is one each, and what stands there instead.
        tests: the tests that have to fail then, as pytest selects them.
    """

    promise: str
    changes: Mapping[str, Mapping[str, str]]
    tests: tuple[str, ...]


LIBRARY: list[Sabotage] = [
    Sabotage(
        "a position in which both players own a line is refused",
        {
            "tic_tac_toe/logic/rules/line.py": {
                "if len(winners) == 2:": "if len(winners) == 3:",
            },
        },
        ("tests/logic/test_rules.py",),
    ),
]

RESUMPTION = "tests/protocols/test_resumption.py"
EVENING = "tests/protocols/test_game.py::test_whatever_is_asked_a_game_is_the_replay_of_its_events"
PROTOCOLS: list[Sabotage] = [
    Sabotage(
        "what is asked again after a loss has the id that it had",
        {
            "tic_tac_toe/protocols/online/outbox.py": {
                "import random\n": "import random\nfrom dataclasses import replace\n",
                "self._again_at.clear()": (
                    "again = [replace(each, id=self.new_id()) for each in self.pending.values()]\n"
                    "        self.pending = {each.id: each for each in again}"
                ),
            },
        },
        (f"{RESUMPTION}::test_a_connection_may_be_lost_after_any_text_in_either_direction",),
    ),
    Sabotage(
        "what has no answer is asked again after a loss",
        {
            "tic_tac_toe/protocols/online/outbox.py": {
                "self._again_at.clear()": "self.pending.clear()",
            },
        },
        (f"{RESUMPTION}::test_a_connection_may_be_lost_after_any_text_in_either_direction",),
    ),
    Sabotage(
        "whatever is asked in a storm has an answer",
        {
            "tic_tac_toe/protocols/online/outbox.py": {
                "self._again_at.clear()": "self.pending.clear()",
            },
        },
        (
            f"{RESUMPTION}::test_every_answer_is_true_whatever_is_asked_and_whenever_connections_break",
        ),
    ),
    Sabotage(
        "events are applied by their numbers, and not as they come",
        {
            "tic_tac_toe/protocols/online/following.py": {
                "ours = [event for event in events if event.game == self.address]": (
                    "here = (event for event in events if event.game == self.address)\n"
                    "        now = self.version + 1\n"
                    "        ours = [replace(e, version=now + at) for at, e in enumerate(here)]"
                ),
            },
        },
        (f"{RESUMPTION}::test_events_may_be_lost_repeated_and_shuffled",),
    ),
    Sabotage(
        "events that are missing are asked for",
        {
            "tic_tac_toe/protocols/online/following.py": {
                "self._outbox.ask_aside(request)": 'self._events_id = ""',
            },
        },
        (f"{RESUMPTION}::test_events_may_be_lost_repeated_and_shuffled",),
    ),
    Sabotage(
        "a move that was made in view of another board is stale",
        {
            "tic_tac_toe/protocols/online/judge.py": {
                "not game.changed <= version <= game.version": "version > game.version",
            },
        },
        (EVENING,),
    ),
    Sabotage(
        "nobody moves at the other player's turn",
        {
            "tic_tac_toe/protocols/online/judge.py": {
                "if game.turn != seat:": "if not game.turn:",
            },
        },
        (EVENING,),
    ),
    Sabotage(
        "time in a log does not run backwards, whatever the machine's clock does",
        {
            "tic_tac_toe/protocols/online/judge.py": {
                "seat, max(now, game.time)": "seat, now",
            },
        },
        (EVENING,),
    ),
]

SERVER: list[Sabotage] = []

SCREENS: list[Sabotage] = []

SABOTAGES = (*LIBRARY, *PROTOCOLS, *SERVER, *SCREENS)
