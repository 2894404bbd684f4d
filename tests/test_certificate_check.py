"""The checker of certificates is small, stands alone, and believes nothing that is not so."""

from __future__ import annotations

import io
import lzma
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest

from tests.copy_oracle import CopyOracle
from tests.theorems import judge_all_theorems, sealed
from tic_tac_toe import certificate_check
from tic_tac_toe.certificate_check import Claim, Game, InvalidCertificate, Proof, check
from tic_tac_toe.logic.notation import parse_state
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.catalogue import find_rules
from tic_tac_toe.logic.search.evaluation import result_of
from tic_tac_toe.logic.search.exact import default_solver
from tic_tac_toe.solver.certificates import write_certificate

SOURCE = Path(certificate_check.__file__).read_text(encoding="utf-8")

HEAD = ["tic-tac-toe certificate 2", "game 3,3,3"]
#: Naught has answered a corner beside it: cross takes the centre and makes two threats.
WIN = [
    *HEAD,
    "position XO./.../... x",
    "claim win",
    "proof X wins",
    "XO./.X./..O A3",
    "XO./.../... B2",
]
DRAW = [
    *HEAD,
    "position XOX/.O./... x",
    "claim draw",
    "proof X does not lose",
    "XOX/.O./... B3 potential",
    "proof O does not lose",
    "XOX/.O./.X. A3 potential",
]
FALLING = [
    "tic-tac-toe certificate 1",  # as files were before there were plans
    "game 2,3,3,gravity",
    "position ../../X. o",
    "claim draw",
    "proof X does not lose",
    "../../XO B2 closed",
    "../O./X. B3 closed",
    "proof O does not lose",
    "../../X. A2 closed",
]


def refusal_of(content: bytes) -> InvalidCertificate:
    """Return the error that checking ends in, after a look at it."""
    with pytest.raises(InvalidCertificate) as refusal:
        check(io.BytesIO(content))
    error = refusal.value
    assert 1 <= error.line <= content.count(b"\n") + 1
    assert str(error).startswith(f"line {error.line}: ")
    assert str(error).isprintable()
    return error


def message_of(lines: Sequence[str]) -> str:
    """Return why a certificate is refused though its closing line fits."""
    return str(refusal_of(sealed(lines)))


def expected(line: int, like: str) -> str:
    """Return the message about a line that is not one like this."""
    return f'line {line}: expected a line like "{like}"'


def changed(lines: Sequence[str], number: int, *texts: str) -> list[str]:
    """Return lines with others in the place of one; they count from 1."""
    return [*lines[: number - 1], *texts, *lines[number:]]


def written(game: str, position: str | None = None) -> list[str]:
    """Return the certificate of a position, else the empty board, without its closing line."""
    rules, stream = find_rules(f"mnk:{game}"), io.BytesIO()
    start = parse_state(position, rules).position if position else Position()
    write_certificate(rules, start, default_solver(rules, start), stream)
    return stream.getvalue().decode().splitlines()[:-1]


def is_true(claim: Claim) -> bool:
    """Return whether the engine agrees with a claim."""
    rules = find_rules(f"mnk:{claim.game}")
    position = parse_state(claim.position, rules).position
    return result_of(default_solver(rules, position).score(position)) == claim.outcome


# -- small and alone -------------------------------------------------------------------------------


def test_the_checker_has_less_than_450_lines() -> None:
    assert len(SOURCE.splitlines()) < 450


@pytest.mark.medium
def test_the_checker_works_as_a_file_without_its_package(tmp_path: Path) -> None:
    (tmp_path / "checker.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "win").write_bytes(sealed(WIN))
    script = (
        "import sys, checker; print(*checker.check('win')); print('tic_tac_toe' in sys.modules)"
    )

    ended = subprocess.run(
        [sys.executable, "-S", "-c", script], capture_output=True, check=True, cwd=tmp_path
    )

    assert ended.stdout.decode().splitlines() == ["3,3,3 XO./.../... x win 2", "False"]


def test_the_checker_does_not_recurse() -> None:
    lines = written("3,4,3,gravity")
    depth, frame = 0, sys._getframe().f_back
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + 40)
    try:
        claim = check(io.BytesIO(sealed(lines)))
    finally:
        sys.setrecursionlimit(limit)

    assert claim.outcome == "draw"


# -- what it accepts -------------------------------------------------------------------------------


