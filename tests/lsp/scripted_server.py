"""The language server with an explorer that does what the question says, for tests of the face."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable

import explorer_core.explorer
from explorer_core.contracts import ExploreRequest, Report
from explorer_core.events import Event
from explorer_core.explorer import ExploreError, Explorer

HOLD_FILE, HOLDING_MESSAGE = "hold.txt", "Holding the answer back"


class ScriptedExplorer(Explorer):
    """The question ``wait`` runs until cancelled, ``refuse`` is a user's error, ``break`` a bug.

    Answers are held back while the folder has a file ``HOLD_FILE``.
    """

    async def explore(
        self,
        request: ExploreRequest,
        *,
        on_event: Callable[[Event], None] | None = None,
        explain_ranking: bool = False,
        transcript: object = None,
    ) -> Report:
        assert on_event is not None
        if request.query == "wait":
            try:
                while True:
                    on_event(Event("retrieve", "Reading files", 0.25, None))
                    await asyncio.sleep(0.01)
            finally:
                print("wound down", file=sys.stderr, flush=True)
        if request.query == "refuse":
            raise ExploreError("The scope matches no file; widen it.")
        if request.query == "break":
            raise ZeroDivisionError("on purpose")
        print("a stray print on standard output", flush=True)
        report = await super().explore(request, on_event=on_event, explain_ranking=explain_ranking)
        while (self.workspace.roots[0].path / HOLD_FILE).exists():
            on_event(Event("judge", HOLDING_MESSAGE, 0.9, None))
            await asyncio.sleep(0.01)
        return report


if __name__ == "__main__":
    explorer_core.explorer.Explorer = ScriptedExplorer  # type: ignore[misc]
    from lsp_server.cli import main

    main()
