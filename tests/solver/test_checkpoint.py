"""A search that is stopped at any instant goes on, and no file makes it wrong."""

import contextlib
import errno
import gzip
import hashlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tic_tac_toe import GameState, find_rules
from tic_tac_toe.limits import FIRST_SLICE
from tic_tac_toe.logic.exceptions import Message, SearchLimitReached
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.search.evaluation import MATE
from tic_tac_toe.logic.search.exact import analyse_moves, find_verdict
from tic_tac_toe.solver import (
    Checkpoint,
    FastSolver,
    InvalidCheckpoint,
    Limits,
    checkpoint,
    solve,
)
from tic_tac_toe.solver.checkpoint import (
    header_checksum,
    identity,
    read_state,
    read_table,
    restore_worker,
)
from tic_tac_toe.solver.kernels.control import TABLE_BITS

GAME = "mnk:6,5,4,gravity"
MEMORY = 1 << 22
ONE = Limits(memory=MEMORY, threads=1)
FIVE, MISERE = find_rules("mnk:5,4,4,gravity"), find_rules("mnk:4,4,3,misere")
OLD_STATE = Path(__file__).parents[1] / "data" / "misere.checkpoint.gz"
OLDER, NEWER = checkpoint.GENERATIONS[1], checkpoint.GENERATIONS[0]

CHILD = """
    import sys
    from tic_tac_toe import find_rules
    from tic_tac_toe.logic.positions import Position
    from tic_tac_toe.solver import Checkpoint, FastSolver, Limits

    class Loud(Checkpoint):
        def save(self, identity, generation, state, arrays):
            super().save(identity, generation, state, arrays)
            print("saved", state["nodes"], flush=True)

    folder, name, crosses, naughts, turn, memory = sys.argv[1:]
    notice = lambda text: print("notice", text, flush=True)
    solvers = []
    # It goes by positions: every machine saves as often as the others.
    clock = lambda: solvers[0].nodes / 20_000_000 if solvers else 0.0
    limits = Limits(memory=int(memory), threads=1, clock=clock)
    saver = Loud(folder, interval=0.1, notice=notice, clock=clock)
    solver = FastSolver(find_rules(name), limits, checkpoint=saver)
    solvers.append(solver)
    position = Position((int(crosses), int(naughts)), int(turn))
    print("start", solver.nodes, flush=True)
    print("score", solver.score(position), flush=True)
"""


def solver_of(
    folder: Path, *, nodes: int | None = None, memory: int = MEMORY, name: str = GAME, **more: Any
) -> Any:
    """Return a solver that has read all that the folder holds."""
    more.setdefault("interval", 1e9)  # compiling takes longer than the usual one
    limits, saver = Limits(node_limit=nodes, memory=memory, threads=1), Checkpoint(folder, **more)
    solver: Any = FastSolver(find_rules(name), limits, checkpoint=saver)
    solver.checkpoint.read_table()
    return solver


def stopped(folder: Path, nodes: int, **more: Any) -> Any:
    """Return a solver that was stopped after `nodes` nodes in the middle of the empty board."""
    solver = solver_of(folder, nodes=nodes, **more)
    with pytest.raises(SearchLimitReached):
        solver.score(Position())
    return solver


def save(folder: Path, *counts: int) -> None:
    """Save a state for each count of nodes, one generation after the other."""
    for nodes in counts:
        solver = stopped(folder, nodes)
        solver.checkpoint.save()


