"""What a fresh process pays: its imports, and its first answer."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks.measurement import (
    Contestant,
    Effort,
    Sample,
    Sampler,
    Unavailable,
    alternate,
    require,
)
from benchmarks.report import SECONDS, AtMost, Section

BARE = "bare interpreter"

OPENING = """
from tic_tac_toe import GameState, find_best_move
find_best_move(GameState.new())
"""
EASYAI_OPENING = """
from easyAI import Negamax, TranspositionTable
from easyAI.games import TicTacToe
TicTacToe.ttentry = lambda game: tuple(game.board)
Negamax(9, tt=TranspositionTable())(TicTacToe([None, None]))
"""
OPENSPIEL_OPENING = """
import pyspiel
from open_spiel.python.algorithms.minimax import alpha_beta_search
alpha_beta_search(pyspiel.load_game("tic_tac_toe"))
"""


#: Where Linux tells a process about itself.
STATUS = Path("/proc/self/status")
#: Makes a process say its own peak, in kilobytes, before it ends.
TELL_PEAK = f"""
with open({str(STATUS)!r}) as status:
    print(next(line for line in status if line.startswith("VmHWM:")).split()[1])
"""


def run(code: str, *, peak: bool = False) -> Sample:
    """Return what a fresh interpreter needs to run some code.

    The peak is the process's own where it can tell (on Linux). What the system tells of a child is
    never below the peak of its parent, because it counts from before the child's own beginning.

    Args:
        code: must print nothing.
        peak: whether the memory is wanted too.

    Raises:
        Unavailable: this system does not say what its processes have used.
        CalledProcessError: the code fails.
    """
    if not hasattr(os, "wait4"):
        raise Unavailable("this system does not tell")
    tells = peak and STATUS.exists()
    command = [sys.executable, "-c", code + TELL_PEAK if tells else code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    unit = 1 if sys.platform == "darwin" else 1024
    size = (int(told) if tells else usage.ru_maxrss) * unit
    return Sample(usage.ru_utime + usage.ru_stime, size / 1e6 if peak else 0.0)


def fresh(
    code: str, module: str = "tic_tac_toe", *, warm: bool = True, peak: bool = False
) -> Callable[[], Sampler]:
    """Return what prepares the runs of some code.

    Args:
        code: is run in a new interpreter each time.
        module: has to be installed.
        warm: whether to run it once beforehand, so that its bytecode is on the disk.
        peak: whether the memory is wanted too.
    """

    def prepare() -> Sampler:
        require(module)
        if warm:
            run(code)
        return lambda: run(code, peak=peak)

    return prepare


def measure(effort: Effort) -> list[Section]:
    """Return the figures of fresh processes, as CPU time above that of a bare interpreter."""
    opening = {
        "`find_best_move(GameState.new())`": fresh(OPENING),
        "easyAI `Negamax(9)` with a table": fresh(EASYAI_OPENING, "easyAI"),
        "OpenSpiel `alpha_beta_search`": fresh(OPENSPIEL_OPENING, "pyspiel"),
    }
    imports = {
        "`import tic_tac_toe`": fresh("import tic_tac_toe"),
        "`from tic_tac_toe import GameState`": fresh("from tic_tac_toe import GameState"),
        "`import easyAI`": fresh("import easyAI", "easyAI"),
        "`import pyspiel`": fresh("import pyspiel", "pyspiel"),
    }
    contestants = {BARE: fresh("pass"), **opening, **imports}
    # Processes vary more than work inside one does.
    runs = alternate([Contestant(*each) for each in contestants.items()], 2 * effort.rounds)
    bare, above = runs.only([BARE]), runs.above(BARE)
    return [
        Section(
            "opening move in a fresh process, above a bare interpreter",
            above.only(opening),
            SECONDS,
            reference="OpenSpiel `alpha_beta_search`",
            goals={"`find_best_move(GameState.new())`": AtMost(0.050)},
        ),
        Section(
            "import alone, above a bare interpreter",
            above.only(imports),
            SECONDS,
            reference="`import pyspiel`",
            goals={"`import tic_tac_toe`": AtMost(0.015)},
        ),
        Section("what a bare interpreter takes", bare, SECONDS),
    ]
