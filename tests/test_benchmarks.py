"""The benchmark runs from end to end, each figure once and small; nothing here looks at a time."""

import gc
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks import __main__ as command
from benchmarks import (
    best_moves,
    browser,
    connect_four,
    peers,
    processes,
    random_games,
    solver,
    startup,
)
from benchmarks.measurement import (
    Contestant,
    Effort,
    Runs,
    Sample,
    Sampler,
    alternate,
    median_ratio,
    repeated,
)
from benchmarks.report import (
    GAMES,
    MARKS,
    MEGABYTES,
    NODES,
    SECONDS,
    AtLeast,
    AtMost,
    Section,
    Unit,
    make_table,
    replace_measured,
)
from tests.machine import needs
from tic_tac_toe.logic.rules.catalogue import CONNECT_FOUR
from tic_tac_toe_frontends.browser.packages import Missing

TINY = Effort(rounds=1, seconds=0.0, board="mnk:3,2,2")
#: Positions of Connect Four with few moves left, and their scores as the published sets have them.
LATE = {
    "2252576253462244111563365343671351441": -1,
    "7422341735647741166133573473242566": 1,
    "23163416124767223154467471272416755633": 0,
}
SMALL_RUN = ["--rounds", "1", "--seconds", "0", "--board", TINY.board]
#: How many rounds each of these groups has; the front ends are started by a test of their own.
ROUNDS = {
    "best-moves": 1,
    "tables": 1,
    "explaining": 1,
    "random-games": 1,
    "solving": 1,
    "processes": 2,
}


def hide_peers(patch: pytest.MonkeyPatch) -> None:
    """Hide the peers where they are installed, so that the tests are the same everywhere."""
    for name in ("easyAI", "pyspiel", "open_spiel", "bitbully"):
        patch.setitem(sys.modules, name, None)


@pytest.fixture(autouse=True)
def peers_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_peers(monkeypatch)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> solver.Work:
    """Return late positions and small games for the fast solver, all sets there."""
    folder = tmp_path_factory.mktemp("sets")
    lines = "\n".join(f"{moves} {score}" for moves, score in LATE.items())
    for name in ("Test_L3_R1", "Test_L2_R2", "Test_L1_R1", "harder_positions.txt"):
        (folder / name).write_text(f"# late positions\n{lines}\n", encoding="ascii")
    return solver.Work(
        published=folder,
        harder=folder / "harder_positions.txt",
        games={"mnk:3,3,3": 1.0, "mnk:3,2,3": None},
        enumerated="mnk:3,3,3",
        tries=1,
    )


@pytest.fixture(scope="module")
def measured(work: solver.Work) -> dict[str, list[Section]]:
    """Return all figures but those of starting front ends; the page is visited by its own test."""

    def missing(*_arguments: object) -> None:
        raise Missing("npm")

    groups = dict(command.GROUPS) | {"solver": lambda effort: solver.measure(effort, work)}
    del groups["startup"]
    with pytest.MonkeyPatch.context() as patch:
        hide_peers(patch)
        patch.setattr(browser, "SITES", dict.fromkeys(browser.SITES, missing))
        return {name: measure(TINY) for name, measure in groups.items()}


def constant(*seconds: float) -> Callable[[], Sampler]:
    """Return what prepares a sampler that gives these samples one after the other."""
    samples = [Sample(each) for each in seconds]
    return lambda: lambda: samples.pop(0)


def section(*rows: tuple[str, float], goals: dict[str, AtMost | AtLeast]) -> Section:
    runs = Runs({name: [Sample(seconds)] for name, seconds in rows})
    return Section("a figure", runs, SECONDS, reference="peer", goals=goals)


