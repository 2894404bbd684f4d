"""A wrong command line is refused in the reader's language, by every command."""

from __future__ import annotations

import argparse
import ast
import inspect
import re

import pytest

from tests.frontends.desk import played
from tests.frontends.solving import Command
from tic_tac_toe.game.strategies import STRATEGIES
from tic_tac_toe.logic.models import Mark
from tic_tac_toe.logic.rules.catalogue import VARIANTS, find_rules
from tic_tac_toe.logic.rules.traits import side_name
from tic_tac_toe_frontends.command.cli import COMMANDS
from tic_tac_toe_frontends.console.cli import parse_args
from tic_tac_toe_frontends.program.argument_errors import ARGUMENT, TEMPLATES, translate
from tic_tac_toe_frontends.program.options import PositionArgs, language_of
from tic_tac_toe_frontends.words.translation import LANGUAGES, load

#: What `argparse` would say in English, in messages and in help.
ARGPARSE = re.compile(
    "usage|error|options|positional|required|unrecognized|invalid|expected|ignored|show this help"
)
TRANSLATED = [code for code in LANGUAGES if code != "en"]


def said_by_argparse() -> set[str]:
    """Return the messages in the source of this Python's `argparse`, with {} for what is filled."""
    nodes = ast.walk(ast.parse(inspect.getsource(argparse)))
    texts = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return {re.sub(r"%(\(\w+\))?[rs]", "{}", text) for text in texts if isinstance(text, str)}


@pytest.mark.parametrize("template", [ARGUMENT, *TEMPLATES])
def test_every_template_is_a_message_of_this_pythons_argparse(template: str) -> None:
    assert re.sub(r"\{\w+\}", "{}", template) in said_by_argparse()


