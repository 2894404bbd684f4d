"""The benchmark runs from end to end, each figure once and small; nothing here looks at a time."""

import gc
import subprocess
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from benchmarks import __main__ as command
from benchmarks import best_moves, peers, processes, random_games, solving, tables
from benchmarks.measurement import (
    Contestant,
    Effort,
    Runs,
    Sample,
    Sampler,
    Unavailable,
    alternate,
    load,
    median_ratio,
    repeated,
)
from benchmarks.report import (
    BEGIN,
    END,
    GAMES,
    HEAD,
    MEGABYTES,
    SECONDS,
    AtLeast,
    AtMost,
    Section,
    make_table,
    replace_measured,
)
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules import Rules
from tic_tac_toe.logic.rules.catalogue import TIC_TAC_TOE

TINY = Effort(rounds=1, seconds=0.0, board="mnk:3,2,2")
SMALL_RUN = ["--rounds", "1", "--seconds", "0", "--board", TINY.board]


@pytest.fixture(autouse=True)
def peers_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the peers where they are installed, so that the tests are the same everywhere."""
    for name in ("easyAI", "pyspiel", "open_spiel"):
        monkeypatch.setitem(sys.modules, name, None)


def constant(*seconds: float) -> Callable[[], Sampler]:
    """Return what prepares a sampler that gives these samples one after the other."""
    samples = [Sample(each) for each in seconds]
    return lambda: lambda: samples.pop(0)


def unavailable() -> Sampler:
    raise Unavailable("not installed")


def section(*rows: tuple[str, float], goals: dict[str, AtMost | AtLeast]) -> Section:
    runs = Runs({name: [Sample(seconds)] for name, seconds in rows})
    return Section("a figure", runs, SECONDS, reference="peer", goals=goals)


# -- every figure ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measure", "rounds"),
    [
        (best_moves.measure, 1),
        (tables.measure, 1),
        (random_games.measure, 1),
        (solving.measure, 1),
        (processes.measure, 2),
    ],
    ids=lambda value: getattr(value, "__module__", ""),
)
def test_a_figure_has_samples_of_the_library_and_says_that_its_peers_are_not_installed(
    measure: Callable[[Effort], list[Section]], rounds: int
) -> None:
    for each in measure(TINY):
        own = each.runs.samples
        assert own
        assert {len(samples) for samples in own.values()} == {rounds}
        assert not any("easyAI" in name or "OpenSpiel" in name for name in own)
        assert set(each.goals) <= set(own)
        assert set(each.runs.absent.values()) <= {"not installed", "left out without --slow"}
        assert each.reference is None or each.reference in each.runs.absent
        for name in [*own, *each.runs.absent]:
            assert name in make_table([each])


def test_a_slow_peer_that_takes_part_and_is_not_installed_is_said_to_be_missing() -> None:
    absent = solving.measure(TINY._replace(slow=True))[0].runs.absent

    assert set(absent.values()) == {"not installed"}


def test_a_slow_peer_is_not_asked_for_games_that_it_does_not_have() -> None:
    effort = TINY._replace(slow=True, board="mnk:3,2,2,gravity")

    assert set(solving.measure(effort)[0].runs.absent.values()) == {"does not have this game"}


def test_a_state_just_played_has_worked_out_nothing_but_its_position() -> None:
    states = best_moves.fresh_states(best_moves.positions_to_move()[:3])

    assert all("position" in vars(state) for state in states)
    assert not any(
        {"outcome", "legal_cells", "current_mark"} & vars(state).keys() for state in states
    )


def test_every_position_of_the_3x3_game_that_is_not_final_is_asked_about() -> None:
    positions = best_moves.positions_to_move()

    assert len(set(positions)) == len(positions) == 4520


# -- peers that are made up ------------------------------------------------------------------------


class MadeUpState:
    """A state as OpenSpiel has it, over rules of this library."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.position = Position()

    def legal_actions(self) -> list[int]:
        return list(self.rules.moves(self.position))

    def apply_action(self, action: int) -> None:
        self.position = self.rules.play(self.position, action)

    def is_terminal(self) -> bool:
        return self.rules.outcome(self.position) is not None

    def returns(self) -> list[float]:
        outcome = self.rules.outcome(self.position)
        assert outcome is not None
        return {None: [0.0, 0.0], 0: [1.0, -1.0], 1: [-1.0, 1.0]}[outcome.winner]


