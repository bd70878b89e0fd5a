"""Where the members of an enumeration are told apart, for a question about a new one of its kind.

A new column, setting or type of account is one more member of an enumeration, or of a type whose
constants serve as one, and one more case wherever most of the members are named: in what gives each
its title, its value, its place in an order. Only for a question that has the name of the
enumeration, and not that of a member.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice

from explorer_core.channels.question.query import understand
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import MEMBER_HOLDERS, Edge, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.change.registration import Example, Registration
from explorer_core.judges.offline.telling.exhibit import Exhibits
from explorer_core.judges.offline.telling.places import definition_of
from explorer_core.judges.statements import as_called, called

_LOOKED_AT = 30
"""Best ranked candidates that are looked at for enumerations whose members they name."""
_LEAST, _SHARE = 3, 0.5
"""How many members, and how many of all, are named by what tells them apart."""
_MEMBERS, _FILES = 60, 40
"""Members whose users are looked for, and files that are looked at for users of each."""
_PLACES = 4
"""Places that are told beside the enumeration itself."""


@dataclass(frozen=True, slots=True)
class _Enumeration:
    """An enumeration, its members, how much of the question is in its name, and whether the
    question names it as code does."""

    symbol: Symbol
    members: tuple[Symbol, ...]
    said: float
    named: bool


@dataclass(frozen=True)
class Enumerations:
    """Finds the enumeration of one question."""

    case: JudgeCase
    exhibits: Exhibits

    def example(self, least: float) -> Example | None:
        """The enumeration whose name says ``least`` so much of the question, or half as much where
        the question also names it as code does, with what tells its members apart; None where
        nothing does."""
        asked = [self._asked(each) for each in self._met()]
        found = [each for each in asked if each and each.said * (1 + each.named) >= least]
        if not found:
            return None
        best = max(found, key=lambda each: (each.named, each.said))
        places = self._places(best)
        if not places:
            return None
        whole = Registration(best.symbol, None, _counted(best))
        return Example(
            best.symbol,
            None,
            (whole, *places),
            best.said,
            is_row=True,
            enumerated=best.symbol,
        )

    def _met(self) -> list[Symbol]:
        """The enumerations that are ranked well themselves, or several of whose members something
        that is names, in the order of the ranking."""
        shown = (
            definition_of(self._graph, each) for each in self.case.ranking.candidates[:_LOOKED_AT]
        )
        found = chain.from_iterable(map(self._named_by, filter(None, shown)))
        return [each for each in dict.fromkeys(found) if not self.case.set_apart(each)]

    def _named_by(self, symbol: Symbol) -> Iterator[Symbol]:
        if self._is_one(symbol.id):
            yield symbol
        members: dict[SymbolId, set[SymbolId]] = {}
        for edge in self._graph.uses(symbol.id):
            holder = self._holder(edge)
            if holder is not None:
                members.setdefault(holder, set()).add(edge.target)
        for holder, named in members.items():
            if len(named) >= _LEAST:
                yield self._graph.symbol(holder)

    def _holder(self, edge: Edge) -> SymbolId | None:
        """The enumeration that an edge leads to a member of."""
        if edge.target.is_file or self._graph.kind(edge.target) != "constant":
            return None
        holder = self._graph.container(edge.target)
        return holder if holder is not None and self._is_one(holder) else None

    def _is_one(self, holder: SymbolId) -> bool:
        """Whether something is an enumeration, or a type that has nothing but constants."""
        kind = self._graph.kind(holder)
        if kind == "enum" or kind not in MEMBER_HOLDERS:
            return kind == "enum"
        members = self._graph.members(holder)
        return bool(members) and all(self._graph.kind(each) == "constant" for each in members)

    def _asked(self, symbol: Symbol) -> _Enumeration | None:
        """An enumeration if the question has its name, and not that of a member."""
        words, titled = set(text.words_in(symbol.name)), self.exhibits.words.titled
        named = symbol.name in self._identifiers
        if not named and not words <= titled:
            return None
        members = [self._graph.symbol(each) for each in self._graph.members(symbol.id)]
        members = [each for each in members if each.kind == "constant"]
        own = (set(text.words_in(each.name)) - words for each in members)
        if len(members) < _LEAST or any(each and each <= titled for each in own):
            return None
        said = self.exhibits.words.worth(titled.intersection(text.words_in(called(symbol))))
        return _Enumeration(symbol, tuple(members), said, named) if said else None

    @cached_property
    def _identifiers(self) -> frozenset[str]:
        return frozenset(each.text for each in understand(self.case.question).identifiers)

    def _places(self, enumeration: _Enumeration) -> list[Registration]:
        """What names most of the members, those first that name most of them."""
        named: dict[SymbolId, set[SymbolId]] = {}
        for member in enumeration.members[:_MEMBERS]:
            for edge in self._graph.uses_of(member.id, files=_FILES):
                if edge.witness != "graph:name" and edge.relation != "imports":
                    named.setdefault(edge.source, set()).add(member.id)
        looked_at = min(len(enumeration.members), _MEMBERS)
        least = max(_LEAST, _SHARE * looked_at)
        often = sorted(
            (found for found in named.items() if len(found[1]) >= least),
            key=lambda found: (-len(found[1]), found[0]),
        )
        told = (
            self._place(enumeration, self._graph.symbol(each))
            for each, _ in often
            if self._tells_apart(enumeration, each)
        )
        return list(islice(told, _PLACES))

    def _tells_apart(self, enumeration: _Enumeration, user: SymbolId) -> bool:
        """Whether a user is code that is asked about, and not the enumeration itself."""
        apart = user.is_file or user == enumeration.symbol.id
        return (
            not apart
            and self.exhibits.has(user.path)
            and not self.case.set_apart(self._graph.symbol(user))
        )

    def _place(self, enumeration: _Enumeration, user: Symbol) -> Registration:
        """A place at the last line that names a member: a new one goes beside the last."""
        members = {each.id for each in enumeration.members}
        edges = [edge for edge in self._graph.uses(user.id) if edge.target in members]
        edges = [edge for edge in edges if edge.witness != "graph:name"]
        count = f"{len({edge.target for edge in edges})} of the {len(members)} members"
        total = f"It names {count} of {called(enumeration.symbol)}."
        self.case.registry.learn_of(map(as_called, (user, enumeration.symbol)))
        return Registration(user, max(edges, key=lambda edge: edge.line), total)

    @property
    def _graph(self) -> SymbolGraph:
        return self.case.index.graph


def _counted(enumeration: _Enumeration) -> str:
    return f"It has {len(enumeration.members)} members."