def test_a_proof_is_accepted_from_a_path_and_from_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "win"
    path.write_bytes(sealed(WIN))
    claim = Claim("3,3,3", "XO./.../... x", "win", 2)

    assert check(path) == check(str(path)) == check(io.BytesIO(sealed(WIN))) == claim


@pytest.mark.parametrize("lines", [DRAW, FALLING], ids=["plain", "gravity"])
def test_a_draw_has_two_halves(lines: list[str]) -> None:
    claim = check(io.BytesIO(sealed(lines)))

    assert claim.outcome == "draw"
    assert is_true(claim)


def test_a_theorem_stands_for_turned_and_mirrored_positions() -> None:
    turned, mirrored = (
        changed(DRAW, 6, "X../OO./X.. C2 potential"),
        changed(WIN, 6, "O../.X./.OX C1"),
    )

    assert check(io.BytesIO(sealed(turned))).outcome == "draw"
    assert check(io.BytesIO(sealed(mirrored))).outcome == "win"
    unfit = changed(turned, 8, "X../OOX/X.. A1 potential")
    assert message_of(unfit) == "line 8: O cannot answer there"


@pytest.mark.parametrize(
    ("game", "position", "claim", "proofs"),
    [
        ("3,3,3", "XXX/OO./... o", "loss", ["proof X wins"]),
        ("3,3,3,misere", "XXX/OO./... o", "win", ["proof O wins"]),
        ("3,3,3", "XOX/OOX/XXO o", "draw", ["proof X does not lose", "proof O does not lose"]),
    ],
)
def test_a_game_that_is_over_needs_no_theorem(
    game: str, position: str, claim: str, proofs: list[str]
) -> None:
    head = ["tic-tac-toe certificate 1", f"game {game}", f"position {position}"]
    found = check(io.BytesIO(sealed([*head, f"claim {claim}", *proofs])))

    assert found == Claim(game, position, claim, 0)
    for wrong, goal in (("win", "wins"), ("draw", "does not lose"), ("loss", "wins")):
        if wrong != claim:
            for first in "XO":
                rest = ["proof O does not lose"] if wrong == "draw" else []
                assert message_of([*head, f"claim {wrong}", f"proof {first} {goal}", *rest])


# -- soundness, exhaustively on small boards -------------------------------------------------------

PLAIN = {"", "closed", "potential", "pairs"}
PLAIN_MISERE = {"", "closed", "pairs", "mirror"}
FALLING_MISERE = ({"", "closed", "mirror"}, {""})
FALLING_REASONS = ({"", "closed", "follow"}, {"", "follow"})
#: The reasons that are accepted where the goal is not to lose, and where it is to win.
REASONS = {
    "3,3,2": ({""}, {""}),
    "5,1,3": (PLAIN, {""}),
    "5,1,3,misere": (PLAIN_MISERE, {""}),
    "1,1,1": (PLAIN, {""}),
    "3,3,3,gravity": FALLING_REASONS,
    "3,3,3,gravity,misere": FALLING_MISERE,
    "3,3,3,misere": (PLAIN_MISERE, {""}),
    "3,4,3,gravity": FALLING_REASONS,
    "3,4,3,gravity,misere": FALLING_MISERE,
    "4,3,3,gravity": FALLING_REASONS,
    "3,3,3": (PLAIN, {""}),
    "5,2,3": (PLAIN, {""}),
    "5,2,3,misere": (PLAIN_MISERE, {""}),
}
TAKES_LITTLE, TAKES_LONGER = list(REASONS)[:6], list(REASONS)[6:]


@pytest.mark.medium
@pytest.mark.parametrize(
    "game",
    [*TAKES_LITTLE, *(pytest.param(game, marks=pytest.mark.slow) for game in TAKES_LONGER)],
)
@pytest.mark.parametrize("goal", ["not to lose", "to win"])
def test_every_theorem_that_is_accepted_is_true_and_every_true_position_has_one(
    game: str, goal: str
) -> None:
    must_win, accepted = goal == "to win", set[str]()
    for prover in (0, 1):
        findings = judge_all_theorems(game, prover, must_win)

        assert findings.false == []
        assert findings.missed == []
        accepted |= findings.accepted.keys()
    assert accepted == REASONS[game][must_win]


# -- copying in misère play, and halves of draws ---------------------------------------------------

