"""The theorems of a proof: what to answer in each position that the opponent's replies lead to.

A position needs no search where a few lines of arithmetic see a strategy: a reason. It is looked
for where the prover has just moved and the opponent is to reply, and found as
`tic_tac_toe.certificate_check` reads it; there it says, too, why each is a proof, and from whom it
is. Sets of cells are bit boards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from tic_tac_toe.files import Journal
from tic_tac_toe.logic.exceptions import GameError
from tic_tac_toe.logic.notation import cell_name, parse_cell
from tic_tac_toe.logic.positions import Position
from tic_tac_toe.logic.rules.line import LineRules
from tic_tac_toe.logic.search.exact import Solver
from tic_tac_toe.logic.shapes import Layout, layout
from tic_tac_toe.solver.certificates.plans import signs_of
from tic_tac_toe.solver.theory import find_pairs

#: The answers tried, unless none of them reaches the goal; the best is the one that leaves the
#: fewest positions to prove.
ANSWERS_TRIED = 8
#: The same where plans are looked for, which takes longer; and how many positions with a plan
#: weigh as much as one without.
ANSWERS_TRIED_WITH_PLANS, WEIGHT = 3, 100

#: A position with the prover to move: the marks of the prover, and of the opponent.
Key = tuple[int, int]

TITLE = "tic-tac-toe proof in progress 1"
LEAF, NONE, NODE = "leaf", "none", "node"
FINDING = re.compile(
    rf"[XO] (?:(?:{LEAF}|{NONE}) [A-Za-z0-9./]+(?: [ -~]+)?|{NODE} [XO./]+ [A-Z][0-9]{{1,2}})"
)


class Goal(NamedTuple):
    """What is to be proved.

    Attributes:
        prover: 0 for cross, 1 for naught.
        must_win: whether the prover is to win; else not to lose.
    """

    prover: int
    must_win: bool


class PlanFinder(Protocol):
    """Looks for plans, the same ones whenever it is asked."""

    def find(self, goal: Goal, keys: Sequence[Key]) -> Sequence[Sequence[int] | None]:
        """Return a plan for each position, as the empty cells, most wanted first, if it is found.

        Args:
            keys: positions in which the prover reaches the goal.
        """
        ...


class Proof:
    """The way of one side to one goal, from wherever the opponent's replies lead.

    Args:
        solver: an exact one.
        plans: finds plans; without it each theorem is about one position.
        findings: earlier ones, to which new ones are added.
    """

    def __init__(
        self,
        board: Board,
        solver: Solver,
        goal: Goal,
        plans: PlanFinder | None = None,
        findings: Findings | None = None,
    ) -> None:
        self._board, self._solver, self._goal, self._plans = board, solver, goal, plans
        self._findings = Findings() if findings is None else findings
        self._prover, self._must_win = goal
        self._mark = "XO"[goal.prover]
        self._tried = ANSWERS_TRIED if plans is None else ANSWERS_TRIED_WITH_PLANS
        self._wanted: set[Key] = set()

    def theorems(self, position: Position) -> Iterator[str]:
        """Yield the theorems, each after those that it rests on (depth first, in post-order)."""
        own, other = self._sides(position.stones)
        if self._board.rules.outcome(position) is not None:
            return
        if position.turn == self._prover:
            needed = {self._board.canonical(own, other)}
        else:
            needed = self._needed(own, other)
        self._wanted = set(needed)
        written: set[Key] = set()
        stack: list[tuple[Key, str]] = [(key, "") for key in sorted(needed)]
        while stack:
            key, theorem = stack.pop()
            if theorem:
                yield theorem
                written.add(key)
            elif key not in written:
                theorem, needed = self._theorem(*key)
                self._wanted |= needed
                stack.append((key, theorem))
                stack += [(next_key, "") for next_key in sorted(needed - written)]

    def _theorem(self, own: int, other: int) -> tuple[str, set[Key]]:
        """Return a theorem about a position, and the positions that this leaves to prove."""
        text = self._text(own, other)
        if known := self._findings.leaf(self._mark, text):
            return known, set()
        if known := self._findings.node(self._mark, text):
            answer = parse_cell(self._board.rules.shape, known.split(" ")[1])
            return known, self._needed(own | 1 << answer, other)
        if self._plans is not None and (leaf := self._leaves({(own, other)})[own, other]):
            return leaf, set()
        theorem, needed = self._best(own, other)
        self._findings.note(f"{self._mark} {NODE if needed else LEAF} {theorem}")
        return theorem, needed

    def _best(self, own: int, other: int) -> tuple[str, set[Key]]:
        """Return the theorem whose answer leaves the fewest positions to prove, and these."""
        board = self._board
        best: tuple[int, int, set[Key]] | None = None
        for tried, cell in enumerate(self._answers(own, other)):
            if best is not None and tried >= self._tried:
                break
            after = own | 1 << cell
            if board.rules.has_line(after):
                return self._line(own, other, cell), set()
            reason = board.reason(after, other, self._must_win)
            if reason is None and not self._reaches_goal(after, other):
                continue
            if reason is None and not self._must_win:
                reason = board.pairs(after, other)
            if reason is not None:
                return self._line(own, other, cell, reason), set()
            needed = self._needed(after, other)
            more = self._effort(needed - self._wanted)
            if best is None or more < best[0]:
                best = more, cell, needed
            if not more:
                break
        if best is None:
            raise RuntimeError("the solver contradicts itself")
        return self._line(own, other, best[1]), best[2]

    def _effort(self, keys: set[Key]) -> int:
        """Return how much it takes to prove these positions."""
        if self._plans is None:
            return len(keys)
        return sum(1 if leaf else WEIGHT for leaf in self._leaves(keys).values())

    def _leaves(self, keys: Iterable[Key]) -> dict[Key, str]:
        """Return the theorems about positions that rest on no other ones; empty where none is."""
        assert self._plans is not None
        leaves: dict[Key, str] = {}
        for key in sorted(keys):
            known = self._findings.leaf(self._mark, self._text(*key))
            leaves[key] = self._with_reason(*key) if known is None else known
        rest = [
            key
            for key, leaf in leaves.items()
            if not leaf and self._findings.leaf(self._mark, self._text(*key)) is None
        ]
        for key, order in zip(rest, self._plans.find(self._goal, rest)):
            if order is not None:
                leaves[key] = self._board.plan(self._sides(key), order)
        for key in rest:
            word, text = (LEAF, leaves[key]) if leaves[key] else (NONE, self._text(*key))
            self._findings.note(f"{self._mark} {word} {text}")
        return leaves

    def _with_reason(self, own: int, other: int) -> str:
        """Return a theorem with a reason that is quickly seen, if there is one; else nothing."""
        for cell in self._answers(own, other):
            reason = self._board.reason(own | 1 << cell, other, self._must_win)
            if reason is not None:
                return self._line(own, other, cell, reason)
        return ""

    def _text(self, own: int, other: int) -> str:
        return self._board.text(self._sides((own, other)))

    def _answers(self, own: int, other: int) -> Collection[int]:
        """Return the cells worth trying, the likely best first."""
        board = self._board
        playable = board.playable(own | other)
        cells = board.layout.cells(playable)
        if board.misere:
            safe = [cell for cell in cells if not board.rules.has_line(own | 1 << cell)]
            return sorted(safe, key=lambda cell: self._promise(own | 1 << cell, other))
        if urgent := board.completing(own, playable) or board.completing(other, playable):
            return board.layout.cells(urgent)
        return sorted(cells, key=lambda cell: self._promise(own | 1 << cell, other))

    def _promise(self, own: int, other: int) -> tuple[bool, int]:
        """Return how little an answer promises, from the position after it; the least comes first.

        It weighs the lines that must not be completed, and to win those that must be.
        """
        board = self._board
        bad, good = (own, other) if board.misere else (other, own)
        if not self._must_win:
            return False, 100 * board.weight(bad, good) - board.weight(good, bad)
        threat = not board.misere and board.completing(own, board.playable(own | other))
        return not threat, 3 * board.weight(bad, good) - 10 * board.weight(good, bad)

    def _reaches_goal(self, own: int, other: int) -> bool:
        """Ask the solver about a position with the opponent to move."""
        position = Position(self._sides((own, other)), 1 - self._prover)
        return not self._solver.reaches(position, 0 if self._must_win else 1)

    def _needed(self, own: int, other: int) -> set[Key]:
        """Return the positions after each reply, but for those that need no theorem."""
        board, needed = self._board, set()
        for cell in board.layout.cells(board.playable(own | other)):
            after = other | 1 << cell
            if board.rules.has_line(after):
                if not board.misere:
                    raise RuntimeError("the solver contradicts itself")
                continue
            playable = board.playable(own | after)
            if playable and (board.misere or not board.completing(own, playable)):
                needed.add(board.canonical(own, after))
        return needed

    def _line(self, own: int, other: int, answer: int, reason: str = "") -> str:
        board = self._board
        words = board.text(self._sides((own, other))), cell_name(board.rules.shape, answer), reason
        return " ".join(filter(None, words))

    def _sides(self, stones: Key) -> Key:
        """Return crosses and naughts from the prover's marks and the other's, or the reverse."""
        return (stones[1], stones[0]) if self._prover else stones


class Board:
    """A game of lines as bit boards, for reasons and proofs.

    Args:
        rules: without misère play, and without lines of an exact length.
        misere: whether who completes a line loses.
    """

    def __init__(self, rules: LineRules, misere: bool) -> None:
        columns = rules.shape.columns
        self.rules: LineRules = rules
        self.misere: bool = misere
        self.gravity: bool = rules.gravity
        self.layout: Layout = layout(rules.shape)
        self.full: int = self.layout.full
        self.lines: tuple[int, ...] = tuple(dict.fromkeys(line.mask for line in rules.lines.places))
        self._floor = self.full & ~(self.full >> columns) if rules.gravity else self.full
        column = self.full // ((1 << columns) - 1)
        self._columns = [column << i for i in range(columns)]

    @property
    def name(self) -> str:
        """The game as a certificate has it: columns, rows, length and flags."""
        rows, columns = self.rules.shape
        flags = ",gravity" * self.gravity + ",misere" * self.misere
        return f"{columns},{rows},{self.rules.length}{flags}"

    def text(self, stones: tuple[int, int]) -> str:
        """Return crosses and naughts as rows from the top."""
        rows, columns = self.rules.shape
        signs = [
            ".XO"[(stones[0] >> i & 1) + 2 * (stones[1] >> i & 1)] for i in range(rows * columns)
        ]
        return "/".join("".join(signs[i : i + columns]) for i in range(0, len(signs), columns))

    def plan(self, stones: tuple[int, int], order: Sequence[int]) -> str:
        """Return a position and a plan, with as few signs as it takes.

        Args:
            order: the empty cells, the one that is wanted most first.
        """
        signs = signs_of(order)
        text = iter(self.text(stones).replace("/", ""))
        columns = self.rules.shape.columns
        marks = [signs.get(cell, mark) for cell, mark in enumerate(text)]
        return "/".join("".join(marks[i : i + columns]) for i in range(0, len(marks), columns))

    def canonical(self, own: int, other: int) -> tuple[int, int]:
        """Return one position for all that are the same but for a turn or a mirror."""
        return self.rules.canonical(Position((own, other))).stones

    def playable(self, occupied: int) -> int:
        """Return the cells that a mark may enter."""
        return (self._floor | occupied >> self.rules.shape.columns) & ~occupied

    def completing(self, stones: int, playable: int) -> int:
        """Return the playable cells where one more mark completes a line."""
        cells = 0
        for line in self.lines:
            missing = line & ~stones
            if missing & playable == missing and not missing & (missing - 1):
                cells |= missing
        return cells

    def weight(self, stones: int, enemies: int) -> int:
        """Return the weight of one side's open lines; a complete one weighs 2 ** length."""
        return sum(1 << (line & stones).bit_count() for line in self.lines if not line & enemies)

    def reason(self, own: int, other: int, must_win: bool) -> str | None:
        """Return a reason that is quickly seen, if there is one; `pairs` takes longer.

        Args:
            own: the marks of the prover, who has just moved and completed no line.
            other: those of the opponent, who is to move.
            must_win: whether the prover is to win, or else not to lose.
        """
        if not must_win and self.is_closed(own, other):
            return "closed"
        if self.misere:
            return None
        if self.gravity:
            return self._follow(own, other, must_win)
        return "potential" if not must_win and self.is_light(own, other) else None

    def pairs(self, own: int, other: int) -> str | None:
        """Return the reason ``pairs``, if such pairs are found; the prover is not to lose."""
        found = self.find_pairs(own, other)
        return None if found is None else self._named("pairs", found)

    def find_pairs(self, own: int, other: int) -> list[int] | None:
        """Return the pairs of cells of the reason ``pairs``, if they are found."""
        if self.gravity:
            return None
        owner, rival = (own, other) if self.misere else (other, own)
        return find_pairs(line & ~owner for line in self.lines if not line & rival)

    def is_light(self, own: int, other: int) -> bool:
        """Return whether the opponent's lines weigh less than a complete one after each reply."""
        total, through = 0, dict.fromkeys(self.layout.cells(self.full & ~(own | other)), 0)
        for line in self.lines:
            if not line & own:
                weight = 1 << (line & other).bit_count()
                total += weight
                for cell in self.layout.cells(line & ~other):
                    through[cell] += weight
        return total + max(through.values(), default=0) < 1 << self.rules.length

    def is_closed(self, own: int, other: int) -> bool:
        """Return whether the lines that matter, in misère play the prover's, stay incomplete."""
        owner, rival = (own, other) if self.misere else (other, own)
        empty = (self.full & ~(own | other)).bit_count()
        moves = (empty + (not self.misere)) // 2  # that the owner has left
        return not any(
            not line & rival and (line & ~owner).bit_count() <= moves for line in self.lines
        )

    def _follow(self, own: int, other: int, must_win: bool) -> str | None:
        empty = self.full & ~(own | other)
        if empty.bit_count() % 2:
            return None
        upper = lowest = 0
        for column in self._columns:
            cells = self.layout.cells(column & empty)  # ascending: from the top
            if len(cells) % 2:
                lowest |= 1 << cells.pop()
            upper |= sum(1 << cell for cell in cells[::2])
        sure = own | upper
        if must_win and not any(line & sure == line for line in self.lines):
            return None
        found = find_pairs(line & lowest for line in self.lines if not line & sure)
        if found is None:
            return None
        left = self.layout.cells(lowest & ~sum(found))
        found += [1 << one | 1 << two for one, two in zip(left[::2], left[1::2])]
        return self._named("follow", found)

    def _named(self, reason: str, pairs: Iterable[int]) -> str:
        """Return a reason with its pairs, as A1-B2."""
        shape = self.rules.shape
        names = ("-".join(cell_name(shape, one) for one in self.layout.cells(two)) for two in pairs)
        return " ".join([reason, *names])


