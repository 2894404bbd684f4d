"""Each subcommand of ``tic-tac-toe`` says what it should, to people and to programs."""

from __future__ import annotations

import html
import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import tic_tac_toe
from tests.frontends.programs import environment, run
from tests.frontends.solving import Command
from tic_tac_toe.game.match import Match
from tic_tac_toe.game.tree import tree
from tic_tac_toe.logic.models import GameState, Mark
from tic_tac_toe.logic.notation import format_state, parse_state, play_moves
from tic_tac_toe.logic.record_json import records_to_json
from tic_tac_toe.logic.records import Record, format_records
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.rules.statuses import OPEN, STATUSES, Status, status_of
from tic_tac_toe.pictures.board import Look
from tic_tac_toe.pictures.svg import svg
from tic_tac_toe.pictures.tree import TreeWords
from tic_tac_toe.solver import analyse, verdict
from tic_tac_toe_frontends.command.cli import COMMANDS
from tic_tac_toe_frontends.command.solve.args import parse_args
from tic_tac_toe_frontends.console.commands import COMMANDS as COMMANDS_OF_GAMES
from tic_tac_toe_frontends.console.commands import IN_GAME, IN_LOBBY, describe_commands
from tic_tac_toe_frontends.program.terminal import columns_of
from tic_tac_toe_frontends.words.rules_text import (
    describe_game,
    describe_rules,
    describe_status,
    variant_title,
)
from tic_tac_toe_frontends.words.translation import LANGUAGES, join_clauses, load
from tic_tac_toe_frontends.words.tree_text import tree_words

#: Changes when a search looks at other positions than before; say so and why when it does.
#: Of the searches in plain Python, and with those of the fast solver.
PLAIN_SIGNATURE = 145_503
SIGNATURE = PLAIN_SIGNATURE + 3_515_850

GAMES = (
    Record(
        moves=(4, 0, 8), tags=(("X", "Ann"), ("O", "\u202eevil")), comments=((1, "a good one"),)
    ),
    Record(moves=(0, 3, 1, 4, 2)),
    Record(VARIANTS["connect-four"], moves=(38,), resigned=Mark.NAUGHT),
)


# -- the whole -------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [["--version"], ["analyze", "--version"]])
def test_the_version_is_that_of_the_library(arguments: Sequence[str], in_process: Command) -> None:
    assert in_process(*arguments) == (0, f"tic-tac-toe {tic_tac_toe.__version__}\n", "")


@pytest.mark.parametrize("arguments", [[], ["analyse"], ["serve", "admin", "games"]])
def test_help_is_a_command(arguments: Sequence[str], in_process: Command) -> None:
    ended = in_process("help", *arguments, "--lang", "es")

    assert (ended.status, ended.err) == (0, "")
    assert ended == in_process(*arguments, "--lang", "es", "--help")


def test_help_tells_the_commands(in_process: Command) -> None:
    ended = in_process("--help")

    assert (ended.status, ended.out[:19]) == (0, "usage: tic-tac-toe ")
    for name in COMMANDS:
        assert f"\n  {name} " in ended.out


# -- widths ----------------------------------------------------------------------------------------

#: What is said on a screen, and must fit on it.
SAID = (
    "--help",
    *(f"{name} --help" for name in COMMANDS),
    "serve admin --help",
    "serve admin ban --help",
    "serve backup --help",
    "variants",
    "variants -v",
    "analyse XXO/O.X/.O.",
    "analyse --variant mnk:5,5,5",
    "analyse --variant connect-four --limit 1",
    "balance --variant 4x4x3",
    "match random random minimax --pairs 2 --seed 1",
    "solve --variant connect-four-5x4 --moves 33",
    "solve --variant gomoku",
    "plan --variant connect-four-5x4 --moves 1",
    "slovee",
    "analyse --variant gomku",
    "console -X eazy",
    "match eazy easy",
    "online http://localhost/games/nowhere",
)