EMPTY = "...../...../...../...../....."
NO_COPY = "no symmetry lets {mark} copy"
NOT_HERE = "this is no reason here"
#: For each game theorems about X, and why they are refused; empty where they are accepted.
COPIES = [
    ("3,3,3,misere", ".../.../... B2 mirror", ""),
    ("3,3,3,misere", "XO./.O./... A3 mirror", NO_COPY),  # the centre is of the other side
    ("3,3,3,misere", "OO./.X./.O. C1 mirror", NO_COPY),  # O takes C3, and A3 completes a line
    ("3,3,3,misere", "OX./.O./.X. C1 mirror", ""),  # the middle column is taken, by both sides
    ("3,3,3,misere", "O../.O./.X. C1 mirror", NO_COPY),  # B1 is free
    ("3,3,3,misere", ".../.../... A1 mirror", NO_COPY),
    ("3,3,3,misere", "O../.../... A2 mirror", NO_COPY),
    ("3,3,3,misere", ".../.../... B2 mirror A1-B1", NOT_HERE),
    ("3,3,3", ".../.../... B2 mirror", NOT_HERE),
    ("4,4,3,misere", "O.../..../..../.... D4 mirror", ""),
    ("4,4,3,misere", "O.../..../..../.... D1 mirror", ""),
    ("4,4,3,misere", "O.../..../..../.... A4 mirror", ""),
    ("4,4,4,misere", ".X../...O/O.../.... C4 mirror", NO_COPY),  # by a quarter turn only
    ("5,5,5,misere", f"{EMPTY} C3 mirror", ""),
    ("5,5,4,misere", f"{EMPTY} C3 mirror", ""),
    ("5,5,3,misere", f"{EMPTY} C3 mirror", NO_COPY),  # the centre is an end of lines
    ("5,1,3,misere", "..... C1 mirror", NO_COPY),
    ("3,2,3,gravity,misere", ".../.X. B1 mirror", ""),
    ("3,2,3,gravity,misere", ".../... B2 mirror", NO_COPY),
]


@pytest.mark.parametrize(("game", "theorem", "message"), COPIES)
def test_a_side_copies_where_it_completes_no_line_first(
    game: str, theorem: str, message: str
) -> None:
    proof = Proof(Game(game), "X", must_win=False)

    if not message:
        proof.add(theorem)
        return
    with pytest.raises(InvalidCertificate) as refusal:
        proof.add(theorem)
    assert str(refusal.value) == message.format(mark="X")


@pytest.mark.parametrize("version", [1, 2])
def test_older_files_know_of_no_copying(version: int) -> None:
    with pytest.raises(InvalidCertificate, match=NOT_HERE):
        Proof(Game("3,3,3,misere"), "X", must_win=False, version=version).add(COPIES[0][1])


def test_copying_wins_nothing() -> None:
    with pytest.raises(InvalidCertificate, match=NOT_HERE):
        Proof(Game("3,3,3,misere"), "X", must_win=True).add(COPIES[0][1])


@pytest.mark.medium
@pytest.mark.parametrize(
    ("columns", "rows", "length", "step"),
    [(3, 3, 3, 1), (5, 2, 3, 1), (4, 4, 3, 29), pytest.param(4, 4, 3, 1, marks=pytest.mark.slow)],
)
def test_who_may_copy_never_completes_a_line_first(
    columns: int, rows: int, length: int, step: int
) -> None:
    oracle = CopyOracle(columns, rows, length)
    game = Game(f"{columns},{rows},{length},misere")
    verdicts = Counter[bool]()
    for image, board in islice(oracle.copied_boards(), 0, None, step):
        cell = next(cell for cell, mark in board.items() if mark == "X")
        before = oracle.text({**board, cell: "."})
        try:
            Proof(game, "X", must_win=False).add(f"{before} {oracle.name(cell)} mirror")
        except InvalidCertificate:
            verdicts[False] += 1
            continue
        verdicts[True] += 1
        # The checker may have found another symmetry than this one, by which X copies.
        assert any(oracle.never_loses(board, each) for each in oracle.images), (before, image)
    assert min(verdicts.values()) > 5


HALF = [
    "tic-tac-toe certificate 3",
    "game 3,3,3,misere",
    "position .../.../... x",
    "claim win or draw",
    "proof X does not lose",
    ".../.../... B2 mirror",
]


