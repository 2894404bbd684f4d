"""CPU time of several contestants at the same work, by turns, so that a busy moment hits all alike.

Units: seconds of CPU time (user and system) and megabytes of 10**6 bytes.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import statistics
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import process_time
from typing import Any, NamedTuple


class Unavailable(Exception):
    """A contestant cannot take part; the message says why, in a few words."""


class Effort(NamedTuple):
    """How much is measured.

    Attributes:
        rounds: how often each contestant has its turn.
        seconds: CPU time that a turn takes at least, where work can be repeated.
        board: the game that is solved from its empty board, by its name in the catalogue.
        slow: whether contestants that need minutes take part as well.
        positions: how many of each set the fast solver and its peer solve.
    """

    rounds: int = 9
    seconds: float = 0.1
    board: str = "4x4"
    slow: bool = False
    positions: int = 1000


class Sample(NamedTuple):
    """What one turn has cost: CPU time and nodes for each unit of work, and the peak memory.

    Where memory or nodes are not known they are zero.
    """

    seconds: float
    megabytes: float = 0.0
    nodes: float = 0.0


Sampler = Callable[[], Sample]


class Contestant(NamedTuple):
    """A way to do the work.

    Attributes:
        name: what the table calls it.
        prepare: sets everything up and returns what takes a sample; raises `Unavailable`.
        once: whether one turn has to do, for it is very long.
    """

    name: str
    prepare: Callable[[], Sampler]
    once: bool = False


@dataclass
class Runs:
    """The samples of each contestant by round, and why others have none."""

    samples: dict[str, list[Sample]] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)

    def above(self, floor: str) -> Runs:
        """Return these runs less, round by round, the CPU time of one of the contestants."""
        base = [sample.seconds for sample in self.samples.get(floor, [])]
        rest = {name: samples for name, samples in self.samples.items() if name != floor}
        above = {
            name: [own._replace(seconds=own.seconds - bare) for own, bare in zip(samples, base)]
            for name, samples in rest.items()
        }
        return Runs(above, self.absent)

    def joined(self, parts: int) -> Runs:
        """Return these runs with one round for every ``parts`` rounds: their mean."""

        def mean(samples: Sequence[Sample]) -> Sample:
            return Sample(*(statistics.fmean(column) for column in zip(*samples)))

        joined = {
            name: [mean(samples[at : at + parts]) for at in range(0, len(samples), parts)]
            for name, samples in self.samples.items()
        }
        return Runs(joined, self.absent)

    def only(self, names: Collection[str]) -> Runs:
        """Return the runs of some contestants."""
        return Runs(
            {name: samples for name, samples in self.samples.items() if name in names},
            {name: reason for name, reason in self.absent.items() if name in names},
        )


def alternate(contestants: Sequence[Contestant], rounds: int) -> Runs:
    """Return samples taken by turns: A B A B, never A A B B."""
    runs = Runs()
    ready = [(each, sampler) for each in contestants if (sampler := _prepare(each, runs))]
    for number in range(rounds):
        for contestant, sampler in ready:
            if number == 0 or not contestant.once:
                runs.samples[contestant.name].append(sampler())
    return runs


def alternate_all(preparations: Mapping[str, Callable[[float], Sampler]], effort: Effort) -> Runs:
    """Return samples of the contestants by their names; each is prepared for a turn's seconds."""
    contestants = [
        Contestant(name, partial(prepare, effort.seconds)) for name, prepare in preparations.items()
    ]
    return alternate(contestants, effort.rounds)


def _prepare(contestant: Contestant, runs: Runs) -> Sampler | None:
    try:
        sampler = contestant.prepare()
    except Unavailable as reason:
        runs.absent[contestant.name] = str(reason)
        return None
    runs.samples[contestant.name] = []
    return sampler


def repeated(
    work: Callable[[], int],
    seconds: float,
    *,
    between: Callable[[], object] | None = None,
    clock: Callable[[], float] = process_time,
) -> Sampler:
    """Return a sampler that repeats some work until about ``seconds`` of CPU time have passed.

    The number of repetitions is found here, once, which warms everything up as well. The garbage
    collector rests meanwhile, as `timeit` has it: what a collection costs depends on all else that
    the process holds, and whether one falls into a turn on chance.

    Args:
        work: does its work and returns how many units that was.
        between: is called before each repetition, and its time is not counted.
        clock: tells the CPU time.
    """

    def sample(repetitions: int) -> tuple[float, int]:
        spent, units = 0.0, 0
        gc.collect()
        gc.disable()
        try:
            for _ in range(repetitions):
                if between is not None:
                    between()
                start = clock()
                units += work()
                spent += clock() - start
        finally:
            gc.enable()
        return spent, units

    repetitions = 1
    while sample(repetitions)[0] < seconds:
        repetitions *= 2

    def take() -> Sample:
        spent, units = sample(repetitions)
        return Sample(spent / units)

    return take


def median_ratio(samples: Sequence[Sample], reference: Sequence[Sample]) -> float:
    """Return how many times as fast as the reference something is: the median over the rounds."""
    # A turn too short for the clock counts as its smallest step.
    step = 1e-9
    return statistics.median(
        max(other.seconds, step) / max(own.seconds, step) for own, other in zip(samples, reference)
    )


def require(package: str) -> None:
    """Raise `Unavailable` unless a package is installed."""
    if importlib.util.find_spec(package) is None:
        raise Unavailable("not installed")


def load(module: str) -> Any:
    """Return a module that need not be installed, and that type checkers know nothing about.

    Raises:
        Unavailable: it is not installed, or the installed version does not have it.
    """
    require(module.partition(".")[0])
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise Unavailable(f"lacks {error.name}") from error
