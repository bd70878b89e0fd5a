"""Chooses the example that a new one of a kind is to follow.

"Add another exporter" may ask for a type that derives from ``Exporter``, a member of an
enumeration, a row of a table, a name in a list, or a file in a folder. Each of these has its own
finder, and several may find something for one question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from explorer_core.index.symbols import MEMBER_HOLDERS, Symbol
from explorer_core.index.terms import text
from explorer_core.judges.offline.change.enumerations import Enumerations
from explorer_core.judges.offline.change.example import Example
from explorer_core.judges.offline.change.listed import Listed
from explorer_core.judges.offline.change.members import members_of
from explorer_core.judges.offline.change.overridden import Overridden
from explorer_core.judges.offline.change.registrations import Registrations
from explorer_core.judges.offline.change.siblings import Siblings
from explorer_core.judges.offline.change.subject import Subject
from explorer_core.judges.offline.change.tables import Tables
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.reach import with_supertypes
from explorer_core.judges.statements import called


@dataclass(frozen=True)
class Choice(Finder):
    """Chooses the example for one question with a subject."""

    subject: Subject
    seeds: Sequence[Symbol]
    """The best ranked definitions; none if all that was found is text, while the question names
    what was indexed since."""
    near: Sequence[Symbol]
    """All definitions ranked not far behind the first."""
    named: Sequence[Symbol]
    """What the question names below its title."""

    @cached_property
    def leading(self) -> Example | None:
        """The example, if the question asks for a new one of its kind rather than for the subject.

        That is so if places are known that name the kind, or if the kind's name has as much of the
        question as the subject's.
        """
        example = self._example()
        if example is None:
            return None
        if example.head is not None and not self.exhibits.has(example.head.path):
            example = replace(example, head=None)
        return example if self._is_asked_for(example) else None

    @cached_property
    def beside(self) -> Example | None:
        """The table to show beside the subject, if it ranks not far behind the best. Only if no
        example leads."""
        listed = self._listed if self.leading is None else None
        return listed if listed is not None and listed.member in self.near else None

    def _is_asked_for(self, example: Example) -> bool:
        if example.places or (self.subject.within is not None and not example.is_named):
            return bool(example.places)
        if example.head is not None and example.head == self._overridden:
            return True
        if example.is_named and self._is_of_family(self.subject.symbol, example.head):
            return True
        return example.worth >= self._subject_worth

    def _is_of_family(self, symbol: Symbol, head: Symbol | None) -> bool:
        """Whether a definition, or the type around it, derives from ``head``."""
        around = {symbol.id, *self._graph.containers(symbol.id)}
        return head is not None and head.id in with_supertypes(self._graph, around)

    def _example(self) -> Example | None:
        """Returns the example that the question asks for.

        If no place is known where that one is named, a table that ranks well takes its place, if
        the table's name has more of the question than the names of the example and the subject.
        """
        found = next(filter(None, self._possible_examples()), None)
        if (found is not None and found.places) or (listed := self._listed) is None:
            return found
        bar = max(found.worth if found is not None else 0.0, self._subject_worth)
        return listed if listed.worth > bar or listed.member == self.subject.symbol else found

    @cached_property
    def _listed(self) -> Example | None:
        """A table that ranks well and whose rows are listed again elsewhere."""
        return Listed(self.exhibits).ranked_example()

    @cached_property
    def _overridden(self) -> Symbol | None:
        """The type whose member the best ranked definitions override; None if the title names the
        subject."""
        if self.subject.is_named and self.subject.symbol not in self.named:
            return None
        return Overridden(self.exhibits).type()

    @property
    def _subject_worth(self) -> float:
        """How much of the title is in the subject's name."""
        return self._words.worth_in_title(text.words_in(called(self.subject.symbol)))

    def _possible_examples(self) -> Iterator[Example | None]:
        """Yields the possible examples, the surest first: those whose places are known come early,
        those without places last."""
        family, is_best = self._family()
        enumerated = self._enumerated(family)
        if family is not None and family.places:
            yield self._merged(family, enumerated)
        siblings = Siblings(self.exhibits, self.subject.symbol)
        if is_best:
            yield siblings.beside_best()
        tables = Tables(self.exhibits)
        for found in filter(None, (enumerated, family)):
            # If one place makes many values of a type, a new one is a row there, and no member.
            if made := found.enumerated or found.head:
                yield tables.of(made, found.worth)
        if enumerated is not None and enumerated.is_registered:
            yield enumerated
        yield Listed(self.exhibits).example(self.subject)
        if is_best:
            family_worth = family.worth if family is not None else 0.0
            yield siblings.example(family, max(self._subject_worth, family_worth))
            table = None if self.subject.is_named else tables.example(family_worth)
            yield table if table is not None and table.worth > self._subject_worth else None
        yield enumerated
        yield family

    def _family(self) -> tuple[Example | None, bool]:
        """Returns a member of the family of types that the question names, or that the best
        ranked definitions belong to. Also returns whether the subject ranks best, if only as one
        of these."""
        is_best = self._is_best()
        named = [each for each in self._named_as_code if each.kind in MEMBER_HOLDERS]
        registrations = Registrations(self.exhibits, named)
        family = registrations.example()
        if family is not None and (not (is_best or family.is_named) or self._is_of_enums(family)):
            family = None
        if family is None and self._overridden is not None:
            family = registrations.example_of_type(self._overridden)
            is_best = is_best or family is not None
        return family, is_best

    def _enumerated(self, family: Example | None) -> Example | None:
        """Returns the enumeration that the question names. It is no head or supertype of the
        ``family``, unless its members are types: a new subtype adds no value to it."""
        subject = self.subject
        found = Enumerations(self.exhibits, self.near).example(
            subject.symbol, self._subject_worth, subject_is_named=subject.is_named
        )
        enumeration = found.enumerated if found is not None else None
        if enumeration is None or family is None or family.head is None:
            return found
        members = members_of(self._graph, enumeration)
        are_types = members is not None and members.are_types
        supertypes = with_supertypes(self._graph, {family.head.id})
        return found if are_types or enumeration.id not in supertypes else None

    def _merged(self, family: Example, enumerated: Example | None) -> Example:
        """Merges a family with an enumeration that shares one of its places, since both then
        describe the same thing. The enumeration's places come first."""
        users = [each.user for each in enumerated.places] if enumerated is not None else []
        if enumerated is None or all(each.user not in users for each in family.places):
            return family
        others = (each for each in family.places if each.user not in users)
        return replace(
            family, places=(*enumerated.places, *others), enumerated=enumerated.enumerated
        )

    def _is_of_enums(self, family: Example) -> bool:
        """Whether the question names an ``enum`` of the family; a new one is a member of that
        enum."""
        if family.head is None:
            return False
        enums = [each.id for each in self._named_as_code if each.kind == "enum"]
        return any(family.head.id in with_supertypes(self._graph, {enum}) for enum in enums)

    @property
    def _named_as_code(self) -> list[Symbol]:
        """Everything that the question names as written in code."""
        return [*self.named, *([self.subject.symbol] if self.subject.is_named else [])]

    def _is_best(self) -> bool:
        """Whether the subject is the best ranked definition, or a member that this overrides."""
        symbol, best = self.subject.symbol, next(iter(self.seeds), None)
        if best is None:
            return False
        overridden = (edge.target for edge in self._graph.overrides(best.id))
        return symbol == best or symbol.id in overridden