@pytest.fixture(scope="module")
def two_states(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Both generations in the middle of a search, by file name."""
    folder = tmp_path_factory.mktemp("two-states")
    save(folder, 20_000, 60_000)
    return contents(folder)


@pytest.fixture
def folder(tmp_path: Path, two_states: dict[str, bytes]) -> Path:
    for name, content in two_states.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


@pytest.fixture(scope="module")
def score() -> int:
    return FastSolver(find_rules(GAME), ONE).score(Position())


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def edited(content: bytes, edit: Callable[[dict[str, Any]], object], *, sealed: bool) -> bytes:
    """Return a state with another header, under a checksum that is right if ``sealed``."""
    line, payload = content.split(b"\n", 1)
    header = json.loads(line)
    edit(header)
    if sealed:
        header.pop("checksum", None)
        arrays = header["arrays"].items()
        small = 8 * sum(size for name, (_, size) in arrays if name != "table")
        digest = hashlib.blake2b(payload[:small], digest_size=16).hexdigest()
        header["checksum"] = header_checksum(header, digest)
    return json.dumps(header).encode() + b"\n" + payload


# --- killed at any instant


def run_and_kill(command: list[str], saves: int, seconds: float) -> list[list[str]]:
    """Run the child and kill it `seconds` after a number of saves; return what it has said."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        said = [child.stdout.readline() for _ in range(1 + saves)]
        time.sleep(seconds)
        child.send_signal(signal.SIGKILL)
        said += child.stdout.readlines()
    return [line.split() for line in said]


@pytest.mark.slow
def test_a_process_killed_again_and_again_ends_with_the_same_score(tmp_path: Path) -> None:
    rules, position = find_rules("connect-four"), Position()
    for cell in (38, 31, 24, 37, 30):  # columns 4, 4, 4, 3, 3
        position = rules.play(position, cell)
    stones = map(str, [*position.stones, position.turn])
    program = textwrap.dedent(CHILD)
    command = [sys.executable, "-c", program, str(tmp_path), "connect-four", *stones, str(MEMORY)]
    instants, saved, kills = random.Random(1), 0, 0
    for _ in range(4):
        after = instants.randint(1, 2), instants.uniform(0, 0.02)
        (_, started), *said = run_and_kill(command, *after)
        assert int(started) >= saved, "what was saved is what the next one starts with"
        saved = max([int(number) for word, number in said if word == "saved"] or [int(started)])
        kills += all(word == "saved" for word, _ in said)
    assert saved > 0
    assert kills > 1, "the search is too short for this test"
    ended = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "notice" not in ended
    alone = FastSolver(rules, ONE).score(position)
    assert ended.splitlines()[-1] == f"score {alone}"
    assert {path.name for path in tmp_path.iterdir()} <= set(checkpoint.GENERATIONS)


def test_what_a_killed_process_was_writing_is_cleared_away(folder: Path) -> None:
    (folder / ".new-abc").write_bytes(b"half")
    (folder / ".try-abc").touch()
    (folder / ".other-abc").touch()
    Checkpoint(folder)
    assert set(contents(folder)) == {OLDER, NEWER, ".other-abc"}


@pytest.mark.parametrize("seconds_a_save_takes", [0, 1, 20, 100])
def test_no_more_than_a_minute_lies_between_the_end_of_a_save_and_the_next(
    tmp_path: Path, seconds_a_save_takes: int
) -> None:
    now, begun, ended = 0.0, [0.0], [0.0]

    class Timed(Checkpoint):
        def save(self, *_: Any) -> None:
            nonlocal now
            begun.append(now)
            now += seconds_a_save_takes
            ended.append(now)

    saving = FastSolver(FIVE, ONE, checkpoint=Timed(tmp_path, clock=lambda: now)).saving
    assert saving is not None
    while len(begun) < 6:
        if saving.is_due():
            saving.save_in_passing((Position(), -1, 1))
        now += 0.03
    assert all(29 < begun[i + 1] - ended[i] < 60 for i in range(5))


# --- going on


@pytest.mark.medium
@pytest.mark.parametrize("name", [GAME, "5x5x4", "mnk:5,5,4,gravity,misere", "mnk:4,4,3,misere"])
def test_a_search_goes_on_where_it_was(tmp_path: Path, name: str) -> None:
    begun = stopped(tmp_path, 20_000, name=name)
    begun.saving.save()
    resumed = solver_of(tmp_path, name=name)
    assert resumed.nodes == begun.nodes
    alone = FastSolver(find_rules(name), ONE)
    assert resumed.score(Position()) == alone.score(Position())
    assert resumed.nodes == alone.nodes, "not a node is searched twice"


@pytest.mark.medium
@pytest.mark.parametrize("memory", [1 << 20, 1 << 25])
def test_a_search_goes_on_with_another_memory(folder: Path, score: int, memory: int) -> None:
    assert solver_of(folder, memory=memory).score(Position()) == score


@pytest.mark.medium
def test_a_search_goes_on_in_less_memory_than_its_table_takes(tmp_path: Path, score: int) -> None:
    full = stopped(tmp_path, 150_000, memory=1 << 24)
    full.kernel.gather([full.lead])
    full.saving.save()
    solver = solver_of(tmp_path, memory=1 << 20)
    assert solver.table.nbytes == full.table.nbytes
    assert solver.score(Position()) == score


@pytest.mark.medium
def test_another_question_ignores_the_saved_search_and_keeps_what_is_known(
    folder: Path, score: int
) -> None:
    rules = find_rules(GAME)
    reply = rules.play(Position(), 24)
    fresh = FastSolver(rules, ONE).score(reply)
    solver = solver_of(folder)
    known = dict(solver.known)
    assert known
    assert solver.score(reply) == fresh
    assert known.items() <= solver.known.items()
    assert solver.score(Position()) == score


@pytest.mark.medium
def test_a_saved_search_is_not_taken_up_after_another_question(tmp_path: Path) -> None:
    """By then the table is laid out anew."""
    save(tmp_path, 2_000)
    saved_bits = solver_of(tmp_path).lead.control[TABLE_BITS]
    solver = solver_of(tmp_path, memory=1 << 24)
    question = Position(), -MATE, MATE
    solver.score(find_rules(GAME).play(Position(), 24))
    grown_bits = solver.lead.control[TABLE_BITS]
    assert grown_bits > saved_bits
    assert not solver.checkpoint.resume(question)
    assert solver.lead.control[TABLE_BITS] == grown_bits


def test_all_that_is_known_is_saved_however_much(tmp_path: Path) -> None:
    solver = solver_of(tmp_path)
    random_bits = random.Random(2)
    for _ in range(5_000):
        stones = random_bits.getrandbits(64), random_bits.getrandbits(64)
        solver.known[Position(stones, random_bits.randrange(2))] = (-3, 2)
    solver.checkpoint.save()
    assert solver_of(tmp_path).known == solver.known


# --- within the time


class Clock:
    """Seconds that pass while a solver looks at positions, and while a table is on its way."""

    def __init__(self) -> None:
        self.waited, self._solver, self._nodes = 0.0, None, 0

    def follow(self, solver: Any) -> Any:
        """Go on with another solver; return it."""
        self.waited, self._solver, self._nodes = self.now, solver, solver.nodes
        return solver

    @property
    def now(self) -> float:
        searched = self._solver.nodes - self._nodes if self._solver else 0
        return self.waited + searched / 100_000

    def __call__(self) -> float:
        return self.now


class SlowDisk(Checkpoint):
    """A checkpoint that needs 3 seconds to read or write a piece of a table."""

    seconds = 3.0
    pieces = 0

    def _wait(self) -> None:
        assert isinstance(self.clock, Clock)
        self.clock.waited += self.seconds
        self.pieces += 1

    def read_table(self, saved: Any, table: Any, stop: Callable[[], object]) -> bool:
        def stop_and_wait() -> object:
            reached = stop()
            if not reached:
                self._wait()
            return reached

        return super().read_table(saved, table, stop_and_wait)

    def save(self, identity: Any, generation: int, state: Any, arrays: Any) -> None:
        usual, calls = self.clock, iter([0.0, self.seconds])
        self.clock = lambda: usual() + next(calls)
        try:
            super().save(identity, generation, state, arrays)
        finally:
            self.clock = usual
        self._wait()


Begin = Callable[..., Any]


@pytest.fixture
def begun(tmp_path: Path) -> Begin:
    """Return what makes a solver that has read no table yet, all on one slow disk."""
    clock = Clock()

    def begin(disk: dict[str, Any] | None = None, **limits: Any) -> Any:
        told = replace(ONE, clock=clock, **limits)
        # As if the table were large.
        options = {"interval": 1e9, "large_bytes": 1, **(disk or {})}
        saver = SlowDisk(tmp_path, clock=clock, **options)
        return clock.follow(FastSolver(find_rules("connect-four"), told, checkpoint=saver))

    return begin


def search_and_save(solver: Any) -> str:
    """Ask until the limit and save; return what the limit was."""
    with pytest.raises(SearchLimitReached) as caught:
        solver.score(Position())
    solver.save_news()
    return str(caught.value)


@pytest.mark.medium
@pytest.mark.parametrize(("seconds", "interval"), [(20, 1e9), (12, 5.0)])
def test_reading_and_saving_are_within_the_time_limit(
    tmp_path: Path, begun: Begin, seconds: int, interval: float
) -> None:
    """No state is saved in passing shortly before the end: it would be saved again there."""
    search_and_save(begun(node_limit=5_000))
    solver = begun({"interval": interval}, time_limit=seconds)
    disk, before = solver.checkpoint.checkpoint, solver.checkpoint.checkpoint.clock.now

    assert search_and_save(solver).startswith(f"no answer after {seconds} seconds; ")
    assert seconds - 5 < disk.clock.now - before <= seconds
    assert disk.pieces == 2, "read once, saved once"
    assert solver.nodes > 5_000
    assert set(contents(tmp_path)) == {OLDER, NEWER}
    assert solver_of(tmp_path, name="connect-four").nodes == solver.nodes


@pytest.mark.medium
def test_a_table_that_could_not_be_saved_in_time_does_not_grow(begun: Begin) -> None:
    search_and_save(begun(node_limit=5_000))
    sizes = []
    for limits in {"time_limit": 20}, {"node_limit": 500_000}:
        solver = begun(**limits)
        with pytest.raises(SearchLimitReached):
            solver.score(Position())
        sizes.append(int(solver.lead.control[TABLE_BITS]))
    assert sizes[0] < sizes[1], "without a limit of time it grows"


def test_where_there_is_no_time_to_save_nothing_is_searched(tmp_path: Path, begun: Begin) -> None:
    search_and_save(begun(node_limit=5_000))
    before, notices = contents(tmp_path), list[Message]()
    solver = begun({"notice": notices.append}, time_limit=2)
    for _ in range(2):
        assert search_and_save(solver).startswith("no answer after 2 seconds; ")
    assert [*map(str, notices)] == [
        "the time limit leaves no time to search: saving takes 4 seconds"
    ]
    assert solver.checkpoint.checkpoint.pieces == 0
    assert contents(tmp_path) == before


def test_reading_stops_at_the_limit_and_begins_anew(tmp_path: Path, begun: Begin) -> None:
    """Saving takes no time here."""
    first = begun(node_limit=5_000)
    pieces: dict[str, Any] = {"piece_bytes": 8 * first.kernel.words_in_use(first.lead) // 16}
    first.saving.checkpoint.seconds = 0.0
    first.saving.checkpoint.piece_bytes = pieces["piece_bytes"]
    search_and_save(first)
    solver, before = begun(pieces, time_limit=20), contents(tmp_path)
    disk = solver.checkpoint.checkpoint
    search_and_save(solver)
    assert 2 < disk.pieces < 10
    assert not solver.table.any()
    assert contents(tmp_path) == before
    solver.renew(Limits(node_limit=10_000, memory=MEMORY, threads=1))
    search_and_save(solver)
    assert disk.pieces > 16
    assert solver_of(tmp_path, name="connect-four", **pieces).nodes == 10_000


def test_a_finished_search_is_answered_without_its_table(tmp_path: Path) -> None:
    """The table of moves, too; and nothing is saved again."""
    rules = find_rules("connect-four-5x4")

    def answers(solver: Any) -> list[Any]:
        verdict = find_verdict(rules, Position(), solver)
        return [verdict, *analyse_moves(rules, Position(), solver)]

    first = solver_of(tmp_path, name="connect-four-5x4")
    found = answers(first)
    first.save_news()
    before = contents(tmp_path)

    class Unread(Checkpoint):
        def read_table(self, *_: Any) -> bool:
            pytest.fail("the table is read")

    saver = Unread(tmp_path)
    second = FastSolver(rules, ONE, checkpoint=saver)
    assert answers(second) == found
    assert second.nodes == first.nodes
    second.save_news()
    assert contents(tmp_path) == before


def test_solve_saves_what_it_has_found(tmp_path: Path) -> None:
    state = GameState.new(find_rules("connect-four-5x4"))
    with pytest.raises(SearchLimitReached):
        solve(state, replace(ONE, node_limit=1_000), checkpoint=Checkpoint(tmp_path))
    assert len(contents(tmp_path)) == 1
    found = solve(state, ONE, checkpoint=Checkpoint(tmp_path))
    assert len(contents(tmp_path)) == 2
    assert solve(state, Limits(node_limit=1), checkpoint=Checkpoint(tmp_path)) == found


# --- damaged, foreign and hostile files


def flip(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def nest(header: dict[str, Any]) -> None:
    header["state"] = []
    for _ in range(500):
        header["state"] = [header["state"]]


def set_array(name: str, value: object) -> Callable[[dict[str, Any]], object]:
    return lambda header: header["arrays"].update({name: value})


def move_border(smaller: str, larger: str, words: int) -> Callable[[dict[str, Any]], None]:
    """Return an edit that counts words of one array as another's."""

    def edit(header: dict[str, Any]) -> None:
        header["arrays"][smaller][1] -= words
        header["arrays"][larger][1] += words

    return edit


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "cut off in the header": lambda content: content[:40],
    "cut off in an array": lambda content: content[:-1],
    "too long": lambda content: content + b"\0",
    "a bit of the header": lambda content: flip(content, 2_001),
    "a bit of an array": lambda content: flip(content, len(content) * 4),
    "the last bit": lambda content: flip(content, len(content) * 8 - 1),
    "not a header": lambda content: b"[1, 2]\n",
    "not text": lambda content: b"\xff\xfe\x00\n",
    "endless": lambda content: b"[" * 100_000,
    "deep": lambda content: b'{"a":' * 9_000 + b"1" + b"}" * 9_000 + b"\n",
    "no line": lambda content: b"x" * 200_000,
}
EDITS: dict[str, Callable[[dict[str, Any]], object]] = {
    "no checksum": lambda header: header.pop("checksum"),
    "another game": lambda header: header.update(game="connect-four"),
    "another format": lambda header: header.update(format="tictactoe-engine checkpoint 0"),
    "another code": lambda header: header.update(code="0123456789abcdef"),
    "a name that is a list": lambda header: header.update(game=["a"] * 9),
    "objects": set_array("table", ["|O", 8]),
    "strings of no length": set_array("extra", ["|S0", 10**18]),
    "records": set_array("table", [[["a", "<u8"]], 8]),
    "floats": set_array("numbers", ["<f8", 8]),
    "a negative size": set_array("table", ["<u8", -8]),
    "a huge size": set_array("table", ["<u8", 10**30]),
    "infinity": set_array("table", ["<u8", float("inf")]),
    "a size that is true": set_array("table", ["<u8", True]),
    "no arrays": lambda header: header.update(arrays=None),
    "a generation that is text": lambda header: header.update(generation="9"),
    "a generation below 0": lambda header: header.update(generation=-9),
    "no generation": lambda header: header.pop("generation"),
}
#: Under a right checksum.
SEALED: dict[str, Callable[[dict[str, Any]], object]] = {
    "deep nesting": nest,
    "no state": lambda header: header.pop("state"),
    "a state that is text": lambda header: header.update(state="?"),
    "no nodes": lambda header: header["state"].pop("nodes"),
    "nodes without end": lambda header: header["state"].update(nodes=float("inf")),
    "half a question": lambda header: header["state"].update(question=[1, 2]),
    "an array by another name": lambda header: header["arrays"].update(
        other=header["arrays"].pop("control"), table=header["arrays"].pop("table")
    ),
    "no table": lambda header: header["arrays"].update(other=header["arrays"].pop("table")),
    "no time": lambda header: header.pop("seconds"),
    "a time that is no number": lambda header: header.update(seconds="nan"),
    "no checksum of the table": lambda header: header.pop("table checksum"),
    "arrays of other sizes": move_border("frames", "numbers", 1),
    "a smaller table": move_border("table", "known values", 3),
    "signed words for unsigned": lambda header: header["arrays"]["frames"].__setitem__(0, "<i8"),
}
ALL: dict[str, Callable[[bytes], bytes]] = {
    **DAMAGES,
    **{name: partial(edited, edit=edit, sealed=False) for name, edit in EDITS.items()},
    **{name: partial(edited, edit=edit, sealed=True) for name, edit in SEALED.items()},
}


@pytest.mark.parametrize("damage", ALL, ids=str)
def test_the_older_state_is_used_with_a_notice(folder: Path, damage: str) -> None:
    (folder / NEWER).write_bytes(ALL[damage]((folder / NEWER).read_bytes()))
    notices: list[Message] = []
    solver = solver_of(folder, notice=notices.append)
    (notice,) = map(str, notices)
    assert notice.startswith(NEWER)
    assert notice.endswith("; the older state is used")
    assert len(notice) < 200
    assert 20_000 <= solver.nodes < 60_000
    # The next state takes the place of the damaged one.
    before = (folder / OLDER).read_bytes()
    solver.checkpoint.save()
    assert (folder / OLDER).read_bytes() == before
    assert solver_of(folder, notice=pytest.fail).nodes == solver.nodes


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ("another game", f'belongs to another game: "connect-four", not "{GAME}"'),
        ("another code", 'belongs to another code: "0123456789abcdef", not "'),
        ("empty", "is no checkpoint, or is damaged"),
        ("cut off in an array", "is cut off, or too long"),
        ("a bit of an array", "is damaged: its checksum is wrong"),
        ("no state", "holds what no search has saved"),
    ],
)
def test_where_both_states_are_damaged_the_checkpoint_is_refused_with_what_is_wrong(
    folder: Path, damage: str, message: str
) -> None:
    for name in (OLDER, NEWER):
        (folder / name).write_bytes(ALL[damage]((folder / name).read_bytes()))
    before = contents(folder)
    with pytest.raises(InvalidCheckpoint) as caught:
        solver_of(folder)
    file, _, reason = str(caught.value).partition(" ")
    assert file in (OLDER, NEWER)
    assert reason.startswith(message)
    assert contents(folder) == before