SECONDS = "argument --delay: a number of seconds from 0 to 3600 is needed"
THOUGHT = "argument --think: a number of seconds above 0, and 3600 at most, is needed"
GOMOKU_ONLY = "sh plays gomoku, standard gomoku, Caro and renju only"
#: Of the console, with the beginning of the reason.
WRONG_VALUES = {
    "-X nobody": "argument -X: invalid choice: 'nobody' (choose from human, ",
    "-X eazy": "argument -X: invalid choice: 'eazy'; did you mean easy? Else choose from human, ",
    "-O Gomocup": "trickster, MODULE:FUNCTION, gomocup:PATH",
    "--starting Y": "argument --starting: invalid choice: 'Y'",
    "--variant chess": 'argument --variant: no variant is called "chess"; choose from ',
    "--variant mnk:3,3": "argument --variant: a board needs columns, rows and line length",
    "--variant mnk:99,3,3": "argument --variant: columns must be from 1 to 26, not 99",
    "--lang tlh": f"argument --lang: choose from {', '.join(LANGUAGES)}",
    "--seed 1.5": "argument --seed: a whole number is needed",
    f"--seed {'9' * 5000}": "argument --seed: a whole number is needed",
    **{f"--delay {text}": SECONDS for text in ("-1", "nan", "inf", "soon")},
    **{f"--think {text}": THOUGHT for text in ("0", "-1", "3601", "soon", "nan")},
    "-O gomocup:/no/such/program": 'argument -O: there is no file "/no/such/program"',
    f"-O gomocup:{__file__}": "may not be executed",
    "-O gomocup:": "argument -O: the path of a program is missing after gomocup:",
    "-O gomocup:/bin/sh --variant connect-four": GOMOKU_ONLY,
    "--starting random --from X........": "--starting random goes with the empty",
    f"--starting {'9' * 5000}": f"invalid choice: '{'9' * 38}… (choose",
    "--see 1": "unrecognized arguments: --see 1; did you mean --seed?",
    "-o easy": "unrecognized arguments: -o easy; did you mean -O?",
    "--varient=gomoku": "unrecognized arguments: --varient=gomoku; did you mean --variant?",
    "--\x1b[31m": "unrecognized arguments: --\\x1b[31m",
}
#: Of a match, whole or with the beginning of the reason.
MATCHES = {
    "easy": "a match needs two players or more",
    "easy nobody": 'argument PLAYER: no computer player is called "nobody"; choose from random, ',
    "gomocup:/bin/sh random --variant connect-four": GOMOKU_ONLY,
    "easy random rules --sprt 0,5": "--sprt needs exactly two players",
    "easy random --sprt 5,0": "argument --sprt: the test needs two Elo differences",
    "easy random --sprt 5": "argument --sprt: two numbers are needed",
    "easy random --games 10": "unrecognized arguments: --games 10; did you mean --pairs?",
    "easy random --pairs 0": "argument --pairs: a number from 1 to ",
    "easy random --think 0": THOUGHT,
}
#: Of other commands; the first option is named in the reason.
OTHERS = [
    *(f"solve --threads {text}" for text in ("0", "257", "two")),
    *(f"solve --memory {text}" for text in ("0", "-5", "9" * 5000)),
    *(f"solve --node-limit {text}" for text in ("-1", "1.5")),
    *(f"solve --time-limit {text}" for text in ("-1", "0", "nan", "inf", "soon")),
    "plan --svg --json",
    "solve --file - --moves 1",
    "solve --file - XXX/OO./...",
    "solve --file - --certificate proof",
    "solve --scheduler tcp://127.0.0.1:1 --checkpoint folder",
    "solve --variant chess",
    "window --theme pink",
    *(f"browser {text}" for text in ("--port 70000", "--port x", "--variant chess")),
    *(f"tree {text}" for text in ("--depth 0", "--depth deep", "--search it", "--format png")),
]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        *((f"console {text}", reason) for text, reason in WRONG_VALUES.items()),
        *((f"match {text}", reason) for text, reason in MATCHES.items()),
        *((text, text.split()[1]) for text in OTHERS),
        # A page runs no program, and no more than forty letters of an argument are told back.
        ("browser -O gomocup:/bin/sh --no-open", "argument -O: invalid choice: "),
        (f"analyse XX./OO./... {'9' * 4_000}", f"unrecognized arguments: {'9' * 39}…"),
    ],
)
def test_wrong_values_and_options_that_exclude_each_other_are_wrong_usage(
    arguments: str, reason: str, in_process: Command
) -> None:
    name, *options = arguments.split()
    ended = in_process(name, *options)

    assert (ended.status, ended.out == "") == (2, "--json" not in options)
    assert reason in ended.err.splitlines()[0]
    assert ended.err.splitlines()[1:] == [f"tic-tac-toe: For help: tic-tac-toe {name} --help"]


def test_a_long_address_that_nothing_listens_at_is_told_in_short(in_process: Command) -> None:
    ended = in_process("serve", "--host", "x" * 4_000, "--port", "0")

    assert ended.status == 1
    assert len(ended.err) < 400


def test_what_may_be_a_password_is_not_told_back_however_long(in_process: Command) -> None:
    address = f"https://ann:secret{'x' * 50}@play.example"

    for arguments in (["--redis-of", address], ["--port=1", "--json=" + address]):
        ended = in_process("serve", *arguments)
        assert ended.status == 2
        assert "secret" not in ended.err


@pytest.mark.parametrize(
    "message",
    [
        "argument -X: invalid choice: 'me' (choose from 'human', 'easy')",  # Python 3.10
        "argument -X: invalid choice: 'me' (choose from human, easy)",  # Python 3.14
    ],
)
def test_choices_are_told_alike_by_all_versions_of_python(message: str) -> None:
    assert translate(message, load("ru", {})) == (
        "аргумент -X: недопустимое значение: 'me' (выберите из human, easy)"
    )


def test_a_message_of_the_program_itself_stays_as_it_is() -> None:
    assert translate("--redis: сказано уже", load("ru", {})) == "--redis: сказано уже"


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("console", "--seed --delay --plain --record --from --moves --version"),
        ("tui", "--seed --delay --theme"),
        ("window", "--seed --delay --theme --no-animation"),
        ("browser", "--port --no-open"),
    ],
)
def test_help_tells_every_option(name: str, others: str, in_process: Command) -> None:
    ended = in_process(name, "--help")

    assert ended.status == 0
    for option in f"-X -O --starting --variant --lang {others}".split():
        assert f"\n  {option}" in ended.out or f", {option}" in ended.out


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("code", TRANSLATED)
def test_no_command_speaks_the_english_of_argparse(
    name: str, code: str, in_process: Command
) -> None:
    helped = in_process(name, "--lang", code, "--help")
    refused = in_process(name, "--lang", code, "--nonsense")

    assert (helped.status, refused.status) == (0, 2)
    assert f"tic-tac-toe {name} [-h]" in helped.out.splitlines()[0]
    for line in helped.out.splitlines() + refused.err.splitlines():
        assert not ARGPARSE.search(line), line


