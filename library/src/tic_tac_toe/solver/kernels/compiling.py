"""Makes machine code of kernels, and keeps it: the one module that knows Numba.

Numba compiles a kernel the first time that it is called on a machine, which takes some seconds.
The code is kept in the user's cache folder under a digest of all that it depends on: the kernels'
source, the versions, the processor. A later process loads it by llvmlite alone, in
milliseconds, for importing Numba takes longer than most searches.

Compiled code gets no Python objects: the arrays by address and size, everything else as words. It
runs without the interpreter's lock.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import logging
import os
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from errno import ENOENT
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event, Lock, Thread
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

from tic_tac_toe.files import atomic_write
from tic_tac_toe.logic.exceptions import message

#: The folder of the cache, where the environment names one; of the second it is a part.
CACHE_VARIABLE, NUMBA_VARIABLE = "TICTACTOE_CACHE", "NUMBA_CACHE_DIR"
HEADER_BYTES = 1 << 20
#: The seconds between two questions whether compiled code is to stop.
POLL_SECONDS = 0.004


class Compiled:
    """A kernel's function, compiled when it is first called.

    It takes one-dimensional arrays of integers, named tuples of uint64, and numbers, and returns an
    int.

    Args:
        function: in plain Python, of what compiled code can do.
        constant: one of the named tuples, if it is always the same: the compiler then knows it.
        name: of the file in which the code is kept; that of the function unless given.
        sources: the folder of the modules that the function is made of, where it is not that of the
            kernels; these it may call in any case.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        constant: tuple[Any, ...] | None = None,
        name: str | None = None,
        sources: Path | None = None,
    ) -> None:
        self.function = function
        self.constant = constant
        self.name: str = name or function.__name__
        self.sources = sources
        self._code: Callable[..., int] | None = None
        self._keep: object = None  # what owns the code
        self._lock = Lock()

    def __call__(self, *arguments: Any) -> int:
        """Run the machine code."""
        return self._loaded(arguments)(*_words(arguments))

    def bind(self, *arguments: Any) -> Callable[[int], int]:
        """Return the same with all arguments given but for the last, a number.

        The arrays have to be kept by the caller.
        """
        words = _words(arguments)
        return lambda last: self._loaded((*arguments, last))(*words, last)

    @property
    def is_loaded(self) -> bool:
        """Whether a call begins at once."""
        return self._code is not None

    def _loaded(self, arguments: Sequence[Any]) -> Callable[..., int]:
        if self._code is None:
            with self._lock:
                if self._code is None:
                    self._code, self._keep = self._load_or_compile(arguments)
        return self._code

    def is_ready(self) -> bool:
        """Return whether a call begins at once, and needs no compiler first."""
        path = _cache_file(self.name, self.constant, self.sources)
        return self._code is not None or (path is not None and path.exists())

    def _load_or_compile(self, arguments: Sequence[Any]) -> tuple[Callable[..., int], object]:
        """Return the machine code as a C function, and what must be kept for it."""
        prototype = ctypes.CFUNCTYPE(ctypes.c_int64, *_c_types(arguments))
        path = _cache_file(self.name, self.constant, self.sources)
        if path is not None and (loaded := _load(path)) is not None:
            address, engine = loaded
            return prototype(address), engine
        from tic_tac_toe.solver.kernels.numba_code import compile_entry

        is_kept = can_keep_code()
        address, owner, code, symbols, entry = compile_entry(
            self.function, self.constant, arguments
        )
        if path is not None and is_kept:
            _save(path, code, symbols, entry)
        return prototype(address), owner


@contextmanager
def stop_cell(stop: Callable[[], bool] | None) -> Iterator[NDArray[np.int64]]:
    """Yield an array of one number, which becomes 1 once ``stop`` returns true.

    Compiled code reads no clock. It runs without the interpreter's lock, so that it sees the change
    in the midst of its search. An exception of ``stop`` ends the search, too, and is raised when
    the block ends.
    """
    cell: NDArray[np.int64] = np.zeros(1, np.int64)
    if stop is None:
        yield cell
        return
    ended, raised = Event(), list[BaseException]()

    def watch(asked: Callable[[], Any]) -> None:
        try:
            while not asked():
                if ended.wait(POLL_SECONDS):
                    return
        except BaseException as error:
            raised.append(error)
        cell[0] = 1

    watcher = Thread(target=watch, args=(stop,), daemon=True)
    watcher.start()
    try:
        yield cell
    finally:
        ended.set()
        watcher.join()
    if raised:
        raise raised[0]


