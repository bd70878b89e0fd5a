"""The relation between each link of a flow and the next, with the witness who vouches for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import pairwise
from typing import Protocol

from explorer_core.contracts import Candidate, Hop, Link, Site


class RelationFinder(Protocol):
    """Finds the relation between two places in the code."""

    def between(
        self,
        first: Candidate,
        second: Candidate,
        quoted: Collection[Site] = (),
        elsewhere: Collection[Candidate] = (),
    ) -> Hop | None:
        """The best witnessed relation between two candidates, in either direction.

        It passes through none of the candidates shown ``elsewhere``. Among equally good relations
        one whose line is ``quoted`` is preferred."""
        ...


def attach_hops(
    links: tuple[Link, ...],
    candidate: Callable[[str], Candidate | None],
    relations: RelationFinder,
) -> tuple[Link, ...]:
    """The same links, each with the hop to its successor. A hop between other ids is discarded."""
    shown = {link.id: found for link in links if (found := candidate(link.id)) is not None}
    hops = [_hop(first, second, shown, relations) for first, second in pairwise(links)]
    return tuple(
        link.model_copy(update={"hop": hop})
        for link, hop in zip(links, [*hops, None][: len(links)], strict=True)
    )


def _hop(
    first: Link,
    second: Link,
    shown: Mapping[str, Candidate],
    relations: RelationFinder,
) -> Hop | None:
    """The relation found between two links; None for two links to the same place."""
    one, other = shown.get(first.id), shown.get(second.id)
    if one is None or other is None or one.id == other.id:
        return None
    quoted = [
        Site(path=link.path, line=line)
        for link in (first, second)
        for line in range(link.quote_range.start, link.quote_range.end + 1)
    ]
    elsewhere = [each for each in shown.values() if each.id not in (one.id, other.id)]
    hop = relations.between(one, other, quoted, elsewhere)
    return hop if hop is not None and {hop.from_, hop.to} == {one.id, other.id} else None
