"""A checker of proofs that a k-in-a-row position is won, drawn or lost, to be believed by reading.

It imports nothing of ours: neither the search that found a proof nor the rules that it went by.
`tic_tac_toe.solver.certificates` writes the files; docs/explanation/certificates.md explains them::

    tic-tac-toe certificate 2
    game 3,3,3                          columns, rows, length; then gravity and misere if so
    position X../.O./... x              rows from the top; who is to move
    claim draw                          what the side to move gets: win, draw, loss, or see below
    proof X does not lose               a win has one proof, a draw one for X and one for O
    XXO/.O./... A3                      theorems, each resting on those above it only
    ...
    end 12 sha256 ...                   how many there are, and a digest of all before this line

A theorem says that the prover, to move in this position, reaches the goal by this answer; turned
and mirrored positions share one. A line without an answer is a plan, see below. The answer is good
because it completes a line; or, if no reason follows, because after each reply the opponent has
lost, or the board is full and a draw will do, or the prover completes a line at once, or a theorem
above goes on. Otherwise the reason is one of:

- ``closed``: each line of the opponent (in misère play of the prover, who must not complete one)
  holds a mark of the other side, or lacks more cells than its owner has moves left.
- ``potential``: a line of the opponent without marks of the prover weighs 1/2 to the power of the
  cells it lacks, and after each reply all lines together weigh less than 1. The prover takes the
  cell that most of the weight runs through; the next reply adds no more than that took away. So
  no line is ever complete, for that would weigh 1 (Erdős and Selfridge, 1973).
- ``pairs A1-B2 ...``: when the opponent takes a cell of a pair, the prover takes the other one.
  Each line still open to the opponent holds a pair (Hales and Jewett, 1963). In misère play each
  line open to the prover does: with no such answer to give, the prover takes a cell outside the
  pairs or, when those are gone, begins a pair, whose other cell the opponent will have to take.
- ``follow A2-C3 ...``: under gravity the prover answers in the cell above. Columns with an odd
  number of empty cells are paired up by their lowest ones, which answer each other. So every cell
  has a partner, the prover is never short of an answer, and of the other pairs gets the upper
  cells: each line open to the opponent holds one of these, or a pair of lowest cells. To win, the
  prover must have a line in marks and upper cells (claimeven; Allis, 1988).
- ``mirror``: in misère play the prover answers in the image of the cell. The images are those of a
  symmetry that is its own inverse and takes the marks of the one side to those of the other, but
  for cells that are their own images, all of which are taken. The opponent gets one of a cell and
  its image, so no line that holds both is ever the prover's; nor is one without cells that are
  their own images, for its image, a line of the opponent, would be complete a move before. Each
  line still open to the prover is of one of these kinds.

A plan is a position in which each empty cell has a sign of `SIGNS`: how much the prover wants it.
From then on the prover plays without any search, by the first of these rules that applies:

1. Complete a line.
2. Take the cell in which the opponent could complete one. If there are two the plan fails.
3. Take the playable cell that is wanted most; of equal ones the first in reading order. Under
   gravity never one right below a cell in which the opponent completes a line. If none is left the
   plan fails, unless the board is full and a draw will do.

The checker plays a plan against every reply, and refuses one that leads through more than
`LONGEST_PLAN` positions. Misère play has no plans, nor have files of version 1. From version 3 on
there is the reason ``mirror``, and a file may hold one half of a draw: the claim is then ``win or
draw`` or ``draw or loss``.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from itertools import product
from pathlib import Path
from typing import BinaryIO, NamedTuple

TITLE = "tic-tac-toe certificate 2"
MAXIMUM_SIDE = 26
SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWYZ0123456789"  # `a` is wanted most
LONGEST_PLAN = 50_000  # positions in which the opponent has replied and the game goes on
LONGEST_LINE = 4_096  # bytes; with 26 x 26 cells, and each of them in a pair, it takes 3,400


class InvalidCertificate(ValueError):
    """A file that proves nothing; ``line`` is that of the fault, from 1, or 0 where it is not told.

    ``template`` and ``params`` are the English message in parts, as in `logic.exceptions`.
    """

    def __init__(self, template: str, line: int = 0, **params: object) -> None:
        self.template: str = template
        self.params: dict[str, object] = params
        self.line: int = line
        text = template.format(**params) if params else template
        super().__init__(f"line {line}: {text}" if line else text)


class Claim(NamedTuple):
    """What a file proves: the outcome for the side to move under best play, or one of two."""

    game: str
    position: str
    outcome: str
    theorems: int


def check(source: str | os.PathLike[str] | BinaryIO) -> Claim:
    """Return what a certificate proves.

    Args:
        source: a path, or a stream of bytes. What is kept of it is one position a line.

    Raises:
        InvalidCertificate: it proves nothing; the message tells which line is wrong and why.
        OSError: it cannot be read.
    """
    if isinstance(source, (str, os.PathLike)):
        with Path(source).open("rb") as stream:
            return check(stream)
    text = _Text(source)
    try:
        return _check(text)
    except InvalidCertificate as error:
        raise InvalidCertificate(error.template, text.number, **error.params) from None


def _check(text: _Text) -> Claim:
    version = int(_match("tic-tac-toe certificate ([123])", text.read(), TITLE)[1])
    name = _match("game (.*)", text.read(), "game 7,6,4,gravity")[1]
    game = Game(name)
    start = _match(f"position ({game.form}) ([xo])", text.read(), f"position {game.empty} x")
    mover, waiter = ("X", "O") if start[2] == "x" else ("O", "X")
    own, other = game.parse(start[1], mover)
    behind = other.bit_count() - own.bit_count()
    if behind not in (0, 1) or game.completes(own) or (own | other) & ~game.supported(own | other):
        raise InvalidCertificate("no game comes to this position")
    claims = {"win": mover, "draw": "XO", "loss": waiter}
    if version > 2:
        claims |= {"win or draw": mover, "draw or loss": waiter}
    outcome = _match(f"claim ({'|'.join(claims)})", text.read(), "claim draw")[1]
    goal = "does not lose" if "draw" in outcome else "wins"
    theorems, line = 0, text.read()
    for prover in claims[outcome]:
        _match(f"proof {prover} {goal}", line, f"proof {prover} {goal}")
        proof = Proof(game, prover, must_win=goal == "wins", version=version)
        while not (line := text.read()).startswith(("proof ", "end ")):
            proof.add(line)
            theorems += 1
        if prover == waiter:
            proof.check_replies(other, own)
        elif not proof.holds(own, other):
            raise InvalidCertificate("no theorem is about the start position")
    if line != f"end {theorems} sha256 {text.digest.hexdigest()}":
        raise InvalidCertificate("this does not fit what stands above: something has been changed")
    text.number += 1
    if text.stream.read(1):
        raise InvalidCertificate("something follows the closing line")
    return Claim(name, f"{start[1]} {start[2]}", outcome, theorems)


def _match(pattern: str, line: str, example: str) -> re.Match[str]:
    if (match := re.fullmatch(pattern, line)) is None:
        raise InvalidCertificate('expected a line like "{example}"', example=example)
    return match


class _Text:
    """The lines of a file, the number of the one read last, and a digest of all before the end."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.number, self.digest = stream, 0, hashlib.sha256()

    def read(self) -> str:
        self.number += 1
        line = self.stream.readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE:
            raise InvalidCertificate("longer than {count} bytes", count=LONGEST_LINE)
        if not re.fullmatch(rb"[ -~]*\n?", line):
            raise InvalidCertificate("no plain text")
        if not line.endswith(b"\n"):
            raise InvalidCertificate("the file ends before its closing line")
        if not line.startswith(b"end "):
            self.digest.update(line)
        return line[:-1].decode("ascii")