def test_a_file_of_version_3_may_hold_one_half_of_a_draw() -> None:
    other = [*HALF[:2], "position .../.X./... o", "claim draw or loss", HALF[4]]

    assert check(io.BytesIO(sealed(HALF))) == Claim(
        "3,3,3,misere", ".../.../... x", "win or draw", 1
    )
    assert message_of(other) == "line 6: nothing answers the reply A1"
    assert message_of(changed(HALF, 1, HEAD[0])) == expected(4, "claim draw")
    assert message_of(changed(HALF, 4, "claim draw or loss")) == (
        'line 5: expected a line like "proof O does not lose"'
    )
    assert message_of(changed(HALF, 5, "proof X wins")) == X_DOES_NOT_LOSE


# -- false claims ----------------------------------------------------------------------------------


X_DOES_NOT_LOSE = 'line 5: expected a line like "proof X does not lose"'
CHANGED = "this does not fit what stands above: something has been changed"
NO_REASON = "line 6: this is no reason here"
NO_GAME = "line 3: no game comes to this position"
NO_PAIR = "is no pair of empty cells of its own"
CLAIMED_DRAW = changed(changed(WIN, 4, "claim draw"), 5, "proof X does not lose")
CLAIMED_LOSS = changed(changed(WIN, 4, "claim loss"), 5, "proof O wins")
CLAIMED_WIN = changed(changed(DRAW[:6], 4, "claim win"), 5, "proof X wins")
#: Answers to the position XOX/.O./... whose reasons do not hold.
DRAWING_ANSWERS = [
    ("A2 potential", "the lines weigh 1 or more after a reply"),
    ("A2 closed", "a line is still open"),
    *((f"B3 {reason}", "this is no reason here") for reason in ("luck", "closed A2-A3", "follow")),
    ("B3 pairs A2-A3", "a line is still open"),
    ("B3 pairs A2-C2 C2-A3", f'"C2-A3" {NO_PAIR}'),
    ("B3 pairs A2-B3", f'"A2-B3" {NO_PAIR}'),
    ("B3 pairs A2-C2-A3", f'"A2-C2-A3" {NO_PAIR}'),
]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (CLAIMED_LOSS, "line 6: nothing answers the reply B3"),
        (CLAIMED_WIN, NO_REASON),
        (CLAIMED_DRAW, expected(8, "proof O does not lose")),
        ([*CLAIMED_DRAW, "proof O does not lose"], "line 9: nothing answers the reply C1"),
        (changed(WIN, 4, "claim draw"), X_DOES_NOT_LOSE),
        (changed(DRAW, 4, "claim win"), expected(5, "proof X wins")),
        (DRAW[:6], expected(7, "proof O does not lose")),
        (DRAW[:4] + DRAW[6:], X_DOES_NOT_LOSE),
        (DRAW[:4] + DRAW[6:] + DRAW[4:6], X_DOES_NOT_LOSE),
        ([*DRAW, "proof X wins"], f"line 9: {CHANGED}"),
        (DRAW[:4], X_DOES_NOT_LOSE),
        (WIN[:5], "line 6: no theorem is about the start position"),
        (WIN[:6], "line 7: no theorem is about the start position"),
        (changed(WIN, 6), "line 6: nothing answers the reply C3"),
        (changed(WIN, 6, "XO./.X./..O C1"), "line 6: nothing answers the reply A3"),
        (changed(WIN, 7, WIN[5]), "line 7: a theorem above is about this position already"),
        (changed(WIN, 7, "O../XX./..O C1"), "line 8: no theorem is about the start position"),
        (changed(FALLING, 6, "../../XO A1 closed"), "line 6: X cannot answer there"),
        (
            changed(FALLING, 6, "../../XO B2 follow"),
            "line 6: the odd columns are not paired up by their lowest cells",
        ),
        (
            [*HEAD, "position .../.../... x", "claim loss", "proof O wins"],
            "line 6: nothing answers the reply A1",
        ),
        (
            [*HEAD, "position X.X/OX./..O o", "claim win", "proof X wins"],
            'line 5: expected a line like "proof O wins"',
        ),
        (
            [*HEAD, "position XX./.../... x", "claim win", "proof X wins"],
            NO_GAME,
        ),
        (
            [*HEAD, "position XXX/O.O/.O. x", "claim win", "proof X wins", "XXX/O.O/.O. A3"],
            NO_GAME,
        ),
        *(
            (changed(WIN, 6, f"XO./.X./..O {cell}"), "line 6: X cannot answer there")
            for cell in ("B1", "C3", "D1", "A4")  # taken, or off the board
        ),
        *(
            (changed(DRAW, 6, f"XOX/.O./... {answer}"), f"line 6: {message}")
            for answer, message in DRAWING_ANSWERS
        ),
    ],
)
def test_what_is_not_proved_is_refused_at_its_line(lines: list[str], message: str) -> None:
    assert message_of(lines) == message