@pytest.mark.medium
def test_every_flipped_bit_is_noticed(folder: Path) -> None:
    path, origin = folder / NEWER, identity(find_rules(GAME))
    content = path.read_bytes()
    for bit in random.Random(3).sample(range(len(content) * 8), 100):
        path.write_bytes(flip(content, bit))
        table = np.zeros(1, np.uint64)
        with pytest.raises(InvalidCheckpoint):  # noqa: PT012
            saved = read_state(path, origin)
            table = np.zeros(saved.table_size, np.uint64)
            read_table(saved, table, lambda: False)
        assert not table.any()


@pytest.mark.medium
def test_a_file_of_the_release_before_is_read(tmp_path: Path) -> None:
    """The format on disk stays: the file was written before the kernels moved into packages."""
    path = tmp_path / NEWER
    path.write_bytes(gzip.decompress(OLD_STATE.read_bytes()))
    origin = {key: value for key, value in identity(MISERE).items() if key != "code"}
    saved = read_state(path, origin)
    solver = FastSolver(MISERE, ONE)
    question = solver.restore(saved)
    assert read_table(saved, solver.table, lambda: False)
    assert question is not None
    assert 0 < solver.nodes < 2_000
    before = solver.nodes
    restore_worker(solver.lead, saved.arrays)
    assert solver.nodes == before
    assert solver.score(Position()) == FastSolver(MISERE, ONE).score(Position())