class Game:
    """The rules. A set of cells is an int, in which bit ``row * columns + column`` is a cell."""

    def __init__(self, name: str) -> None:
        side = "([1-9][0-9]?)"
        parts = _match(f"{side},{side},{side}(,gravity)?(,misere)?", name, "game 7,6,4,gravity")
        columns, rows, length = (int(parts[i]) for i in (1, 2, 3))
        self.length: int = length
        if not self.length <= max(columns, rows) <= MAXIMUM_SIDE:
            raise InvalidCertificate("no such board, or no such line on it")
        self.gravity: bool = bool(parts[4])
        self.misere: bool = bool(parts[5])
        self.full: int = (1 << columns * rows) - 1
        self.floor: int = self.full & ~(self.full >> columns) if self.gravity else self.full
        self.empty: str = "/".join(["." * columns] * rows)
        self.form: str = self.empty.replace(".", "[XO.]")
        places = list(product(range(rows), range(columns)))
        bit: dict[tuple[int, ...], int] = {place: 1 << i for i, place in enumerate(places)}
        self.cells: dict[str, int] = {chr(65 + x) + str(y + 1): bit[y, x] for y, x in places}
        self.lines: list[int] = []
        for (row, column), (down, right) in product(places, ((0, 1), (1, 0), (1, 1), (1, -1))):
            line = {bit.get((row + i * down, column + i * right), 0) for i in range(self.length)}
            if 0 not in line:
                self.lines.append(sum(line))
        self.stacks: list[list[int]] = [[bit[y, x] for y in range(rows)] for x in range(columns)]
        # For each cell the lines through it, without it.
        self.through: dict[int, list[int]] = {
            cell: [line ^ cell for line in self.lines if line & cell] for cell in bit.values()
        }
        # Each way to mirror or turn the board that the rules allow: for every cell its image.
        self.images: list[dict[int, int]] = []
        for mirror, flip, turn in product((1, -1), repeat=3):
            if flip == turn == 1 or (not self.gravity and (turn == 1 or columns == rows)):
                moved = zip(places, product(range(rows)[::flip], range(columns)[::mirror]))
                self.images.append({bit[place]: bit[image[::turn]] for place, image in moved})

    def parse(self, text: str, mark: str) -> tuple[int, int]:
        """Return the cells that have this mark, and those that have the other one."""
        signs = list(zip(text.replace("/", ""), self.cells.values()))
        own = sum(cell for sign, cell in signs if sign == mark)
        return own, sum(cell for sign, cell in signs if sign != ".") - own

    def moved(self, stones: int, image: dict[int, int]) -> int:
        """Return where cells come to lie by a symmetry."""
        return sum(to for cell, to in image.items() if stones & cell)

    def supported(self, occupied: int) -> int:
        """Return the cells, taken or not, where a mark does not fall."""
        return self.floor | occupied >> len(self.stacks)

    def playable(self, occupied: int) -> int:
        """Return the cells that a mark may enter."""
        return self.supported(occupied) & ~occupied

    def below(self, cells: int) -> int:
        """Return the cells right below others, where marks fall."""
        return cells << len(self.stacks) if self.gravity else 0

    def completing(self, stones: int) -> int:
        """Return where one more mark completes a line of these."""
        missing = {line & ~stones for line in self.lines}
        return sum(cells for cells in missing if not cells & (cells - 1))

    def completed_by(self, stones: int, cell: int) -> int:
        """Return where one more mark completes a line through this cell, once it has a mark."""
        found = 0
        for rest in self.through[cell]:
            missing = rest & ~stones
            if not missing & (missing - 1):
                found |= missing
        return found

    def completes(self, stones: int) -> bool:
        """Return whether one side's marks hold a line."""
        return any(stones & line == line for line in self.lines)


