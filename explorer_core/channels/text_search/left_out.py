"""Finds quoted text in files that are not indexed but left to text search."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import aclosing, suppress

from explorer_core.channels.text_search import ripgrep
from explorer_core.channels.text_search.ripgrep import Expression
from explorer_core.contracts import GrepMatch
from explorer_core.workspace import CachingReader, Workspace
from explorer_core.workspace.roots import by_root

_TIME_S = 0.5
_PER_FILE, _MOST = 2, 12
"""Maximum number of matches per file and in total."""
_AROUND = 3
"""Lines of context above and below a match."""
_LONGEST_LINE = 2_000


async def matches_in(
    workspace: Workspace, files: CachingReader, paths: Sequence[str], patterns: Sequence[str]
) -> list[GrepMatch]:
    """The lines of saved files that match any of the patterns, ignoring case, sorted by path.

    On a timeout the matches found so far are returned; if the search program does not run, none."""
    found: list[tuple[str, int]] = []
    with suppress(TimeoutError, OSError):
        async with asyncio.timeout(_TIME_S):
            await _collect(workspace, paths, patterns, found)
    whole = re.compile("|".join(patterns), re.IGNORECASE)
    matches: list[GrepMatch] = []
    for path, line in sorted(found):
        source = files.source(path)
        if source is None or line > len(source.lines) or not whole.search(source.lines[line - 1]):
            continue  # the file has changed meanwhile
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
