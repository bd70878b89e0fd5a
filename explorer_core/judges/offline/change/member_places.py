"""Where the members of an enumeration are told apart, so that a new one has to go there as well."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, zip_longest

from explorer_core.index.symbols import Edge, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.judges.offline.change.example import Registration
from explorer_core.judges.offline.change.members import FEWEST, Members, named_by
from explorer_core.judges.offline.change.names_together import Names, NamesTogether, Naming
from explorer_core.judges.offline.change.reach import constructors_of
from explorer_core.judges.offline.change.twins import Twins
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.statements import called

_SHARE, MANY = 0.5, 8
"""Share of the members that a place must name to tell them apart; of those that are no fields it is
enough to name so many."""
_TERMS, _TERMS_SHARE = 4, 0.6
"""How many names of members a place must have, and what share of all, where no edge says that they
are named; of a record `MANY`."""
_MEMBERS, _FILES = 60, 40
"""Members whose users are looked for, and files that are looked at for users of each."""
_PLACES, _BESIDE = 4, 2
"""Places that are told beside the enumeration itself, and others of their files that a sentence
names beside one."""
_TELLING = 0.5
"""Share of what the most telling word of the title tells that the first word of a member must tell
for the title to mean it."""
_USED = 2
"""Users of some members that are told where nothing names most of them."""
_OF_TWIN = 2
"""Places that are told of the twin, beside that itself."""


class MemberPlaces(Finder):
    """Finds what tells the members of an enumeration apart, for one question."""

    def of(self, members: Members) -> list[Registration]:
        """What names most of the members, those first that name most; then what has their names
        though no edge says so; then the twin of the enumeration, with what names most of its
        members. Nothing if all that is found only defines things of these names, or only makes the
        record in its own file."""
        known, left = self._naming(members)
        makers = self._makers(members)
        told = {each.user.path for each in known}
        like = (each for each in self._named_together(members) if each.user.path not in told)
        found = [*known, *islice(like, max(0, _PLACES - len(known)))]
        own = members.symbol.path
        if all(each.user.id in makers and each.user.path == own for each in found):
            return []
        if not any(map(self._uses_names, found)):
            return []
        told = {each.user.path for each in found}
        if members.of_record:
            left += (each.path for each in self._in_files(members, with_name=False))
        others = [each for each in dict.fromkeys(left) if each not in told]
        found = NamesTogether(self.exhibits).with_elsewhere(found, others)
        return [*found, *self._twin(members, {each.user.id for each in found})]

    def used(self, members: Members) -> list[Registration]:
        """What uses members where nothing names most of them: several of them, or the one that is
        shown. Those that name most come first, and of equals those in the best ranked files."""
        order = self._order(members)
        shown = max(order, key=lambda each: order[each])
        edges = self._graph.uses_of(shown, files=_FILES)
        several = (user for user, each in self._named(members).items() if len(each) > 1)
        counts = {user: self._directly(members, user) for user in several if not user.is_file}
        counts.update((edge.source, counts.get(edge.source, 1)) for edge in edges if _is_use(edge))

        def preference(user: SymbolId) -> tuple[int, int, SymbolId]:
            return -counts[user], self.exhibits.file_rank(user.path), user

        users = (
            each for each in sorted(counts, key=preference) if self._tells_apart(members, each)
        )
        return [self._place(members, each, ()) for each in islice(users, _USED)]

    def _uses_names(self, place: Registration) -> bool:
        """Whether a place names members, and does not define what is called so itself."""
        if place.literal is None:
            return True
        inner = self._graph.enclosing(place.user.path, place.literal.line)
        return inner is None or inner.name != place.literal.name

    def _twin(self, members: Members, shown: Collection[SymbolId]) -> list[Registration]:
        """The twin of an enumeration, and what names most members of that; nothing where the twin
        is ``shown`` already."""
        twin = Twins(self.exhibits).of(members)
        if twin is None or twin.members.symbol.id in shown:
            return []
        self.exhibits.learn_of(members.symbol)
        whole = self.whole(twin.members, None)
        total = f"It has {twin.common} of the members of {called(members.symbol)}."
        naming = (each for each in self._naming(twin.members)[0] if each.user.id not in shown)
        places = [replace(whole, total=total), *islice(naming, _OF_TWIN)]
        told = {each.user.path for each in places}
        told.update(each.path for each in (members.symbol, *shown))
        files = (each.path for each in self._in_files(twin.members, with_name=True))
        others = [each for each in files if each not in told]
        return NamesTogether(self.exhibits).with_elsewhere(places, others)

    def _naming(self, members: Members) -> tuple[list[Registration], list[str]]:
        """What names most of the members, one of each file in turn, and the files of those that are
        too many to be told."""
        half = _SHARE * min(len(members.each), _MEMBERS)
        least = max(FEWEST, half if members.of_record else min(MANY, half))
        named = self._named(members)

        def order(user: SymbolId) -> tuple[int, int, SymbolId]:
            return -len(named[user]), self.exhibits.file_rank(user.path), user

        files: dict[str, list[SymbolId]] = {}
        for user in sorted(named, key=order):
            enough = len(named[user]) >= least and self._tells_apart(members, user)
            if enough and self._directly(members, user) >= FEWEST:
                files.setdefault(user.path, []).append(user)
        turns = chain.from_iterable(zip_longest(*files.values()))
        told = list(islice((each for each in turns if each is not None), _PLACES))
        places: list[Registration] = []
        for user in told:
            best, *others = files[user.path]
            alike = (each for each in others if len(named[each]) == len(named[best]))
            beside = [each for each in alike if each not in told]
            places.append(self._place(members, user, beside if user == best else ()))
        return places, list(files)[_PLACES:]

    def _named(self, members: Members) -> dict[SymbolId, set[SymbolId]]:
        """The members that each user names, be it only by one that is made of them."""
        named: dict[SymbolId, set[SymbolId]] = {}
        for member in members.each[:_MEMBERS]:
            for edge in self._graph.uses_of(member.id, files=_FILES):
                if _is_use(edge):
                    named.setdefault(edge.source, set()).add(member.id)
        return named

    def _directly(self, members: Members, user: SymbolId) -> int:
        """How many members a user names itself, and not only by one that is made of them."""
        every = {each.id for each in members.each}
        return len({edge.target for edge in named_by(self._graph, user, every)})

    def _tells_apart(self, members: Members, user: SymbolId) -> bool:
        """Whether a user may be told: it is code that a question is about, and neither the
        enumeration itself nor a part of the record."""
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
        """A user as a place, on the line where it names the member that is shown (see `_order`): a
        new one goes beside that. Those ``beside`` it in its file name as many."""
        order = self._order(members)
        edges = named_by(self._graph, user, order)
        symbol = self._graph.symbol(user)
        others = {called(each): each for each in map(self._graph.symbol, beside)}
        others.pop(called(symbol), None)
        self.exhibits.learn_of(symbol, members.symbol, *others.values())
        count = f"{len({edge.target for edge in edges})} of the {len(order)}"
        names = " and ".join(islice(others, _BESIDE))
        also = f", as many as {names} beside it" if names else ""
        total = f"It names {count} {members.called_so}{also}."
        shown = max(edges, key=lambda edge: (order[edge.target], edge.line))
        return Registration(symbol, shown, total)

    def _makers(self, members: Members) -> set[SymbolId]:
        """What makes a record."""
        if not members.of_record:
            return set()
        record = members.symbol.id
        return {
            edge.source
            for each in (record, *constructors_of(self._graph, record))
            for edge in self._graph.uses_of(each, files=_FILES, calls=True)
            if not edge.is_by_name and self._tells_apart(members, edge.source)
        }

    def _named_together(self, members: Members) -> Iterator[Registration]:
        """The units that have the names of most members, as far as these are not its own."""
        terms, respelt = _terms(members)
        together = NamesTogether(self.exhibits)
        fewest = MANY if members.of_record else _TERMS
        least = max(fewest, _TERMS_SHARE * len(terms))
        order = {term: self._order(members)[each.id] for term, each in terms.items()}
        names = Names(dict.fromkeys(terms, ()), respelt)
        for naming in together.units(names, least, but=members.symbol):
            count = f"{len(naming.terms)} of the {len(members.each)}"
            total = f"It has the names of {count} {members.called_so}."
            self.exhibits.learn_of(members.symbol)
            shown = max(naming.rows, key=lambda row: (order[row[2]], row[0]))
            if not _is_member(members, naming.path, shown[0]):
                yield together.place(naming, shown, total)

    def _in_files(self, members: Members, *, with_name: bool) -> Iterator[Naming]:
        """The files, data among them, that have the names of most members; if ``with_name`` is set,
        only those that have the name of the enumeration as well, of which fewer are asked."""
        terms, respelt = _terms(members)
        names = Names(dict.fromkeys(terms, (members.symbol.path,)), respelt)
        together = NamesTogether(self.exhibits)
        if with_name:
            name = text.whole(members.symbol.name)
            return together.files(names, _SHARE, FEWEST, beside=name)
        return together.files(names, _TERMS_SHARE, MANY)

    def _order(self, members: Members) -> dict[SymbolId, tuple[bool, int]]:
        """Order among the members of an enumeration; the last of them is the one that is shown. It
        is one whose own name begins with a telling word of the title, if there is one: the new one
        may be there already, or be like it. Else it is the one that stands last, made of no
        others."""
        told = self._words.title_weights
        bar = _TELLING * max(told.values(), default=0.0)
        around = set(text.words_in(called(members.symbol)))
        made = self._made_of_others(members)
        order: dict[SymbolId, tuple[bool, int]] = {}
        for at, each in enumerate(members.each):
            own = next((word for word in text.words_in(each.name) if word not in around), "")
            order[each.id] = told.get(own, -1.0) >= bar, -1 if each.id in made else at
        return order

    def _made_of_others(self, members: Members) -> set[SymbolId]:
        """The members whose values are made of others, and which are no kind of their own."""
        every = {each.id for each in members.each if not members.of_record}
        return {each for each in every if named_by(self._graph, each, every)}

    def whole(self, members: Members, named: Edge | None) -> Registration:
        """The enumeration, shown at the member that is last in `_order`; where its members are not
        written inside of it, that member itself. If ``named``, an edge of another place, leads to
        the one before, this is shown here as well."""
        order = self._order(members)
        *_, before, last = sorted(members.each, key=lambda each: order[each.id])
        if named is not None and named.target == before.id:
            last = before
        count, name = len(members.each), called(members.symbol)
        total = f"{name} has {count} members."
        if members.are_types:
            total = f"{count} types derive from {name}."
        if members.are_inside:
            line = last.line
            within = Edge("contains", members.symbol.id, last.id, last.path, line, "graph:scope")
            return Registration(members.symbol, within, total)
        self.exhibits.learn_of(members.symbol)
        edges = [e for e in self._graph.outgoing(last.id) if e.target == members.symbol.id]
        derived = min(edges, key=lambda edge: edge.relation == "calls", default=None)
        return Registration(last, derived, total)


def _terms(members: Members) -> tuple[dict[str, Symbol], dict[str, str]]:
    """The members by the terms of their names, and for what else these are spelt as the term."""
    terms = {text.whole(each.name): each for each in members.each}
    terms.pop("", None)
    other = {text.respelt(each.name): term for term, each in terms.items()}
    return terms, {spelt: term for spelt, term in other.items() if spelt and spelt not in terms}


def _is_use(edge: Edge) -> bool:
    return not edge.is_by_name and edge.relation != "imports"


def _is_member(members: Members, path: str, line: int) -> bool:
    """Whether a member is defined on a line."""
    return any(each.path == path and line in each.range for each in members.each)