@pytest.mark.medium
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("width", [pytest.param(80, marks=pytest.mark.slow), 60])
@pytest.mark.usefixtures("compiled")
def test_no_line_is_wider_than_the_screen_unless_it_is_one_word(
    code: str, width: int, in_process: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for arguments in SAID:
        ended = in_process(*arguments.split(), "--lang", code, on_screen=True)
        for line in (ended.out + ended.err).splitlines():
            assert columns_of(line) <= width or len(line.split()) == 1, (arguments, line)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("meanings", [COMMANDS_OF_GAMES, IN_LOBBY, IN_GAME])
def test_the_commands_of_the_console_are_listed_on_a_narrow_screen_too(
    code: str, meanings: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")

    lines = describe_commands(load(code, {}), meanings)
    assert max(map(columns_of, lines)) < 40


# -- analyse ---------------------------------------------------------------------------------------


def test_analyse_prints_the_verdict_as_json(in_process: Command) -> None:
    (printed,) = in_process("analyse", "--variant", "tic-tac-toe", "XXO/O.X/.O.", "--json").answers

    assert printed == {
        "variant": "tic-tac-toe",
        "position": "XXO/O.X/.O. x",
        "to_move": "X",
        "outcome": "draw",
        "plies": 3,
        "best": [4, 6, 8],
        "line": [4, 8, 6],
        "moves": [
            {"cell": 4, "name": "B2", "outcome": "draw", "plies": 3},
            {"cell": 6, "name": "A3", "outcome": "draw", "plies": 3},
            {"cell": 8, "name": "C3", "outcome": "draw", "plies": 3},
        ],
        "exact": True,
    }


@pytest.mark.parametrize(
    ("variant", "moves"),
    [
        ("tic-tac-toe", ""),
        ("misere", "5"),
        ("4x4x3", "A1 D4"),
        ("connect-four-5x4", "3333 2"),
        ("mnk:3,3,3,gravity", "1"),
    ],
)
def test_what_analyse_prints_is_what_the_library_finds(
    variant: str, moves: str, in_process: Command
) -> None:
    (printed,) = in_process("analyse", "--variant", variant, "--moves", moves, "--json").answers
    state = parse_state(printed["position"], find_rules(variant))
    found = verdict(state)

    assert (printed["outcome"], printed["plies"]) == (found.outcome, found.plies)
    assert (printed["best"], printed["line"]) == (list(found.best), list(found.line))
    assert sorted((m["cell"], m["outcome"], m["plies"]) for m in printed["moves"]) == [
        (move.move, move.outcome, move.plies) for move in analyse(state)
    ]
    for move in printed["moves"]:
        if move["cell"] in printed["best"]:
            assert (move["outcome"], move["plies"]) == (printed["outcome"], printed["plies"])


@pytest.mark.parametrize("name", ["analyse", "solve"])
def test_a_finished_game_has_an_outcome_and_no_moves(name: str, in_process: Command) -> None:
    (printed,) = in_process(name, "XXX/OO./...", "--json").answers

    assert (printed["to_move"], printed["outcome"], printed["plies"]) == ("O", "loss", 0)
    assert printed["best"] == printed["line"] == printed["moves"] == []
    assert in_process("analyse", "--json", "--starting", "O").answers[0]["to_move"] == "O"


def test_values_without_a_line_of_play_are_exact(in_process: Command) -> None:
    (told,) = in_process("analyse", "--variant", "connect-four", "--limit", "100", "--json").answers

    assert (told["outcome"], told["plies"], told["line"]) == ("win", 41, None)
    assert told["exact"] is True
    assert "bounds" not in told


@pytest.mark.medium
def test_columns_are_told_from_left_to_right_by_their_names_in_json(in_process: Command) -> None:
    game = ("--variant", "connect-four-5x4", "--moves", "333")
    (told,) = in_process("analyse", *game, "--json").answers

    assert [move["name"] for move in told["moves"]] == ["1", "2", "3", "4", "5"]


@pytest.mark.medium
@pytest.mark.parametrize(
    ("code", "asked", "solve"),
    [
        ("en", "--variant mnk:8,7,5", "--variant mnk:8,7,5"),
        (
            "ru",
            "--variant mnk:9,4,4 --moves 'B2 C3' --starting O",
            "--variant mnk:9,4,4 '........./.O......./..X....../......... o'",
        ),
    ],
)
def test_where_a_limit_ends_analyse_it_names_the_command_that_solves_the_position(
    code: str, asked: str, solve: str, in_process: Command
) -> None:
    ended = in_process("analyse", "--json", "--lang", code, "--limit", "100", *shlex.split(asked))

    assert ended.status == 1
    assert ended.err.endswith(f"tic-tac-toe solve {solve}\n")
    told = ended.err.removeprefix("tic-tac-toe: ").removesuffix("\n")
    (found,) = ended.answers
    assert found["error"] == {"code": "search_limit", "message": told}
    assert found["exact"] is False

    # What it names is about the same position.
    named, same = (
        parse_args(shlex.split(options), "solve").position.state() for options in (solve, asked)
    )
    assert named == same


# -- variants --------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_variant_is_listed_with_its_title_and_status_and_on_demand_its_rules(
    code: str, in_process: Command
) -> None:
    language = load(code, {})
    lines = in_process("variants", "--lang", code).out.splitlines()

    assert [line.split()[0] for line in lines if line[0] != " "] == list(VARIANTS)
    title = language.gettext("Gomoku")
    for name, told in (("gomoku", title), ("4x4", variant_title(VARIANTS["4x4"], language))):
        status = describe_status(status_of(VARIANTS[name]), language, with_source=False)
        assert f"{name:<19}  {join_clauses([told, status], language)}" in lines
    verbose = in_process("variants", "-v", "--lang", code).out
    told = language.gettext("{variant}: {description}").format(
        variant=title, description=describe_game(VARIANTS["gomoku"], language)
    )
    assert f"gomoku {told}".replace(" ", "") in "".join(verbose.split())


@pytest.mark.parametrize("code", LANGUAGES)
def test_help_lists_the_names_of_players_and_games_with_their_titles(
    code: str, in_process: Command
) -> None:
    language = load(code, {})
    for name in ("console", "online"):
        out = " ".join(in_process(name, "--lang", code, "--help").out.split())
        assert f"minimax – {language.gettext('Strongest')}" in out
    assert f"connect-four – {language.gettext('Connect Four')}" in out


def test_variants_are_listed_as_json(in_process: Command) -> None:
    entries: list[dict[str, Any]] = json.loads(in_process("variants", "--json").out)

    assert [entry["name"] for entry in entries] == list(VARIANTS)
    for entry in entries:
        rules = find_rules(entry["name"])
        assert (entry["columns"], entry["rows"]) == (rules.shape.columns, rules.shape.rows)
    by_name = {entry["name"]: entry for entry in entries}
    assert by_name["misere-connect-four"] == {
        "name": "misere-connect-four",
        "description": "7 × 6, four in a row; marks fall down in their column; "
        "who makes a line loses",
        "columns": 7,
        "rows": 6,
        "length": 4,
        "flags": ["gravity", "misere"],
        "status": {
            "outcome": "loss",
            "plies": None,
            "source": "Robert Steele and Daniel Larremore, 2024",
            "exact": True,
        },
    }
    assert by_name["ultimate"]["status"]["exact"] is False
    assert by_name["gomoku-standard"]["flags"] == ["exact"]
    assert by_name["ultimate"]["flags"] == ["ultimate"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_two_variants_have_the_same_description_and_flags(code: str) -> None:
    descriptions = {describe_rules(rules, load(code, {})) for rules in VARIANTS.values()}

    assert len(descriptions) == len(VARIANTS)


# -- replay ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("as_json", [False, True])
def test_replay_shows_every_move_of_every_game(
    as_json: bool, in_process: Command, tmp_path: Path
) -> None:
    path = tmp_path / "games"
    text = records_to_json(GAMES) if as_json else format_records(GAMES)
    path.write_text(text, encoding="utf-8")

    ended = in_process("replay", str(path))

    assert ended.status == 0
    assert "Game 1 of 3; Tic-tac-toe; X: Ann; O: \\u202eevil\n" in ended.out
    told = [line for line in ended.out.splitlines() if " plays " in line]
    assert len(told) == sum(len(game.moves) for game in GAMES)
    assert "a good one\n" in ended.out
    assert ended.out.count("The record ends here: the game was not finished.\n") == 1
    assert "  A B C\n1 X X X\n2 O O .\n3 . . .\nDecided by A1, B1, C1.\nX wins 🎉\n" in ended.out
    assert ended.out.endswith("O resigns.\nX wins 🎉\n")


def test_replay_pauses_as_told(in_process: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)

    in_process("replay", "-", "--delay", "0.5", typed=b"1. B2 A1 *")

    assert pauses == [0.5] * 3


# -- bench -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_bench_prints_the_signature_of_the_searches_that_are_installed(
    in_process: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)

    assert in_process("bench") == (
        0,
        f"{PLAIN_SIGNATURE}\n",
        "tic-tac-toe: without the fast solver, which is not installed\n",
    )


@pytest.mark.slow
def test_bench_prints_the_count_of_each_task_on_request(in_process: Command) -> None:
    *tasks, total = in_process("bench", "--each").out.splitlines()

    assert sum(int(line.split()[0]) for line in tasks) == int(total) == SIGNATURE


# -- prepare ---------------------------------------------------------------------------------------


@pytest.mark.medium
@pytest.mark.parametrize(
    "arguments", [["prepare"], ["-X", "hard", "-O", "human", "--variant", "renju"]]
)
def test_where_compiled_code_cannot_be_kept_one_line_names_the_variable(
    arguments: Sequence[str], tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.touch()  # no folder can be made in it, even by root
    inherited = {**environment(HOME=str(home))}
    for name in ("TICTACTOE_CACHE", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "TICTACTOE_CODE"):
        inherited.pop(name, None)

    ended = run(*arguments, typed="quit\n", env=inherited)

    assert ended.returncode == (1 if arguments == ["prepare"] else 0)
    assert ended.stderr == (
        f"tic-tac-toe: compiled code cannot be kept in {home}/.cache/tictactoe-engine: Not a "
        "directory; name another folder in the environment variable TICTACTOE_CACHE\n"
    )


# -- balance command -------------------------------------------------------------------------------


def test_the_balance_as_json_names_every_move_once(in_process: Command) -> None:
    (printed,) = in_process("balance", "--variant", "mnk:4,3,3", "--json").answers

    moves: list[int] = [move for opening in printed["openings"] for move in opening["moves"]]
    assert sorted(moves) == list(range(12))
    assert (printed["variant"], printed["pie"]) == ("mnk:4,3,3", "loss")
    assert printed["openings"][0] == {
        "moves": [1, 2, 9, 10],
        "names": ["B1", "C1", "B3", "C3"],
        "outcome": "win",
        "plies": 7,
        "fair": False,
    }


@pytest.mark.medium
@pytest.mark.parametrize(
    "name", ["mnk:3,3,3", "mnk:4,3,3", "4x4", "mnk:3,3,1", "mnk:3,2,2,torus", "3x3x3"]
)
def test_the_pie_rule_is_worth_what_the_game_with_it_is(name: str, in_process: Command) -> None:
    (printed,) = in_process("balance", "--variant", name, "--json").answers

    assert printed["pie"] == verdict(GameState.new(find_rules(f"{name},pie"))).outcome
    told = [in_process("balance", "--variant", f"{name}{flag}").out for flag in ("", ",pie")]
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (OPEN, "open (not solved)"),
        (STATUSES["4x4"], "solved: draw (by this program)"),
        (STATUSES["vanishing"], "solved: first player wins in 7 moves (by this program)"),
        (STATUSES["vanishing-reuse"], "solved: draw, the game goes on for ever (by this program)"),
        (STATUSES["notakto-2"], "solved: second player wins in 5 moves (by this program)"),
        (STATUSES["qubic"], "solved: first player wins (Oren Patashnik, 1980)"),
        (Status("loss", source="Ann"), "solved: second player wins (Ann)"),
    ],
)
def test_a_status_says_who_wins_and_who_says_so(status: Any, text: str) -> None:
    assert describe_status(status, load("en", {})) == text


