"""Runs a program, and ends it when the process that started it has ended: a script.

``keeper.py DESCRIPTOR PROGRAM ARGUMENT...``: the program has the standard streams of this process.
End of file at the descriptor says that the process at its other end has ended, perhaps by a crash:
then the program has a second to end before its process group is killed.
"""

import os
import select
import signal
import sys
import threading
import time

#: Seconds that a program has to end by itself.
PATIENCE = 1.0
#: The status of a program that cannot be executed, as in a shell.
CANNOT_EXECUTE = 126


def _main() -> None:
    lifeline, command = int(sys.argv[1]), sys.argv[2:]
    child = os.fork()
    if not child:
        os.close(lifeline)
        try:
            os.execvp(command[0], command)
        finally:
            os._exit(CANNOT_EXECUTE)
    for stream in (0, 1):  # else the program's standard streams would never end
        os.close(stream)
    threading.Thread(target=_watch, args=[lifeline], daemon=True).start()
    _, status = os.waitpid(child, 0)
    if select.select([lifeline], [], [], 0)[0]:  # the program may have left processes behind
        _watch(lifeline)
    os._exit(os.waitstatus_to_exitcode(status) & 255)


def _watch(lifeline: int) -> None:
    os.read(lifeline, 1)
    time.sleep(PATIENCE)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    _main()
