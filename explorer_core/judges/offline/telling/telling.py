"""What the offline judge says of a step, and the line of it that shows this.

A fact is about the place that it stands at, and only what is known of it: text of the question that
is there word for word, the edge that stands there, what leads there, what its documentation says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice

from msgspec.structs import replace

from explorer_core.channels.features.narrowing import line_worth
from explorer_core.contracts import FACT_LIMIT, FlowChoice, LineRange
from explorer_core.index.symbols import VARIABLES, Edge, Symbol, SymbolId
from explorer_core.index.terms import text
from explorer_core.judges import statements
from explorer_core.judges.offline.telling.calls import Calls, is_sure_call
from explorer_core.judges.offline.telling.conditions import Conditions
from explorer_core.judges.offline.telling.deciding import Deciding
from explorer_core.judges.offline.telling.finder import Finder
from explorer_core.judges.offline.telling.step import Step

_MET, _FILES = 8, 40
"""Among how many callers those named most like the question are looked for, and the most files that
are looked at for them."""
_NAMESAKES = 40
"""Files that may define the name of a member for those that override it to be counted."""
_FURTHER_LINES = 3
"""Other lines that a sentence is said to hold for, at most."""
_LEAST_CALLED = 0.5
"""Of what the best line of a definition says about the question, the share that one with a call
must say to be quoted instead: a call tells more than that words stand there."""

Told = tuple[int, str]
"""The line to quote of a step, and its fact."""


@dataclass(frozen=True)
class Telling(Finder):
    """Puts the steps of one case in sentences, each with its quote."""

    _stated_hops: set[tuple[SymbolId, SymbolId]] = field(
        default_factory=set[tuple[SymbolId, SymbolId]]
    )
    """What was told to lead where; nothing is told twice, once from either end."""

    @cached_property
    def calls(self) -> Calls:
        return Calls(self.exhibits)

    @cached_property
    def deciding(self) -> Deciding:
        return Deciding(self.exhibits, self.calls, self.conditions)

    @cached_property
    def conditions(self) -> Conditions:
        return Conditions(self.exhibits)

    def choice(self, step: Step) -> FlowChoice | None:
        """A link, unless its file has gone since it was found."""
        symbol = step.symbol
        if not self.exhibits.has(symbol.path):
            return None
        self.exhibits.learn_of(symbol)
        line, fact = self._told(step)
        quote, where = self._quoted(step, line)
        shown = self.exhibits.show(symbol, line)
        said = (fact, where, *self._also(step, line), step.further)
        fact = _fitting(filter(None, said))
        return FlowChoice(candidate_id=shown, role=step.role, fact=fact, quote=quote)

    def _quoted(self, step: Step, line: int) -> tuple[str, str]:
        """The quote of a step that is told by a line, and what is said of that line beside it."""
        symbol, conditions = step.symbol, self.conditions
        refusal = self._refusal(step, line)
        if refusal is not None:
            return conditions.quote_of_exit(symbol, *refusal), statements.of_exit(refusal[1])
        if self._is_debug and self.told_on(step) == line:
            return self._quoted_below(symbol, line)
        if self._is_debug or self._says(symbol.path, line):
            return conditions.guarded_quote(symbol, line), ""
        return self.exhibits.quote(symbol.path, line), ""

    def _quoted_below(self, symbol: Symbol, line: int) -> tuple[str, str]:
        """The quote of a symbol that tells the message on a line, and what is said of that line if
        what decides there is quoted instead."""
        conditions, decision = self.conditions, None
        if not conditions.has_own(symbol, line):
            decision = self.deciding.on(symbol, line)
        shown, above = self.exhibits.lines_of(symbol, line), conditions.condition_of(symbol, line)
        is_far = decision is not None and decision.head.start != above
        if decision is None or not is_far or not shown.covers(decision.written):
            return conditions.guarded_quote(symbol, line), ""
        said = statements.of_line_below(line, decision.head.start)
        return conditions.quote_of(symbol, decision.written), said

    def told_on(self, step: Step) -> int | None:
        """The line on which a step tells the message of the question: has it, or else the key of
        it, or what holds it. None where it does not."""
        symbol, edge = step.symbol, step.edge
        if step.literal is not None:
            return step.literal.line
        said = None if symbol.kind in VARIABLES else self.exhibits.said_in(symbol)
        if said is not None and self._says(symbol.path, said[0]):
            return said[0]
        if edge is None or edge.source != symbol.id or edge.path != symbol.path:
            return None
        held = self._graph.symbol(edge.target)
        holds = held.kind in VARIABLES and self.exhibits.prints(held)
        return self._most_asked(symbol, self._lines_of(edge, symbol)) if holds else None

    def _says(self, path: str, line: int) -> bool:
        """Whether a line has a message of the question."""
        return self.exhibits.says(path, LineRange(start=line, end=line))

    def _refusal(self, step: Step, line: int) -> tuple[int, int] | None:
        """The nearest early exit before the line from which a step leads on that hangs on a call to
        tell of, and the line with that call: what somebody wants is most often refused there."""
        edge = step.edge
        if not self._is_debug or edge is None or edge.source != step.symbol.id:
            return None
        asking = {each.line for each in step.also if each.source == step.symbol.id}
        shown = self.exhibits.lines_of(step.symbol, line)
        exits = self.conditions.exits_before(step.symbol, line) if asking else []
        return next((each for each in exits if each[0] in asking and each[0] in shown), None)

    def _also(self, step: Step, line: int) -> Iterator[str]:
        """The sentences on the other calls by what a step shows with ``line``, and of it."""
        graph, own = self._graph, step.symbol.id
        shown = self.exhibits.lines_of(step.symbol, line)
        untold = [e for e in step.also if (e.source, e.target) not in self._stated_hops]
        calls = [edge for edge in untold if edge.source == own and edge.line in shown]
        told = [edge for edge in (step.edge, *calls) if edge is not None]
        calls = [each for at, each in enumerate(calls, 1) if not self._is_or(each, told[:at])]
        callers = [edge for edge in untold if edge.source != own]
        self._note(*calls, *callers)
        if calls:
            yield statements.of_further_edges(graph, calls)
        if callers:
            yield statements.of_further_targets(graph, callers)

    def _is_or(self, edge: Edge, told: Sequence[Edge]) -> bool:
        """Whether one of some edges may mean what an edge leads to, where that stands."""
        alike = (each for each in told if each.line == edge.line and each.source == edge.source)
        return any(edge.target in self._graph.beside(each) for each in alike)

    def _told(self, step: Step) -> Told:
        """What is told of a step: what it is shown for, or else what the question has word for word
        in it, then the edge that stands in it, then what it calls, and at last what leads there."""
        return (
            self._told_of_place(step)
            or (None if step.part else self._told_of_text(step.symbol))
            or self._told_of_edge(step)
            or self._told_of_calls(step)
        )

    def _told_of_place(self, step: Step) -> Told | None:
        symbol, edge = step.symbol, step.edge
        if step.line is not None:
            return step.line, self._pointed_at(symbol, step.line)
        if step.literal is not None:
            return step.literal.line, statements.of_text(symbol, step.literal.name)
        if edge is not None and step.handed:
            return edge.line, self._handed(edge, step.handed)
        return None

    def _told_of_text(self, symbol: Symbol) -> Told | None:
        said = None if symbol.id.is_file else self.exhibits.said_in(symbol)
        return (said[0], statements.of_text(symbol, said[1].text)) if said is not None else None

    def _told_of_edge(self, step: Step) -> Told | None:
        symbol, edge = step.symbol, step.edge
        if edge is None or edge.path != symbol.path or edge.line not in symbol.range:
            return None
        holds = edge.relation == "contains" and not step.exact
        if holds and (documented := self._documented(symbol, edge.line)):
            return documented
        lines = self._lines_of(edge, symbol)
        line = edge.line if step.exact else self._most_asked(symbol, lines)
        stated = self._stated(edge, step.via, step.meant)
        return line, self._with_further_lines(stated, symbol, line, lines)

    def _told_of_calls(self, step: Step) -> Told:
        symbol, edge = step.symbol, step.edge
        leads_here = edge is not None and edge.target == symbol.id and self._is_news(edge)
        news = edge if leads_here else None
        line, own = self._own_line(symbol, step.part)
        if own:
            return line, self._also_led_to(own, news) if news is not None and step.led_to else own
        if edge is not None and edge.source == symbol.id:
            return symbol.line, self._stated(edge, step.via, step.meant)
        if news is None:
            return self._told_of_no_call(symbol, edge, line)
        if done := self._done(symbol, line):
            return line, self._also_led_to(done, news)
        return symbol.line, self._led_to([news])

    def _matching(self, symbol: Symbol, line: int) -> str:
        """What is told of a symbol that calls nothing by the words of the question on ``line``, the
        one that says most of them; empty if that is its head or has none that tell."""
        words = self.exhibits.words_on(symbol.path, line) if line != symbol.line else []
        return statements.of_line(symbol, words) if words else ""

    def _done(self, symbol: Symbol, line: int) -> str:
        """`_matching` of a line that does something: what a comment says is less than who calls."""
        return self._matching(symbol, line) if self.exhibits.is_code(symbol, line) else ""

    def _told_of_no_call(self, symbol: Symbol, edge: Edge | None, line: int) -> Told:
        """What is told of a symbol that calls nothing, to which ``edge`` leads; ``line`` is the one
        that says most about the question."""
        if documented := self._documented(symbol, line):
            return documented
        known = edge is not None or any(target == symbol.id for _, target in self._stated_hops)
        callers = [] if known else self.telling_callers(symbol)
        if callers and (done := self._done(symbol, line)):
            return line, self._also_led_to(done, callers[0])
        if callers:
            return symbol.line, self._led_to(callers)
        if matching := self._matching(symbol, line):
            return line, matching
        if (used := self.calls.used(symbol)) is not None:
            return used.line, self._stated(used)
        if edge is None and (callers := self.telling_callers(symbol)):
            return symbol.line, self._led_to(callers)
        return symbol.line, statements.of_definition(symbol)

    def _documented(self, symbol: Symbol, line: int) -> Told | None:
        """What a symbol's documentation says first, with the line that says so, or ``line`` where
        that is above the symbol. None where it is no prose or markup has left a gap in it."""
        said = statements.documented(symbol)
        where = self.exhibits.documented(symbol, said) if said else None
        if where is None:
            return None
        return where if where in symbol.range else line, statements.of_documentation(symbol, said)

    def _lines_of(self, edge: Edge, symbol: Symbol) -> list[int]:
        """The lines of a symbol from which an edge leads where this one does, its own at least."""
        lines = [
            each.line
            for each in self._graph.uses(edge.source)
            if replace(each, line=edge.line) == edge and each.line in symbol.range
        ]
        return lines or [edge.line]

    def _most_asked(self, symbol: Symbol, lines: Sequence[int]) -> int:
        """Of some lines of a symbol the one that says most about the question, since each may give
        what it calls something else; of several such the first that stands in the fewest blocks:
        what is done anyway tells more than what is done in one case."""
        worth = self.exhibits.worth
        return max(lines, key=lambda at: (worth(symbol, at), -self._indent(symbol, at), -at))

    def _indent(self, symbol: Symbol, line: int) -> int:
        written = self.exhibits.line(symbol.path, line).expandtabs()
        return len(written) - len(written.lstrip())

    def _with_further_lines(
        self, stated: str, symbol: Symbol, line: int, lines: Sequence[int]
    ) -> str:
        """What is stated of a line of a symbol, with the others it holds for: what a symptom comes
        from may be any of them."""
        if not self._is_debug:
            return stated
        shown = self.exhibits.lines_of(symbol, line)
        others = sorted({at for at in lines if at in shown and at != line})[:_FURTHER_LINES]
        return f"{stated} {statements.of_further_lines(others)}" if others else stated

    @property
    def _is_debug(self) -> bool:
        return self.case.request.intent == "debug"

    def _pointed_at(self, symbol: Symbol, line: int) -> str:
        """What is done on a line that the question points to."""
        calls = [edge for edge in self.calls.sure(symbol) if edge.line == line]
        if calls:
            return self._stated(max(calls, key=self.calls.worth_of_name))
        return statements.of_pointed(symbol)

    def _stated(
        self, edge: Edge, via: Sequence[SymbolId] = (), meant: SymbolId | None = None
    ) -> str:
        """The sentence for an edge."""
        self._note(edge)
        self.exhibits.learn_of(*map(self._graph.symbol, (*via, *([meant] if meant else []))))
        others = self._overriding_beside(meant, edge.target) if meant else 0
        return statements.of_edge(self._graph, edge, via, meant, others)

    def _overriding_beside(self, meant: SymbolId, declared: SymbolId) -> int | None:
        """How many override a member beside the one that is meant, tests and the like apart; None
        of a member whose name very many have, since it takes too long to look for them."""
        graph = self._graph
        if graph.namesakes(graph.symbol(declared).name) > _NAMESAKES:
            return None
        found = {edge.source for edge in graph.overridden_by(declared)} - {meant}
        return sum(not self.case.set_apart(graph.symbol(each)) for each in found)

    def _handed(self, edge: Edge, text: str) -> str:
        """The sentence for an edge to what is handed over."""
        self._note(edge)
        return statements.of_handed(self._graph, edge, text)

    def _led_to(self, edges: Sequence[Edge]) -> str:
        """The sentence for edges to what a step shows."""
        self._note(*edges)
        return statements.of_target(self._graph, edges)

    def _also_led_to(self, fact: str, edge: Edge) -> str:
        """A fact about what an edge leads to, and the sentence for the edge."""
        self._note(edge)
        return f"{fact} {statements.of_further_targets(self._graph, [edge])}"

    def _note(self, *edges: Edge) -> None:
        """Some edges are told: sentences may name their ends, and do not tell them again."""
        for edge in edges:
            self.exhibits.learn_of(*map(self._graph.symbol, (edge.source, edge.target)))
            self._stated_hops.add((edge.source, edge.target))

    def _own_line(self, symbol: Symbol, part: LineRange | None) -> Told:
        """The line of a symbol, or of a part of it, that tells most, and the statement to make of
        it, empty if no call stands there: what the call leads to, or the words of the question,
        where another line has far more of them. Calls of itself or its overloads count only where
        it has no others. Calls that merely report or fail have the question's words but not its
        answer: they count only where there are no others and no documentation."""
        calls = [each for each in self.calls.sure(symbol) if part is None or each.line in part]
        others = [edge for edge in calls if not self.calls.is_overload(edge.target, symbol.id)]
        doing = [edge for edge in others if not self.exhibits.only_tells(symbol, edge.line)]
        if others and not doing and (told := self._told_of_telling(symbol)):
            return told
        edges: dict[int, Edge] = {}
        for edge in sorted(doing or others or calls, key=self.calls.worth_on_line, reverse=True):
            edges.setdefault(edge.line, edge)
        line, best = (self.exhibits.telling_line(symbol, each, part) for each in (edges, {}))
        if not edges:
            return line, ""
        telling = best not in {symbol.line, *(edge.line for edge in calls)}
        called, most = (self.exhibits.worth(symbol, each) for each in (line, best))
        if telling and called < _LEAST_CALLED * most:
            words = self.exhibits.words_on(symbol.path, best)
            # A single word stands in many lines for other reasons.
            if len(list(chain.from_iterable(map(text.parts_of, words)))) > 1:
                return best, statements.of_line(symbol, words)
        if line not in edges:
            return line, ""
        return (line := self.calls.most_telling(symbol, edges)), self._stated(edges[line])

    def _told_of_telling(self, symbol: Symbol) -> Told | None:
        """What is told of a symbol whose calls do no more than say something: its documentation, or
        else the line that has most of the question and does more."""
        if documented := self._documented(symbol, symbol.line):
            return documented
        line = self.exhibits.telling_line(symbol, {})
        return (line, matching) if (matching := self._done(symbol, line)) else None

    def _is_news(self, edge: Edge) -> bool:
        """Whether an edge was not told from its source, and says something of its target."""
        stated = (edge.source, edge.target) in self._stated_hops
        return not stated and not self.calls.is_overload(edge.source, edge.target)

    def telling_callers(self, symbol: Symbol) -> list[Edge]:
        """The calls by some of the callers, first those in whose names there is most of the
        question."""
        weights = self._words.weights
        met = islice(self._callers(symbol), _MET)
        named = {edge: self._graph.symbol(edge.source).qualified_name for edge in met}
        worth = {edge: line_worth(name, weights) for edge, name in named.items()}
        return sorted(worth, key=lambda edge: -worth[edge])

    def _callers(self, symbol: Symbol) -> Iterator[Edge]:
        """A certain call by each of those that have one, near the symbol."""
        graph = self._graph
        seen = {symbol.id}
        for edge in graph.uses_of(symbol.id, files=_FILES, calls=True):
            told = (edge.source, symbol.id) in self._stated_hops
            known = edge.source in seen or edge.source.is_file
            if (
                not known
                and is_sure_call(self.case, edge)
                and not self.calls.is_overload(edge.source, symbol.id)
            ):
                seen.add(edge.source)
                if not told and not self.case.set_apart(graph.symbol(edge.source)):
                    yield edge


def _fitting(sentences: Iterable[str]) -> str:
    """As many of some sentences, from the first on, as a fact has room for, whole; but all of the
    first."""
    fact = ""
    for each in sentences:
        if not fact:
            fact = each
        elif len(fact) + 1 + len(each) <= FACT_LIMIT:
            fact += f" {each}"
    return fact