# -- picture commands ------------------------------------------------------------------------------


PLACE = "OXX/..O/X.."
STATE = parse_state(PLACE)
FOUR = play_moves(GameState.new(VARIANTS["connect-four"]), "4453")
ULTIMATE = play_moves(GameState.new(VARIANTS["ultimate"]), "A1")


@pytest.mark.parametrize(
    ("arguments", "picture"),
    [
        (f"svg {PLACE}", svg(STATE)),
        ("svg --variant connect-four --moves 4453", svg(FOUR, last=37)),
        (
            "svg --variant connect-four --moves 4453 --look marks",
            svg(FOUR, last=37, look=Look.MARKS),
        ),
        (f"svg {PLACE} --look stones", svg(STATE, look=Look.STONES)),
        (f"tree {PLACE}", tree(STATE).svg()),
        (f"tree {PLACE} --search alphabeta", tree(STATE, search="alphabeta").svg()),
        (
            f"tree {PLACE} --search mcts --iterations 9",
            tree(STATE, search="mcts", iterations=9).svg(),
        ),
        (f"tree {PLACE} --every", tree(STATE, fold=False).svg()),
        (f"tree {PLACE} --depth 1", tree(STATE, 1).svg()),
        (f"tree {PLACE} --format dot", tree(STATE).dot()),
        ("tree --variant ultimate --moves A1 --depth 1", tree(ULTIMATE, 1).svg()),
    ],
)
def test_the_picture_is_that_of_the_library_in_ascii(
    arguments: str, picture: str, in_process: Command
) -> None:
    ended = in_process(*arguments.split())

    assert (ended.status, ended.err) == (0, "")
    assert ended.out.isascii()
    assert html.unescape(ended.out) == html.unescape(picture)


