"""``tic-tac-toe match``: what it plays, prints and refuses."""

from __future__ import annotations

import json
import multiprocessing
import signal
import subprocess
import time
from collections.abc import Callable
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest

from tests.frontends.programs import PATIENCE, command, environment
from tests.frontends.solving import Command
from tests.opponents.brains import text_of
from tic_tac_toe.contest.plan import Plan, PlayedPair
from tic_tac_toe.contest.referee import Fault, PlayedGame
from tic_tac_toe.contest.sprt import Sprt
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.records import Record, format_records, parse_records
from tic_tac_toe.logic.rules.catalogue import VARIANTS
from tic_tac_toe_frontends.command.match.journal_file import JournalFile
from tic_tac_toe_frontends.command.match.report import as_object, describe, report_of
from tic_tac_toe_frontends.command.match.workers import WorkerLost, play_all

ENGLISH = NullTranslations()
SMALL = ("match", "easy", "random", "--seed", "5")


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_how_far_a_match_has_got_is_told_on_standard_error_alone(
    arguments: tuple[str, ...], in_process: Command
) -> None:
    ended = in_process("match", "random", "easy", "rules", "--pairs", "1", *arguments)

    assert ended.err.startswith("pair 1 of 3; random against easy: ")
    assert "pair 1 of 3" not in ended.out


@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_a_match_says_by_which_clock_its_seconds_are(clock: str, in_process: Command) -> None:
    arguments = (*SMALL, "--pairs", "1", "--clock", clock)
    (told,) = in_process(*arguments, "--json").answers

    assert told["clock"] == clock
    assert ("processor" in in_process(*arguments).out) == (clock == "cpu")


def test_programs_do_not_go_by_the_clock_of_the_processor(in_process: Command) -> None:
    ended = in_process("match", "easy", "gomocup:sh", "--variant", "gomoku", "--clock", "cpu")

    assert ended.status == 2
    assert "programs go by their own clock: --clock wall" in ended.err


@pytest.mark.parametrize(
    ("players", "pairs"),
    [
        (("easy", "random"), [("easy", "random")]),
        (("random", "easy", "rules"), [("random", "easy"), ("random", "rules"), ("easy", "rules")]),
        (("random", "random"), [("random (1)", "random (2)")]),
    ],
)
def test_json_is_one_object_in_which_each_player_has_played_each_other(
    players: tuple[str, ...], pairs: list[tuple[str, str]], in_process: Command
) -> None:
    (told,) = in_process("match", *players, "--seed", "5", "--pairs", "3", "--json").answers

    assert (told["variant"], told["pairs"], told["complete"]) == (
        "tic-tac-toe",
        3 * len(pairs),
        True,
    )
    names = dict.fromkeys(name for pair in pairs for name in pair)
    assert [player["name"] for player in told["players"]] == [*names]
    assert {player["games"] for player in told["players"]} == {6 * (len(players) - 1)}
    assert sum(player["elo"] for player in told["players"]) == pytest.approx(0, abs=0.1)
    assert [tuple(encounter["players"]) for encounter in told["encounters"]] == pairs
    for encounter in told["encounters"]:
        assert sum(encounter["pairs"]) == 3
        assert encounter["won"] + encounter["drawn"] + encounter["lost"] == 6
    assert sum(told["results"].values()) == 6 * len(pairs)


def test_programs_are_named_without_their_folders_and_play_gomoku_only(
    in_process: Command, tmp_path: Path
) -> None:
    text = text_of("honest")
    records = tmp_path / "games.txt"
    arguments = ("match", text, "random", "--pairs", "1")
    ended = in_process(*arguments, "--variant", "gomoku", "--records", str(records))
    assert "brains.py honest against random: " in ended.out
    assert text not in ended.out + records.read_text()

    refused = in_process(*arguments, "--variant", "connect-four")
    assert refused.status == 2
    assert "brains.py honest plays gomoku, standard gomoku, Caro and renju only" in refused.err


def test_nobody_is_called_the_stronger_one_by_few_pairs() -> None:
    plan = Plan("tic-tac-toe", ("easy", "rules"))
    won = PlayedGame((0, 3, 1, 4, 2), Mark.CROSS)
    lost = PlayedGame((0, 3, 1, 4, 8, 5), Mark.NAUGHT)

    def said(count: int) -> str:
        pairs = {at: PlayedPair(at, (0, 1), (), (lost, won)) for at in range(count)}
        return "\n".join(describe(report_of(plan, count, pairs, None), ENGLISH))

    assert "stronger" not in said(3)
    assert "  rules is the stronger one with a probability of >99.9 %" in said(30)


