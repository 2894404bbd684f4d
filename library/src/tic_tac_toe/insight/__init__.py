"""Why a move is good: facts, explanations, puzzles."""

from __future__ import annotations
