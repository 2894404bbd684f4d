"""The protocol between gomoku programs and the managers of their games, without pipes or clocks.

It is the second protocol of Petr Laštovička, which the Gomocup tournament uses. A *manager* runs
the game and asks; a *brain* is a program that answers with moves. Each command is a line: the
manager ends it with CR LF, a brain with CR LF, LF or CR. A cell is ``x,y``, column and row counted
from 0.

`brain` is the brain's side: lines in, answers and requests to think out. `manager` is the manager's
side: what to send in a game, and what the answers mean.
"""