def count(picture: str, name: str) -> int:
    """Return how many elements have a class."""
    elements = ElementTree.fromstring(picture).iter()
    return sum(name in element.get("class", "").split() for element in elements)


@pytest.mark.slow
def test_values_and_the_best_moves_are_drawn_where_they_are_wanted(in_process: Command) -> None:
    drawn = in_process("svg", "--moves", "A1", "--values", "--best", "--bare").out
    over = in_process("svg", "XXX/OO./...", "--best", "--values").out
    estimated = in_process("svg", "--variant", "ultimate", "--values").out

    assert (count(drawn, "ttt-value"), count(drawn, "ttt-best")) == (8, 1)
    assert ">A<" not in drawn
    assert "%</text>" in estimated
    assert [count(over, f"ttt-{name}") for name in ("best", "value", "strike")] == [0, 0, 1]


def test_a_picture_has_the_numbers_of_the_moves_and_rows_from_the_bottom_if_wanted(
    in_process: Command,
) -> None:
    options = ("--variant", "gomoku", "--moves", "H8 G7 H7")
    drawn = in_process("svg", *options, "--numbers", "--rows-from-bottom").out
    match = Match(find_rules("gomoku"))
    for move in ("H8", "G7", "H7"):
        match.play(move)
    last = match.history[-1].cell_index
    assert drawn == svg(match.state, last=last, numbers=match.history, from_bottom=True)
    assert drawn != in_process("svg", *options).out


