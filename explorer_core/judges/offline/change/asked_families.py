"""Finds the families of types that a question asks for by their names.

"Add another file exporter" asks for the family of ``CsvFileExporter`` and ``PdfFileExporter``: it
has the words that the members share, and none by which one member differs. "The csv exporter" means
that member, and no new one. A question may also name the family's head as written in code; then its
other words do not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from posixpath import basename, commonpath

from explorer_core.index.extraction.reference_table import CALLS
from explorer_core.index.families import FAMILY, Family
from explorer_core.index.symbols import MEMBER_HOLDERS, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.reach import with_subtypes, with_supertypes
from explorer_core.judges.statements import called
from explorer_core.registry.traits import is_aside

_LOOKED_AT = 40
"""The families of this many of the best candidates are considered."""
_SHARE_OF_NAMES = 0.6
"""The share of the members that must have a word for it to belong to the family's name."""
_WORDS_APART = 2
"""How many words from the family's name a member's own words may stand and still mean the
member."""
NEARLY = 0.9
"""A family may be chosen for being named first in the title only if it has at least this share of
what the best family has of the question."""


@dataclass(frozen=True)
class AskedFamilies(Finder):
    """Finds the families that one question asks for."""

    named_in_code: Collection[Symbol]
    """What the question names as written in code."""

    def best(self) -> list[tuple[float, Family]]:
        """Returns the families that are asked for, each with how much of the title its names have.

        Kept are the surest (`_sureness`), of these the ones with nearly as much as the best, and of
        these the ones that the title names first. Those with most come first, then the largest.
        """
        ranked = filter(self._is_ranked, self._families())
        scored = [(worth, family) for family in ranked if (worth := self._worth_in_title(family))]
        if not scored:
            return []
        surest = max(self._sureness(family) for _, family in scored)
        scored = [(worth, family) for worth, family in scored if self._sureness(family) == surest]
        most = max(worth for worth, _ in scored)
        # What is asked for is named first; what it is to do comes after it.
        close = [(self._first_named(e), worth, e) for worth, e in scored if worth >= NEARLY * most]
        first = min(at for at, _, _ in close)
        families = [(worth, family) for at, worth, family in close if at == first]
        return sorted(families, key=lambda each: (-each[0], -len(each[1].members)))

    def under(self, head: SymbolId) -> Family:
        """Returns the family of a type: all that derives from it and has no subtypes itself. The
        parts of one type are one member."""
        subtypes = with_subtypes(self._graph, {head}) - {head}
        members = map(self._graph.first_part, filter(self._has_no_subtypes, subtypes))
        return Family(head, frozenset(members))

    def is_named(self, family: Family) -> bool:
        """Whether the title has the several words of a family's name side by side, or the question
        has the name as written in code."""
        words = text.words_in(self._graph.symbol(family.head).name)
        together = len(words) > 1 and self._words.are_adjacent(words)
        return together or self._is_named_as_code(family)

    def _sureness(self, family: Family) -> tuple[bool, bool]:
        """Sort key for how surely a family is meant: the question names it as code, then its title
        says what kind of thing the members are."""
        title_terms = self._words.title_terms
        return self._is_named_as_code(family), not title_terms.isdisjoint(self._kinds(family))

    def _is_named_as_code(self, family: Family) -> bool:
        """Whether the question names, as code, a family's head, a supertype of the head, or what
        the head is in."""
        above = (edge.target for edge in self._graph.supertypes(family.head))
        around = {family.head, *above, *self._graph.containers(family.head)}
        return any(each.id in around for each in self.named_in_code)

    def _families(self) -> Iterator[Family]:
        """Yields the families of the best ranked types and of those that are named."""
        seen: set[SymbolId] = set()
        named = (each for each in self.named_in_code if each.kind in MEMBER_HOLDERS)
        for symbol in chain(self._types(), named):
            above = (edge.target for edge in self._graph.supertypes(symbol.id))
            for head in dict.fromkeys((symbol.id, *above)):
                if head not in seen:
                    seen.add(head)
                    family = self.under(head)
                    if len(family.members) >= FAMILY and not self._is_of_library(family):
                        yield family

    def _is_ranked(self, family: Family) -> bool:
        """Whether some file of a family ranks at all, so that more than a word of its name is
        related."""
        ranks = self.exhibits.file_ranks
        return any(each.path in ranks for each in (family.head, *family.members))

    def _is_of_library(self, family: Family) -> bool:
        """Whether a family only declares the types of a library: it lies in one file that calls
        nothing, and no other file mentions any of its names."""
        each = {family.head, *family.members}
        view, path = self.case.index.view, family.head.path
        facts = view.facts(path) if {one.path for one in each} == {path} else None
        if facts is None or any(reference.kind in CALLS for reference in facts.references):
            return False
        names = {self._graph.symbol(one).name for one in each}
        return all(set(view.files_mentioning(name)) <= {path} for name in names)

    def _has_no_subtypes(self, member: SymbolId) -> bool:
        derived = (self._graph.symbol(edge.source) for edge in self._graph.subtypes(member))
        return not self.case.is_set_apart(self._graph.symbol(member)) and all(
            map(self.case.is_set_apart, derived)
        )

    def _types(self) -> Iterator[Symbol]:
        """Yields the types among the best ranked definitions and around them."""
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

    def _worth_in_title(self, family: Family) -> float:
        """Scores how much of the title is in a family's name.

        Zero if the title does not say what kind of thing the members are, unless the question names
        the family as code. Also zero if the title names one member or relative, since that one is
        then meant; in another clause its name is only an example. Two examples count for the family
        itself.
        """
        title_terms = self._words.title_terms
        graph = self._graph
        head, *around = (text.words_in(each) for each in self._family_names(family))
        shared = common_words(self._member_names(family)).union(head, *around)
        kinds = self._kinds(family) & title_terms
        relatives = (graph.symbol(each).name for each in self._relatives(family))
        own_words = [set(text.words_in(name)) - shared for name in relatives]
        if not kinds and not self._is_named_as_code(family):
            return self._words.worth(self._examples(own_words))
        # In a single file the family is an enumeration, if only its members are examples.
        in_several_files = len({each.path for each in family.members}) > 1
        clauses = self._words.main_clauses(shared) if in_several_files else [title_terms]
        naming_one_member = [
            words for words in own_words if any(words and words <= clause for clause in clauses)
        ]
        if in_several_files:
            # A folder's name may stand in the title to say where something is.
            kinds = kinds.intersection(head[-1:]) or kinds
            naming_one_member = [
                words for words in naming_one_member if self._words.may_name_one(words, kinds)
            ]
        # Further away from the family's whole name, such words say what a new one is to do.
        if in_several_files and self.is_named(family):
            near = self._words.are_near
            naming_one_member = [
                words for words in naming_one_member if near(words, head, _WORDS_APART)
            ]
        if naming_one_member:
            return 0.0
        return self._words.worth(shared)

    def _examples(self, own_words: Sequence[set[str]]) -> set[str]:
        """Returns the words of the members that one clause names as examples, like Oslo and Bergen
        in ``another service to sync with, like Oslo or Bergen``. Empty if there are fewer than two,
        or if it is the first clause. ``own_words`` are the words by which each member differs from
        the others."""
        for clause in self._words.clauses:
            named = {frozenset(words) for words in own_words if words and words <= clause}
            if named:
                is_first = clause is self._words.clauses[0]
                return set(chain.from_iterable(named)) if len(named) > 1 and not is_first else set()
        return set()

    def _member_names(self, family: Family) -> list[list[str]]:
        return [text.words_in(self._graph.symbol(each).name) for each in family.members]

    def _kinds(self, family: Family) -> set[str]:
        """Returns the words for what kind of thing a family's members are."""
        kinds = common_words([name[-1:] for name in self._member_names(family)])
        head, *around = (text.words_in(each)[-1:] for each in self._family_names(family))
        # If the members' names say what they are, the folder's name does not matter.
        return kinds.union(head, *(() if kinds else around))

    def _first_named(self, family: Family) -> int:
        """Returns the position of the word in the title that says what kind of thing the members
        are."""
        return self._words.first_position(self._kinds(family))

    def _family_names(self, family: Family) -> Iterator[str]:
        """Yields the names that a family may go by: that of its head (with what the head is in),
        those of the head's supertypes, and that of the folder that holds all its files."""
        yield called(self._graph.symbol(family.head))
        for edge in self._graph.supertypes(family.head):
            yield self._graph.symbol(edge.target).name
        paths = {each.path for each in (family.head, *family.members)}
        if len(paths) > 1:
            yield basename(commonpath(paths))

    def _relatives(self, family: Family) -> set[SymbolId]:
        """Returns all types that derive from a family's head, or from a supertype of the head whose
        name ends in a word of the question."""
        above = with_supertypes(self._graph, {family.head})
        question_words = self._words.weights.keys()
        named = {
            e
            for e in above
            if question_words >= set(text.words_in(self._graph.symbol(e).name)[-1:])
        }
        return with_subtypes(self._graph, named | {family.head})


def common_words(names: Sequence[Sequence[str]]) -> set[str]:
    """Returns the words that most of the names have."""
    counts = Counter(chain.from_iterable(map(set, names)))
    return {word for word, count in counts.items() if count >= _SHARE_OF_NAMES * len(names)}
