"""What a new one of what is asked for is like: of all that may tell it, the one that says most.

A new one may be a type that derives from another, a member of an enumeration, a row of a table, a
name in a list, or a file beside others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from explorer_core.index.symbols import MEMBER_HOLDERS, Symbol
from explorer_core.index.terms import text
from explorer_core.judges.offline.change.enumerations import Enumerations
from explorer_core.judges.offline.change.example import Example
from explorer_core.judges.offline.change.listed import Listed
from explorer_core.judges.offline.change.members import members_of
from explorer_core.judges.offline.change.overridden import Overridden
from explorer_core.judges.offline.change.reach import with_supertypes
from explorer_core.judges.offline.change.registrations import Registrations
from explorer_core.judges.offline.change.siblings import Siblings
from explorer_core.judges.offline.change.subject import Subject
from explorer_core.judges.offline.change.tables import Tables
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.statements import called


@dataclass(frozen=True)
class Choice(Finder):
    """Chooses it for one question about a subject, given the best ranked definitions, all that are
    not far behind the first, and those ``named`` below the title as code does."""

    subject: Subject
    seeds: Sequence[Symbol]
    near: Sequence[Symbol]
    named: Sequence[Symbol]

    def example(self) -> Example | None:
        """One of the family that the question names; or, where it is not known where that goes, a
        table that the question says more of than of the subject."""
        found = self._of_subject()
        if (found is not None and found.places) or (listed := self.listed) is None:
            return found
        told = max(found.said if found is not None else 0.0, self.worth)
        return listed if listed.said > told or listed.member == self.subject.symbol else found

    @cached_property
    def listed(self) -> Example | None:
        """A table that ranks well, whose rows are listed elsewhere."""
        return Listed(self.case, self.exhibits).met()

    @cached_property
    def overridden(self) -> Symbol | None:
        """The type of what the best ranked definitions override, unless the title names what is to
        be changed."""
        if self.subject.named and self.subject.symbol not in self.named:
            return None
        return Overridden(self.case, self.exhibits).type()

    @property
    def worth(self) -> float:
        """How much of what the question says is in the name of the subject."""
        return self._words.worth_in_title(text.words_in(called(self.subject.symbol)))

    def _of_subject(self) -> Example | None:
        family, is_best = self._family()
        enumerated = self._enumerated(family)
        if family is not None and family.places:
            return self._together(family, enumerated)
        siblings = Siblings(self.case, self.exhibits, self.subject.symbol)
        if is_best and (beside := siblings.beside_best()) is not None:
            return beside
        tables = Tables(self.case, self.exhibits)
        for found in (enumerated, family):
            made = (found.enumerated or found.head) if found is not None else None
            # Where many of a type are made side by side, one more is a row and no member of it.
            if found is not None and made is not None and (table := tables.of(made, found.said)):
                return table
        if enumerated is not None and enumerated.is_registered:
            return enumerated
        found = Listed(self.case, self.exhibits).example(self.subject)
        if found is None and is_best:
            told = family.said if family is not None else 0.0
            found = siblings.example(family, max(self.worth, told))
            if found is None and not self.subject.named:
                table = tables.example(told)
                found = table if table is not None and table.said > self.worth else None
        return found or enumerated or family

    def _family(self) -> tuple[Example | None, bool]:
        """The family that the question names, or that the best ranked are of; and whether what is
        to be changed is what ranks best, or one of that."""
        is_best = self._is_best()
        named = [each for each in self._given if each.kind in MEMBER_HOLDERS]
        registrations = Registrations(self.case, self.exhibits, named)
        family = registrations.example()
        if family is not None and (not (is_best or family.named) or self._is_of_enums(family)):
            family = None
        if family is None and self.overridden is not None:
            family = registrations.like(self.overridden)
            is_best = is_best or family is not None
        return family, is_best

    def _enumerated(self, family: Example | None) -> Example | None:
        """The enumeration that the question names. What a new one of a family derives from gets no
        new member for that."""
        subject = self.subject
        found = Enumerations(self.case, self.exhibits, self.near).example(
            subject.symbol, self.worth, named=subject.named
        )
        of = found.enumerated if found is not None else None
        if of is None or family is None or family.head is None:
            return found
        members = members_of(self._graph, of)
        are_types = members is not None and members.are_types
        above = with_supertypes(self._graph, {family.head.id})
        return found if are_types or of.id not in above else None

    def _together(self, family: Example, enumerated: Example | None) -> Example:
        """A member of a family with the places where it is registered, after those that tell an
        enumeration apart if one of these is among them: then both tell of one thing."""
        told = [each.user for each in enumerated.places] if enumerated is not None else []
        if enumerated is None or all(each.user not in told for each in family.places):
            return family
        others = (each for each in family.places if each.user not in told)
        return replace(
            family, places=(*enumerated.places, *others), enumerated=enumerated.enumerated
        )

    def _is_of_enums(self, family: Example) -> bool:
        """Whether the question names one of a family that has members of its own."""
        if family.head is None:
            return False
        enums = [each.id for each in self._given if each.kind == "enum"]
        return any(family.head.id in with_supertypes(self._graph, {enum}) for enum in enums)

    @property
    def _given(self) -> list[Symbol]:
        """All that the question names as code does."""
        return [*self.named, *([self.subject.symbol] if self.subject.named else [])]

    def _is_best(self) -> bool:
        """Whether what is to be changed is what ranks best, or a member that this overrides."""
        symbol = self.subject.symbol
        overridden = (e.target for e in self._graph.overrides(self.seeds[0].id))
        return symbol == self.seeds[0] or symbol.id in overridden