def test_a_caption_stays_text_in_any_encoding(in_process: Command) -> None:
    caption = "</svg><script>«Ничья»</script>\x1b[2J"

    drawn = in_process("svg", "--caption", caption).out

    assert drawn.isascii()
    assert "\x1b" not in drawn
    texts = ["".join(element.itertext()) for element in ElementTree.fromstring(drawn).iter()]
    assert caption.replace("\x1b", "\N{REPLACEMENT CHARACTER}") in texts


def test_a_terminal_is_told_to_take_a_file_and_shows_text_for_graphviz(in_process: Command) -> None:
    for name, file in (("svg", "board.svg"), ("tree", "tree.svg")):
        assert in_process(name, PLACE, on_screen=True) == (
            1,
            "",
            "tic-tac-toe: this is a picture: write it to a file, as in\n"
            f"  tic-tac-toe {name} … > {file}\n",
        )
    text = in_process("tree", PLACE, "--format", "dot", "--depth", "1", on_screen=True)
    assert (text.status, text.out.splitlines()[0]) == (0, "digraph tree {")


def test_the_librarys_own_words_are_the_english_ones() -> None:
    assert tree_words(load("en", {})) == TreeWords()


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_tree_can_be_drawn_in_every_language(code: str) -> None:
    words = tree_words(load(code, {}))

    for grown in (tree(STATE), tree(STATE, search="alphabeta")):
        assert ElementTree.fromstring(grown.svg(words=words)).get("role") == "img"
        assert grown.dot(words=words).endswith("}\n")