class ShiftedState(MadeUpState):
    """The same game with its moves in another order: the same dice choose others."""

    def legal_actions(self) -> list[int]:
        first, *others = super().legal_actions()
        return [*others, first]


def install_openspiel(monkeypatch: pytest.MonkeyPatch, state: type[MadeUpState]) -> None:
    game = SimpleNamespace(new_initial_state=lambda: state(TIC_TAC_TOE))
    module = ModuleType("pyspiel")
    vars(module).update(
        __spec__=ModuleSpec("pyspiel", None),
        registered_names=lambda: ["tic_tac_toe"],
        load_game=lambda name: game,
        make_uniform_random_bot=lambda player, seed: None,
        evaluate_bots=lambda state, bots, seed: [0.0, 0.0],
    )
    monkeypatch.setitem(sys.modules, "pyspiel", module)


def test_a_peer_that_plays_the_same_games_of_the_same_dice_is_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install_openspiel(monkeypatch, MadeUpState)

    runs = random_games.measure(TINY, ["tic-tac-toe"])[0].runs

    assert len(runs.samples["OpenSpiel `tic_tac_toe`"]) == 1
    assert list(runs.absent) == ["easyAI"]


def test_a_game_that_the_version_of_a_peer_does_not_have_is_said_to_be_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install_openspiel(monkeypatch, MadeUpState)

    absent = random_games.measure(TINY, ["connect-four"])[0].runs.absent

    assert list(absent) == ["OpenSpiel `connect_four`", "OpenSpiel `connect_four`, by its bots"]
    assert set(absent.values()) == {"does not have this game"}


@pytest.mark.parametrize(
    ("module", "reason"), [("easyAI", "not installed"), ("json.missing", "lacks json.missing")]
)
def test_a_module_that_is_missing_is_told_from_a_package_that_is_missing(
    module: str, reason: str
) -> None:
    with pytest.raises(Unavailable, match=f"^{reason}$"):
        load(module)


def test_a_peer_that_plays_other_games_of_the_same_dice_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install_openspiel(monkeypatch, ShiftedState)

    with pytest.raises(RuntimeError, match="does not play the same tic-tac-toe"):
        random_games.measure(TINY, ["tic-tac-toe"])


@pytest.mark.parametrize(
    ("returns", "winner"), [([1.0, -1.0], 0), ([-1.0, 1.0], 1), ([0.0, 0.0], None)]
)
def test_the_returns_of_both_sides_tell_the_winner(
    returns: list[float], winner: int | None
) -> None:
    assert peers.openspiel_winner(returns) == winner


# -- measuring -------------------------------------------------------------------------------------


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


def test_a_contestant_that_cannot_take_part_does_not_keep_the_others_from_it() -> None:
    runs = alternate([Contestant("A", unavailable), Contestant("B", constant(1.0))], rounds=1)

    assert runs == Runs({"B": [Sample(1.0)]}, {"A": "not installed"})


def test_a_floor_is_taken_off_round_by_round() -> None:
    contestants = [Contestant("floor", constant(1.0, 2.0)), Contestant("A", constant(4.0, 7.0))]

    assert alternate(contestants, rounds=2).above("floor") == Runs(
        {"A": [Sample(3.0), Sample(5.0)]}
    )


def test_a_floor_that_is_missing_leaves_nothing() -> None:
    assert Runs({}, {"A": "why"}).above("floor") == Runs({}, {"A": "why"})


def test_repeated_work_is_repeated_until_the_time_has_passed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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

    monkeypatch.setattr("benchmarks.measurement.process_time", lambda: now)
    sampler = repeated(work, 10.0, between=between)
    calls = 0

    assert sampler() == Sample(0.5)
    assert calls == 4
    assert gc.isenabled()