def _address(array: NDArray[Any]) -> int:
    """Return where an array begins."""
    if array.flags.writeable:  # the quick way, for it is most of what a short call takes
        return ctypes.addressof(ctypes.c_char.from_buffer(array.data))
    return int(array.__array_interface__["data"][0])


def _words(arguments: Sequence[Any]) -> list[int]:
    """Return what compiled code is called with: addresses, sizes and numbers."""
    words: list[int] = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            words.append(_address(argument))
            words.append(argument.size)
        elif isinstance(argument, tuple):
            words.extend(map(int, argument))
        else:
            words.append(int(argument))
    return words


def _c_types(arguments: Sequence[Any]) -> list[Any]:
    types: list[Any] = []
    for argument in arguments:
        if isinstance(argument, np.ndarray):
            types += [ctypes.c_void_p, ctypes.c_int64]
        elif isinstance(argument, tuple):
            types += [ctypes.c_uint64] * len(argument)
        else:
            types.append(ctypes.c_uint64 if type(argument) is np.uint64 else ctypes.c_int64)
    return types


def cache_folder() -> Path | None:
    """Return where machine code is kept; ``None`` where the system names no place for it."""
    if named := os.environ.get(CACHE_VARIABLE):
        return Path(named)
    if numbas := os.environ.get(NUMBA_VARIABLE):
        return Path(numbas, "tictactoe-engine")
    with suppress(RuntimeError):
        if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
            return Path(local, "tictactoe-engine", "cache")
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        return Path(base, "tictactoe-engine")
    return None


def can_keep_code() -> bool:
    """Return whether machine code can be kept; where it cannot, that is logged, once a process."""
    folder = cache_folder()
    try:
        if folder is None:
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT))
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return True
    except OSError as error:
        _log_loss(folder, error.strerror)
        return False


@lru_cache(maxsize=16)
def _log_loss(folder: Path | None, reason: str) -> None:
    logging.getLogger("tic_tac_toe").warning(
        message(
            "compiled code cannot be kept in {folder}: {reason}; name another folder in the "
            "environment variable {variable}",
            folder=folder or "~/.cache",
            reason=reason,
            variable=CACHE_VARIABLE,
        )
    )


def fingerprint(sources: Iterable[Path]) -> str:
    """Return a digest of all that machine code depends on: source, versions and processor."""
    from importlib.metadata import version

    parts = [
        *(path.read_bytes() for path in sources),
        repr((version("numba"), llvmlite.__version__, np.__version__)).encode(),
        repr((sys.version_info[:2], platform.machine(), sys.platform)).encode(),
        llvm.get_host_cpu_name().encode(),
        llvm.get_host_cpu_features().flatten().encode(),
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:24]


@lru_cache(maxsize=16)
def _fingerprint_of(*folders: Path) -> str:
    return fingerprint(path for folder in folders for path in sorted(folder.rglob("*.py")))


def _cache_file(name: str, constant: tuple[Any, ...] | None, sources: Path | None) -> Path | None:
    folder = cache_folder()
    if folder is None:
        return None
    if constant is not None:
        words = ",".join(str(int(word)) for word in constant)
        name += f"-{hashlib.sha256(words.encode()).hexdigest()[:8]}"
    folders = (Path(__file__).parent, *([] if sources is None else [sources]))
    return folder / f"{name}-{_fingerprint_of(*folders)}.code"


def _save(path: Path, code: bytes, symbols: Sequence[str], name: str) -> None:
    """Keep machine code; if it cannot be written, it is compiled again next time."""
    header = {"name": name, "symbols": list(symbols), "digest": hashlib.sha256(code).hexdigest()}
    try:
        with atomic_write(path, mode=0o600) as file:
            file.write(json.dumps(header).encode() + b"\n" + code)
    except OSError as error:
        _log_loss(path.parent, error.strerror)


def _load(path: Path) -> tuple[int, object] | None:
    """Return the address of the code in a file, and what owns it; ``None`` if it is not whole."""
    try:
        with path.open("rb") as file:
            header = json.loads(file.readline(HEADER_BYTES))
            code = file.read()
        if hashlib.sha256(code).hexdigest() != header["digest"]:
            return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    engine = _new_engine()
    for symbol in header["symbols"]:
        if llvm.address_of_symbol(symbol) is None and not hasattr(ctypes.pythonapi, symbol):
            # Numba's run-time is for exceptions and allocation, and kernels do neither.
            llvm.add_symbol(symbol, _address_of_abort())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine.get_function_address(header["name"]), engine


def _new_engine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    machine = target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        jit=True,
    )
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


def _address_of_abort() -> int:
    return ctypes.cast(ctypes.pythonapi.Py_FatalError, ctypes.c_void_p).value or 0
