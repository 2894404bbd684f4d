"""Two servers on one PostgreSQL and one Redis: of two clients in a race, one wins."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.online.moves import quiet_cells
from tests.online.callers import Caller
from tests.online.evidence import find_faults
from tests.online.guests import until
from tests.online.logs import all_events, opened
from tests.online.processes import Server
from tic_tac_toe.protocols.online.addresses import hash_of_token, new_token
from tic_tac_toe.protocols.online.events import Event, Moved, details_of
from tic_tac_toe.protocols.online.game import replay
from tic_tac_toe.protocols.online.limits import PROTOCOL
from tic_tac_toe.protocols.online.requests import Create, Hello, Join, Move, Pair
from tic_tac_toe_frontends.server.storage.postgres_store import PostgresStore

#: Races that are run at the same time.
LANES = 4
#: After this number of races a new game is begun.
MOVES = 80


@contextmanager
def two_nodes(
    folder: Path, database: str, redis: str = "", **settings: Any
) -> Iterator[tuple[Server, Server]]:
    """Run two servers that share everything.

    Args:
        settings: more for each `Server`.
    """
    shared = ("--database", database, *(("--redis", redis) if redis else ()))
    one, two = (Server(folder, database=shared, **settings) for _ in range(2))
    with one.running(), two.running():
        yield one, two


@dataclass
class Races:
    """What came of races.

    Attributes:
        outcomes: the number of races by the statuses of their answers, in alphabetical order.
        faults: races that nobody or more than one has won.
        wins: the cell that was played, by game and version.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    wins: dict[tuple[str, int], int] = field(default_factory=dict)

    def count(self, answers: list[dict[str, Any]], expected: str) -> None:
        """Count a race."""
        outcome = " ".join(sorted(str(answer["status"]) for answer in answers))
        self.outcomes[outcome] += 1
        if outcome != expected:
            self.faults.append(f"{outcome}: {answers}")

    def __str__(self) -> str:
        return f"{dict(self.outcomes)}, {len(self.faults)} faults {self.faults[:3]}"


async def race_for_seats(nodes: tuple[Server, Server], count: int, seed: int = 1) -> Races:
    """Return what comes of `count` races of two for the free seat of a game, at two nodes."""
    races = Races()
    numbers = itertools.count()

    async def lane(rng: random.Random) -> None:
        creator, *racers = [await Caller.at(node) for node in (nodes[0], *nodes)]
        while (number := next(numbers)) < count:
            created = await creator.ask(Create(f"c{number}", new_token(rng), "tic-tac-toe"))
            rng.shuffle(racers)
            joining = [
                racer.ask(Join(f"j{number}-{i}", created["game"], new_token(rng)))
                for i, racer in enumerate(racers)
            ]
            races.count(list(await asyncio.gather(*joining)), "illegal ok")
        for caller in (creator, *racers):
            await caller.close()

    dice = random.Random(seed)
    await asyncio.gather(*(lane(random.Random(dice.getrandbits(64))) for _ in range(LANES)))
    return races


async def _seated_at_both(
    nodes: tuple[Server, Server], rng: random.Random
) -> tuple[str, list[list[Caller]]]:
    """Return a new game, and for each of its seats a caller at each node."""
    tokens = [new_token(rng), new_token(rng)]
    callers = [[await Caller.at(node) for node in nodes] for _ in tokens]
    creation = Create("create", tokens[0], "gomoku", seat="X")
    address = (await callers[0][0].ask(creation))["game"]
    await callers[1][0].ask(Join("join", address, tokens[1]))
    for token, pair in zip(tokens, callers):
        for caller in pair:
            await caller.ask(Hello("hello", PROTOCOL, address, token))
    return address, callers


