"""Hops that a compiler vouches for: a stronger witness for what the graph found, or a first one.

Nothing is taken back: a provider that does not confirm a hop leaves it as it was.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import get_args

from explorer_core.channels.compiler import Compiler, CompilerError
from explorer_core.contracts import Hop, Link, Site, Witness

_STRENGTH: tuple[Witness, ...] = get_args(Witness)
_NAME = re.compile(r"[^\W\d]\w*")
_NAMES_PER_LINE = 8

Lines = Callable[[str], Sequence[str] | None]


@dataclass(frozen=True, slots=True)
class Vouched:
    """Better hops by the index of the link they start from, and what went wrong, by provider."""

    hops: dict[int, Hop] = field(default_factory=dict[int, Hop])
    trouble: tuple[str, ...] = ()


def is_stronger(one: Witness | None, other: Witness | None) -> bool:
    """Whether ``one`` vouches for more than ``other``."""
    if one is None or other is None:
        return one is not None
    return _STRENGTH.index(one) < _STRENGTH.index(other)


async def vouch(links: Sequence[Link], compiler: Compiler, lines: Lines) -> Vouched:
    """Ask one provider about every hop it could improve; ``lines`` gives the text of a file."""
    pairs = [
        (index, first, second)
        for index, (first, second) in enumerate(pairwise(links))
        if is_stronger(compiler.witness, first.hop.witness if first.hop else None)
    ]
    asked = [_hop(first, second, compiler, lines) for _, first, second in pairs]
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


async def _hop(first: Link, second: Link, compiler: Compiler, lines: Lines) -> Hop | None:
    if first.hop is not None:
        return await _confirmed(first.hop, first, second, compiler, lines)
    for source, target in ((first, second), (second, first)):
        for line in range(source.quote_range.start, source.quote_range.end + 1):
            site = Site(path=source.path, line=line)
            if await _leads(site, target, compiler, lines):
                return Hop(
                    relation="references",
                    from_=source.id,
                    to=target.id,
                    site=site,
                    witness=compiler.witness,
                )
    return None


async def _confirmed(
    hop: Hop, first: Link, second: Link, compiler: Compiler, lines: Lines
) -> Hop | None:
    target = first if hop.to == first.id else second
    if hop.via or hop.site is None or not await _leads(hop.site, target, compiler, lines):
        return None
    return hop.model_copy(update={"witness": compiler.witness})


async def _leads(site: Site, target: Link, compiler: Compiler, lines: Lines) -> bool:
    """Whether a name on the line of ``site`` is defined in ``target``."""
    text, there = lines(site.path), lines(target.path)
    if text is None or there is None or site.line > len(text) or not compiler.covers(site.path):
        return False
    head = "\n".join(there[target.range.start - 1 : target.range.end])
    for column in _columns(text[site.line - 1], head):
        for place in await compiler.definition(site.path, site.line, column):
            if (
                place.path == target.path
                and place.range is not None
                and place.range.start in target.range
            ):
                return True
    return False


def _columns(line: str, target: str) -> Iterator[int]:
    """Where the names of a line start, those first that the target's text has too."""
    names = list(_NAME.finditer(line))
    theirs = set(_NAME.findall(target))
    names.sort(key=lambda name: name[0] not in theirs)
    seen: set[str] = set()
    for name in names[:_NAMES_PER_LINE]:
        if name[0] not in seen:
            seen.add(name[0])
            yield name.start()