# --- what cannot be written


def no_space(descriptor: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_changes_no_state_and_the_next_save_replaces_the_older(folder: Path) -> None:
    solver = stopped(folder, 90_000)
    before = contents(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", no_space)
        with pytest.raises(OSError, match="No space left"):
            solver.checkpoint.save()
    assert contents(folder) == before
    solver.checkpoint.save()
    assert (folder / NEWER).read_bytes() == before[NEWER]
    assert solver_of(folder).nodes == solver.nodes


@pytest.mark.parametrize("told", [False, True])
def test_a_save_that_failed_is_not_tried_again_at_once(tmp_path: Path, told: bool) -> None:
    """The error is raised, or told once until the state can be saved."""
    now, tries, errors = 0.0, list[float](), list[OSError]()

    class Full(Checkpoint):
        def save(self, *_: Any) -> None:
            tries.append(now)
            if now != 100:
                no_space(0)

    saver = Full(tmp_path, clock=lambda: now, failed=errors.append if told else None)
    saving = FastSolver(FIVE, ONE, checkpoint=saver).saving
    assert saving is not None
    for now in (31.0, 31.1, 61.2, 100, 140):
        if saving.is_due():
            fails = pytest.raises(OSError, match="No space")
            with contextlib.nullcontext() if told or now == 100 else fails:
                saving.save_in_passing((Position(), -1, 1))
    assert tries == [31.0, 61.2, 100, 140]
    assert len(errors) == (2 if told else 0)


def test_a_file_that_may_not_grow_is_an_error_and_changes_nothing(folder: Path) -> None:
    solver = stopped(folder, 90_000)
    before = contents(folder)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
        with pytest.raises(OSError, match="File too large"):
            solver.checkpoint.save()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert contents(folder) == before


def test_a_folder_that_cannot_be_written_to_is_found_out_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "inside", Path("/proc/nothing")):
        with pytest.raises(OSError, match=r"exists|Not a directory|No such file"):
            Checkpoint(folder)


@pytest.mark.medium
def test_a_state_is_saved_now_and_then(tmp_path: Path, score: int) -> None:
    """By a clock that goes by positions: on no machine is it read too seldom."""
    a_second, solvers = 1_000, list[Any]()

    def clock() -> float:
        return solvers[0].nodes / a_second if solvers else 0.0

    saver = Checkpoint(tmp_path, interval=30, clock=clock)
    solver = FastSolver(find_rules(GAME), replace(ONE, clock=clock), checkpoint=saver)
    solvers.append(solver)
    assert solver.score(Position()) == score
    assert set(contents(tmp_path)) == {OLDER, NEWER}
    assert 0 <= solver.nodes - solver_of(tmp_path).nodes < 30 * a_second + FIRST_SLICE
    assert np.all(solver.lead.control[:2] < MATE)