async def race_for_versions(nodes: tuple[Server, Server], count: int, seed: int = 1) -> Races:
    """Return what comes of `count` races of two moves of one seat, sent at two nodes.

    Every fifth is one of two messages with the same id, which is done once and answered twice.
    """
    races = Races()
    numbers = itertools.count()

    async def lane(rng: random.Random) -> None:
        while await game(rng):
            pass

    async def game(rng: random.Random) -> bool:
        """Play one game of races; return whether there are more, and none was won wrongly."""
        address, callers = await _seated_at_both(nodes, rng)
        cells, version, goes_on = quiet_cells(rng), 2, True
        for ply in range(MOVES):
            number = next(numbers)
            goes_on = number < count and not races.faults
            if not goes_on:
                break
            mine, same = cells[ply % 2], number % 5 == 0
            tried = [mine.pop()] * 2 if same else [mine.pop(), mine[-1]]
            asked = [
                caller.ask(Move(f"{letter}{number}", version, cell))
                for caller, letter, cell in zip(callers[ply % 2], "mm" if same else "mn", tried)
            ]
            answers = list(await asyncio.gather(*asked))
            races.count(answers, "duplicate ok" if same else "ok stale")
            winner = next((i for i in range(2) if answers[i]["status"] == "ok"), 0)
            if winner == 1 and not same:
                mine[-1] = tried[0]
            version = answers[winner].get("version", 0)
            races.wins[address, version] = tried[winner]
        for caller in itertools.chain(*callers):
            await caller.close()
        return goes_on

    dice = random.Random(seed)
    await asyncio.gather(*(lane(random.Random(dice.getrandbits(64))) for _ in range(LANES)))
    return races


async def race_for_opponents(
    nodes: tuple[Server, Server], database: str, count: int, seed: int = 1
) -> list[str]:
    """Let clients want to play now, at two nodes by turns and all at once; return what went wrong.

    Args:
        count: the number of clients, an even one.
    """
    rng = random.Random(seed)
    callers = [await Caller.at(nodes[number % 2]) for number in range(count)]
    tokens = [new_token(rng) for _ in callers]
    asked = [
        caller.ask(Pair(f"p{number}", token, "connect-four"))
        for number, (caller, token) in enumerate(zip(callers, tokens))
    ]
    answers = await asyncio.gather(*asked)
    faults = [f"not answered: {answer}" for answer in answers if answer["status"] != "ok"]
    with suppress(AssertionError):
        await until(lambda: len(_pairs(read_postgres(database))) >= count // 2, "all are paired")
    await asyncio.sleep(2)  # for what is wrong, such as a second opponent
    log = read_postgres(database)
    times = Counter(itertools.chain(*_pairs(log)))
    keys = [hash_of_token(token) for token in tokens]
    faults += [f"a player has {times[key]} opponents" for key in keys if times[key] != 1]
    known = {(event.game, event.version): event.kind for event in log}
    for caller in callers:
        told = [news for news in caller.heard if news["type"] == "event"]
        faults += [
            f"somebody was told of {news}, which is not in the log"
            for news in told
            if known.get((news["game"], news["version"])) != news["kind"]
        ]
        await caller.close()
    return faults + find_faults(log, [])


def _pairs(log: list[Event]) -> list[list[str]]:
    """Return who plays whom, by the hashes of their tokens."""
    games: dict[str, list[Event]] = {}
    for event in log:
        games.setdefault(event.game, []).append(event)
    stands = [replay(events) for events in games.values()]
    return [
        [player.key for player in game.players if player is not None]
        for game in stands
        if game is not None and None not in game.players
    ]


def compare_with_log(races: Races, log: list[Event]) -> list[str]:
    """Return where the log does not hold what was won, and what else is wrong with it."""
    faults = find_faults(log, [])
    kept = {(event.game, event.version): details_of(event).get("cell") for event in log}
    faults += [f"{won} is not in the log" for won, cell in races.wins.items() if kept[won] != cell]
    games: dict[str, list[int | None]] = {}
    for event in log:
        if isinstance(event, Moved):
            games.setdefault(event.game, []).append(event.cell)
    moves = sum(map(len, games.values()))
    if moves != len(races.wins):
        faults.append(f"{len(races.wins)} races were won, and the log has {moves} moves")
    return faults


def read_postgres(url: str) -> list[Event]:
    """Return every event of a database."""
    with opened(PostgresStore(url)) as store:
        return list(all_events(store))
