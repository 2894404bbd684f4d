"""QR codes, drawn by a library that the page loads when the first one is asked for."""

from __future__ import annotations

from typing import Any

import js
from pyodide.code import run_js

from .dom import options, window

#: The library, as the build puts it into the page.
LIBRARY = "uqr.mjs"
#: The empty modules around a code: the standard wants four at least.
QUIET_ZONE = 4


async def draw_code(text: str) -> str:
    """Return the QR code of a text as SVG; empty if the text is too long for one."""
    library: Any = await run_js("address => import(address)")(
        js.URL.new(LIBRARY, window.location.href).href
    )
    try:
        return str(library.renderSVG(text, options(border=QUIET_ZONE, ecc="M")))
    except Exception:  # whatever it throws for a text that no code can hold
        return ""
