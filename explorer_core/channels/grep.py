"""The grep channel: text search over the files of a workspace, unsaved text included."""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Literal

from explorer_core.channels.text_search import ripgrep
from explorer_core.channels.text_search.ripgrep import Expression, Hit
from explorer_core.contracts import ChannelResult, Diagnostic, GrepMatch, Segment
from explorer_core.workspace import SourceText, Workspace, WorkspaceError
from explorer_core.workspace.roots import by_root

_LONG_LINE = 2_000
_LINES_PER_PATTERN = 5_000
_SAMPLED_PER_FILE = 3
_SOURCE = "grep"

_Place = tuple[str, int]
"""A path and a line."""
_HitTerms = tuple[Hit, set[str]]
"""A matching line, and the patterns found on it."""
_LocatedHit = tuple[_Place, _HitTerms]


async def grep(
    workspace: Workspace,
    patterns: str | Sequence[str],
    *,
    regex: bool = False,
    ignore_case: bool = False,
    scope: Sequence[str] = (),
    context: int = 0,
    limit: int | None = None,
    timeout_s: float | None = None,
    within: Callable[[str], bool] = lambda path: True,
) -> ChannelResult:
    """One `GrepMatch` per matching line, with ``context`` lines around it.

    ``terms`` of a match are the patterns found on its line. At most ``limit`` matches (default
    ``settings.grep_matches``) are returned, spread over the files: files with the rarest patterns
    first, and within a file first the lines with a pattern not yet shown. A pattern of several
    lines counts as one pattern per line. Only files in ``scope`` for which ``within`` holds are
    searched. After ``timeout_s`` seconds (default ``settings.grep_time_s``) the matches found so
    far are returned. Cancelling ends the search.
    """
    limit = limit or workspace.settings.grep_matches
    search = _Search(workspace, tuple(scope), within, regex, ignore_case, limit)
    all_patterns = (patterns,) if isinstance(patterns, str) else tuple(patterns)
    seconds = workspace.settings.grep_time_s if timeout_s is None else timeout_s
    try:
        async with asyncio.timeout(seconds):
            await search.run(all_patterns)
    except TimeoutError:
        search.note(
            f"The text search was stopped after {seconds:g} s; narrow its scope for all matches.",
            affects_answer=True,
        )
    except (WorkspaceError, OSError) as error:
        search.note(f"The text search failed: {error}", severity="error", affects_answer=True)
    matches = await asyncio.to_thread(search.matches, context)
    return ChannelResult(observations=tuple(matches), diagnostics=tuple(search.diagnostics))


