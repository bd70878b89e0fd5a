"""Runs ripgrep, or the stand-in for it, over a given list of files."""

from __future__ import annotations

import asyncio
import base64
import os
import sys
import sysconfig
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import msgspec

from explorer_core.channels.text_search import pygrep
from explorer_core.processes import kill_and_wait
from explorer_core.workspace.programs import NO_WINDOW, find_program, is_outside

_NAME = "rg.exe" if sys.platform == "win32" else "rg"
_ARGUMENT_CHARS = 28_000 if sys.platform == "win32" else 400_000
"""Limit for one command line: Windows allows 32,767 characters, macOS 1 MB with environment."""

_MESSAGE_BYTES = 40_000
"""The text of longer messages, that is of longer lines, is discarded."""


@lru_cache(maxsize=8)
def find_ripgrep(*roots: Path) -> str | None:
    """The ``rg`` installed beside this Python, on PATH, or bundled with VS Code; else None. The
    latter two are not used if they lie inside ``roots``, the folders to be searched."""
    beside = (Path(sysconfig.get_path("scripts")), Path(sys.executable).parent)
    for folder in beside:
        if os.access(folder / _NAME, os.X_OK):
            return str(folder / _NAME)
    bundled = (str(each) for each in _bundled_with_vscode() if is_outside(each, roots))
    return find_program("rg", roots) or next(bundled, None)


def _bundled_with_vscode() -> Iterator[Path]:
    home = Path.home()
    # On other systems a path starting with a drive would be relative to the working folder.
    of_windows = (Path("C:/Program Files/Microsoft VS Code"),) if sys.platform == "win32" else ()
    applications = (
        Path("/usr/share/code"),
        Path("/usr/share/codium"),
        Path("/snap/code/current/usr/share/code"),
        Path("/Applications/Visual Studio Code.app/Contents"),
        home / "Applications/Visual Studio Code.app/Contents",
        home / "AppData/Local/Programs/Microsoft VS Code",
        *of_windows,
    )
    servers = (home / ".vscode-server", home / ".vscode-server-insiders")
    for module in ("node_modules", "node_modules.asar.unpacked"):
        below = f"{module}/@vscode/ripgrep/bin/{_NAME}"
        for application in applications:
            for base in ("resources/app", "Resources/app", "*/resources/app"):
                yield from _glob(application, f"{base}/{below}")
        for server in servers:
            yield from _glob(server, f"bin/*/{below}")
            yield from _glob(server, f"cli/servers/*/server/{below}")


def _glob(folder: Path, pattern: str) -> list[Path]:
    with suppress(OSError):
        return sorted(folder.glob(pattern))
    return []


@dataclass(frozen=True, slots=True)
class Expression:
    """What to search for, and the ``program`` to use; None means the stand-in. A line matches if
    any of the ``patterns`` does."""

    patterns: tuple[str, ...]
    regex: bool
    ignore_case: bool
    program: str | None

    def command(self) -> list[str]:
        stand_in = [sys.executable, "-I", str(pygrep.__file__)]
        command = [self.program] if self.program else stand_in
        command += ["--json", "--no-config", "--no-messages", "--crlf"]
        command.append("--ignore-case" if self.ignore_case else "--case-sensitive")
        if not self.regex:
            command.append("--fixed-strings")
        return command + [f"--regexp={pattern}" for pattern in self.patterns]


@dataclass(frozen=True, slots=True)
class Hit:
    """A matching line. ``text`` is None if it is too long to be shown; ``matched`` are the matching
    parts."""

    path: str
    line: int
    text: str | None
    matched: tuple[str, ...]


class _Text(msgspec.Struct):
    text: str | None = None
    bytes: str | None = None

    def decoded(self) -> str:
        if self.text is not None:
            return self.text
        return base64.b64decode(self.bytes or "").decode("latin-1")


class _Submatch(msgspec.Struct):
    match: _Text


class _Match(msgspec.Struct):
    path: _Text
    lines: _Text
    line_number: int
    submatches: list[_Submatch]


class _Message(msgspec.Struct):
    data: _Match


