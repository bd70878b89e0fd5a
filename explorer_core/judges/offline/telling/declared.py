"""Tells definitions from mere declarations of them, such as a prototype in a C header or a member
in a file of types."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from explorer_core.index.index import Index
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Symbol
from explorer_core.judges.statements import called


def split_declarations(index: Index, found: Sequence[Symbol]) -> tuple[list[Symbol], list[Symbol]]:
    """Splits the definitions of a name into those with a body, and declarations of one of these. A
    member without a body does not declare a member of another type."""
    whole = {called(each) for each in found if not is_bodiless(index, each)}
    defined: list[Symbol] = []
    declared: list[Symbol] = []
    for each in found:
        declares = called(each) in whole and is_bodiless(index, each)
        (declared if declares else defined).append(each)
    return defined, declared


def only_declares(index: Index, symbol: Symbol, others: Iterable[Symbol]) -> bool:
    """Whether a symbol is only a declaration of one of some others, going by its name."""
    name = called(symbol)
    same = [each for each in others if called(each) == name and each.id != symbol.id]
    return bool(same) and is_bodiless(index, symbol) and bool(split_declarations(index, same)[0])


def is_bodiless(index: Index, symbol: Symbol) -> bool:
    """Whether a definition has no body. A type has none if none of its functions has."""
    facts = index.view.facts(symbol.path)
    if facts is not None and facts.definitions[symbol.id.ordinal].bodiless:
        return True
    members = [index.graph.symbol(each) for each in index.graph.members(symbol.id)]
    functions = [each for each in members if each.kind in CALLABLES]
    is_type = symbol.kind in MEMBER_HOLDERS and bool(functions)
    return is_type and all(is_bodiless(index, each) for each in functions)
