"""Lets a compiler vouch for hops: a stronger witness for a relation in the graph, or a new
relation.

Nothing is withdrawn: a hop that the provider does not confirm stays as it was.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from explorer_core.channels.compiler import Compiler, CompilerError, CompilerPlace
from explorer_core.contracts import Hop, Link, Relation, Site, Witness
from explorer_core.validation.witnesses import is_stronger

_NAME = re.compile(r"[^\W\d]\w*")
_NAMES_PER_LINE = 8
_INHERITANCE: tuple[Relation, ...] = ("extends", "implements", "overrides")

Lines = Callable[[str], Sequence[str] | None]
Declared = Callable[[Link], tuple[int, int] | None]
"""The line (from 1) and column (from 0) of the name that a link's place declares, or None."""
_Ask = Callable[[str, int, int], Awaitable[list[CompilerPlace]]]


@dataclass(frozen=True, slots=True)
class Vouched:
    """Improved hops by the index of the link they start from, and the provider's errors."""

    hops: dict[int, Hop] = field(default_factory=dict[int, Hop])
    trouble: tuple[str, ...] = ()


async def vouch(
    links: Sequence[Link],
    compiler: Compiler,
    lines: Lines,
    declared: Declared = lambda link: None,
    wanted: Callable[[Hop | None], bool] = lambda hop: True,
) -> Vouched:
    """Ask one provider about every ``wanted`` hop that it could improve.

    ``lines`` returns the lines of a file, or None. Every provider error is reported once."""
    asking = _Asking(compiler, lines, declared)
    pairs = [
        (index, first, second)
        for index, (first, second) in enumerate(pairwise(links))
        if first.id != second.id
        and wanted(first.hop)
        and is_stronger(compiler.witness, first.hop.witness if first.hop else None)
    ]
    asked = [_hop(first, second, asking) for _, first, second in pairs]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    hops: dict[int, Hop] = {}
    trouble: dict[str, None] = {}
    for (index, _, _), answer in zip(pairs, answers, strict=True):
        if isinstance(answer, Hop):
            hops[index] = answer
        elif isinstance(answer, CompilerError):
            trouble[str(answer)] = None
        elif isinstance(answer, BaseException):
            raise answer
    return Vouched(hops, tuple(trouble))


async def _hop(first: Link, second: Link, asked: _Asking) -> Hop | None:
    """An improved hop between two links, or None if the provider does not confirm any."""
    if first.hop is not None:
        return await _confirmed(first.hop, first, second, asked)
    for source, target in ((first, second), (second, first)):
        found = await _related(source, target, asked)
        if found is not None:
            relation, site = found
            return Hop(
                relation=relation,
                from_=source.id,
                to=target.id,
                site=site,
                witness=asked.witness,
            )
    return None


async def _confirmed(hop: Hop, first: Link, second: Link, asked: _Asking) -> Hop | None:
    """The hop with the provider as its witness, if the provider agrees; else None. A hop that goes
    via something else is left alone."""
    if hop.via or hop.site is None:
        return None
    source, target = (second, first) if hop.to == first.id else (first, second)
    site = hop.site
    if (
        await asked.leads(site, target)
        or await asked.dispatches(site, target)
        or (hop.relation == "calls" and await asked.calls(source, target))
        or (hop.relation in _INHERITANCE and await asked.inherits(source, target))
        or site in await asked.uses(target, source)
    ):
        return hop.model_copy(update={"witness": asked.witness})
    return None


async def _related(source: Link, target: Link, asked: _Asking) -> tuple[Relation, Site] | None:
    """The provider's relation between two places for which the graph found none, and its site."""
    quoted = source.quote_range
    sites = [Site(path=source.path, line=at) for at in range(quoted.start, quoted.end + 1)]
    for site in sites:
        if await asked.leads(site, target):
            return "references", site
    if await asked.calls(source, target):
        return "calls", sites[0]
    for site in await asked.uses(target, source):
        return "references", site
    return None


class _Asking:
    """Questions about two links to one provider; anything but its explicit yes counts as no."""

    def __init__(self, compiler: Compiler, lines: Lines, declared: Declared) -> None:
        self._compiler = compiler
        self._lines = lines
        self._declared = declared

    @property
    def witness(self) -> Witness:
        return self._compiler.witness

    async def leads(self, site: Site, target: Link) -> bool:
        """Whether a name on the line of ``site`` is defined in ``target``."""
        return await self._at_names(site, target, self._compiler.definition)

    async def dispatches(self, site: Site, target: Link) -> bool:
        """Whether ``target`` implements or overrides what a name on the line refers to."""
        return await self._at_names(site, target, self._compiler.implementations)

    async def calls(self, source: Link, target: Link) -> bool:
        """Whether ``source`` calls ``target``, according to the call hierarchy of either."""
        return await self._from_declaration(
            target, source, self._compiler.incoming_calls
        ) or await self._from_declaration(source, target, self._compiler.outgoing_calls)

    async def inherits(self, source: Link, target: Link) -> bool:
        """Whether ``target`` is a supertype of ``source``, by the type hierarchy of either."""
        return await self._from_declaration(
            source, target, self._compiler.supertypes
        ) or await self._from_declaration(target, source, self._compiler.subtypes)

    async def uses(self, target: Link, source: Link) -> list[Site]:
        """The sites in ``source`` that use what ``target`` declares."""
        declared = self._declared(target)
        if declared is None or not self._can_ask(target.path, declared[0]):
            return []
        found = await self._compiler.references(target.path, *declared)
        return [
            Site(path=each.path, line=each.range.start)
            for each in found
            if each.range is not None and self._stands_in(each, source)
        ]

    async def _at_names(self, site: Site, target: Link, ask: _Ask) -> bool:
        """Whether ``ask``, for some name on the line of ``site``, returns a place in ``target``."""
        text, there = self._lines(site.path), self._lines(target.path)
        if text is None or there is None or not self._can_ask(site.path, site.line):
            return False
        declared = self._declared(target)
        shown = there[target.range.start - 1 : target.range.end]
        head = there[declared[0] - 1 : declared[0]] if declared else ()
        for column in _columns(text[site.line - 1], "\n".join([*head, *shown])):
            found = await ask(site.path, site.line, column)
            if any(self._stands_in(each, target) for each in found):
                return True
        return False

    async def _from_declaration(self, link: Link, other: Link, ask: _Ask) -> bool:
        """Whether ``ask``, for the name that ``link`` declares, returns a place in ``other``."""
        declared = self._declared(link)
        if declared is None or not self._can_ask(link.path, declared[0]):
            return False
        return any(self._stands_in(each, other) for each in await ask(link.path, *declared))

    def _can_ask(self, path: str, line: int) -> bool:
        text = self._lines(path)
        return text is not None and line <= len(text) and self._compiler.covers(path)

    def _stands_in(self, place: CompilerPlace, link: Link) -> bool:
        """Whether a place lies in the lines that a link shows, or on the line that declares it."""
        if place.path != link.path or place.range is None:
            return False
        line, declared = place.range.start, self._declared(link)
        return line in link.range or (declared is not None and line == declared[0])


def _columns(line: str, target: str) -> Iterator[int]:
    """Start columns of the names on a line, those that also occur in ``target`` first."""
    names = list(_NAME.finditer(line))
    theirs = set(_NAME.findall(target))
    names.sort(key=lambda name: name[0] not in theirs)
    seen: set[str] = set()
    for name in names[:_NAMES_PER_LINE]:
        if name[0] not in seen:
            seen.add(name[0])
            yield name.start()