_MATCH_HEAD = b'{"type":"match"'
_END_HEAD = b'{"type":"end"'
_TEXT_END = b'"binary_offset":null'
_message_decoder = msgspec.json.Decoder(_Message)


async def start(
    command: Sequence[str],
    folder: Path | None,
    *,
    stdin: int = asyncio.subprocess.DEVNULL,
    stdout: int = asyncio.subprocess.PIPE,
) -> asyncio.subprocess.Process:
    """Start a search program in a folder, ignoring its standard error. Raises OSError."""
    return await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        stdin=stdin,
        stdout=stdout,
        stderr=asyncio.subprocess.DEVNULL,
        creationflags=NO_WINDOW,
    )


async def compiles(expression: Expression) -> bool:
    """Whether the search program accepts the patterns."""
    process = await start([*expression.command(), "-"], None, stdout=asyncio.subprocess.DEVNULL)
    try:
        return await process.wait() != 2
    finally:
        await kill_and_wait(process)


async def search_files(
    expression: Expression,
    folder: Path,
    paths: Sequence[str],
    *,
    max_count: int,
    in_order: bool = False,
) -> AsyncGenerator[list[Hit], None]:
    """Batches of hits in files named relative to ``folder``; at most ``max_count`` lines per file.

    ``in_order`` keeps the order of ``paths``, at the price of using one core. Files are passed by
    name instead of letting the program walk folders: the workspace alone decides what may be
    searched. Closing the iterator or cancelling kills the program.
    """
    for some in chunks(paths):
        command = [*expression.command(), f"--max-count={max_count}"]
        command += ["--threads=1"] if in_order else []
        command += ["--", *some]
        async with aclosing(_run(command, folder, None)) as batches:
            async for batch in batches:
                yield batch


async def search_text(expression: Expression, text: str) -> AsyncGenerator[list[Hit], None]:
    """Batches of hits in ``text``; their paths are meaningless."""
    data = text.encode("utf-8", "replace")
    async with aclosing(_run([*expression.command(), "-"], None, data)) as batches:
        async for batch in batches:
            yield batch


def chunks(paths: Iterable[str]) -> Iterator[list[str]]:
    """The paths in as few lists as fit on command lines, prefixed so that none is an option."""
    chunk: list[str] = []
    size = 0
    for path in paths:
        if size > _ARGUMENT_CHARS:
            yield chunk
            chunk, size = [], 0
        chunk.append(f"./{path}")
        size += len(path.encode()) + 16
    if chunk:
        yield chunk


async def _run(
    command: list[str], folder: Path | None, stdin: bytes | None
) -> AsyncGenerator[list[Hit], None]:
    stdin_mode = asyncio.subprocess.DEVNULL if stdin is None else asyncio.subprocess.PIPE
    process = await start(command, folder, stdin=stdin_mode)
    feeding = asyncio.create_task(_feed(process, stdin))
    try:
        assert process.stdout is not None
        pending = b""
        of_file: list[Hit] = []
        while block := await process.stdout.read(1 << 16):
            *complete, pending = (pending + block).split(b"\n")
            found: list[Hit] = []
            for line in complete:
                if line.startswith(_MATCH_HEAD):
                    of_file.append(_hit(line))
                elif line.startswith(_END_HEAD):
                    # A file is known to be binary only at its end.
                    found += of_file if _TEXT_END in line else ()
                    of_file = []
            yield found
        await process.wait()
    finally:
        feeding.cancel()
        await kill_and_wait(process)


async def _feed(process: asyncio.subprocess.Process, data: bytes | None) -> None:
    if process.stdin is not None and data is not None:
        with suppress(OSError):
            process.stdin.write(data)
            await process.stdin.drain()
        process.stdin.close()


def _hit(line: bytes) -> Hit:
    match = _message_decoder.decode(line).data
    path = match.path.decoded().replace(os.sep, "/").removeprefix("./")
    if len(line) > _MESSAGE_BYTES:
        return Hit(path, match.line_number, None, ())
    text = match.lines.decoded().removesuffix("\n").removesuffix("\r").removeprefix("\ufeff")
    matched = tuple(submatch.match.decoded() for submatch in match.submatches)
    return Hit(path, match.line_number, text, matched)
