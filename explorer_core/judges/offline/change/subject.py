"""What a change is about: the definition that a question names outright, or the best ranked one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from explorer_core.channels.question.query import understand
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, VARIABLES, Symbol
from explorer_core.index.terms import text
from explorer_core.judges.offline.telling.declared import is_bodiless, told_apart
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.statements import called

_NAMEABLE = MEMBER_HOLDERS | VARIABLES | (CALLABLES - {"constructor"})
"""Kinds of definitions that a question can name outright."""
_WORDS = 2
"""Fewest words of a name by which the question may mean data: much has a name of one word."""


@dataclass(frozen=True)
class Subject:
    """What is to be changed."""

    symbol: Symbol
    named: bool = False
    """Whether the question names it outright, as code writes it."""
    declarations: tuple[Symbol, ...] = ()
    """Where else it is declared, without a body."""
    within: Symbol | None = None
    """The type that it is a member of, where the question names that below its title."""


class Subjects(Finder):
    """Finds the subject of one question."""

    def of(self, seeds: Sequence[Symbol], near: Sequence[Symbol]) -> Subject | None:
        """The subject, given the best ranked definitions and those not far behind the first."""
        if (named := self._first(self._named(of_title=True))) is not None:
            return named
        if not seeds:
            return self._first(self.below)
        if (agreed := self._agreed([seeds[0], *near])) is not None:
            return agreed
        return Subject(seeds[0])

    @cached_property
    def below(self) -> list[Subject]:
        """What the question gives the name of below its title, where guesses may be."""
        return self._named(of_title=False)

    @cached_property
    def guessed(self) -> list[Symbol]:
        """The definitions of which a keyword of several words is the whole name: a guess hardly
        hits one by chance."""
        keywords = dict.fromkeys(self.case.request.keywords)
        whole = (name for name in keywords if len(text.words_in(name)) >= _WORDS)
        return [each.symbol for each in map(self._meant, whole) if each is not None]

    @cached_property
    def words_for(self) -> list[Symbol]:
        """The functions that a keyword of one word is the whole name of, each the only definition
        that is called so: alone such a guess may hit something else."""
        keywords = dict.fromkeys(self.case.request.keywords)
        found = (self._graph.find(name) for name in keywords if len(text.words_in(name)) == 1)
        meant = [[each for each in all_so if not self._is_apart(each)] for all_so in found]
        return [one for one, *more in filter(None, meant) if not more and one.kind in CALLABLES]

    def _named(self, *, of_title: bool) -> list[Subject]:
        """What the question names in its title, or else below it, as far as one definition can be
        meant."""
        in_title = {each.text for each in understand(self._words.query.title).identifiers}
        names = (name for name in self._words.names if (name in in_title) == of_title)
        meant = map(self._meant, names)
        return [each for each in meant if each is not None]

    def _first(self, found: Sequence[Subject]) -> Subject | None:
        """The best ranked of some."""
        rank = self.exhibits.file_rank
        return min(found, key=lambda each: rank(each.symbol.path), default=None)

    def _agreed(self, near: Sequence[Symbol]) -> Subject | None:
        """The first of the best ranked definitions on which names below the title agree: it is
        named there itself, overrides what is, or is a member of it. Else data that is named there
        and lies beside one of the best ranked."""
        named = {each.symbol.id: each for each in self.below}
        beside = {self._graph.container(each.id) for each in near}
        for each in near if named else ():
            if each.id in named:
                return named[each.id]
            if any(edge.target in named for edge in self._graph.overrides(each.id)):
                return Subject(each)
            for around in self._graph.containers(each.id):
                if around in named and not self._is_mere_word(named[around].symbol):
                    return Subject(each, within=named[around].symbol)
        data = (each for each in self.below if each.symbol.kind in VARIABLES)
        return self._first(
            [each for each in data if self._graph.container(each.symbol.id) in beside]
        )

    def _meant(self, name: str) -> Subject | None:
        """The one definition that a name means; of several the one whose type the question tells
        of, and None if there is no such. Declarations of a definition, its overloads and what
        overrides it do not count as others."""
        found = [
            each
            for each in self._graph.find(name.removesuffix("()"))
            if each.kind in _NAMEABLE and not self._is_apart(each)
            if each.kind in MEMBER_HOLDERS or self._says_enough(each)
        ]
        defined, declared = told_apart(self.case.index, found)
        first: dict[tuple[str, str], Symbol] = {}
        for each in defined:
            first.setdefault((each.path, each.qualified_name), each)
        alike = {each.id for each in found}
        roots = [
            each
            for each in first.values()
            if all(edge.target not in alike for edge in self._graph.overrides(each.id))
        ]
        root = roots[0] if len(roots) == 1 else self._told_of(roots)
        if root is None:
            return None
        root = self._implemented(root)
        elsewhere = {
            each.path: each
            for each in declared
            if each.path != root.path and called(each) == called(root)
        }
        return Subject(root, named=True, declarations=tuple(elsewhere.values()))

    def _is_mere_word(self, symbol: Symbol) -> bool:
        """Whether only a keyword of one word gives a definition its name: much may be in that."""
        several = len(text.words_in(symbol.name)) >= _WORDS
        return not several and symbol.name in self.case.request.keywords

    def _says_enough(self, symbol: Symbol) -> bool:
        """Whether a function or data may be meant by its name. If that is one word, it has to be a
        function that the question names as code does, or a keyword that the title has as well."""
        words = set(text.words_in(symbol.name))
        if len(words) >= _WORDS:
            return True
        if symbol.name in self.case.request.keywords:
            return words <= self._words.titled
        return symbol.kind not in VARIABLES

    def _implemented(self, symbol: Symbol) -> Symbol:
        """To locate a member without a body: the only definition that gives it one; else the symbol
        itself."""
        if self.case.request.intent != "locate" or not is_bodiless(self.case.index, symbol):
            return symbol
        over = (self._graph.symbol(edge.source) for edge in self._graph.overridden_by(symbol.id))
        found = [
            each
            for each in over
            if not self.case.set_apart(each) and not is_bodiless(self.case.index, each)
        ]
        return found[0] if len(found) == 1 else symbol

    def _told_of(self, roots: Sequence[Symbol]) -> Symbol | None:
        """Of several members the one of whose type the question tells most; None if there are
        several of those, or none."""
        told = [(self._told_of_owner(each), each) for each in roots]
        most = max((each for each, _ in told), default=0.0)
        best = [each for worth, each in told if worth == most]
        return best[0] if most and len(best) == 1 else None

    def _told_of_owner(self, symbol: Symbol) -> float:
        """How much the name of a member's type tells of the question, if that has all its words."""
        owner = self._graph.container(symbol.id)
        if owner is None or owner.is_file:
            return 0.0
        words = set(text.words_in(self._graph.symbol(owner).name))
        is_told = words and words <= self._words.weights.keys()
        return self._words.worth(words) if is_told else 0.0
