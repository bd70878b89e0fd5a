"""Finds the enumeration that a question asks to extend.

"Add an account type" asks for one more member of ``AccountType`` (`members.py`), and for one more
case wherever most of its members are named (`member_places.py`): in what maps them to titles,
values or an order. The question must have the enumeration's name, or at least a word of it if one
of the best places names nearly all members. Its title must not name a member.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, pairwise

import numpy as np

from explorer_core.index.symbols import MEMBER_HOLDERS, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.judges.offline.change.example import Example, Registration
from explorer_core.judges.offline.change.member_places import MANY, MemberPlaces
from explorer_core.judges.offline.change.members import (
    FEWEST,
    Members,
    enumerations_with,
    members_of,
)
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.statements import called

_LOOKED_AT = 30
"""How many of the best candidates are searched for enumerations whose members they name."""
_SHARE_NAMED = 0.8
"""The share of the members (and at least `MANY`) that one of the best places must name, if the
title has only a word of the enumeration's name."""
_WORDS = 2
"""How many words the name of an enumeration must have to be searched by its name alone."""
_WORDS_APART = 4
"""How many words apart the names of the enumeration and of a member may stand for the title to ask
for that member."""
_LEAST_LARGE = 5
"""How many members an enumeration must have to be shown even if no place names most of them."""
_LEAST_KINDS = 3
"""How many enumerations must have names that end in a word for it to say what kind they are."""
_NAMESAKES = 20
"""How many definitions of one name are considered."""


@dataclass(frozen=True, slots=True)
class _Enumeration:
    """An enumeration that the question may ask for."""

    members: Members
    worth: float
    """How much of the title is in its name."""
    is_named: bool
    """Whether the question names it as code, or its title has the words of its name in order."""
    is_titled: bool
    """Whether the title has its whole name, or all words of it."""
    is_distinguished: bool
    """Whether it is not named, but one of the best places names nearly all its members."""

    @property
    def symbol(self) -> Symbol:
        return self.members.symbol


