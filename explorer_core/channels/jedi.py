"""Definitions of Python names according to jedi, which runs in a process of its own.

jedi is slow and holds the interpreter lock, so nothing here may run it in the server's process.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from explorer_core.channels.processes import end
from explorer_core.contracts import (
    ChannelResult,
    DefinitionFound,
    Diagnostic,
    LineRange,
    Site,
    SymbolInfo,
)
from explorer_core.workspace import SourceText, Workspace, WorkspaceError

_SOURCE = "jedi"
_WORKER = Path(__file__).with_name("jedi_worker.py")
_ANSWER_BYTES = 4_000_000
_SHOWN_LINES = 120
_NO_WINDOW = 0x08000000 if sys.platform == "win32" else 0


class JediDefinitions:
    """Asks jedi where names are defined; one worker process, started when first needed.

    Requests are answered one at a time. A worker that does not answer in time, or whose request is
    cancelled, is killed; the next request starts another. For one event loop; close it at the end.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None

    async def definitions(
        self, path: str, line: int, column: int, *, timeout_s: float = 5.0
    ) -> ChannelResult:
        """`DefinitionFound` for the name at a place, imports followed.

        ``line`` is 1-based, ``column`` is 0-based and counts code points. Definitions outside the
        workspace, or in files its ignore rules exclude, are left out.
        """
        try:
            source = await asyncio.to_thread(self._workspace.read, path)
        except WorkspaceError as error:
            return _trouble(str(error))
        if not 1 <= line <= len(source.lines) or not 0 <= column <= len(source.lines[line - 1]):
            return _trouble(f"{source.path!r} has no line {line} with a column {column}.")
        request = {
            "root": str(self._root_of(source.path)),
            "path": str(self._workspace.absolute(source.path)),
            "text": source.text,
            "line": line,
            "column": column,
        }
        try:
            async with asyncio.timeout(timeout_s):
                answer = await self._ask(json.dumps(request))
        except TimeoutError:
            return _trouble(f"jedi did not answer within {timeout_s:g} s.")
        except (OSError, ValueError) as error:
            return _trouble(f"jedi could not be asked: {error}.")
        if "error" in answer:
            return _trouble(f"jedi failed on {source.path!r} ({answer['error']}).")
        origin = Site(path=source.path, line=line)
        return await asyncio.to_thread(self._observations, origin, answer["found"])

    async def close(self) -> None:
        """End the worker process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            await end(process)

    async def _ask(self, request: str) -> dict[str, Any]:
        async with self._lock:
            answered = False
            try:
                process = await self._worker()
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(request.encode("utf-8", "replace") + b"\n")
                await process.stdin.drain()
                line = await process.stdout.readline()
                if not line:
                    raise OSError("its process ended")
                answer = json.loads(line)
                answered = True
                return answer
            finally:
                if not answered:
                    await self.close()

    async def _worker(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            # -P: the worker's folder has a module named jedi, which is not the one it wants.
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                str(_WORKER),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_ANSWER_BYTES,
                creationflags=_NO_WINDOW,
            )
        return self._process

    def _root_of(self, path: str) -> Path:
        file = self._workspace.absolute(path)
        roots = [root.path for root in self._workspace.roots if file.is_relative_to(root.path)]
        return max(roots, key=lambda root: len(root.parts))

    def _observations(self, origin: Site, found: list[dict[str, Any]]) -> ChannelResult:
        listed = {entry.path for entry in self._workspace.files()}
        observations: list[DefinitionFound] = []
        for definition in found:
            try:
                source = self._workspace.read(definition["path"])
            except WorkspaceError:
                continue
            if source.path in listed:
                observations.append(_observation(origin, source, definition))
        return ChannelResult(observations=tuple(observations))


def _observation(origin: Site, source: SourceText, found: dict[str, Any]) -> DefinitionFound:
    total = max(1, len(source.lines))
    start, end = min(found["start"], total), min(found["end"], total)
    return DefinitionFound(
        channel="jedi",
        origin=origin,
        path=source.path,
        range=LineRange(start=start, end=end),
        symbol=SymbolInfo(
            name=found["name"],
            qualified_name=found["qualified_name"],
            kind=found["kind"],
            line=min(found["line"], total),
        ),
        segment=source.segment(start, min(end, start + _SHOWN_LINES - 1)),
        provider="jedi",
    )


def _trouble(message: str) -> ChannelResult:
    return ChannelResult(diagnostics=(Diagnostic(source=_SOURCE, message=message),))
