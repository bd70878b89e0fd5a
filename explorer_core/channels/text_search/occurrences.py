"""Counts words per file: the cheapest look at a workspace that is not indexed yet."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from explorer_core.channels.text_search.ripgrep import chunks, find_ripgrep, start
from explorer_core.processes import kill_and_wait
from explorer_core.workspace import FileEntry, Workspace, WorkspaceError
from explorer_core.workspace.roots import by_root

_OPTIONS = (
    "--no-config", "--no-messages", "--only-matching", "--no-line-number", "--heading",
    "--with-filename", "--null", "--ignore-case", "--fixed-strings",
)  # fmt: skip
_BLOCK = 1 << 18

Occurrences = dict[str, dict[str, int]]
"""By path, the number of occurrences of each word, ignoring case and including longer words."""


async def occurrences(
    workspace: Workspace, entries: Sequence[FileEntry], words: Iterable[str], *, timeout_s: float
) -> Occurrences:
    """Search saved files for lower-case ``words``; on a timeout, what was found so far."""
    # Longer words first: of several that match at one position, the program reports the first.
    ordered = sorted(words, key=lambda word: (-len(word), word))
    if not ordered:
        return {}
    deadline = time.monotonic() + timeout_s
    program = find_ripgrep(*(root.path for root in workspace.roots))
    if program is not None:
        paths = [entry.path for entry in entries]
        with suppress(OSError):  # the program does not run on this machine
            found = await _found_by(program, workspace, paths, ordered, deadline)
            return await asyncio.to_thread(_count_words, found, ordered)
    return await asyncio.to_thread(_search_here, workspace, entries, ordered, deadline)


async def _found_by(
    program: str, workspace: Workspace, paths: Sequence[str], words: Sequence[str], deadline: float
) -> list[tuple[str, list[str]]]:
    """The matches in each file. Raises OSError if the program cannot be started."""
    command = [program, *_OPTIONS, *(f"--regexp={word}" for word in words), "--"]
    found: list[tuple[str, list[str]]] = []
    for root, prefix, below in by_root(paths, workspace.roots):
        for some in chunks(below):
            printed = await _printed([*command, *some], root.path, deadline)
            found += await asyncio.to_thread(_by_file, printed, prefix)
    return found


def _by_file(printed: bytes, prefix: str) -> list[tuple[str, list[str]]]:
    """The matches per file. Each block is a path, a NUL, and one match per line; blocks are
    separated by an empty line."""
    found: list[tuple[str, list[str]]] = []
    for block in printed.split(b"\n\n"):
        path, separator, matches = block.partition(b"\0")
        if separator:
            name = path.decode("utf-8", "surrogateescape").replace("\\", "/").removeprefix("./")
            found.append((prefix + name, matches.decode("utf-8", "replace").lower().split("\n")))
    return found


def _count_words(found: Iterable[tuple[str, list[str]]], words: Sequence[str]) -> Occurrences:
    inside: dict[str, list[str]] = {}
    by_path: Occurrences = {}
    for path, matches in found:
        counts: dict[str, int] = {}
        for match, times in Counter(matches).items():
            if match not in inside:
                inside[match] = [word for word in words if word in match]
            for word in inside[match]:
                counts[word] = counts.get(word, 0) + times
        if counts:
            by_path[path] = counts
    return by_path


async def _printed(command: list[str], folder: Path, deadline: float) -> bytes:
    process = await start(command, folder)
    blocks: list[bytes] = []
    try:
        assert process.stdout is not None
        with suppress(TimeoutError):
            async with asyncio.timeout(deadline - time.monotonic()):
                while block := await process.stdout.read(_BLOCK):
                    blocks.append(block)
                await process.wait()
    finally:
        await kill_and_wait(process)
    return b"".join(blocks)


def _search_here(
    workspace: Workspace, entries: Sequence[FileEntry], words: Sequence[str], deadline: float
) -> Occurrences:
    """The same search without the program."""
    pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)

    def matches() -> Iterator[tuple[str, list[str]]]:
        for entry in entries:
            if time.monotonic() > deadline:
                return
            with suppress(WorkspaceError):
                text = workspace.read_listed(entry).text
                yield entry.path, [match.lower() for match in pattern.findall(text)]

    return _count_words(matches(), words)
