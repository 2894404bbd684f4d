"""The compiled engine for lines on large boards: gomoku, exact five, Caro and Renju."""
