"""Finds where the members of an enumeration are told apart, as a new one has to be added there.

For ``Color.RED`` and its siblings this is the function with a case for each, or the map of their
titles.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest

from explorer_core.index.symbols import Edge, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.judges.offline.change.example import Registration
from explorer_core.judges.offline.change.members import FEWEST, Members, named_by
from explorer_core.judges.offline.change.names_together import Names, NamesTogether, Naming
from explorer_core.judges.offline.change.twins import Twins
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.reach import constructors_of
from explorer_core.judges.statements import called

_SHARE, MANY = 0.5, 8
"""A place tells the members apart if it names ``_SHARE`` of them; ``MANY`` are enough if they are
no fields."""
_TERMS, _TERMS_SHARE = 4, 0.6
"""If no edge proves that a place names members, it must have ``_TERMS`` of their names and
``_TERMS_SHARE`` of all. For a record the number is `MANY`."""
_MEMBERS, _FILES = 60, 40
"""How many members' users are searched, and in how many files for each."""
_PLACES, _MOST_BESIDE = 4, 2
"""How many places are shown besides the enumeration, and how many further ones in its file a
sentence names beside one."""
_LEAST_TELLING = 0.5
"""A member counts as meant by the title if its first word says at least this share of what the
title's most telling word says."""
_MOST_USERS = 2
"""How many users of some members are shown if no place names most of them."""
_PLACES_OF_TWIN = 2
"""How many places of the twin are shown besides the twin."""