@pytest.mark.slow
@pytest.mark.parametrize(("group", "rounds"), ROUNDS.items())
def test_a_figure_has_samples_of_the_library_and_says_that_its_peers_are_not_installed(
    measured: dict[str, list[Section]], group: str, rounds: int
) -> None:
    for each in measured[group]:
        own = each.runs.samples
        assert own
        assert {len(samples) for samples in own.values()} == {rounds}
        assert not any("easyAI" in name or "OpenSpiel" in name for name in own)
        assert set(each.goals) <= set(own)
        assert set(each.runs.absent.values()) <= {"not installed", "left out without --slow"}
        assert each.reference is None or each.reference in each.runs.absent
        for name in [*own, *each.runs.absent]:
            assert name in make_table([each])


@pytest.mark.slow
@needs("tkinter", "Xvfb")
def test_each_front_end_is_started_up_to_its_first_board() -> None:
    (section,) = startup.measure(TINY)

    assert {len(samples) for samples in section.runs.samples.values()} == {2}
    assert section.runs.absent == {}
    assert f"| {section.title} " in command.RESULTS.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_fast_solver_has_all_its_figures_without_its_peer(
    measured: dict[str, list[Section]],
) -> None:
    sections = measured["solver"]
    reasons = {reason for each in sections for reason in each.runs.absent.values()}
    assert reasons <= {"not installed", "left out without --slow", "needs two cores"}
    assert not any("bitbully" in name for each in sections for name in each.runs.samples)
    assert len({each.title for each in sections}) == len(sections) == 14
    assert make_table(sections).count("left out without --slow") == 5
    for each in sections:
        assert set(each.goals) <= {*each.runs.samples, *each.runs.absent}
        assert each.reference is None or each.reference in {solver.BITBULLY, solver.ONE}
    for each in sections[1:8:2]:
        assert {
            sample.nodes > 0 for samples in each.runs.samples.values() for sample in samples
        } == {True}


def test_games_that_take_long_are_solved_once_or_given_up(work: solver.Work) -> None:
    games = work._replace(slow_games={"mnk:4,3,3": 60.0, "mnk:8,8,5": 2.5}, given_up=1.0)

    section = solver.measure_games(TINY._replace(slow=True, rounds=2), games)

    taken = {name: len(samples) for name, samples in section.runs.samples.items()}
    assert taken == {
        "`solve_outcome`, 3,3,3": 2,
        "`solve_outcome`, 3,2,3": 2,
        "`solve_outcome`, 4,3,3": 1,
    }
    (reason,) = section.runs.absent.values()
    assert reason.startswith("no answer after 1 second")
    assert "≤ 2.50 s" in make_table([section])


def test_without_numba_every_figure_of_the_fast_solver_is_said_to_be_missing(
    work: solver.Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)

    sections = solver.measure(TINY._replace(slow=True), work)

    assert not any(each.runs.samples for each in sections)
    reasons = {reason for each in sections for reason in each.runs.absent.values()}
    assert reasons == {"not installed", solver.NOT_INSTALLED}


def test_the_harder_positions_are_a_hundred_different_ones_of_14_plies_and_fewer() -> None:
    tasks = connect_four.read_tasks(Path(connect_four.__file__).with_name("harder_positions.txt"))

    assert len({task.position for task in tasks}) == len(tasks) == 100
    assert all(task.position.marks <= 14 for task in tasks)
    rules = CONNECT_FOUR
    for task in tasks:
        after = [rules.play(task.position, cell) for cell in rules.moves(task.position)]
        assert not any(rules.outcome(position) for position in after)


def test_every_state_in_which_a_best_move_is_asked_for_has_worked_out_only_its_position() -> None:
    positions = best_moves.positions_to_move()
    states = best_moves.fresh_states(positions[:3])

    assert len(set(positions)) == len(positions) == 4520
    for state in states:
        assert "position" in vars(state)
        assert not {"outcome", "legal_cells", "current_mark"} & vars(state).keys()


class MadeUpBitBully:
    """A solver that has looked its answers up; it counts them as nodes."""

    def __init__(self, scores: dict[str, int]) -> None:
        self.scores = scores
        self.nodes = 0

    def reset_transposition_table(self) -> None:
        """Forget nothing."""

    def get_node_counter(self) -> int:
        return self.nodes

    def mtdf(self, board: list[int]) -> int:
        self.nodes += 1
        return self.scores["".join(str(column + 1) for column in board)]


