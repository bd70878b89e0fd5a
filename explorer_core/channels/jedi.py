"""Definitions of Python names according to jedi, run in a separate process.

jedi is slow and holds the interpreter lock, so it must not run in the server's process. It reads
the workspace's code but never runs it, so the user need not be asked whether they trust it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from explorer_core.channels.compiler import Compiler, CompilerError, CompilerPlace, CompilerWitness
from explorer_core.contracts import LineRange
from explorer_core.processes import kill_and_wait
from explorer_core.workspace import Workspace, WorkspaceError
from explorer_core.workspace.programs import NO_WINDOW

_WORKER = Path(__file__).with_name("jedi_worker.py")
_SUFFIXES = (".py", ".pyi")
_TIME_S = 30.0
"""Timeout in seconds. Generous: no answer waits for jedi, and a busy machine may run it slowly."""
_ANSWER_BYTES = 4_000_000


class Jedi(Compiler):
    """Asks jedi where names are defined. One worker process, started on first use.

    Questions are answered one at a time. A worker that does not answer within ``time_s``, or whose
    question is cancelled, is killed, and the next question starts a new one. Use it from one event
    loop only, and close it at the end.
    """

    name = "jedi"
    witness: CompilerWitness = "jedi"
    soft_deadline_s = 0.0

    def __init__(self, workspace: Workspace, *, time_s: float = _TIME_S) -> None:
        self._workspace = workspace
        self._time_s = time_s
        self._turn = asyncio.Lock()
        self._process: asyncio.subprocess.Process | None = None
        self._is_closed = False

    def covers(self, path: str) -> bool:
        return path.endswith(_SUFFIXES)

    async def definition(self, path: str, line: int, column: int) -> list[CompilerPlace]:
        try:
            source = await asyncio.to_thread(self._workspace.read, path)
        except WorkspaceError:
            return []
        if not 1 <= line <= len(source.lines) or not 0 <= column <= len(source.lines[line - 1]):
            return []
        request = {
            "root": str(self._root_of(source.path)),
            "path": str(self._workspace.absolute(source.path)),
            "text": source.text,
            "line": line,
            "column": column,
        }
        try:
            answer = await self._ask(json.dumps(request))
        except TimeoutError:
            raise CompilerError(f"jedi did not answer within {self._time_s:g} s.") from None
        except (OSError, ValueError) as error:
            raise CompilerError(f"jedi could not be asked: {error}.") from error
        if "error" in answer:
            raise CompilerError(f"jedi failed on {source.path!r} ({answer['error']}).")
        return await asyncio.to_thread(self._places, answer["found"])

    async def close(self) -> None:
        """Kill the worker process, if any; no new one is started from now on."""
        self._is_closed = True
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()  # whoever awaits its answer gets an error
        async with self._turn:
            await self._end()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            await kill_and_wait(process)

    async def _ask(self, request: str) -> dict[str, Any]:
        async with self._turn:
            answered = False
            try:
                async with asyncio.timeout(self._time_s):
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
                    await self._end()

    async def _worker(self) -> asyncio.subprocess.Process:
        if not self._is_closed and not self._is_running():
            await self._start()
        if self._is_closed or self._process is None:  # possibly closed during the start
            raise OSError("it was closed")
        return self._process

    def _is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def _start(self) -> None:
        # -P: otherwise the worker would import this module instead of the jedi package.
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            str(_WORKER),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_ANSWER_BYTES,
            creationflags=NO_WINDOW,
        )

    def _root_of(self, path: str) -> Path:
        file = self._workspace.absolute(path)
        roots = [root.path for root in self._workspace.roots if file.is_relative_to(root.path)]
        return max(roots, key=lambda root: len(root.parts))

    def _places(self, found: Iterable[dict[str, Any]]) -> list[CompilerPlace]:
        places: list[CompilerPlace] = []
        for each in found:
            try:
                path = self._workspace.relative(each["path"])
            except WorkspaceError:
                continue
            lines = LineRange(start=each["line"], end=each["line"])
            places.append(CompilerPlace(path, lines, each["name"]))
        return places