def test_the_ratio_is_the_median_of_the_rounds_and_not_the_ratio_of_medians() -> None:
    own = [Sample(1.0), Sample(2.0), Sample(9.0)]
    reference = [Sample(2.0), Sample(8.0), Sample(27.0)]

    assert median_ratio(own, reference) == 3.0


def test_a_process_that_fails_is_no_sample() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        processes.run("raise SystemExit(3)")


def test_the_peak_of_a_process_is_its_own_and_not_that_of_its_parent() -> None:
    held = b"x" * 150_000_000

    small = processes.run("pass", peak=True).megabytes
    large = processes.run("held = b'x' * 60_000_000", peak=True).megabytes

    assert len(held) == 150_000_000
    assert large > 60
    assert not processes.STATUS.exists() or (small < 60 and large < 150)


# -- the table -------------------------------------------------------------------------------------


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


def test_a_goal_beside_a_peer_that_is_missing_is_neither_reached_nor_missed() -> None:
    rows = section(("own", 2.0), goals={"own": AtLeast(3.0)}).rows()

    assert rows[0][4:] == ("", "≥ 3 ×", "unknown")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (90.0, "90.0 s"),
        (1.0, "1.00 s"),
        (0.0345, "34.5 ms"),
        (4.19e-6, "4.19 µs"),
        (33e-9, "33.0 ns"),
    ],
)
def test_a_time_is_shown_in_the_unit_that_fits(seconds: float, text: str) -> None:
    assert SECONDS.show(seconds) == text


def test_memory_is_shown_in_megabytes() -> None:
    assert MEGABYTES.show(MEGABYTES.read(Sample(1.0, 1234.4))) == "1,234 MB"


def test_games_are_shown_by_the_second_with_three_digits_that_count() -> None:
    assert GAMES.show(GAMES.read(Sample(1 / 175_432))) == "175,000 /s"


def test_the_columns_of_the_table_are_aligned() -> None:
    lines = make_table([section(("own", 2.0), ("peer", 6.0), goals={})]).splitlines()

    assert [cell.strip() for cell in lines[0].strip("|").split("|")] == list(HEAD)
    assert len(lines) == 4
    assert len({len(line) for line in lines}) == 1


def test_only_what_stands_between_the_marks_is_replaced() -> None:
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    replaced = replace_measured(page, "new")

    assert replaced == f"before\n{BEGIN}\n\nnew\n\n{END}\nafter\n"
    assert replace_measured(replaced, "new") == replaced


@pytest.mark.parametrize("page", ["", BEGIN, END, f"{END}{BEGIN}", f"{BEGIN}{END}{END}"])
def test_a_page_without_both_marks_is_refused(page: str) -> None:
    with pytest.raises(ValueError, match="each once"):
        replace_measured(page, "new")


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a page that the command may write, and keep it from choosing a core."""
    monkeypatch.setattr(command, "use_one_core", lambda: None)
    path = tmp_path / "page.md"
    path.write_text(f"# Results\n\n{BEGIN}\n{END}\n", encoding="utf-8")
    return path


def test_the_command_prints_one_table_and_writes_nothing_unless_asked(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = page.read_text(encoding="utf-8")

    command.main([*SMALL_RUN, "tables"], page)

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("1 round by turns.")
    assert lines[2].startswith("| figure ")
    assert all(line.startswith("|") for line in lines[2:])
    assert page.read_text(encoding="utf-8") == before


def test_every_figure_that_the_command_writes_is_on_the_page_of_results(page: Path) -> None:
    command.main([*SMALL_RUN, "--write"], page)
    results = command.RESULTS.read_text(encoding="utf-8")

    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
    figures = [row.split("|")[1].strip() for row in rows[2:]]
    titles = [title.replace(TINY.board, Effort().board) for title in figures if title]
    assert len(titles) == 11
    assert [title for title in titles if f"| {title} " not in results] == []
    assert replace_measured(results, "new") != results


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "no group is called 'chess'"),
        (["--write", "tables"], "name no groups"),
        (["--rounds", "0"], "invalid"),
    ],
)
def test_bad_arguments_are_refused_in_words(
    arguments: list[str], message: str, page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command.main(arguments, page)

    assert message in capsys.readouterr().err