def install_bitbully(monkeypatch: pytest.MonkeyPatch, scores: dict[str, int]) -> None:
    def make(opening_book: object) -> MadeUpBitBully:
        assert opening_book is None
        return MadeUpBitBully(scores)

    module = ModuleType("bitbully")
    vars(module).update(__spec__=ModuleSpec("bitbully", None), BitBully=make, Board=list)
    monkeypatch.setitem(sys.modules, "bitbully", module)


@pytest.mark.slow
def test_another_solver_is_raced_against_where_it_is_installed(
    work: solver.Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_bitbully(monkeypatch, LATE)

    time, nodes = solver.measure_set(solver.position_sets(work)[0], TINY._replace(rounds=2))

    names = {solver.BY_ONE, solver.ALONE, solver.BATCH, solver.BITBULLY, solver.KEPT}
    assert time.runs.samples.keys() == names
    assert {len(samples) for samples in time.runs.samples.values()} == {2}
    assert [sample.nodes for sample in nodes.runs.samples[solver.BITBULLY]] == [1.0, 1.0]
    assert time.rows()[0][-1] in ("reached", "missed", "")


def test_another_solver_that_knows_other_scores_is_refused(
    work: solver.Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_bitbully(monkeypatch, dict.fromkeys(LATE, 21))

    with pytest.raises(RuntimeError, match="the answer was 21"):
        solver.measure_set(solver.position_sets(work)[0], TINY)


def test_a_peer_that_plays_other_games_of_the_same_dice_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(peers, "easyai_class", lambda: object)
    monkeypatch.setattr(peers, "easyai_random_game", lambda game_class, rng: 0)

    with pytest.raises(RuntimeError, match="easyAI does not play the same tic-tac-toe"):
        random_games.measure(TINY, ["tic-tac-toe"])


def test_contestants_take_turns() -> None:
    turns: list[str] = []

    def contestant(name: str) -> Contestant:
        def take() -> Sample:
            turns.append(name)
            return Sample(1.0)

        return Contestant(name, lambda: take, once=name == "C")

    runs = alternate([contestant(name) for name in "ABC"], rounds=2)

    assert turns == ["A", "B", "C", "A", "B"]
    assert {name: len(samples) for name, samples in runs.samples.items()} == {
        "A": 2,
        "B": 2,
        "C": 1,
    }


def test_a_floor_is_taken_off_round_by_round() -> None:
    contestants = [Contestant("floor", constant(1.0, 2.0)), Contestant("A", constant(4.0, 7.0))]

    runs = alternate(contestants, rounds=2)

    assert runs.above("floor") == Runs({"A": [Sample(3.0), Sample(5.0)]})
    assert Runs({}, {"A": "why"}).above("floor") == Runs({}, {"A": "why"})


def test_parts_of_a_round_become_one_and_the_mean_of_them_is_told() -> None:
    samples = [Sample(1.0, 2.0, 4.0), Sample(3.0, 4.0, 8.0), Sample(5.0), Sample(6.0)]

    assert Runs({"A": samples}, {"B": "why"}).joined(2) == Runs(
        {"A": [Sample(2.0, 3.0, 6.0), Sample(5.5)]}, {"B": "why"}
    )


@pytest.mark.medium
def test_repeated_work_is_repeated_until_the_time_has_passed() -> None:
    now, calls = 0.0, 0

    def work() -> int:
        nonlocal now, calls
        assert not gc.isenabled()
        now += 3.0
        calls += 1
        return 6

    def between() -> None:
        nonlocal now
        now += 100.0

    sampler = repeated(work, 10.0, between=between, clock=lambda: now)
    calls = 0

    assert sampler() == Sample(0.5)
    assert calls == 4
    assert gc.isenabled()


def test_the_ratio_is_the_median_of_the_rounds_and_not_the_ratio_of_medians() -> None:
    own = [Sample(1.0), Sample(2.0), Sample(9.0)]
    reference = [Sample(2.0), Sample(8.0), Sample(27.0)]

    assert median_ratio(own, reference) == 3.0


def test_the_peak_of_a_process_is_its_own_and_not_that_of_its_parent() -> None:
    held = b"x" * 150_000_000

    small = processes.run("pass", peak=True).megabytes
    large = processes.run("held = b'x' * 60_000_000", peak=True).megabytes

    assert len(held) == 150_000_000
    assert large > 60
    assert not processes.STATUS.exists() or (small < 60 and large < 150)


@pytest.mark.parametrize(
    ("goal", "verdict"),
    [
        (AtMost(2.0), "reached"),
        (AtMost(1.9), "missed"),
        (AtLeast(3.0), "reached"),
        (AtLeast(3.1), "missed"),
    ],
)
def test_a_goal_is_reached_or_missed(goal: AtMost | AtLeast, verdict: str) -> None:
    rows = section(("own", 2.0), ("peer", 6.0), goals={"own": goal}).rows()

    assert rows[0][-1] == verdict
    assert rows[0][:5] == ("a figure", "own", "2.00 s", "2.00 s – 2.00 s", "3.00 ×")
    assert rows[1][-2:] == ("", "")


@pytest.mark.parametrize(
    ("unit", "sample", "text"),
    [
        (SECONDS, Sample(90.0), "90.0 s"),
        (SECONDS, Sample(1.0), "1.00 s"),
        (SECONDS, Sample(0.0345), "34.5 ms"),
        (SECONDS, Sample(4.19e-6), "4.19 µs"),
        (SECONDS, Sample(33e-9), "33.0 ns"),
        (MEGABYTES, Sample(1.0, 1234.4), "1,234 MB"),
        (NODES, Sample(1.0, nodes=24.61), "24.6"),
        (NODES, Sample(1.0, nodes=18_791.4), "18,791"),
        (GAMES, Sample(1 / 175_432), "175,000 /s"),
    ],
)
def test_a_sample_is_shown_in_the_unit_that_fits_with_three_digits_that_count_or_whole(
    unit: Unit, sample: Sample, text: str
) -> None:
    assert unit.show(unit.read(sample)) == text


def test_the_goal_is_told_of_what_is_missing_and_unknown_beside_a_peer_that_is() -> None:
    missing = Section("a figure", Runs({}, {"A": "why"}), SECONDS, goals={"A": AtMost(2.0)})
    beside = section(("own", 2.0), goals={"own": AtLeast(3.0)})

    assert missing.rows() == [("a figure", "A", "why", "", "", "≤ 2.00 s", "")]
    assert beside.rows()[0][4:] == ("", "≥ 3 ×", "unknown")


def test_only_what_stands_between_the_marks_is_replaced() -> None:
    page = f"before\n{MARKS.begin}\nold\n{MARKS.end}\nafter\n"
    replaced = replace_measured(page, "new")

    assert replaced == f"before\n{MARKS.begin}\n\nnew\n\n{MARKS.end}\nafter\n"
    assert replace_measured(replaced, "new") == replaced


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """Return a page that the command may write."""
    path = tmp_path / "page.md"
    path.write_text("# Results\n\n{}\n{}\n".format(*MARKS), encoding="utf-8")
    return path


def run_command(arguments: list[str], page: Path, measured: dict[str, list[Section]]) -> None:
    """Run the command with figures that are known already."""

    def knowing(sections: list[Section]) -> command.Measure:
        return lambda _effort: sections

    command.main(arguments, page, {name: knowing(known) for name, known in measured.items()})


@pytest.mark.slow
def test_every_figure_that_the_command_writes_is_on_the_page_of_results(
    measured: dict[str, list[Section]], page: Path
) -> None:
    run_command([*SMALL_RUN, "--write"], page, measured)
    results = command.RESULTS.read_text(encoding="utf-8")

    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
    figures = [row.split("|")[1].strip() for row in rows[2:]]
    titles = [title.replace(TINY.board, Effort().board) for title in figures if title]
    assert len(titles) == 39
    assert [title for title in titles if f"| {title} " not in results] == []
    assert replace_measured(results, "new") != results
