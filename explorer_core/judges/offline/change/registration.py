"""Where a new one of a family is registered: what refers to several that there are.

Only for a question that has the words which the members share in their names, and not those by
which any of them differs from the others: who asks for one of them means that one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from posixpath import basename, commonpath

from explorer_core.held import memoised
from explorer_core.index.extraction.reference_table import CALLS
from explorer_core.index.families import FAMILY, Family, families_of
from explorer_core.index.symbols import MEMBER_HOLDERS, Edge, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.judges.offline.change.example import Example, Registration
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.statements import as_called, called
from explorer_core.registry.traits import is_aside, traits_of

_LOOKED_AT = 40
"""Best ranked candidates whose families are looked at."""
_RELATIVES = 600
"""Types of one hierarchy that are looked at."""
_MEMBERS = 12
"""Members of a family whose users are looked for."""
_FILES = 60
"""Files that are looked at for users of each."""
_SHARED = 0.6
"""How many of the members must have a word for it to be one of the family."""
_PLACES = 3
_BESIDE = 2
"""How many words from those of the family the words of one are still its name."""
NEARLY = 0.9
"""How much of what the family that has most of the question does another has that is asked for if
it is named before that."""


class Registrations(Finder):
    """Finds the family that one question names."""

    def example(self) -> Example | None:
        """A member of the family that has most of the question in its name, or nearly as much and
        is named first; of several one that is registered, or else one of the largest; None where
        no family is named."""
        ranked = filter(self._is_ranked, self._families())
        said = [(self._said(family), family) for family in ranked]
        most = max((each for each, _ in said), default=0.0)
        if not most:
            return None
        # What is asked for is named first; what that shall do or give is said after it.
        near = [(self._first_named(e), told, e) for told, e in said if told >= NEARLY * most]
        first = min(at for at, _, _ in near)
        families = [(told, family) for at, told, family in near if at == first]
        families.sort(key=lambda each: (-each[0], -len(each[1].members)))
        found = [self._example(family, told) for told, family in families]
        return next((each for each in found if each.places), found[0])

    def like(self, head: Symbol) -> Example | None:
        """A member of the family of one type, whatever the question calls it."""
        below = frozenset(edge.source for edge in self._graph.subtypes(head.id))
        family = Family(head.id, frozenset(filter(self._is_plain, below)))
        return self._example(family, 0.0) if len(family.members) >= FAMILY else None

    def _families(self) -> Iterator[Family]:
        """The families of the best ranked types, of those members that nothing derives from."""
        seen: set[SymbolId] = set()
        for symbol in self._types():
            subtypes = frozenset(edge.source for edge in self._graph.subtypes(symbol.id))
            for family in (Family(symbol.id, subtypes), *families_of(self._graph, symbol.id)):
                if family.head not in seen and len(family.members) >= FAMILY:
                    seen.add(family.head)
                    members = frozenset(filter(self._is_plain, family.members))
                    if len(members) >= FAMILY and not self._is_foreign(family):
                        yield Family(family.head, members)

    def _is_ranked(self, family: Family) -> bool:
        """Whether any file of a family has more to do with the question than a word of its name."""
        ranks = self.exhibits.file_ranks
        return any(each.path in ranks for each in (family.head, *family.members))

    def _is_foreign(self, family: Family) -> bool:
        """Whether a family lies in one file that only declares, and no other says a name of it: so
        do the types of a library."""
        each = {family.head, *family.members}
        view, path = self.case.index.view, family.head.path
        facts = view.facts(path) if {one.path for one in each} == {path} else None
        if facts is None or any(reference.kind in CALLS for reference in facts.references):
            return False
        names = {self._graph.symbol(one).name for one in each}
        return all(set(view.files_mentioning(name)) <= {path} for name in names)

    def _is_plain(self, member: SymbolId) -> bool:
        derived = (self._graph.symbol(edge.source) for edge in self._graph.subtypes(member))
        return not self.case.set_apart(self._graph.symbol(member)) and all(
            map(self.case.set_apart, derived)
        )

    def _types(self) -> Iterator[Symbol]:
        """The types among the best ranked definitions, and those that they are in."""
        seen: set[SymbolId] = set()
        for candidate in self.case.ranking.candidates[:_LOOKED_AT]:
            if not candidate.symbols or is_aside(candidate.traits):
                continue
            found = self._graph.enclosing(candidate.path, candidate.symbols[0].line)
            around = (found.id, *self._graph.containers(found.id)) if found is not None else ()
            for each in around:
                if each not in seen and self._graph.kind(each) in MEMBER_HOLDERS:
                    yield self._graph.symbol(each)
                seen.add(each)

    # what a question names

    def _said(self, family: Family) -> float:
        """How much of what the title says is in the name of a family; nothing where the title does
        not name what kind of thing the members are, or where it names one of them or of their
        relatives; in another clause that is an example."""
        titled = self._words.titled
        graph = self._graph
        head, *around = (text.words_in(each) for each in self._heads(family))
        shared = common_words(self._names(family)).union(head, *around)
        kinds = self._kinds(family) & titled
        if not kinds:
            return 0.0
        relatives = (graph.symbol(each).name for each in self._relatives(family))
        own = (set(text.words_in(name)) - shared for name in relatives)
        # What lies in one file is told as an enumeration, if only its members are an example.
        apart = len({each.path for each in family.members}) > 1
        asked = self._words.asking_for(shared) if apart else [titled]
        of_one = [words for words in own if any(words and words <= clause for clause in asked)]
        if apart:
            # What a folder is called may stand there for where something is.
            kinds = kinds.intersection(head[-1:]) or kinds
            of_one = [words for words in of_one if self._words.name_one(words, kinds)]
        # Apart from the whole name of the family they say what a new one shall do.
        if apart and self._is_named(family):
            near = self._words.stand_near
            of_one = [words for words in of_one if near(words, head, _BESIDE)]
        if of_one:
            return 0.0
        return self._words.worth(shared)

    def _names(self, family: Family) -> list[list[str]]:
        return [text.words_in(self._graph.symbol(each).name) for each in family.members]

    def _kinds(self, family: Family) -> set[str]:
        """The words for what kind of thing the members of a family are."""
        kinds = common_words([name[-1:] for name in self._names(family)])
        head, *around = (text.words_in(each)[-1:] for each in self._heads(family))
        # Members that say what they are by their names are not what their folder is called.
        return kinds.union(head, *(() if kinds else around))

    def _first_named(self, family: Family) -> int:
        """Where the title says what kind of thing the members of a family are."""
        return self._words.first(self._kinds(family))

    def _is_named(self, family: Family) -> bool:
        """Whether the title has the whole name of a family, of several words."""
        words = text.words_in(self._graph.symbol(family.head).name)
        return len(words) > 1 and self._words.stand_together(words)

    def _heads(self, family: Family) -> Iterator[str]:
        """What a family is called: by its head, by what that derives from itself, and by the
        folder that holds the files of it."""
        yield self._graph.symbol(family.head).name
        for edge in self._graph.supertypes(family.head):
            yield self._graph.symbol(edge.target).name
        paths = {each.path for each in (family.head, *family.members)}
        if len(paths) > 1:
            yield basename(commonpath(paths))

    def _relatives(self, family: Family) -> set[SymbolId]:
        """All that derive from the head of a family, or from what that derives from itself and
        that is of a kind which the question names."""
        above = reached(
            {family.head}, lambda each: (e.target for e in self._graph.supertypes(each))
        )
        asked = self._words.weights.keys()
        named = {e for e in above if asked >= set(text.words_in(self._graph.symbol(e).name)[-1:])}
        return reached(
            named | {family.head}, lambda each: (e.source for e in self._graph.subtypes(each))
        )

    # what refers to it

    def _example(self, family: Family, said: float) -> Example:
        members = sorted(family.members, key=self._preference)[:_MEMBERS]
        users: dict[SymbolId, dict[SymbolId, list[Edge]]] = {}
        for member in members:
            for user, edge in self._users_of(member, family):
                users.setdefault(user, {}).setdefault(member, []).append(edge)
        several = {user: edges for user, edges in users.items() if len(edges) >= FAMILY}
        chosen = sorted(self._innermost(several), key=lambda each: (-len(several[each]), each))
        chosen = chosen[:_PLACES]
        example = min(members, key=lambda each: -sum(each in several[user] for user in chosen))
        places = (self._place(user, _row(several[user], example), family) for user in chosen)
        derived = (e for e in self._graph.supertypes(example) if e.target == family.head)
        return Example(
            self._graph.symbol(example),
            next(derived),
            tuple(places),
            said,
            named=self._is_named(family),
        )

    def _users_of(self, member: SymbolId, family: Family) -> Iterator[tuple[SymbolId, Edge]]:
        """Certain uses of a member, or of how one is made, outside of the family: by whom, and by
        the type that is in."""
        members = self._graph.members(member)
        made = [each for each in members if self._graph.kind(each) == "constructor"]
        for used in (member, *made):
            for edge in self._graph.uses_of(used, files=_FILES):
                traits = traits_of(edge.path)
                apart = (is_aside(traits) and not traits.generated) or traits.support
                if edge.is_by_name or apart or self._graph.symbol(edge.source).test:
                    continue
                around = list(self._around(edge.source))
                inside = any(self._derives(each, family) for each in around)
                if not inside and self.exhibits.has(edge.path):
                    yield from ((each, edge) for each in around)

    def _around(self, symbol: SymbolId) -> Iterator[SymbolId]:
        """A definition and those that it is in, of its file; the file only if it is in no other."""
        yield symbol
        yield from (e for e in self._graph.containers(symbol) if e.path == symbol.path)

    def _derives(self, symbol: SymbolId, family: Family) -> bool:
        """Whether a definition derives from what the members of a family do."""
        return symbol != family.head and family.head in self._above(symbol)

    @memoised
    def _above(self, symbol: SymbolId) -> set[SymbolId]:
        """A definition and what it derives from."""
        return reached({symbol}, lambda each: (e.target for e in self._graph.supertypes(each)))

    def _innermost(self, several: Mapping[SymbolId, object]) -> Iterator[SymbolId]:
        """One of those in each file, the innermost first."""
        of_files: dict[str, SymbolId] = {}
        for user in sorted(several, key=lambda each: (each.is_file, -self._depth(each), each)):
            of_files.setdefault(user.path, user)
        yield from of_files.values()

    def _depth(self, symbol: SymbolId) -> int:
        return sum(1 for _ in self._around(symbol))

    def _place(self, user: SymbolId, edge: Edge, family: Family) -> Registration:
        inside = reached({user}, lambda each: (e.target for e in self._graph.contained(each)))
        used = {
            edge.target
            for each in inside
            for edge in self._graph.outgoing(each)
            if edge.relation != "contains"
        }
        used |= {owner for each in used if (owner := self._graph.container(each)) is not None}
        head = self._graph.symbol(family.head)
        self.case.registry.learn_of(map(as_called, (head, self._graph.symbol(user))))
        count = f"{len(used & family.members)} of the {len(family.members)}"
        symbol = self._graph.symbol(user)
        who = "It" if edge.source == user else called(symbol)
        total = f"{who} refers to {count} types that derive from {called(head)}."
        return Registration(symbol, edge, total)

    def _preference(self, member: SymbolId) -> tuple[int, SymbolId]:
        return self.exhibits.file_rank(member.path), member


def reached(
    start: set[SymbolId], following: Callable[[SymbolId], Iterable[SymbolId]]
) -> set[SymbolId]:
    """What some definitions lead to, themselves included, as far as `_RELATIVES` of them."""
    reached, pending = set(start), sorted(start)
    for each in pending:
        if len(reached) > _RELATIVES:
            break
        further = set(following(each)) - reached
        reached |= further
        pending += sorted(further)
    return reached


def _row(edges: Mapping[SymbolId, Sequence[Edge]], example: SymbolId) -> Edge:
    """The edge by which a user registers the example, or else another member. Registering treats
    all members alike, in one place: so of its edges the one nearest to those of the others, and a
    call if any of theirs is one."""
    member = example if example in edges else min(edges)
    others = [edge for each, of_other in edges.items() if each != member for edge in of_other]
    are_made = any(edge.relation == "calls" for edge in others)

    def farness(edge: Edge) -> tuple[bool, int, int]:
        lines = sum(abs(edge.line - other.line) for other in others)
        return are_made and edge.relation != "calls", lines, -edge.line

    return min(edges[member], key=farness)


def common_words(names: Sequence[Sequence[str]]) -> set[str]:
    """The words that most of some names have."""
    times = Counter(chain.from_iterable(map(set, names)))
    return {word for word, count in times.items() if count >= _SHARED * len(names)}