@dataclass(slots=True)
class _Search:
    workspace: Workspace
    scope: tuple[str, ...]
    within: Callable[[str], bool]
    regex: bool
    ignore_case: bool
    limit: int
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    expressions: list[Expression] = field(default_factory=list[Expression])
    hits: dict[_Place, _HitTerms] = field(default_factory=dict[_Place, _HitTerms])
    paths: list[str] = field(default_factory=list[str])
    unsaved: list[str] = field(default_factory=list[str])
    too_common: list[str] = field(default_factory=list[str])
    too_long: int = 0

    async def run(self, all_patterns: tuple[str, ...]) -> None:
        patterns = self._usable(all_patterns)
        if not patterns:
            self.note("There is nothing to search for; give at least one pattern.")
            return
        self.expressions = await self._expressions(patterns)
        self.paths = await asyncio.to_thread(self._searchable)
        await self._search_unsaved()
        for expression in self.expressions:
            rest: Expression | None = expression
            while rest is not None:
                rest = await self._search_saved(rest)
        for pattern in self.too_common:
            await self._collect_first_lines(
                self._expression((pattern,), regex=self._is_regex(pattern))
            )

    async def _search_saved(self, expression: Expression) -> Expression | None:
        """Collect all hits. On meeting a pattern that floods the search, discard its hits and
        return the expression without it: the result must not depend on which hits happened to come
        first."""
        counts = Counter[str]()
        async with aclosing(self._hits_of(expression, _LINES_PER_PATTERN + 1)) as hits:
            async for path, hit in hits:
                counts.update(self._add(expression, hit, path))
                flood = next((term for term, n in counts.items() if n > _LINES_PER_PATTERN), None)
                if flood is None:
                    continue
                self.too_common.append(flood)
                for _, terms in self.hits.values():
                    terms.discard(flood)
                rest = tuple(pattern for pattern in expression.patterns if pattern != flood)
                return replace(expression, patterns=rest) if rest else None
        return None

    async def _collect_first_lines(self, expression: Expression) -> None:
        """Collect the first lines, in path order, of a pattern that is nearly everywhere."""
        places: set[tuple[str, int]] = set()
        async with aclosing(self._hits_of(expression, _SAMPLED_PER_FILE, in_order=True)) as hits:
            async for path, hit in hits:
                if self._add(expression, hit, path):
                    places.add((path, hit.line))
                if len(places) >= self.limit:
                    break
        self.note(
            f"{expression.patterns[0]!r} matches more than {_LINES_PER_PATTERN:,} lines, of which "
            "only a sample was considered; search for something more specific."
        )

    async def _hits_of(
        self, expression: Expression, lines_per_file: int, *, in_order: bool = False
    ) -> AsyncGenerator[tuple[str, Hit], None]:
        for root, prefix, below in by_root(self.paths, self.workspace.roots):
            found = ripgrep.search_files(
                expression,
                root.path,
                below,
                max_count=lines_per_file * len(expression.patterns),
                in_order=in_order,
            )
            async with aclosing(found) as batches:
                async for batch in batches:
                    for hit in batch:
                        yield prefix + hit.path, hit

    def note(
        self,
        message: str,
        *,
        severity: Literal["error", "warning", "info"] = "warning",
        affects_answer: bool = False,
    ) -> None:
        self.diagnostics.append(
            Diagnostic(
                source=_SOURCE, message=message, severity=severity, affects_answer=affects_answer
            )
        )

    def matches(self, context: int) -> list[GrepMatch]:
        """The matches to show, by file. Reads the files: call it off the event loop."""
        shown: dict[_Place, GrepMatch] = {}
        files: dict[str, int] = {}
        for (path, _), (hit, terms) in self._by_priority():
            if len(shown) >= self.limit:
                break
            try:
                source = self.workspace.read(path)
            except WorkspaceError:
                continue
            files.setdefault(path, len(files))
            ordered = tuple(t for e in self.expressions for t in e.patterns if t in terms)
            for line in _lines_of(source, hit):
                shown.setdefault(
                    (path, line),
                    GrepMatch(segment=_segment(source, line, context), line=line, terms=ordered),
                )
        found = [path for (path, _), (_, terms) in self.hits.items() if terms]
        if len(found) > len(shown) >= self.limit:
            count = len(set(found))
            self.note(
                f"{len(shown)} of {len(found):,} matching lines in {count:,} files are shown; "
                "narrow the pattern or the scope to see the others.",
                severity="info",
            )
        if self.too_long:
            self.note(
                f"{self.too_long} matches on lines over {_LONG_LINE:,} characters are left out.",
                severity="info",
            )
        ranked = sorted(shown.items(), key=lambda item: (files[item[0][0]], item[0][1]))
        return [match for _, match in ranked][: self.limit]

    def _usable(self, all_patterns: tuple[str, ...]) -> tuple[str, ...]:
        """The patterns, split into single lines, without those that no line of text can match."""
        usable: list[str] = []
        for pattern in all_patterns:
            if "\0" in pattern:
                self.note("A pattern with a NUL character was skipped; no text file contains one.")
                continue
            lines = [line for line in re.split(r"[\r\n]+", pattern) if line.strip()]
            if len(lines) > 1:
                self.note(
                    "A pattern of several lines is searched for line by line.", severity="info"
                )
                lines = [line.strip() for line in lines]
            usable += lines
        return tuple(dict.fromkeys(usable))

    async def _expressions(self, patterns: tuple[str, ...]) -> list[Expression]:
        """All literals in one expression; each regex alone, to know which of them matched."""
        literal = [] if self.regex else list(patterns)
        expressions: list[Expression] = []
        for pattern in patterns if self.regex else ():
            expression = self._expression((pattern,), regex=True)
            if await ripgrep.compiles(expression):
                expressions.append(expression)
            else:
                literal.append(pattern)
                self.note(
                    f"{pattern!r} is not a valid regular expression; it was searched literally."
                )
        if literal:
            expressions.append(self._expression(tuple(literal), regex=False))
        return expressions

    def _expression(self, patterns: tuple[str, ...], *, regex: bool) -> Expression:
        program = ripgrep.find_ripgrep(*(root.path for root in self.workspace.roots))
        return Expression(patterns, regex, self.ignore_case, program)

    def _searchable(self) -> list[str]:
        limit = self.workspace.settings.file_size_limit_bytes
        unsaved = set(self.workspace.overlays.paths())
        allowed = [
            entry.path
            for entry in self.workspace.files()
            if entry.size <= limit
            and self.workspace.in_scope(entry.path, self.scope)
            and self.within(entry.path)
        ]
        self.unsaved = [path for path in allowed if path in unsaved]
        return [path for path in allowed if path not in unsaved]

    async def _search_unsaved(self) -> None:
        for path in self.unsaved:
            source = self.workspace.overlays.source(path)
            if source is None:
                continue
            for expression in self.expressions:
                if not expression.regex:
                    found, too_long = await asyncio.to_thread(self._matching, expression, source)
                    self.too_long += too_long
                    for hit, terms in found:
                        self.hits.setdefault((path, hit.line), (hit, set()))[1].update(terms)
                    continue
                async with aclosing(ripgrep.search_text(expression, source.text)) as batches:
                    async for batch in batches:
                        for hit in batch:
                            self._add(expression, hit, path)

    def _matching(
        self, expression: Expression, source: SourceText
    ) -> tuple[list[tuple[Hit, Sequence[str]]], int]:
        """The matching lines with their patterns, and the number of those too long to be shown.
        Stores nothing: it may still be running after the search was abandoned."""
        found: list[tuple[Hit, Sequence[str]]] = []
        too_long = 0
        for number, line in enumerate(source.lines, start=1):
            terms = self._terms(expression, line)
            if terms and len(line) > _LONG_LINE:
                too_long += 1
            elif terms:
                found.append((Hit(source.path, number, line, ()), terms))
        return found, too_long

    def _is_regex(self, pattern: str) -> bool:
        return any(pattern in e.patterns and e.regex for e in self.expressions)

    def _add(self, expression: Expression, hit: Hit, path: str) -> Sequence[str]:
        """Record a hit; returns the patterns on its line."""
        if hit.text is None or len(hit.text) > _LONG_LINE:
            self.too_long += hit.text is None or bool(self._terms(expression, hit.text))
            return ()
        terms = self._terms(expression, hit.text)
        if terms:
            self.hits.setdefault((path, hit.line), (hit, set()))[1].update(terms)
        return terms

    def _terms(self, expression: Expression, text: str) -> Sequence[str]:
        if expression.regex:
            return expression.patterns
        if not expression.ignore_case:
            return [pattern for pattern in expression.patterns if pattern in text]
        return [
            pattern
            for pattern in expression.patterns
            if re.search(re.escape(pattern), text, re.IGNORECASE)
        ]

    def _by_priority(self) -> list[_LocatedHit]:
        """All hits in order of priority: one line of each file, then a second of each, and so
        on."""
        by_file: dict[str, list[_LocatedHit]] = defaultdict(list)
        for place, found in sorted(self.hits.items(), key=lambda item: item[0]):
            if found[1]:
                by_file[place[0]].append((place, found))
        terms_of = {
            path: set[str]().union(*(terms for _, (_, terms) in hits))
            for path, hits in by_file.items()
        }
        frequency = Counter(term for terms in terms_of.values() for term in terms)
        rarity = {term: math.log(1 + len(by_file) / n) for term, n in frequency.items()}

        def weight(path: str) -> tuple[float, str]:
            return -sum(sorted(rarity[term] for term in terms_of[path])), path

        columns = [_new_terms_first(by_file[path]) for path in sorted(by_file, key=weight)]
        return [hit for row in zip_longest(*columns) for hit in row if hit is not None]


def _new_terms_first(hits: list[_LocatedHit]) -> list[_LocatedHit]:
    """The hits, those first that contain a pattern which no earlier one contains."""
    seen: set[str] = set()
    first: list[_LocatedHit] = []
    rest: list[_LocatedHit] = []
    for hit in hits:
        terms = hit[1][1]
        (rest if terms <= seen else first).append(hit)
        seen |= terms
    return first + rest


def _lines_of(source: SourceText, hit: Hit) -> list[int]:
    """The line numbers of a hit in the text as the workspace reads it.

    The search program recognises only ``\\n`` as a line end, and may have seen an earlier version.
    """
    if hit.line <= len(source.lines) and source.lines[hit.line - 1] == hit.text:
        return [hit.line]
    return [
        number
        for number, line in enumerate(source.lines, start=1)
        if len(line) <= _LONG_LINE and any(piece and piece in line for piece in hit.matched)
    ]


def _segment(source: SourceText, line: int, context: int) -> Segment:
    first = last = line
    while line - first < context and first > 1 and len(source.lines[first - 2]) <= _LONG_LINE:
        first -= 1
    while (
        last - line < context and last < len(source.lines) and len(source.lines[last]) <= _LONG_LINE
    ):
        last += 1
    return source.segment(first, last)
