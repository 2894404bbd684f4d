"""The stylesheet of pictures: what each class of the parts that `svg` draws looks like."""

from __future__ import annotations

#: The colours on a light page and on a dark one, as variables that a page may set on `.ttt`.
LIGHT = """\
--ttt-paper: #ffffff; --ttt-ink: #24292f; --ttt-line: #7d8590; --ttt-x: #0a58ca;
  --ttt-o: #ac4009; --ttt-strike: #24292f; --ttt-lit: #fff3bf; --ttt-last: #e0e5ea;
  --ttt-win: #176f30; --ttt-draw: #6e5a00; --ttt-loss: #c0222c;
  --ttt-win-wash: #d5f2dc; --ttt-draw-wash: #f6ecc3; --ttt-loss-wash: #fbdcdc"""
DARK = """\
--ttt-paper: #1c2128; --ttt-ink: #e6edf3; --ttt-line: #8b949e; --ttt-x: #79b8ff;
  --ttt-o: #ffab70; --ttt-strike: #e6edf3; --ttt-lit: #4a3d10; --ttt-last: #3a424d;
  --ttt-win: #7ee2a0; --ttt-draw: #e8d27a; --ttt-loss: #ffa8a8;
  --ttt-win-wash: #17391f; --ttt-draw-wash: #3a3312; --ttt-loss-wash: #472225"""
#: The colours of discs and stones and of their boards, the same on light and dark pages.
PIECES = """\
--ttt-panel: #2f6bd0; --ttt-well: #0b1730;
  --ttt-disc-x: #ff6a5e; --ttt-disc-x-relief: #7d0f0b;
  --ttt-disc-o: #ffd23f; --ttt-disc-o-relief: #6b4c00;
  --ttt-disc-sign: #ffffff; --ttt-disc-edge: #0b1730;
  --ttt-wood: #d9b06c; --ttt-wood-line: #5e4018; --ttt-stone-x: #16181c; --ttt-stone-o: #fdfdfb;
  --ttt-stone-edge: #26292e; --ttt-stone-x-sign: #ff9d7a; --ttt-stone-o-sign: #b3261e;
  --ttt-stone-best: #0b4a1e; --ttt-stone-strike: #b3141f; --ttt-stone-strike-edge: #ffffff"""

#: What the classes of the parts of a picture mean, without the colours of a page.
CLASSES = (
    f".ttt {{ {PIECES} }}\n"
    + """\
.ttt-paper { fill: var(--ttt-paper) }
.ttt-grid { stroke: var(--ttt-line); stroke-width: 1.5; stroke-linecap: round; fill: none }
.ttt-frame { stroke: var(--ttt-line); stroke-width: 3; fill: none }
.ttt-lit { fill: var(--ttt-lit) }
.ttt-last { fill: var(--ttt-last) }
.ttt-x, .ttt-o { fill: none; stroke-width: 4.5; stroke-linecap: round }
.ttt-x { stroke: var(--ttt-x) }
.ttt-o { stroke: var(--ttt-o) }
.ttt-owner, .ttt-leaving { opacity: 0.35 }
.ttt-owner * { stroke-width: 11 }
.ttt-strike { stroke: var(--ttt-strike); stroke-width: 5; stroke-linecap: round; opacity: 0.85 }
.ttt-best { fill: none; stroke: var(--ttt-win); stroke-width: 2.5; stroke-dasharray: 3 3.5 }
.ttt-wash-win { fill: var(--ttt-win-wash) }
.ttt-wash-draw { fill: var(--ttt-draw-wash) }
.ttt-wash-loss { fill: var(--ttt-loss-wash) }
.ttt-wash-open { fill: var(--ttt-last) }
.ttt-well { fill: var(--ttt-well) }
.ttt-panel { fill: var(--ttt-panel); fill-rule: evenodd }
.ttt-disc-x { fill: var(--ttt-disc-x); stroke: var(--ttt-disc-x-relief) }
.ttt-disc-o { fill: var(--ttt-disc-o); stroke: var(--ttt-disc-o-relief) }
.ttt-relief { fill: none; stroke-width: 3; stroke-linecap: round }
.ttt-discs .ttt-lit, .ttt-discs .ttt-last { fill: none; stroke: var(--ttt-disc-sign) }
.ttt-discs .ttt-lit, .ttt-stones .ttt-lit { stroke-width: 4 }
.ttt-discs .ttt-last { stroke-width: 2.5 }
.ttt-discs .ttt-best { stroke: var(--ttt-disc-sign); stroke-width: 3 }
.ttt-discs .ttt-strike { stroke: var(--ttt-disc-sign); opacity: 1 }
.ttt-discs .ttt-strike-edge { stroke: var(--ttt-disc-edge) }
.ttt-strike-edge { stroke-width: 9; stroke-linecap: round }
.ttt-wood { fill: var(--ttt-wood) }
.ttt-stones .ttt-grid { stroke: var(--ttt-wood-line); stroke-linecap: square }
.ttt-star { fill: var(--ttt-wood-line) }
.ttt-stone-x { fill: var(--ttt-stone-x); stroke: var(--ttt-stone-edge) }
.ttt-stone-o { fill: var(--ttt-stone-o); stroke: var(--ttt-stone-edge); stroke-width: 1.5 }
.ttt-stones .ttt-last { fill: var(--ttt-stone-x-sign) }
.ttt-stones .ttt-last-o { fill: var(--ttt-stone-o-sign) }
.ttt-stones .ttt-lit { fill: none; stroke: var(--ttt-stone-x-sign) }
.ttt-stones .ttt-lit-o { stroke: var(--ttt-stone-o-sign) }
.ttt-stones .ttt-best { stroke: var(--ttt-stone-best); stroke-width: 3 }
.ttt-stones .ttt-strike { stroke: var(--ttt-stone-strike); opacity: 1 }
.ttt-stones .ttt-strike-edge { stroke: var(--ttt-stone-strike-edge) }
.ttt text { font: 14px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
  text-anchor: middle; dominant-baseline: central; fill: var(--ttt-ink) }
.ttt .ttt-value { font-weight: 600 }
.ttt .ttt-half { font-size: 11px }
.ttt .ttt-value-win { fill: var(--ttt-win) }
.ttt .ttt-value-draw { fill: var(--ttt-draw) }
.ttt .ttt-value-loss { fill: var(--ttt-loss) }"""
)
#: What pictures look like, light or dark as the reader's system is.
STYLE = f"""\
.ttt {{ {LIGHT} }}
@media (prefers-color-scheme: dark) {{
  .ttt {{ {DARK} }}
}}
{CLASSES}"""
