"""Following one thought of a computer player, and ending it early."""

from __future__ import annotations

from collections.abc import Callable

from tic_tac_toe.limits import Progress


class Watch:
    """What is known of a thought that goes on, perhaps in another thread.

    A query carries it, and leaves it behind where it is sent as text: it arrives with a new one.

    Attributes:
        progress: how far the thought has come, ``None`` before it has told anything.
        stopped: whether it has been told to end.
        heard: called with each progress, in the thread that thinks.
        ended: called when it is told to end, in the thread of the screen.
    """

    def __init__(self) -> None:
        self.progress: Progress | None = None
        self.stopped = False
        self.heard: Callable[[Progress], object] = lambda _progress: None
        self.ended: Callable[[], object] = lambda: None

    def __reduce__(self) -> tuple[type[Watch], tuple[()]]:
        return Watch, ()

    def tell(self, progress: Progress) -> None:
        """Note how far the thought has come; a share that was reached is kept."""
        before = 0.0 if self.progress is None else self.progress.share
        self.progress = progress._replace(share=max(before, progress.share))
        self.heard(self.progress)

    def stop(self) -> None:
        """End the thought: the computer makes the move that looks best so far."""
        if not self.stopped:
            self.stopped = True
            self.ended()

    def is_stopped(self) -> bool:
        """Return whether the thought is to end."""
        return self.stopped
