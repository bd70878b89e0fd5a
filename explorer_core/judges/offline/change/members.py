"""Recognises enumerations and lists their members.

An enumeration takes many forms: a type with values (``enum Color { RED, GREEN }``), a type that
others in its file derive from, or constants of one type side by side. A record is one too, if a new
field has to be named where the others are. Only the shape of the definitions decides this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from explorer_core.index.graph import SymbolGraph
from explorer_core.index.symbols import MEMBER_HOLDERS, VARIABLES, Edge, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.judges.statements import called

FEWEST, _FIELDS = 3, 5
"""How many members an enumeration must have, and how many a record."""
_FILES = 40
"""How many files are searched for constants of a type."""


@dataclass(frozen=True, slots=True)
class Members:
    """The members of an enumeration."""

    symbol: Symbol
    """The enumeration."""
    all: tuple[Symbol, ...]
    """Its members, in the order of the code."""
    of_record: bool = False
    """Whether they are fields of a record, which the record's own functions name for other
    reasons."""

    @property
    def are_types(self) -> bool:
        """Whether the members are direct subtypes of it."""
        return self.all[-1].kind in MEMBER_HOLDERS

    @property
    def called_so(self) -> str:
        """The members as a sentence counts them: "members of `Color`"."""
        kind = "types derived directly from" if self.are_types else "members of"
        return f"{kind} {called(self.symbol)}"

    @property
    def are_inside(self) -> bool:
        """Whether the members are written inside the enumeration."""
        last = self.all[-1]
        return last.path == self.symbol.path and self.symbol.range.covers(last.range)


def named_by(graph: SymbolGraph, user: SymbolId, members: Collection[SymbolId]) -> list[Edge]:
    """Returns the certain edges by which a definition names members itself. A member that occurs
    only in the value of another one named on the same line does not count."""
    edges = [edge for edge in graph.uses(user) if edge.target in members]
    edges = [edge for edge in edges if not edge.is_by_name]
    targets = {edge.target for edge in edges}
    inside = {each: {edge.target for edge in graph.uses(each)} & targets for each in targets}
    made_of = {(edge.line, one) for edge in edges for one in inside[edge.target] - {edge.target}}
    return [edge for edge in edges if (edge.line, edge.target) not in made_of]


def members_of(graph: SymbolGraph, symbol: Symbol) -> Members | None:
    """Returns the members of a definition, or None if it is no enumeration."""
    if symbol.kind not in MEMBER_HOLDERS:
        return None
    inside = [graph.symbol(each) for each in graph.members(symbol.id)]
    constants = [each for each in inside if each.kind == "constant"]
    if symbol.kind == "enum":
        return _members_if_enough(symbol, constants)
    if _has_only(constants, inside):
        return _members_if_enough(symbol, _without_lists(graph, constants))
    fields = [each for each in inside if each.kind in VARIABLES]
    if len(alike := _with_common_first_word(constants)) * 2 > len(fields) and len(alike) >= FEWEST:
        return _members_if_enough(symbol, alike)
    if fields and fields == inside and _have_own_values(fields):
        return _members_if_enough(symbol, fields)
    if len(fields) >= _FIELDS and 2 * len(fields) >= len(inside):
        return Members(symbol, tuple(fields), of_record=True)
    return _members_if_enough(symbol, _sealed_subtypes(graph, symbol)) or _members_if_enough(
        symbol, _typed_constants(graph, symbol)
    )


def enumerations_with(graph: SymbolGraph, member: SymbolId) -> Iterator[SymbolId]:
    """Yields what a definition may be a member of."""
    if member.is_file:
        return
    symbol = graph.symbol(member)
    if symbol.kind in VARIABLES:
        around = graph.container(member)
        if around is not None and not around.is_file:
            yield around
        if symbol.kind == "constant" and not _is_value(graph, symbol):
            yield from _types_of(graph, symbol)
    elif symbol.kind in MEMBER_HOLDERS:
        above = (edge.target for edge in graph.supertypes(member))
        yield from (each for each in above if each.path == member.path)


def _has_only(constants: Sequence[Symbol], inside: Sequence[Symbol]) -> bool:
    """Whether constants are the only data of a type. It may also have functions."""
    others = [each for each in inside if each.kind in VARIABLES or each.kind == "constructor"]
    return len(constants) >= FEWEST and len(constants) == len(others)


def _with_common_first_word(constants: Sequence[Symbol]) -> list[Symbol]:
    """Returns the constants whose names begin with the most common first word."""
    first = Counter(words[0] for each in constants if (words := text.words_in(each.name)))
    most = max(first, key=lambda each: first[each], default="")
    return [each for each in constants if text.words_in(each.name)[:1] == [most]]


def _have_own_values(fields: Sequence[Symbol]) -> bool:
    """Whether each field is assigned a value of its own, and none has a type."""
    values: set[str] = set()
    for each in fields:
        name, sign, value = each.signature.partition("=")
        if not sign or name.split()[-1:] != [each.name]:
            return False
        values.add(value.strip())
    return len(values) == len(fields)


def _without_lists(graph: SymbolGraph, constants: Sequence[Symbol]) -> list[Symbol]:
    """Returns the constants, without those that list several others."""
    every = {each.id for each in constants}
    named = {each: {edge.target for edge in graph.uses(each)} & every for each in every}
    return [each for each in constants if len(named[each.id] - {each.id}) < FEWEST]


def _members_if_enough(symbol: Symbol, found: Sequence[Symbol]) -> Members | None:
    return Members(symbol, tuple(found)) if len(found) >= FEWEST else None


def _sealed_subtypes(graph: SymbolGraph, symbol: Symbol) -> list[Symbol]:
    """Returns the subtypes of a type if all of them are in its file."""
    below = [edge.source for edge in graph.subtypes(symbol.id)]
    inside = all(each.path == symbol.path for each in below)
    return [graph.symbol(each) for each in sorted(set(below))] if inside else []


def _typed_constants(graph: SymbolGraph, symbol: Symbol) -> list[Symbol]:
    """Returns the constants that are declared with a type.

    These are the ones in the place where most of them stand, and the bare names between them that
    continue such a declaration.
    """
    uses = graph.uses_of(symbol.id, files=_FILES)
    users = {edge.source for edge in uses if not edge.source.is_file}
    typed = [
        each
        for each in map(graph.symbol, sorted(users))
        if each.kind == "constant" and _names_type(each, symbol) and not _is_value(graph, each)
    ]
    places = Counter(graph.container(each.id) for each in typed)
    if not places:
        return []
    most = max(places, key=lambda each: (places[each], str(each)))
    around = graph.members(most) if most is not None else []
    beside = [graph.symbol(each) for each in around]
    known = {each.id for each in typed}
    found: dict[SymbolId, Symbol] = {}
    for at, each in enumerate(beside):
        if each.id in known:
            following = takewhile(_is_bare, beside[at + 1 :])
            found.update((one.id, one) for one in (each, *following))
    return list(found.values())


def _types_of(graph: SymbolGraph, constant: Symbol) -> Iterator[SymbolId]:
    """Yields the declared type of a constant. A constant without a value has the type of the one
    that it continues."""
    around = graph.container(constant.id)
    beside = [each for each in graph.members(around) if each <= constant.id] if around else []
    while len(beside) > 1 and _is_bare(graph.symbol(beside[-1])):
        beside.pop()
    first = graph.symbol(beside[-1]) if beside else constant
    targets = (edge.target for edge in graph.uses(first.id) if not edge.target.is_file)
    types = (graph.symbol(each) for each in targets if graph.kind(each) in MEMBER_HOLDERS)
    yield from (each.id for each in types if _names_type(first, each))


def _is_value(graph: SymbolGraph, constant: Symbol) -> bool:
    """Whether a constant is a value of an enum: its signature then shows what it holds, and no
    type."""
    around = graph.container(constant.id)
    return around is not None and not around.is_file and graph.kind(around) == "enum"


def _names_type(constant: Symbol, of: Symbol) -> bool:
    """Whether a type is written in a constant's declaration, rather than in its value."""
    return of.name in constant.signature.partition("=")[0]


def _is_bare(symbol: Symbol) -> bool:
    """Whether a constant is a bare name, which continues the declaration before it."""
    return symbol.kind == "constant" and symbol.signature.strip() == symbol.name