# -- tampering -------------------------------------------------------------------------------------

GENUINE = {
    "draw": ("3,3,3", ".../.../... x"),
    "win": ("4,3,3", "..../..../.... x"),
    "misère": ("3,3,3,misere", "X../.O./..X o"),
    "gravity": ("3,3,3,gravity", ".../.../.X. o"),
    "loss": ("3,4,3,gravity", ".../.../.X./OX. o"),
    "pairs": ("5,2,3", "X..../..... o"),
}


def altered(lines: list[str]) -> Iterator[list[str]]:
    """Yield the lines with one sign changed, in each way that might look genuine."""
    groups = ["XO.", "123456789", "ABCDE", "xo", ",/ -"]
    for number, line in enumerate(lines, start=1):
        for i, sign in enumerate(line):
            for group in groups:
                for other in group if sign in group else "":
                    if other != sign:
                        yield changed(lines, number, line[:i] + other + line[i + 1 :])


@pytest.mark.medium
@pytest.mark.parametrize("name", GENUINE)
def test_what_is_tampered_with_is_refused_or_still_true(name: str) -> None:
    lines, refused, accepted = written(*GENUINE[name]), 0, 0
    if name == "pairs":  # which reason the writer prefers is not the point here
        lines = [line.replace("C1 potential", "C1 pairs A2-B2 C2-D2") for line in lines]
    truth = check(io.BytesIO(sealed(lines)))

    assert is_true(truth)
    for number, line in enumerate(lines, start=1):
        assert message_of(changed(lines, number)), f"without {line}"
        assert message_of(changed(lines, number, line, line)), f"with {line} twice"
    for tampered in altered(lines):
        try:
            claim = check(io.BytesIO(sealed(tampered)))
        except InvalidCertificate:
            refused += 1
        else:
            accepted += 1
            assert is_true(claim), tampered
    assert refused > 10 * accepted


@pytest.mark.medium
def test_every_changed_bit_is_noticed() -> None:
    content = sealed(WIN)

    for i in range(len(content)):
        for bit in range(8):
            changed_byte = bytes([content[i] ^ 1 << bit])
            assert refusal_of(content[:i] + changed_byte + content[i + 1 :])


@pytest.mark.medium
@pytest.mark.parametrize("lines", [WIN, DRAW], ids=["win", "draw"])
def test_a_file_that_is_cut_off_is_refused_wherever(lines: list[str]) -> None:
    content = sealed(lines)

    for length in range(len(content)):
        error = refusal_of(content[:length])
        assert "the file ends before its closing line" in str(error)


# -- hostile files ---------------------------------------------------------------------------------


class Endless(io.BytesIO):
    """A stream that never ends and repeats one byte."""

    def __init__(self, byte: bytes) -> None:
        super().__init__()
        self._byte = byte

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size > 0, "the whole of an endless line is asked for"
        return self._byte if self._byte == b"\n" else self._byte * size


