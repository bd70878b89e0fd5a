"""Finds what a change is about: the definition that a question names, or else the best ranked
one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from explorer_core.channels.question.query import understand
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, VARIABLES, Symbol
from explorer_core.index.terms import text
from explorer_core.judges.offline.telling.declared import is_bodiless, split_declarations
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.statements import called

_NAMEABLE = MEMBER_HOLDERS | VARIABLES | (CALLABLES - {"constructor"})
"""Kinds of definitions that a question can name."""
_WORDS = 2
"""How many words a name must have for the question to mean data by it. Names of one word are too
common."""


@dataclass(frozen=True)
class Subject:
    """The definition that is to be changed."""

    symbol: Symbol
    is_named: bool = False
    """Whether the question names it as written in code."""
    declarations: tuple[Symbol, ...] = ()
    """Where else it is declared without a body."""
    within: Symbol | None = None
    """The type that it is a member of, if the question names that below its title."""


class Subjects(Finder):
    """Finds the subject of one question."""

    def of(self, seeds: Sequence[Symbol], near: Sequence[Symbol]) -> Subject | None:
        """Returns the subject, given the best ranked definitions and those not far behind the
        first."""
        if (named := self._best_ranked(self._named_subjects(of_title=True))) is not None:
            return named
        if not seeds:
            return self._best_ranked(self.below)
        if (supported := self._supported_by_name([seeds[0], *near])) is not None:
            return supported
        return Subject(seeds[0])

    @cached_property
    def below(self) -> list[Subject]:
        """What the question names below its title; this may include guesses."""
        return self._named_subjects(of_title=False)

    @cached_property
    def named_by_phrase(self) -> list[Symbol]:
        """The definitions whose whole name is a keyword of several words: a guess hardly hits one
        by chance."""
        keywords = dict.fromkeys(self.case.request.keywords)
        whole = (name for name in keywords if len(text.words_in(name)) >= _WORDS)
        return [each.symbol for each in map(self._definition_named, whole) if each is not None]

    @cached_property
    def named_by_word(self) -> list[Symbol]:
        """The functions whose whole name is a one-word keyword, each the only definition of that
        name. On its own, such a keyword may hit something unrelated."""
        keywords = dict.fromkeys(self.case.request.keywords)
        found = (self._graph.find(name) for name in keywords if len(text.words_in(name)) == 1)
        candidates = [
            [each for each in definitions if not self._is_apart(each)] for definitions in found
        ]
        return [
            one for one, *more in filter(None, candidates) if not more and one.kind in CALLABLES
        ]

    def _named_subjects(self, *, of_title: bool) -> list[Subject]:
        """Returns what the question names in its title, or else below it. A name that may mean
        several definitions is left out."""
        in_title = {each.text for each in understand(self._words.query.title).identifiers}
        names = (name for name in self._words.names if (name in in_title) == of_title)
        subjects = map(self._definition_named, names)
        return [each for each in subjects if each is not None]

    def _best_ranked(self, found: Sequence[Subject]) -> Subject | None:
        """Returns the one in the best ranked file."""
        rank = self.exhibits.file_rank
        return min(found, key=lambda each: rank(each.symbol.path), default=None)

    def _supported_by_name(self, near: Sequence[Symbol]) -> Subject | None:
        """Returns the first well ranked definition that a name below the title supports: it has
        that name itself, overrides what has it, or is a member of it. Otherwise returns data that
        is named there and lies beside a well ranked definition."""
        by_id = {each.symbol.id: each for each in self.below}
        containers = {self._graph.container(each.id) for each in near}
        for each in near if by_id else ():
            if each.id in by_id:
                return by_id[each.id]
            if any(edge.target in by_id for edge in self._graph.overrides(each.id)):
                return Subject(each)
            for around in self._graph.containers(each.id):
                if around in by_id and not self._is_named_by_one_word(by_id[around].symbol):
                    return Subject(each, within=by_id[around].symbol)
        data = (each for each in self.below if each.symbol.kind in VARIABLES)
        return self._best_ranked(
            [each for each in data if self._graph.container(each.symbol.id) in containers]
        )

    def _definition_named(self, name: str) -> Subject | None:
        """Returns the definition that a name means, or None.

        Of several it is the one whose type the question mentions. Declarations, overloads and
        overrides of the definition do not count as others.
        """
        found = [
            each
            for each in self._graph.find(name.removesuffix("()"))
            if each.kind in _NAMEABLE and not self._is_apart(each)
            if each.kind in MEMBER_HOLDERS or self._is_distinctive(each)
        ]
        defined, declared = split_declarations(self.case.index, found)
        first: dict[tuple[str, str], Symbol] = {}
        for each in defined:
            first.setdefault((each.path, each.qualified_name), each)
        candidates = {each.id for each in found}
        roots = [
            each
            for each in first.values()
            if all(edge.target not in candidates for edge in self._graph.overrides(each.id))
        ]
        root = roots[0] if len(roots) == 1 else self._most_mentioned(roots)
        if root is None:
            return None
        root = self._only_implementation(root)
        elsewhere = {
            each.path: each
            for each in declared
            if each.path != root.path and called(each) == called(root)
        }
        return Subject(root, is_named=True, declarations=tuple(elsewhere.values()))

    def _is_named_by_one_word(self, symbol: Symbol) -> bool:
        """Whether a definition is named only by a keyword of one word. What is inside of it may be
        almost anything then."""
        several = len(text.words_in(symbol.name)) >= _WORDS
        return not several and symbol.name in self.case.request.keywords

    def _is_distinctive(self, symbol: Symbol) -> bool:
        """Whether a function or data may be meant by its name. If that is one word, it must be a
        function that the question names as code, or a keyword that also stands in the title."""
        words = set(text.words_in(symbol.name))
        if len(words) >= _WORDS:
            return True
        if symbol.name in self.case.request.keywords:
            return words <= self._words.title_terms
        return symbol.kind not in VARIABLES

    def _only_implementation(self, symbol: Symbol) -> Symbol:
        """For a member without a body returns its only implementation, if the question is to
        locate. Else returns the symbol itself."""
        if self.case.request.intent != "locate" or not is_bodiless(self.case.index, symbol):
            return symbol
        over = (self._graph.symbol(edge.source) for edge in self._graph.overridden_by(symbol.id))
        found = [
            each
            for each in over
            if not self.case.is_set_apart(each) and not is_bodiless(self.case.index, each)
        ]
        return found[0] if len(found) == 1 else symbol

    def _most_mentioned(self, roots: Sequence[Symbol]) -> Symbol | None:
        """Returns the member whose type the question mentions most. None if there are several such,
        or none."""
        scored = [(self._owner_worth(each), each) for each in roots]
        most = max((each for each, _ in scored), default=0.0)
        best = [each for worth, each in scored if worth == most]
        return best[0] if most and len(best) == 1 else None

    def _owner_worth(self, symbol: Symbol) -> float:
        """How much of the question is in the name of a member's type; nothing unless the question
        has all words of that name."""
        owner = self._graph.container(symbol.id)
        if owner is None or owner.is_file:
            return 0.0
        words = set(text.words_in(self._graph.symbol(owner).name))
        is_mentioned = words and words <= self._words.weights.keys()
        return self._words.worth(words) if is_mentioned else 0.0