def test_a_test_ends_the_match_as_soon_as_it_has_decided(in_process: Command) -> None:
    arguments = ("match", "minimax", "random", "--sprt", "0,100", "--pairs", "500")
    (told,) = in_process(*arguments, "--json").answers

    assert told["complete"]
    assert told["pairs"] < 100
    assert told["sprt"]["decision"] == "elo1"
    assert told["sprt"]["llr"] >= told["sprt"]["upper"] == pytest.approx(2.944, abs=0.001)


def test_the_records_of_all_games_can_be_read_again(in_process: Command, tmp_path: Path) -> None:
    out = tmp_path / "games.txt"
    in_process(*SMALL, "--pairs", "2", "--variant", "wild", "--records", str(out))
    records = parse_records(out.read_text())

    assert [dict(record.tags)["X"] for record in records] == ["easy", "random"] * 2
    assert all(record.rules == VARIANTS["wild"] and record.result != "*" for record in records)


def test_openings_come_from_a_file_of_records(in_process: Command, tmp_path: Path) -> None:
    openings, out = tmp_path / "openings.txt", tmp_path / "games.txt"
    openings.write_text(format_records([Record(moves=(4, 1)), Record(moves=(0, 8))]))
    arguments = ("--openings", str(openings), "--records", str(out))
    in_process(*SMALL, "--pairs", "2", *arguments)

    games = parse_records(out.read_text())
    assert {record.moves[:2] for record in games} == {(4, 1), (0, 8)}
    assert games[0].moves[:2] == games[1].moves[:2]


def test_on_a_terminal_a_live_line_tells_how_far_the_match_has_got(in_process: Command) -> None:
    ended = in_process(*SMALL, "--pairs", "30", on_screen=True)

    assert "pair 0 of 30" in ended.err
    assert ended.out.startswith("Tic-tac-toe: 30 pairs of games\n")


def test_faults_are_told_apart_with_a_sentence_for_each() -> None:
    draw = PlayedGame((0, 4, 8), None)
    slow = PlayedGame((0,), Mark.CROSS, Fault(Mark.NAUGHT, "time", "2.000 s"), (0.5, 2.0))
    broken = PlayedGame((), Mark.NAUGHT, Fault(Mark.CROSS, "crash", "ValueError"))
    wrong = PlayedGame((0,), Mark.NAUGHT, Fault(Mark.CROSS, "illegal", "taken"))
    pairs = {
        0: PlayedPair(0, (0, 1), (), (slow, draw)),
        1: PlayedPair(1, (0, 1), (), (broken, wrong)),
    }
    report = report_of(Plan("tic-tac-toe", ("ann", "bob")), 2, pairs, Sprt(0, 10))
    lines = describe(report, ENGLISH)
    players: Any = as_object(report)["players"]

    assert lines[1:4] == [
        "Game 1: bob lost on time: 2.000 s",
        "Game 3: ann crashed: ValueError",
        "Game 4: bob made an illegal move: taken",
    ]
    assert [[player[kind] for kind in ("crash", "illegal", "time")] for player in players] == [
        [1, 0, 0],
        [0, 1, 1],
    ]
    assert lines[-1].endswith("between -2.94 and 2.94; not decided")


def test_games_that_faults_decided_measure_no_strength() -> None:
    slow = PlayedGame((), Mark.CROSS, Fault(Mark.NAUGHT, "time", "late"))
    early = PlayedGame((), Mark.NAUGHT, Fault(Mark.CROSS, "time", "late"))
    won = PlayedGame((0, 3, 1, 4, 2), Mark.CROSS)
    lost = PlayedGame((0, 3, 1, 4, 8, 5), Mark.NAUGHT)
    # The last player fails in all games, and the other two play theirs.
    pairs = {
        0: PlayedPair(0, (0, 1), (), (won, won)),
        1: PlayedPair(1, (0, 2), (), (slow, early)),
        2: PlayedPair(2, (1, 2), (), (slow, early)),
        3: PlayedPair(3, (0, 1), (), (won, lost)),
    }
    plan = Plan("tic-tac-toe", ("ann", "bob", "cat"))
    report = report_of(plan, 6, pairs, None)
    text = "\n".join(describe(report, ENGLISH))
    told: Any = as_object(report)
    played, *others = told["encounters"]

    assert "\n4 of 8 games were decided by faults: this table measures no strength\n" in text
    assert (told["decided_by_faults"], told["measures_strength"]) == (4, False)
    assert "ann against bob: 3 won, 0 drawn, 1 lost; Elo +191 " in text
    assert (played["decided_by_faults"], played["measures_strength"]) == (0, True)
    line = "ann against cat: 2 won, 0 drawn, 0 lost; no Elo: 2 of 2 games were decided by faults"
    assert line in text
    assert [each["measures_strength"] for each in others] == [False, False]
    assert [line.split()[1] for line in text.splitlines() if line.startswith("cat ")] == ["–"]