def test_the_parsers_of_other_programs_in_the_process_speak_as_before(in_process: Command) -> None:
    in_process("variants", "--lang", "ru", "--nonsense")

    assert argparse.ArgumentParser("other").format_help().startswith("usage: other")


# -- args ------------------------------------------------------------------------------------------


ENGLISH = load("en", {})


@pytest.fixture(autouse=True)
def in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("LANGUAGE", raising=False)


def test_without_options_a_person_plays_x_against_the_easiest_level() -> None:
    args = parse_args([])

    assert args.setup.players == {Mark.CROSS: "human", Mark.NAUGHT: "easy"}
    assert args.starting is None
    assert args.setup.rules == VARIANTS["tic-tac-toe"]
    assert {args.seed, args.delay, args.record, args.position, args.moves} == {None}
    assert args.plain is False


def test_every_option_is_kept() -> None:
    args = parse_args(
        [
            *("-X", "random", "-O", "human", "--starting", "O", "--variant", "mnk:7,6,4,gravity"),
            *("--lang", "ru-RU", "--seed", "-7", "--delay", "0.5", "--plain"),
            *("--record", "games.txt", "--from", "X", "--moves", "1 2"),
        ]
    )

    assert args.setup.players == {Mark.CROSS: "random", Mark.NAUGHT: "human"}
    assert args.starting == "O"
    assert args.setup.rules == VARIANTS["connect-four"]
    assert args.language.pgettext("command", "yes") == "да"
    assert (args.seed, args.delay, args.plain) == (-7, 0.5, True)
    assert (args.record, args.position, args.moves) == ("games.txt", "X", "1 2")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--lang", "es"], "es"),
        (["--lang=ru_RU"], "ru"),
        (["--lang", "es", "--lang", "zh"], "zh"),
        (["--lang", "tlh"], "en"),
        (["--lang"], "en"),
        ([], "en"),
    ],
)
def test_the_language_is_known_before_the_options_are(arguments: list[str], code: str) -> None:
    assert language_of(arguments).info().get("language", "en") == code


def test_a_position_and_moves_from_there_make_the_first_state() -> None:
    rules = find_rules("3x3")

    state = PositionArgs(ENGLISH, rules, "X../.O./...", "C3 A3").state()
    assert state.grid.cells == "X   O O X"
    assert state.starting_mark is Mark.CROSS
    state = PositionArgs(ENGLISH, rules, "O../.../...", starter=Mark.NAUGHT).state()
    assert state.current_mark is Mark.CROSS
    state = PositionArgs(ENGLISH, rules, moves="5", starter=Mark.NAUGHT).state()
    assert state.grid.cells == "    O    "


@pytest.mark.parametrize(
    ("variant", "strategy", "mark"),
    [
        *(("tic-tac-toe", name, mark) for name in STRATEGIES for mark in "XO"),
        *((name, "easy", "X") for name in VARIANTS),
    ],
)
def test_every_strategy_for_either_mark_and_every_variant_can_be_named(
    variant: str, strategy: str, mark: str
) -> None:
    other = "O" if mark == "X" else "X"
    players = (f"-{mark}", strategy, f"-{other}", "human", "--starting", mark)
    said = played("--variant", variant, *players, "--seed", "1")

    rules = find_rules(variant)
    mover, person = (side_name(rules, Mark(letter).side) for letter in (mark, other))
    assert said.count(f"{mover} plays ") + said.count(f"{mover} puts ") == 1
    assert said.endswith(f"{person}'s move:\nThe game ends here. Goodbye!\n")
