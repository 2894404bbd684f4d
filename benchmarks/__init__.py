"""Speed of the library, measured beside other software: ``python -m benchmarks``.

One module a group of figures: `processes` has what a fresh interpreter pays, `solving` 4x4 four in
a row, `best_moves` and `tables` the solved 3x3 game, `random_games` play from move to move,
`solver` the fast solver, with positions from `connect_four`, `browser` the page, with `visits`,
`wire` and `bare_pages`. The peers are easyAI, OpenSpiel and bitbully.
`measurement` takes the samples, `report` makes the table, `peers` wraps the other software.

Nothing here is a test: a figure that misses its goal is said to miss it, and that is all.
"""