@dataclass(frozen=True)
class Enumerations(Finder):
    """Finds the enumeration of one question."""

    near: Sequence[Symbol]
    """The definitions ranked not far behind the best."""

    def example(self, subject: Symbol, least: float, *, subject_is_named: bool) -> Example | None:
        """Returns the first matching enumeration that has places which tell its members apart, or
        that is large and named.

        Its name must have ``least`` this much of the question, or half if the question names it.
        Less is enough if one of the best places names nearly all members, or the type of the
        ``subject`` names several. A record must beat a subject that is ``subject_is_named``. If the
        question does not name the record, some place must list its fields as text."""
        candidates = [self._as_asked_enumeration(each) for each in self._possible_enumerations()]
        found = [
            each
            for each in candidates
            if each and self._matches_well_enough(each, subject, least, subject_is_named)
        ]
        found.sort(key=lambda e: (-e.is_named, -e.worth, e.members.of_record, -e.is_titled))
        member_places = MemberPlaces(self.exhibits)
        for each in found:
            places = member_places.of(each.members)
            if not places and not self._is_large(each):
                continue
            if each.members.of_record and not (each.is_named or self._are_listed(places)):
                continue
            whole = member_places.whole(each.members, places[0].edge if places else None)
            if each.members.are_types and not each.members.are_inside:
                # A type beside others is an example, and does not have to change itself.
                return Example(whole.user, whole.edge, tuple(places), each.worth, head=each.symbol)
            return Example(
                whole.user,
                None,
                (whole, *places),
                each.worth,
                is_row=True,
                enumerated=whole.user,
                used=() if places else tuple(member_places.used(each.members)),
            )
        return None

    # which is asked for

    def _is_large(self, each: _Enumeration) -> bool:
        """Whether an enumeration is shown even if no place names most members: the question names
        it, and it has many."""
        members = each.members
        several = len(members.all) >= _LEAST_LARGE and not (members.of_record or members.are_types)
        return each.is_named and several

    def _are_listed(self, places: Sequence[Registration]) -> bool:
        """Whether some place has a member's name in quotation marks. Any code that handles a record
        names its fields, but only a list of what they are called must include a new one."""
        return any(map(self._is_quoted, places))

    def _is_quoted(self, place: Registration) -> bool:
        literal = place.literal
        return literal is not None and literal.name in self.exhibits.texts_on(
            place.user.path, literal.line
        )

    def _matches_well_enough(
        self, each: _Enumeration, subject: Symbol, least: float, subject_is_named: bool
    ) -> bool:
        worth = each.worth * (1 + each.is_named)
        if each.members.of_record and subject_is_named and not each.is_named and worth <= least:
            return False
        return (
            each.is_distinguished or worth >= least or self._is_named_beside(subject, each.members)
        )

    def _possible_enumerations(self) -> list[Symbol]:
        """Returns what may be the enumeration: the best ranked definitions, the types of which they
        name several members, then what the question names."""
        ranked = chain.from_iterable(map(self._with_named_types, self._ranked_first(_LOOKED_AT)))
        named = chain.from_iterable(
            islice(self._graph.find(name), _NAMESAKES) for name in sorted(self._words.identifiers)
        )
        possible = dict.fromkeys(chain(ranked, named, self._titled_types()))
        found = dict.fromkeys(chain.from_iterable(map(self._hand_written, possible)))
        return [each for each in found if not self.case.is_set_apart(each)]

    def _hand_written(self, symbol: Symbol) -> Iterator[Symbol]:
        """Yields a type. If a program generates its file, yields the types of the same name in
        other files instead, as it is made from one of them."""
        is_generated = self.case.registry.is_generated
        same_name = [symbol]
        if is_generated(symbol.path):
            same_name = list(islice(self._graph.find(symbol.name), _NAMESAKES))
        yield from (each for each in same_name if not is_generated(each.path))

    def _with_named_types(self, symbol: Symbol) -> Iterator[Symbol]:
        """Yields a definition, and the types of which it names several members."""
        yield symbol
        members: dict[SymbolId, set[SymbolId]] = {}
        for edge in self._graph.uses(symbol.id):
            for holder in enumerations_with(self._graph, edge.target):
                members.setdefault(holder, set()).add(edge.target)
        for holder, named in members.items():
            if len(named) >= FEWEST:
                yield self._graph.symbol(holder)

    def _titled_types(self) -> Iterator[Symbol]:
        """Yields the types whose names of several words stand in the title."""
        title_terms = self._words.title_terms
        telling = text.analyse(" ".join(self._words.telling_words(sorted(title_terms))))
        alone = (self._units_named(term) for term in telling)
        # Words that say little by themselves may say much side by side.
        together = (
            np.intersect1d(self._units_named(first), self._units_named(second))
            for first, second in pairwise(self._words.title_words)
        )
        seen: set[SymbolId] = set()
        for unit in chain.from_iterable(each.tolist() for each in chain(alone, together)):
            each = self._definition_at(unit)
            if each.is_file or each in seen or self._graph.kind(each) not in MEMBER_HOLDERS:
                continue
            seen.add(each)
            symbol = self._graph.symbol(each)
            if len(text.words_in(symbol.name)) >= _WORDS and self._is_titled(symbol):
                yield symbol

    def _is_titled(self, symbol: Symbol) -> bool:
        """Whether the title has a definition's whole name or all words of it."""
        title_terms = self._words.title_terms
        return text.whole(symbol.name) in title_terms or title_terms.issuperset(
            text.words_in(symbol.name)
        )

    def _as_asked_enumeration(self, symbol: Symbol) -> _Enumeration | None:
        """Returns a definition as an enumeration that is asked for. None if it is no enumeration,
        the question does not mean it, or its title names a member."""
        is_titled = self._is_titled(symbol)
        is_named = symbol.name in self._words.identifiers or self._is_partly_titled(symbol)
        worth = self._words.worth_in_title(text.analyse(called(symbol)))
        near = self._named_near[symbol.id]
        if not (is_named or (worth and (is_titled or near >= MANY))):
            return None
        members = members_of(self._graph, symbol)
        if members is None or self._asks_for_one_member(members):
            return None
        names_member = is_named or is_titled
        is_distinguished = not members.of_record and near >= max(
            MANY, _SHARE_NAMED * len(members.all)
        )
        if not names_member and not is_distinguished:
            return None
        return _Enumeration(members, worth, is_named, is_titled, is_distinguished=not names_member)

    @cached_property
    def _named_near(self) -> Counter[SymbolId]:
        """For each type, the most members that any single definition not far behind the best
        names."""
        found: Counter[SymbolId] = Counter()
        for symbol in self.near:
            targets = {edge.target for edge in self._graph.uses(symbol.id)}
            holders = chain.from_iterable(enumerations_with(self._graph, e) for e in targets)
            found |= Counter(holders)
        return found

    def _is_named_beside(self, subject: Symbol, members: Members) -> bool:
        """Whether the subject, or another part of its type, names several of the members."""
        if members.of_record:
            return False
        around = self._graph.container(subject.id)
        beside = [subject.id]
        if around is not None and not around.is_file:
            beside += self._graph.members(around)
        targets = {edge.target for each in beside for edge in self._graph.uses(each)}
        return len(targets & {each.id for each in members.all}) >= FEWEST

    def _is_partly_titled(self, symbol: Symbol) -> bool:
        """Whether two or more words of a name stand in the title in the same order. The last word
        may be missing if it says what kind of thing it is, as it does for several enumerations."""
        words = text.words_in(symbol.name)
        return self._stands_in_title(words) or (
            self._stands_in_title(words[:-1]) and self._is_kind(words[-1])
        )

    def _stands_in_title(self, words: list[str]) -> bool:
        return len(words) >= _WORDS and self._words.are_adjacent_in_order(words)

    def _is_kind(self, word: str) -> bool:
        """Whether the names of several enumerations end in a word."""
        units: list[int] = self._units_named(word).tolist()
        called_so: set[str] = set()
        for unit in units:
            each = self._definition_at(unit)
            if not each.is_file and self._graph.kind(each) == "enum":
                name = self._graph.symbol(each).name
                if text.words_in(name)[-1:] == [word]:
                    called_so.add(name)
            if len(called_so) == _LEAST_KINDS:
                return True
        return False

    def _asks_for_one_member(self, members: Members) -> bool:
        """Whether the title names one member, near the enumeration's name and in the clause that
        has most of it. Several named members are examples."""
        words = set(text.words_in(members.symbol.name))
        clauses = self._words.main_clauses(words)
        own_words = [set(text.words_in(each.name)) - words for each in members.all]
        titled = [each for each in own_words if each and each <= self._words.title_terms]
        return (
            len(titled) == 1
            and any(titled[0] <= clause for clause in clauses)
            and self._words.are_near(titled[0], words, _WORDS_APART)
        )
