"""Chooses the steps of a flow, and what is shown after them.

For a question with a trace these are its frames. Else they are the spine that the graph draws
through the seeds, or a fork; if no edge joins the seeds, the best definitions one by one. A
question about a single definition gets steps about that one (`Change`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice

from explorer_core.index.flow import find_spine
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.spine import STEPS, Spine, SpineStep
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Edge, Symbol, SymbolId
from explorer_core.judges import statements
from explorer_core.judges.offline.change.change import Change
from explorer_core.judges.offline.flow.fork import find_fork
from explorer_core.judges.offline.flow.handed import may_hand_over, with_handover
from explorer_core.judges.offline.flow.neighbours import with_neighbours
from explorer_core.judges.offline.flow.seeds import FAR, Seeds, seed_weight
from explorer_core.judges.offline.telling.deciding import Decision
from explorer_core.judges.offline.telling.declared import is_bodiless, only_declares
from explorer_core.judges.offline.telling.places import definitions_of, share_lines
from explorer_core.judges.offline.telling.step import Step
from explorer_core.judges.offline.telling.telling import Telling

_BEST, _MOST_BESIDE = 3, 2
"""Of the ``_BEST`` best definitions, at most ``_MOST_BESIDE`` that the flow does not reach are
shown after it."""
_MESSAGE_STEPS, _MOST_TESTED = 2, 2
"""The message is looked for in the first ``_MESSAGE_STEPS`` steps. Of what is tested there, at most
``_MOST_TESTED`` definitions are shown after the flow."""
_MOST_NAMED, _MOST_CALLED = 2, 1
"""How many definitions are shown after the flow because the question names them below its title,
and how many because a step calls them."""


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of one case. ``trail`` leads back from a symptom, or is the one definition that the
    question is about."""

    telling: Telling
    trail: Sequence[Symbol]
    seeds: Seeds
    change: Change
    explains_message: bool
    """Whether the trail begins at what prints a message of the question."""

    def all(self) -> list[Step]:
        """Returns the steps in the order in which they are shown."""
        if self.change.asks_for_one_definition:
            return self.change.steps()
        if len(self.trail) > 1:
            return self._from_symptom(self._along_trail())
        steps = self._along_spine()
        if len(steps) < 2 and self.trail:
            return self.change.steps()
        joined = any(step.edge for step in steps)
        return self._from_symptom(steps) if joined else steps

    def _from_symptom(self, steps: list[Step]) -> list[Step]:
        """Puts the symptom first if the question is to debug. ``steps`` lead to it."""
        return steps[::-1] if self._is_debug else steps

    def _along_trail(self) -> list[Step]:
        """Returns the trail from its outermost caller on, each step with its call of the next if
        known."""
        symbols = self.trail[:STEPS][::-1]
        last = len(symbols) - 1
        return [
            Step(
                symbol,
                _role(at, last),
                self._call_of(symbols[at + 1], [symbol]) if at < last else None,
            )
            for at, symbol in enumerate(symbols)
        ]

    def _along_spine(self) -> list[Step]:
        """Returns the spine, or a fork if that reaches more of what is wanted.

        A question with a symptom gets the spine alone, which has to end there. If there is neither
        a spine nor a fork, returns the best definitions one by one.
        """
        path = self._path()
        if self.trail:
            return path
        near = self.seeds.near
        fork = find_fork(self.telling, path, near[:_BEST])
        path = fork if self._weight_shown(fork) >= self._weight_shown(path) else path
        apart = [Step(symbol, "definition") for symbol in near[:_BEST]]
        return with_neighbours(self.telling, with_handover(self.telling, path)) or apart

    def _weight_shown(self, steps: Sequence[Step]) -> float:
        """Sums the weights of the seeds that some steps show."""
        return sum(
            weight
            for symbol, weight in self.seeds.weighted
            if any(share_lines(symbol, step.symbol) for step in steps)
        )

    def _path(self) -> list[Step]:
        spine = self._spine()
        last = len(spine.steps) - 1
        path = [
            Step(
                self._graph.symbol(step.symbol),
                _role(at, last),
                step.edge_to_next,
                step.via,
                self._overriding_symbol(step, spine.steps[at + 1 :]),
            )
            for at, step in enumerate(spine.steps)
            if last > 0
        ]
        return self._cut_after_symptom(path) if self._is_debug and not self.trail else path

    def _overriding_symbol(self, step: SpineStep, after: Sequence[SpineStep]) -> SymbolId | None:
        """Returns the next step's symbol if it overrides the member that ``step`` uses."""
        if len(step.via) != 1 or not after:
            return None
        overridden = (edge.target for edge in self._graph.overrides(after[0].symbol))
        return after[0].symbol if step.via[0] in overridden else None

    def _cut_after_symptom(self, path: list[Step]) -> list[Step]:
        """Cuts a path after the last step that may lead an answer to debug: a seed nearly as good
        as the best, or a function that the question names."""
        leading = [*self.seeds.close, *self._named_beside()]
        for at in range(len(path) - 1, -1, -1):
            if any(share_lines(each, path[at].symbol) for each in leading):
                return [*path[:at], replace(path[at], role="effect" if at else "definition")]
        return path

    def _spine(self) -> Spine:
        seeds = {symbol.id: weight for symbol, weight in self.seeds.weighted}
        for symbol in (*self._named_beside(), *self._functions(self.change.named_by_phrase)):
            seeds.setdefault(symbol.id, seed_weight(FAR))
        end = self.trail[0].id if self.trail else None
        return find_spine(
            self._graph,
            seeds,
            avoid=self.telling.case.is_set_apart,
            follows=partial(may_hand_over, self.telling.exhibits),
            end=end,
        )

    def _named_beside(self) -> list[Symbol]:
        """The functions that the question names below its title and that a call joins to one of the
        best definitions. Other names there may be wrong guesses."""
        near = [] if self.change.asks_for_one_definition else self.seeds.near
        return [
            each
            for each in self._functions(self.change.named_below_title)
            if self._call_of(each, near) or self._calls_one_of(each, near)
        ]

    def besides(self, steps: Sequence[Step]) -> list[Step]:
        """Returns further definitions to show after the flow, the best ranked that it does not
        reach among them. Those that a step calls come first. A call by the last step comes first of
        all."""
        callers = definitions_of(steps)
        shown = list(callers)
        found: list[Step] = []
        for beside, most in (
            (self._tested_steps(steps), _MOST_TESTED),
            (self._best_ranked_steps(steps), _MOST_BESIDE),
            (self._called_steps(callers, self._named_beside()), _MOST_NAMED),
            (self._called_steps(callers, self._near_if_several_asked()), _MOST_CALLED),
            (self._keyword_steps(callers), _MOST_NAMED),
            (self._called_steps(callers, self._functions(self.change.named_by_word)), _MOST_NAMED),
        ):
            for step in islice(filter(partial(self._is_not_shown, shown), beside), most):
                shown.append(step.symbol)
                found.append(step)
        last = steps[-1].symbol.id
        found.sort(key=lambda step: (step.edge is None, step.edge and step.edge.source != last))
        # A hop shows only the call of what comes right after its caller.
        following = [step for step in found[:1] if step.edge and step.edge.source == last]
        return [
            *following,
            *(replace(step, states_incoming=True) for step in found[len(following) :]),
        ]

    def _tested_steps(self, steps: Sequence[Step]) -> Iterator[Step]:
        """Yields what decides whether the question's message is reached, if the question is to
        debug: what the first of the steps that has the message tests."""
        if not self.explains_message or not self._is_debug:
            return
        for step in steps[:_MESSAGE_STEPS]:
            if (line := self.telling.message_line(step)) is not None:
                decision = self.telling.deciding.on(step.symbol, line)
                yield from _deciding_steps(decision, step.symbol) if decision is not None else ()
                return

    def _best_ranked_steps(self, steps: Sequence[Step]) -> Iterator[Step]:
        """Yields the best definitions that are close to the first, or joined to a step by a call.

        If the steps explain the question's message, what is asked is clear, and definitions that
        merely share words with it are left out. So they are beside an enumeration.
        """
        callers = definitions_of(steps)
        explains = self.explains_message and any(step.role == "effect" for step in steps)
        near = [] if explains or self.change.is_enumerated else self.seeds.near
        for symbol in self.seeds.symbols[:_BEST]:
            edge = self._call_of(symbol, callers)
            if edge or symbol in near or self._calls_one_of(symbol, callers):
                yield Step(symbol, "also", edge)

    def _keyword_steps(self, callers: Sequence[Symbol]) -> Iterator[Step]:
        """Yields the functions whose whole name is a keyword, and for a change the types as
        well."""
        types = [each for each in self.change.named_by_phrase if each.kind in MEMBER_HOLDERS]
        functions = self._functions(self.change.named_by_phrase)
        for symbol in (*functions, *(types if self.change.is_edit else ())):
            yield Step(symbol, "also", self._call_of(symbol, callers))

    def _functions(self, symbols: Sequence[Symbol]) -> list[Symbol]:
        """Returns the functions among some definitions, without mere declarations."""
        index = self.telling.case.index
        functions = (each for each in symbols if each.kind in CALLABLES)
        return [each for each in functions if not is_bodiless(index, each)]

    def _near_if_several_asked(self) -> Sequence[Symbol]:
        """The definitions close to the first, if several are asked about. Those who call a single
        definition call other things, too."""
        return [] if self.trail or self.change.asks_for_one_definition else self.seeds.near

    def _called_steps(self, callers: Sequence[Symbol], symbols: Sequence[Symbol]) -> Iterator[Step]:
        """Yields those of some symbols that one of the ``callers`` surely calls."""
        for symbol in symbols:
            if (edge := self._call_of(symbol, callers)) is not None:
                yield Step(symbol, "also", edge)

    def _call_of(self, symbol: Symbol, callers: Sequence[Symbol]) -> Edge | None:
        """Returns the first sure call of a symbol by one of the ``callers``."""
        edges = chain.from_iterable(self.telling.calls.sure(caller) for caller in callers)
        return next((edge for edge in edges if edge.target == symbol.id), None)

    def _calls_one_of(self, symbol: Symbol, others: Sequence[Symbol]) -> bool:
        """Whether a symbol surely calls one of some others."""
        targets = {edge.target for edge in self.telling.calls.sure(symbol)}
        return not targets.isdisjoint(other.id for other in others)

    def _is_not_shown(self, shown: Sequence[Symbol], step: Step) -> bool:
        """Whether a step shows no lines that are shown already, and does not merely declare what
        is."""
        if any(share_lines(step.symbol, other) for other in shown):
            return False
        return not only_declares(self.telling.case.index, step.symbol, shown)

    @property
    def _is_debug(self) -> bool:
        return self.telling.case.request.intent == "debug"

    @property
    def _graph(self) -> SymbolGraph:
        return self.telling.case.graph


def _deciding_steps(decision: Decision, symbol: Symbol) -> Iterator[Step]:
    """Yields steps for what decides whether a line of ``symbol`` is reached, as far as known."""
    further = (statements.of_caught if decision.caught else statements.of_tested)(symbol)
    for decider, edge in decision.deciding:
        proof = edge if decider.id in (edge.source, edge.target) else None
        raises = edge.source == decider.id != edge.target
        yield Step(decider, "also", proof, further=further, exact=raises)


def _role(at: int, last: int) -> str:
    """Returns the role of a step by its position."""
    return "entry" if at == 0 else "effect" if at == last else "step"