class Proof:
    """The theorems about one prover and one goal, which is reached from each of ``proven``.

    A theorem about a position that no game comes to is of no use, and does no harm.
    """

    def __init__(self, game: Game, prover: str, *, must_win: bool, version: int = 3) -> None:
        self.game: Game = game
        self.prover: str = prover
        self.must_win: bool = must_win
        self.has_plans: bool = version > 1 and not game.misere
        self.has_mirror: bool = version > 2 and game.misere
        self.proven: set[tuple[int, int]] = set()

    def add(self, text: str) -> None:
        """Check a theorem, and keep its position."""
        if self.has_plans and " " not in text:
            self._add_plan(text)
            return
        form = f"({self.game.form}) ([A-Z][0-9]+)(?: ([a-z].*))?"
        marks, answer, reason = _match(form, text, f"{self.game.empty} A1").groups()
        own, other = self.game.parse(marks, self.prover)
        cell = self.game.cells.get(answer, 0)
        if not cell & self.game.playable(own | other):
            raise InvalidCertificate("{mark} cannot answer there", mark=self.prover)
        if self._is_proven(own, other):
            raise InvalidCertificate("a theorem above is about this position already")
        if reason:
            self._check_reason(own | cell, other, *reason.split(" "))
        else:
            self.check_replies(own | cell, other)
        self.proven.add((own, other))

    def _add_plan(self, text: str) -> None:
        """Check a plan, and keep its position."""
        game = self.game
        signs, plan = (game.empty.replace(".", sign) for sign in ("[A-Za-z0-9]", "a"))
        _match(signs, text, f'{game.empty} A1" or "{plan}')
        own, other = game.parse(re.sub("[^XO/]", ".", text), self.prover)
        if self._is_proven(own, other):
            raise InvalidCertificate("a theorem above is about this position already")
        cells = zip(text.replace("/", ""), game.cells.values())
        wanted = sorted((SIGNS.index(sign), cell) for sign, cell in cells if sign not in "XO")
        self._play_out(own, other, [cell for _, cell in wanted])
        self.proven.add((own, other))

    def _play_out(self, own: int, other: int, wanted: list[int]) -> None:
        """Let a plan answer every reply, until it has reached the goal everywhere."""
        game, seen = self.game, {(own, other)}
        # A position where the prover is to move, and the cells that complete a line of each side.
        todo = [(own, other, game.completing(own), game.completing(other))]
        while todo:
            own, other, wins, losses = todo.pop()
            playable = game.playable(own | other)
            if wins & playable or not (playable or self.must_win):
                continue
            if not (answer := losses & playable):
                safe = playable & ~game.below(losses)
                answer = next((cell for cell in wanted if cell & safe), 0)
            replies = game.playable(own | other | answer)
            fails = not answer or answer & (answer - 1) or replies & losses
            if fails or (self.must_win and not replies):
                raise InvalidCertificate(
                    "the plan fails after {marks} marks", marks=(own | other).bit_count()
                )
            wins |= game.completed_by(own, answer)
            own |= answer
            if threats := wins & replies:  # the opponent has to take the one, and loses to two
                replies = 0 if threats & (threats - 1) else threats
            while replies:
                reply = replies & -replies
                replies ^= reply
                after = own, other | reply
                if after not in seen:
                    seen.add(after)
                    todo.append((*after, wins, losses | game.completed_by(other, reply)))
            if len(seen) > LONGEST_PLAN:
                raise InvalidCertificate(
                    "a plan of more than {count} positions", count=LONGEST_PLAN
                )

    def check_replies(self, own: int, other: int) -> None:
        """Check that the prover reaches the goal where the opponent is to move."""
        if self.game.completes(own):
            if self.game.misere:
                raise InvalidCertificate("{mark} has completed a line and lost", mark=self.prover)
            return
        replies = self.game.playable(own | other)
        if self.must_win and not replies:
            raise InvalidCertificate("the board is full and nobody has won")
        for name, cell in self.game.cells.items():
            if cell & replies and not self.holds(own, other | cell):
                raise InvalidCertificate("nothing answers the reply {cell}", cell=name)

    def holds(self, own: int, other: int) -> bool:
        """Return whether the prover, who is to move, reaches the goal at once or by a theorem."""
        if self.game.completes(other):
            return self.game.misere
        if not (playable := self.game.playable(own | other)):
            return not self.must_win
        missing = (line & ~own for line in self.game.lines if not self.game.misere)
        if any(cells & playable == cells and cells.bit_count() == 1 for cells in missing):
            return True
        return self._is_proven(own, other)

    def _is_proven(self, own: int, other: int) -> bool:
        return any(
            (self.game.moved(own, image), self.game.moved(other, image)) in self.proven
            for image in self.game.images
        )

    def _check_reason(self, own: int, other: int, name: str, *words: str) -> None:
        """Check that a strategy reaches the goal where the opponent is to move."""
        game, empty = self.game, self.game.full & ~(own | other)
        no_loss, pairs, free = not self.must_win, [], empty
        suits = {
            "closed": no_loss and not words,
            "potential": no_loss and not (words or game.gravity or game.misere),
            "pairs": no_loss and not game.gravity,
            "follow": game.gravity and not game.misere,
            "mirror": no_loss and self.has_mirror and not words,
        }
        if not suits.get(name):
            raise InvalidCertificate("this is no reason here")
        for word in words:
            first, second = (game.cells.get(name, 0) & free for name in word.partition("-")[::2])
            if not (first and second) or first == second:
                raise InvalidCertificate('"{text}" is no pair of empty cells of its own', text=word)
            pairs.append(first | second)
            free &= ~(first | second)
        if name == "mirror":
            if not any(self._can_copy(own, other, image) for image in game.images):
                raise InvalidCertificate("no symmetry lets {mark} copy", mark=self.prover)
            return
        if game.misere:
            own, other = other, own  # it is the prover who must not complete a line
        lines = [line for line in game.lines if not line & own]
        if name == "potential":
            for cell in game.cells.values():
                weights = (1 << (line & (other | cell)).bit_count() for line in lines)
                if cell & empty and sum(weights) >= 1 << game.length:
                    raise InvalidCertificate("the lines weigh 1 or more after a reply")
            return
        if name == "closed":
            moves = (empty.bit_count() + (not game.misere)) // 2
            lines = [line for line in lines if (line & ~other).bit_count() <= moves]
        if name == "follow":
            upper = lowest = 0
            for stack in game.stacks:
                cells = [cell for cell in stack if cell & empty]  # from the top
                lowest |= cells.pop() if len(cells) % 2 else 0
                upper |= sum(cells[::2])
            if sum(pairs) != lowest:
                raise InvalidCertificate("the odd columns are not paired up by their lowest cells")
            if self.must_win and not any(line & (own | upper) == line for line in game.lines):
                raise InvalidCertificate("the upper cells fill no line")
            lines = [line for line in lines if not line & upper]
        if any(all(line & pair != pair for pair in pairs) for line in lines):
            raise InvalidCertificate("a line is still open")

    def _can_copy(self, own: int, other: int, image: dict[int, int]) -> bool:
        """Return whether the prover, answering by this symmetry, never completes a line."""
        game = self.game
        if any(image[to] != cell for cell, to in image.items()):
            return False
        fixed = sum(cell for cell, to in image.items() if to == cell)
        if fixed & ~(own | other) or game.moved(own & ~fixed, image) != other & ~fixed:
            return False
        lines = (line for line in game.lines if line & fixed and not line & other)
        return all(line & game.moved(line, image) & ~fixed for line in lines)


if __name__ == "__main__":
    try:
        sys.stdout.write(f"proved: {check(sys.argv[1])}\n")
    except InvalidCertificate as _fault:
        sys.exit(f"this proves nothing: {_fault}")
