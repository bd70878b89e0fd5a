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
NamePosition = Callable[[Link], tuple[int, int] | None]
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
    name_position: NamePosition = lambda link: None,
    should_ask: Callable[[Hop | None], bool] = lambda hop: True,
) -> Vouched:
    """Ask one provider about every hop for which ``should_ask`` and that it could improve.

    ``lines`` returns the lines of a file, or None. Every provider error is reported once."""
    questions = _ProviderQuestions(compiler, lines, name_position)
    pairs = [
        (index, first, second)
        for index, (first, second) in enumerate(pairwise(links))
        if first.id != second.id
        and should_ask(first.hop)
        and is_stronger(compiler.witness, first.hop.witness if first.hop else None)
    ]
    pending_hops = [_improve_hop(first, second, questions) for _, first, second in pairs]
    answers = await asyncio.gather(*pending_hops, return_exceptions=True)
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


async def _improve_hop(first: Link, second: Link, questions: _ProviderQuestions) -> Hop | None:
    """An improved hop between two links, or None if the provider does not confirm any."""
    if first.hop is not None:
        return await _confirm_hop(first.hop, first, second, questions)
    for source, target in ((first, second), (second, first)):
        relation_and_site = await _find_relation(source, target, questions)
        if relation_and_site is not None:
            relation, site = relation_and_site
            return Hop(
                relation=relation,
                from_=source.id,
                to=target.id,
                site=site,
                witness=questions.witness,
            )
    return None


async def _confirm_hop(
    hop: Hop, first: Link, second: Link, questions: _ProviderQuestions
) -> Hop | None:
    """The hop with the provider as its witness, if the provider agrees; else None. A hop that goes
    via something else is left alone."""
    if hop.via or hop.site is None:
        return None
    source, target = (second, first) if hop.to == first.id else (first, second)
    site = hop.site
    if (
        await questions.names_definition_in(site, target)
        or await questions.dispatches_to(site, target)
        or (hop.relation == "calls" and await questions.calls(source, target))
        or (hop.relation in _INHERITANCE and await questions.inherits(source, target))
        or site in await questions.use_sites(target, source)
    ):
        return hop.model_copy(update={"witness": questions.witness})
    return None


async def _find_relation(
    source: Link, target: Link, questions: _ProviderQuestions
) -> tuple[Relation, Site] | None:
    """The provider's relation between two places for which the graph found none, and its site."""
    quote_range = source.quote_range
    sites = [
        Site(path=source.path, line=line) for line in range(quote_range.start, quote_range.end + 1)
    ]
    for site in sites:
        if await questions.names_definition_in(site, target):
            return "references", site
    if await questions.calls(source, target):
        return "calls", sites[0]
    for site in await questions.use_sites(target, source):
        return "references", site
    return None


class _ProviderQuestions:
    """Questions about two links to one provider; anything but its explicit yes counts as no."""

    def __init__(self, compiler: Compiler, lines: Lines, name_position: NamePosition) -> None:
        self._compiler = compiler
        self._lines = lines
        self._name_position = name_position

    @property
    def witness(self) -> Witness:
        return self._compiler.witness

    async def names_definition_in(self, site: Site, target: Link) -> bool:
        """Whether a name on the line of ``site`` is defined in ``target``."""
        return await self._any_name_resolves_to(site, target, self._compiler.definition)

    async def dispatches_to(self, site: Site, target: Link) -> bool:
        """Whether ``target`` implements or overrides what a name on the line refers to."""
        return await self._any_name_resolves_to(site, target, self._compiler.implementations)

    async def calls(self, source: Link, target: Link) -> bool:
        """Whether ``source`` calls ``target``, according to the call hierarchy of either."""
        return await self._declaration_resolves_to(
            target, source, self._compiler.incoming_calls
        ) or await self._declaration_resolves_to(source, target, self._compiler.outgoing_calls)

    async def inherits(self, source: Link, target: Link) -> bool:
        """Whether ``target`` is a supertype of ``source``, by the type hierarchy of either."""
        return await self._declaration_resolves_to(
            source, target, self._compiler.supertypes
        ) or await self._declaration_resolves_to(target, source, self._compiler.subtypes)

    async def use_sites(self, target: Link, source: Link) -> list[Site]:
        """The sites in ``source`` that use what ``target`` declares."""
        name_position = self._name_position(target)
        if name_position is None or not self._can_ask(target.path, name_position[0]):
            return []
        places = await self._compiler.references(target.path, *name_position)
        return [
            Site(path=each.path, line=each.range.start)
            for each in places
            if each.range is not None and self._lies_in(each, source)
        ]

    async def _any_name_resolves_to(self, site: Site, target: Link, ask: _Ask) -> bool:
        """Whether ``ask``, for some name on the line of ``site``, returns a place in ``target``."""
        site_lines, target_lines = self._lines(site.path), self._lines(target.path)
        if site_lines is None or target_lines is None or not self._can_ask(site.path, site.line):
            return False
        name_position = self._name_position(target)
        shown_lines = target_lines[target.range.start - 1 : target.range.end]
        declaration_line = (
            target_lines[name_position[0] - 1 : name_position[0]] if name_position else ()
        )
        for column in _name_columns(
            site_lines[site.line - 1], "\n".join([*declaration_line, *shown_lines])
        ):
            places = await ask(site.path, site.line, column)
            if any(self._lies_in(each, target) for each in places):
                return True
        return False

    async def _declaration_resolves_to(self, link: Link, other: Link, ask: _Ask) -> bool:
        """Whether ``ask``, for the name that ``link`` declares, returns a place in ``other``."""
        name_position = self._name_position(link)
        if name_position is None or not self._can_ask(link.path, name_position[0]):
            return False
        return any(self._lies_in(each, other) for each in await ask(link.path, *name_position))

    def _can_ask(self, path: str, line: int) -> bool:
        text = self._lines(path)
        return text is not None and line <= len(text) and self._compiler.covers(path)

    def _lies_in(self, place: CompilerPlace, link: Link) -> bool:
        """Whether a place lies in the lines that a link shows, or on the line that declares it."""
        if place.path != link.path or place.range is None:
            return False
        line, name_position = place.range.start, self._name_position(link)
        return line in link.range or (name_position is not None and line == name_position[0])


def _name_columns(line: str, target: str) -> Iterator[int]:
    """Start columns of the names on a line, those that also occur in ``target`` first."""
    names = list(_NAME.finditer(line))
    target_names = set(_NAME.findall(target))
    names.sort(key=lambda name: name[0] not in target_names)
    seen: set[str] = set()
    for name in names[:_NAMES_PER_LINE]:
        if name[0] not in seen:
            seen.add(name[0])
            yield name.start()