class InvalidJournal(GameError, ValueError):
    """A file that holds no findings for this proof."""


class Findings:
    """The theorems about positions that have been found so far.

    Args:
        journal: gets each new finding; unless given they are kept in memory alone.
        findings: those of before.
        progress: is called with the count of findings after each new one.
    """

    def __init__(
        self,
        journal: Journal | None = None,
        findings: Iterable[str] = (),
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self._journal, self._progress = journal, progress
        self._found: dict[tuple[str, str], str] = {}
        for finding in findings:
            self._keep(finding)

    def __len__(self) -> int:
        return len(self._found)

    def node(self, prover: str, position: str) -> str | None:
        """Return the theorem about a position that rests on other ones, if there is one."""
        return self._found.get((f"{prover} {NODE}", position))

    def leaf(self, prover: str, position: str) -> str | None:
        """Return the theorem about a position that rests on no other one.

        It is empty if none is found, and ``None`` if none has been looked for.
        """
        return self._found.get((f"{prover} {LEAF}", position))

    def note(self, finding: str) -> None:
        """Add a finding, as a line of the file without its end."""
        self._keep(finding)
        if self._journal is not None:
            self._journal.append(finding)
        if self._progress is not None:
            self._progress(len(self._found))

    def _keep(self, finding: str) -> None:
        prover, kind, theorem = finding.split(" ", 2)
        board = re.sub("[^XO/]", ".", theorem.split(" ", 1)[0])
        key = f"{prover} {NODE if kind == NODE else LEAF}", board
        self._found[key] = "" if kind == NONE else theorem


@contextmanager
def open_findings(
    path: Path, subject: str, progress: Callable[[int], None] | None = None
) -> Iterator[Findings]:
    """Give the findings in a file, which is made if it is missing.

    A file of text. Its first line names the game and the position. Each other one is a finding
    about a position, which begins with the prover, X or O, and what it is::

        X leaf aXb/bOa/aaX          a theorem that rests on no other: a plan, or an answer with a
                                    reason
        X none .X./.O./..X          no such theorem has been found
        X node .X./.O./..X A3       the answer after which the proof goes on

    Args:
        path: of the file. A last line that was not written to its end is passed over.
        subject: the game and the position, which the first line names.
        progress: as in `Findings`.

    Raises:
        InvalidJournal: it is another file, or the file of another game or position.
        OSError: it cannot be read or written, or another process has it.
    """
    head = f"{TITLE} {subject}"
    with Journal(path, head, synced=False) as journal:
        is_proof = journal.read("replace")
        *lines, _ = journal.text.split("\n")
        for number, line in enumerate(lines if is_proof else [""], 1):
            if not (FINDING.fullmatch(line) if number > 1 else line == head):
                raise InvalidJournal(
                    "line {line} of {path} is not of this proof: move the file away to begin anew",
                    "other_journal",
                    line=number,
                    path=path.name,
                )
        journal.resume()
        yield Findings(journal, lines[1:], progress)
