"""QR codes, by a JavaScript library that the page loads for the first code."""

from __future__ import annotations

from typing import Any

import js
from pyodide.code import run_js

from .dom import options, window

#: The library's path in the page.
LIBRARY = "uqr.mjs"
#: The empty modules around a code: ISO 18004 requires four.
QUIET_ZONE = 4


async def draw_code(text: str) -> str:
    """Return the QR code of a text as SVG; empty if the text is too long for one."""
    library: Any = await run_js("address => import(address)")(
        js.URL.new(LIBRARY, window.location.href).href
    )
    try:
        return str(library.renderSVG(text, options(border=QUIET_ZONE, ecc="M")))
    except Exception:  # the library's error for a text that is too long
        return ""
