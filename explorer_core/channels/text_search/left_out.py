"""Where quoted text stands in files that the index leaves to text search."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import aclosing, suppress

from explorer_core.channels.text_search import ripgrep
from explorer_core.channels.text_search.ripgrep import Expression
from explorer_core.contracts import GrepMatch
from explorer_core.workspace import Reading, Workspace
from explorer_core.workspace.roots import by_root

_TIME_S = 0.5
_PER_FILE, _MOST = 2, 12
"""Matches that are taken of a file, and of all files."""
_AROUND = 3
"""Lines above and below a match that are shown with it."""
_LONGEST_LINE = 2_000


async def matches_in(
    workspace: Workspace, files: Reading, paths: Sequence[str], patterns: Sequence[str]
) -> list[GrepMatch]:
    """The lines of some saved files that match one of some patterns, whatever their case, by path:
    what was found when the time was up, nothing where the search program does not run."""
    found: list[tuple[str, int]] = []
    with suppress(TimeoutError, OSError):
        async with asyncio.timeout(_TIME_S):
            await _collect(workspace, paths, patterns, found)
    whole = re.compile("|".join(patterns), re.IGNORECASE)
    matches: list[GrepMatch] = []
    for path, line in sorted(found):
        source = files.source(path)
        if source is None or line > len(source.lines) or not whole.search(source.lines[line - 1]):
            continue  # it has changed meanwhile
        first, last = max(1, line - _AROUND), min(len(source.lines), line + _AROUND)
        segment = source.segment(first, last)
        if max(map(len, segment.lines)) <= _LONGEST_LINE:
            matches.append(GrepMatch(segment=segment, line=line, terms=()))
    return matches[:_MOST]


async def _collect(
    workspace: Workspace,
    paths: Sequence[str],
    patterns: Sequence[str],
    found: list[tuple[str, int]],
) -> None:
    program = ripgrep.find_ripgrep(*(root.path for root in workspace.roots))
    expression = Expression(tuple(patterns), regex=True, ignore_case=True, program=program)
    for root, prefix, below in by_root(paths, workspace.roots):
        hits = ripgrep.search_files(expression, root.path, below, max_count=_PER_FILE)
        async with aclosing(hits) as batches:
            async for batch in batches:
                found += [(prefix + hit.path, hit.line) for hit in batch]