# -- family commands -------------------------------------------------------------------------------


PLAIN = ("cell", "name", "outcome", "plies")
LETTERED = ("move", "cell", "letter", "name", "outcome", "plies")


@pytest.mark.parametrize(
    ("game", "place", "keys", "values"),
    [
        ("X../.../...", 0, PLAIN, (1, "B1", "loss", 6)),
        ("--variant wild --moves XB2", -1, LETTERED, (17, 8, "O", "OC3", "loss", 4)),
        ("--variant 3x3x3 --moves '1A1 2B2 3C1'", -1, PLAIN, (26, "3C3", "loss", 2)),
        ("--variant mnk:3,3,3,pie --moves B2", -1, LETTERED, (9, None, None, "swap", "draw", 9)),
    ],
)
def test_a_move_in_json_has_its_number_letter_and_name_where_the_cell_is_not_all(
    game: str, place: int, keys: tuple[str, ...], values: tuple[object, ...], in_process: Command
) -> None:
    (found,) = in_process("analyse", *shlex.split(game), "--json").answers

    assert found["moves"][place] == dict(zip(keys, values, strict=True))


def test_a_picture_says_below_the_board_what_taking_over_is_worth(in_process: Command) -> None:
    place = ("--variant", "mnk:3,3,3,pie", "--moves", "B2")
    drawn = in_process("svg", *place, "--values", "--best").out
    named = in_process("svg", *place, "--best", "--caption", "Mine").out

    texts = ["".join(element.itertext()) for element in ElementTree.fromstring(drawn).iter()]
    assert "swap =, best: swap" in texts
    assert "swap" not in named


def test_a_tree_names_letters_and_the_taking_over(in_process: Command) -> None:
    wild = in_process("tree", "--variant", "wild", "--depth", "1", "--every", "--format", "dot")
    pie = in_process("tree", "--variant", "mnk:3,3,3,pie", "--depth", "2", "--format", "dot")

    assert wild.out.count('[label="OB2"') == wild.out.count('[label="XB2"') == 1
    assert pie.out.count('[label="swap"') == 3


@pytest.mark.parametrize(
    ("variant", "moves", "told"),
    [
        ("vanishing", "A1 B1 A2 B2 C3", "With the next X the X on A1 leaves.\nO's move:\n"),
        ("mnk:3,3,3,pie", "B2", "taken over. X: Person, O: Person.\n"),
        ("mnk:3,3,3,pie", "B2", "may take over the first mark instead of moving: swap.\nO's move:"),
        ("mnk:3,3,3,pie", "B2 swap", "2 . O .\n3 . . .\nX's move:\n"),
        ("notakto-2", "A1 B1 C1", "Open boards: D1–F3.\nPlayer 2's move:\n"),
        ("order-and-chaos", "XB2", "Chaos's move:\n"),
        ("score-four", "B3 B3", "3 . X . .   . O . .   . . . .   . . . .\n"),
        ("ultimate-open", "A1", "Play in small board A1, from A1 to C3.\nO's move:\n"),
    ],
)
def test_a_position_is_written_with_all_that_a_game_remembers_and_read_again(
    variant: str, moves: str, told: str, in_process: Command
) -> None:
    written = format_state(play_moves(GameState.new(find_rules(variant)), moves))

    place = ("-O", "human", "--variant", variant, "--from", written)
    begun = ("-O", "human", "--variant", variant, "--moves", moves)

    assert told in in_process(*place).out
    assert in_process(*place).out == in_process(*begun).out
    assert in_process("svg", written, "--variant", variant).status == 0