# -- match stops -----------------------------------------------------------------------------------


def without_seconds(journal: Path) -> list[dict[str, Any]]:
    """Return the lines of a journal in their order, without what differs from run to run."""
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    for line in lines[1:]:
        for game in line["games"]:
            del game["longest"]
    return [lines[0], *sorted(lines[1:], key=lambda line: int(line["pair"]))]


@pytest.mark.medium
def test_several_processes_play_the_same_match(in_process: Command, tmp_path: Path) -> None:
    for name, processes in (("one", "1"), ("two", "2")):
        out = ("--out", str(tmp_path / name), "--concurrency", processes)
        assert in_process(*SMALL, "--pairs", "9", *out).status == 0

    assert without_seconds(tmp_path / "one") == without_seconds(tmp_path / "two")


def test_a_match_goes_on_where_it_was_and_plays_nothing_twice(
    in_process: Command, tmp_path: Path
) -> None:
    part, whole = tmp_path / "part", tmp_path / "whole"
    in_process(*SMALL, "--pairs", "3", "--out", str(part))
    before = part.read_text()
    part.write_text(before + '{"pair": 3, "sid')
    in_process(*SMALL, "--pairs", "8", "--out", str(part))
    in_process(*SMALL, "--pairs", "8", "--out", str(whole))

    assert part.read_text().startswith(before)
    assert without_seconds(part) == without_seconds(whole)
    again = in_process(*SMALL, "--pairs", "8", "--out", str(part), "--json")
    assert again.answers[0]["pairs"] == 8
    fewer = in_process(*SMALL, "--pairs", "4", "--out", str(part), "--json")
    assert fewer.answers[0]["pairs"] == 4


@pytest.mark.medium
def test_a_killed_match_loses_no_finished_pair(in_process: Command, tmp_path: Path) -> None:
    out, whole = tmp_path / "killed", tmp_path / "whole"
    words = command(*SMALL, "--pairs", "100000", "--concurrency", "2", "--out", str(out))
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
        wait_until(lambda: out.exists() and out.read_text().count("\n") >= 4)
        children = children_of(process.pid)
        process.kill()
    assert len(children) >= 2 or not Path("/proc").exists()
    wait_until(lambda: not any(map(is_running, children)))
    pairs = str(len(out.read_text().splitlines()) + 2)
    in_process(*SMALL, "--pairs", pairs, "--out", str(out))
    in_process(*SMALL, "--pairs", pairs, "--out", str(whole))

    assert without_seconds(out) == without_seconds(whole)


@pytest.mark.slow
@pytest.mark.parametrize("kept", [True, False])
def test_ctrl_c_ends_a_match_and_says_how_to_go_on(kept: bool, tmp_path: Path) -> None:
    keep = ("--out", str(tmp_path / "out")) if kept else ()
    with subprocess.Popen(
        command(*SMALL, "--pairs", "2000", "--concurrency", "2", *keep),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        assert process.stderr is not None
        process.stderr.readline()  # the first line about the progress
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=PATIENCE)[1]

    assert process.returncode == 130
    assert "tic-tac-toe: stopped after pair " in err
    told = "the same command goes on from there" if kept else "with --out they would be kept"
    assert err.endswith(f" of 2000; {told}\n")


def children_of(process: int) -> list[int]:
    """Return the processes that a process has started."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for path in tasks for child in path.read_text().split()]


def is_running(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.medium
def test_a_process_that_is_killed_from_outside_ends_the_match() -> None:
    before = set(multiprocessing.active_children())  # of earlier tests
    playing = play_all(Plan("tic-tac-toe", ("random", "random")).pairs(100_000), 2)
    next(playing)
    first, second = set(multiprocessing.active_children()) - before
    first.kill()

    with pytest.raises(WorkerLost):
        for _ in playing:
            pass
    assert [first.is_alive(), second.is_alive()] == [False, False]


def test_two_processes_do_not_play_the_match_of_one_file(
    in_process: Command, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    with JournalFile(str(out), Plan("tic-tac-toe", ("a", "b")), ENGLISH):
        ended = in_process(*SMALL, "--out", str(out))

    assert (ended.status, ended.out) == (1, "")
    assert ended.err.endswith(": another process plays the match of this file\n")


def test_a_full_disk_ends_the_match_in_one_line(
    in_process: Command, full_disk: None, tmp_path: Path
) -> None:
    ended = in_process(*SMALL, "--out", str(tmp_path / "out"))

    assert (ended.status, ended.out) == (1, "")
    assert ended.err.count("\n") == 1
    assert "No space left on device" in ended.err
