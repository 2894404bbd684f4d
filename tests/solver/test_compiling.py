"""Machine code is made once, kept whole, and loaded without the compiler."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from tic_tac_toe.solver import bench
from tic_tac_toe.solver.kernels import compiling, numba_code
from tic_tac_toe.solver.kernels.compiling import (
    CACHE_VARIABLE,
    Compiled,
    cache_folder,
    fingerprint,
)

SOLVE = """
import sys
from tic_tac_toe import GameState, find_rules
from tic_tac_toe.solver import solve
print(solve(GameState.new(find_rules("mnk:4,4,4,gravity"))).outcome, "numba" in sys.modules)
"""


def add_up(numbers: Any, words: Any, more: Any) -> Any:
    """Write the sum of the numbers over the first word, and return it with some more."""
    total = np.int64(0)
    for index in range(numbers.size):
        total += numbers[index]
    words[0] = np.uint64(total)
    return total + more


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def run(function: Compiled) -> tuple[int, int]:
    words = np.zeros(2, np.uint64)
    return function(np.arange(5), words, 100), int(words[0])


def no_compiler(*_arguments: object) -> object:
    raise AssertionError("the code should have come from the cache")


@pytest.mark.medium
def test_compiled_code_does_what_the_function_does_and_is_kept(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(Compiled(add_up)) == (110, 10)
    assert [path.suffix for path in cache.iterdir()] == [".code"]
    monkeypatch.setattr(numba_code, "compile_entry", no_compiler)
    assert run(Compiled(add_up)) == (110, 10)


@pytest.mark.medium
@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "text"])
def test_damaged_code_is_never_run_but_made_again(cache: Path, damage: str) -> None:
    run(Compiled(add_up))
    (path,) = cache.iterdir()
    whole = path.read_bytes()
    middle = len(whole) // 2
    damaged = {
        "cut": whole[:-1],
        "flip": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "empty": b"",
        "text": b"[" * 100_000,
    }[damage]
    path.write_bytes(damaged)
    assert run(Compiled(add_up)) == (110, 10)
    assert path.read_bytes() != damaged


@pytest.mark.medium
def test_code_of_another_version_of_the_source_is_not_used(cache: Path, tmp_path: Path) -> None:
    run(Compiled(add_up, name="sum"))
    (path,) = cache.iterdir()
    sources = sorted(Path(compiling.__file__).parent.rglob("*.py"))
    assert path.name == f"sum-{fingerprint(sources)}.code"
    changed = tmp_path / "changed.py"
    changed.write_bytes(sources[-1].read_bytes() + b"#")
    assert fingerprint([*sources[:-1], changed]) != fingerprint(sources)


@pytest.mark.medium
def test_a_cache_that_cannot_be_written_costs_time_only_and_is_told_of_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("", encoding="ascii")
    folder = tmp_path / "file" / "cache"
    monkeypatch.setenv(CACHE_VARIABLE, str(folder))
    assert run(Compiled(add_up)) == run(Compiled(add_up)) == (110, 10)
    assert caplog.messages == [
        f"compiled code cannot be kept in {folder}: Not a directory; name another folder in the "
        f"environment variable {CACHE_VARIABLE}"
    ]


@pytest.mark.medium
def test_code_that_no_place_is_left_for_is_told_of(
    cache: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_arguments: object, **_options: object) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(compiling, "atomic_write", full)
    assert run(Compiled(add_up)) == (110, 10)
    (said,) = caplog.messages
    assert f"cannot be kept in {cache}: No space left on device" in said


def test_the_cache_is_where_the_system_keeps_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CACHE_VARIABLE, raising=False)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "somewhere")
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder() == Path("somewhere", "tictactoe-engine")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "local")
    assert cache_folder() == Path("local", "tictactoe-engine", "cache")


def test_the_folder_of_numbas_cache_is_used_where_ours_is_not_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", "numbas")
    monkeypatch.delenv(CACHE_VARIABLE, raising=False)
    assert cache_folder() == Path("numbas", "tictactoe-engine")
    monkeypatch.setenv(CACHE_VARIABLE, "ours")
    assert cache_folder() == Path("ours")


@pytest.mark.medium
def test_a_fresh_process_with_a_warm_cache_never_loads_the_compiler() -> None:
    def solve_afresh() -> str:
        ended = subprocess.run(
            [sys.executable, "-c", SOLVE], capture_output=True, text=True, check=True
        )
        return ended.stdout

    assert solve_afresh().split()[0] == "draw"
    assert solve_afresh() == "draw False\n"


@pytest.mark.slow
def test_the_signature_is_the_same_with_and_without_the_cache(tmp_path: Path) -> None:
    code = "from tic_tac_toe.solver.bench import *; print(*(n for _, n in counts(FAST_TASKS)))"
    ended = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {CACHE_VARIABLE: str(tmp_path)},
    )
    assert ended.stdout.split() == [str(nodes) for _, nodes in bench.counts(bench.FAST_TASKS)]