class MemberPlaces(Finder):
    """Finds what tells the members of an enumeration apart, for one question."""

    def of(self, members: Members) -> list[Registration]:
        """Returns the places that name most of the members.

        Those that name most come first. Then come places that have the members' names without an
        edge, and then the twin of the enumeration with its own places. Empty if all that is found
        merely defines things of these names, or merely makes the record in its own file.
        """
        known, further_paths = self._places_naming(members)
        makers = self._makers(members)
        paths = {each.user.path for each in known}
        by_name = (each for each in self._units_naming(members) if each.user.path not in paths)
        found = [*known, *islice(by_name, max(0, _PLACES - len(known)))]
        own_path = members.symbol.path
        if all(each.user.id in makers and each.user.path == own_path for each in found):
            return []
        if not any(map(self._names_members, found)):
            return []
        paths = {each.user.path for each in found}
        if members.of_record:
            further_paths += (each.path for each in self._files_naming(members, with_name=False))
        others = [each for each in dict.fromkeys(further_paths) if each not in paths]
        found = NamesTogether(self.exhibits).with_elsewhere(found, others)
        return [*found, *self._twin(members, {each.user.id for each in found})]

    def used(self, members: Members) -> list[Registration]:
        """Returns users of some members, if no place names most of them: users of several members,
        and of the one that is shown. Those that name most come first, then those in the best ranked
        files."""
        order = self._order(members)
        shown_member = max(order, key=lambda each: order[each])
        edges = self._graph.uses_of(shown_member, files=_FILES)
        users_of_several = (
            user for user, each in self._members_by_user(members).items() if len(each) > 1
        )
        counts = {
            user: self._count_named_directly(members, user)
            for user in users_of_several
            if not user.is_file
        }
        counts.update((edge.source, counts.get(edge.source, 1)) for edge in edges if _is_use(edge))

        def preference(user: SymbolId) -> tuple[int, int, SymbolId]:
            return -counts[user], self.exhibits.file_rank(user.path), user

        users = (
            each for each in sorted(counts, key=preference) if self._may_be_shown(members, each)
        )
        return [self._place(members, each, ()) for each in islice(users, _MOST_USERS)]

    def _names_members(self, place: Registration) -> bool:
        """Whether a place names members, rather than defining something of the same name."""
        if place.literal is None:
            return True
        inner = self._graph.enclosing(place.user.path, place.literal.line)
        return inner is None or inner.name != place.literal.name

    def _twin(self, members: Members, shown: Collection[SymbolId]) -> list[Registration]:
        """Returns the twin of an enumeration and what names most of its members; empty if the twin
        is ``shown`` already."""
        twin = Twins(self.exhibits).of(members)
        if twin is None or twin.members.symbol.id in shown:
            return []
        self.exhibits.record_symbols(members.symbol)
        whole = self.whole(twin.members, None)
        total = f"It shares {twin.common} members with {called(members.symbol)}."
        naming = (
            each for each in self._places_naming(twin.members)[0] if each.user.id not in shown
        )
        places = [replace(whole, total=total), *islice(naming, _PLACES_OF_TWIN)]
        paths = {each.user.path for each in places}
        paths.update(each.path for each in (members.symbol, *shown))
        files = (each.path for each in self._files_naming(twin.members, with_name=True))
        others = [each for each in files if each not in paths]
        return NamesTogether(self.exhibits).with_elsewhere(places, others)

    def _places_naming(self, members: Members) -> tuple[list[Registration], list[str]]:
        """Returns the places that name most members, taking files in turn, and the paths of the
        files that there was no room for."""
        half = _SHARE * min(len(members.all), _MEMBERS)
        least = max(FEWEST, half if members.of_record else min(MANY, half))
        members_of = self._members_by_user(members)

        def order(user: SymbolId) -> tuple[int, int, SymbolId]:
            return -len(members_of[user]), self.exhibits.file_rank(user.path), user

        files: dict[str, list[SymbolId]] = {}
        for user in sorted(members_of, key=order):
            enough = len(members_of[user]) >= least and self._may_be_shown(members, user)
            if enough and self._count_named_directly(members, user) >= FEWEST:
                files.setdefault(user.path, []).append(user)
        turns = chain.from_iterable(zip_longest(*files.values()))
        chosen = list(islice((each for each in turns if each is not None), _PLACES))
        places: list[Registration] = []
        for user in chosen:
            best, *others = files[user.path]
            equal = (each for each in others if len(members_of[each]) == len(members_of[best]))
            beside = [each for each in equal if each not in chosen]
            places.append(self._place(members, user, beside if user == best else ()))
        return places, list(files)[_PLACES:]

    def _members_by_user(self, members: Members) -> dict[SymbolId, set[SymbolId]]:
        """Returns the members that each user names, directly or by a member that is made of
        them."""
        named: dict[SymbolId, set[SymbolId]] = {}
        for member in members.all[:_MEMBERS]:
            for edge in self._graph.uses_of(member.id, files=_FILES):
                if _is_use(edge):
                    named.setdefault(edge.source, set()).add(member.id)
        return named

    def _count_named_directly(self, members: Members, user: SymbolId) -> int:
        """Counts the members that a user names directly."""
        every = {each.id for each in members.all}
        return len({edge.target for edge in named_by(self._graph, user, every)})

    def _may_be_shown(self, members: Members, user: SymbolId) -> bool:
        """Whether a user may be shown: it is code that the question can be about, and neither the
        enumeration itself nor part of the record."""
        of = members.symbol.id
        inside = members.of_record and of in self._graph.containers(user)
        return (
            not user.is_file
            and user != of
            and not inside
            and self.exhibits.has(user.path)
            and not self._is_apart(self._graph.symbol(user))
        )

    def _place(self, members: Members, user: SymbolId, beside: Sequence[SymbolId]) -> Registration:
        """Returns a user as a registration, shown on the line of the member that is last in
        `_order`: the new one goes beside that. A sentence mentions those ``beside`` it that name as
        many."""
        order = self._order(members)
        edges = named_by(self._graph, user, order)
        symbol = self._graph.symbol(user)
        others = {called(each): each for each in map(self._graph.symbol, beside)}
        others.pop(called(symbol), None)
        self.exhibits.record_symbols(symbol, members.symbol, *others.values())
        count = f"{len({edge.target for edge in edges})} of the {len(order)}"
        alike = list(islice(others, _MOST_BESIDE))
        also = f", as {'do' if len(alike) > 1 else 'does'} {' and '.join(alike)}" if alike else ""
        total = f"It mentions {count} {members.called_so}{also}."
        shown = max(edges, key=lambda edge: (order[edge.target], edge.line))
        return Registration(symbol, shown, total)

    def _makers(self, members: Members) -> set[SymbolId]:
        """Returns the definitions that make a record."""
        if not members.of_record:
            return set()
        record = members.symbol.id
        return {
            edge.source
            for each in (record, *constructors_of(self._graph, record))
            for edge in self._graph.uses_of(each, files=_FILES, calls=True)
            if not edge.is_by_name and self._may_be_shown(members, edge.source)
        }

    def _units_naming(self, members: Members) -> Iterator[Registration]:
        """Yields the units outside of the enumeration that have the names of most members."""
        terms, respelt = _members_by_term(members)
        together = NamesTogether(self.exhibits)
        fewest = MANY if members.of_record else _TERMS
        least = max(fewest, _TERMS_SHARE * len(terms))
        order = {term: self._order(members)[each.id] for term, each in terms.items()}
        names = Names(dict.fromkeys(terms, ()), respelt)
        for naming in together.units(names, least, excluded=members.symbol):
            count = f"{len(naming.terms)} of the {len(members.all)}"
            total = f"It contains the names of {count} {members.called_so}."
            self.exhibits.record_symbols(members.symbol)
            shown = max(naming.rows, key=lambda row: (order[row[2]], row[0]))
            if not _is_member(members, naming.path, shown[0]):
                yield together.place(naming, shown, total)

    def _files_naming(self, members: Members, *, with_name: bool) -> Iterator[Naming]:
        """Yields the files, including data, that have the names of most members. ``with_name``
        requires the enumeration's name as well, and then fewer members are enough."""
        terms, respelt = _members_by_term(members)
        names = Names(dict.fromkeys(terms, (members.symbol.path,)), respelt)
        together = NamesTogether(self.exhibits)
        if with_name:
            name = text.whole(members.symbol.name)
            return together.files(names, _SHARE, FEWEST, beside=name)
        return together.files(names, _TERMS_SHARE, MANY)

    def _order(self, members: Members) -> dict[SymbolId, tuple[bool, int]]:
        """Returns a sort key for each member. The last member is the one that is shown.

        It is one whose own name begins with a telling word of the title, if there is any: the new
        one may be there already, or be like it. Otherwise it is the last one that is not made of
        others.
        """
        weights = self._words.title_weights
        bar = _LEAST_TELLING * max(weights.values(), default=0.0)
        around = set(text.words_in(called(members.symbol)))
        composed = self._composed_members(members)
        order: dict[SymbolId, tuple[bool, int]] = {}
        for at, each in enumerate(members.all):
            own_word = next((word for word in text.words_in(each.name) if word not in around), "")
            order[each.id] = weights.get(own_word, -1.0) >= bar, -1 if each.id in composed else at
        return order

    def _composed_members(self, members: Members) -> set[SymbolId]:
        """Returns the members whose values are made of other members."""
        every = {each.id for each in members.all if not members.of_record}
        return {each for each in every if named_by(self._graph, each, every)}

    def whole(self, members: Members, named: Edge | None) -> Registration:
        """Returns the enumeration as a registration, shown at the member that is last in `_order`.

        If the members are not written inside of it, that member is returned instead. If ``named``,
        an edge of another place, leads to the member before the last, that one is shown here too.
        """
        order = self._order(members)
        *_, before, last = sorted(members.all, key=lambda each: order[each.id])
        if named is not None and named.target == before.id:
            last = before
        count, name = len(members.all), called(members.symbol)
        total = f"{name} has {count} members."
        if members.are_types:
            total = f"{count} types derive from {name}."
        if members.are_inside:
            line = last.line
            within = Edge("contains", members.symbol.id, last.id, last.path, line, "graph:scope")
            return Registration(members.symbol, within, total)
        self.exhibits.record_symbols(members.symbol)
        edges = [e for e in self._graph.outgoing(last.id) if e.target == members.symbol.id]
        derived = min(edges, key=lambda edge: edge.relation == "calls", default=None)
        return Registration(last, derived, total)


def _members_by_term(members: Members) -> tuple[dict[str, Symbol], dict[str, str]]:
    """Returns the members by the terms of their names, and other spellings mapped to these
    terms."""
    terms = {text.whole(each.name): each for each in members.all}
    terms.pop("", None)
    other = {text.respelt(each.name): term for term, each in terms.items()}
    return terms, {spelt: term for spelt, term in other.items() if spelt and spelt not in terms}


def _is_use(edge: Edge) -> bool:
    return not edge.is_by_name and edge.relation != "imports"


def _is_member(members: Members, path: str, line: int) -> bool:
    """Whether a member is defined on a line."""
    return any(each.path == path and line in each.range for each in members.all)