@pytest.mark.parametrize(
    ("byte", "message"),
    [
        (b"\0", "line 1: longer than 4096 bytes"),
        (b"X", "line 1: longer than 4096 bytes"),
        (b"\n", expected(1, HEAD[0])),
    ],
)
def test_a_file_without_end_is_refused(byte: bytes, message: str) -> None:
    with pytest.raises(InvalidCertificate) as refusal:
        check(Endless(byte))

    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1: the file ends before its closing line"),
        (b"\n", expected(1, HEAD[0])),
        (b"\0\1\2\3", "line 1: no plain text"),
        (b"\x1b[2J\n", "line 1: no plain text"),
        (b"\xef\xbb\xbf" + sealed(WIN), "line 1: no plain text"),
        ("tic‑tac‑toe certificate 1\n".encode(), "line 1: no plain text"),
        (sealed(WIN).replace(b"\n", b"\r\n"), "line 1: no plain text"),
        (sealed(WIN).replace(b"\n", b"\n\n"), expected(2, "game 7,6,4,gravity")),
        (sealed(["tic-tac-toe certificate 4"]), expected(1, HEAD[0])),
        (sealed(WIN) + sealed(WIN), "line 9: something follows the closing line"),
        (sealed(WIN) + b"\n", "line 9: something follows the closing line"),
        (sealed(WIN)[:-3] + b"00\n", f"line 8: {CHANGED}"),
        (sealed(WIN).replace(b"end 2", b"end 3"), f"line 8: {CHANGED}"),
        (sealed([*WIN, "X" * 5_000]), "line 8: longer than 4096 bytes"),
    ],
)
def test_what_is_no_certificate_gets_one_error(content: bytes, message: str) -> None:
    assert str(refusal_of(content)) == message


#: Wrong games, and positions that are wrong or whose claim is, by the message about them.
GAMES = {
    expected(2, "game 7,6,4,gravity"): [
        *("", "3,3", "3,3,3,3", "0,3,3", "3,0,3", "3,3,0", "-3,3,3", "03,3,3", "999999999999,3,3"),
        *("3, 3,3", "3,3,3 ", "3.0,3,3", "1e1,3,3"),
        *("3,3,3,misere,gravity", "3,3,3,gravity,gravity", "3,3,3,exact"),
    ],
    "line 2: no such board, or no such line on it": ["3,3,4", "27,3,3", "3,99,3", "99,99,99"],
}
POSITIONS = {
    expected(3, "position .../.../... x"): [
        *("", "XO./.../...", "XO./.../... X", "XO./.../.... x", "XO........ x"),
        "xo./.../... x",
    ],
    NO_GAME: [
        *("XX./.../... x", "XX./.../... o", "XXX/OO./... x", "XXX/OOO/... x", "XXX/OOO/... o")
    ],
    # Either side may have begun: the position is accepted.
    expected(4, "claim draw"): ["XO./.../... o", "XXO/.../... o"],
}
ANSWER = ".../.../... A1"
ANSWER_OR_PLAN = f'{ANSWER}" or "aaa/aaa/aaa'
THEOREMS = [
    *("", " ", "XO./.../...", "XO./.../... ", "XO./.../... b2", "XO./.../... B2 "),
    *("XO./.../...  B2", "XO./.../... B2 Potential", "XO/.../... B2"),
    *("XO./.../.../... B2", "B2 XO./.../..."),
]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        *(([WIN[0], f"game {game}"], told) for told, games in GAMES.items() for game in games),
        *(
            ([*WIN[:2], f"position {position}", "claim nothing"], told)
            for told, positions in POSITIONS.items()
            for position in positions
        ),
        ([WIN[0], "game 3,2,2,gravity", "position X../..O x", "claim win"], NO_GAME),
        *(
            (changed(WIN, 7, theorem), expected(7, ANSWER if " " in theorem else ANSWER_OR_PLAN))
            for theorem in THEOREMS
        ),
    ],
)
def test_a_line_that_is_not_written_right_is_refused_with_one_like_it(
    lines: list[str], message: str
) -> None:
    assert message_of(lines) == message


@pytest.mark.medium
def test_a_large_board_is_judged_in_bounds() -> None:
    rows = "/".join(["." * 26] * 26)
    lines = [WIN[0], "game 26,26,5", f"position {rows} x", "claim draw", "proof X does not lose"]

    assert message_of([*lines, f"{rows} N13"]) == "line 6: nothing answers the reply A1"
    assert message_of([*lines, f"{rows} N13 potential"]) == (
        "line 6: the lines weigh 1 or more after a reply"
    )


@pytest.mark.parametrize("name", ["", "missing"])
def test_a_file_that_cannot_be_read_is_an_error_of_the_system(name: str, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"directory"):
        check(tmp_path / name)


@pytest.mark.slow
def test_the_certificate_beside_the_page_proves_that_the_first_player_wins_connect_four() -> None:
    path = Path(__file__).parents[1] / "docs" / "connect-four.certificate.xz"
    empty = "/".join(["." * 7] * 6)

    claim = check(io.BytesIO(lzma.decompress(path.read_bytes())))

    assert claim == Claim("7,6,4,gravity", f"{empty} x", "win", 11_657)
